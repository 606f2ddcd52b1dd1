# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what is saved, popped and asked for: attribute stacks, display lists and the conversions of queries."""

ATTRIB = "src/mesa/main/attrib.c"
DLIST = "src/mesa/main/dlist.c"
FBOBJECT = "src/mesa/main/fbobject.c"
FEEDBACK = "src/mesa/main/feedback.c"
GET = "src/mesa/main/get.c"
GLAPI = "src/mapi/glapi/gen"
MTYPES = "src/mesa/main/mtypes.h"
PIXEL = "src/mesa/main/pixel.c"
TEXPARAM = "src/mesa/main/texparam.c"
TEXTUREVIEW = "src/mesa/main/textureview.c"
VBO_ATTRIB = "src/mesa/vbo/vbo_attrib_tmp.h"
VBO_EXEC = "src/mesa/vbo/vbo_exec_api.c"

# The hints of table 23.62 that glPopAttrib forgot.
HINTS = (("GenerateMipmap", "GENERATE_MIPMAP_HINT"), ("FragmentShaderDerivative", "FRAGMENT_SHADER_DERIVATIVE_HINT"))
CLAMPS = (("Light.ClampVertexColor", "ClampVertexColor", "CLAMP_VERTEX_COLOR"),
          ("Color.ClampFragmentColor", "ClampFragmentColor", "CLAMP_FRAGMENT_COLOR"),
          ("Color.ClampReadColor", "ClampReadColor", "CLAMP_READ_COLOR"))


EDITS = [
    # GL 4.6, 8.14.3 and ES 3.2, 8.14.3: the base and the last level of an immutable texture are clamped where they are used.
    # They were where they were set, the one by what the other was then, and stayed that. BaseLevel and MaxLevel are those
    # that are used and asked for, as piglit's test of storage wants it; what was set is kept beside them.
    (MTYPES,
     "   GLint MaxLevel;             /**< max mipmap level (max=1000), OpenGL 1.2 */\n",
     "   GLint MaxLevel;             /**< max mipmap level (max=1000), OpenGL 1.2 */\n"
     "   GLint AskedBaseLevel;       /**< what BaseLevel was set to */\n"
     "   GLint AskedMaxLevel;        /**< what MaxLevel was set to */\n"),
    ("src/mesa/main/texobj.c",
     "   obj->Attrib.BaseLevel = 0;\n   obj->Attrib.MaxLevel = 1000;\n",
     "   obj->Attrib.AskedBaseLevel = 0;\n   obj->Attrib.AskedMaxLevel = 1000;\n"
     "   _mesa_update_texture_levels(obj);\n"),
    ("src/mesa/main/texobj.h",
     '/** Is the texture "complete" with respect to the given sampler state? */\n',
     "/** Levels that were set, as they are used: within those of an immutable texture. */\n"
     "static inline void\n"
     "_mesa_update_texture_levels(struct gl_texture_object *texObj)\n"
     "{\n"
     "   struct gl_texture_object_attrib *attrib = &texObj->Attrib;\n\n"
     "   attrib->BaseLevel = attrib->AskedBaseLevel;\n"
     "   attrib->MaxLevel = attrib->AskedMaxLevel;\n"
     "   if (texObj->Immutable) {\n"
     "      const GLint last = attrib->ImmutableLevels - 1;\n\n"
     "      attrib->BaseLevel = MIN2(attrib->BaseLevel, last);\n"
     "      attrib->MaxLevel = CLAMP(attrib->MaxLevel, attrib->BaseLevel, last);\n"
     "   }\n"
     "}\n\n"
     '/** Is the texture "complete" with respect to the given sampler state? */\n'),
    (TEXPARAM,
     "      if (texObj->Attrib.BaseLevel == params[0])\n",
     "      if (texObj->Attrib.AskedBaseLevel == params[0])\n"),
    (TEXPARAM,
     "      /** See note about ARB_texture_storage below */\n"
     "      if (texObj->Immutable)\n"
     "         texObj->Attrib.BaseLevel = MIN2(texObj->Attrib.ImmutableLevels - 1, params[0]);\n"
     "      else\n"
     "         texObj->Attrib.BaseLevel = params[0];\n",
     "      texObj->Attrib.AskedBaseLevel = params[0];\n"
     "      _mesa_update_texture_levels(texObj);\n"),
    (TEXPARAM,
     "      if (texObj->Attrib.MaxLevel == params[0])\n",
     "      if (texObj->Attrib.AskedMaxLevel == params[0])\n"),
    (TEXPARAM,
     "         texObj->Attrib.MaxLevel = params[0];\n",
     "         texObj->Attrib.MaxLevel = params[0];\n"
     "      texObj->Attrib.AskedMaxLevel = params[0];\n"),
    ("src/mesa/main/genmipmap.c",
     "   if (texObj->Attrib.BaseLevel >= texObj->Attrib.MaxLevel) {\n",
     "   if (texObj->Attrib.AskedBaseLevel >= texObj->Attrib.AskedMaxLevel) {\n"),
    (TEXTUREVIEW,
     "   case GL_TEXTURE_CUBE_MAP:\n      texObj->Attrib.NumLayers = 6;\n      break;\n   }\n",
     "   case GL_TEXTURE_CUBE_MAP:\n      texObj->Attrib.NumLayers = 6;\n      break;\n   }\n\n"
     "   _mesa_update_texture_levels(texObj);\n"
     "   _mesa_update_texture_object_swizzle(ctx, texObj);\n"
     "   _mesa_dirty_texobj(ctx, texObj);\n"),
    (TEXTUREVIEW,
     "   texObj->Attrib.ImmutableLevels = origTexObj->Attrib.ImmutableLevels;\n",
     "   texObj->Attrib.ImmutableLevels = origTexObj->Attrib.ImmutableLevels;\n"
     "   _mesa_update_texture_levels(texObj);\n"),
    # GL 4.6 (compatibility), 12.2.2, and ES 1.1: only parameters with one value are set by their value. The others became
    # what lay on the stack. Within glBegin and glEnd, and in lists, it is no error but nothing is set (piglit's
    # beginend-coverage wants no error of it there).
    *[(VBO_ATTRIB,
       f"   GLfloat {values}[4];\n   {values}[0] = {value};\n",
       "   GET_CURRENT_CONTEXT(ctx);\n"
       f"   GLfloat {values}[4];\n\n"
       "   if (pname != GL_SHININESS) {\n"
       "      if (!ctx->CompileFlag && !_mesa_inside_begin_end(ctx))\n"
       "         ERROR(GL_INVALID_ENUM);\n"
       "      return;\n"
       "   }\n\n"
       f"   {values}[0] = {value};\n")
      for values, value in (("fparam", "param"), ("p", "(GLfloat) param"))],
    (VBO_EXEC,
     "   GLfloat p[4];\n   p[0] = param;\n   p[1] = p[2] = p[3] = 0.0F;\n   _mesa_Materialfv(face, pname, p);\n",
     "   _mesa_Materialf(face, pname, param);\n"),
    # GL 4.6 (compatibility), 21.2 and 2.3.1: an error changes nothing.
    (FEEDBACK,
     "   FLUSH_VERTICES(ctx, _NEW_RENDERMODE | _NEW_FF_VERT_PROGRAM |\n"
     "                  _NEW_FF_FRAG_PROGRAM, 0);\n\n   switch (ctx->RenderMode) {\n",
     "   if (mode != GL_RENDER && mode != GL_SELECT && mode != GL_FEEDBACK) {\n"
     "      _mesa_error(ctx, GL_INVALID_ENUM, \"glRenderMode\");\n"
     "      return 0;\n"
     "   }\n\n"
     "   /* glSelectBuffer or glFeedbackBuffer wasn't called yet. */\n"
     "   if ((mode == GL_SELECT && !ctx->Select.BufferSize && !ctx->Select.Buffer) ||\n"
     "       (mode == GL_FEEDBACK && !ctx->Feedback.BufferSize && !ctx->Feedback.Buffer)) {\n"
     "      _mesa_error(ctx, GL_INVALID_OPERATION, \"glRenderMode\");\n"
     "      return 0;\n"
     "   }\n\n"
     "   FLUSH_VERTICES(ctx, _NEW_RENDERMODE | _NEW_FF_VERT_PROGRAM |\n"
     "                  _NEW_FF_FRAG_PROGRAM, 0);\n\n   switch (ctx->RenderMode) {\n"),
    *[(FEEDBACK,
       f"\t if (ctx->{name}.BufferSize==0) {{\n"
       f"\t    /* haven't called gl{name}Buffer yet */\n"
       "\t    _mesa_error( ctx, GL_INVALID_OPERATION, \"glRenderMode\" );\n"
       "\t }\n", "")
      for name in ("Select", "Feedback")],
    # GL 4.6 (compatibility), tables 23.3 to 23.62, column "Attribute": what is pushed is popped.
    (MTYPES,
     "   GLboolean Light[MAX_LIGHTS];\n   GLboolean Lighting;\n",
     "   GLboolean ColorSum;\n   GLboolean Light[MAX_LIGHTS];\n   GLboolean Lighting;\n"),
    (MTYPES,
     "   GLboolean SampleCoverage;          /* GL_ARB_multisample */\n",
     "   GLboolean SampleCoverage;          /* GL_ARB_multisample */\n"
     "   GLboolean SampleShading;           /* GL_ARB_sample_shading */\n"),
    (MTYPES,
     "   /* GL_NV_conservative_raster */\n   GLboolean ConservativeRasterization;\n};\n",
     "   /* GL_NV_conservative_raster */\n   GLboolean ConservativeRasterization;\n\n"
     "   /* GL_ARB_color_buffer_float */\n"
     + "".join(f"   GLenum16 {name};\n" for _, name, _ in CLAMPS) + "};\n"),
    (MTYPES,
     "   GLbitfield OldPopAttribStateMask;\n",
     "   GLbitfield OldPopAttribStateMask;\n   GLint PatchVertices; /**< GL_CURRENT_BIT */\n"),
    (ATTRIB,
     "      memcpy(&head->Current, &ctx->Current, sizeof(head->Current));\n",
     "      memcpy(&head->Current, &ctx->Current, sizeof(head->Current));\n"
     "      head->PatchVertices = ctx->TessCtrlProgram.patch_vertices;\n"),
    (ATTRIB,
     "      ctx->NewState |= _NEW_CURRENT_ATTRIB;\n",
     "      ctx->NewState |= _NEW_CURRENT_ATTRIB;\n\n"
     "      if (ctx->TessCtrlProgram.patch_vertices != attr->PatchVertices)\n"
     "         _mesa_PatchParameteri(GL_PATCH_VERTICES, attr->PatchVertices);\n"),
    (ATTRIB,
     "      attr->Fog = ctx->Fog.Enabled;\n",
     "      attr->Fog = ctx->Fog.Enabled;\n      attr->ColorSum = ctx->Fog.ColorSumEnabled;\n"),
    (ATTRIB,
     "      attr->SampleCoverage = ctx->Multisample.SampleCoverage;\n",
     "      attr->SampleCoverage = ctx->Multisample.SampleCoverage;\n"
     "      attr->SampleShading = ctx->Multisample.SampleShading;\n"),
    (ATTRIB,
     "      attr->ConservativeRasterization = ctx->ConservativeRasterization;\n",
     "      attr->ConservativeRasterization = ctx->ConservativeRasterization;\n\n"
     "      /* GL_ARB_color_buffer_float */\n"
     + "".join(f"      attr->{name} = ctx->{field};\n" for field, name, _ in CLAMPS)),
    (ATTRIB,
     "   TEST_AND_UPDATE(ctx->Light.Enabled, enable->Lighting, GL_LIGHTING);\n",
     "   TEST_AND_UPDATE(ctx->Fog.ColorSumEnabled, enable->ColorSum, GL_COLOR_SUM);\n"
     "   for (i = 0; i < ctx->Const.MaxLights; i++) {\n"
     "      TEST_AND_UPDATE(ctx->Light.Light[i].Enabled, enable->Light[i],\n"
     "                      GL_LIGHT0 + i);\n"
     "   }\n"
     "   TEST_AND_UPDATE(ctx->Light.Enabled, enable->Lighting, GL_LIGHTING);\n"),
    (ATTRIB,
     "                   enable->SampleCoverage,\n                   GL_SAMPLE_COVERAGE_ARB);\n",
     "                   enable->SampleCoverage,\n                   GL_SAMPLE_COVERAGE_ARB);\n"
     "   TEST_AND_UPDATE(ctx->Multisample.SampleShading, enable->SampleShading,\n"
     "                   GL_SAMPLE_SHADING);\n"),
    (ATTRIB,
     "   const unsigned curTexUnitSave = ctx->Texture.CurrentUnit;\n\n   /* texture unit enables */\n",
     "   /* GL_ARB_color_buffer_float */\n"
     + "".join(f"   if (ctx->{field} != enable->{name})\n      _mesa_ClampColor(GL_{target}, enable->{name});\n"
               for field, name, target in CLAMPS) + "\n"
     "   const unsigned curTexUnitSave = ctx->Texture.CurrentUnit;\n\n   /* texture unit enables */\n"),
    (ATTRIB,
     "      TEST_AND_CALL1_SEL(Fog.Mode, Fogi, GL_FOG_MODE);\n",
     "      TEST_AND_CALL1_SEL(Fog.Mode, Fogi, GL_FOG_MODE);\n"
     "      TEST_AND_CALL1_SEL(Fog.FogCoordinateSource, Fogi, GL_FOG_COORD_SRC);\n"
     "      TEST_AND_CALL1_SEL(Fog.FogDistanceMode, Fogi, GL_FOG_DISTANCE_MODE_NV);\n"
     "      TEST_AND_UPDATE(ctx->Fog.ColorSumEnabled, attr->Fog.ColorSumEnabled,\n"
     "                      GL_COLOR_SUM);\n"),
    (ATTRIB,
     "      TEST_AND_CALL1_SEL(Hint.TextureCompression, Hint, GL_TEXTURE_COMPRESSION_HINT_ARB);\n",
     "      TEST_AND_CALL1_SEL(Hint.TextureCompression, Hint, GL_TEXTURE_COMPRESSION_HINT_ARB);\n"
     + "".join(f"      TEST_AND_CALL1_SEL(Hint.{field}, Hint, GL_{target});\n" for field, target in HINTS)),
    (ATTRIB,
     "      TEST_AND_CALL1(Light.ShadeModel, ShadeModel);\n",
     "      TEST_AND_CALL1(Light.ShadeModel, ShadeModel);\n"
     "      TEST_AND_CALL1(Light.ProvokingVertex, ProvokingVertex);\n"),
    (ATTRIB,
     "                      attr->Multisample.SampleAlphaToOne,\n                      GL_SAMPLE_ALPHA_TO_ONE);\n",
     "                      attr->Multisample.SampleAlphaToOne,\n                      GL_SAMPLE_ALPHA_TO_ONE);\n\n"
     "      TEST_AND_UPDATE(ctx->Multisample.SampleShading,\n"
     "                      attr->Multisample.SampleShading,\n"
     "                      GL_SAMPLE_SHADING);\n\n"
     "      TEST_AND_CALL1(Multisample.MinSampleShadingValue, MinSampleShading);\n"),
    # GL 4.6 (compatibility), 21.4: an index is a number with a fraction, in a list as well. Its bits were taken for one.
    (DLIST,
     "            CALL_ClearIndex(ctx->Dispatch.Exec, ((GLfloat) n[1].ui));\n",
     "            CALL_ClearIndex(ctx->Dispatch.Exec, (n[1].f));\n"),
    # GL 4.6 (compatibility), 21.4.1 doesn't name these among what is done at once where a list is compiled.
    *[(f"{GLAPI}/{file}.xml", f'<function name="{name}"{rest}>', f'<function name="{name}"{rest} exec="dlist">')
      for file, name, rest in (("ARB_ES2_compatibility", "ClearDepthf", ' es1="1.0" es2="2.0"'),
                               ("ARB_ES2_compatibility", "DepthRangef", ' es1="1.0" es2="2.0"'),
                               ("GL4x", "MinSampleShading", ' es2="3.2" no_error="true"'),
                               ("ARB_texture_multisample", "SampleMaski", ' es2="3.1" no_error="true"'))],
    (DLIST,
     "   OPCODE_PATCH_PARAMETER_FV_OUTER,\n\n",
     "   OPCODE_PATCH_PARAMETER_FV_OUTER,\n\n"
     "   /* OpenGL 4.0 / GL_ARB_sample_shading */\n   OPCODE_MIN_SAMPLE_SHADING,\n\n"
     "   /* OpenGL 3.2 / GL_ARB_texture_multisample */\n   OPCODE_SAMPLE_MASKI,\n\n"),
    (DLIST,
     "         case OPCODE_PATCH_PARAMETER_I:\n",
     "         case OPCODE_MIN_SAMPLE_SHADING:\n"
     "            CALL_MinSampleShading(ctx->Dispatch.Exec, (n[1].f));\n"
     "            break;\n"
     "         case OPCODE_SAMPLE_MASKI:\n"
     "            CALL_SampleMaski(ctx->Dispatch.Exec, (n[1].ui, n[2].bf));\n"
     "            break;\n"
     "         case OPCODE_PATCH_PARAMETER_I:\n"),
    (DLIST,
     "void GLAPIENTRY\nsave_ClearIndex(GLfloat c)\n",
     "void GLAPIENTRY\n"
     "save_ClearDepthf(GLclampf depth)\n"
     "{\n"
     "   save_ClearDepth(depth);\n"
     "}\n\n\n"
     "void GLAPIENTRY\n"
     "save_MinSampleShading(GLfloat value)\n"
     "{\n"
     "   GET_CURRENT_CONTEXT(ctx);\n"
     "   Node *n;\n"
     "   ASSERT_OUTSIDE_SAVE_BEGIN_END_AND_FLUSH(ctx);\n"
     "   n = alloc_instruction(ctx, OPCODE_MIN_SAMPLE_SHADING, 1);\n"
     "   if (n) {\n"
     "      n[1].f = value;\n"
     "   }\n"
     "   if (ctx->ExecuteFlag) {\n"
     "      CALL_MinSampleShading(ctx->Dispatch.Exec, (value));\n"
     "   }\n"
     "}\n\n\n"
     "void GLAPIENTRY\n"
     "save_SampleMaski(GLuint index, GLbitfield mask)\n"
     "{\n"
     "   GET_CURRENT_CONTEXT(ctx);\n"
     "   Node *n;\n"
     "   ASSERT_OUTSIDE_SAVE_BEGIN_END_AND_FLUSH(ctx);\n"
     "   n = alloc_instruction(ctx, OPCODE_SAMPLE_MASKI, 2);\n"
     "   if (n) {\n"
     "      n[1].ui = index;\n"
     "      n[2].bf = mask;\n"
     "   }\n"
     "   if (ctx->ExecuteFlag) {\n"
     "      CALL_SampleMaski(ctx->Dispatch.Exec, (index, mask));\n"
     "   }\n"
     "}\n\n\n"
     "void GLAPIENTRY\nsave_ClearIndex(GLfloat c)\n"),
    (DLIST,
     "void GLAPIENTRY\nsave_DepthRangeIndexed(",
     "void GLAPIENTRY\n"
     "save_DepthRangef(GLclampf nearval, GLclampf farval)\n"
     "{\n"
     "   save_DepthRange(nearval, farval);\n"
     "}\n\n\n"
     "void GLAPIENTRY\nsave_DepthRangeIndexed("),
    # GL 4.6 (compatibility), 8.4.1 and 2.2.2: maps to indices hold numbers, not parts of 1; those to stencil indices were
    # given out as the bits of floats.
    (PIXEL,
     "   if (map == GL_PIXEL_MAP_S_TO_S) {\n      /* special case */\n"
     "      memcpy(values, ctx->PixelMaps.StoS.Map, mapsize * sizeof(GLint));\n   }\n",
     "   if (map == GL_PIXEL_MAP_S_TO_S || map == GL_PIXEL_MAP_I_TO_I) {\n"
     "      /* indices */\n"
     "      for (i = 0; i < mapsize; i++) {\n"
     "         values[i] = CLAMP(round(pm->Map[i]), 0, UINT_MAX);\n"
     "      }\n"
     "   }\n"),
    # GL 4.6 (compatibility), 2.2.1: a float that is set as an integer is rounded.
    (PIXEL, "(GLint) param", "ROUND_TO_INT(param)"),
    ("src/mesa/main/macros.h",
     "/** Convert GLfloat in [-1.0,1.0] to GLint64 in [-(1<<63),(1 << 63) -1] */\n",
     "/** The nearest integer that there is. */\n"
     "#define ROUND_TO_INT(X)     ( (GLint) CLAMP(round(X), INT_MIN, INT_MAX) )\n"
     "#define ROUND_TO_INT64(X)   ((X) >= 0x1p63 ? INT64_MAX : (X) <= -0x1p63 ? INT64_MIN : llround(X))\n\n"
     "/** Convert GLfloat in [-1.0,1.0] to GLint64 in [-(1<<63),(1 << 63) -1] */\n"),
    # GL 4.6, 2.2.2: floats are rounded to the nearest integer that there is, which wrapped, except for colours and depths.
    # Matrices were taken for such. (The depth ranges of viewports aren't, as piglit's test of viewport arrays wants it.)
    (GET, "lroundf(((GLfloat *) p)", "ROUND_TO_INT(((GLfloat *) p)"),
    (GET, "llround(((GLfloat *) p)", "ROUND_TO_INT64(((GLfloat *) p)"),
    (GET, "lroundf(v.value_float_4", "ROUND_TO_INT(v.value_float_4"),
    (GET, "FLOAT_TO_INT(m->m", "ROUND_TO_INT(m->m"),
    (GET, "FLOAT_TO_INT64(m->m", "ROUND_TO_INT64(m->m"),
    # Nothing was written where strides were asked for in 64 bits, and ranges of viewports in those or as booleans.
    (GET,
     "      params[0] = ((GLboolean*) p)[0];\n      break;\n\n   case TYPE_MATRIX:\n",
     "      params[0] = ((GLboolean*) p)[0];\n      break;\n\n"
     "   case TYPE_UBYTE:\n      params[0] = ((GLubyte *) p)[0];\n      break;\n\n"
     "   case TYPE_SHORT:\n      params[0] = ((GLshort *) p)[0];\n      break;\n\n   case TYPE_MATRIX:\n"),
    (GET,
     "   switch (type) {\n   case TYPE_INT:\n      params[0] = v.value_int;\n      break;\n   case TYPE_INT_4:\n",
     "   switch (type) {\n"
     "   case TYPE_FLOAT_4:\n"
     "      for (unsigned i = 0; i < 4; i++)\n"
     "         params[i] = ROUND_TO_INT64(v.value_float_4[i]);\n"
     "      break;\n"
     "   case TYPE_DOUBLEN_2:\n"
     "      params[0] = lround(v.value_double_2[0]);\n"
     "      params[1] = lround(v.value_double_2[1]);\n"
     "      break;\n"
     "   case TYPE_INT:\n      params[0] = v.value_int;\n      break;\n   case TYPE_INT_4:\n"),
    (GET,
     "   switch (type) {\n   case TYPE_INT:\n   case TYPE_UINT:\n      params[0] = INT_TO_BOOLEAN(v.value_int);\n",
     "   switch (type) {\n"
     "   case TYPE_FLOAT_4:\n"
     "      for (unsigned i = 0; i < 4; i++)\n"
     "         params[i] = v.value_float_4[i] != 0.0f;\n"
     "      break;\n"
     "   case TYPE_DOUBLEN_2:\n"
     "      params[0] = v.value_double_2[0] != 0.0;\n"
     "      params[1] = v.value_double_2[1] != 0.0;\n"
     "      break;\n"
     "   case TYPE_INT:\n   case TYPE_UINT:\n      params[0] = INT_TO_BOOLEAN(v.value_int);\n"),
    # GL 4.6, table 23.5: the index that restarts isn't below 0. As a signed integer it stays what it is bit by bit: programs
    # ask for it so to set it again.
    *[("src/mesa/main/get_hash_params.py",
       f'"PRIMITIVE_RESTART_INDEX{nv}", "CONTEXT_INT(', f'"PRIMITIVE_RESTART_INDEX{nv}", "CONTEXT_UINT(')
      for nv in ("", "_NV")],
    (GET,
     "      params[0] = MIN2(((GLuint *) p)[0], INT_MAX);\n",
     "      if (pname == GL_PRIMITIVE_RESTART_INDEX || pname == GL_PRIMITIVE_RESTART_INDEX_NV)\n"
     "         params[0] = ((GLint *) p)[0];\n"
     "      else\n"
     "         params[0] = MIN2(((GLuint *) p)[0], INT_MAX);\n"),
    # GL 4.6, 9.2.3, and ES 3.2, 9.2.3: stencils have unsigned integers as components; only colours may have indices.
    (FBOBJECT,
     "         if (format == MESA_FORMAT_S_UINT8) {\n            /* special cases */\n"
     "            *params = GL_INDEX;\n         }\n"
     "         else if (format == MESA_FORMAT_Z32_FLOAT_S8X24_UINT) {\n"
     "            /* depends on the attachment parameter */\n"
     "            if (attachment == GL_STENCIL_ATTACHMENT) {\n"
     "               *params = GL_INDEX;\n            }\n"
     "            else {\n               *params = GL_FLOAT;\n            }\n         }\n",
     "         if (attachment == GL_STENCIL_ATTACHMENT || attachment == GL_STENCIL) {\n"
     "            *params = GL_UNSIGNED_INT;\n"
     "         }\n"
     "         else if (format == MESA_FORMAT_Z32_FLOAT_S8X24_UINT) {\n"
     "            *params = GL_FLOAT;\n"
     "         }\n"),
    # The initial value is 1000, and storage sets none (table 23.17): only what is set on it is clamped where it is set.
    *[(TEXPARAM, "         *params = %sobj->Attrib.MaxLevel;\n" % cast,
       "         *params = %s(obj->Attrib.AskedMaxLevel == 1000 ? 1000 : obj->Attrib.MaxLevel);\n" % cast)
      for cast in ("(GLfloat) ", "")],
]
