# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what state begins with, takes, and is when it is asked for."""

FBOBJECT = "src/mesa/main/fbobject.c"
TEXPARAM = "src/mesa/main/texparam.c"
UNIFORM_QUERY = "src/mesa/main/uniform_query.cpp"

# How glTexParameter goes on with GL_TEXTURE_MAX_LEVEL, which tells it from GL_TEXTURE_BASE_LEVEL.
MAX_LEVEL = """         _mesa_error(ctx, GL_INVALID_VALUE,
                     "glTex%sParameter(param=%d)", suffix,
                     params[0]);
         return GL_FALSE;
      }
      incomplete(ctx, texObj);

      /** From ARB_texture_storage:
       * However, if TEXTURE_IMMUTABLE_FORMAT is TRUE, then level_base is
       * clamped to the range [0, <levels> - 1] and level_max is then clamped to
       * the range [level_base, <levels> - 1], where <levels> is the parameter
       * passed the call to TexStorage* for the texture object.
       */
      if (texObj->Immutable)
          texObj->Attrib.MaxLevel ="""

EDITS = [
    # GL 4.6, 2.2.2 and 2.3.5: what is too large for an integer is the nearest there is, here of colours beyond 1. They
    # became whatever the processor makes of such.
    ("src/mesa/main/macros.h",
     "#define FLOAT_TO_INT(X)     ( (GLint) (2147483647.0 * (X)) )\n",
     "#define FLOAT_TO_INT(X)     ( (GLint) (2147483647.0 * CLAMP((double)(X), -1.0, 1.0)) )\n"),
    ("src/mesa/main/macros.h",
     "#define FLOAT_TO_INT64(X)     ( (GLint64) (9223372036854775807.0 * (double)(X)) )\n",
     "#define FLOAT_TO_INT64(X)     ((X) >= 1 ? INT64_MAX : \\\n"
     "                               (GLint64) (9223372036854775807.0 * MAX2((double)(X), -1.0)))\n"),
    # So are uniforms that are asked for as integers.
    (UNIFORM_QUERY,
     "                  dst[didx].i = MIN2(src[sidx].i, INT_MAX);\n",
     "                  dst[didx].i = MIN2(src[sidx].u, INT_MAX);\n"),
    (UNIFORM_QUERY,
     "                  dst[didx].i = (int64_t) roundf(src[sidx].f);\n",
     "                  dst[didx].i = CLAMP(round(src[sidx].f), INT_MIN, INT_MAX);\n"),
    (UNIFORM_QUERY,
     "                  dst[didx].i = (int64_t) round(tmp);\n",
     "                  dst[didx].i = CLAMP(round(tmp), INT_MIN, INT_MAX);\n"),
    (UNIFORM_QUERY,
     "                     0u : (uint32_t) roundf(src[sidx].f);\n",
     "                     0u : (uint32_t) MIN2(round(src[sidx].f), UINT_MAX);\n"),
    (UNIFORM_QUERY,
     "                  dst[didx].u = tmp < 0.0 ? 0u : (uint32_t) round(tmp);\n",
     "                  dst[didx].u = tmp < 0.0 ? 0u : (uint32_t) MIN2(round(tmp), UINT_MAX);\n"),
    # GL 4.6, 9.2.8: of a whole cube map no face is attached.
    (FBOBJECT,
     "         if (att->Texture && att->Texture->Target == GL_TEXTURE_CUBE_MAP) {\n"
     "            *params = GL_TEXTURE_CUBE_MAP_POSITIVE_X + att->CubeMapFace;\n",
     "         if (att->Texture && att->Texture->Target == GL_TEXTURE_CUBE_MAP && !att->Layered) {\n"
     "            *params = GL_TEXTURE_CUBE_MAP_POSITIVE_X + att->CubeMapFace;\n"),
    # GL 4.6, table 23.23: it is a boolean, and was what it was set to.
    (FBOBJECT,
     "      fb->DefaultGeometry.FixedSampleLocations = param;\n",
     "      fb->DefaultGeometry.FixedSampleLocations = !!param;\n"),
    # GL 4.6 (Compatibility Profile), table 23.20: it has a texture's target as core profiles have it.
    (TEXPARAM,
     "         if (ctx->API != API_OPENGL_CORE)\n            goto invalid_pname;\n         *params = ENUM_TO_FLOAT(obj->Target);\n",
     "         if (!_mesa_is_desktop_gl(ctx))\n            goto invalid_pname;\n         *params = ENUM_TO_FLOAT(obj->Target);\n"),
    (TEXPARAM,
     "         if (ctx->API != API_OPENGL_CORE)\n            goto invalid_pname;\n         *params = (GLint) obj->Target;\n",
     "         if (!_mesa_is_desktop_gl(ctx))\n            goto invalid_pname;\n         *params = (GLint) obj->Target;\n"),
    # GL 4.6, 8.10: rectangles have no base level but 0; of their last level nothing is said.
    (TEXPARAM,
     "      if (params[0] < 0 ||\n          (texObj->Target == GL_TEXTURE_RECTANGLE_ARB && params[0] > 0)) {\n" + MAX_LEVEL,
     "      if (params[0] < 0) {\n" + MAX_LEVEL),
    # GL 4.6, 2.2.2: attributes that are asked for as integers are rounded, as other state is.
    *[("src/mesa/main/varray.c",
       f"         params[{k}] = (GLint) v[{k}];\n", f"         params[{k}] = lroundf(v[{k}]);\n") for k in range(4)],
    # GL 4.6, 4.1.3: the length is that of what was written.
    ("src/mesa/main/syncobj.c",
     "   if (length != NULL) {\n      *length = size;\n   }\n",
     "   if (length != NULL && bufSize >= 0) {\n      *length = MIN2(size, bufSize);\n   }\n"),
    # GL 4.6, 2.3.1 and 20.9: labels that are too long are errors, which change nothing. They were set, and read as far as a
    # wrong length said.
    ("src/mesa/main/objectlabel.c",
     "   free(*labelPtr);\n   *labelPtr = NULL;\n\n   /* set new label string */\n",
     "   if (label) {\n"
     "      const bool terminated = ext_length ? length == 0 : length < 0;\n"
     "      const int64_t len = terminated ? strlen(label) : length;\n\n"
     "      if (len < 0 || len >= MAX_LABEL_LENGTH) {\n"
     "         _mesa_error(ctx, GL_INVALID_VALUE,\n"
     "                     \"%s(length=%\" PRId64 \", which is not within 0 and less than \"\n"
     "                     \"GL_MAX_LABEL_LENGTH=%d)\", caller, len, MAX_LABEL_LENGTH);\n"
     "         return;\n"
     "      }\n"
     "   }\n\n"
     "   free(*labelPtr);\n   *labelPtr = NULL;\n\n   /* set new label string */\n"),
    ("src/mesa/main/objectlabel.c",
     "         if (length >= MAX_LABEL_LENGTH)\n"
     "            _mesa_error(ctx, GL_INVALID_VALUE,\n"
     "                        \"%s(length=%d, which is not less than \"\n"
     "                        \"GL_MAX_LABEL_LENGTH=%d)\", caller, length,\n"
     "                        MAX_LABEL_LENGTH);\n\n", ""),
    ("src/mesa/main/objectlabel.c",
     "         if (ext_length && length < 0) {\n"
     "            _mesa_error(ctx, GL_INVALID_VALUE,\n"
     "                        \"%s(label length=%d, is less than zero)\", caller,\n"
     "                        length);\n"
     "            return;\n"
     "         }\n\n"
     "         int len = strlen(label);\n"
     "         if (len >= MAX_LABEL_LENGTH)\n"
     "            _mesa_error(ctx, GL_INVALID_VALUE,\n"
     "                \"%s(label length=%d, which is not less than \"\n"
     "                \"GL_MAX_LABEL_LENGTH=%d)\", caller, len,\n"
     "                MAX_LABEL_LENGTH);\n\n", ""),
    # The nearest value (GL 4.6, 2.2.2) of 64-bit uniforms that are asked for in 32 bits.
    ("src/mesa/main/uniform_query.cpp",
     "                  uint64_t tmp;\n                  memcpy(&tmp, &src[sidx].i, sizeof(tmp));\n"
     "                  dst[didx].f = tmp;\n",
     "                  int64_t tmp;\n                  memcpy(&tmp, &src[sidx].i, sizeof(tmp));\n"
     "                  dst[didx].f = tmp;\n"),
    ("src/mesa/main/uniform_query.cpp",
     "                  memcpy(&tmp, &src[sidx].u, sizeof(tmp));\n                  dst[didx].i = tmp;\n",
     "                  memcpy(&tmp, &src[sidx].u, sizeof(tmp));\n                  dst[didx].i = MIN2(tmp, INT_MAX);\n"),
    ("src/mesa/main/uniform_query.cpp",
     "                  memcpy(&tmp, &src[sidx].i, sizeof(tmp));\n                  dst[didx].i = tmp;\n",
     "                  memcpy(&tmp, &src[sidx].i, sizeof(tmp));\n                  dst[didx].i = CLAMP(tmp, INT_MIN, INT_MAX);\n"),
    ("src/mesa/main/uniform_query.cpp",
     "                  memcpy(&tmp, &src[sidx].u, sizeof(tmp));\n                  dst[didx].i = MIN2(tmp, INT_MAX);\n"
     "                  break;\n               }\n               case GLSL_TYPE_INT64: {\n                  int64_t tmp;\n"
     "                  memcpy(&tmp, &src[sidx].i, sizeof(tmp));\n                  dst[didx].i = MAX2(tmp, 0);\n",
     "                  memcpy(&tmp, &src[sidx].u, sizeof(tmp));\n                  dst[didx].u = MIN2(tmp, UINT_MAX);\n"
     "                  break;\n               }\n               case GLSL_TYPE_INT64: {\n                  int64_t tmp;\n"
     "                  memcpy(&tmp, &src[sidx].i, sizeof(tmp));\n                  dst[didx].u = CLAMP(tmp, 0, UINT_MAX);\n"),
]
