# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of the order in which GLSL's expressions are evaluated (GLSL 4.60, 5.8 and 6.1.1)."""

CALLS = "src/compiler/glsl/ast_function.cpp"
HIR = "src/compiler/glsl/ast_to_hir.cpp"

EDITS = [
    # Arguments are values from left to right. An expression is a tree that is read where it is used, behind what later
    # arguments change: so what it was is kept where they do.
    (CALLS, "static unsigned\nprocess_parameters(exec_list *instructions, exec_list *actual_parameters,\n"
     "                   exec_list *parameters,\n                   struct _mesa_glsl_parse_state *state)\n{\n",
     "static bool\nchanges_memory(const char *builtin)\n{\n"
     "   return strncmp(builtin, \"atomic\", 6) == 0 || strncmp(builtin, \"image\", 5) == 0;\n}\n\n"
     "/* Whether anything from `node` on, up to its list's end, changes what an expression may have read. */\n"
     "static bool\nchanges_something(const exec_node *node)\n{\n"
     "   for (; !node->is_tail_sentinel(); node = node->next) {\n"
     "      ir_instruction *ir = (ir_instruction *) node;\n"
     "      if (ir_assignment *assignment = ir->as_assignment()) {\n"
     "         if (assignment->lhs->variable_referenced()->data.mode != ir_var_temporary)\n            return true;\n"
     "      } else if (ir_call *call = ir->as_call()) {\n"
     "         if (!call->callee->is_builtin() || changes_memory(call->callee_name()))\n            return true;\n"
     "      } else if (ir_if *branch = ir->as_if()) {\n"
     "         if (changes_something(branch->then_instructions.get_head_raw()) ||\n"
     "             changes_something(branch->else_instructions.get_head_raw()))\n            return true;\n"
     "      }\n   }\n   return false;\n}\n\n"
     "/* `marks`: the last instruction when each argument had been evaluated. `sig`: who takes them; NULL: a constructor. */\n"
     "static void\nkeep_arguments(exec_list *arguments, exec_node *const *marks, const ir_function_signature *sig,\n"
     "               void *mem_ctx)\n{\n"
     "   const exec_node *formal_node = sig ? sig->parameters.get_head_raw() : NULL;\n"
     "   const bool on_memory = sig && sig->is_builtin() && changes_memory(sig->function_name());\n"
     "   unsigned i = 0;\n"
     "   foreach_in_list_safe(ir_rvalue, argument, arguments) {\n"
     "      exec_node *const mark = marks[i++];\n"
     "      if (formal_node) {\n"
     "         const ir_variable *formal = (const ir_variable *) formal_node;\n"
     "         formal_node = formal_node->next;\n"
     "         if ((formal->data.mode != ir_var_function_in && formal->data.mode != ir_var_const_in) ||\n"
     "             formal->data.must_be_shader_input || (on_memory && i == 1))\n            continue;\n"
     "      }\n"
     "      if (argument->as_constant() || glsl_type_is_error(argument->type) ||\n"
     "          glsl_type_is_void(argument->type) || glsl_contains_opaque(argument->type) ||\n"
     "          glsl_type_is_unsized_array(argument->type) || !changes_something(mark->next))\n         continue;\n"
     "      ir_variable *kept = new(mem_ctx) ir_variable(argument->type, \"argument\", ir_var_temporary);\n"
     "      argument->replace_with(new(mem_ctx) ir_dereference_variable(kept));\n"
     "      mark->insert_after(new(mem_ctx) ir_assignment(new(mem_ctx) ir_dereference_variable(kept), argument));\n"
     "      mark->insert_after(kept);\n   }\n}\n\n"
     "/* `marks`: see keep_arguments(). */\n"
     "static unsigned\nprocess_parameters(exec_list *instructions, exec_list *actual_parameters,\n"
     "                   exec_list *parameters,\n                   struct _mesa_glsl_parse_state *state, exec_node **marks)\n{\n"),
    (CALLS, "         actual_parameters->push_tail(ir_rvalue::error_value(mem_ctx));\n         count++;\n",
     "         actual_parameters->push_tail(ir_rvalue::error_value(mem_ctx));\n"
     "         marks[count++] = instructions->get_tail_raw();\n"),
    (CALLS, "      actual_parameters->push_tail(result);\n      count++;\n",
     "      actual_parameters->push_tail(result);\n      marks[count++] = instructions->get_tail_raw();\n"),
    # Constructors of arrays and structures.
    (CALLS, "   const unsigned parameter_count =\n"
     "      process_parameters(instructions, &actual_parameters, parameters, state);\n",
     "   exec_node **const marks = ralloc_array(state, exec_node *, parameters->length());\n"
     "   const unsigned parameter_count =\n"
     "      process_parameters(instructions, &actual_parameters, parameters, state, marks);\n"
     "   keep_arguments(&actual_parameters, marks, NULL, state);\n"),
    (CALLS, "   const unsigned parameter_count =\n"
     "         process_parameters(instructions, &actual_parameters, parameters,\n                            state);\n",
     "   exec_node **const marks = ralloc_array(state, exec_node *, parameters->length());\n"
     "   const unsigned parameter_count =\n"
     "         process_parameters(instructions, &actual_parameters, parameters,\n                            state, marks);\n"
     "   keep_arguments(&actual_parameters, marks, NULL, state);\n"),
    # Functions.
    (CALLS, "      process_parameters(instructions, &actual_parameters, &this->expressions,\n                         state);\n",
     "      exec_node **const marks = ralloc_array(state, exec_node *, this->expressions.length());\n"
     "      process_parameters(instructions, &actual_parameters, &this->expressions,\n                         state, marks);\n"),
    (CALLS, "         value = generate_call(instructions, sig, &actual_parameters, sub_var,\n",
     "         keep_arguments(&actual_parameters, marks, sig, ctx);\n"
     "         value = generate_call(instructions, sig, &actual_parameters, sub_var,\n"),
    # The other constructors.
    (CALLS, "      unsigned nonmatrix_parameters = 0;\n      exec_list actual_parameters;\n",
     "      unsigned nonmatrix_parameters = 0;\n      exec_list actual_parameters;\n"
     "      exec_node **const marks = ralloc_array(state, exec_node *, this->expressions.length());\n      unsigned count = 0;\n"),
    (CALLS, "         actual_parameters.push_tail(result);\n         components_used += glsl_get_components(result->type);\n      }\n",
     "         actual_parameters.push_tail(result);\n         components_used += glsl_get_components(result->type);\n"
     "         marks[count++] = instructions->get_tail_raw();\n      }\n"
     "      keep_arguments(&actual_parameters, marks, NULL, ctx);\n"),
    # What stands left of an assignment is found before what stands right of it is evaluated.
    (CALLS, "static void\nfix_parameter(", "void\n_mesa_ast_keep_indices(ir_rvalue *place, exec_node *mark, void *mem_ctx)\n{\n"
     "   if (!place || !changes_something(mark->next))\n      return;\n"
     "   exec_list kept;\n   struct copy_index_deref_data data = {mem_ctx, &kept};\n"
     "   visit_tree(place, copy_index_derefs_to_temps, &data);\n"
     "   if (!kept.is_empty())\n      mark->next->insert_before(&kept);\n}\n\n"
     "static void\nfix_parameter("),
    ("src/compiler/glsl/ast.h", "#endif /* AST_H */",
     "/* Array indices in `place` get the values that they had behind `mark`, if anything has changed since. */\n"
     "void _mesa_ast_keep_indices(ir_rvalue *place, exec_node *mark, void *mem_ctx);\n\n#endif /* AST_H */"),
    (HIR, "      op[0] = this->subexpressions[0]->hir(instructions, state);\n"
     "      op[1] = this->subexpressions[1]->hir(instructions, state);\n\n      error_emitted =\n         do_assignment(",
     "      op[0] = this->subexpressions[0]->hir(instructions, state);\n"
     "      exec_node *const mark = instructions->get_tail_raw();\n"
     "      op[1] = this->subexpressions[1]->hir(instructions, state);\n"
     "      _mesa_ast_keep_indices(op[0], mark, ctx);\n\n      error_emitted =\n         do_assignment("),
]
