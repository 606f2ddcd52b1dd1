# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits for GL_EXT_direct_state_access: its commands name an image as those on bound textures do, by the face of a cube
map ("face targets need the target for disambiguation"), and they make objects of names that were generated alone."""

IMAGES = "src/mesa/main/teximage.c"

GETS = "src/mesa/main/texgetimage.c"

LEVELS = "src/mesa/main/texparam.c"

OBJECTS = "src/mesa/main/texobj.c"

BOUND = "_mesa_get_texobj_by_target_and_texunit(ctx, target,"

OF_IMAGE = "_mesa_get_texobj_of_image(ctx, target,"


def level_parameter(kind, name):
    """A get of an image's parameters takes what the command on a bound texture takes."""
    return (LEVELS, "\"glGet%sLevelParameter%s\");\n   if (!texObj)\n      return;\n\n"
                    "   if (!valid_tex_level_parameteriv_target(ctx, texObj->Target, true))\n      return;\n\n"
                    "   get_tex_level_parameteriv(ctx, texObj, texObj->Target, level,\n" % (kind, name),
            "\"glGet%sLevelParameter%s\");\n   if (!texObj)\n      return;\n\n"
            "   if (!valid_tex_level_parameteriv_target(ctx, target, false))\n      return;\n\n"
            "   get_tex_level_parameteriv(ctx, texObj, target, level,\n" % (kind, name))


def level_of_unit(name):
    return (LEVELS, "   texObj = " + BOUND + "\n                                                   texunit - GL_TEXTURE0,\n"
                    "                                                   true,\n"
                    "                                                   \"glGetMultiTexLevelParameter%s\");\n" % name,
            "   texObj = " + OF_IMAGE + "\n                                      texunit - GL_TEXTURE0, true,\n"
            "                                      \"glGetMultiTexLevelParameter%s\");\n" % name)


EDITS = [
    ("src/mesa/main/texobj.h", "struct gl_texture_object *\n_mesa_get_texobj_by_target_and_texunit(",
     "struct gl_texture_object *\n_mesa_get_texobj_of_image(struct gl_context *ctx, GLenum target, GLuint texunit,\n"
     "                          bool allowProxyTarget, const char *caller);\n\n"
     "struct gl_texture_object *\n_mesa_get_texobj_by_target_and_texunit("),
    (OBJECTS, "/**\n * Return swizzle1(swizzle2)\n */\n",
     "/**\n * The texture that a unit has bound for an image's target: a face of a cube map, too, and a buffer.\n */\n"
     "struct gl_texture_object *\n_mesa_get_texobj_of_image(struct gl_context *ctx, GLenum target, GLuint texunit,\n"
     "                          bool allowProxyTarget, const char *caller)\n{\n"
     "   if (target == GL_TEXTURE_BUFFER && _mesa_tex_target_to_index(ctx, target) >= 0 &&\n"
     "       texunit < ctx->Const.MaxCombinedTextureImageUnits)\n"
     "      return _mesa_get_tex_unit(ctx, texunit)->CurrentTex[TEXTURE_BUFFER_INDEX];\n"
     "   if (_mesa_is_cube_face(target))\n      target = GL_TEXTURE_CUBE_MAP;\n"
     "   return _mesa_get_texobj_by_target_and_texunit(ctx, target, texunit, allowProxyTarget, caller);\n}\n\n"
     "/**\n * Return swizzle1(swizzle2)\n */\n"),
    (IMAGES, BOUND, OF_IMAGE),
    (GETS, BOUND, OF_IMAGE),
    # Gets of images.
    (GETS, "   if (!legal_getteximage_target(ctx, target, true)) {\n      _mesa_error(ctx, GL_INVALID_ENUM, \"%s\", caller);\n"
           "      return;\n   }\n\n   _get_texture_image(ctx, texObj, target, level, format, type,\n",
     "   if (!legal_getteximage_target(ctx, target, false)) {\n      _mesa_error(ctx, GL_INVALID_ENUM, \"%s\", caller);\n"
     "      return;\n   }\n\n   _get_texture_image(ctx, texObj, target, level, format, type,\n"),
    (GETS, """   if (!legal_getteximage_target(ctx, texObj->Target, true)) {
      _mesa_error(ctx, GL_INVALID_OPERATION, "%s", caller);
      return;
   }

   get_texture_image_dims(texObj, texObj->Target, level,
                          &width, &height, &depth);

   if (getteximage_error_check(ctx, texObj, texObj->Target, level,
                               width, height, depth,
                               format, type, INT_MAX, pixels, caller)) {
      return;
   }

   get_texture_image(ctx, texObj, texObj->Target, level,
                     0, 0, 0, width, height, depth,
""", """   if (!legal_getteximage_target(ctx, target, false)) {
      _mesa_error(ctx, GL_INVALID_ENUM, "%s", caller);
      return;
   }

   get_texture_image_dims(texObj, target, level,
                          &width, &height, &depth);

   if (getteximage_error_check(ctx, texObj, target, level,
                               width, height, depth,
                               format, type, INT_MAX, pixels, caller)) {
      return;
   }

   get_texture_image(ctx, texObj, target, level,
                     0, 0, 0, width, height, depth,
"""),
    (GETS, """   get_texture_image_dims(texObj, texObj->Target, level,
                          &width, &height, &depth);

   if (getcompressedteximage_error_check(ctx, texObj, texObj->Target, level,
                                         0, 0, 0, width, height, depth,
                                         INT_MAX, pixels, caller)) {
      return;
   }

   get_compressed_texture_image(ctx, texObj, texObj->Target, level,
""", """   get_texture_image_dims(texObj, target, level,
                          &width, &height, &depth);

   if (!legal_getteximage_target(ctx, target, false)) {
      _mesa_error(ctx, GL_INVALID_ENUM, "%s", caller);
      return;
   }

   if (getcompressedteximage_error_check(ctx, texObj, target, level,
                                         0, 0, 0, width, height, depth,
                                         INT_MAX, pixels, caller)) {
      return;
   }

   get_compressed_texture_image(ctx, texObj, target, level,
"""),
    # ... and of their parameters.
    *[level_parameter(*one) for one in (("Texture", "fvEXT"), ("Texture", "ivEXT"))],
    *[level_of_unit(one) for one in ("fvEXT", "ivEXT")],
    *[level_parameter(*one) for one in (("MultiTex", "fvEXT"), ("MultiTex", "ivEXT"))],
    # Parts of images.
    (IMAGES, """   if (!no_error) {
      /* check target (proxies not allowed) */
      if (!legal_texsubimage_target(ctx, dims, texObj->Target, true)) {
         _mesa_error(ctx, GL_INVALID_OPERATION, "%s(target=%s)",
                     callerName, _mesa_enum_to_string(texObj->Target));
         return;
      }

      if (texsubimage_error_check(ctx, dims, texObj, texObj->Target, level,
                                  xoffset, yoffset, zoffset,
""", """   const GLenum image_target = ext_dsa ? target : texObj->Target;

   if (!no_error) {
      /* check target (proxies not allowed) */
      if (!legal_texsubimage_target(ctx, dims, image_target, !ext_dsa)) {
         _mesa_error(ctx, ext_dsa ? GL_INVALID_ENUM : GL_INVALID_OPERATION, "%s(target=%s)",
                     callerName, _mesa_enum_to_string(image_target));
         return;
      }

      if (texsubimage_error_check(ctx, dims, texObj, image_target, level,
                                  xoffset, yoffset, zoffset,
"""),
    (IMAGES, "   /* Must handle special case GL_TEXTURE_CUBE_MAP. */\n   if (texObj->Target == GL_TEXTURE_CUBE_MAP) {\n"
             "      intptr_t imageStride;\n\n      /*\n       * What do we do if the user created a texture with the following code\n"
             "       * and then called this function with its handle?\n       *\n       *    GLuint tex;\n"
             "       *    glCreateTextures(GL_TEXTURE_CUBE_MAP, 1, &tex);\n"
             "       *    glBindTexture(GL_TEXTURE_CUBE_MAP, tex);\n"
             "       *    glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, ...);\n"
             "       *    glTexImage2D(GL_TEXTURE_CUBE_MAP_NEGATIVE_X, 0, ...);\n",
     "   /* Must handle special case GL_TEXTURE_CUBE_MAP. */\n   if (image_target == GL_TEXTURE_CUBE_MAP) {\n"
     "      intptr_t imageStride;\n\n      /*\n       * What do we do if the user created a texture with the following code\n"
     "       * and then called this function with its handle?\n       *\n       *    GLuint tex;\n"
     "       *    glCreateTextures(GL_TEXTURE_CUBE_MAP, 1, &tex);\n"
     "       *    glBindTexture(GL_TEXTURE_CUBE_MAP, tex);\n"
     "       *    glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, ...);\n"
     "       *    glTexImage2D(GL_TEXTURE_CUBE_MAP_NEGATIVE_X, 0, ...);\n"),
    (IMAGES, """      texImage = _mesa_select_tex_image(texObj, texObj->Target, level);
      assert(texImage);

      texture_sub_image(ctx, dims, texObj, texImage, texObj->Target,
""", """      texImage = _mesa_select_tex_image(texObj, image_target, level);
      assert(texImage);

      texture_sub_image(ctx, dims, texObj, texImage, image_target,
"""),
    (IMAGES, """   const char *self = "glCopyTextureSubImage2DEXT";
   GET_CURRENT_CONTEXT(ctx);

   texObj = _mesa_lookup_or_create_texture(ctx, target, texture, false, true, self);
   if (!texObj)
      return;

   /* Check target (proxies not allowed). */
   if (!legal_texsubimage_target(ctx, 2, texObj->Target, true)) {
      _mesa_error(ctx, GL_INVALID_OPERATION, "%s(invalid target %s)", self,
                  _mesa_enum_to_string(texObj->Target));
      return;
   }

   copy_texture_sub_image_err(ctx, 2, texObj, texObj->Target, level, xoffset,
""", """   const char *self = "glCopyTextureSubImage2DEXT";
   GET_CURRENT_CONTEXT(ctx);

   texObj = _mesa_lookup_or_create_texture(ctx, target, texture, false, true, self);
   if (!texObj)
      return;

   /* Check target (proxies not allowed). */
   if (!legal_texsubimage_target(ctx, 2, target, false)) {
      _mesa_error(ctx, GL_INVALID_ENUM, "%s(invalid target %s)", self,
                  _mesa_enum_to_string(target));
      return;
   }

   copy_texture_sub_image_err(ctx, 2, texObj, target, level, xoffset,
"""),
    # A name that was generated and never bound.
    (IMAGES, "      if (texObj->Target != boundTarget) {\n         _mesa_error(ctx, GL_INVALID_OPERATION, \"%s(%s != %s)\",\n",
     "      if (texObj->Target == 0)\n         return _mesa_lookup_or_create_texture(ctx, target, texture, false, true, caller);\n\n"
     "      if (texObj->Target != boundTarget) {\n         _mesa_error(ctx, GL_INVALID_OPERATION, \"%s(%s != %s)\",\n"),
    # GL_GENERATE_MIPMAP makes the levels of the face that was given, which need not be the first one.
    ("src/mesa/main/mipmap.c", "struct gl_texture_object *texObj,\n                            unsigned baseLevel, unsigned maxLevel)\n{\n"
     "   const struct gl_texture_image *baseImage =\n      _mesa_select_tex_image(texObj, texObj->Target, baseLevel);\n",
     "struct gl_texture_object *texObj, GLenum target,\n                            unsigned baseLevel, unsigned maxLevel)\n{\n"
     "   const struct gl_texture_image *baseImage =\n      _mesa_select_tex_image(texObj, target, baseLevel);\n"),
    ("src/mesa/main/mipmap.c", "_mesa_prepare_mipmap_levels(ctx, texObj, texObj->Attrib.BaseLevel, maxLevel);\n",
     "_mesa_prepare_mipmap_levels(ctx, texObj, target, texObj->Attrib.BaseLevel, maxLevel);\n"),
    ("src/mesa/main/mipmap.h", "struct gl_texture_object *texObj,\n                            unsigned baseLevel, unsigned maxLevel);\n",
     "struct gl_texture_object *texObj, GLenum target,\n                            unsigned baseLevel, unsigned maxLevel);\n"),
    ("src/mesa/state_tracker/st_gen_mipmap.c", "_mesa_prepare_mipmap_levels(ctx, texObj, baseLevel, lastLevel);\n",
     "_mesa_prepare_mipmap_levels(ctx, texObj, target, baseLevel, lastLevel);\n"),
    ("src/mesa/state_tracker/st_gen_mipmap.c",
     "   if (st_compressed_format_fallback(st, _mesa_base_tex_image(texObj)->TexFormat)) {\n",
     "   const struct gl_texture_image *base = _mesa_select_tex_image(texObj, target, texObj->Attrib.BaseLevel);\n"
     "   if (base && st_compressed_format_fallback(st, base->TexFormat)) {\n"),
    # Offsets of bindings are as wide as pointers (table 23.3).
    ("src/mesa/main/get.c", "      v->value_int = ctx->Array.VAO->BufferBinding[VERT_ATTRIB_GENERIC(index)].Offset;\n      return TYPE_INT;\n",
     "      v->value_int64 = ctx->Array.VAO->BufferBinding[VERT_ATTRIB_GENERIC(index)].Offset;\n      return TYPE_INT64;\n"),
    # "The same as GetIntegerv": a size may be GL_BGRA.
    *[("src/mesa/main/varray.c", "         *param = vao->VertexAttrib[VERT_ATTRIB_COLOR%d].Format.User.Size;\n" % i,
       "         *param = vao->VertexAttrib[VERT_ATTRIB_COLOR%d].Format.User.Bgra ? GL_BGRA :\n"
       "                  vao->VertexAttrib[VERT_ATTRIB_COLOR%d].Format.User.Size;\n" % (i, i)) for i in (0, 1)],
    # As the other commands do, this one makes an array of a name that was generated.
    ("src/mesa/main/varray.c", "   vao = _mesa_lookup_vao_err(ctx, vaobj,\n                              false,\n"
                               "                              \"glVertexArrayVertexAttribDivisorEXT\");\n",
     "   vao = _mesa_lookup_vao_err(ctx, vaobj,\n                              true,\n"
     "                              \"glVertexArrayVertexAttribDivisorEXT\");\n"),
    # The transpose is of the active unit's matrix, as the matrix is.
    ("src/mesa/main/get_hash_params.py",
     '  [ "TRANSPOSE_TEXTURE_MATRIX_ARB", "CONTEXT_MATRIX_T(TextureMatrixStack), NO_EXTRA" ],\n',
     '  [ "TRANSPOSE_TEXTURE_MATRIX_ARB", "LOC_CUSTOM, TYPE_MATRIX_T, 0, extra_valid_texture_unit" ],\n'),
    ("src/mesa/main/get.c", "   case GL_TEXTURE_MATRIX:\n      unit = ctx->Texture.CurrentUnit;\n",
     "   case GL_TEXTURE_MATRIX:\n   case GL_TRANSPOSE_TEXTURE_MATRIX:\n      unit = ctx->Texture.CurrentUnit;\n"),
    # glClientAttribDefaultEXT: a secondary colour has three components at first.
    ("src/mesa/main/attrib.c", "      _mesa_SecondaryColorPointer(4, GL_FLOAT, 0, 0);\n",
     "      _mesa_SecondaryColorPointer(3, GL_FLOAT, 0, 0);\n"),
    *[(IMAGES, "false, self);\n   if (!texObj)\n      return;\n\n"
               "   copy_texture_sub_image_err(ctx, %d, texObj, texObj->Target, level" % dims,
       "false, self);\n   if (!texObj)\n      return;\n\n   if (!legal_texsubimage_target(ctx, %d, target, false)) {\n"
       "      _mesa_error(ctx, GL_INVALID_ENUM, \"%%s(invalid target %%s)\", self, _mesa_enum_to_string(target));\n"
       "      return;\n   }\n\n"
       "   copy_texture_sub_image_err(ctx, %d, texObj, target, level" % (dims, dims)) for dims in (1, 2)],
]
