# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of how GLSL's compiler orders and finds what shaders keep in memory, and of declarations that it refuses."""

AST_TO_HIR = "src/compiler/glsl/ast_to_hir.cpp"
GRAFTING = "src/compiler/glsl/opt_tree_grafting.cpp"
UNIFORM_BLOCKS = "src/compiler/glsl/gl_nir_link_uniform_blocks.c"

EDITS = [
    # GLSL 4.60, 8.16: barrier() orders what comes before and behind it. A value that was read from a shared variable or
    # from another invocation's output before it was read where it was used, behind it.
    (GRAFTING,
     "   virtual ir_visitor_status visit_enter(class ir_texture *);\n",
     "   virtual ir_visitor_status visit_enter(class ir_texture *);\n"
     "   virtual ir_visitor_status visit(class ir_barrier *);\n"),
    (GRAFTING,
     "struct tree_grafting_info {\n",
     "ir_visitor_status\nir_tree_grafting_visitor::visit(ir_barrier *)\n{\n"
     "   /* Other invocations may write what the expression reads. */\n   return visit_stop;\n}\n\n"
     "struct tree_grafting_info {\n"),
    # GLSL 4.60, 4.10: buffer variables may share their memory. A value was read from one behind a store to another.
    (GRAFTING,
     "   if (deref && deref->var == info->var)\n",
     "   if (deref && (deref->var == info->var ||\n"
     "                 (deref->var->data.mode == ir_var_shader_storage &&\n"
     "                  info->var->data.mode == ir_var_shader_storage)))\n"),
    # GLSL 4.60, 8.11: an atomic function returns what its variable held. The store before it was dropped where another one
    # came behind it.
    ("src/compiler/nir/nir_opt_dead_write_vars.c",
     "      case nir_intrinsic_load_deref: {\n",
     "      case nir_intrinsic_deref_atomic:\n      case nir_intrinsic_deref_atomic_swap:\n"
     "      case nir_intrinsic_load_deref: {\n"),
    # GLSL 4.60, 4.4.6: the elements of an array of arrays of images have units one behind the other. Inner arrays took as
    # many as the next power of two.
    ("src/compiler/glsl/gl_nir_lower_images.c", "   *align = s;\n", "   *align = 1;\n"),
    # A format qualifier of a variable of a structure ended the compiler before it could be refused.
    (AST_TO_HIR,
     "         glsl_type_is_image(this->type->specifier->type) &&\n",
     "         this->type->specifier->type &&\n"
     "         glsl_type_is_image(this->type->specifier->type) &&\n"),
    # Arrays of packed blocks have the elements that are used, in the order of their first use. Where an index isn't
    # constant, that is the order of the indices, also where constants had named all elements before.
    (UNIFORM_BLOCKS,
     "            if (ub_array->num_array_elements < glsl_get_length(type)) {\n"
     "               ub_array->num_array_elements = ",
     "            {\n               ub_array->num_array_elements = "),
    # Elements that only atomic functions use were not among them, and the compiler ended where it didn't find them.
    (UNIFORM_BLOCKS,
     "                intr->intrinsic != nir_intrinsic_store_deref &&\n",
     "                intr->intrinsic != nir_intrinsic_store_deref &&\n"
     "                intr->intrinsic != nir_intrinsic_deref_atomic &&\n"
     "                intr->intrinsic != nir_intrinsic_deref_atomic_swap &&\n"),
    # GLSL 4.60, 4.10: a store is volatile or coherent as the variable is that it goes to, not as its source.
    ("src/compiler/nir/nir_lower_var_copies.c",
     "                                  ~0, src_access);\n", "                                  ~0, dst_access);\n"),
    # GLSL ES 3.20, 4.7.4: image types have default precisions, those of cube map arrays among them.
    *[(AST_TO_HIR, f'"{kind}imageCube", NULL, NULL, NULL\n', f'"{kind}imageCube", "{kind}imageCubeArray", NULL, NULL\n')
      for kind in ("", "i", "u")],
    # GLSL 4.60, 4.1.9 and 5.7: an array that gets its size at runtime is neither assigned nor compared as a whole.
    (AST_TO_HIR,
     "/**\n * Validates that a value can be assigned to a location with a specified type\n",
     "static bool\nis_runtime_sized_array(const ir_rvalue *ir)\n{\n"
     "   const ir_variable *var = ir->variable_referenced();\n"
     "   return glsl_type_is_unsized_array(ir->type) && var && var->data.mode == ir_var_shader_storage;\n}\n\n"
     "/**\n * Validates that a value can be assigned to a location with a specified type\n"),
    (AST_TO_HIR,
     "   /* If the types are identical, the assignment can trivially proceed.\n",
     "   if (is_runtime_sized_array(rhs)) {\n"
     "      _mesa_glsl_error(&loc, state, \"runtime-sized arrays cannot be assigned\");\n"
     "      return NULL;\n   }\n\n"
     "   /* If the types are identical, the assignment can trivially proceed.\n"),
    (AST_TO_HIR,
     "         _mesa_glsl_error(&loc, state, \"opaque type comparisons forbidden\");\n"
     "         error_emitted = true;\n      }\n",
     "         _mesa_glsl_error(&loc, state, \"opaque type comparisons forbidden\");\n"
     "         error_emitted = true;\n"
     "      } else if (is_runtime_sized_array(op[0]) || is_runtime_sized_array(op[1])) {\n"
     "         _mesa_glsl_error(&loc, state, \"runtime-sized arrays cannot be compared\");\n"
     "         error_emitted = true;\n      }\n"),
    # GLSL 4.60, 4.1.8: arrays that are members of structures have a size.
    (AST_TO_HIR,
     "         validate_array_dimensions(field_type, state, &loc);\n",
     "         validate_array_dimensions(field_type, state, &loc);\n"
     "         if (!is_interface && glsl_type_is_unsized_array(field_type)) {\n"
     "            _mesa_glsl_error(&loc, state, \"array member `%s' of a structure needs a size\",\n"
     "                             decl->identifier);\n         }\n"),
    # GLSL 4.60, 4.4.6.1: no two atomic counters are declared with the same binding and offset. That was looked at for
    # those alone that are used.
    (AST_TO_HIR,
     "         /* Push the variable declaration to the top.  It means that all the\n",
     "         if (glsl_contains_atomic(var->type)) {\n"
     "            foreach_in_list(ir_instruction, node, instructions) {\n"
     "               const ir_variable *const other = node->as_variable();\n"
     "               if (other && other->data.mode == ir_var_uniform && glsl_contains_atomic(other->type) &&\n"
     "                   other->data.binding == var->data.binding &&\n"
     "                   other->data.offset < var->data.offset + glsl_atomic_size(var->type) &&\n"
     "                   var->data.offset < other->data.offset + glsl_atomic_size(other->type)) {\n"
     "                  _mesa_glsl_error(&loc, state, \"atomic counters `%s' and `%s' overlap\",\n"
     "                                   other->name, var->name);\n               }\n            }\n         }\n\n"
     "         /* Push the variable declaration to the top.  It means that all the\n"),
]
