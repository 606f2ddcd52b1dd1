# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what fixed-function OpenGL computes."""

VERTEX = "src/mesa/main/ffvertex_prog.c"

MATRIX = "src/mesa/math/m_matrix.c"

EDITS = [
    # 16.3: lighting with a separate specular colour adds it where no vertex shader or program stands for lighting.
    ("src/mesa/main/ff_fragment_shader.c", "   if (ctx->Light.Enabled &&\n       (ctx->Light.Model.ColorControl ==",
     "   if (ctx->VertexProgram._VPMode == VP_MODE_FF && ctx->Light.Enabled &&\n       (ctx->Light.Model.ColorControl =="),
    # OpenGL 4.6 (compatibility), 12.2.3: what glColor gives a material stays there. A vertex that is being put together has
    # the material as it was, and put it back; a last colour came to the new parameter alone.
    ("src/mesa/main/enable.c", "         FLUSH_CURRENT(ctx, 0);\n         ctx->Light.ColorMaterialEnabled = state;\n",
     "         if (ctx->Driver.NeedFlush)\n"
     "            vbo_exec_FlushVertices(ctx, FLUSH_STORED_VERTICES | FLUSH_UPDATE_CURRENT);\n"
     "         ctx->Light.ColorMaterialEnabled = state;\n"),
    ("src/mesa/main/light.c", "   FLUSH_VERTICES(ctx, 0, GL_LIGHTING_BIT);\n   ctx->Light._ColorMaterialBitmask = bitmask;\n",
     "   FLUSH_VERTICES(ctx, 0, GL_LIGHTING_BIT);\n   if (ctx->Light.ColorMaterialEnabled && ctx->Driver.NeedFlush)\n"
     "      vbo_exec_FlushVertices(ctx, FLUSH_STORED_VERTICES | FLUSH_UPDATE_CURRENT);\n"
     "   ctx->Light._ColorMaterialBitmask = bitmask;\n"),
    # GLSL 1.20, 7.5, and ARB_vertex_program, 2.14.3.2: the cosine of a light that is no spot is that of 180 degrees. Shaders
    # compare with it without asking whether it is one.
    ("src/mesa/main/light.c", "      lu->_CosCutoff = (cosf(lu->SpotCutoff * M_PI / 180.0));\n      if (lu->_CosCutoff < 0)\n"
                              "         lu->_CosCutoff = 0;\n",
     "      lu->_CosCutoff = is_180 ? -1.0f : MAX2(cosf(lu->SpotCutoff * M_PI / 180.0), 0.0f);\n"),
    ("src/mesa/main/light.c", "   lu->_CosCutoff = 0.0;\t\t/* KW: -ve values not admitted */\n", "   lu->_CosCutoff = -1.0f;\n"),
    ("src/mesa/main/mtypes.h", "/**< = MAX(0, cos(SpotCutoff)) */", "/**< = cos(SpotCutoff), 0 for 90 degrees */"),
    # An affine matrix may come where a projective one was: nothing of that one's inverse may stay.
    (MATRIX, "   det = 1.0F / det;\n   MAT(out,0,0) = (  (MAT(in,1,1)*MAT(in,2,2)",
     "   det = 1.0F / det;\n   matrix_set_identity(out);\n   MAT(out,0,0) = (  (MAT(in,1,1)*MAT(in,2,2)"),
    (MATRIX, "   if (mat->flags & MAT_FLAG_UNIFORM_SCALE) {\n      GLfloat scale = (MAT(in,0,0) * MAT(in,0,0) +\n",
     "   matrix_set_identity(out);\n   if (mat->flags & MAT_FLAG_UNIFORM_SCALE) {\n"
     "      GLfloat scale = (MAT(in,0,0) * MAT(in,0,0) +\n"),
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
