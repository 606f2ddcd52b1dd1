# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of GLSL's compiler and linker."""

EDITS = [
    # Constant arrays become uniforms where there is room. A compatibility profile's built-in uniforms are counted,
    # too, so that the room could be less than none, which wrapped around: programs with all the uniforms that
    # they may have didn't link.
    ("src/compiler/nir/nir_lower_const_arrays_to_uniforms.c",
     "free_uni_components = max_uniform_components - uniform_components;",
     "free_uni_components = max_uniform_components - MIN2(uniform_components, max_uniform_components);"),
    # GLSL 4.60, 4.4.2: with a component qualifier, each element of an array begins at that component of its location.
    # Transform feedback took all elements behind the first from component 0.
    ("src/compiler/glsl/gl_nir_link_varyings.c",
     "         num_components -= output_size;\n         location++;\n         location_frac = 0;\n",
     "         num_components -= output_size;\n         location++;\n"
     "         location_frac = varying_has_user_specified_location(xfb_decl->matched_candidate->toplevel_var) &&\n"
     "                         current_type_components_left == type_num_components ?\n"
     "                         xfb_decl->location_frac : 0;\n"),
    # An output that only its own control shader reads back was kept for one of the same value that the next stage reads,
    # whose loads were then set up after the first of no loads.
    ("src/compiler/nir/nir_opt_varyings.c",
     "      struct scalar_slot *found_slot = &linkage->slot[(uintptr_t)entry->data];\n",
     "      struct scalar_slot *found_slot = &linkage->slot[(uintptr_t)entry->data];\n"
     "      if (list_is_empty(&found_slot->consumer.loads) && !list_is_empty(&slot->consumer.loads))\n"
     "         continue;\n"),
    # An output is the same for all vertices of a primitive when one value is stored: in a loop each turn has a value of its
    # own (GLSL 4.60, 8.15). What a geometry shader emitted in one arrived flat.
    ("src/compiler/nir/nir_opt_varyings.c",
     "static bool\ngather_outputs(",
     "static bool\nis_in_loop(const nir_cf_node *node)\n{\n"
     "   for (; node; node = node->parent) {\n      if (node->type == nir_cf_node_loop)\n         return true;\n   }\n"
     "   return false;\n}\n\n"
     "static bool\ngather_outputs("),
    ("src/compiler/nir/nir_opt_varyings.c",
     "      const bool divergent = (!constant && linkage->producer_stage == MESA_SHADER_MESH) ||\n",
     "      const bool divergent = (!constant && linkage->producer_stage == MESA_SHADER_MESH) ||\n"
     "                             (!constant && linkage->producer_stage == MESA_SHADER_GEOMETRY &&\n"
     "                              is_in_loop(&value->parent_instr->block->cf_node)) ||\n"),
    # What a driver does to clip distances of disabled planes, or to layers that aren't there, is none of a varying's of the
    # same value (GLSL 4.60, 7.1: only these "have defined values" where they are enabled).
    ("src/compiler/nir/nir_opt_varyings.c",
     "   struct opt_options options_sysval_output = {\n      .propagate_uniform_expr = true,\n      .deduplicate = true,\n",
     "   struct opt_options options_sysval_output = {\n      .propagate_uniform_expr = true,\n"),
    # A control shader's outputs are memory of all its invocations (GLSL 4.60, 4.3.6): the one value in the shader is another
    # one in each of them and in each turn of a loop, so two outputs are alike only where they are stored together.
    ("src/compiler/nir/nir_opt_varyings.c",
     "static void\ndeduplicate_outputs(struct linkage_info *linkage,\n",
     "static bool\nis_stored_in(const struct scalar_slot *slot, const nir_block *block)\n{\n"
     "   list_for_each_entry(struct list_node, iter, &slot->producer.stores, head) {\n"
     "      if (iter->instr->instr.block == block)\n         return true;\n   }\n   return false;\n}\n\n"
     "static bool\nare_stored_together(const struct scalar_slot *one, const struct scalar_slot *other)\n{\n"
     "   list_for_each_entry(struct list_node, iter, &one->producer.stores, head) {\n"
     "      if (!is_stored_in(other, iter->instr->instr.block))\n         return false;\n   }\n"
     "   list_for_each_entry(struct list_node, iter, &other->producer.stores, head) {\n"
     "      if (!is_stored_in(one, iter->instr->instr.block))\n         return false;\n   }\n   return true;\n}\n\n"
     "static void\ndeduplicate_outputs(struct linkage_info *linkage,\n"),
    ("src/compiler/nir/nir_opt_varyings.c",
     "         continue;\n      nir_intrinsic_instr *store =\n",
     "         continue;\n"
     "      if (linkage->producer_stage == MESA_SHADER_TESS_CTRL && !are_stored_together(slot, found_slot))\n"
     "         continue;\n\n      nir_intrinsic_instr *store =\n"),
    # GL_ARB_gpu_shader_int64 has min, max and clamp: constants among their arguments ended the compiler.
    ("src/compiler/glsl/opt_minmax.cpp",
     "      case GLSL_TYPE_DOUBLE:\n         if (a->value.d[c0] <",
     "      case GLSL_TYPE_UINT64:\n"
     "         (a->value.u64[c0] < b->value.u64[c1] ? foundless :\n"
     "          a->value.u64[c0] > b->value.u64[c1] ? foundgreater : foundequal) = true;\n"
     "         break;\n"
     "      case GLSL_TYPE_INT64:\n"
     "         (a->value.i64[c0] < b->value.i64[c1] ? foundless :\n"
     "          a->value.i64[c0] > b->value.i64[c1] ? foundgreater : foundequal) = true;\n"
     "         break;\n"
     "      case GLSL_TYPE_DOUBLE:\n         if (a->value.d[c0] <"),
    ("src/compiler/glsl/opt_minmax.cpp",
     "      case GLSL_TYPE_DOUBLE:\n         if ((ismin &&",
     "      case GLSL_TYPE_UINT64:\n"
     "         c->value.u64[i] = ismin ? MIN2(b->value.u64[i], c->value.u64[i]) : MAX2(b->value.u64[i], c->value.u64[i]);\n"
     "         break;\n"
     "      case GLSL_TYPE_INT64:\n"
     "         c->value.i64[i] = ismin ? MIN2(b->value.i64[i], c->value.i64[i]) : MAX2(b->value.i64[i], c->value.i64[i]);\n"
     "         break;\n"
     "      case GLSL_TYPE_DOUBLE:\n         if ((ismin &&"),
    # OpenGL 4.6, 13.3: gl_CullDistance can be captured. In the outputs it lies behind gl_ClipDistance, for which it was
    # taken.
    ("src/compiler/glsl/gl_nir_link_varyings.c",
     "   xfb_decl->location = fine_location / 4;\n",
     "   if (xfb_decl->lowered_builtin_array_variable == cull_distance && prog->last_vert_prog)\n"
     "      fine_location += prog->last_vert_prog->nir->info.clip_distance_array_size;\n"
     "   xfb_decl->location = fine_location / 4;\n"),
    # GLSL 4.60, 4.4.5: a member's offset is a multiple of its base alignment, whatever smaller align it is given; a
    # column_major member of a row_major block is laid out by columns; and the last array of a buffer has an offset and
    # an alignment where its size is left open, too (none was taken for a block without a layout).
    ("src/compiler/glsl/ast_to_hir.cpp",
     "matrix_layout == GLSL_MATRIX_LAYOUT_ROW_MAJOR) {\n               row_major = true;",
     "(matrix_layout == GLSL_MATRIX_LAYOUT_ROW_MAJOR &&\n"
     "                 !qual->flags.q.column_major)) {\n               row_major = true;"),
    ("src/compiler/glsl/ast_to_hir.cpp",
     "               if (base_alignment != 0 && size != 0) {\n                   if (next_offset",
     "               if (base_alignment != 0) {\n                   if (next_offset"),
    ("src/compiler/glsl/ast_to_hir.cpp",
     "            if (base_alignment == 0 || size == 0) {\n",
     "            if (base_alignment != 0)\n               offset = align(offset, base_alignment);\n"
     "            if (base_alignment == 0) {\n"),
    # GLSL 4.60, 4.3.9: blocks match by their names, whether or not an instance has one. The members of a block without
    # an instance name, where they have locations, were known by those alone, which a block with one doesn't have.
    ("src/compiler/glsl/gl_nir_link_interface_blocks.c",
     "         _mesa_hash_table_search(ht, location_str);\n"
     "      return entry ? (struct ifc_var *) entry->data : NULL;\n   } else {\n",
     "         _mesa_hash_table_search(ht, location_str);\n"
     "      if (entry)\n         return (struct ifc_var *) entry->data;\n   }\n   {\n"),
    ("src/compiler/glsl/gl_nir_link_interface_blocks.c",
     "      _mesa_hash_table_insert(ht, ralloc_strdup(mem_ctx, location_str), ifc_var);\n   } else {\n",
     "      _mesa_hash_table_insert(ht, ralloc_strdup(mem_ctx, location_str), ifc_var);\n   }\n   {\n"),
    # Only what a shader puts out has offsets of transform feedback: any block's were taken for those.
    ("src/compiler/glsl/ast_to_hir.cpp",
     "   validate_xfb_offset_qualifier(&loc, state, xfb_offset, block_type,\n"
     "                                 component_size);\n",
     "   if (var_mode == ir_var_shader_out)\n"
     "      validate_xfb_offset_qualifier(&loc, state, xfb_offset, block_type,\n"
     "                                    component_size);\n"),
    # GL 4.6, 7.3.1.1: of an array of aggregates only the first element's members are listed. What told the elements
    # behind the first was kept from block to block, which hid other members and listed those elements; and it was kept
    # for members before the array, which a block without an instance name has behind it in the linker's list.
    ("src/compiler/glsl/gl_nir_linker.c",
     "      if (prog->data->UniformStorage[i].offset >= second_element_offset) {",
     "      if (block_index != uniform->block_index ||\n"
     "          prog->data->UniformStorage[i].offset < top_level_array_base_offset ||\n"
     "          prog->data->UniformStorage[i].offset >= second_element_offset) {"),
    # What was made for the disk cache is made again for a program's binary, and kept by nobody then.
    ("src/compiler/glsl/shader_cache.cpp",
     "   serialize_glsl_program(&metadata, ctx, prog);\n\n   struct cache_item_metadata",
     "   serialize_glsl_program(&metadata, ctx, prog);\n"
     "   for (unsigned i = 0; i < MESA_SHADER_STAGES; i++) {\n"
     "      struct gl_linked_shader *sh = prog->_LinkedShaders[i];\n"
     "      if (!sh || !ctx->Driver.ShaderCacheSerializeDriverBlob)\n"
     "         continue;\n"
     "      ralloc_free(sh->Program->driver_cache_blob);\n"
     "      sh->Program->driver_cache_blob = NULL;\n"
     "      sh->Program->driver_cache_blob_size = 0;\n"
     "   }\n\n   struct cache_item_metadata"),
    # Uniforms of structures with 64-bit members. The linker places each of these on an even word, and the shader's side
    # counted words without the gaps, so that it read what lies before. Both now begin members with 64-bit scalars, and
    # begin and end structures with such members, on even words.
    ("src/compiler/glsl_types.c",
     "unsigned\nglsl_count_dword_slots(",
     "bool glsl_contains_64bit_scalars(const glsl_type *t); /* here, not in the header that all files have */\n\n"
     "bool\nglsl_contains_64bit_scalars(const glsl_type *t)\n{\n"
     "   if (glsl_type_is_array(t))\n"
     "      return glsl_contains_64bit_scalars(t->fields.array);\n"
     "   if (!glsl_type_is_struct_or_ifc(t))\n"
     "      return glsl_type_is_double(t) || glsl_type_is_integer_64(t);\n"
     "   for (unsigned i = 0; i < t->length; i++) {\n"
     "      if (glsl_contains_64bit_scalars(t->fields.structure[i].type))\n"
     "         return true;\n"
     "   }\n   return false;\n}\n\n"
     "unsigned\nglsl_count_dword_slots("),
    ("src/compiler/glsl_types.c",
     "         size += glsl_count_dword_slots(t->fields.structure[i].type,\n"
     "                                        is_bindless);\n      }\n      return size;",
     "         const glsl_type *field = t->fields.structure[i].type;\n"
     "         if (glsl_contains_64bit_scalars(field))\n"
     "            size = align(size, 2);\n"
     "         size += glsl_count_dword_slots(field, is_bindless);\n      }\n"
     "      return glsl_contains_64bit_scalars(t) ? align(size, 2) : size;"),
    ("src/compiler/nir/nir_lower_io.c",
     "            field_offset += type_size(glsl_get_struct_field(parent->type, i), bts);\n         }\n",
     "            field_offset += type_size(glsl_get_struct_field(parent->type, i), bts);\n"
     "            const struct glsl_type *next = glsl_get_struct_field(parent->type, i + 1);\n"
     "            if (path.path[0]->modes == nir_var_uniform && glsl_contains_64bit_scalars(next))\n"
     "               field_offset = align(field_offset, type_size(glsl_double_type(), bts)); /* words: 2 */\n"
     "         }\n"),
    ("src/compiler/nir/nir_lower_io.c",
     "struct lower_io_state {",
     "bool glsl_contains_64bit_scalars(const struct glsl_type *type);\n\nstruct lower_io_state {"),
    ("src/compiler/glsl/gl_nir_link_uniforms.c",
     "static bool\nfind_and_update_named_uniform_storage(",
     "bool glsl_contains_64bit_scalars(const struct glsl_type *type);\n\n"
     "/* As glsl_count_dword_slots() counts structures. */\n"
     "static void\nalign_parameters(struct nir_link_uniforms_state *state, const struct glsl_type *type)\n{\n"
     "   if (!state->params || state->var_is_in_block || !glsl_type_is_struct(type) ||\n"
     "       !glsl_contains_64bit_scalars(type))\n      return;\n"
     "   _mesa_reserve_parameter_storage(state->params, 0, 1);\n"
     "   state->params->NumParameterValues = align(state->params->NumParameterValues, 2);\n}\n\n"
     "static bool\nfind_and_update_named_uniform_storage("),
    # What another stage declared already is gone through here, what is new further down.
    ("src/compiler/glsl/gl_nir_link_uniforms.c",
     "      struct type_tree_entry *old_type = state->current_type;\n      state->current_type = old_type->children;\n",
     "      struct type_tree_entry *old_type = state->current_type;\n      state->current_type = old_type->children;\n"
     "      align_parameters(state, type);\n"),
    ("src/compiler/glsl/gl_nir_link_uniforms.c",
     "      state->current_type = old_type;\n\n      return result;\n",
     "      state->current_type = old_type;\n      align_parameters(state, type);\n\n      return result;\n"),
    ("src/compiler/glsl/gl_nir_link_uniforms.c",
     "      if (glsl_type_is_struct(type) && !prog->data->spirv)\n         enter_record(",
     "      align_parameters(state, type);\n"
     "      if (glsl_type_is_struct(type) && !prog->data->spirv)\n         enter_record("),
    ("src/compiler/glsl/gl_nir_link_uniforms.c",
     "         leave_record(state, consts, type, row_major);\n\n      state->current_type = old_type;\n",
     "         leave_record(state, consts, type, row_major);\n      align_parameters(state, type);\n\n"
     "      state->current_type = old_type;\n"),
    # What is between parameters for that goes into program binaries and the disk cache, too: read back without it, all
    # that follows was taken for something else, and the program was refused.
    ("src/compiler/glsl/serialize.cpp",
     "      blob_write_uint32(metadata, param->Padded);\n",
     "      blob_write_uint32(metadata, param->Padded);\n      blob_write_uint32(metadata, param->ValueOffset);\n"),
    ("src/compiler/glsl/serialize.cpp",
     "   blob_write_bytes(metadata, params->ParameterValues,\n",
     "   blob_write_uint32(metadata, params->NumParameterValues);\n"
     "   blob_write_bytes(metadata, params->ParameterValues,\n"),
    ("src/compiler/glsl/serialize.cpp",
     "static void\nread_shader_parameters(",
     "/* Leaves what lies before `end` to parameters that there are, and to nothing. */\n"
     "static void\nfill_parameters(struct gl_program_parameter_list *params, unsigned end)\n{\n"
     "   if (end <= params->NumParameterValues)\n      return;\n"
     "   _mesa_reserve_parameter_storage(params, 0, DIV_ROUND_UP(end - params->NumParameterValues, 4));\n"
     "   params->NumParameterValues = end;\n}\n\n"
     "static void\nread_shader_parameters("),
    ("src/compiler/glsl/serialize.cpp",
     "      bool padded = blob_read_uint32(metadata);\n",
     "      bool padded = blob_read_uint32(metadata);\n      fill_parameters(params, blob_read_uint32(metadata));\n"),
    ("src/compiler/glsl/serialize.cpp",
     "   blob_copy_bytes(metadata, (uint8_t *) params->ParameterValues,\n",
     "   fill_parameters(params, blob_read_uint32(metadata));\n"
     "   blob_copy_bytes(metadata, (uint8_t *) params->ParameterValues,\n"),
    # GL_KHR_blend_equation_advanced: a grey has the luminosity of its channels, so that nothing of it is clipped. With
    # rounding it was below 0 or above 1 by the last bit, and what was divided by its distance from itself wasn't a
    # number: white or transparent sources over greys drew black.
    ("src/compiler/glsl/gl_nir_lower_blend_equation_advanced.c",
     "nir_push_if(b, nir_flt(b, mincol_def, imm1(b, 0.0)));",
     "nir_push_if(b, nir_iand(b, nir_flt(b, mincol_def, imm1(b, 0.0)), nir_flt(b, mincol_def, llum_def)));"),
    ("src/compiler/glsl/gl_nir_lower_blend_equation_advanced.c",
     "nir_push_if(b, nir_flt(b, imm1(b, 1.0), maxcol_def));",
     "nir_push_if(b, nir_iand(b, nir_flt(b, imm1(b, 1.0), maxcol_def), nir_flt(b, llum_def, maxcol_def)));"),
    # GLSL ES 3.20, 3.8, and GLSL 3.30, 3.6: double is reserved. It was a type without any extension.
    ("src/compiler/glsl/glsl_lexer.ll",
     "TYPE_WITH_ALT(130, 100, 130, 300, yyextra->ARB_gpu_shader_fp64_enable, &glsl_type_builtin_double)",
     "TYPE_WITH_ALT(130, 100, 400, 0, yyextra->ARB_gpu_shader_fp64_enable, &glsl_type_builtin_double)"),
    # GLSL ES 3.20, 4.3.8: shared variables have no initializers. One was taken, and never stored.
    ("src/compiler/glsl/ast_to_hir.cpp",
     "   if (var->data.mode == ir_var_shader_storage) {\n      _mesa_glsl_error(&initializer_loc, state,\n"
     "                       \"cannot initialize buffer variable %s\",\n",
     "   if (var->data.mode == ir_var_shader_storage || var->data.mode == ir_var_shader_shared) {\n"
     "      _mesa_glsl_error(&initializer_loc, state,\n"
     "                       \"cannot initialize buffer or shared variable %s\",\n"),
    # GLSL 4.60, 6.1.1: an argument's index is worked out once, before the call, and names where an out parameter goes.
    # Only plain variables as indices of scalars, vectors and matrices were kept; expressions and indices of arrays and
    # structures were worked out again after the call, from what the function had left in the variables.
    ("src/compiler/glsl/ast_function.cpp",
     "      if (!var || var->data.read_only || var->data.memory_read_only)\n         return;",
     "      if (idx->constant_expression_value(d->mem_ctx) ||\n"
     "          (var && (var->data.read_only || var->data.memory_read_only)))\n         return;"),
    ("src/compiler/glsl/ast_function.cpp",
     "            assert (!\"Illegal formal parameter mode\");\n            break;\n         }\n      }\n",
     "            assert (!\"Illegal formal parameter mode\");\n            break;\n         }\n"
     "      } else if (formal->data.mode == ir_var_function_out || formal->data.mode == ir_var_function_inout) {\n"
     "         struct copy_index_deref_data data = {ctx, instructions};\n"
     "         visit_tree(actual, copy_index_derefs_to_temps, &data);\n      }\n"),
    # GLSL 4.60, 4.10, and ES 3.20, 4.9: through a readonly variable memory isn't written, be it by an assignment, an out
    # parameter or an atomic function. A member's qualifier was forgotten where its block has an instance name, and
    # arguments were looked at for const alone.
    ("src/compiler/glsl/ast.h",
     "extern ir_rvalue *\n_mesa_ast_array_index_to_hir(",
     "extern bool\nkobalt_ast_is_readonly_buffer(const ir_rvalue *ir);\n\n"
     "extern ir_rvalue *\n_mesa_ast_array_index_to_hir("),
    ("src/compiler/glsl/ast_to_hir.cpp",
     "static bool\ndo_assignment(exec_list *instructions, struct _mesa_glsl_parse_state *state,\n",
     "bool\nkobalt_ast_is_readonly_buffer(const ir_rvalue *ir)\n{\n"
     "   const ir_variable *var = ir->variable_referenced();\n"
     "   if (var == NULL || var->data.mode != ir_var_shader_storage)\n      return false;\n"
     "   while (ir != NULL) {\n"
     "      if (ir->ir_type == ir_type_swizzle) {\n"
     "         ir = ((const ir_swizzle *)ir)->val;\n"
     "      } else if (ir->ir_type == ir_type_dereference_array) {\n"
     "         ir = ((const ir_dereference_array *)ir)->array;\n"
     "      } else if (ir->ir_type == ir_type_dereference_record) {\n"
     "         const ir_dereference_record *member = (const ir_dereference_record *)ir;\n"
     "         const glsl_type *type = member->record->type;\n"
     "         if (glsl_type_is_interface(type))\n"
     "            return type->fields.structure[member->field_idx].memory_read_only;\n"
     "         ir = member->record;\n"
     "      } else if (ir->ir_type == ir_type_expression &&\n"
     "                 ((const ir_expression *)ir)->operation == ir_binop_vector_extract) {\n"
     "         ir = ((const ir_expression *)ir)->operands[0];\n"
     "      } else {\n         break;\n      }\n   }\n   return var->data.memory_read_only;\n}\n\n"
     "static bool\ndo_assignment(exec_list *instructions, struct _mesa_glsl_parse_state *state,\n"),
    # A block with an instance name is one variable: it had the qualifiers of its last member.
    ("src/compiler/glsl/ast_to_hir.cpp",
     "      for (unsigned i = 0; i < num_variables; i++) {\n"
     "         if (var->data.mode == ir_var_shader_storage)\n"
     "            apply_memory_qualifiers(var, fields[i]);\n      }\n\n      if (ir_variable *earlier =\n",
     "      if (var->data.mode == ir_var_shader_storage) {\n"
     "         apply_memory_qualifiers(var, fields[0]);\n"
     "         for (unsigned i = 1; i < num_variables; i++) {\n"
     "            var->data.memory_read_only &= fields[i].memory_read_only;\n"
     "            var->data.memory_write_only &= fields[i].memory_write_only;\n"
     "            var->data.memory_coherent |= fields[i].memory_coherent;\n"
     "            var->data.memory_volatile |= fields[i].memory_volatile;\n"
     "            var->data.memory_restrict &= fields[i].memory_restrict;\n"
     "         }\n      }\n\n      if (ir_variable *earlier =\n"),
    ("src/compiler/glsl/ast_to_hir.cpp",
     "                 (lhs_var->data.mode == ir_var_shader_storage &&\n"
     "                  lhs_var->data.memory_read_only))) {",
     "                 kobalt_ast_is_readonly_buffer(lhs))) {"),
    ("src/compiler/glsl/ast_function.cpp",
     "         if (var && var->data.read_only) {\n",
     "         if (var && (var->data.read_only || kobalt_ast_is_readonly_buffer(actual))) {\n"),
    ("src/compiler/glsl/ast_function.cpp",
     "      if (!verify_first_atomic_parameter(&loc, state,\n"
     "                                         actual->variable_referenced())) {\n"
     "         return false;\n      }\n",
     "      if (!verify_first_atomic_parameter(&loc, state,\n"
     "                                         actual->variable_referenced())) {\n"
     "         return false;\n      }\n"
     "      if (kobalt_ast_is_readonly_buffer(actual)) {\n"
     "         _mesa_glsl_error(&loc, state, \"atomic function on the read-only variable '%s'\",\n"
     "                          actual->variable_referenced()->name);\n         return false;\n      }\n"),
    # GLSL 4.60, 8.9.4: the component that a gather takes is 0, 1, 2 or 3. SPIR-V has no other one.
    ("src/compiler/glsl/ast_function.cpp",
     "      /* Verify that shader_in parameters are shader inputs */\n",
     "      if (formal->data.mode == ir_var_const_in && sig->is_builtin() &&\n"
     "          strcmp(formal->name, \"comp\") == 0 &&\n"
     "          ((const ir_constant *) actual)->value.u[0] > 3) {\n"
     "         _mesa_glsl_error(&loc, state, \"a gather's component must be 0, 1, 2 or 3\");\n"
     "         return false;\n      }\n\n"
     "      /* Verify that shader_in parameters are shader inputs */\n"),
    # GL 4.6, 8.14.1 and 8.14.3: the gradients of rectangles are of texels as well as their coordinates.
    ("src/compiler/nir/nir_lower_tex.c",
     "      nir_src_rewrite(&tex->src[coord_index].src, nir_fmul(b, coords, scale));\n   }\n}\n\n"
     "static void\nlower_rect_tex_scale(",
     "      nir_src_rewrite(&tex->src[coord_index].src, nir_fmul(b, coords, scale));\n   }\n"
     "   for (unsigned i = 0; i < tex->num_srcs; i++) {\n"
     "      if (tex->src[i].src_type == nir_tex_src_ddx || tex->src[i].src_type == nir_tex_src_ddy)\n"
     "         nir_src_rewrite(&tex->src[i].src, nir_fmul(b, tex->src[i].src.ssa, scale));\n"
     "   }\n"
     "}\n\n"
     "static void\nlower_rect_tex_scale("),
    # GLSL 4.60, 4.3.9: arrays of blocks match where the sizes and the members do. Compared were the types, which hold what
    # need not match, too: the buffer that transform feedback of one of the stages writes.
    ("src/compiler/glsl/gl_nir_link_interface_blocks.c",
     "      if (consumer_instance_type != producer->type)\n         return false;\n",
     "      if (!same_arrays(consumer_instance_type, producer->type))\n         return false;\n"),
    ("src/compiler/glsl/gl_nir_link_interface_blocks.c",
     "/**\n * Check if two interfaces match, according to interstage (in/out) interface\n",
     "static bool\n"
     "same_arrays(const struct glsl_type *a, const struct glsl_type *b)\n"
     "{\n"
     "   while (glsl_type_is_array(a) && glsl_type_is_array(b)) {\n"
     "      if (glsl_array_size(a) != glsl_array_size(b))\n"
     "         return false;\n"
     "      a = glsl_get_array_element(a);\n"
     "      b = glsl_get_array_element(b);\n"
     "   }\n"
     "   return !glsl_type_is_array(a) && !glsl_type_is_array(b);\n"
     "}\n\n"
     "/**\n * Check if two interfaces match, according to interstage (in/out) interface\n"),
    # A copy of an array, a structure or a matrix stood for its source until the copy was written; that the source may be
    # written as well was looked at for calls and barriers alone, so that the copy changed with it.
    ("src/compiler/nir/nir_opt_copy_prop_vars.c",
     "   /* List of copy structures ready for reuse */\n   struct list_head unused_copy_structs_list;\n",
     "   /* List of copy structures ready for reuse */\n   struct list_head unused_copy_structs_list;\n\n"
     "   /* Variables that entries have as sources, and whether other derefs are sources, too */\n"
     "   struct set *copied_vars;\n   bool copied_other;\n"),
    ("src/compiler/nir/nir_opt_copy_prop_vars.c",
     "      .vars_written_map = _mesa_pointer_hash_table_create(mem_ctx),\n   };\n",
     "      .vars_written_map = _mesa_pointer_hash_table_create(mem_ctx),\n"
     "      .copied_vars = _mesa_pointer_set_create(mem_ctx),\n   };\n"),
    ("src/compiler/nir/nir_opt_copy_prop_vars.c",
     "static struct copy_entry *\nlookup_entry_and_kill_aliases(struct copy_prop_var_state *state,\n",
     "static bool\n"
     "is_copied_from(struct copy_prop_var_state *state, struct copy_entry *entry,\n"
     "               nir_deref_and_path *deref)\n"
     "{\n"
     "   return !entry->src.is_ssa &&\n"
     "          (nir_compare_derefs_and_paths(state->mem_ctx, &entry->src.deref, deref) &\n"
     "           nir_derefs_may_alias_bit);\n"
     "}\n\n"
     "/* Removes the entries that stand for what is written. */\n"
     "static void\n"
     "kill_copies_from(struct copy_prop_var_state *state,\n"
     "                 struct copies *copies,\n"
     "                 nir_deref_and_path *deref)\n"
     "{\n"
     "   nir_deref_instr *root = nir_get_deref_path(state->mem_ctx, deref)->path[0];\n"
     "   bool only_itself = root->deref_type == nir_deref_type_var &&\n"
     "                      root->var->data.mode != nir_var_mem_ssbo &&\n"
     "                      root->var->data.mode != nir_var_mem_shared;\n"
     "   if (!state->copied_other &&\n"
     "       (only_itself ? !_mesa_set_search(state->copied_vars, root->var) :\n"
     "                      !state->copied_vars->entries))\n"
     "      return;\n\n"
     "   hash_table_foreach(copies->ht, ht_entry) {\n"
     "      /* Arrays are cloned where something is removed only. */\n"
     "      bool any = false;\n"
     "      struct copies_dynarray *shared = ht_entry->data;\n"
     "      util_dynarray_foreach(&shared->arr, struct copy_entry, iter)\n"
     "         any = any || is_copied_from(state, iter, deref);\n"
     "      if (!any)\n"
     "         continue;\n\n"
     "      struct copies_dynarray *own =\n"
     "         get_copies_array_from_ht_entry(state, copies, ht_entry);\n"
     "      util_dynarray_foreach_reverse(&own->arr, struct copy_entry, iter) {\n"
     "         if (is_copied_from(state, iter, deref))\n"
     "            copy_entry_remove(&own->arr, iter, NULL);\n"
     "      }\n"
     "   }\n\n"
     "   util_dynarray_foreach_reverse(&copies->arr, struct copy_entry, iter) {\n"
     "      if (is_copied_from(state, iter, deref))\n"
     "         copy_entry_remove(&copies->arr, iter, NULL);\n"
     "   }\n"
     "}\n\n"
     "static struct copy_entry *\nlookup_entry_and_kill_aliases(struct copy_prop_var_state *state,\n"),
    ("src/compiler/nir/nir_opt_copy_prop_vars.c",
     "   struct copy_entry *entry = NULL;\n\n   nir_get_deref_path(state->mem_ctx, deref);\n",
     "   struct copy_entry *entry = NULL;\n\n   nir_get_deref_path(state->mem_ctx, deref);\n"
     "   kill_copies_from(state, copies, deref);\n"),
    # What an if or a loop writes by a call or behind a barrier may be a source, too.
    ("src/compiler/nir/nir_opt_copy_prop_vars.c",
     "            if (nir_deref_mode_may_be(entry->dst.instr, written->modes))\n"
     "               copy_entry_remove(&copies_array->arr, entry, NULL);\n",
     "            if (nir_deref_mode_may_be(entry->dst.instr, written->modes) ||\n"
     "                (!entry->src.is_ssa && nir_deref_mode_may_be(entry->src.deref.instr, written->modes)))\n"
     "               copy_entry_remove(&copies_array->arr, entry, NULL);\n"),
    ("src/compiler/nir/nir_opt_copy_prop_vars.c",
     "         if (nir_deref_mode_may_be(entry->dst.instr, written->modes))\n"
     "            copy_entry_remove(&copies->arr, entry, NULL);\n",
     "         if (nir_deref_mode_may_be(entry->dst.instr, written->modes) ||\n"
     "             (!entry->src.is_ssa && nir_deref_mode_may_be(entry->src.deref.instr, written->modes)))\n"
     "            copy_entry_remove(&copies->arr, entry, NULL);\n"),
    # A copy that writes its own source stands for nothing; and one that isn't kept has written its destination all the
    # same.
    ("src/compiler/nir/nir_opt_copy_prop_vars.c",
     "             * this copy.\n             */\n            break;\n         }\n",
     "             * this copy.\n             */\n"
     "            kill_aliases(state, copies, &dst, full_mask);\n            break;\n         }\n\n"
     "         if (!value.is_ssa) {\n"
     "            if (nir_compare_derefs_and_paths(state->mem_ctx, &value.deref, &dst) &\n"
     "                nir_derefs_may_alias_bit) {\n"
     "               kill_aliases(state, copies, &dst, full_mask);\n"
     "               break;\n"
     "            }\n"
     "            nir_deref_instr *root =\n"
     "               nir_get_deref_path(state->mem_ctx, &value.deref)->path[0];\n"
     "            if (root->deref_type == nir_deref_type_var)\n"
     "               _mesa_set_add(state->copied_vars, root->var);\n"
     "            else\n"
     "               state->copied_other = true;\n"
     "         }\n"),
    # A component that is stored in a copy of another vector leaves the others unknown: they were taken from what told
    # the vector.
    ("src/compiler/nir/nir_opt_copy_prop_vars.c",
     "      /* Clear value if it was being used as non-SSA. */\n      value->is_ssa = true;\n",
     "      /* Clear value if it was being used as non-SSA. */\n"
     "      if (!value->is_ssa)\n         memset(&value->ssa, 0, sizeof(value->ssa));\n"
     "      value->is_ssa = true;\n"),
    # Element by element, an array was taken for a copy of another that had been written as a whole since it was read
    # (swaps): what such a write meets was only known for what was read, the elements, and not for the whole. Nor do the
    # numbers of another block's instructions tell what lies before what.
    ("src/compiler/nir/nir_opt_find_array_copies.c",
     "   node_for_path(&src_path, state);\n}\n",
     "   node_for_path(&src_path, state);\n"
     "   for (unsigned i = 1; src_path.path[i]; i++) {\n"
     "      if (src_path.path[i]->deref_type == nir_deref_type_array)\n"
     "         node_for_path_with_wildcard(&src_path, i, state);\n"
     "   }\n}\n"),
    ("src/compiler/nir/nir_opt_find_array_copies.c",
     "         src_deref = nir_src_as_deref(intrin->src[1]);\n         load_index = intrin->instr.index;\n",
     "         src_deref = nir_src_as_deref(intrin->src[1]);\n         load_index = intrin->instr.index;\n"
     "         handle_read(src_deref, state);\n"),
    ("src/compiler/nir/nir_opt_find_array_copies.c",
     "         if (load == NULL || load->intrinsic != nir_intrinsic_load_deref) {\n",
     "         if (load == NULL || load->intrinsic != nir_intrinsic_load_deref ||\n"
     "             load->instr.block != block) {\n"),
    # GLSL 4.60, 5.5 and 5.6: v.yx[1] is v.x. Of members of blocks and of shared variables it was v.y, read or written: the
    # drivers index these themselves, and looked at the vector alone.
    ("src/compiler/glsl/lower_vector_derefs.cpp",
     "} /* anonymous namespace */\n\nir_visitor_status\nvector_deref_visitor::visit_enter(",
     "/* Makes an index of a swizzled vector one of the vector itself. */\n"
     "void\n"
     "index_unswizzled(ir_dereference_array *deref)\n"
     "{\n"
     "   void *mem_ctx = ralloc_parent(deref);\n"
     "   ir_swizzle *swizzle;\n"
     "   while ((swizzle = deref->array->as_swizzle()) && glsl_type_is_vector(swizzle->val->type)) {\n"
     "      ir_constant_data mask = {};\n"
     "      mask.i[0] = swizzle->mask.x;\n"
     "      mask.i[1] = swizzle->mask.y;\n"
     "      mask.i[2] = swizzle->mask.z;\n"
     "      mask.i[3] = swizzle->mask.w;\n"
     "      ir_rvalue *const components = new(mem_ctx)\n"
     "         ir_constant(glsl_ivec_type(swizzle->mask.num_components), &mask);\n"
     "      ir_rvalue *const index =\n"
     "         new(mem_ctx) ir_expression(ir_binop_vector_extract, components, deref->array_index);\n"
     "      ir_rvalue *const constant = index->constant_expression_value(mem_ctx);\n"
     "      deref->array = swizzle->val;\n"
     "      deref->array_index = constant ? constant : index;\n"
     "   }\n"
     "}\n\n"
     "} /* anonymous namespace */\n\nir_visitor_status\nvector_deref_visitor::visit_enter("),
    ("src/compiler/glsl/lower_vector_derefs.cpp",
     "       var->data.mode == ir_var_shader_shared)\n      return ir_rvalue_enter_visitor::visit_enter(ir);\n",
     "       var->data.mode == ir_var_shader_shared) {\n      index_unswizzled(deref);\n"
     "      return ir_rvalue_enter_visitor::visit_enter(ir);\n   }\n"),
    ("src/compiler/glsl/lower_vector_derefs.cpp",
     "                var->get_interface_type())))\n      return;\n",
     "                var->get_interface_type()))) {\n      index_unswizzled(deref);\n"
     "      if (ir_swizzle *const repeated = deref->array->as_swizzle())\n"
     "         *rv = repeated->val; /* a scalar, whatever the index */\n      return;\n   }\n"),
    # GLSL 4.60, 5.4.2: a matrix of a scalar has it on its diagonal, and what a matrix doesn't give one of another size is
    # the identity's. Of constants, the diagonal of a matrix with more columns than rows went on in the next column, and
    # doubles were copied as floats.
    ("src/compiler/glsl/ir.cpp",
     "         for (unsigned i = 0; i < type->matrix_columns; i++) {\n            switch (type->base_type) {\n",
     "         for (unsigned i = 0; i < MIN2(type->matrix_columns, type->vector_elements); i++) {\n"
     "            switch (type->base_type) {\n"),
    ("src/compiler/glsl/ir.cpp",
     "	    this->value.f[dst] = value->value.f[src];\n",
     "	    if (type->base_type == GLSL_TYPE_DOUBLE)\n"
     "	       this->value.d[dst] = value->get_double_component(src);\n"
     "	    else if (type->base_type == GLSL_TYPE_FLOAT16)\n"
     "	       this->value.f16[dst] = value->get_float16_component(src);\n"
     "	    else\n"
     "	       this->value.f[dst] = value->get_float_component(src);\n"),
    ("src/compiler/glsl/ir.cpp",
     "      for (unsigned i = cols; i < type->matrix_columns; i++)\n"
     "	 this->value.f[i * type->vector_elements + i] = 1.0;\n",
     "      for (unsigned i = MIN2(cols, rows); i < MIN2(type->matrix_columns, type->vector_elements); i++) {\n"
     "	 const unsigned dst = i * type->vector_elements + i;\n"
     "	 if (type->base_type == GLSL_TYPE_DOUBLE)\n"
     "	    this->value.d[dst] = 1.0;\n"
     "	 else if (type->base_type == GLSL_TYPE_FLOAT16)\n"
     "	    this->value.f16[dst] = _mesa_float_to_half(1.0f);\n"
     "	 else\n"
     "	    this->value.f[dst] = 1.0;\n"
     "      }\n"),
    # GLSL 4.60, 4.4.2.1: built-in outputs that are redeclared, in gl_PerVertex or alone, are captured where their
    # layouts say. These were forgotten.
    ("src/compiler/glsl/ast_to_hir.cpp",
     "            fields[i].offset =\n"
     "               earlier_per_vertex->fields.structure[j].offset;\n"
     "            fields[i].interpolation =\n",
     "            fields[i].interpolation =\n"),
    ("src/compiler/glsl/ast_to_hir.cpp",
     "            fields[i].explicit_xfb_buffer =\n"
     "               earlier_per_vertex->fields.structure[j].explicit_xfb_buffer;\n",
     "            if (fields[i].explicit_xfb_buffer || fields[i].offset != -1)\n"
     "               continue;\n"
     "            fields[i].explicit_xfb_buffer =\n"
     "               earlier_per_vertex->fields.structure[j].explicit_xfb_buffer;\n"),
    ("src/compiler/glsl/ast_to_hir.cpp",
     "   *is_redeclaration = true;\n\n   if (earlier->data.how_declared == ir_var_declared_implicitly) {\n",
     "   *is_redeclaration = true;\n\n"
     "   if (var->data.explicit_xfb_buffer || var->data.explicit_xfb_offset) {\n"
     "      earlier->data.explicit_xfb_buffer = var->data.explicit_xfb_buffer;\n"
     "      earlier->data.xfb_buffer = var->data.xfb_buffer;\n"
     "   }\n"
     "   if (var->data.explicit_xfb_offset) {\n"
     "      earlier->data.explicit_xfb_offset = true;\n"
     "      earlier->data.offset = var->data.offset;\n"
     "   }\n"
     "   if (var->data.explicit_xfb_stride) {\n"
     "      earlier->data.explicit_xfb_stride = true;\n"
     "      earlier->data.xfb_stride = var->data.xfb_stride;\n"
     "   }\n\n"
     "   if (earlier->data.how_declared == ir_var_declared_implicitly) {\n"),
    # And gl_ClipDistance and gl_CullDistance, which are one variable of vectors by then: their declarations are among the
    # globals still.
    ("src/compiler/glsl/gl_nir_link_varyings.c",
     "static bool\nprocess_xfb_layout_qualifiers(",
     "static bool\nis_lowered_distance(const nir_variable *var)\n{\n"
     "   return var->data.mode == nir_var_shader_temp && var->name &&\n"
     "          (strcmp(var->name, \"gl_ClipDistance\") == 0 ||\n"
     "           strcmp(var->name, \"gl_CullDistance\") == 0) &&\n"
     "          glsl_type_is_scalar(glsl_get_array_element(var->type));\n}\n\n"
     "static bool\nis_placed_by_layout(const nir_variable *var)\n{\n"
     "   return var->data.explicit_offset &&\n"
     "          (var->data.mode == nir_var_shader_out || is_lowered_distance(var));\n}\n\n"
     "static void\nplace_lowered_distances(const struct gl_shader_program *prog,\n"
     "                        struct xfb_decl *decls, unsigned num_decls)\n{\n"
     "   int stage = MESA_SHADER_FRAGMENT - 1;\n"
     "   while (!prog->_LinkedShaders[stage])\n      stage--;\n\n"
     "   nir_foreach_variable_with_modes(var, prog->_LinkedShaders[stage]->Program->nir,\n"
     "                                   nir_var_shader_temp) {\n"
     "      for (unsigned i = 0; is_placed_by_layout(var) && i < num_decls; i++) {\n"
     "         if (strcmp(decls[i].orig_name, var->name) == 0) {\n"
     "            decls[i].buffer = var->data.xfb.buffer;\n"
     "            decls[i].offset = var->data.offset;\n"
     "         }\n      }\n   }\n}\n\n"
     "static bool\nprocess_xfb_layout_qualifiers("),
    ("src/compiler/glsl/gl_nir_link_varyings.c",
     "         has_xfb_qualifiers = true;\n      }\n\n      if (var->data.explicit_offset) {\n"
     "         *num_xfb_decls += glsl_varying_count(var->type);\n",
     "         has_xfb_qualifiers = true;\n      }\n   }\n\n"
     "   nir_foreach_variable_with_modes(var, sh->Program->nir, nir_var_shader_out | nir_var_shader_temp) {\n"
     "      if (is_placed_by_layout(var)) {\n"
     "         const struct glsl_type *type = var->type;\n"
     "         unsigned blocks = 1; /* each with names of its own */\n"
     "         if (var->data.from_named_ifc_block) {\n"
     "            const struct glsl_type *block = glsl_without_array(var->interface_type);\n"
     "            type = glsl_get_struct_field(block, glsl_get_field_index(block, var->name));\n"
     "            blocks = MAX2(glsl_get_aoa_size(var->interface_type), 1);\n"
     "         }\n"
     "         *num_xfb_decls += blocks * glsl_varying_count(type);\n"),
    ("src/compiler/glsl/gl_nir_link_varyings.c",
     "   nir_foreach_shader_out_variable(var, sh->Program->nir) {\n      if (var->data.explicit_offset) {\n"
     "         char *name;\n",
     "   nir_foreach_variable_with_modes(var, sh->Program->nir, nir_var_shader_out | nir_var_shader_temp) {\n"
     "      if (is_placed_by_layout(var)) {\n         char *name;\n"),
    ("src/compiler/glsl/gl_nir_link_varyings.c",
     "                           varying_names, xfb_decls, compact_arrays))\n         return false;\n",
     "                           varying_names, xfb_decls, compact_arrays))\n         return false;\n"
     "      if (has_xfb_qualifiers)\n"
     "         place_lowered_distances(prog, xfb_decls, num_xfb_decls);\n"),
    ("src/compiler/glsl/gl_nir_link_varyings.c",
     "   xfb_decl->buffer = xfb_decl->matched_candidate->toplevel_var->data.xfb.buffer;\n",
     "   if (xfb_decl->lowered_builtin_array_variable)\n      return true;\n"
     "   xfb_decl->buffer = xfb_decl->matched_candidate->toplevel_var->data.xfb.buffer;\n"),
    # GL 4.6, 7.3: a link fails where some of the shaders are SPIR-V and some aren't, in whatever order: with a GLSL shader
    # first it ended the program.
    ("src/mesa/state_tracker/st_glsl_to_nir.cpp",
     "      } else if (spirv && !prog->Shaders[i]->spirv_data) {\n",
     "      } else if (spirv != (prog->Shaders[i]->spirv_data != NULL)) {\n"),
    # Binaries of SPIR-V programs, whose resources have no names: what tells them are their places in their arrays. The
    # locations that are kept for uniforms alone (blocks' members have none) are for GLSL's.
    ("src/compiler/glsl/serialize.cpp",
     "static void\nwrite_subroutines(",
     "static void\nwrite_name(struct blob *metadata, const char *name)\n{\n"
     "   blob_write_uint8(metadata, name != NULL);\n"
     "   if (name)\n      blob_write_string(metadata, name);\n}\n\n"
     "static const char *\nread_name(struct blob_reader *metadata)\n{\n"
     "   return blob_read_uint8(metadata) ? blob_read_string(metadata) : NULL;\n}\n\n"
     "static void\nwrite_subroutines("),
    ("src/compiler/glsl/serialize.cpp",
     "   blob_write_string(metadata, b->name.string);\n", "   write_name(metadata, b->name.string);\n"),
    ("src/compiler/glsl/serialize.cpp",
     "      blob_write_string(metadata, b->Uniforms[j].Name);\n"
     "      blob_write_string(metadata, b->Uniforms[j].IndexName);\n",
     "      write_name(metadata, b->Uniforms[j].Name);\n"
     "      write_name(metadata, b->Uniforms[j].IndexName);\n"),
    ("src/compiler/glsl/serialize.cpp",
     "      b->name.string = ralloc_strdup(prog->data, blob_read_string (metadata));\n",
     "      b->name.string = ralloc_strdup(prog->data, read_name(metadata));\n"),
    ("src/compiler/glsl/serialize.cpp",
     "         b->Uniforms[j].Name = ralloc_strdup(prog->data,\n"
     "                                             blob_read_string (metadata));\n\n"
     "         char *index_name = blob_read_string(metadata);\n"
     "         if (strcmp(b->Uniforms[j].Name, index_name) == 0) {\n",
     "         b->Uniforms[j].Name = ralloc_strdup(prog->data, read_name(metadata));\n\n"
     "         const char *index_name = read_name(metadata);\n"
     "         if (!b->Uniforms[j].Name || !index_name ||\n"
     "             strcmp(b->Uniforms[j].Name, index_name) == 0) {\n"),
    ("src/compiler/glsl/serialize.cpp",
     "      blob_write_string(metadata, ltf->Varyings[i].name.string);\n",
     "      write_name(metadata, ltf->Varyings[i].name.string);\n"),
    ("src/compiler/glsl/serialize.cpp",
     "      ltf->Varyings[i].name.string = ralloc_strdup(prog, blob_read_string(metadata));\n",
     "      ltf->Varyings[i].name.string = ralloc_strdup(prog, read_name(metadata));\n"),
    ("src/compiler/glsl/serialize.cpp",
     "      if (prog->data->UniformStorage[i].name.string) {\n"
     "         blob_write_string(metadata, prog->data->UniformStorage[i].name.string);\n"
     "      } else {\n         blob_write_string(metadata, \"\");\n      }\n",
     "      write_name(metadata, prog->data->UniformStorage[i].name.string);\n"),
    ("src/compiler/glsl/serialize.cpp",
     "      uniforms[i].name.string = ralloc_strdup(prog, blob_read_string (metadata));\n",
     "      uniforms[i].name.string = ralloc_strdup(prog, read_name(metadata));\n"),
    ("src/compiler/glsl/serialize.cpp",
     "      if (var->name.string) {\n         blob_write_string(metadata, var->name.string);\n"
     "      } else {\n         blob_write_string(metadata, \"\");\n      }\n",
     "      write_name(metadata, var->name.string);\n"),
    ("src/compiler/glsl/serialize.cpp",
     "      var->name.string = ralloc_strdup(prog, blob_read_string(metadata));\n",
     "      var->name.string = ralloc_strdup(prog, read_name(metadata));\n"),
    ("src/compiler/glsl/serialize.cpp",
     "   case GL_UNIFORM_BLOCK:\n   case GL_SHADER_STORAGE_BLOCK: {\n      unsigned i;\n"
     "      string_to_uint_map_get(blk_idx_map, &i,\n"
     "                             ((gl_uniform_block *)res->Data)->name.string);\n"
     "      blob_write_uint32(metadata, i);\n      break;\n   }\n",
     "   case GL_UNIFORM_BLOCK:\n"
     "      blob_write_uint32(metadata, (gl_uniform_block *)res->Data - prog->data->UniformBlocks);\n      break;\n"
     "   case GL_SHADER_STORAGE_BLOCK:\n"
     "      blob_write_uint32(metadata, (gl_uniform_block *)res->Data - prog->data->ShaderStorageBlocks);\n"
     "      break;\n"),
    ("src/compiler/glsl/serialize.cpp",
     "          res->Type != GL_UNIFORM) {\n         blob_write_uint32(metadata, uniform_not_remapped);\n\n"
     "         unsigned i;\n"
     "         string_to_uint_map_get(uniform_idx_map, &i,\n"
     "                                ((gl_uniform_storage *)res->Data)->name.string);\n"
     "         blob_write_uint32(metadata, i);\n",
     "          res->Type != GL_UNIFORM || prog->data->spirv) {\n"
     "         blob_write_uint32(metadata, uniform_not_remapped);\n"
     "         blob_write_uint32(metadata, (gl_uniform_storage *)res->Data - prog->data->UniformStorage);\n"),
    ("src/compiler/glsl/serialize.cpp",
     "      for (int i = 0; i < prog->last_vert_prog->sh.LinkedTransformFeedback->NumVarying; i++) {\n"
     "         if (strcmp(((gl_transform_feedback_varying_info *)res->Data)->name.string,\n"
     "                    prog->last_vert_prog->sh.LinkedTransformFeedback->Varyings[i].name.string) == 0) {\n"
     "            blob_write_uint32(metadata, i);\n            break;\n         }\n      }\n      break;\n",
     "      blob_write_uint32(metadata, (gl_transform_feedback_varying_info *)res->Data -\n"
     "                                  prog->last_vert_prog->sh.LinkedTransformFeedback->Varyings);\n      break;\n"),
    ("src/compiler/glsl/serialize.cpp",
     "                            struct gl_program_resource *res,\n"
     "                            struct string_to_uint_map *uniform_idx_map,\n"
     "                            struct string_to_uint_map *blk_idx_map)\n{\n",
     "                            struct gl_program_resource *res)\n{\n"),
    ("src/compiler/glsl/serialize.cpp",
     """   struct string_to_uint_map *uniform_idx_map = string_to_uint_map_ctor();
   struct string_to_uint_map *ubo_idx_map = string_to_uint_map_ctor();
   struct string_to_uint_map *ssbo_idx_map = string_to_uint_map_ctor();

   for (unsigned i = 0; i < prog->data->NumUniformBlocks; i++) {
      string_to_uint_map_put(ubo_idx_map, i,
                             prog->data->UniformBlocks[i].name.string);
   }

   for (unsigned i = 0; i < prog->data->NumShaderStorageBlocks; i++) {
      string_to_uint_map_put(ssbo_idx_map, i,
                             prog->data->ShaderStorageBlocks[i].name.string);
   }

   for (unsigned i = 0; i < prog->data->NumUniformStorage; i++) {
      string_to_uint_map_put(uniform_idx_map, i,
                             prog->data->UniformStorage[i].name.string);
   }

""", ""),
    ("src/compiler/glsl/serialize.cpp",
     """      struct string_to_uint_map *blk_idx_map =
         prog->data->ProgramResourceList[i].Type == GL_UNIFORM_BLOCK ?
            ubo_idx_map : ssbo_idx_map;

      write_program_resource_data(metadata, prog,
                                  &prog->data->ProgramResourceList[i],
                                  uniform_idx_map, blk_idx_map);
""",
     "      write_program_resource_data(metadata, prog,\n"
     "                                  &prog->data->ProgramResourceList[i]);\n"),
    ("src/compiler/glsl/serialize.cpp",
     """
   string_to_uint_map_dtor(uniform_idx_map);
   string_to_uint_map_dtor(ubo_idx_map);
   string_to_uint_map_dtor(ssbo_idx_map);
""", ""),
    ("src/compiler/glsl/serialize.cpp",
     "   blob_write_uint32(blob, prog->IsES);\n",
     "   blob_write_uint32(blob, prog->IsES);\n   blob_write_uint32(blob, prog->data->spirv);\n"),
    ("src/compiler/glsl/serialize.cpp",
     "   prog->IsES = blob_read_uint32(blob);\n",
     "   prog->IsES = blob_read_uint32(blob);\n   prog->data->spirv = blob_read_uint32(blob);\n"),
    # GL 4.6, 11.1.2.1: what glTransformFeedbackVaryings names isn't SPIR-V's; it stays for a link of GLSL shaders. There
    # were names that are none instead, which ended such a link.
    ("src/compiler/glsl/gl_nir_link_xfb.c",
     "   /* free existing varyings, if any */\n"
     "   for (unsigned i = 0; i < prog->TransformFeedback.NumVarying; i++)\n"
     "      free(prog->TransformFeedback.VaryingNames[i]);\n"
     "   free(prog->TransformFeedback.VaryingNames);\n\n", ""),
    ("src/compiler/glsl/gl_nir_link_xfb.c", "      prog->TransformFeedback.NumVarying = 0;\n", ""),
    ("src/compiler/glsl/gl_nir_link_xfb.c",
     "   prog->TransformFeedback.NumVarying = varyings_info->varying_count;\n"
     "   prog->TransformFeedback.VaryingNames =\n"
     "      malloc(sizeof(GLchar *) * varyings_info->varying_count);\n\n", ""),
    ("src/compiler/glsl/gl_nir_link_xfb.c", "      prog->TransformFeedback.VaryingNames[i] = NULL;\n\n", ""),
    # GL 4.6, 7.3.1.1: built-in variables have no locations in a program's interfaces, be they SPIR-V's; and components and
    # patches are told of SPIR-V's variables, too.
    ("src/compiler/glsl/gl_nir_linker.c",
     "         sh_var->location = var->data.location - loc_bias;\n",
     "         sh_var->location = var->data.mode == nir_var_system_value || var->data.location < loc_bias ?\n"
     "                            -1 : var->data.location - loc_bias;\n"
     "         sh_var->component = var->data.location_frac;\n"
     "         sh_var->patch = var->data.patch;\n"),
    # GL 4.6, 7.2: what is given as SPIR-V has a module's header and its magic number. Anything else was read later, behind
    # its end, too.
    ("src/mesa/main/glspirv.c",
     "   if (!binary || (length % 4) != 0) {\n",
     "   const uint32_t magic = SpvMagicNumber;\n"
     "   if (!binary || (length % 4) != 0 || length < 5 * sizeof(magic) ||\n"
     "       memcmp(binary, &magic, sizeof(magic))) {\n"),
    # Captures of neighbouring components are told one by one. They were meant to be merged, by a test that no neighbours pass,
    # but two that lie 32 words apart the wrong way round: the second one's was lost.
    ("src/compiler/nir/nir_opt_vectorize_io.c",
     """      /* Now vectorize xfb info by merging the individual elements. */
      for (unsigned i = start; i < start + count; i++) {
         /* mediump means that xfb upconverts to 32 bits when writing to
          * memory.
          */
         unsigned xfb_comp_size =
            nir_intrinsic_io_semantics(chan[i]).medium_precision ?
                  32 : chan[i]->src[0].ssa->bit_size;

         for (unsigned j = i + 1; j < start + count; j++) {
            if (xfb[i / 2].out[i % 2].buffer != xfb[j / 2].out[j % 2].buffer ||
                xfb[i / 2].out[i % 2].offset != xfb[j / 2].out[j % 2].offset +
                xfb_comp_size * (j - i))
               break;

            xfb[i / 2].out[i % 2].num_components++;
            memset(&xfb[j / 2].out[j % 2], 0, sizeof(xfb[j / 2].out[j % 2]));
         }
      }

""", ""),
    # Elements of an array of doubles that isn't packed take a slot for each column, or two.
    ("src/compiler/glsl/gl_nir_link_varyings.c",
     "            1 : (array_will_be_lowered ? vector_elements : 4) * matrix_cols * dmul;\n",
     "            1 : (array_will_be_lowered ? vector_elements * dmul :\n"
     "                 align(vector_elements * dmul, 4)) * matrix_cols;\n"),
    # ARB_transform_feedback3: what is skipped counts to the limit of components, behind the last varying too.
    ("src/compiler/glsl/gl_nir_link_varyings.c",
     "      info->Buffers[buffer].Stride += xfb_decl->skip_components;\n",
     "      info->Buffers[buffer].Stride += xfb_decl->skip_components;\n"
     "      if (info->Buffers[buffer].Stride > consts->MaxTransformFeedbackInterleavedComponents) {\n"
     "         linker_error(prog, \"The MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS limit has been exceeded.\");\n"
     "         return false;\n"
     "      }\n"),
    # KHR_debug: a message that is given with its length ends there for the callback as well.
    ("src/mesa/main/debug_output.c",
     "      _mesa_unlock_debug_state(ctx);\n"
     "      callback(gl_source, gl_type, id, gl_severity, len, buf, data);\n",
     "      _mesa_unlock_debug_state(ctx);\n\n"
     "      char message[MAX_DEBUG_MESSAGE_LENGTH];\n"
     "      const size_t size = MIN2((size_t)len, sizeof(message) - 1);\n"
     "      memcpy(message, buf, size);\n"
     "      message[size] = 0;\n"
     "      callback(gl_source, gl_type, id, gl_severity, len, message, data);\n"),
    # GLSL 4.60, 4.4.1 (GLSL ES 3.20 likewise): what arrays of blocks may not have is a location of a member. One of the block
    # was taken for that, as members have it from there; each member takes as many for each element.
    ("src/compiler/glsl/ast_to_hir.cpp",
     "                                                expl_location,\n"
     "                                                expl_align);\n\n"
     "   if (!redeclaring_per_vertex) {\n",
     "                                                expl_location,\n"
     "                                                expl_align);\n\n"
     "   bool members_located = false;\n"
     "   foreach_list_typed (ast_declarator_list, decl_list, link, &this->declarations)\n"
     "      members_located |= decl_list->type->qualifier.flags.q.explicit_location;\n\n"
     "   if (this->layout.flags.q.explicit_location && this->array_specifier && !members_located) {\n"
     "      const glsl_type *elements =\n"
     "         process_array_type(&loc, &glsl_type_builtin_float, this->array_specifier, state);\n"
     "      const bool per_vertex = var_mode == ir_var_shader_in ?\n"
     "         state->stage == MESA_SHADER_TESS_CTRL || state->stage == MESA_SHADER_TESS_EVAL ||\n"
     "         state->stage == MESA_SHADER_GEOMETRY : state->stage == MESA_SHADER_TESS_CTRL;\n"
     "      if (per_vertex && !this->layout.flags.q.patch && glsl_type_is_array(elements))\n"
     "         elements = elements->fields.array;\n"
     "      for (unsigned i = 1; i < num_variables; i++)\n"
     "         fields[i].location = fields[i - 1].location +\n"
     "            glsl_count_attribute_slots(fields[i - 1].type, false) * MAX2(glsl_get_aoa_size(elements), 1);\n"
     "   }\n\n"
     "   if (!redeclaring_per_vertex) {\n"),
    ("src/compiler/glsl/ast_to_hir.cpp",
     "               for (unsigned i = 0; i < num_variables; i++) {\n"
     "                  if (fields[i].location != -1) {\n"
     "                     _mesa_glsl_error(&loc, state,\n"
     "                                       \"explicit member locations are not allowed in \"\n"
     "                                       \"blocks declared as arrays %s shader\",\n"
     "                                       _mesa_shader_stage_to_string(state->stage));\n"
     "                  }\n"
     "               }\n",
     "               if (members_located) {\n"
     "                  _mesa_glsl_error(&loc, state,\n"
     "                                    \"explicit member locations are not allowed in \"\n"
     "                                    \"blocks declared as arrays %s shader\",\n"
     "                                    _mesa_shader_stage_to_string(state->stage));\n"
     "               }\n"),
    # GLSL 4.60, 6.4: continue goes on with the loop. In a switch within a switch it began the outer one anew, without end: the
    # loop around the inner one is the outer one's, which is broken and told to go on.
    ("src/compiler/glsl/ast_to_hir.cpp",
     "      if (state->loop_nesting_ast != NULL) {\n"
     "         if (state->loop_nesting_ast->rest_expression) {\n",
     "      if (saved.is_switch_innermost) {\n"
     "         irif->then_instructions.push_tail(new(ctx) ir_assignment(\n"
     "            new(ctx) ir_dereference_variable(saved.continue_inside), new(ctx) ir_constant(true)));\n"
     "         jump->mode = ir_loop_jump::jump_break;\n"
     "      } else {\n"
     "         if (state->loop_nesting_ast->rest_expression) {\n"),
    # ARB_gpu_shader_int64: components of constant vectors of 64-bit integers were zeros, taken by an index.
    ("src/compiler/glsl/ir.cpp",
     "   case GLSL_TYPE_DOUBLE: this->value.d[0] = c->value.d[i]; break;\n",
     "   case GLSL_TYPE_DOUBLE: this->value.d[0] = c->value.d[i]; break;\n"
     "   case GLSL_TYPE_UINT64: this->value.u64[0] = c->value.u64[i]; break;\n"
     "   case GLSL_TYPE_INT64: this->value.i64[0] = c->value.i64[i]; break;\n"),
    # GLSL 4.60, 8.8: imulExtended() multiplies to 64 bits. Where one operand was a product of 32 bits with a constant, and the
    # other a constant, both constants were multiplied to 32 bits first.
    ("src/compiler/glsl/opt_algebraic.cpp", "   /* Don't want to even think about matrices. */\n   if (glsl_type_is_matrix(ir1->",
     "   if (ir1->type->base_type != ir2->type->base_type)\n      return false;\n\n"
     "   /* Don't want to even think about matrices. */\n   if (glsl_type_is_matrix(ir1->"),
]
