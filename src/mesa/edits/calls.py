# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of single calls: errors, and valid calls that were refused."""

TEXIMAGE = "src/mesa/main/teximage.c"
TEXPARAM = "src/mesa/main/texparam.c"
BUFFEROBJ = "src/mesa/main/bufferobj.c"
GLFORMATS = "src/mesa/main/glformats.c"
SHADERIMAGE = "src/mesa/main/shaderimage.c"
FBOBJECT = "src/mesa/main/fbobject.c"
GENMIPMAP = "src/mesa/main/genmipmap.c"

EDITS = [
    # ES 3.2, table 14.1: depths are (d, 0, 0, 1), whatever the base level is. ES has no DEPTH_TEXTURE_MODE, so images keep
    # what they have from their formats.
    (TEXPARAM,
     "      _mesa_update_texture_levels(texObj);\n\n"
     "      _mesa_update_teximage_format_swizzle(ctx, _mesa_base_tex_image(texObj), texObj->Attrib.DepthMode);\n",
     "      _mesa_update_texture_levels(texObj);\n\n"
     "      if (!_mesa_is_gles2(ctx))\n"
     "         _mesa_update_teximage_format_swizzle(ctx, _mesa_base_tex_image(texObj), texObj->Attrib.DepthMode);\n"),
    # GL 4.6, 8.4.4.1 and ES 3.2, 8.4.2.1: a depth and a stencil value of 8 bytes in a buffer lie at multiples of 4.
    ("src/mesa/main/pbo.c",
     "          (offset % _mesa_sizeof_packed_type(type)))\n",
     "          (offset % (type == GL_FLOAT_32_UNSIGNED_INT_24_8_REV ? 4 : _mesa_sizeof_packed_type(type))))\n"),
    # GL 4.6 and ES 3.2, 6.1.1: without a buffer neither offset nor size matter.
    (BUFFEROBJ,
     "                        (int64_t) offset, (int64_t) size);\n            return;\n         }\n      }\n\n"
     "      switch (target) {\n      case GL_TRANSFORM_FEEDBACK_BUFFER:\n"
     "         if (!_mesa_validate_buffer_range_xfb(ctx,\n",
     "                        (int64_t) offset, (int64_t) size);\n            return;\n         }\n"
     "      } else {\n         offset = 0;\n         size = 0;\n      }\n\n"
     "      switch (target) {\n      case GL_TRANSFORM_FEEDBACK_BUFFER:\n"
     "         if (!_mesa_validate_buffer_range_xfb(ctx,\n"),
    # ES 3.2, 9.2.8: a layer of a cube map is its face.
    (FBOBJECT,
     "       * we need to check the version.\n       */\n",
     "       * we need to check the version. ES 3.2 allows it as well.\n       */\n"
     "      if (_mesa_is_gles32(ctx))\n         return true;\n"),
    # GL_MESA_bgra: the pixels of GL_RGB textures may come as BGR.
    (GLFORMATS,
     "      case GL_RGB:\n         return GL_RGB8;\n      case GL_RG:\n",
     "      case GL_RGB:\n      case GL_BGR:\n         return GL_RGB8;\n      case GL_RG:\n"),
    # ES 3.2, 8.5: other integer components than red aren't there alone. An unsized format that ES doesn't have is
    # INVALID_VALUE, as sized ones are.
    (GLFORMATS,
     "   case GL_RED_INTEGER:\n   case GL_GREEN_INTEGER:\n   case GL_BLUE_INTEGER:\n"
     "   case GL_RGB_INTEGER:\n   case GL_RGBA_INTEGER:\n      return _mesa_has_integer_textures(ctx);\n",
     "   case GL_GREEN_INTEGER:\n   case GL_BLUE_INTEGER:\n"
     "      return !_mesa_is_gles(ctx) && _mesa_has_integer_textures(ctx);\n\n"
     "   case GL_RED_INTEGER:\n"
     "   case GL_RGB_INTEGER:\n   case GL_RGBA_INTEGER:\n      return _mesa_has_integer_textures(ctx);\n"),
    (GLFORMATS,
     "   if (_mesa_is_enum_format_unsized(internalFormat)) {\n"
     "      GLenum effectiveInternalFormat =\n",
     "   if (_mesa_is_enum_format_unsized(internalFormat)) {\n"
     "      switch (internalFormat) {\n      case GL_INTENSITY:\n      case GL_SRGB:\n      case GL_SRGB_ALPHA:\n"
     "      case GL_SLUMINANCE:\n      case GL_SLUMINANCE_ALPHA:\n      case GL_STENCIL_INDEX:\n"
     "         return GL_INVALID_VALUE;\n      }\n\n"
     "      GLenum effectiveInternalFormat =\n"),
    # ES 3.2, 8.14.4: what can't have mipmaps is an error also where no level is to be made. Cube map arrays are complete.
    (GENMIPMAP,
     "                        const char* caller)\n{\n   struct gl_texture_image *srcImage;\n",
     "                        const char* caller)\n{\n   struct gl_texture_image *srcImage;\n"
     "   bool nothing = false;\n"),
    (GENMIPMAP,
     "      /* nothing to do */\n      return;\n   }\n",
     "      /* nothing to do but to raise errors */\n      if (!caller)\n         return;\n"
     "      nothing = true;\n   }\n"),
    (GENMIPMAP,
     "   texObj->External = GL_FALSE;\n\n   srcImage =",
     "   if (!nothing)\n      texObj->External = GL_FALSE;\n\n   srcImage ="),
    (GENMIPMAP,
     "      if (!srcImage) {\n         _mesa_unlock_texture(ctx, texObj);\n         _mesa_error(",
     "      if (texObj->Target == GL_TEXTURE_CUBE_MAP_ARRAY && srcImage &&\n"
     "          (srcImage->Width == 0 || srcImage->Depth == 0)) {\n"
     "         _mesa_unlock_texture(ctx, texObj);\n"
     "         _mesa_error(ctx, GL_INVALID_OPERATION,\n"
     "                     \"%s(incomplete cube map array)\", caller);\n"
     "         return;\n      }\n\n"
     "      if (!srcImage) {\n         _mesa_unlock_texture(ctx, texObj);\n         if (nothing)\n"
     "            return;\n         _mesa_error("),
    (GENMIPMAP,
     "   if (srcImage->Width == 0 || srcImage->Height == 0) {\n",
     "   if (nothing || srcImage->Width == 0 || srcImage->Height == 0) {\n"),
    # ES 3.2, 8.23: multisample textures are no images there, and what isn't an access is INVALID_ENUM (2.3.1).
    (SHADERIMAGE,
     "                     \"glBindImageTexture(!immutable)\");\n         return;\n      }\n",
     "                     \"glBindImageTexture(!immutable)\");\n         return;\n      }\n\n"
     "      if (_mesa_is_gles(ctx) &&\n"
     "          (texObj->Target == GL_TEXTURE_2D_MULTISAMPLE ||\n"
     "           texObj->Target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY)) {\n"
     "         _mesa_error(ctx, GL_INVALID_ENUM, \"glBindImageTexture(target)\");\n"
     "         return;\n      }\n"),
    (SHADERIMAGE,
     "      _mesa_error(ctx, GL_INVALID_VALUE, \"glBindImageTexture(access)\");\n",
     "      _mesa_error(ctx, _mesa_is_gles(ctx) ? GL_INVALID_ENUM : GL_INVALID_VALUE,\n"
     "                  \"glBindImageTexture(access)\");\n"),
    # ES 3.2, 8.8: proxies aren't there.
    (TEXIMAGE,
     "   if (!check_multisample_target(dims, target, dsa)) {\n",
     "   if (!check_multisample_target(dims, target, dsa) ||\n"
     "       (_mesa_is_gles(ctx) && _mesa_is_proxy_texture(target))) {\n"),
    # GL_OES_compressed_ETC1_RGB8_texture: two dimensions only.
    (TEXIMAGE,
     "   if (!_mesa_is_compressed_format(ctx, internalFormat)) {\n"
     "      _mesa_error(ctx, GL_INVALID_ENUM,\n"
     "                  \"glCompressedTexImage%dD(internalFormat=%s)\",\n",
     "   if (!_mesa_is_compressed_format(ctx, internalFormat) ||\n"
     "       (dimensions == 3 && internalFormat == GL_ETC1_RGB8_OES)) {\n"
     "      _mesa_error(ctx, GL_INVALID_ENUM,\n"
     "                  \"glCompressedTexImage%dD(internalFormat=%s)\",\n"),
    # GL_AMD_pinned_memory isn't there in ES.
    (BUFFEROBJ,
     "      if (no_error || ctx->Extensions.AMD_pinned_memory) {\n",
     "      if (no_error || _mesa_has_AMD_pinned_memory(ctx)) {\n"),
    # ES 3.2, 9.4.2: depth and stencil are of one image, not of two of one texture.
    (FBOBJECT,
     "          depth->Texture == stencil->Texture)\n         return GL_TRUE;\n",
     "          depth->Texture == stencil->Texture &&\n"
     "          depth->TextureLevel == stencil->TextureLevel &&\n"
     "          depth->CubeMapFace == stencil->CubeMapFace &&\n"
     "          depth->Zoffset == stencil->Zoffset &&\n"
     "          depth->Layered == stencil->Layered)\n         return GL_TRUE;\n"),
    # GL 4.6 and ES 3.2, 9.4.1 and 9.4.2: a framebuffer's completeness depends on other levels and faces as well, and in ES
    # on which levels there are.
    (TEXIMAGE,
     "         if (att->Type == GL_TEXTURE &&\n             att->Texture == texObj &&\n"
     "             att->TextureLevel == level &&\n             att->CubeMapFace == face) {\n"
     "            _mesa_update_texture_renderbuffer(ctx, fb, att);\n"
     "            assert(att->Renderbuffer->TexImage);\n",
     "         if (att->Type != GL_TEXTURE || att->Texture != texObj)\n            continue;\n\n"
     "         const bool same = att->TextureLevel == level && att->CubeMapFace == face;\n"
     "         const bool depends = !texObj->Immutable &&\n"
     "            (level == ~0u /* which levels there are */ || att->TextureLevel > 0 || att->Layered);\n\n"
     "         if (same || depends) {\n"
     "            if (same) {\n"
     "               _mesa_update_texture_renderbuffer(ctx, fb, att);\n"
     "               assert(att->Renderbuffer->TexImage);\n            }\n"),
    (TEXPARAM,
     "      _mesa_update_texture_object_swizzle(ctx, texObj);\n\n      return GL_TRUE;\n\n   case GL_TEXTURE_MAX_LEVEL:\n",
     "      _mesa_update_texture_object_swizzle(ctx, texObj);\n"
     "      if (_mesa_is_gles3(ctx))\n"
     "         _mesa_update_fbo_texture(ctx, texObj, 0, ~0);\n\n"
     "      return GL_TRUE;\n\n   case GL_TEXTURE_MAX_LEVEL:\n"),
    (TEXPARAM,
     "      texObj->Attrib.AskedMaxLevel = params[0];\n\n      return GL_TRUE;\n",
     "      texObj->Attrib.AskedMaxLevel = params[0];\n"
     "      if (_mesa_is_gles3(ctx))\n         _mesa_update_fbo_texture(ctx, texObj, 0, ~0);\n\n"
     "      return GL_TRUE;\n"),
    # ES 3.2, 8.14.4: levels beyond q are left as they are. Levels made on the CPU went on to those that were there, of
    # whatever size and format.
    ("src/mesa/main/mipmap.c",
     "   maxLevel = MIN2(maxLevel, texObj->Attrib.MaxLevel);\n",
     "   maxLevel = MIN2(maxLevel, texObj->Attrib.MaxLevel);\n"
     "   maxLevel = MIN2(maxLevel, texObj->Attrib.BaseLevel + (GLint) srcImage->MaxNumLevels - 1);\n"),
    # GL 4.6 and ES 3.2, 17.4.4: what is attached and has no memory can be invalidated.
    (FBOBJECT,
     "   if (!att->Renderbuffer || !att->Complete)\n      return;\n\n   prsc =",
     "   if (!att->Renderbuffer || !att->Renderbuffer->surface || !att->Complete)\n      return;\n\n   prsc ="),
]
