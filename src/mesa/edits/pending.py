# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of calls that what glBegin and glEnd have gathered has to be drawn before.

OpenGL 4.6 (compatibility), 2.3: commands are executed in the order in which they are given. Vertices wait for more of
their kind; calls that change what their draw reads, read what it writes, or order memory behind it, went past them."""

BUFFERS = "src/mesa/main/bufferobj.c"

BARRIERS = "src/mesa/main/barrier.c"

FLUSH = "   FLUSH_VERTICES(ctx, 0, 0);\n"


def behind(file, text):
    """What waits is drawn behind TEXT, which ends with a line."""
    return file, text, text + FLUSH


EDITS = [
    behind(BUFFERS, "                bool dsa, bool no_error, const char *func)\n{\n   GET_CURRENT_CONTEXT(ctx);\n"
                    "   struct gl_buffer_object *bufObj;\n\n   if (dsa) {\n      if (no_error) {\n"
                    "         bufObj = _mesa_lookup_bufferobj(ctx, buffer);\n      } else {\n"
                    "         bufObj = _mesa_lookup_bufferobj_err(ctx, buffer, func);\n         if (!bufObj)\n            return;\n"
                    "      }\n   } else {\n      if (no_error) {\n"
                    "         struct gl_buffer_object **bufObjPtr = get_buffer_target(ctx, target, true);\n"
                    "         bufObj = *bufObjPtr;\n      } else {\n"
                    "         bufObj = get_buffer(ctx, func, target, GL_INVALID_OPERATION);\n"
                    "         if (!bufObj)\n            return;\n      }\n   }\n\n"),
    behind(BUFFERS, "                            GLsizeiptr size, const GLvoid *data)\n{\n   GET_CURRENT_CONTEXT(ctx);\n"
                    "   struct gl_buffer_object *bufObj;\n\n   if (!buffer) {\n"
                    "      _mesa_error(ctx, GL_INVALID_OPERATION,\n"
                    "                  \"glNamedBufferSubDataEXT(buffer=0)\");\n      return;\n   }\n\n"),
    (BUFFERS, "   bufferobj_get_subdata(ctx, offset, size, data, bufObj);\n",
     FLUSH + "   bufferobj_get_subdata(ctx, offset, size, data, bufObj);\n"),
    behind(BUFFERS, "                      const char *func, bool subdata, bool no_error)\n{\n   mesa_format mesaFormat;\n"
                    "   GLubyte clearValue[MAX_PIXEL_BYTES];\n   GLsizeiptr clearValueSize;\n\n"),
    (BUFFERS, "   GLboolean status = _mesa_bufferobj_unmap(ctx, bufObj, MAP_USER);\n   bufObj->Mappings[MAP_USER].AccessFlags = 0;\n"
              "   assert(bufObj->Mappings[MAP_USER].Pointer == NULL);\n",
     FLUSH + "   GLboolean status = _mesa_bufferobj_unmap(ctx, bufObj, MAP_USER);\n   bufObj->Mappings[MAP_USER].AccessFlags = 0;\n"
             "   assert(bufObj->Mappings[MAP_USER].Pointer == NULL);\n"),
    behind(BUFFERS, "                     GLintptr writeOffset, GLsizeiptr size, const char *func)\n{\n"),
    behind(BUFFERS, "                 GLintptr offset, GLsizeiptr length, GLbitfield access,\n"
                    "                 const char *func)\n{\n"),
    behind(BUFFERS, "                          struct gl_buffer_object *bufObj,\n"
                    "                          GLintptr offset, GLsizeiptr length,\n"
                    "                          const char *func)\n{\n"),
    (BUFFERS, "   if (ctx->has_invalidate_buffer)\n      bufferobj_invalidate(ctx, bufObj, offset, length);\n",
     FLUSH + "   if (ctx->has_invalidate_buffer)\n      bufferobj_invalidate(ctx, bufObj, offset, length);\n"),
    (BUFFERS, "   bufferobj_copy_subdata(ctx, src, dst, srcOffset, dstOffset, size);\n\ndone:\n",
     FLUSH + "   bufferobj_copy_subdata(ctx, src, dst, srcOffset, dstOffset, size);\n\ndone:\n"),
    (BARRIERS, "   struct pipe_context *pipe = ctx->pipe;\n   unsigned flags = 0;\n\n",
     "   struct pipe_context *pipe = ctx->pipe;\n   unsigned flags = 0;\n\n" + FLUSH),
    *[(BARRIERS, f"   ctx->pipe->texture_barrier(ctx->pipe, PIPE_TEXTURE_BARRIER_{kind});\n",
       FLUSH + f"   ctx->pipe->texture_barrier(ctx->pipe, PIPE_TEXTURE_BARRIER_{kind});\n")
      for kind in ("SAMPLER", "FRAMEBUFFER")],
    ("src/mesa/main/copyimage.c", "   /* loop over 2D slices/faces/layers */\n",
     FLUSH + "   /* loop over 2D slices/faces/layers */\n"),
    *[("src/mesa/main/teximage.c", f"   texObj = get_tex_obj_for_clear(ctx, \"glClearTex{sub}Image\", texture);\n",
       FLUSH + f"   texObj = get_tex_obj_for_clear(ctx, \"glClearTex{sub}Image\", texture);\n") for sub in ("Sub", "")],
    ("src/mesa/main/syncobj.c", "   struct gl_sync_object *syncObj;\n\n   syncObj = new_sync_object(ctx);\n",
     "   struct gl_sync_object *syncObj;\n\n" + FLUSH + "   syncObj = new_sync_object(ctx);\n"),
    ("src/mesa/main/texstorage.c", "   const char* suffix2 = attribs ? \"Attribs\" : \"\";\n\n   assert(texObj);\n\n",
     "   const char* suffix2 = attribs ? \"Attribs\" : \"\";\n\n   assert(texObj);\n" + FLUSH + "\n"),
    ("src/mesa/main/condrender.c", "   ctx->Query.CondRenderQuery = q;\n   ctx->Query.CondRenderMode = mode;\n\n   BeginConditionalRender",
     FLUSH + "   ctx->Query.CondRenderQuery = q;\n   ctx->Query.CondRenderMode = mode;\n\n   BeginConditionalRender"),
    ("src/mesa/main/texobj.c", "   struct gl_texture_unit *texUnit = &ctx->Texture.Unit[unit];\n\n   while (texUnit->_BoundTextures) {\n",
     "   struct gl_texture_unit *texUnit = &ctx->Texture.Unit[unit];\n\n   if (texUnit->_BoundTextures)\n   " + FLUSH +
     "   while (texUnit->_BoundTextures) {\n"),
]
