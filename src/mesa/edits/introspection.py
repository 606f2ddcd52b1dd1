# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what programs tell of their resources."""

DISTANCES = "src/compiler/nir/nir_lower_clip_cull_distance_arrays.c"
LINKER = "src/compiler/glsl/gl_nir_linker.c"

EDITS = [
    # GL 4.6, 7.3.1.1: a member of a block has the block's name in front once, also where it is an array of aggregates,
    # whose elements come by here again with the name that they got.
    (LINKER, "   if (outermost_struct_type == NULL) {\n      if (var->data.from_named_ifc_block) {\n",
     "   if (outermost_struct_type == NULL) {\n      if (var->data.from_named_ifc_block && name == var->name) {\n"),
    # GL 4.6, 7.3.1.1: distances are listed as the shader declares them, not as the vectors that they became.
    (DISTANCES, "/**\n * Replace any declaration of 'in_name' as an array of floats with a\n",
     "/* The block of vectors tells what it holds. */\n"
     "static void\nnote_declaration(nir_variable *vectors, const nir_variable *declared)\n{\n"
     "   struct glsl_struct_field fields[2] = {0};\n"
     "   const unsigned count = vectors->interface_type ? 1 : 0;\n"
     "   if (count)\n      fields[0] = *glsl_get_struct_field_data(vectors->interface_type, 0);\n"
     "   fields[count].name = declared->name;\n   fields[count].type = declared->type;\n"
     "   fields[count].location = -1;\n"
     "   vectors->interface_type = glsl_interface_type(fields, count + 1, GLSL_INTERFACE_PACKING_STD140,\n"
     "                                                 false, \"gl_PerVertex\");\n}\n\n"
     "/**\n * Replace any declaration of 'in_name' as an array of floats with a\n"),
    (DISTANCES, "                            glsl_array_size(var->type), 0);\n      }\n   }\n}\n",
     "                            glsl_array_size(var->type), 0);\n      }\n   }\n\n"
     "   note_declaration(*new_var, var);\n}\n"),
    (LINKER, "static bool\nadd_vars_with_modes(const struct gl_constants *consts,\n",
     "/* Clip and cull distances that nir_lower_clip_cull_distance_to_vec4s() made vectors. */\n"
     "static bool\nadd_distances(struct gl_shader_program *prog, struct set *resource_set,\n"
     "              const nir_variable *var, unsigned stage, GLenum programInterface)\n{\n"
     "   const bool per_vertex = nir_is_arrayed_io(var, stage);\n"
     "   for (unsigned i = 0; i < glsl_get_length(var->interface_type); i++) {\n"
     "      const char *name = glsl_get_struct_elem_name(var->interface_type, i);\n"
     "      const struct glsl_type *type = glsl_get_struct_field(var->interface_type, i);\n"
     "      if (per_vertex) {\n"
     "         name = ralloc_asprintf(prog, \"gl_PerVertex.%s\", name);\n"
     "         type = glsl_get_array_element(type);\n"
     "      }\n"
     "      struct gl_shader_variable *resource =\n"
     "         create_shader_variable(prog, var, name, type, NULL, false, -1, NULL);\n"
     "      if (!resource ||\n"
     "          !link_util_add_program_resource(prog, resource_set, programInterface, resource, 1 << stage))\n"
     "         return false;\n"
     "   }\n   return true;\n}\n\n"
     "static bool\nadd_vars_with_modes(const struct gl_constants *consts,\n"),
    (LINKER, "         if (strncmp(var->name, \"packed:\", 7) == 0)\n            continue;\n\n",
     "         if (strncmp(var->name, \"packed:\", 7) == 0)\n            continue;\n\n"
     "         if (strcmp(var->name, \"gl_ClipDistanceMESA\") == 0) {\n"
     "            if (!add_distances(prog, resource_set, var, stage, programInterface))\n"
     "               return false;\n            continue;\n         }\n\n"),
    # GLSL 4.60, 7.1.4: the levels are `patch in` where they are read, too.
    (LINKER, "   out->patch = in->data.patch;\n",
     "   out->patch = in->data.patch ||\n"
     "                (in->data.mode == nir_var_system_value &&\n"
     "                 (in->data.location == SYSTEM_VALUE_TESS_LEVEL_OUTER ||\n"
     "                  in->data.location == SYSTEM_VALUE_TESS_LEVEL_INNER));\n"),
]
