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
]
