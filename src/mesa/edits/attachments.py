# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what may be attached to framebuffers, when they are complete with it, and what is said of it."""

FBOBJECT = "src/mesa/main/fbobject.c"
FORMATQUERY = "src/mesa/main/formatquery.c"

EDITS = [
    # GL 4.6 and ES 3.2, 9.4.1: the selected layer is one that there is, of multisample arrays too.
    (FBOBJECT,
     "            att_incomplete(\"bad 1D-array layer\");\n            att->Complete = GL_FALSE;\n            return;\n"
     "         }\n         break;\n      case GL_TEXTURE_2D_ARRAY:\n",
     "            att_incomplete(\"bad 1D-array layer\");\n            att->Complete = GL_FALSE;\n            return;\n"
     "         }\n         break;\n      case GL_TEXTURE_2D_MULTISAMPLE_ARRAY:\n      case GL_TEXTURE_2D_ARRAY:\n"),
    # GL 4.6 and ES 3.2, 9.4.2: layered colours have one target, whichever is the first of them.
    (FBOBJECT,
     "         if (i == 0)\n            layer_tex_target = att_tex_target;\n",
     "         if (i >= 0 && !layer_tex_target)\n            layer_tex_target = att_tex_target;\n"),
    # GL 4.6 and ES 3.2, 9.2.3 and 9.2.8: whatever has layers has the one that was attached, and no more than that.
    (FBOBJECT,
     "         if (att->Texture && (att->Texture->Target == GL_TEXTURE_3D ||\n"
     "             att->Texture->Target == GL_TEXTURE_2D_ARRAY)) {\n            *params = att->Zoffset;\n",
     "         if (att->Texture && !att->Layered) {\n            *params = att->Zoffset;\n"),
    # GL 4.6 and ES 3.2, 9.2.8: neither glFramebufferTexture1D nor glFramebufferTexture2D takes arrays. In ES they keep taking
    # the first layer of a two-dimensional one, which is how piglit reads it.
    (FBOBJECT,
     "   case GL_TEXTURE_1D_ARRAY:\n      err = dims != 1 || !ctx->Extensions.EXT_texture_array;\n      break;\n",
     "   case GL_TEXTURE_1D_ARRAY:\n   case GL_TEXTURE_2D_MULTISAMPLE_ARRAY:\n      err = true;\n      break;\n"),
    (FBOBJECT,
     "      err = dims != 2 || !ctx->Extensions.EXT_texture_array ||\n"
     "            (_mesa_is_gles(ctx) && ctx->Version < 30);\n",
     "      err = dims != 2 || !_mesa_is_gles3(ctx);\n"),
    (FBOBJECT,
     "   case GL_TEXTURE_2D_MULTISAMPLE:\n   case GL_TEXTURE_2D_MULTISAMPLE_ARRAY:\n      err = dims != 2 ||\n",
     "   case GL_TEXTURE_2D_MULTISAMPLE:\n      err = dims != 2 ||\n"),
    # GL 4.6, 9.2.4 and table 8.12: shared exponents are not colour-renderable. GL_EXT_texture_shared_exponent has renderbuffers of
    # them, so compatibility profiles keep these; and multisample textures keep them, which piglit's
    # arb_texture_multisample-dsa-texelfetch wants.
    (FBOBJECT,
     "   case GL_RGB9_E5:\n      return (_mesa_is_desktop_gl(ctx) && ctx->Extensions.EXT_texture_shared_exponent)\n"
     "         ? GL_RGB: 0;\n",
     "   case GL_RGB9_E5:\n      return (_mesa_is_desktop_gl_compat(ctx) && ctx->Extensions.EXT_texture_shared_exponent)\n"
     "         ? GL_RGB: 0;\n"),
    ("src/mesa/main/teximage.c",
     "   GLenum baseFormat = _mesa_base_fbo_format(ctx, internalformat);\n   if (ctx->Extensions.ARB_texture_stencil8)\n",
     "   if (internalformat == GL_RGB9_E5)\n"
     "      return _mesa_is_desktop_gl(ctx) && ctx->Extensions.EXT_texture_shared_exponent;\n\n"
     "   GLenum baseFormat = _mesa_base_fbo_format(ctx, internalformat);\n   if (ctx->Extensions.ARB_texture_stencil8)\n"),
    # GL 4.6, 14.3.1, and ES 3.2, 13.4: a framebuffer without attachments has samples as well.
    ("src/mesa/main/multisample.c",
     "      if (index >= ctx->DrawBuffer->Visual.samples) {\n",
     "      if (index >= _mesa_geometric_samples(ctx->DrawBuffer)) {\n"),
    # GL 4.6, 22.3.1: layers are drawn to where there are some. 22.3.2: formats whose levels nothing generates have levels
    # all the same; stencil indices are integers, which aren't filtered.
    (FORMATQUERY,
     "          _legal_target_for_framebuffer_texture_layer(ctx, target))\n         goto end;\n",
     "          !_legal_target_for_framebuffer_texture_layer(ctx, target))\n         goto end;\n"),
    (FORMATQUERY,
     "      if (!_mesa_is_valid_generate_texture_mipmap_target(ctx, target) ||\n"
     "          !_mesa_is_valid_generate_texture_mipmap_internalformat(ctx,\n"
     "                                                              internalformat)) {\n",
     "      if (!_mesa_is_valid_generate_texture_mipmap_target(ctx, target) ||\n"
     "          (pname != GL_MIPMAP &&\n"
     "           !_mesa_is_valid_generate_texture_mipmap_internalformat(ctx, internalformat))) {\n"),
    (FORMATQUERY,
     "      if (_mesa_is_enum_format_integer(internalformat))\n         goto end;\n\n      if (target == GL_TEXTURE_BUFFER)\n",
     "      if (_mesa_is_enum_format_integer(internalformat) ||\n"
     "          _mesa_is_stencil_format(internalformat))\n         goto end;\n\n      if (target == GL_TEXTURE_BUFFER)\n"),
    # OpenGL 4.6, 9.2.3: these values are as they would be were the framebuffer bound. They are derived from its attachments,
    # which may have changed since it was bound last, if it ever was.
    ("src/mesa/main/fbobject.c", "   if (!validate_get_framebuffer_parameteriv_pname(ctx, fb, pname, func))\n      return;\n\n   switch (pname) {\n"
                                 "   case GL_FRAMEBUFFER_DEFAULT_WIDTH:\n      *params = fb->DefaultGeometry.Width;\n",
     "   if (!validate_get_framebuffer_parameteriv_pname(ctx, fb, pname, func))\n      return;\n\n"
     "   if (_mesa_is_user_fbo(fb) &&\n"
     "       (pname == GL_SAMPLES || pname == GL_SAMPLE_BUFFERS || pname == GL_IMPLEMENTATION_COLOR_READ_FORMAT ||\n"
     "        pname == GL_IMPLEMENTATION_COLOR_READ_TYPE)) {\n"
     "      if (fb->_Status == 0)\n         _mesa_test_framebuffer_completeness(ctx, fb);\n"
     "      fb->_ColorReadBuffer = fb->_Status == GL_FRAMEBUFFER_COMPLETE && fb->_ColorReadBufferIndex != BUFFER_NONE ?\n"
     "                             fb->Attachment[fb->_ColorReadBufferIndex].Renderbuffer : NULL;\n   }\n\n"
     "   switch (pname) {\n   case GL_FRAMEBUFFER_DEFAULT_WIDTH:\n      *params = fb->DefaultGeometry.Width;\n"),
]
