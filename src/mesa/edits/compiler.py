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
]
