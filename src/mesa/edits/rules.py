# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what GLSL's and GLSL ES's compilers accept (GLSL 4.60, GLSL ES 3.20; clauses are GLSL ES 3.10's)."""

ARRAYS = "src/compiler/glsl/ast_array_index.cpp"
BLOCKS = "src/compiler/glsl/gl_nir_link_uniform_blocks.c"
CALLS = "src/compiler/glsl/ast_function.cpp"
CONSTANTS = "src/compiler/glsl/builtin_variables.cpp"
HIR = "src/compiler/glsl/ast_to_hir.cpp"
PARSER = "src/compiler/glsl/glsl_parser.yy"
PREPROCESSOR = "src/compiler/glsl/glcpp/glcpp-parse.y"
TYPES = "src/compiler/glsl/ast_type.cpp"
VARYINGS = "src/compiler/glsl/gl_nir_link_varyings.c"

EDITS = [
    # One layout may name several blend equations (KHR_blend_equation_advanced's example), and one of them twice.
    (TYPES, "      ubo_layout_mask.flags.i |\n      ubo_binding_mask.flags.i;\n",
     "      ubo_layout_mask.flags.i |\n      ubo_binding_mask.flags.i;\n"
     "   allowed_duplicates_mask.flags.q.blend_support = 1;\n"),
    # Vertex inputs that aren't used take no locations (4.3.4); ones that have a location by name are still compared.
    (VARYINGS, "   nir_foreach_variable_with_modes(var, shader, io_mode) {\n\n"
     "      if (var->data.explicit_location) {\n         if ((var->data.location >= (int)(max_index + generic_base))",
     "   nir_foreach_variable_with_modes_safe(var, shader, io_mode) {\n\n"
     "      if (var->data.explicit_location) {\n         if ((var->data.location >= (int)(max_index + generic_base))"),
    (VARYINGS, "      if (num_attr >= max_index) {\n",
     "      if (prog->IsES && target_index == MESA_SHADER_VERTEX && !find_deref(shader, var->name)) {\n"
     "         exec_node_remove(&var->node);\n         continue;\n      }\n\n"
     "      if (num_attr >= max_index) {\n"),
    # A member of an input block is an input, with the block's instance before its name as without (8.13 in 3.20).
    (CALLS, "            } else if (val->ir_type == ir_type_dereference_record &&\n                       !state->es_shader) {\n",
     "            } else if (val->ir_type == ir_type_dereference_record &&\n                       (!state->es_shader ||\n"
     "                        glsl_type_is_interface(((ir_dereference_record *)val)->record->type))) {\n"),
    # Functions' parameters have no formats (4.9), so they can't be asked for one.
    (HIR, "   if (state->es_shader &&\n       var->data.image_format != PIPE_FORMAT_R32_FLOAT &&\n",
     "   if (state->es_shader && var->data.mode == ir_var_uniform &&\n"
     "       var->data.image_format != PIPE_FORMAT_R32_FLOAT &&\n"),
    (CALLS, "   if (!var ||\n       (var->data.image_format != PIPE_FORMAT_R32_UINT &&\n",
     "   if (!var ||\n       (var->data.mode != ir_var_function_in &&\n"
     "        var->data.image_format != PIPE_FORMAT_R32_UINT &&\n"),
    # texture2D() and its like are no functions of GLSL ES 3 (8.9). Calls of them are let pass, as programs that were
    # written on Mesa have them, but whoever defines such a function gets his own.
    (HIR, "      if (state->language_version >= 300 &&\n          _mesa_glsl_has_builtin_function(state, name)) {\n",
     "      if (state->language_version >= 300 &&\n"
     "          strncmp(name, \"texture2D\", 9) != 0 && strncmp(name, \"texture3D\", 9) != 0 &&\n"
     "          strncmp(name, \"textureCube\", 11) != 0 &&\n          _mesa_glsl_has_builtin_function(state, name)) {\n"),
    # "packed" is reserved in GLSL ES 1.00 alone (3.7).
    ("src/compiler/glsl/glsl_lexer.ll",
     "packed\t\tKEYWORD_WITH_ALT(110, 100, 140, 300, yyextra->ARB_uniform_buffer_object_enable, PACKED_TOK);\n",
     "packed\t\t{\n\t\t\t    if (yyextra->es_shader && yyextra->language_version >= 300)\n"
     "\t\t\t       return classify_identifier(yyextra, yytext, yyleng, yylval);\n"
     "\t\t\t    KEYWORD_WITH_ALT(110, 100, 140, 300, yyextra->ARB_uniform_buffer_object_enable, PACKED_TOK);\n"
     "\t\t\t}\n"),
    # A block may be readonly and writeonly, as its members may (4.9).
    (HIR, "   /* For blocks that accept memory qualifiers (i.e. shader storage), verify\n"
     "    * that we don't have incompatible qualifiers\n    */\n"
     "   if (this->layout.flags.q.read_only && this->layout.flags.q.write_only) {\n"
     "      _mesa_glsl_error(&loc, state,\n"
     "                       \"Interface block sets both readonly and writeonly\");\n   }\n\n", ""),
    # An argument of an out parameter is written, not read.
    (HIR, "   virtual ir_visitor_status visit_enter(ir_expression *ir)\n   {\n"
     "      /* .length() doesn't actually read anything */\n",
     "   virtual ir_visitor_status visit_enter(ir_call *ir)\n   {\n"
     "      foreach_two_lists(formal, &ir->callee->parameters, actual, &ir->actual_parameters) {\n"
     "         this->in_assignee = ((ir_variable *) formal)->data.mode == ir_var_function_out;\n"
     "         ir_visitor_status s = ((ir_rvalue *) actual)->accept(this);\n"
     "         this->in_assignee = false;\n         if (s == visit_stop)\n            return s;\n      }\n"
     "      return visit_continue_with_parent;\n   }\n\n"
     "   virtual ir_visitor_status visit_enter(ir_expression *ir)\n   {\n"
     "      /* .length() doesn't actually read anything */\n"),

    # Only variables, their elements and members can be l-values (5.8), whatever an expression is evaluated to.
    ("src/compiler/glsl/ast.h", "/* Array indices in `place` get the values that they had behind",
     "/* What `ast` is where it can't be an l-value; NULL: it may be one. */\n"
     "const char *_mesa_ast_non_lvalue(const ast_expression *ast);\n"
     "/* Whether a tessellation control shader's output of another vertex than its own is meant. */\n"
     "bool _mesa_ast_is_other_vertex(ir_rvalue *lhs, const struct _mesa_glsl_parse_state *state);\n\n"
     "/* Array indices in `place` get the values that they had behind"),
    (HIR, "static ir_rvalue *\nget_lvalue_copy(",
     "const char *\n_mesa_ast_non_lvalue(const ast_expression *ast)\n{\n"
     "   while (ast->oper == ast_field_selection || ast->oper == ast_array_index)\n"
     "      ast = ast->subexpressions[0];\n"
     "   if (ast->non_lvalue_description != NULL)\n      return ast->non_lvalue_description;\n"
     "   return ast->oper == ast_identifier ? NULL : \"value\";\n}\n\n"
     "static ir_rvalue *\nget_lvalue_copy("),
    (HIR, "   loc = this->get_location();\n\n   switch (this->oper) {\n   case ast_aggregate:\n",
     "   loc = this->get_location();\n\n"
     "   if (this->oper == ast_assign || (this->oper >= ast_mul_assign && this->oper <= ast_or_assign) ||\n"
     "       (this->oper >= ast_pre_inc && this->oper <= ast_post_dec))\n"
     "      this->subexpressions[0]->non_lvalue_description = _mesa_ast_non_lvalue(this->subexpressions[0]);\n\n"
     "   switch (this->oper) {\n   case ast_aggregate:\n"),
    (CALLS, "         if (actual_ast->non_lvalue_description != NULL) {\n",
     "         if (_mesa_ast_non_lvalue(actual_ast) != NULL) {\n"),
    (CALLS, "                             mode, formal->name,\n"
     "                             actual_ast->non_lvalue_description);\n",
     "                             mode, formal->name,\n"
     "                             _mesa_ast_non_lvalue(actual_ast));\n"),
    # Outputs of other vertices are no l-values, for out parameters either (GLSL 4.60, 4.3.6).
    (HIR, "static bool\nis_runtime_sized_array(",
     "bool\n_mesa_ast_is_other_vertex(ir_rvalue *lhs, const struct _mesa_glsl_parse_state *state)\n{\n"
     "   if (state->stage != MESA_SHADER_TESS_CTRL || glsl_type_is_error(lhs->type))\n      return false;\n"
     "   ir_variable *var = lhs->variable_referenced();\n"
     "   if (!var || var->data.mode != ir_var_shader_out || var->data.patch)\n      return false;\n"
     "   ir_rvalue *index = find_innermost_array_index(lhs);\n"
     "   ir_variable *index_var = index ? index->variable_referenced() : NULL;\n"
     "   return !index_var || strcmp(index_var->name, \"gl_InvocationID\") != 0;\n}\n\n"
     "static bool\nis_runtime_sized_array("),
    (HIR, "   if (state->stage == MESA_SHADER_TESS_CTRL && !glsl_type_is_error(lhs->type)) {\n"
     "      ir_variable *var = lhs->variable_referenced();\n"
     "      if (var && var->data.mode == ir_var_shader_out && !var->data.patch) {\n"
     "         ir_rvalue *index = find_innermost_array_index(lhs);\n"
     "         ir_variable *index_var = index ? index->variable_referenced() : NULL;\n"
     "         if (!index_var || strcmp(index_var->name, \"gl_InvocationID\") != 0) {\n"
     "            _mesa_glsl_error(&loc, state,\n"
     "                             \"Tessellation control shader outputs can only \"\n"
     "                             \"be indexed by gl_InvocationID\");\n"
     "            return NULL;\n         }\n      }\n   }\n",
     "   if (_mesa_ast_is_other_vertex(lhs, state)) {\n"
     "      _mesa_glsl_error(&loc, state,\n"
     "                       \"Tessellation control shader outputs can only \"\n"
     "                       \"be indexed by gl_InvocationID\");\n"
     "      return NULL;\n   }\n"),
    (CALLS, "         } else if (!actual->is_lvalue(state)) {\n            _mesa_glsl_error(&loc, state,\n"
     "                             \"function parameter '%s %s' is not an lvalue\",\n",
     "         } else if (!actual->is_lvalue(state) ||\n"
     "                    _mesa_ast_is_other_vertex((ir_rvalue *) actual_ir_node, state)) {\n"
     "            _mesa_glsl_error(&loc, state,\n"
     "                             \"function parameter '%s %s' is not an lvalue\",\n"),

    # Members have names of their own (4.1.8) and are not void (4.1.1); neither are arrays' elements.
    (HIR, "      assert(decl_type);\n\n      if (is_interface) {\n",
     "      assert(decl_type);\n\n      if (glsl_type_is_void(glsl_without_array(decl_type)))\n"
     "         _mesa_glsl_error(&loc, state, \"a member cannot be void\");\n\n      if (is_interface) {\n"),
    (HIR, "         const struct glsl_type *field_type =\n"
     "            process_array_type(&loc, decl_type, decl->array_specifier, state);\n",
     "         for (unsigned earlier = 0; earlier < i; earlier++) {\n"
     "            if (strcmp(fields[earlier].name, decl->identifier) == 0)\n"
     "               _mesa_glsl_error(&loc, state, \"two members are called `%s'\", decl->identifier);\n         }\n\n"
     "         const struct glsl_type *field_type =\n"
     "            process_array_type(&loc, decl_type, decl->array_specifier, state);\n"),
    (HIR, "      if ((decl_type == NULL) || glsl_type_is_void(decl_type)) {\n         if (type_name != NULL) {\n",
     "      if ((decl_type == NULL) || glsl_type_is_void(glsl_without_array(decl_type))) {\n"
     "         if (type_name != NULL) {\n"),
    (CALLS, "      if (glsl_type_is_subroutine(constructor_type)) {\n         _mesa_glsl_error(& loc, state,\n",
     "      if (glsl_type_is_void(glsl_without_array(constructor_type))) {\n"
     "         _mesa_glsl_error(& loc, state, \"void has no constructor\");\n"
     "         return ir_rvalue::error_value(ctx);\n      }\n\n"
     "      if (glsl_type_is_subroutine(constructor_type)) {\n         _mesa_glsl_error(& loc, state,\n"),
    # Outputs and inputs contain no booleans (4.3.4, 4.3.6).
    (HIR, "static void\napply_type_qualifier_to_variable(const struct ast_type_qualifier *qual,\n"
     "                                 ir_variable *var,\n"
     "                                 struct _mesa_glsl_parse_state *state,\n"
     "                                 YYLTYPE *loc,\n                                 bool is_parameter)\n{\n",
     "static bool\ncontains_boolean(const glsl_type *type)\n{\n   type = glsl_without_array(type);\n"
     "   if (!glsl_type_is_struct(type))\n      return glsl_type_is_boolean(type);\n"
     "   for (unsigned i = 0; i < type->length; i++) {\n"
     "      if (contains_boolean(type->fields.structure[i].type))\n         return true;\n   }\n"
     "   return false;\n}\n\n"
     "static void\napply_type_qualifier_to_variable(const struct ast_type_qualifier *qual,\n"
     "                                 ir_variable *var,\n"
     "                                 struct _mesa_glsl_parse_state *state,\n"
     "                                 YYLTYPE *loc,\n                                 bool is_parameter)\n{\n"),
    (HIR, "      case GLSL_TYPE_STRUCT:\n         if (state->is_version(150, 300))\n            break;\n"
     "         _mesa_glsl_error(loc, state,\n"
     "                          \"varying variables may not be of type struct\");\n         break;\n",
     "      case GLSL_TYPE_STRUCT:\n"
     "         if (contains_boolean(var->type)) {\n"
     "            _mesa_glsl_error(loc, state, \"inputs and outputs cannot contain booleans\");\n            break;\n         }\n"
     "         if (state->is_version(150, 300))\n            break;\n"
     "         _mesa_glsl_error(loc, state,\n"
     "                          \"varying variables may not be of type struct\");\n         break;\n"),
    # Arrays of fragment outputs have constant indices in GLSL ES 3 (4.3.6).
    (ARRAYS, "   } else if (const_index == NULL && glsl_type_is_array(array->type)) {\n",
     "   } else if (const_index == NULL && glsl_type_is_array(array->type)) {\n"
     "      const ir_variable *const output = array->variable_referenced();\n"
     "      if (state->is_version(0, 300) && state->stage == MESA_SHADER_FRAGMENT && output != NULL &&\n"
     "          output->data.mode == ir_var_shader_out)\n"
     "         _mesa_glsl_error(&loc, state, \"fragment outputs are indexed by constants only\");\n\n"),
    # Layouts for all uniforms or buffers are those of blocks (4.4.4), and atomic counters have bindings (4.4.6).
    (PARSER, "   layout_uniform_defaults\n   {\n      $$ = NULL;\n",
     "   layout_uniform_defaults\n   {\n      $$ = NULL;\n"
     "      if (state->es_shader) {\n         ast_type_qualifier allowed;\n         allowed.flags.i = 0;\n"
     "         allowed.flags.q.std140 = 1;\n         allowed.flags.q.shared = 1;\n"
     "         allowed.flags.q.packed = 1;\n         allowed.flags.q.row_major = 1;\n"
     "         allowed.flags.q.column_major = 1;\n"
     "         $1.validate_flags(& @1, state, allowed, \"invalid layout qualifier for\", \"uniform\");\n      }\n"),
    (HIR, "      ast_type_qualifier allowed_atomic_qual_mask;\n",
     "      if (type->qualifier.flags.q.explicit_offset && !type->qualifier.flags.q.explicit_binding)\n"
     "         _mesa_glsl_error(&loc, state, \"an atomic counter's offset needs a binding\");\n\n"
     "      ast_type_qualifier allowed_atomic_qual_mask;\n"),
    # Only "in" and "out" as a whole have these layouts (4.4): not variables, blocks and members.
    (HIR, "static void\napply_layout_qualifier_to_variable(const struct ast_type_qualifier *qual,\n",
     "/* Whether layouts are there that only `in' or `out' as a whole can have. */\n"
     "static bool\nhas_stage_layout(const struct ast_type_qualifier *qual)\n{\n"
     "   return qual->flags.q.blend_support || qual->flags.q.local_size || qual->flags.q.vertices ||\n"
     "          qual->flags.q.max_vertices || qual->flags.q.invocations || qual->flags.q.vertex_spacing ||\n"
     "          qual->flags.q.ordering || qual->flags.q.point_mode;\n}\n\n"
     "static void\napply_layout_qualifier_to_variable(const struct ast_type_qualifier *qual,\n"),
    (HIR, "   if (qual->flags.q.inner_coverage) {\n      _mesa_glsl_error(loc, state,",
     "   if (has_stage_layout(qual))\n"
     "      _mesa_glsl_error(loc, state, \"a variable has a layout of `in' or `out' as a whole\");\n\n"
     "   if (qual->flags.q.inner_coverage) {\n      _mesa_glsl_error(loc, state,"),
    (HIR, "      if (qual->flags.q.constant) {\n         _mesa_glsl_error(&loc, state,\n"
     "                          \"const storage qualifier cannot be applied \"\n",
     "      if (has_stage_layout(qual) || qual->flags.q.prim_type || qual->flags.q.early_fragment_tests)\n"
     "         _mesa_glsl_error(&loc, state, \"a member has a layout of `in' or `out' as a whole\");\n\n"
     "      if (qual->flags.q.constant) {\n         _mesa_glsl_error(&loc, state,\n"
     "                          \"const storage qualifier cannot be applied \"\n"),
    (TYPES, "          || this->flags.q.explicit_xfb_stride\n          || this->flags.q.explicit_numviews;\n",
     "          || this->flags.q.explicit_xfb_stride\n          || this->flags.q.prim_type\n"
     "          || this->flags.q.max_vertices\n          || this->flags.q.invocations\n"
     "          || this->flags.q.vertices\n          || this->flags.q.vertex_spacing\n"
     "          || this->flags.q.ordering\n          || this->flags.q.point_mode\n"
     "          || this->flags.q.local_size\n          || this->flags.q.early_fragment_tests\n"
     "          || this->flags.q.blend_support\n          || this->flags.q.explicit_numviews;\n"),
    # Shared variables are global (4.3).
    (HIR, "            mode = \"out\";\n            extra = \" or in function parameter list\";\n         }\n",
     "            mode = \"out\";\n            extra = \" or in function parameter list\";\n"
     "         } else if (this->type->qualifier.flags.q.shared_storage) {\n            mode = \"shared\";\n         }\n"),
    # Parameters' names are declared, too (3.8). Definitions, too, may have parameters without a name (6.1.1), which
    # Mesa gives an empty one.
    (HIR, "   if (formal_parameter && (this->identifier == NULL)) {\n",
     "   if (this->identifier != NULL && is_gl_identifier(this->identifier)) {\n"
     "      _mesa_glsl_error(&loc, state, \"identifier `%s' uses reserved `gl_' prefix\", this->identifier);\n   }\n\n"
     "   if (formal_parameter && (this->identifier == NULL) && !state->is_version(130, 300)) {\n"),
    (HIR, "      /* The only way a parameter would \"exist\" is if two parameters have\n",
     "      if (var->name[0] == '\\0')\n         continue;\n\n"
     "      /* The only way a parameter would \"exist\" is if two parameters have\n"),
    # Built-in macros can't be redefined (3.4).
    (PREPROCESSOR, "   if (strstr(identifier, \"__\")) {\n"
     "      glcpp_warning(loc, parser, \"Macro names containing",
     "   if (parser->is_gles && parser->version >= 300 &&\n"
     "       (strcmp(identifier, \"__LINE__\") == 0 || strcmp(identifier, \"__FILE__\") == 0 ||\n"
     "        strcmp(identifier, \"__VERSION__\") == 0)) {\n"
     "      glcpp_error(loc, parser, \"Built-in (pre-defined) names cannot be redefined.\");\n"
     "   } else if (strstr(identifier, \"__\")) {\n"
     "      glcpp_warning(loc, parser, \"Macro names containing"),
    # Atomic counters are highp by default, too (4.1.7.3); what has no precision can't be given one (4.7.3).
    (HIR, "                          \"default precision statements apply only to \"\n"
     "                          \"float, int, and opaque types\");\n         return NULL;\n      }\n",
     "                          \"default precision statements apply only to \"\n"
     "                          \"float, int, and opaque types\");\n         return NULL;\n      }\n\n"
     "      if (state->es_shader && glsl_type_is_atomic_uint(type) &&\n"
     "          this->default_precision != ast_precision_high)\n"
     "         _mesa_glsl_error(&loc, state, \"atomic_uint can only have highp precision qualifier\");\n"),
    (HIR, "   if (state->es_shader) {\n      YYLTYPE loc = this->get_location();\n      return_precision =\n",
     "   if (state->es_shader) {\n      YYLTYPE loc = this->get_location();\n"
     "      if (this->return_type->qualifier.precision != ast_precision_none &&\n"
     "          !precision_qualifier_allowed(return_type))\n"
     "         _mesa_glsl_error(&loc, state, \"function `%s' returns nothing that has a precision\", name);\n"
     "      return_precision =\n"),
    # A function's declarations have the same precisions (6.1).
    (HIR, "         if (sig->return_type != return_type) {\n            YYLTYPE loc = this->get_location();\n",
     "         if (state->is_version(0, 300) && !sig->is_builtin()) {\n"
     "            foreach_two_lists(a, &sig->parameters, b, &hir_parameters) {\n"
     "               if (((ir_variable *) a)->data.precision != ((ir_variable *) b)->data.precision) {\n"
     "                  YYLTYPE loc = this->get_location();\n"
     "                  _mesa_glsl_error(&loc, state, \"function `%s' parameter precision doesn't \"\n"
     "                                   \"match prototype\", name);\n               }\n            }\n         }\n\n"
     "         if (sig->return_type != return_type) {\n            YYLTYPE loc = this->get_location();\n"),
    # Inputs that a shader declares can't be invariant in GLSL ES 3 (4.8.1).
    (HIR, "{\n   if (is_varying_var(var, state->stage))\n      return true;\n\n   /* ES2 says:\n",
     "{\n   if (state->is_version(0, 300) && var->data.mode == ir_var_shader_in && !is_gl_identifier(var->name))\n"
     "      return false;\n\n   if (is_varying_var(var, state->stage))\n      return true;\n\n   /* ES2 says:\n"),
    # Early fragment tests are GLSL ES 3.10's, and leave no depth to write (4.4.1).
    (PARSER, "         if (match_layout_qualifier($1, \"early_fragment_tests\", state) == 0) {\n",
     "         if (state->is_version(110, 310) &&\n"
     "             match_layout_qualifier($1, \"early_fragment_tests\", state) == 0) {\n"),
    # Locations of fragment outputs exist and belong to one of them each, written or not (4.4.2).
    (HIR, "   /* Figure out if gl_FragCoord is actually used in fragment shader */\n",
     "   const ir_variable *const depth = state->symbols->get_variable(\"gl_FragDepth\");\n"
     "   if (state->es_shader && state->fs_early_fragment_tests && depth != NULL && depth->data.assigned) {\n"
     "      YYLTYPE loc = {};\n"
     "      _mesa_glsl_error(&loc, state, \"gl_FragDepth is written with early fragment tests\");\n   }\n"
     "   if (state->stage == MESA_SHADER_FRAGMENT && state->is_version(0, 300))\n"
     "      check_fragment_locations(state, instructions);\n\n"
     "   /* Figure out if gl_FragCoord is actually used in fragment shader */\n"),
    (HIR, "void\n_mesa_ast_to_hir(exec_list *instructions, struct _mesa_glsl_parse_state *state)\n{\n",
     "static void\ncheck_fragment_locations(struct _mesa_glsl_parse_state *state, exec_list *instructions)\n{\n"
     "   uint64_t taken[2] = {0, 0};\n"
     "   foreach_in_list(ir_instruction, node, instructions) {\n"
     "      const ir_variable *const var = node->as_variable();\n"
     "      if (var == NULL || var->data.mode != ir_var_shader_out || !var->data.explicit_location ||\n"
     "          is_gl_identifier(var->name))\n         continue;\n"
     "      const unsigned first = var->data.location - FRAG_RESULT_DATA0;\n"
     "      const unsigned slots = glsl_type_is_array(var->type) ? glsl_array_size(var->type) : 1;\n"
     "      YYLTYPE loc = {};\n"
     "      if (first >= state->Const.MaxDrawBuffers || slots > state->Const.MaxDrawBuffers - first) {\n"
     "         _mesa_glsl_error(&loc, state, \"there is no such location for `%s'\", var->name);\n         continue;\n      }\n"
     "      const uint64_t mask = BITFIELD64_RANGE(first, slots);\n"
     "      if (taken[var->data.index & 1] & mask)\n"
     "         _mesa_glsl_error(&loc, state, \"the location of `%s' belongs to another output\", var->name);\n"
     "      taken[var->data.index & 1] |= mask;\n   }\n}\n\n"
     "void\n_mesa_ast_to_hir(exec_list *instructions, struct _mesa_glsl_parse_state *state)\n{\n"),
    # Names of macros have at most 1024 characters; lines' and strings' numbers are expressions (3.4).
    (PREPROCESSOR, "   if (strcmp(identifier, \"defined\") == 0) {\n",
     "   if (parser->is_gles && parser->version >= 300 && strlen(identifier) > 1024) {\n"
     "      glcpp_error (loc, parser, \"a macro's name has more than 1024 characters\");\n   }\n"
     "   if (strcmp(identifier, \"defined\") == 0) {\n"),
    (PREPROCESSOR, "|  LINE_EXPANDED integer_constant NEWLINE {\n      parser->has_new_line_number = 1;\n"
     "      parser->new_line_number = $2;\n"
     "      _mesa_string_buffer_printf(parser->output, \"#line %\" PRIiMAX \"\\n\", $2);\n",
     "|  LINE_EXPANDED expression NEWLINE {\n      parser->has_new_line_number = 1;\n"
     "      parser->new_line_number = $2.value;\n"
     "      if ($2.undefined_macro)\n"
     "         glcpp_error(& @1, parser, \"undefined macro %s in #line\", $2.undefined_macro);\n"
     "      _mesa_string_buffer_printf(parser->output, \"#line %\" PRIiMAX \"\\n\", $2.value);\n"),
    (PREPROCESSOR, "|  LINE_EXPANDED integer_constant integer_constant NEWLINE {\n"
     "      parser->has_new_line_number = 1;\n      parser->new_line_number = $2;\n",
     "|  LINE_EXPANDED expression string_number NEWLINE {\n"
     "      parser->has_new_line_number = 1;\n      parser->new_line_number = $2.value;\n"
     "      if ($2.undefined_macro)\n"
     "         glcpp_error(& @1, parser, \"undefined macro %s in #line\", $2.undefined_macro);\n"),
    (PREPROCESSOR, "                  \"#line %\" PRIiMAX \" %\" PRIiMAX \"\\n\",\n                   $2, $3);\n",
     "                  \"#line %\" PRIiMAX \" %\" PRIiMAX \"\\n\",\n                   $2.value, $3);\n"),
    (PREPROCESSOR, "SPACE integer_constant version_constant\n", "SPACE integer_constant string_number version_constant\n"),
    (PREPROCESSOR, "version_constant:\n",
     "string_number:\n   integer_constant {\n      $$ = $1;\n   }\n|  '(' expression ')' {\n      $$ = $2.value;\n   }\n\n"
     "version_constant:\n"),
    # Constants that no version of GLSL ES has (7.2).
    (CONSTANTS, "      add_const(\"gl_MaxVertexOutputComponents\",\n",
     "      if (!state->es_shader)\n         add_const(\"gl_MaxVertexOutputComponents\",\n"),
    (CONSTANTS, "      add_const(\"gl_MaxFragmentInputComponents\",\n",
     "      if (!state->es_shader)\n         add_const(\"gl_MaxFragmentInputComponents\",\n"),
    (CONSTANTS, "      add_const(\"gl_MaxGeometryVaryingComponents\",\n",
     "      if (!state->es_shader)\n         add_const(\"gl_MaxGeometryVaryingComponents\",\n"),
    # A block's instance is no value (4.3.9).
    (HIR, "      } else if ((glsl_contains_subroutine(op[0]->type) ||\n"
     "                  glsl_contains_subroutine(op[1]->type))) {\n"
     "         _mesa_glsl_error(&loc, state, \"subroutine comparisons forbidden\");\n",
     "      } else if (glsl_type_is_interface(glsl_without_array(op[0]->type))) {\n"
     "         _mesa_glsl_error(&loc, state, \"blocks cannot be compared\");\n         error_emitted = true;\n"
     "      } else if ((glsl_contains_subroutine(op[0]->type) ||\n"
     "                  glsl_contains_subroutine(op[1]->type))) {\n"
     "         _mesa_glsl_error(&loc, state, \"subroutine comparisons forbidden\");\n"),
    # GLSL ES 3.10 and GLSL 4.50 let fragment shaders have the pragma (4.8.1 and 4.8.2's first example).
    (PARSER, "      if (state->is_version(120, 300) &&\n          state->stage == MESA_SHADER_FRAGMENT) {\n"
     "         _mesa_glsl_error(& @1, state,\n                          \"pragma `invariant(all)' cannot be used \"\n",
     "      if (state->is_version(120, 300) && !state->is_version(450, 310) &&\n"
     "          state->stage == MESA_SHADER_FRAGMENT) {\n"
     "         _mesa_glsl_error(& @1, state,\n                          \"pragma `invariant(all)' cannot be used \"\n"),
    # A call of an element of what has no name crashed.
    (CALLS, "                                                    actual_parameters);\n"
     "      ir_rvalue *outer_array_idx = idx->hir(instructions, state);\n\n      YYLTYPE index_loc",
     "                                                    actual_parameters);\n"
     "      if (*function_name == NULL)\n         return NULL;\n"
     "      ir_rvalue *outer_array_idx = idx->hir(instructions, state);\n\n      YYLTYPE index_loc"),
    (CALLS, "      ir_variable *sub_var = NULL;\n      *function_name = array->primary_expression.identifier;\n",
     "      ir_variable *sub_var = NULL;\n      if (array->oper != ast_identifier) {\n"
     "         _mesa_glsl_error(&loc, state, \"a call of an element of something without a name\");\n"
     "         *function_name = NULL; /* indicate error condition to caller */\n         return NULL;\n      }\n"
     "      *function_name = array->primary_expression.identifier;\n"),
    # Sample masks are arrays that a shader may declare with its size (GLSL 4.60, 7.1.5).
    (HIR, "   } else if (earlier->type != var->type) {\n      _mesa_glsl_error(&loc, state,\n"
     "                       \"redeclaration of `%s' has incorrect type\",\n",
     "   } else if (!state->es_shader && earlier->data.how_declared == ir_var_declared_implicitly &&\n"
     "              strncmp(var->name, \"gl_SampleMask\", 13) == 0 && glsl_type_is_array(var->type) &&\n"
     "              var->type->fields.array == earlier->type->fields.array &&\n"
     "              glsl_array_size(var->type) <= glsl_array_size(earlier->type)) {\n"
     "      /* The built-in array already has the only size that there is. */\n"
     "   } else if (earlier->type != var->type) {\n      _mesa_glsl_error(&loc, state,\n"
     "                       \"redeclaration of `%s' has incorrect type\",\n"),
    # A block's members without an instance are as global as structures and functions (4.3.9, 4.2.3).
    (HIR, "         if (state->symbols->get_variable(var->name) != NULL)\n"
     "            _mesa_glsl_error(&loc, state, \"`%s' redeclared\", var->name);\n",
     "         if (state->symbols->get_variable(var->name) != NULL ||\n"
     "             state->symbols->name_declared_this_scope(var->name))\n"
     "            _mesa_glsl_error(&loc, state, \"`%s' redeclared\", var->name);\n"),
    # More blocks than can be counted, or locations of inputs and outputs that there are not, crashed the linker.
    (BLOCKS, "   unsigned aoa_size = glsl_get_aoa_size(blk_type);\n"
     "   unsigned buffer_count = aoa_size == 0 ? 1 : aoa_size;\n",
     "   uint64_t aoa_size = 1;\n"
     "   for (const struct glsl_type *t = blk_type; glsl_type_is_array(t); t = glsl_get_array_element(t))\n"
     "      aoa_size = MIN2(aoa_size * MAX2(glsl_get_length(t), 1), MAX_COUNTED_BLOCKS);\n"
     "   unsigned buffer_count = aoa_size;\n"),
    (BLOCKS, "static void\ncount_block(", "#define MAX_COUNTED_BLOCKS (1u << 16)\n\nstatic void\ncount_block("),
    (BLOCKS, "   if (*num_blocks == 0) {\n",
     "   if (*num_blocks >= MAX_COUNTED_BLOCKS) {\n      linker_error(prog, \"Too many blocks\\n\");\n      return;\n   }\n\n"
     "   if (*num_blocks == 0) {\n"),
    (VARYINGS, "bool\ngl_nir_link_varyings(const struct gl_constants *consts,\n",
     "static bool\nhas_location(const nir_variable *var, gl_shader_stage stage)\n{\n"
     "   const int first = var->data.location - (var->data.patch ? VARYING_SLOT_PATCH0 : VARYING_SLOT_VAR0);\n"
     "   const struct glsl_type *type = var->type;\n"
     "   if (nir_is_arrayed_io(var, stage))\n      type = glsl_get_array_element(type);\n"
     "   return !var->data.explicit_location || is_gl_identifier(var->name) ||\n"
     "          (var->data.location >= 0 && var->data.location < VARYING_SLOT_VAR0) ||\n"
     "          (first >= 0 && first < MAX_VARYING &&\n"
     "           glsl_count_attribute_slots(type, false) <= MAX_VARYING - first);\n}\n\n"
     "static bool\ncheck_locations(struct gl_shader_program *prog)\n{\n"
     "   for (unsigned stage = 0; stage <= MESA_SHADER_FRAGMENT; stage++) {\n"
     "      if (!prog->_LinkedShaders[stage])\n         continue;\n"
     "      nir_variable_mode modes = (stage == MESA_SHADER_VERTEX ? 0 : nir_var_shader_in) |\n"
     "                                (stage == MESA_SHADER_FRAGMENT ? 0 : nir_var_shader_out);\n"
     "      nir_foreach_variable_with_modes(var, prog->_LinkedShaders[stage]->Program->nir, modes) {\n"
     "         if (has_location(var, stage))\n            continue;\n"
     "         linker_error(prog, \"the %s shader's `%s' has a location that there is not\\n\",\n"
     "                      _mesa_shader_stage_to_string(stage), var->name);\n"
     "         return false;\n      }\n   }\n   return true;\n}\n\n"
     "bool\ngl_nir_link_varyings(const struct gl_constants *consts,\n"),
    (VARYINGS, "   MESA_TRACE_FUNC();\n\n   first = MESA_SHADER_STAGES;\n",
     "   MESA_TRACE_FUNC();\n\n   if (!check_locations(prog)) {\n      ralloc_free(mem_ctx);\n      return false;\n   }\n\n"
     "   first = MESA_SHADER_STAGES;\n"),
    # ESSL 3.20, 4.3.6: each vertex of a patch may have an array.
    ("src/compiler/glsl/ast_to_hir.cpp",
     "            if (glsl_type_is_array(var->type) &&\n                glsl_type_is_array(var->type->fields.array)) {\n"
     "               _mesa_glsl_error(&loc, state,\n                                \"%s shader output \"\n"
     "                                \"cannot have an array of arrays\",\n",
     "            const glsl_type *of_vertex = var->type;\n"
     "            if (state->stage == MESA_SHADER_TESS_CTRL && !var->data.patch &&\n"
     "                state->is_version(0, 320) && glsl_type_is_array(of_vertex))\n"
     "               of_vertex = of_vertex->fields.array;\n"
     "            if (glsl_type_is_array(of_vertex) &&\n                glsl_type_is_array(of_vertex->fields.array)) {\n"
     "               _mesa_glsl_error(&loc, state,\n                                \"%s shader output \"\n"
     "                                \"cannot have an array of arrays\",\n"),
]
