# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of shaders that come as SPIR-V (GL_ARB_gl_spirv)."""

BINARIES = "src/mesa/main/glspirv.c"
LINKER = "src/compiler/glsl/gl_nir_linker.c"

VARIABLES = "src/compiler/spirv/vtn_variables.c"

UNIFORMS = "src/compiler/glsl/gl_nir_link_uniforms.c"

EDITS = [
    # GL_ARB_gl_spirv: gl_CullDistance is a built-in there as in GLSL. Its variable has another name, or none, so that it was
    # moved behind the clip distances and then not found: it clipped, and the clip distances were lost.
    (LINKER, "      if (!nir->options->compact_arrays) {\n         if (i > 0)\n            place_cull_distances(",
     "      if (!nir->options->compact_arrays) {\n         if (shader_program->data->spirv) {\n"
     "            nir_foreach_variable_with_modes(var, nir, nir_var_shader_in | nir_var_shader_out) {\n"
     "               if (var->data.compact && var->data.location == VARYING_SLOT_CLIP_DIST0)\n"
     "                  var->name = ralloc_strdup(var, \"gl_ClipDistance\");\n"
     "               else if (var->data.compact && var->data.location == VARYING_SLOT_CULL_DIST0)\n"
     "                  var->name = ralloc_strdup(var, \"gl_CullDistance\");\n            }\n"
     "            if (nir->info.stage < MESA_SHADER_FRAGMENT) {\n"
     "               nir->info.clip_distance_array_size = distance_outputs(nir, VARYING_SLOT_CLIP_DIST0);\n"
     "               nir->info.cull_distance_array_size = distance_outputs(nir, VARYING_SLOT_CULL_DIST0);\n            }\n         }\n"
     "         if (i > 0)\n            place_cull_distances("),
    # OpenGL 4.6, 7.2: one shader may be named twice. The module went with the first, and was used for the second.
    (BINARIES, "   p_atomic_set(&module->RefCount, 0);\n", "   p_atomic_set(&module->RefCount, 1);\n"),
    (BINARIES, "      ralloc_free(sh->ir);\n      sh->ir = NULL;\n   }\n}\n",
     "      ralloc_free(sh->ir);\n      sh->ir = NULL;\n   }\n   _mesa_spirv_module_reference(&module, NULL);\n}\n"),
    # OpenGL 4.6, 7.4.1 and GLSL 4.60, 4.5: an input is interpolated as its qualifiers say. Arrays of blocks stay whole
    # variables, and what their members have was read nowhere: integers were interpolated.
    (VARIABLES, "static void\ngather_var_kind_cb(",
     "struct agreed_members {\n   unsigned flat, noperspective, centroid, sample;\n};\n\n"
     "static void\ncount_member_cb(struct vtn_builder *b, struct vtn_value *val, int member,\n"
     "                const struct vtn_decoration *dec, void *counted)\n{\n"
     "   struct agreed_members *members = counted;\n\n"
     "   switch (dec->decoration) {\n"
     "   case SpvDecorationFlat:\n      members->flat++;\n      break;\n"
     "   case SpvDecorationNoPerspective:\n      members->noperspective++;\n      break;\n"
     "   case SpvDecorationCentroid:\n      members->centroid++;\n      break;\n"
     "   case SpvDecorationSample:\n      members->sample++;\n      break;\n"
     "   default:\n      break;\n   }\n}\n\n"
     "/* An array of blocks is one variable, which has what all members have. */\n"
     "static void\nadd_agreed_member_decorations(struct vtn_builder *b, struct vtn_variable *var,\n"
     "                              struct vtn_type *per_vertex_type)\n{\n"
     "   struct vtn_type *block = vtn_type_without_array(per_vertex_type);\n"
     "   struct agreed_members members = {0};\n\n"
     "   if (block == per_vertex_type || block->base_type != vtn_base_type_struct || !block->block)\n      return;\n"
     "   vtn_foreach_decoration(b, vtn_value(b, block->id, vtn_value_type_type), count_member_cb, &members);\n"
     "   if (members.flat >= block->length)\n      var->var->data.interpolation = INTERP_MODE_FLAT;\n"
     "   if (members.noperspective >= block->length)\n      var->var->data.interpolation = INTERP_MODE_NOPERSPECTIVE;\n"
     "   var->var->data.centroid |= members.centroid >= block->length;\n"
     "   var->var->data.sample |= members.sample >= block->length;\n}\n\n"
     "static void\ngather_var_kind_cb("),
    (VARIABLES, "      vtn_foreach_decoration(b, vtn_value(b, per_vertex_type->id,\n"
     "                                          vtn_value_type_type),\n"
     "                             var_decoration_cb, var);\n",
     "      vtn_foreach_decoration(b, vtn_value(b, per_vertex_type->id,\n"
     "                                          vtn_value_type_type),\n"
     "                             var_decoration_cb, var);\n"
     "      add_agreed_member_decorations(b, var, per_vertex_type);\n"),
    # SPIR-V 1.6, 3.52.3: OpName and OpMemberName have no semantic effect. Samplers in structures became variables by
    # their names: without names all of them were one.
    ("src/compiler/glsl/gl_nir_lower_samplers_as_deref.c",
     "   remove_struct_derefs_prep(path.path, &name, &location, &type);\n\n   if (state",
     "   remove_struct_derefs_prep(path.path, &name, &location, &type);\n"
     "   ralloc_asprintf_append(&name, \"@%u\", location);\n\n   if (state"),
    # OpenGL 4.6, 7.6: a uniform of one Location is one for all stages. The second stage that had it got no place for
    # samplers and images, and of structures and arrays of arrays only the first member's.
    (UNIFORMS, "static bool\nfind_and_update_previous_uniform_storage(",
     "/**\n * The same variable in another stage: its members' entries follow each other, and have no names.\n */\n"
     "static void\nupdate_unnamed_uniform_storage(const struct gl_constants *consts,\n"
     "                               struct gl_shader_program *prog,\n"
     "                               struct nir_link_uniforms_state *state,\n"
     "                               const struct glsl_type *type,\n"
     "                               unsigned stage, unsigned *index)\n{\n"
     "   const bool record = glsl_type_is_struct_or_ifc(type);\n\n"
     "   if (record ||\n       (glsl_type_is_array(type) &&\n"
     "        (glsl_type_is_array(glsl_get_array_element(type)) ||\n"
     "         glsl_type_is_struct_or_ifc(glsl_get_array_element(type))))) {\n"
     "      struct type_tree_entry *whole = state->current_type;\n\n"
     "      state->current_type = whole->children;\n      align_parameters(state, type);\n"
     "      for (unsigned i = 0; i < glsl_get_length(type); i++) {\n"
     "         update_unnamed_uniform_storage(consts, prog, state,\n"
     "                                        record ? glsl_get_struct_field(type, i) : glsl_get_array_element(type),\n"
     "                                        stage, index);\n"
     "         if (record)\n            state->current_type = state->current_type->next_sibling;\n      }\n"
     "      state->current_type = whole;\n      align_parameters(state, type);\n"
     "   } else if (*index < prog->data->NumUniformStorage) {\n"
     "      struct gl_uniform_storage *uniform = &prog->data->UniformStorage[(*index)++];\n\n"
     "      update_uniforms_shader_info(prog, state, uniform, type, stage);\n"
     "      mark_stage_as_active(uniform, stage);\n"
     "      add_parameter(uniform, consts, prog, type, state);\n   }\n}\n\n"
     "static bool\nfind_and_update_previous_uniform_storage("),
    (UNIFORMS, "         mark_stage_as_active(&prog->data->UniformStorage[i], stage);\n\n"
     "         struct gl_uniform_storage *uniform = &prog->data->UniformStorage[i];\n"
     "         var->data.location = uniform - prog->data->UniformStorage;\n"
     "         add_parameter(uniform, consts, prog, var->type, state);\n         return true;\n",
     "         unsigned index = i;\n\n         var->data.location = i;\n"
     "         update_unnamed_uniform_storage(consts, prog, state, type, stage, &index);\n         return true;\n"),
    # What is captured of clip and cull distances is gathered in front of their lowering (interfaces.py).
    (LINKER, "   gl_nir_link_assign_xfb_resources(consts, prog);\n   gl_nir_lower_optimize_varyings(consts, prog, true);\n",
     "   if (prog->last_vert_prog && !prog->last_vert_prog->sh.LinkedTransformFeedback)\n"
     "      gl_nir_link_assign_xfb_resources(consts, prog);\n"
     "   gl_nir_lower_optimize_varyings(consts, prog, true);\n"),
]
