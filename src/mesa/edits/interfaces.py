# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of how shaders' interfaces are matched, laid out, captured and asked about."""

DISTANCES = "src/compiler/nir/nir_lower_clip_cull_distance_arrays.c"
LINKER = "src/compiler/glsl/gl_nir_linker.c"
VARYINGS = "src/compiler/glsl/gl_nir_link_varyings.c"
BLOCKS = "src/compiler/glsl/gl_nir_link_interface_blocks.c"
QUERY = "src/mesa/main/shader_query.cpp"

EDITS = [
    # GLSL 4.60, 7.1: each interface has distances of its own. One place was taken for where those that cull begin among a
    # stage's inputs and outputs alike, and that a stage had by what it declares itself. It is the writer's that counts; where
    # nobody knows who that will be, they have slots of their own.
    (DISTANCES, "   int total_size;\n   int offset;\n",
     "   unsigned total_size[2]; /* of inputs, of outputs */\n   unsigned offset[2];\n   bool separate_inputs;\n"),
    (DISTANCES, "(state->total_size + 3) / 4;\n",
     "(state->total_size[var->data.mode == nir_var_shader_out] + 3) / 4;\n"),
    (DISTANCES, "      (*new_var)->data.location = VARYING_SLOT_CLIP_DIST0;\n",
     "      (*new_var)->data.location = state->separate_inputs && var->data.mode == nir_var_shader_in ?\n"
     "         var->data.location : VARYING_SLOT_CLIP_DIST0;\n"),
    (DISTANCES, "nir_src_as_uint(old_index) + state->offset;\n",
     "nir_src_as_uint(old_index) + offset;\n"),
    (DISTANCES, "   nir_src old_index = (*p)->arr.index;\n",
     "   nir_src old_index = (*p)->arr.index;\n"
     "   const unsigned offset = state->offset[new_var->data.mode == nir_var_shader_out];\n"),
    (DISTANCES, "nir_iadd_imm(b, old_index.ssa, state->offset);\n", "nir_iadd_imm(b, old_index.ssa, offset);\n"),
    (DISTANCES,
     "bool\nnir_lower_clip_cull_distance_to_vec4s(nir_shader *shader)\n{\n   int clip_size = 0;\n   int cull_size = 0;\n\n",
     "/* The linker moves them to where they begin behind the clip distances. */\n"
     "static bool\nis_placed_cull_distance(const nir_variable *var)\n{\n"
     "   return var->name && strcmp(var->name, \"gl_CullDistance\") == 0 &&\n"
     "          var->data.location < VARYING_SLOT_CULL_DIST0;\n}\n\n"
     "bool\nnir_lower_clip_cull_distance_to_vec4s(nir_shader *shader)\n{\n"
     "   unsigned size[2] = {0}, cull_offset[2] = {0}, separate_size = 0;\n\n"),
    (DISTANCES,
     "      if (var->data.location == VARYING_SLOT_CLIP_DIST0)\n"
     "         clip_size = MAX2(clip_size, get_unwrapped_array_length(shader, var));\n\n"
     "      if (var->data.location == VARYING_SLOT_CULL_DIST0)\n"
     "         cull_size = MAX2(cull_size, get_unwrapped_array_length(shader, var));\n"
     "   }\n\n   if (clip_size == 0 && cull_size == 0) {\n",
     "      const unsigned out = var->data.mode == nir_var_shader_out;\n"
     "      if (is_placed_cull_distance(var)) {\n"
     "         cull_offset[out] = 4 * (var->data.location - VARYING_SLOT_CLIP_DIST0) + var->data.location_frac;\n"
     "         size[out] = MAX2(size[out], cull_offset[out] + get_unwrapped_array_length(shader, var));\n"
     "      } else if (var->data.location == VARYING_SLOT_CLIP_DIST0) {\n"
     "         size[out] = MAX2(size[out], get_unwrapped_array_length(shader, var));\n"
     "      } else if (var->data.location == VARYING_SLOT_CULL_DIST0) {\n"
     "         separate_size = MAX2(separate_size, get_unwrapped_array_length(shader, var));\n"
     "      }\n   }\n\n   if (!size[0] && !size[1] && !separate_size) {\n"),
    (DISTANCES,
     "   struct lower_distance_state state;\n   state.old_distance_out_var = NULL;\n   state.old_distance_in_var = NULL;\n"
     "   state.new_distance_out_var = NULL;\n   state.new_distance_in_var = NULL;\n",
     "   struct lower_distance_state state = {0};\n"),
    (DISTANCES,
     "   state.total_size = clip_size + cull_size;\n   state.offset = 0;\n",
     "   memcpy(state.total_size, size, sizeof(size));\n"),
    (DISTANCES, "   state.offset = clip_size;\n",
     "   memcpy(state.offset, cull_offset, sizeof(cull_offset));\n"
     "   state.separate_inputs = separate_size > 0;\n"
     "   if (state.separate_inputs) {\n"
     "      state.new_distance_in_var = NULL;\n"
     "      state.total_size[0] = separate_size;\n"
     "   }\n"),
    (DISTANCES,
     "   if (!cull && clip) {\n      /* The GLSL IR lowering pass must have converted these to vectors */\n"
     "      if (!clip->data.compact)\n         return false;\n\n",
     "   /* The GLSL IR lowering pass must have converted these to vectors */\n"
     "   if (!(clip ? clip : cull)->data.compact)\n      return false;\n\n"
     "   if (!cull && clip) {\n"),
    (LINKER, "static bool\nprelink_lowering(",
     "static unsigned\ndistance_outputs(nir_shader *nir, unsigned slot)\n{\n"
     "   const nir_variable *var = nir_find_variable_with_location(nir, nir_var_shader_out, slot);\n"
     "   if (!var)\n      return 0;\n"
     "   return glsl_get_length(nir_is_arrayed_io(var, nir->info.stage) ?\n"
     "                          glsl_get_array_element(var->type) : var->type);\n}\n\n"
     "/* Where the cull distances begin that a stage writes: as its info says, which a driver goes by. */\n"
     "static unsigned\nclip_outputs(nir_shader *nir, bool spirv)\n{\n"
     "   if (nir->info.stage >= MESA_SHADER_FRAGMENT)\n      return 0;\n"
     "   if (nir->info.stage == MESA_SHADER_TESS_CTRL) {\n"
     "      nir->info.clip_distance_array_size = distance_outputs(nir, VARYING_SLOT_CLIP_DIST0);\n"
     "      nir->info.cull_distance_array_size = distance_outputs(nir, VARYING_SLOT_CULL_DIST0);\n"
     "   }\n"
     "   return spirv ? distance_outputs(nir, VARYING_SLOT_CLIP_DIST0) : nir->info.clip_distance_array_size;\n}\n\n"
     "static void\nplace_cull_distances(nir_shader *nir, nir_variable_mode mode, unsigned clip)\n{\n"
     "   nir_variable *cull = nir_find_variable_with_location(nir, mode, VARYING_SLOT_CULL_DIST0);\n"
     "   if (cull) {\n"
     "      cull->data.location = VARYING_SLOT_CLIP_DIST0 + clip / 4;\n"
     "      cull->data.location_frac = clip % 4;\n"
     "   }\n}\n\n"
     "/* Whether it is of SPIR-V, and stage I the last one in front of the rasteriser. */\n"
     "static bool\ncaptures_from_here(const struct gl_shader_program *shader_program,\n"
     "                   struct gl_linked_shader **linked_shader, unsigned num_shaders, unsigned i)\n{\n"
     "   return shader_program->data->spirv && linked_shader[i]->Stage < MESA_SHADER_FRAGMENT &&\n"
     "          linked_shader[i]->Stage != MESA_SHADER_TESS_CTRL &&\n"
     "          (i + 1 == num_shaders || linked_shader[i + 1]->Stage == MESA_SHADER_FRAGMENT);\n}\n\n"
     "static bool\nprelink_lowering("),
    (LINKER, "   /* nir_opt_access() needs to run before linking so that ImageAccess[]\n",
     "   unsigned clip = 0;\n\n   /* nir_opt_access() needs to run before linking so that ImageAccess[]\n"),
    (LINKER, "         NIR_PASS(_, nir, nir_lower_clip_cull_distance_to_vec4s);\n",
     "         if (i > 0)\n            place_cull_distances(nir, nir_var_shader_in, clip);\n"
     "         if (nir->info.stage < MESA_SHADER_FRAGMENT) {\n"
     "            clip = clip_outputs(nir, shader_program->data->spirv);\n"
     "            place_cull_distances(nir, nir_var_shader_out, clip);\n         }\n"
     # OpenGL 4.6, 11.1.2.1: distances of SPIR-V are captured as any output, which their variables say.
     "         if (captures_from_here(shader_program, linked_shader, num_shaders, i))\n"
     "            gl_nir_link_assign_xfb_resources(consts, shader_program);\n"
     "         NIR_PASS(_, nir, nir_lower_clip_cull_distance_to_vec4s);\n"),
    # GLSL 4.60, 4.4.1: patch variables without a location have one that is nobody else's, too.
    (VARYINGS, "      while (slot_end < MAX_VARYING * 4u) {\n",
     "      const unsigned end = (var->data.patch ? MAX_VARYINGS_INCL_PATCH : MAX_VARYING) * 4u;\n"
     "      while (slot_end < end) {\n"),
    (VARYINGS, "      if (!var->data.patch && slot_end >= MAX_VARYING * 4u) {\n", "      if (slot_end >= end) {\n"),
    # GL 4.6, 7.3.1.1: an array within an array of arrays is captured as a whole.
    (VARYINGS, "      _mesa_hash_table_search(tfeedback_candidates, name);\n\n",
     "      _mesa_hash_table_search(tfeedback_candidates, name);\n\n"
     "   if (!entry && xfb_decl->is_subscripted) {\n"
     "      entry = _mesa_hash_table_search(tfeedback_candidates, xfb_decl->orig_name);\n"
     "      if (entry) {\n"
     "         xfb_decl->is_subscripted = false;\n"
     "         xfb_decl->array_subscript = 0;\n"
     "      }\n   }\n\n"),
    # GLSL 4.60, 4.4.2.1: block E of an array goes to the buffer xfb_buffer + E, which has to be one.
    ("src/compiler/glsl/gl_nir_link_varyings.h", "   unsigned xfb_offset_floats;\n",
     "   unsigned xfb_offset_floats;\n\n   /* The block's number in its array. */\n   unsigned block;\n"),
    (VARYINGS, "   unsigned xfb_offset_floats;\n};\n", "   unsigned xfb_offset_floats;\n\n   unsigned block;\n};\n"),
    (VARYINGS, "               state.xfb_offset_floats = 0;\n",
     "               state.xfb_offset_floats = 0;\n               state.block = 0;\n"),
    (VARYINGS, "                                       named_ifc_member->type, NULL);\n",
     "                                       named_ifc_member->type, NULL);\n"
     "         state->xfb_offset_floats = 0;\n         state->block++;\n"),
    (VARYINGS, "      candidate->xfb_offset_floats = state->xfb_offset_floats;\n",
     "      candidate->xfb_offset_floats = state->xfb_offset_floats;\n      candidate->block = state->block;\n"),
    (VARYINGS, "   xfb_decl->offset = xfb_decl->matched_candidate->toplevel_var->data.offset +\n",
     "   if (xfb_decl->matched_candidate->toplevel_var->data.explicit_offset)\n"
     "      xfb_decl->buffer += xfb_decl->matched_candidate->block;\n"
     "   if (xfb_decl->buffer >= consts->MaxTransformFeedbackBuffers) {\n"
     "      linker_error(prog, \"Transform feedback varying %s has no buffer.\", xfb_decl->orig_name);\n"
     "      return false;\n   }\n"
     "   xfb_decl->offset = xfb_decl->matched_candidate->toplevel_var->data.offset +\n"),
    # GL 4.6, 7.3.1.1: special names are no variables of a buffer, and have neither that nor an offset. A buffer's index is its
    # number among those that there are.
    (VARYINGS, "   info->Varyings[info->NumVarying].BufferIndex = buffer_index;\n   info->NumVarying++;\n"
     "   info->Buffers[buffer].NumVaryings++;\n",
     "   info->Varyings[info->NumVarying].BufferIndex = buffer_index;\n"
     "   if (xfb_decl_is_varying(xfb_decl)) {\n"
     "      info->Buffers[buffer].NumVaryings++;\n"
     "   } else {\n"
     "      info->Varyings[info->NumVarying].Offset = -1;\n"
     "      info->Varyings[info->NumVarying].BufferIndex = -1;\n   }\n"
     "   info->NumVarying++;\n"),
    (VARYINGS, "                             buffer, num_buffers, num_outputs, used_components,\n",
     "                             buffer, util_bitcount(buffers & BITFIELD_MASK(buffer)),\n"
     "                             num_outputs, used_components,\n"),
    (QUERY, "            unsigned index = linked_xfb->Varyings[i].BufferIndex;\n",
     "            if (linked_xfb->Varyings[i].BufferIndex < 0)\n               continue;\n"
     "            unsigned index = linked_xfb->Varyings[i].BufferIndex;\n"),
    # GL 4.6, 11.1.2.1: what is declared can be captured. Outputs that nobody writes were gone before; GLSL 4.60, 4.4.2.1: they
    # count for the stride.
    (LINKER, "   bool *is_sso = (bool *) data;\n", "   bool *is_sso = (bool *) data;\n   if (var->data.is_xfb)\n"
     "      return false;\n"),
    (LINKER, "static void\nremove_dead_varyings_pre_linking(nir_shader *nir)\n",
     "static bool\nstarts_with_name(const char **text, const char *name)\n{\n"
     "   const size_t length = strlen(name);\n"
     "   if (strncmp(*text, name, length) != 0 || !strchr(\"[.\", (*text)[length]))\n      return false;\n"
     "   *text += length;\n   return true;\n}\n\n"
     "static bool\nis_asked_for(const struct gl_shader_program *prog, const nir_variable *var)\n{\n"
     "   for (unsigned i = 0; i < prog->TransformFeedback.NumVarying; i++) {\n"
     "      const char *name = prog->TransformFeedback.VaryingNames[i];\n"
     "      if (var->data.from_named_ifc_block) {\n"
     "         const char *block = glsl_get_type_name(glsl_without_array(var->interface_type));\n"
     "         if (!starts_with_name(&name, block) || !(name = strchr(name, '.')))\n            continue;\n"
     "         name++;\n      }\n"
     "      if (starts_with_name(&name, var->name))\n         return true;\n   }\n   return false;\n}\n\n"
     "/* Marks what transform feedback captures, be it written or not. */\n"
     "static void\nmark_captured_outputs(struct gl_shader_program *prog)\n{\n"
     "   bool by_layout = false;\n"
     "   nir_foreach_shader_out_variable(var, prog->last_vert_prog->nir)\n"
     "      by_layout |= var->data.explicit_offset;\n\n"
     "   nir_foreach_shader_out_variable(var, prog->last_vert_prog->nir) {\n"
     "      if (!is_gl_identifier(var->name) &&\n"
     "          (by_layout ? var->data.explicit_offset : is_asked_for(prog, var)))\n"
     "         var->data.is_xfb = 1;\n   }\n}\n\n"
     "static void\nremove_dead_varyings_pre_linking(nir_shader *nir)\n"),
    (LINKER, "   if (prog->SeparateShader)\n      disable_varying_optimizations_for_sso(prog);\n",
     "   if (prog->last_vert_prog)\n      mark_captured_outputs(prog);\n\n"
     "   if (prog->SeparateShader)\n      disable_varying_optimizations_for_sso(prog);\n"),
    (VARYINGS, "static void\nlink_shader_opts(",
     "static bool\nis_not_captured(nir_variable *var, void *data)\n{\n   return !var->data.is_xfb;\n}\n\n"
     "static const nir_remove_dead_variables_options keep_captured = {\n   .can_remove_var = is_not_captured,\n};\n\n"
     "static void\nlink_shader_opts("),
    (VARYINGS, "   NIR_PASS(_, producer, nir_remove_dead_variables, nir_var_shader_out, NULL);\n",
     "   NIR_PASS(_, producer, nir_remove_dead_variables, nir_var_shader_out, &keep_captured);\n"),
    (VARYINGS, "      NIR_PASS(_, producer, nir_remove_dead_variables, nir_var_shader_out,\n                 NULL);\n",
     "      NIR_PASS(_, producer, nir_remove_dead_variables, nir_var_shader_out,\n                 &keep_captured);\n"),
    (VARYINGS, "                 nir_remove_dead_variables, nir_var_shader_out, NULL);\n",
     "                 nir_remove_dead_variables, nir_var_shader_out, &keep_captured);\n"),
    # GLSL 4.60, 4.4.2.1: doubles in structures are captured from even components, where packing puts them from now on, too. It
    # left them where they fit into a slot.
    ("src/compiler/glsl/gl_nir_lower_packed_varyings.c",
     "   } else if (glsl_get_vector_elements(type) * dmul + fine_location % 4 > 4) {\n",
     "   } else if (glsl_get_vector_elements(type) * dmul + fine_location % 4 > 4 ||\n"
     "              fine_location % dmul) {\n"),
    ("src/compiler/glsl_types.c",
     "   /* Align 64bit type only if it crosses attribute slot boundary. */\n",
     "   /* 64-bit types begin at even components. */\n"),
    ("src/compiler/glsl_types.c", "      if (offset % 2 == 1 && (offset % 4 + size) > 4) {\n",
     "      if (offset % 2 == 1) {\n"),
    (VARYINGS, "      previous_var_xfb = var->data.is_xfb;\n",
     "      if (glsl_type_contains_64bit(type))\n         *location = ALIGN(*location, 2);\n\n"
     "      previous_var_xfb = var->data.is_xfb;\n"),
    # GL ES 3.2, 7.4.1: blocks match by their names and members, be there names of instances or not.
    (QUERY, "static bool\nvalidate_io(struct gl_program *producer, struct gl_program *consumer)\n",
     "/* The name of a variable, or of a member within its block. */\n"
     "static const char *\nname_within_block(const gl_shader_variable *var)\n{\n"
     "   const char *name = var->name.string;\n"
     "   if (!var->interface_type)\n      return name;\n"
     "   const char *block = glsl_get_type_name(glsl_without_array(var->interface_type));\n"
     "   const size_t length = strlen(block);\n"
     "   return strncmp(name, block, length) == 0 && name[length] == '.' ? name + length + 1 : name;\n}\n\n"
     "/* The subscript of the vertex in a name: arrays of arrays and of structures have a resource for each vertex\n"
     " * (c[0], s[0].x), others one (c). NULL: there is none.\n */\n"
     "static const char *\nvertex_of(const gl_shader_variable *var, bool is_array_stage)\n{\n"
     "   if (!is_array_stage || var->patch || var->interface_type)\n      return NULL;\n"
     "   return strchr(var->name.string, '[');\n}\n\n"
     "/* The first one stands for all (GL ES 3.2, 7.4.1: \"treated as though they were not declared as arrays\"). */\n"
     "static bool\nis_of_other_vertex(const gl_shader_variable *var, bool is_array_stage)\n{\n"
     "   const char *vertex = vertex_of(var, is_array_stage);\n"
     "   return vertex && strncmp(vertex, \"[0]\", 3) != 0;\n}\n\n"
     "static bool\nsame_names_without(const char *a, const char *a_vertex, const char *b, const char *b_vertex)\n{\n"
     "   const size_t length = a_vertex ? a_vertex - a : b_vertex ? b_vertex - b : 0;\n"
     "   return strncmp(a, b, length) == 0 &&\n"
     "          strcmp(a + length + (a_vertex ? 3 : 0), b + length + (b_vertex ? 3 : 0)) == 0;\n}\n\n"
     "static bool\nsame_names(const gl_shader_variable *a, bool a_is_array_stage,\n"
     "           const gl_shader_variable *b, bool b_is_array_stage)\n{\n"
     "   if (!a->interface_type || !b->interface_type)\n"
     "      return same_names_without(a->name.string, vertex_of(a, a_is_array_stage),\n"
     "                                b->name.string, vertex_of(b, b_is_array_stage));\n"
     "   return strcmp(glsl_get_type_name(glsl_without_array(a->interface_type)),\n"
     "                 glsl_get_type_name(glsl_without_array(b->interface_type))) == 0 &&\n"
     "          strcmp(name_within_block(a), name_within_block(b)) == 0;\n}\n\n"
     "static bool\nvalidate_io(struct gl_program *producer, struct gl_program *consumer)\n"),
    (QUERY, "                strcmp(consumer_var->name.string, var->name.string) == 0) {\n",
     "                same_names(consumer_var, consumer_is_array_stage, var, producer_is_array_stage)) {\n"),
    (QUERY, "      if (is_gl_identifier(var->name.string))\n         continue;\n\n      outputs[num_outputs++] = var;\n",
     "      if (is_gl_identifier(var->name.string) || is_of_other_vertex(var, producer_is_array_stage))\n"
     "         continue;\n\n      outputs[num_outputs++] = var;\n"),
    (QUERY, "      if (is_gl_identifier(consumer_var->name.string))\n         continue;\n\n"
     "      /* Inputs with explicit locations match",
     "      if (is_gl_identifier(consumer_var->name.string) ||\n"
     "          is_of_other_vertex(consumer_var, consumer_is_array_stage))\n"
     "         continue;\n\n      /* Inputs with explicit locations match"),
    *[(QUERY, f"            if (glsl_type_is_array({side}_type) && !{side}_var->patch)\n",
       f"            if (glsl_type_is_array({side}_type) && !{side}_var->patch &&\n"
       f"                !vertex_of({side}_var, {side}_is_array_stage))\n")
      for side in ("consumer", "producer")],
    (QUERY, "      if (producer_var->precision != consumer_var->precision) {\n",
     "      /* That of a block's member is the type's. */\n"
     "      if (!producer_interface_type && producer_var->precision != consumer_var->precision) {\n"),
    # GL ES 3.2, 7.4.1: gl_PointSize is ignored when interfaces are matched.
    (BLOCKS, "/**\n * Return true if interface members mismatch and its not allowed by GLSL.\n */\n",
     "static unsigned\nskip_point_size(const struct gl_shader_program *prog, const struct glsl_type *block, unsigned i)\n{\n"
     "   return prog->IsES && i < block->length && strcmp(glsl_get_type_name(block), \"gl_PerVertex\") == 0 &&\n"
     "          strcmp(block->fields.structure[i].name, \"gl_PointSize\") == 0 ? i + 1 : i;\n}\n\n"
     "/**\n * Return true if interface members mismatch and its not allowed by GLSL.\n */\n"),
    (BLOCKS, "   if (c->length != p->length)\n      return true;\n\n   for (unsigned i = 0; i < c->length; i++) {\n",
     "   for (unsigned i = 0, j = 0;; i++, j++) {\n"
     "      i = skip_point_size(prog, c, i);\n      j = skip_point_size(prog, p, j);\n"
     "      if (i == c->length || j == p->length)\n         return i != c->length || j != p->length;\n"),
    (BLOCKS, "p->fields.structure[i]", "p->fields.structure[j]"),
    # GL 4.6, 7.3.1: a name's index is decimal digits; none were taken for 0.
    ("src/compiler/glsl/linker_util.cpp", "   if ((i == 0) || name[i-1] != '[')\n",
     "   if (i == 0 || i == len - 1 || name[i-1] != '[')\n"),
    # GL 4.6, 7.4.1: what a separable program has behind its first stage doesn't matter for that one's inputs. They got their
    # locations a second time, in the order that packing had left.
    (VARYINGS, "         if (!assign_final_varying_locations(consts, exts, mem_ctx, prog, sh_i,\n",
     "         if ((sh_i || !prog->SeparateShader) &&\n"
     "             !assign_final_varying_locations(consts, exts, mem_ctx, prog, sh_i,\n"),
    # NV_viewport_array2: a mask gives each viewport's fragments its index, and its layer where that counts from it, though
    # the stage before writes no index and one layer for all.
    ("src/compiler/nir/nir_opt_varyings.c",
     "   if (feedback_reads(linkage, location))\n      return false;\n\n",
     "   if (feedback_reads(linkage, location))\n      return false;\n\n"
     "   if ((location == VARYING_SLOT_LAYER || location == VARYING_SLOT_VIEWPORT) &&\n"
     "       linkage->producer_builder.shader->info.outputs_written & VARYING_BIT_VIEWPORT_MASK)\n"
     "      return false;\n\n"),
    # GL 4.6, 7.4.1: the user's variables match by name. A built-in that only one side has, and that has no location of its own
    # (gl_BoundingBox in ES 3.2's control shaders), moved all that stand behind it in the alphabet.
    (VARYINGS, "   return -strcmp(a->name, b->name);\n",
     "   if (is_gl_identifier(a->name) != is_gl_identifier(b->name))\n"
     "      return is_gl_identifier(a->name) ? -1 : 1;\n\n   return -strcmp(a->name, b->name);\n"),
]
