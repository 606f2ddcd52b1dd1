# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of the interfaces that separable programs show each other (GL 4.6, 7.4.1)."""

VARYINGS = "src/compiler/glsl/gl_nir_link_varyings.c"

EDITS = [
    # Arrays, matrices and structures without locations were packed, but not where a tessellation stage or interpolateAt*()
    # reads them, which a program that writes them can't know: these and all behind them arrived shifted. None are packed where
    # there is room for them.
    (VARYINGS, "static bool\nassign_initial_varying_locations(",
     "static bool\nhas_room_unpacked(const struct gl_linked_shader *sh, nir_variable_mode mode)\n{\n"
     "   unsigned slots = 0;\n   nir_foreach_variable_with_modes(var, sh->Program->nir, mode) {\n"
     "      if (!var->data.patch && !is_gl_identifier(var->name))\n"
     "         slots += glsl_count_attribute_slots(get_varying_type(var, sh->Stage), false);\n   }\n"
     "   return slots <= MAX_VARYING;\n}\n\n"
     "static void\nleave_unpacked(struct gl_linked_shader *sh, nir_variable_mode mode)\n{\n"
     "   if (!has_room_unpacked(sh, mode))\n      return;\n\n"
     "   nir_foreach_variable_with_modes(var, sh->Program->nir, mode) {\n"
     "      const struct glsl_type *type = get_varying_type(var, sh->Stage);\n"
     "      if (!var->data.explicit_location && !is_gl_identifier(var->name) &&\n"
     "          (glsl_type_is_array_or_matrix(type) || glsl_type_is_struct(type)))\n"
     "         var->data.must_be_shader_input = 1;\n   }\n}\n\n"
     "static bool\nassign_initial_varying_locations("),
    (VARYINGS, "   struct hash_table *tfeedback_candidates =\n",
     "   if (prog->SeparateShader && !consumer)\n      leave_unpacked(producer, nir_var_shader_out);\n"
     "   if (prog->SeparateShader && !producer)\n      leave_unpacked(consumer, nir_var_shader_in);\n\n"
     "   struct hash_table *tfeedback_candidates =\n"),
    # What isn't packed is captured element by element, as it is with a location.
    (VARYINGS, "   return var->data.explicit_location &&\n      var->data.location >= VARYING_SLOT_VAR0;\n",
     "   return (var->data.explicit_location && var->data.location >= VARYING_SLOT_VAR0) ||\n"
     "          var->data.must_be_shader_input;\n"),
]
