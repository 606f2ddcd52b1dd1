# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of calls that did not object to what the specification makes an error, and of some that did where it doesn't."""

BLEND = "src/mesa/main/blend.c"
FEEDBACK = "src/compiler/glsl/gl_nir_link_varyings.c"
PROGRAMS = "src/mesa/main/shaderapi.c"

EDITS = [
    # GL_KHR_blend_equation_advanced: its equations are none of glBlendEquationSeparate's, also where one is set already.
    (BLEND, "   if (!changed)\n      return;\n\n   if (!no_error) {\n      if ((modeRGB != modeA)",
     "   if (!changed && legal_simple_blend_equation(ctx, modeRGB))\n      return;\n\n   if (!no_error) {\n      if ((modeRGB != modeA)"),
    (BLEND, "   if (ctx->Color.Blend[buf].EquationRGB == modeRGB &&\n       ctx->Color.Blend[buf].EquationA == modeA)\n",
     "   if (ctx->Color.Blend[buf].EquationRGB == modeRGB &&\n       ctx->Color.Blend[buf].EquationA == modeA &&\n"
     "       legal_simple_blend_equation(ctx, modeRGB))\n"),
    # ES 3.2, 11.1.2.1: gl_NextBuffer and gl_SkipComponents are no outputs there.
    (FEEDBACK, "      if (!xfb_decl_is_varying(&decls[i]))\n         continue;\n\n      /* From GL_EXT_transform_feedback:\n",
     "      if (!xfb_decl_is_varying(&decls[i])) {\n         if (prog->IsES) {\n"
     "            linker_error(prog, \"Transform feedback varying %s undeclared.\", varying_names[i]);\n"
     "            return false;\n         }\n         continue;\n      }\n\n      /* From GL_EXT_transform_feedback:\n"),
    # GL 4.6, 11.1.2.1: no two entries are of the same elements: an array and one of its own are.
    (FEEDBACK, "   if (x->is_subscripted != y->is_subscripted)\n      return false;\n   if (x->is_subscripted && x->array_subscript",
     "   if (x->is_subscripted && y->is_subscripted && x->array_subscript"),
    # GL 4.6, 7.3.1 (GetProgramResourceName, which this is equivalent to): INVALID_VALUE for a negative size.
    ("src/mesa/main/transformfeedback.c", "   res = _mesa_program_resource_find_index((struct gl_shader_program *) shProg,\n"
     "                                           GL_TRANSFORM_FEEDBACK_VARYING,\n",
     "   if (bufSize < 0) {\n      _mesa_error(ctx, GL_INVALID_VALUE,\n"
     "                  \"glGetTransformFeedbackVarying(bufSize=%d)\", bufSize);\n      return;\n   }\n\n"
     "   res = _mesa_program_resource_find_index((struct gl_shader_program *) shProg,\n"
     "                                           GL_TRANSFORM_FEEDBACK_VARYING,\n"),
    # GL 4.6, 13.3.1: nor may a program be loaded that transform feedback is using.
    (PROGRAMS, "   shProg = _mesa_lookup_shader_program_err(ctx, program, \"glProgramBinary\");\n   if (!shProg)\n      return;\n",
     "   shProg = _mesa_lookup_shader_program_err(ctx, program, \"glProgramBinary\");\n   if (!shProg)\n      return;\n\n"
     "   if (_mesa_transform_feedback_is_using_program(ctx, shProg)) {\n"
     "      _mesa_error(ctx, GL_INVALID_OPERATION,\n"
     "                  \"glProgramBinary(transform feedback is using the program)\");\n      return;\n   }\n"),
    # GL 4.6, 7.10 and 7.3.1: a property that isn't one is INVALID_ENUM.
    (PROGRAMS, "            + ((_mesa_program_resource_array_size(res) != 0) ? 3 : 0);\n      }\n      break;\n   default:\n"
     "      _mesa_error(ctx, GL_INVALID_OPERATION, \"%s\", api_name);\n",
     "            + ((_mesa_program_resource_array_size(res) != 0) ? 3 : 0);\n      }\n      break;\n   default:\n"
     "      _mesa_error(ctx, GL_INVALID_ENUM, \"%s\", api_name);\n"),
    # GL_EXT_multisampled_render_to_texture: what is resolved by itself may be copied, by glCopyTexImage2D, too.
    ("src/mesa/main/teximage.c", "          ctx->ReadBuffer->Visual.samples > 0) {\n         _mesa_error(ctx, GL_INVALID_OPERATION,\n"
     "                     \"glCopyTexImage%dD(multisample FBO)\"",
     "          ctx->ReadBuffer->Visual.samples > 0 &&\n          !_mesa_has_rtt_samples(ctx->ReadBuffer)) {\n"
     "         _mesa_error(ctx, GL_INVALID_OPERATION,\n                     \"glCopyTexImage%dD(multisample FBO)\""),
    # GL 4.6, 20.9: a label is an object's. A name that no buffer or framebuffer has yet stood for one that all contexts share.
    *[("src/mesa/main/objectlabel.c", f"_mesa_lookup_{kind}(ctx, name);\n         if ({variable})\n",
       f"_mesa_lookup_{kind}(ctx, name);\n         if ({variable} && _mesa_Is{test}(name))\n")
      for kind, variable, test in (("bufferobj", "bufObj", "Buffer"), ("framebuffer", "rb", "Framebuffer"))],
]
