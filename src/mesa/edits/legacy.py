# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what only compatibility profiles and OpenGL ES 1.1 have."""

ARRAYS = "src/mesa/main/api_arrayelt.c"
DRAW_PIXELS = "src/mesa/state_tracker/st_cb_drawpixels.c"
EVALUATORS = "src/mesa/vbo/vbo_exec_api.c"
GET = "src/mesa/main/get.c"

CLIPPING = "src/compiler/nir/nir_lower_clip.c"
DEAD_VARYINGS = "src/compiler/glsl/gl_nir_opt_dead_builtin_varyings.c"

SAMPLERS = "src/mesa/main/samplerobj.c"

SAMPLERS_H = "src/mesa/main/samplerobj.h"

ATTRIB = "src/mesa/main/attrib.c"

FF_VERTEX = "src/mesa/main/ffvertex_prog.c"

EDITS = [
    # gl_ClipVertex is captured whether or not planes clip, which made distances of it.
    (CLIPPING, "static nir_def *\nfind_output(nir_builder *b, unsigned location)\n{\n",
     "/* Transform feedback wants what this stores. */\n"
     "static bool\nis_captured(const nir_intrinsic_instr *store)\n{\n"
     "   if (!nir_intrinsic_has_io_xfb(store))\n      return false;\n"
     "   const nir_io_xfb first = nir_intrinsic_io_xfb(store), second = nir_intrinsic_io_xfb2(store);\n"
     "   return first.out[0].num_components || first.out[1].num_components ||\n"
     "          second.out[0].num_components || second.out[1].num_components;\n}\n\n"
     "static nir_def *\nfind_output(nir_builder *b, unsigned location)\n{\n"),
    (CLIPPING, "               if (location == VARYING_SLOT_CLIP_VERTEX)\n",
     "               if (location == VARYING_SLOT_CLIP_VERTEX && !is_captured(intr))\n"),
    (CLIPPING, "   if (clip_output_slot == VARYING_SLOT_CLIP_VERTEX)\n",
     "   if (clip_output_slot == VARYING_SLOT_CLIP_VERTEX && !is_captured(intr))\n"),
    # Built-in varyings that are captured stay, whether or not the fragment shader reads them (compatibility profile, 13.3).
    # They were asked for their location, which they have later only.
    (DEAD_VARYINGS, "/**\n * This obtains detailed information about built-in varyings from shader code.\n */\n",
     "/* The slot of a built-in varying by its NAME; VARYING_SLOT_MAX: it is none of those that may go. */\n"
     "static unsigned\nslot_of_builtin(const char *name)\n{\n"
     "   static const struct {\n      const char *name;\n      unsigned slot;\n   } builtins[] = {\n"
     "      { \"gl_FrontColor\", VARYING_SLOT_COL0 },\n      { \"gl_BackColor\", VARYING_SLOT_BFC0 },\n"
     "      { \"gl_FrontSecondaryColor\", VARYING_SLOT_COL1 },\n"
     "      { \"gl_BackSecondaryColor\", VARYING_SLOT_BFC1 },\n"
     "      { \"gl_FogFragCoord\", VARYING_SLOT_FOGC },\n      { \"gl_TexCoord\", VARYING_SLOT_TEX0 },\n   };\n"
     "   for (unsigned i = 0; i < ARRAY_SIZE(builtins); i++) {\n"
     "      if (strcmp(builtins[i].name, name) == 0)\n         return builtins[i].slot;\n   }\n"
     "   return VARYING_SLOT_MAX;\n}\n\n"
     "/**\n * This obtains detailed information about built-in varyings from shader code.\n */\n"),
    (DEAD_VARYINGS, "      unsigned location = tfeedback_decls[i].location;\n",
     "      unsigned location = slot_of_builtin(tfeedback_decls[i].var_name);\n"),
    # ARB_vertex_program: a program object may get one string after another. The second one's left freed memory, which the
    # third one freed again.
    ("src/mesa/state_tracker/st_program.c", "   free(prog->base_serialized_nir);\n",
     "   free(prog->base_serialized_nir);\n   prog->base_serialized_nir = NULL;\n"),
    # OpenGL 4.6 (compatibility), 8.4.4.1: pixels that are kept from the last glDrawPixels are the same ones only where
    # their rows lie as they did then.
    (DRAW_PIXELS, "   if ((unpack->RowLength != 0 && unpack->RowLength != width) ||\n",
     "   if ((unpack->RowLength != 0 && unpack->RowLength != width) ||\n       unpack->Invert ||\n"
     "       _mesa_image_row_stride(unpack, width, format, type) != (GLint)(width * bpp) ||\n"),
    (DRAW_PIXELS, "   if ((unpack->RowLength == 0 || unpack->RowLength == width) &&\n       unpack->SkipPixels == 0 &&\n       unpack->SkipRows == 0) {\n",
     "   if ((unpack->RowLength == 0 || unpack->RowLength == width) &&\n"
     "       _mesa_image_row_stride(unpack, width, format, type) == (GLint)(width * _mesa_bytes_per_pixel(format, type)) &&\n"
     "       !unpack->Invert &&\n       unpack->SkipPixels == 0 &&\n       unpack->SkipRows == 0) {\n"),
    # ES 1.1, 6.1.2: enumerated values become fixed-point numbers without scaling.
    (GET, "   case TYPE_INT_2:\n   case TYPE_ENUM_2:\n      params[1] = INT_TO_FIXED(((GLint *) p)[1]);\n      FALLTHROUGH;\n"
          "   case TYPE_INT:\n   case TYPE_ENUM:\n      params[0] = INT_TO_FIXED(((GLint *) p)[0]);\n      break;\n",
     "   case TYPE_INT_2:\n      params[1] = INT_TO_FIXED(((GLint *) p)[1]);\n      FALLTHROUGH;\n"
     "   case TYPE_INT:\n      params[0] = INT_TO_FIXED(((GLint *) p)[0]);\n      break;\n\n"
     "   case TYPE_ENUM_2:\n      params[1] = ((GLint *) p)[1];\n      FALLTHROUGH;\n"
     "   case TYPE_ENUM:\n      params[0] = ((GLint *) p)[0];\n      break;\n"),
    (GET, "      params[0] = INT_TO_FIXED((GLint)(((GLenum16 *) p)[0]));\n", "      params[0] = ((GLenum16 *) p)[0];\n"),
    # ES 1.1, 2.7: there are as many units as MAX_TEXTURE_UNITS says.
    ("src/mesa/main/texstate.c", "      GLuint k = _mesa_max_tex_unit(ctx);\n",
     "      GLuint k = ctx->API == API_OPENGLES ? ctx->Const.MaxTextureUnits : _mesa_max_tex_unit(ctx);\n"),
    # ES 1.1, 4.2.3 and 3.8: colours are clamped as they are set.
    ("src/mesa/main/clear.c", "   ctx->PopAttribState |= GL_COLOR_BUFFER_BIT;\n   ctx->Color.ClearColor.f[0] = red;\n",
     "   if (ctx->API == API_OPENGLES) {\n" +
     "".join(f"      {one} = CLAMP({one}, 0.0F, 1.0F);\n" for one in ("red", "green", "blue", "alpha")) +
     "   }\n\n   ctx->PopAttribState |= GL_COLOR_BUFFER_BIT;\n   ctx->Color.ClearColor.f[0] = red;\n"),
    ("src/mesa/main/fog.c", "\t ctx->Fog.ColorUnclamped[3] = params[3];\n",
     "\t ctx->Fog.ColorUnclamped[3] = params[3];\n         for (int i = 0; ctx->API == API_OPENGLES && i < 4; i++)\n"
     "            ctx->Fog.ColorUnclamped[i] = CLAMP(params[i], 0.0F, 1.0F);\n"),
    # Where fragments' colours aren't clamped, fog has the colour that was given last, also if it was clamped to this one.
    ("src/mesa/main/fog.c", "\t if (TEST_EQ_4V(ctx->Fog.Color, params))\n", "\t if (TEST_EQ_4V(ctx->Fog.ColorUnclamped, params))\n"),
    # GLSL 1.10, 7.5: gl_Fog.scale is 1 / (end - start), which may be negative.
    ("src/mesa/program/prog_statevars.c", "scale = CLAMP(scale, FLT_MIN / 2, FLT_MAX / 2);", "scale = CLAMP(scale, -FLT_MAX / 2, FLT_MAX / 2);"),
    # OpenGL 4.6 (compatibility), 10.3.11: glInterleavedArrays disables these arrays as well.
    ("src/mesa/main/varray.c", "   _mesa_DisableClientState( GL_INDEX_ARRAY );\n   /* XXX also disable secondary color and generic arrays? */\n",
     "   _mesa_DisableClientState( GL_INDEX_ARRAY );\n   _mesa_DisableClientState( GL_SECONDARY_COLOR_ARRAY );\n"
     "   _mesa_DisableClientState( GL_FOG_COORD_ARRAY );\n"),
    # 10.5 and 21.4.1: glArrayElement, and arrays in lists, take the same values as glDrawArrays. Formats that came after
    # OpenGL 1.1 were read as others.
    (ARRAYS, '#include "varray.h"\n#include "api_exec_decl.h"\n',
     '#include "varray.h"\n#include "api_exec_decl.h"\n#include "util/format/u_format.h"\n'),
    (ARRAYS, "void\n_mesa_array_element(struct gl_context *ctx, GLint elt)\n{\n",
     "static void\nemit_element(const struct gl_vertex_format *format, bool generic, GLuint index, const void *src)\n{\n"
     "   GLfloat values[4];\n   struct gl_vertex_format floats = *format;\n\n"
     "   if (!format->User.Integer && !format->User.Doubles && format->User.Type != GL_FLOAT && format->User.Type != GL_DOUBLE) {\n"
     "      util_format_unpack_rgba((enum pipe_format)format->_PipeFormat, values, src, 1);\n"
     "      floats.User.Type = GL_FLOAT;\n      floats.User.Normalized = false;\n      src = values;\n   }\n"
     "   (generic ? func_arb(&floats) : func_nv(&floats))(index, src);\n}\n\n"
     "void\n_mesa_array_element(struct gl_context *ctx, GLint elt)\n{\n"),
    *[(ARRAYS, f"      func_{kind}(&array->Format)({index}, src);\n", f"      emit_element(&array->Format, {generic}, {index}, src);\n")
      for kind, generic, index in (("nv", "false", "attrib"), ("arb", "true", "attrib - VERT_ATTRIB_GENERIC0"), ("arb", "true", "0"),
                                   ("nv", "false", "0"))],
    # 21.1: evaluators have no effect on current values. What they evaluate came into the vertex without a value of its own, and
    # that became current.
    (EVALUATORS, "void GLAPIENTRY\n_mesa_EvalCoord1f(GLfloat u)\n{\n",
     "/* Vertices get an attribute that is evaluated, which until then has the current value. */\n"
     "static void\nadd_evaluated(struct gl_context *ctx, struct vbo_exec_context *exec, GLuint attr, GLuint size)\n{\n"
     "   const GLuint old_size = exec->vtx.attr[attr].size;\n\n"
     "   if (attr == VBO_ATTRIB_NORMAL)\n      size = 3;\n   else if (attr != VBO_ATTRIB_POS)\n      size = 4;\n"
     "   if (exec->vtx.attr[attr].active_size == size)\n      return;\n"
     "   vbo_exec_fixup_vertex(ctx, attr, size, GL_FLOAT);\n"
     "   if (attr != VBO_ATTRIB_POS && old_size == 0)\n"
     "      memcpy(exec->vtx.attrptr[attr], ctx->Current.Attrib[attr], size * sizeof(GLfloat));\n}\n\n\n"
     "void GLAPIENTRY\n_mesa_EvalCoord1f(GLfloat u)\n{\n"),
    *[(EVALUATORS, f"         if (exec->eval.map{n}[i].map)\n            if (exec->vtx.attr[i].active_size != exec->eval.map{n}[i].sz)\n"
       f"               vbo_exec_fixup_vertex(ctx, i, exec->eval.map{n}[i].sz, GL_FLOAT);\n",
       f"         if (exec->eval.map{n}[i].map)\n            add_evaluated(ctx, exec, i, exec->eval.map{n}[i].sz);\n") for n in (1, 2)],
    (EVALUATORS, "         if (exec->vtx.attr[VBO_ATTRIB_NORMAL].active_size != 3)\n"
     "            vbo_exec_fixup_vertex(ctx, VBO_ATTRIB_NORMAL, 3, GL_FLOAT);\n",
     "         add_evaluated(ctx, exec, VBO_ATTRIB_NORMAL, 3);\n"),
    # ARB_vertex_program, 2.14.5.13, and ARB_fragment_program, 3.11.5.13: LIT's exponent lies within 128 - epsilon on both
    # sides, and 0 to the power of 0 is 1: a shininess of 0 lost its highlight.
    *[("src/mesa/program/prog_to_nir.c", f"nir_imm_float(b, {sign}128.0)", f"nir_imm_float(b, {sign}127.99609375)")
      for sign in ("", "-")],
    ("src/mesa/program/prog_to_nir.c", "                               wclamp);\n\n   nir_def *z =",
     "                               wclamp);\n   pow = nir_bcsel(b, nir_feq_imm(b, wclamp, 0.0), nir_imm_float(b, 1.0), pow);\n\n"
     "   nir_def *z ="),
    # OpenGL 4.6 (compatibility), 17.3.2: the alpha test looks at colour number zero, index zero.
    ("src/compiler/nir/nir_lower_alpha_test.c",
     "      if (!is_color_output(nir_intrinsic_io_semantics(intr).location))\n",
     "      if (!is_color_output(nir_intrinsic_io_semantics(intr).location) ||\n"
     "          nir_intrinsic_io_semantics(intr).dual_source_blend_index)\n"),
    # 15.2.3, 17.3.2: colours are clamped in front of the alpha test, also where storing them would clamp them.
    ("src/mesa/state_tracker/st_atom_shader.c",
     "      key.clamp_color = st->clamp_frag_color_in_shader &&\n                        st->ctx->Color._ClampFragmentColor;\n",
     "      key.clamp_color = st->clamp_frag_color_in_shader &&\n"
     "                        (st->ctx->Color._ClampFragmentColor ||\n"
     "                         (key.lower_alpha_func != COMPARE_FUNC_ALWAYS &&\n"
     "                          _mesa_get_clamp_fragment_color(st->ctx, st->ctx->DrawBuffer)));\n"),
    ("src/mesa/state_tracker/st_atom_shader.c", '#include "main/mtypes.h"\n', '#include "main/blend.h"\n#include "main/mtypes.h"\n'),
    ("src/mesa/main/blend.c",
     "      ctx->Color.ClampFragmentColor = clamp;\n",
     "      ctx->Color.ClampFragmentColor = clamp;\n      ctx->NewDriverState |= ctx->DriverFlags.NewFragClamp;\n"),
    # 8.14.2: GL_CLAMP is the sampler's, wherever it was set. How many samplers have it was counted in the context that set
    # it, and not by what restores it; programs weren't looked at anew where a sampler object came or went; and control
    # and compute shaders never were.
    ("src/mesa/main/mtypes.h", "   bool DisplayListsAffectGLThread;\n",
     "   bool DisplayListsAffectGLThread;\n   bool HasGLClamp; /**< some sampler has had GL_CLAMP, in any context */\n"),
    (SAMPLERS_H, "   if (old_mask && !samp->glclamp_mask)\n      ctx->Texture.NumSamplersWithClamp--;\n"
     "   else if (samp->glclamp_mask && !old_mask)\n      ctx->Texture.NumSamplersWithClamp++;\n",
     "   if (samp->glclamp_mask && !old_mask)\n      ctx->Shared->HasGLClamp = true;\n"),
    ("src/mesa/state_tracker/st_atom_shader.c", "   if (!st->ctx->Texture.NumSamplersWithClamp)\n",
     "   if (!st->ctx->Shared->HasGLClamp)\n"),
    (SAMPLERS, "      FLUSH_VERTICES(ctx, _NEW_TEXTURE_OBJECT, GL_TEXTURE_BIT);\n   }\n\n   _mesa_reference",
     "      FLUSH_VERTICES(ctx, _NEW_TEXTURE_OBJECT, GL_TEXTURE_BIT);\n"
     "      note_other_sampler(ctx);\n   }\n\n   _mesa_reference"),
    (SAMPLERS, "                  FLUSH_VERTICES(ctx, _NEW_TEXTURE_OBJECT, GL_TEXTURE_BIT);\n                  _mesa_reference",
     "                  FLUSH_VERTICES(ctx, _NEW_TEXTURE_OBJECT, GL_TEXTURE_BIT);\n"
     "                  note_other_sampler(ctx);\n                  _mesa_reference"),
    (SAMPLERS, "            ctx->NewState |= _NEW_TEXTURE_OBJECT;\n",
     "            ctx->NewState |= _NEW_TEXTURE_OBJECT;\n            note_other_sampler(ctx);\n"),
    (SAMPLERS, "static void\ndelete_samplers(",
     "/* Another sampler is bound: what it has of GL_CLAMP may differ. */\n"
     "static void\nnote_other_sampler(struct gl_context *ctx)\n{\n"
     "   if (ctx->Shared->HasGLClamp)\n      ctx->NewDriverState |= ctx->DriverFlags.NewSamplersWithClamp;\n}\n\n"
     "static void\ndelete_samplers("),
    (ATTRIB, "             sizeof(src->Sampler.Attrib));\n   }\n   memcpy(&dst->Attrib",
     "             sizeof(src->Sampler.Attrib));\n"
     "      dst->Sampler.glclamp_mask = src->Sampler.glclamp_mask;\n   }\n   memcpy(&dst->Attrib"),
    (ATTRIB, "   _mesa_lock_context_textures(ctx);\n\n   /* Restore fixed-function texture unit states. */\n",
     "   _mesa_lock_context_textures(ctx);\n   ctx->NewDriverState |= ctx->DriverFlags.NewSamplersWithClamp;\n\n"
     "   /* Restore fixed-function texture unit states. */\n"),
    *[("src/mesa/state_tracker/st_context.c",
       f"   st->shader_has_one_variant[MESA_SHADER_{stage}] = st->has_shareable_shaders;\n",
       f"   st->shader_has_one_variant[MESA_SHADER_{stage}] = st->has_shareable_shaders && "
       "(!st->emulate_gl_clamp || !_mesa_is_desktop_gl_compat(ctx));\n") for stage in ("TESS_CTRL", "COMPUTE")],
    # OES_draw_texture: the rectangle's fragments are processed as any; it is no polygon, which culling, offsets and two
    # sides are about.
    ("src/mesa/state_tracker/st_cb_drawtex.c", "   cso_save_state(cso, (CSO_BIT_VIEWPORT |\n",
     "   cso_save_state(cso, (CSO_BIT_VIEWPORT |\n                        CSO_BIT_RASTERIZER |\n"),
    ("src/mesa/state_tracker/st_cb_drawtex.c", "   cso_set_tessctrl_shader_handle(cso, NULL);\n",
     "   struct pipe_rasterizer_state rasterizer = st->state.rasterizer;\n"
     "   rasterizer.cull_face = PIPE_FACE_NONE;\n   rasterizer.offset_tri = 0;\n   rasterizer.light_twoside = 0;\n"
     "   rasterizer.clip_plane_enable = 0;\n   cso_set_rasterizer(cso, &rasterizer);\n\n"
     "   cso_set_tessctrl_shader_handle(cso, NULL);\n"),
    # OES_point_size_array and ES 1.1, 3.3: sizes from an array are attenuated and clamped as others.
    (FF_VERTEX, "   nir_def *size = nir_fmul(p->b, factor,\n                                nir_channel(p->b, in_size, 0));\n",
     "   const bool array = p->state->varying_vp_inputs & VERT_BIT_POINT_SIZE;\n"
     "   nir_def *size = nir_fmul(p->b, factor,\n"
     "                                array ? load_input(p, VERT_ATTRIB_POINT_SIZE, 1) :\n"
     "                                        nir_channel(p->b, in_size, 0));\n"),
    (FF_VERTEX, "   nir_def *val = load_input(p, VERT_ATTRIB_POINT_SIZE, 1);\n   store_output_float(",
     "   nir_def *val = load_input(p, VERT_ATTRIB_POINT_SIZE, 1);\n"
     "   nir_def *in_size = load_state_vec4(p, STATE_POINT_SIZE_CLAMPED, 0, 0, 0);\n"
     "   val = nir_fclamp(p->b, val, nir_channel(p->b, in_size, 1), nir_channel(p->b, in_size, 2));\n"
     "   store_output_float("),
    # 14.4, figure 21.2: the stipple begins anew with each segment of GL_LINES, and with a strip or a loop.
    ("src/mesa/state_tracker/st_cb_feedback.c", "   if (fs->reset_stipple_counter) {\n      _mesa_feedback_token(fs->ctx, (GLfloat) GL_LINE_RESET_TOKEN);\n",
     "   if (fs->reset_stipple_counter || (prim->flags & DRAW_PIPE_RESET_STIPPLE)) {\n"
     "      _mesa_feedback_token(fs->ctx, (GLfloat) GL_LINE_RESET_TOKEN);\n"),
    # 14.1: colours of vertices are clamped where that is on, in feedback and for the raster position as in a draw.
    ("src/mesa/state_tracker/st_draw_feedback.c",
     "      .passthrough_edgeflags = st->ctx->Array._PerVertexEdgeFlagsEnabled,\n",
     "      .passthrough_edgeflags = st->ctx->Array._PerVertexEdgeFlagsEnabled,\n"
     "      .clamp_color = st->clamp_vert_color_in_shader && ctx->Light._ClampVertexColor,\n"),
    ("src/mesa/main/rastpos.c",
     "\t COPY_4FV(ctx->Current.RasterSecondaryColor,\n\t\t  ctx->Current.Attrib[VERT_ATTRIB_COLOR1]);\n      }\n\n      /* texture coords */\n",
     "\t COPY_4FV(ctx->Current.RasterSecondaryColor,\n\t\t  ctx->Current.Attrib[VERT_ATTRIB_COLOR1]);\n      }\n"
     "      if (ctx->Light._ClampVertexColor) {\n         for (unsigned c = 0; c < 4; c++) {\n"
     "            ctx->Current.RasterColor[c] = SATURATE(ctx->Current.RasterColor[c]);\n"
     "            ctx->Current.RasterSecondaryColor[c] = SATURATE(ctx->Current.RasterSecondaryColor[c]);\n"
     "         }\n      }\n\n      /* texture coords */\n"),
    # State tables: what glPushAttrib kept comes back, also where nothing else of its group changed.
    ("src/mesa/main/texparam.c", "         /* no flush() */\n\t texObj->Attrib.GenerateMipmap",
     "         /* no flush() */\n         ctx->PopAttribState |= GL_TEXTURE_BIT;\n\t texObj->Attrib.GenerateMipmap"),
    (ATTRIB, "            TEST_AND_CALL1(Color.Blend[0].EquationRGB, BlendEquation);\n         }\n         else {\n"
     "            TEST_AND_CALL2(Color.Blend[0].EquationRGB,\n",
     "            if (ctx->Color.Blend[0].EquationRGB != attr->Color.Blend[0].EquationRGB ||\n"
     "                ctx->Color.Blend[0].EquationA != attr->Color.Blend[0].EquationA)\n"
     "               _mesa_BlendEquation(attr->Color.Blend[0].EquationRGB);\n         }\n         else {\n"
     "            TEST_AND_CALL2(Color.Blend[0].EquationRGB,\n"),
    ("src/mesa/main/stencil.c", "      ctx->Stencil.ActiveFace = (face == GL_FRONT) ? 0 : 2;\n",
     "      ctx->PopAttribState |= GL_STENCIL_BUFFER_BIT;\n"
     "      ctx->Stencil.ActiveFace = (face == GL_FRONT) ? 0 : 2;\n"),
    # ATI_fragment_shader, the table of instructions: DOT2_ADD adds the third argument.
    ("src/mesa/state_tracker/st_atifs_to_nir.c",
     "                                       nir_channel(t->b, src[1], 2)),\n",
     "                                       nir_channel(t->b, src[2], 2)),\n"),
    # 14.4: coordinates are replaced in fragments of points; all others get what the vertices have.
    (FF_VERTEX, "      if (ctx->Point.PointSprite)\n         if (ctx->Point.CoordReplace & (1u << i))\n"
                "            key->unit[i].coord_replace = 1;\n\n", ""),
    (FF_VERTEX, "      | ctx->Texture._TexMatEnabled | ctx->Point.CoordReplace;\n", "      | ctx->Texture._TexMatEnabled;\n"),
    # 17.3.2: depths of glDrawPixels and glCopyPixels come in fragments of the raster position's colour, and they are tested
    # for its alpha. They are drawn with a program of their own, which has no such test.
    (DRAW_PIXELS, "void\nst_DrawPixels(struct gl_context *ctx, GLint x, GLint y,\n",
     "static bool\nraster_alpha_passes(const struct st_context *st)\n{\n   const struct gl_context *ctx = st->ctx;\n"
     "   GLfloat alpha = ctx->Current.RasterColor[3];\n   const GLfloat ref = ctx->Color.AlphaRef;\n\n"
     "   if (!st->lower_alpha_test || !_mesa_is_alpha_test_enabled(ctx))\n      return true;\n"
     "   if (ctx->Color._ClampFragmentColor)\n      alpha = SATURATE(alpha);\n"
     "   switch (ctx->Color.AlphaFunc) {\n   case GL_NEVER:\n      return false;\n"
     "   case GL_LESS:\n      return alpha < ref;\n   case GL_EQUAL:\n      return alpha == ref;\n"
     "   case GL_LEQUAL:\n      return alpha <= ref;\n   case GL_GREATER:\n      return alpha > ref;\n"
     "   case GL_NOTEQUAL:\n      return alpha != ref;\n   case GL_GEQUAL:\n      return alpha >= ref;\n"
     "   default:\n      return true;\n   }\n}\n\n"
     "void\nst_DrawPixels(struct gl_context *ctx, GLint x, GLint y,\n"),
    (DRAW_PIXELS, "   else if (format == GL_DEPTH_COMPONENT)\n      write_depth = GL_TRUE;\n",
     "   else if (format == GL_DEPTH_COMPONENT) {\n      if (!raster_alpha_passes(st))\n         return;\n"
     "      write_depth = GL_TRUE;\n   }\n"),
    (DRAW_PIXELS, "   } else if (type == GL_DEPTH) {\n      rbRead =",
     "   } else if (type == GL_DEPTH) {\n      if (!raster_alpha_passes(st))\n         return;\n      rbRead ="),
    # 8.4.4.1: each glDrawPixels unpacks as its own state says: what was swapped isn't kept for another.
    (DRAW_PIXELS, "   cache_drawpixels_image(st, width, height, format, type, unpack, pixels, pt);\n",
     "   if (!unpack->SwapBytes && !unpack->BufferObj)\n"
     "      cache_drawpixels_image(st, width, height, format, type, unpack, pixels, pt);\n"),
    # ATI_fragment_shader: whether it is on belongs to what is enabled; a variant with fog has constants that the ones
    # before hadn't.
    (ATTRIB, "      attr->FragmentProgram = ctx->FragmentProgram.Enabled;\n",
     "      attr->FragmentProgram = ctx->FragmentProgram.Enabled;\n"
     "      attr->FragmentShaderATI = ctx->ATIFragmentShader.Enabled;\n"),
    (ATTRIB, "   TEST_AND_UPDATE(ctx->FragmentProgram.Enabled,\n",
     "   TEST_AND_UPDATE(ctx->ATIFragmentShader.Enabled, enable->FragmentShaderATI,\n"
     "                   GL_FRAGMENT_SHADER_ATI);\n   TEST_AND_UPDATE(ctx->FragmentProgram.Enabled,\n"),
    ("src/mesa/state_tracker/st_context.c", "   if (st->lower_point_size && new_state & _NEW_POINT) {\n",
     "   if (new_state & _NEW_FOG && ctx->FragmentProgram._Current && ctx->FragmentProgram._Current->ati_fs)\n"
     "      ctx->NewDriverState |= ST_NEW_FS_STATE | ST_NEW_FS_CONSTANTS;\n\n"
     "   if (st->lower_point_size && new_state & _NEW_POINT) {\n"),
    # ES 3.2, 10.3: an attribute may read a buffer without contents. Where a client array had been in its place it was
    # taken for one, which lay at the address of the offset.
    ("src/gallium/auxiliary/util/u_vbuf.c",
     "         pipe_vertex_buffer_unreference(orig_vb);\n         pipe_vertex_buffer_unreference(real_vb);\n         continue;\n",
     "         pipe_vertex_buffer_unreference(orig_vb);\n         pipe_vertex_buffer_unreference(real_vb);\n"
     "         orig_vb->is_user_buffer = real_vb->is_user_buffer = false;\n         continue;\n"),
    # What a variant depends on makes the stage be looked at again: two sides are the fragment shader's, and depend on
    # whether there is a vertex program; clamped colours, clip planes and the size of points are the last stage's in front of
    # the rasteriser, and the former last one has to let go of them.
    ("src/mesa/main/enable.c",
     "            ctx->NewDriverState |= ST_NEW_VS_STATE |\n                                   ST_NEW_TES_STATE |\n"
     "                                   ST_NEW_GS_STATE;\n         }\n         ctx->NewDriverState |= ST_NEW_RASTERIZER;\n"
     "         ctx->VertexProgram.TwoSideEnabled = state;\n",
     "            ctx->NewDriverState |= ST_NEW_FS_STATE;\n         }\n         ctx->NewDriverState |= ST_NEW_RASTERIZER;\n"
     "         ctx->VertexProgram.TwoSideEnabled = state;\n"),
    ("src/mesa/main/state.c", "   ctx->NewDriverState |= dirty;\n\n   /* Let the driver know what's happening: */\n",
     "   if (_mesa_is_desktop_gl_compat(ctx)) {\n      if (vp_changed && st->lower_two_sided_color)\n"
     "         dirty |= ST_NEW_FS_STATE;\n      if (gp_changed || tep_changed)\n"
     "         dirty |= ST_NEW_VS_STATE | ST_NEW_TES_STATE;\n   }\n"
     "   ctx->NewDriverState |= dirty;\n\n   /* Let the driver know what's happening: */\n"),
    ("src/mesa/main/blend.c",
     "   ctx->Light._ClampVertexColor =\n         _mesa_get_clamp_vertex_color(ctx, drawFb);\n",
     "   const GLboolean clamp = _mesa_get_clamp_vertex_color(ctx, drawFb);\n\n"
     "   if (ctx->Light._ClampVertexColor == clamp)\n      return;\n"
     "   ctx->Light._ClampVertexColor = clamp;\n"
     "   ctx->NewDriverState |= ST_NEW_VS_STATE | ST_NEW_GS_STATE | ST_NEW_TES_STATE | ST_NEW_RASTERIZER;\n"),
    # 13.1: clamping is part of what follows the last stage of vertex processing.
    *[("src/mesa/state_tracker/st_atom_shader.c",
       f"key.clamp_color = st->clamp_vert_color_in_shader &&\n                        st->ctx->Light._ClampVertexColor &&\n"
       f"                        ({program}->info.outputs_written &\n",
       f"key.clamp_color = st->clamp_vert_color_in_shader &&\n                        st->ctx->Light._ClampVertexColor &&\n"
       f"{last}                        ({program}->info.outputs_written &\n")
      for program, last in (("vp", "                        !st->ctx->GeometryProgram._Current &&\n"
                                   "                        !st->ctx->TessEvalProgram._Current &&\n"),
                            ("prog", "                        (pipe_shader == PIPE_SHADER_GEOMETRY ||\n"
                                     "                         !st->ctx->GeometryProgram._Current) &&\n"))],
    ("src/mesa/state_tracker/st_program.c",
     "          st->clamp_vert_color_in_shader &&\n          (prog->info.outputs_written & (VARYING_SLOT_COL0 |\n",
     "          st->clamp_vert_color_in_shader &&\n          prog->info.next_stage != MESA_SHADER_TESS_CTRL &&\n"
     "          prog->info.next_stage != MESA_SHADER_TESS_EVAL &&\n          prog->info.next_stage != MESA_SHADER_GEOMETRY &&\n"
     "          (prog->info.outputs_written & (VARYING_SLOT_COL0 |\n"),
    # 17.3.7, 17.4.5: colours are linear only where GL_FRAMEBUFFER_SRGB says so; the accumulation buffer takes what is stored.
    ("src/mesa/main/accum.c", "/**\n * if (bias)\n",
     "/* How colours are read and written: as they are stored, unless the framebuffer is in sRGB for GL. */\n"
     "static mesa_format\nstored_format(const struct gl_context *ctx, const struct gl_renderbuffer *rb)\n{\n"
     "   return ctx->Color.sRGBEnabled ? rb->Format : _mesa_get_srgb_format_linear(rb->Format);\n}\n\n\n"
     "/**\n * if (bias)\n"),
    *[("src/mesa/main/accum.c", f"{call}(colorRb->Format, width", f"{call}(stored_format(ctx, colorRb), width")
      for call in ("_mesa_unpack_rgba_row", "_mesa_pack_float_rgba_row")],
]
