# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what is set of textures, and asked for."""

TEXPARAM = "src/mesa/main/texparam.c"
FORMATQUERY = "src/mesa/main/formatquery.c"

EDITS = [
    # OpenGL 4.6, 8.10 and 2.2.2: a border colour of integers is a fixed-point one whose zero is zero (equation 2.2), and
    # comes back with its sign.
    *[(f"src/mesa/main/{file}", f"{name}[{i}] = INT_TO_FLOAT(params[{i}]);", f"{name}[{i}] = INT_TO_FLOAT_TEX(params[{i}]);")
      for file, name in (("texparam.c", "fparams"), ("samplerobj.c", "c")) for i in range(4)],
    (TEXPARAM,
     "            GLfloat b[4];\n            b[0] = CLAMP(",
     "            const GLfloat least = _mesa_get_clamp_fragment_color(ctx, ctx->DrawBuffer) ? 0.0F : -1.0F;\n"
     "            GLfloat b[4];\n            b[0] = CLAMP("),
    *[(TEXPARAM,
       f"            b[{i}] = CLAMP(obj->Sampler.Attrib.state.border_color.f[{i}], 0.0F, 1.0F);\n",
       f"            b[{i}] = CLAMP(obj->Sampler.Attrib.state.border_color.f[{i}], least, 1.0F);\n") for i in range(4)],
    # ARB_internalformat_query2: what can be drawn to can be read, and nothing else; a format that can't be drawn to is no
    # less preferred than others; and what is recommended for reads and uploads is legal for the format: integers, two
    # components and depth with stencil weren't thought of.
    ("src/mesa/state_tracker/st_format.c",
     "   case GL_TEXTURE_REDUCTION_MODE_ARB: {\n",
     "   case GL_READ_PIXELS:\n   case GL_FRAMEBUFFER_RENDERABLE:\n   case GL_FRAMEBUFFER_RENDERABLE_LAYERED: {\n"
     "      const bool depth = _mesa_is_depth_or_stencil_format(internalFormat);\n"
     "      mesa_format format = st_ChooseTextureFormat(ctx, target == GL_RENDERBUFFER ? GL_TEXTURE_2D : target,\n"
     "                                                  internalFormat, GL_NONE, GL_NONE);\n"
     "      enum pipe_format pformat = st_mesa_format_to_pipe_format(st, format);\n"
     "      const bool supported = target != GL_TEXTURE_BUFFER && pformat != PIPE_FORMAT_NONE &&\n"
     "                             st->screen->is_format_supported(st->screen, pformat, PIPE_TEXTURE_2D, 0, 0,\n"
     "                                                             depth ? PIPE_BIND_DEPTH_STENCIL\n"
     "                                                                   : PIPE_BIND_RENDER_TARGET);\n"
     "      params[0] = supported ? GL_FULL_SUPPORT : GL_NONE;\n      break;\n   }\n"
     "   case GL_TEXTURE_REDUCTION_MODE_ARB: {\n"),
    ("src/mesa/state_tracker/st_format.c",
     "                                                  bindings,\n"
     "                                                  false, false);\n      if (pformat)\n",
     "                                                  bindings,\n"
     "                                                  false, false);\n      if (!pformat)\n"
     "         pformat = st_choose_format(st, internalFormat, GL_NONE, GL_NONE, PIPE_TEXTURE_2D, 0, 0,\n"
     "                                    PIPE_BIND_SAMPLER_VIEW, false, false);\n      if (pformat)\n"),
    (FORMATQUERY,
     "         if (!_mesa_is_color_format(internalformat))\n            goto end;\n      } else {\n",
     "         if (!_mesa_is_color_format(internalformat))\n            goto end;\n"
     "         st_QueryInternalFormat(ctx, target, internalformat, GL_FRAMEBUFFER_RENDERABLE, buffer);\n"
     "         if (buffer[0] == GL_NONE)\n            goto end;\n      } else {\n"),
    (FORMATQUERY,
     "      case GL_RED:\n      case GL_RGB:\n      case GL_BGR:\n      case GL_RGBA:\n      case GL_BGRA:\n"
     "         params[0] = base_format;\n",
     "      case GL_RED:\n      case GL_RG:\n      case GL_RGB:\n      case GL_BGR:\n      case GL_RGBA:\n"
     "      case GL_BGRA:\n"
     "         params[0] = _mesa_is_enum_format_integer(internalFormat) ?\n"
     "                     _mesa_base_format_to_integer_format(base_format) : base_format;\n"),
    (FORMATQUERY,
     "   if (_mesa_is_enum_format_unsigned_int(internalFormat))\n      return GL_UNSIGNED_BYTE;\n",
     "   if (_mesa_is_depthstencil_format(internalFormat))\n"
     "      return internalFormat == GL_DEPTH32F_STENCIL8 ?\n"
     "             GL_FLOAT_32_UNSIGNED_INT_24_8_REV : GL_UNSIGNED_INT_24_8;\n"
     "   else if (_mesa_is_stencil_format(internalFormat))\n      return GL_UNSIGNED_BYTE;\n"
     "   else if (_mesa_is_enum_format_unsigned_int(internalFormat))\n      return GL_UNSIGNED_BYTE;\n"),
    # GL 4.6, 8.18: a view shares the texels of its origin. The blocks of compressed textures that the device lacks are
    # kept beside the decoded texels, those of each face apart: views read them from other levels, and crashed where
    # their faces are the origin's layers. All faces of a level share them now, and views take the level that they show.
    ("src/mesa/state_tracker/st_cb_texture.c",
     "         compressed_tex_fallback_allocate(st, stImage);\n      }\n   }\n\n   /* Update gl_texture_object",
     "         if (face == 0)\n"
     "            compressed_tex_fallback_allocate(st, stImage);\n"
     "         else\n"
     "            share_compressed_data(texObj->Image[0][level], stImage);\n"
     "      }\n   }\n\n   /* Update gl_texture_object"),
    ("src/mesa/state_tracker/st_cb_texture.c",
     "void\nst_MapTextureImage(struct gl_context *ctx,\n",
     "static void\n"
     "share_compressed_data(const struct gl_texture_image *from,\n"
     "                      struct gl_texture_image *to)\n"
     "{\n"
     "   if (from && from->compressed_data) {\n"
     "      pipe_reference(NULL, &from->compressed_data->reference);\n"
     "      to->compressed_data = from->compressed_data;\n"
     "   }\n"
     "}\n\n"
     "void\nst_MapTextureImage(struct gl_context *ctx,\n"),
    ("src/mesa/state_tracker/st_cb_texture.c",
     "         struct gl_texture_image *origImage =\n            origTexObj->Image[face][level];\n"
     "         pipe_resource_reference(&stImage->pt, tex->pt);\n"
     "         if (origImage &&\n             origImage->compressed_data) {\n"
     "            pipe_reference(NULL,\n                           &origImage->compressed_data->reference);\n"
     "            stImage->compressed_data = origImage->compressed_data;\n         }\n",
     "         pipe_resource_reference(&stImage->pt, tex->pt);\n"
     "         share_compressed_data(orig->Image[0][level + tex->Attrib.MinLevel - orig->Attrib.MinLevel], stImage);\n"),
    # glGenerateMipmap of a view changes its own layers.
    ("src/mesa/state_tracker/st_gen_mipmap.c",
     "      first_layer = last_layer = _mesa_tex_target_to_face(target);\n   }\n   else {\n      first_layer = 0;\n"
     "      last_layer = util_max_layer(pt, baseLevel);\n   }\n",
     "      first_layer = last_layer = _mesa_tex_target_to_face(target);\n   }\n   else {\n      first_layer = 0;\n"
     "      last_layer = util_max_layer(pt, baseLevel);\n   }\n"
     "   if (texObj->surface_based && texObj->Immutable && pt->target != PIPE_TEXTURE_3D) {\n"
     "      first_layer = texObj->Attrib.MinLayer;\n"
     "      last_layer = first_layer + texObj->Attrib.NumLayers - 1;\n"
     "      if (texObj->Target == GL_TEXTURE_CUBE_MAP) {\n"
     "         first_layer += _mesa_tex_target_to_face(target);\n"
     "         last_layer = first_layer;\n"
     "      }\n"
     "   }\n"),
    # glBlitFramebuffer read a view's attachment as if it were one of the origin's first level and layer.
    ("src/mesa/main/blit.c",
     "         blit.src.level = srcAtt->TextureLevel;\n         blit.src.box.z = srcAtt->Zoffset + srcAtt->CubeMapFace;\n",
     "         blit.src.level = srcAtt->TextureLevel;\n         blit.src.box.z = srcAtt->Zoffset + srcAtt->CubeMapFace;\n"
     "         if (srcObj->surface_based) {\n"
     "            blit.src.level += srcObj->Attrib.MinLevel;\n"
     "            blit.src.box.z += srcObj->Attrib.MinLayer;\n"
     "         }\n"),
    # glCopyTexSubImage* wrote a view's texels in the origin's format.
    ("src/mesa/state_tracker/st_cb_texture.c",
     "   dst_format = util_format_linear(stImage->pt->format);\n   dst_format = util_format_luminance_to_red(dst_format);\n",
     "   dst_format = util_format_linear(texImage->TexObject->surface_based ?\n"
     "                                   texImage->TexObject->surface_format : stImage->pt->format);\n"
     "   dst_format = util_format_luminance_to_red(dst_format);\n"),
]
