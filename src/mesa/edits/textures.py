# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what is set of textures, and asked for."""

TEXPARAM = "src/mesa/main/texparam.c"
FORMATQUERY = "src/mesa/main/formatquery.c"
FRAMEBUFFER = "src/mesa/main/framebuffer.h"
ST_TEXTURE = "src/mesa/state_tracker/st_cb_texture.c"
EGLIMAGE = "src/mesa/state_tracker/st_cb_eglimage.c"
DRI_HELPERS = "src/gallium/frontends/dri/dri_helpers.c"

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
    # GL 4.6, compatibility profile, table 8.7: bits are a type of stencil indices too. No format is made of them: reads and
    # uploads never came back.
    ("src/mesa/main/glformats.c",
     "   if (format == GL_COLOR_INDEX)\n      return MESA_FORMAT_NONE;\n",
     "   if (format == GL_COLOR_INDEX || type == GL_BITMAP)\n      return MESA_FORMAT_NONE;\n"),
    # ARB_sparse_texture, 8.18: views of sparse textures are sparse, and what is committed by them are the texture's pages.
    (ST_TEXTURE,
     "   tex->lastLevel = numLevels - 1;\n\n   /* free texture sampler views.",
     "   tex->lastLevel = numLevels - 1;\n\n"
     "   tex->IsSparse = orig->IsSparse;\n"
     "   tex->VirtualPageSizeIndex = orig->VirtualPageSizeIndex;\n"
     "   tex->NumSparseLevels = CLAMP((int) orig->pt->nr_sparse_levels - tex->Attrib.MinLevel, 0, numLevels);\n\n"
     "   /* free texture sampler views."),
    (ST_TEXTURE,
     "   u_box_3d(xoffset, yoffset, zoffset, width, height, depth, &box);\n\n   if (!pipe->resource_commit(",
     "   level += tex_obj->Attrib.MinLevel;\n   zoffset += tex_obj->Attrib.MinLayer;\n"
     "   u_box_3d(xoffset, yoffset, zoffset, width, height, depth, &box);\n\n   if (!pipe->resource_commit("),
    ("src/mesa/main/texobj.c",
     "      ctx, target, image->TexFormat, tex_obj->VirtualPageSizeIndex, &px, &py, &pz);\n",
     "      ctx, target, st_pipe_format_to_mesa_format(tex_obj->pt->format),\n"
     "      tex_obj->VirtualPageSizeIndex, &px, &py, &pz);\n"),
    # EGL 1.5, 3.9: an image of a slice that the texture doesn't have is an error, and so is one without a context, which
    # crashed. An image of a view is one of the view's level and layer, in its format.
    (DRI_HELPERS,
     "   if (target == GL_TEXTURE_3D && glimg->Depth < depth) {\n      *error = __DRI_IMAGE_ERROR_BAD_MATCH;\n",
     "   if (target == GL_TEXTURE_3D && glimg->Depth <= depth) {\n      *error = __DRI_IMAGE_ERROR_BAD_PARAMETER;\n"),
    (DRI_HELPERS,
     "   img->level = level;\n   img->layer = depth;\n   img->in_fence_fd = -1;\n   img->dri_format = glimg->pt->format;\n",
     "   img->level = level + obj->Attrib.MinLevel;\n   img->layer = depth + obj->Attrib.MinLayer;\n"
     "   img->in_fence_fd = -1;\n"
     "   img->dri_format = obj->surface_based ? obj->surface_format : glimg->pt->format;\n"),
    ("src/gallium/frontends/dri/dri_screen.c",
     "   stimg->format = map ? map->pipe_format : img->texture->format;\n",
     "   stimg->format = map ? map->pipe_format :\n"
     "                   img->internal_format ? img->dri_format : img->texture->format;\n"),
    *[("src/egl/drivers/dri2/egl_dri2.c",
       f"   if ({name} == 0) {{\n",
       "   if (!ctx) {\n      _eglError(EGL_BAD_CONTEXT, \"dri2_create_image_khr\");\n"
       "      return EGL_NO_IMAGE_KHR;\n   }\n\n"
       f"   if ({name} == 0) {{\n") for name in ("renderbuffer", "texture")],
    # OES_EGL_image: renderbuffers are made of depth and stencil too.
    (EGLIMAGE,
     "   if (!is_fmt_as_r8_g8b8_supported(screen, out, usage, native_supported) &&\n",
     "   if (usage == PIPE_BIND_RENDER_TARGET && util_format_is_depth_or_stencil(out->format))\n"
     "      usage = PIPE_BIND_DEPTH_STENCIL;\n\n"
     "   if (!is_fmt_as_r8_g8b8_supported(screen, out, usage, native_supported) &&\n"),
    # OES_EGL_image: what is written to a texture that is the target of a level's image is written to that level. Samplers
    # alone read it; all else took the first level.
    (EGLIMAGE,
     "   texObj->level_override = stimg->level;\n",
     "   texObj->level_override = stimg->level;\n   texObj->Attrib.MinLevel = stimg->level;\n"),
    ("src/mesa/main/teximage.c",
     "   if (tex_storage)\n      _mesa_set_texture_view_state(ctx, texObj, target, 1);\n",
     "   if (tex_storage) {\n      _mesa_set_texture_view_state(ctx, texObj, target, 1);\n"
     "      texObj->Attrib.MinLevel = MAX2(texObj->level_override, 0);\n   }\n"),
    (ST_TEXTURE,
     "      texObj->level_override = -1;\n",
     "      texObj->level_override = -1;\n      texObj->Attrib.MinLevel = 0;\n"),
    ("src/mesa/state_tracker/st_texture.c",
     "   /* An immutable texture object may have views with an LOD offset. */\n   if (stImage->TexObject->Immutable)\n"
     "      return stImage->Level + stImage->TexObject->Attrib.MinLevel;\n\n   return stImage->Level;\n",
     "   return stImage->Level + stImage->TexObject->Attrib.MinLevel;\n"),
    ("src/mesa/state_tracker/st_texture.c",
     "   if (stObj->Immutable) {\n      level += stObj->Attrib.MinLevel;\n      z += stObj->Attrib.MinLayer;\n",
     "   level += stObj->Attrib.MinLevel;\n   if (stObj->Immutable) {\n      z += stObj->Attrib.MinLayer;\n"),
    *[("src/mesa/state_tracker/st_cb_copyimage.c",
       f"      if ({way}_image->TexObject->Immutable) {{\n"
       f"         {way}_level += {way}_image->TexObject->Attrib.MinLevel;\n",
       f"      {way}_level += {way}_image->TexObject->Attrib.MinLevel;\n      if ({way}_image->TexObject->Immutable) {{\n")
      for way in ("src", "dst")],
    # OVR_multiview: gl_ViewID_OVR is unsigned; num_views belongs to the extension, and a shader has one of it.
    ("src/compiler/glsl/builtin_variables.cpp",
     "      add_system_value(SYSTEM_VALUE_VIEW_INDEX, int_t, GLSL_PRECISION_MEDIUM,\n",
     "      add_system_value(SYSTEM_VALUE_VIEW_INDEX, uint_t, GLSL_PRECISION_MEDIUM,\n"),
    ("src/compiler/glsl/glsl_parser.yy",
     "      if (match_layout_qualifier(\"num_views\", $1, state) == 0) {\n",
     "      if (state->OVR_multiview_enable &&\n"
     "          match_layout_qualifier(\"num_views\", $1, state) == 0) {\n"),
    ("src/compiler/glsl/ast_type.cpp",
     "         state->view_mask = BITFIELD_MASK(num_views);\n",
     "         if (state->view_mask != 0 && state->view_mask != BITFIELD_MASK(num_views))\n"
     "            _mesa_glsl_error(loc, state, \"num_views declared with different values\");\n"
     "         state->view_mask = BITFIELD_MASK(num_views);\n"),
    # OVR_multiview, Errors: programs draw to as many views as they declare, and what reads a framebuffer reads one view.
    (FRAMEBUFFER,
     "#define Y_0_TOP 1\n",
     "/** How many views each attachment of a complete framebuffer has. */\n"
     "static inline GLuint\n"
     "_mesa_framebuffer_views(const struct gl_framebuffer *fb)\n"
     "{\n"
     "   for (unsigned i = fb->Name ? BUFFER_DEPTH : BUFFER_COUNT; i < BUFFER_COUNT; i++) {\n"
     "      if (fb->Attachment[i].Type != GL_NONE)\n"
     "         return MAX2(fb->Attachment[i].NumViews, 1);\n"
     "   }\n"
     "   return 1;\n"
     "}\n\n"
     "#define Y_0_TOP 1\n"),
    ("src/mesa/main/draw_validate.c",
     "   /* DrawPixels/CopyPixels/Bitmap is valid after this point. */\n   ctx->DrawPixValid = true;\n",
     "   /* DrawPixels/CopyPixels/Bitmap is valid after this point. */\n   ctx->DrawPixValid = true;\n\n"
     "   const struct gl_program *vs = shader->CurrentProgram[MESA_SHADER_VERTEX];\n"
     "   if (vs && _mesa_framebuffer_views(ctx->DrawBuffer) != MAX2(util_bitcount(vs->info.view_mask), 1))\n"
     "      return;\n"),
    ("src/mesa/main/draw_validate.c",
     "#include \"context.h\"\n",
     "#include \"context.h\"\n#include \"framebuffer.h\"\n"),
    ("src/mesa/main/readpix.c",
     "   if (!no_error && ctx->ReadBuffer->_Status != GL_FRAMEBUFFER_COMPLETE_EXT) {\n",
     "   if (!no_error && (ctx->ReadBuffer->_Status != GL_FRAMEBUFFER_COMPLETE_EXT ||\n"
     "                     _mesa_framebuffer_views(ctx->ReadBuffer) > 1)) {\n"),
    ("src/mesa/main/blit.c",
     "          readFb->_Status != GL_FRAMEBUFFER_COMPLETE_EXT) {\n",
     "          readFb->_Status != GL_FRAMEBUFFER_COMPLETE_EXT ||\n"
     "          _mesa_framebuffer_views(readFb) > 1) {\n"),
    ("src/mesa/main/drawpix.c",
     "   if (ctx->ReadBuffer->_Status != GL_FRAMEBUFFER_COMPLETE_EXT) {\n",
     "   if (ctx->ReadBuffer->_Status != GL_FRAMEBUFFER_COMPLETE_EXT ||\n"
     "       _mesa_framebuffer_views(ctx->ReadBuffer) > 1) {\n"),
    *[("src/mesa/main/teximage.c",
       "      if (ctx->ReadBuffer->_Status != GL_FRAMEBUFFER_COMPLETE_EXT) {\n"
       "         _mesa_error(ctx, GL_INVALID_FRAMEBUFFER_OPERATION_EXT,\n"
       f"                     \"{call}(invalid readbuffer)\",",
       "      if (ctx->ReadBuffer->_Status != GL_FRAMEBUFFER_COMPLETE_EXT ||\n"
       "          _mesa_framebuffer_views(ctx->ReadBuffer) > 1) {\n"
       "         _mesa_error(ctx, GL_INVALID_FRAMEBUFFER_OPERATION_EXT,\n"
       f"                     \"{call}(invalid readbuffer)\",")
      for call in ("glCopyTexImage%dD", "%s")],
    # A draw reaches all views by itself: masked clears drew to their layers as well, with a shader that writes the layer
    # (VUID-VkGraphicsPipelineCreateInfo-renderPass-06059).
    ("src/mesa/state_tracker/st_atom_framebuffer.c",
     "   st->state.fb_num_layers = util_framebuffer_get_num_layers(&framebuffer);\n",
     "   st->state.fb_num_layers = framebuffer.viewmask ? 1 : util_framebuffer_get_num_layers(&framebuffer);\n"),
    # GL 4.6, 11.1.3.5: an incomplete texture reads as (0, 0, 0, 1). What stands in for it was filtered, wrapped and bordered as
    # the bound sampler object says.
    ("src/mesa/state_tracker/st_atom_sampler.c",
     "   msamp = _mesa_get_samplerobj(ctx, texUnit);\n\n",
     "   msamp = _mesa_get_samplerobj(ctx, texUnit);\n"
     "   if (texobj == ctx->Shared->FallbackTex[texobj->TargetIndex][0] ||\n"
     "       texobj == ctx->Shared->FallbackTex[texobj->TargetIndex][1])\n"
     "      msamp = &texobj->Sampler;\n\n"),
    # The same of shadow samplers: 0.
    ("src/mesa/state_tracker/st_atom_sampler.c",
     "                      sampler, ctx->Texture.CubeMapSeamless, true, glsl130_or_later);\n}\n",
     "                      sampler, ctx->Texture.CubeMapSeamless, true, glsl130_or_later);\n\n"
     "   if (texobj == ctx->Shared->FallbackTex[texobj->TargetIndex][1]) {\n"
     "      sampler->compare_mode = PIPE_TEX_COMPARE_R_TO_TEXTURE;\n"
     "      sampler->compare_func = PIPE_FUNC_NEVER;\n   }\n}\n"),
    # GL 4.6, 22.3.1: the stencil component's type, beside a depth of another.
    ("src/mesa/main/formatquery.c",
     "      case GL_INTERNALFORMAT_STENCIL_TYPE:\n         buffer[0]  = _mesa_get_format_datatype(texformat);\n",
     "         buffer[0]  = _mesa_get_format_datatype(texformat);\n         break;\n\n"
     "      case GL_INTERNALFORMAT_STENCIL_TYPE:\n         buffer[0] = GL_UNSIGNED_INT;\n"),
    # GL_EXT_texture_format_BGRA8888: `format` is the internal format.
    ("src/mesa/main/glformats.c", "         baseInternalFormat = GL_BGRA;\n      } else {",
     "         baseInternalFormat = format;\n      } else {"),
    # GL 4.6, 2.2.1: numbers become the nearest integer, in lists as well.
    ("src/mesa/main/texparam.c",
     "         p[0] = (GLint) params[0];\n         p[1] = p[2] = p[3] = 0;\n",
     "         p[0] = params[0] >= 0x1p31f ? INT32_MAX : params[0] < -0x1p31f ? INT32_MIN : (GLint) roundf(params[0]);\n"
     "         p[1] = p[2] = p[3] = 0;\n"),
]
