# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits for EGL_KHR_reusable_sync: who waits is woken by each signal, and told so."""

EGL = "src/egl/drivers/dri2/egl_dri2.c"

EDITS = [
    ("src/egl/drivers/dri2/egl_dri2.h", "struct dri2_egl_sync {\n   _EGLSync base;\n   mtx_t mutex;\n   cnd_t cond;\n",
     "struct dri2_egl_sync {\n   _EGLSync base;\n   mtx_t mutex; /* guards the status of a reusable one, and: */\n"
     "   unsigned signals; /* it may be unsignaled again before those who wait look */\n   cnd_t cond;\n"),
    (EGL, "      /* if timeout is EGL_FOREVER_KHR, it should wait without any timeout.*/\n      if (timeout == EGL_FOREVER_KHR) {\n"
          "         mtx_lock(&dri2_sync->mutex);\n         cnd_wait(&dri2_sync->cond, &dri2_sync->mutex);\n"
          "         mtx_unlock(&dri2_sync->mutex);\n      } else {\n",
     "      /* if timeout is EGL_FOREVER_KHR, it should wait without any timeout.*/\n      if (timeout == EGL_FOREVER_KHR) {\n"
     "         mtx_lock(&dri2_sync->mutex);\n         const unsigned before = dri2_sync->signals;\n"
     "         while (dri2_sync->base.SyncStatus == EGL_UNSIGNALED_KHR && dri2_sync->signals == before)\n"
     "            cnd_wait(&dri2_sync->cond, &dri2_sync->mutex);\n"
     "         mtx_unlock(&dri2_sync->mutex);\n      } else {\n"),
    (EGL, """            mtx_lock(&dri2_sync->mutex);
            ret = cnd_timedwait(&dri2_sync->cond, &dri2_sync->mutex, &expire);
            mtx_unlock(&dri2_sync->mutex);

            if (ret == thrd_timedout) {
               if (dri2_sync->base.SyncStatus == EGL_UNSIGNALED_KHR) {
                  ret = EGL_TIMEOUT_EXPIRED_KHR;
               } else {
                  _eglError(EGL_BAD_ACCESS, "eglClientWaitSyncKHR");
                  ret = EGL_FALSE;
               }
            }
""", """            mtx_lock(&dri2_sync->mutex);
            const unsigned before = dri2_sync->signals;
            int waited = thrd_success;
            while (dri2_sync->base.SyncStatus == EGL_UNSIGNALED_KHR && dri2_sync->signals == before &&
                   waited == thrd_success)
               waited = cnd_timedwait(&dri2_sync->cond, &dri2_sync->mutex, &expire);
            if (dri2_sync->base.SyncStatus == EGL_UNSIGNALED_KHR && dri2_sync->signals == before)
               ret = EGL_TIMEOUT_EXPIRED_KHR;
            mtx_unlock(&dri2_sync->mutex);
"""),
    (EGL, """   dri2_sync->base.SyncStatus = mode;

   if (mode == EGL_SIGNALED_KHR) {
      ret = cnd_broadcast(&dri2_sync->cond);

      /* fail to broadcast */
      if (ret)
         return _eglError(EGL_BAD_ACCESS, "eglSignalSyncKHR");
   }

   return EGL_TRUE;
""", """   mtx_lock(&dri2_sync->mutex);
   dri2_sync->base.SyncStatus = mode;

   if (mode == EGL_SIGNALED_KHR) {
      dri2_sync->signals++;
      ret = cnd_broadcast(&dri2_sync->cond);

      /* fail to broadcast */
      if (ret) {
         mtx_unlock(&dri2_sync->mutex);
         return _eglError(EGL_BAD_ACCESS, "eglSignalSyncKHR");
      }
   }
   mtx_unlock(&dri2_sync->mutex);

   return EGL_TRUE;
"""),
    (EGL, """      dri2_sync->base.SyncStatus = EGL_SIGNALED_KHR;
      /* unblock all threads currently blocked by sync */
      err = cnd_broadcast(&dri2_sync->cond);
""", """      mtx_lock(&dri2_sync->mutex);
      dri2_sync->base.SyncStatus = EGL_SIGNALED_KHR;
      dri2_sync->signals++;
      /* unblock all threads currently blocked by sync */
      err = cnd_broadcast(&dri2_sync->cond);
      mtx_unlock(&dri2_sync->mutex);
"""),
]
