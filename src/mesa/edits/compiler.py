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
    # behind the first was kept from block to block, which hid other members and listed those elements.
    ("src/compiler/glsl/gl_nir_linker.c",
     "      if (prog->data->UniformStorage[i].offset >= second_element_offset) {",
     "      if (block_index != uniform->block_index ||\n"
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
]
