# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of advanced blending (GL_KHR_blend_equation_advanced; OpenGL ES 3.2, section 15.1.5)."""

LOWERED = "src/compiler/glsl/gl_nir_lower_blend_equation_advanced.c"
STATE = "src/mesa/program/prog_statevars.c"
ENABLE = "src/mesa/main/enable.c"
VALIDATE = "src/mesa/main/draw_validate.c"

EDITS = [
    # It is draw buffer 0 that blends so; whether others blend doesn't matter to it.
    ("src/mesa/main/blend.h", "   return blend_enabled ? mode : BLEND_NONE;\n",
     "   return blend_enabled & 1 ? mode : BLEND_NONE;\n"),
    # A logical operation is as if blending were disabled (OpenGL 4.6, section 17.3.8).
    (STATE, "                   ctx->Color.BlendEnabled, ctx->Color._AdvancedBlendMode);\n",
     "                   ctx->Color.ColorLogicOpEnabled ? 0 : ctx->Color.BlendEnabled,\n"
     "                   ctx->Color._AdvancedBlendMode);\n"
     # The source is clamped where the buffer is of fixed point, as what is read of it is.
     "      if (ctx->DrawBuffer->_ColorDrawBuffers[0] &&\n"
     "          _mesa_get_format_datatype(ctx->DrawBuffer->_ColorDrawBuffers[0]->Format) == GL_UNSIGNED_NORMALIZED)\n"
     "         val[0].i |= 0x100;\n"),
    (STATE, '#include "main/blend.h"\n', '#include "main/blend.h"\n#include "main/formats.h"\n'),
    (STATE, "   case STATE_ADVANCED_BLENDING_MODE:\n   case STATE_ALPHA_REF:\n      return _NEW_COLOR;\n",
     "   case STATE_ADVANCED_BLENDING_MODE:\n      return _NEW_COLOR | _NEW_BUFFERS;\n\n"
     "   case STATE_ALPHA_REF:\n      return _NEW_COLOR;\n"),
    (LOWERED, "   return nir_ieq_imm(b, nir_load_var(b, mode), (unsigned) q);\n",
     "   return nir_ieq_imm(b, nir_iand_imm(b, nir_load_var(b, mode), 0xff), (unsigned) q);\n"),
    (LOWERED, "      blend_source = nir_vec(&b, blend_comps, 4);\n   }\n",
     "      blend_source = nir_vec(&b, blend_comps, 4);\n   }\n"
     "   nir_def *fixed_point = nir_ine_imm(&b, nir_iand_imm(&b, nir_load_var(&b, mode), 0x100), 0);\n"
     "   blend_source = nir_bcsel(&b, fixed_point, nir_fsat(&b, blend_source), blend_source);\n"),
    (ENABLE, "                        GL_COLOR_BUFFER_BIT | GL_ENABLE_BIT);\n"
     "         ctx->NewDriverState |= ST_NEW_BLEND;\n         ctx->Color.ColorLogicOpEnabled = state;\n",
     "                        GL_COLOR_BUFFER_BIT | GL_ENABLE_BIT);\n"
     "         ctx->NewDriverState |= ST_NEW_BLEND;\n         ctx->Color.ColorLogicOpEnabled = state;\n"
     "         if (ctx->Color._AdvancedBlendMode != BLEND_NONE) {\n"
     "            ctx->NewState |= _NEW_COLOR;\n            _mesa_update_valid_to_render_state(ctx);\n         }\n"),
    (VALIDATE, "   if (ctx->Color.BlendEnabled &&\n       ctx->Color._AdvancedBlendMode != BLEND_NONE) {\n",
     "   if (ctx->Color.BlendEnabled && !ctx->Color.ColorLogicOpEnabled &&\n"
     "       ctx->Color._AdvancedBlendMode != BLEND_NONE) {\n"),
    # Outputs that share a location by their components have as many as they are declared with, from their own first one.
    (LOWERED, "         nir_store_array_var_imm(&b, outputs[i], 0, nir_load_var(&b, result_dest), 1 << i);\n",
     "         nir_store_array_var_imm(&b, outputs[i], 0, component_of(&b, result_dest, i, outputs[i]),\n"
     "                                 1 << (i - outputs[i]->data.location_frac));\n"),
    (LOWERED, "         nir_def *val = swizzle(&b, nir_load_var(&b, result_dest), i, 1);\n"
     "         nir_store_var(&b, outputs[i], nir_vec4(&b, val, val, val, val), 1 << i);\n",
     "         nir_store_var(&b, outputs[i], component_of(&b, result_dest, i, outputs[i]),\n"
     "                       1 << (i - outputs[i]->data.location_frac));\n"),
    (LOWERED, "bool\ngl_nir_lower_blend_equation_advanced(nir_shader *sh, bool coherent)\n",
     "/* Component I of RESULT, in each of OUTPUT's. */\n"
     "static nir_def *\ncomponent_of(nir_builder *b, nir_variable *result, unsigned i, const nir_variable *output)\n{\n"
     "   return nir_replicate(b, swizzle(b, nir_load_var(b, result), i, 1),\n"
     "                        glsl_get_vector_elements(glsl_without_array(output->type)));\n}\n\n"
     "bool\ngl_nir_lower_blend_equation_advanced(nir_shader *sh, bool coherent)\n"),
]
