# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what fixed-function OpenGL computes."""

VERTEX = "src/mesa/main/ffvertex_prog.c"

EDITS = [
    # GL 4.6 (compatibility), 12.2.1: anything to the power of 0 is 1. Lights with attenuation or a cone took the product
    # of normal and direction to the power of itself, where all materials have the shininess 0.
    (VERTEX,
     "   /* Note that lit.x & lit.w will not be examined.  Note also that\n    * dots.xyzw == dots.xxxx.\n    */\n",
     "   /* Note that lit.w will not be examined.  Note also that\n    * dots.xyzw == dots.xxxx.\n    */\n"),
    (VERTEX,
     "   nir_def *tmp = nir_fmax(b, id, dots);\n   return nir_vector_insert_imm(b, tmp, nir_slt(b, zero, dots_x), 2);\n",
     "   nir_def *tmp = nir_fmax(b, id, dots);\n"
     "   tmp = nir_vector_insert_imm(b, tmp, nir_imm_float(b, 1.0f), 0);\n"
     "   return nir_vector_insert_imm(b, tmp, nir_slt(b, zero, dots_x), 2);\n"),
    *[(VERTEX,
       "               lit = emit_lit(p->b, dots);\n               lit = nir_fmul(p->b, lit, att);\n"
       f"               _{colour}0 =",
       "               lit = p->state->material_shininess_is_zero ?\n"
       "                     emit_degenerate_lit(p->b, dots) : emit_lit(p->b, dots);\n"
       "               lit = nir_fmul(p->b, lit, att);\n"
       f"               _{colour}0 =") for colour in ("col", "bfc")],
]
