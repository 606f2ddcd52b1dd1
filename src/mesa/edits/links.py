# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what shaders may declare and what links (GLSL 4.60 and ESSL 3.20, chapters 4 and 9)."""

VARYINGS = "src/compiler/glsl/gl_nir_link_varyings.c"
HIR = "src/compiler/glsl/ast_to_hir.cpp"

EDITS = [
    # ESSL 3.20, 9.2.1: `sample` needn't match.
    (VARYINGS, "   if (input->data.sample != output->data.sample) {\n",
     "   if (!prog->IsES && input->data.sample != output->data.sample) {\n"),
    # GLSL 4.60, 4.7: precision means nothing there, nor does that of a structure's members.
    ("src/compiler/glsl/gl_nir_linker.c",
     "         if (var->type != existing->type) {\n"
     "            if (!gl_nir_validate_intrastage_arrays(prog, var, existing,\n"
     "                                                   existing_ifc->shader, true)) {\n",
     "         if (prog->IsES ? var->type != existing->type :\n"
     "                          !glsl_type_compare_no_precision(var->type, existing->type)) {\n"
     "            if (!gl_nir_validate_intrastage_arrays(prog, var, existing,\n"
     "                                                   existing_ifc->shader, prog->IsES)) {\n"),
    # GLSL 4.60, table in 4.4: which qualifiers go with which declarations.
    (HIR, "   if (qual->flags.q.explicit_location) {\n      apply_explicit_location(qual, var, state, loc);\n",
     "   if (qual->flags.q.explicit_align)\n"
     "      _mesa_glsl_error(loc, state, \"align can only be used with blocks and their members\");\n\n"
     "   if (qual->flags.q.explicit_offset && !glsl_contains_atomic(var->type))\n"
     "      _mesa_glsl_error(loc, state, \"offset can only be used with members of blocks and atomic counters\");\n\n"
     "   if (qual->flags.q.explicit_location) {\n      apply_explicit_location(qual, var, state, loc);\n"),
    (HIR, "         if (qual->flags.q.explicit_location) {\n            unsigned qual_location;\n",
     "         if (qual->flags.q.explicit_location &&\n"
     "             (var_mode == ir_var_uniform || var_mode == ir_var_shader_storage))\n"
     "            _mesa_glsl_error(&loc, state, \"members of uniform and buffer blocks have no locations\");\n\n"
     "         if (qual->flags.q.explicit_location) {\n            unsigned qual_location;\n"),
]
