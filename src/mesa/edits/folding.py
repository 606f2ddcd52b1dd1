# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what Mesa's compiler computes by itself (GLSL 4.60, 4.1.3, 5.9, 8.3)."""

OPERATIONS = "src/compiler/glsl/ir_expression_operation.py"
OPCODES = "src/compiler/nir/nir_opcodes.py"
MINMAX = "src/compiler/glsl/opt_minmax.cpp"
COPIES = "src/compiler/nir/nir_opt_find_array_copies.c"

EDITS = [
    # 4.1.3: integers wrap. The least one divided by -1 among constants ended the program with a signal.
    (OPERATIONS, "'i': \"{src1} == 0 ? 0 : {src0} / {src1}\", 'u64': \"{src1} == 0 ? 0 : {src0} / {src1}\", "
                 "'i64': \"{src1} == 0 ? 0 : {src0} / {src1}\",",
     "'i': \"{src1} == 0 ? 0 : {src1} == -1 ? (int)(0u - (unsigned){src0}) : {src0} / {src1}\", "
     "'u64': \"{src1} == 0 ? 0 : {src0} / {src1}\", "
     "'i64': \"{src1} == 0 ? 0 : {src1} == -1 ? (int64_t)(0ull - (uint64_t){src0}) : {src0} / {src1}\","),
    (OPERATIONS, "'i': \"{src1} == 0 ? 0 : {src0} % {src1}\", 'f'",
     "'i': \"{src1} == 0 || {src1} == -1 ? 0 : {src0} % {src1}\", 'f'"),
    (OPERATIONS, "'i64': \"{src1} == 0 ? 0 : {src0} % {src1}\"}",
     "'i64': \"{src1} == 0 || {src1} == -1 ? 0 : {src0} % {src1}\"}"),
    (OPCODES, 'binop("idiv", tint, "", "src1 == 0 ? 0 : (src0 / src1)")',
     'binop("idiv", tint, "", "src1 == 0 ? 0 : src1 == -1 ? (int64_t)(0 - (uint64_t)src0) : (src0 / src1)")'),
    (OPCODES, 'binop("irem", tint, "", "src1 == 0 ? 0 : src0 % src1")',
     'binop("irem", tint, "", "src1 == 0 || src1 == -1 ? 0 : src0 % src1")'),
    (OPCODES, '      "src1 == 0 ? 0 : ((src0 % src1 == 0 || (src0 >= 0) == (src1 >= 0)) ?"\n',
     '      "src1 == 0 || src1 == -1 ? 0 : ((src0 % src1 == 0 || (src0 >= 0) == (src1 >= 0)) ?"\n'),
    # 8.3: min and max take a vector and a number. Nested ones of constants took the number for a vector whose other components
    # are 0.
    (MINMAX, "   void *mem_ctx = ralloc_parent(a);\n   ir_constant *c = a->clone(mem_ctx, NULL);\n",
     "   void *mem_ctx = ralloc_parent(a);\n"
     "   if (glsl_get_components(a->type) < glsl_get_components(b->type)) {\n"
     "      ir_constant *vector = b;\n      b = a;\n      a = vector;\n   }\n"
     "   if (glsl_get_components(b->type) < glsl_get_components(a->type)) {\n"
     "      const unsigned size = glsl_base_type_get_bit_size(b->type->base_type) / 8;\n"
     "      ir_constant *wide = a->clone(mem_ctx, NULL);\n"
     "      for (unsigned i = 0; i < glsl_get_components(a->type); i++)\n"
     "         memcpy((char *)&wide->value + i * size, &b->value, size);\n"
     "      b = wide;\n   }\n"
     "   ir_constant *c = a->clone(mem_ctx, NULL);\n"),
    # 5.9: ?: gives the operand that was selected, with all its bits. A choice between 1.0 and 0.0 is a conversion, but what has
    # no type may be integers, and -0.0 was taken for 0.0.
    ("src/compiler/nir/nir_search.c",
     "            if (val != const_val->data.d)\n               return false;\n",
     "            if (val != const_val->data.d)\n               return false;\n"
     "            if (val == 0.0 && signbit(val) != signbit(const_val->data.d) &&\n"
     "                nir_alu_type_get_base_type(nir_op_infos[instr->op].input_types[src]) != nir_type_float)\n"
     "               return false;\n"),
    # Components of a block's vector by an index aren't elements of an array: the search for copies of arrays read behind its
    # memory.
    (COPIES, "          (nir_deref_instr_has_indirect(src_deref) ||\n           nir_deref_instr_is_known_out_of_bounds(src_deref) ||\n",
     "          (is_component(src_deref) ||\n           nir_deref_instr_has_indirect(src_deref) ||\n"
     "           nir_deref_instr_is_known_out_of_bounds(src_deref) ||\n"),
    (COPIES, "      state->builder.cursor = nir_after_instr(instr);\n      progress |= handle_write(",
     "      if (is_component(dst_deref)) {\n         dst_deref = nir_deref_instr_parent(dst_deref);\n         src_deref = NULL;\n      }\n\n"
     "      state->builder.cursor = nir_after_instr(instr);\n      progress |= handle_write("),
    (COPIES, "static bool\nopt_find_array_copies_block(",
     "static bool\nis_component(nir_deref_instr *deref)\n{\n   return deref->deref_type == nir_deref_type_array &&\n"
     "          glsl_type_is_vector(nir_deref_instr_parent(deref)->type);\n}\n\n"
     "static bool\nopt_find_array_copies_block("),
    # multiply32x16 of constants (INTEL_shader_integer_functions2) was the square of the first one's low half.
    (OPERATIONS, "      'i': \"{src0} * (int16_t){src0}\"\n",
     "      'i': \"(int)((unsigned){src0} * (unsigned)(int16_t){src1})\"\n"),
]
