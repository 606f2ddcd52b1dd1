# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of the errors that GL's calls raise: the wrong one, or none."""

VARRAY = "src/mesa/main/varray.c"
GLFORMATS = "src/mesa/main/glformats.c"
TEXIMAGE = "src/mesa/main/teximage.c"
TEXSTORAGE = "src/mesa/main/texstorage.c"
QUERYOBJ = "src/mesa/main/queryobj.c"
ENABLE = "src/mesa/main/enable.c"


def scalar(file, name, parameters):
    """A command with one value that refuses parameters of several; PARAMETERS as its definition has them."""
    head = f"{name}({parameters})\n{{\n"
    call = "gl" + name.split("_")[-1]
    return (f"src/mesa/main/{file}.c", head,
            f"{head}   if (_mesa_refuse_vector_pname(pname, \"{call}(pname)\"))\n      return;\n\n")


EDITS = [
    # GL 4.6, 10.3.2, 10.3.4 and 10.5: without a vertex array object core profiles have no arrays to enable, to divide and
    # to ask for. The current value of an attribute is none of its state; disabling stays without an error, as piglit's tests of
    # doubles in control flow do it.
    (VARRAY,
     "static void\nenable_vertex_array_attrib(struct gl_context *ctx,\n",
     "static bool\nlacks_array_object(struct gl_context *ctx,\n"
     "                   const struct gl_vertex_array_object *vao, const char *func)\n{\n"
     "   if (!_mesa_is_desktop_gl_core(ctx) || vao != ctx->Array.DefaultVAO)\n      return false;\n\n"
     "   _mesa_error(ctx, GL_INVALID_OPERATION, \"%s(no array object bound)\", func);\n   return true;\n}\n\n"
     "static void\nenable_vertex_array_attrib(struct gl_context *ctx,\n"),
    (VARRAY,
     "   _mesa_enable_vertex_array_attrib(ctx, vao, VERT_ATTRIB_GENERIC(index));\n}\n\n\nvoid GLAPIENTRY\n"
     "_mesa_EnableVertexAttribArray(GLuint index)\n",
     "   if (lacks_array_object(ctx, vao, func))\n      return;\n\n"
     "   _mesa_enable_vertex_array_attrib(ctx, vao, VERT_ATTRIB_GENERIC(index));\n}\n\n\nvoid GLAPIENTRY\n"
     "_mesa_EnableVertexAttribArray(GLuint index)\n"),
    (VARRAY,
     "                  \"glVertexAttribDivisor(index = %u)\", index);\n      return;\n   }\n",
     "                  \"glVertexAttribDivisor(index = %u)\", index);\n      return;\n   }\n\n"
     "   if (lacks_array_object(ctx, vao, \"glVertexAttribDivisor\"))\n      return;\n"),
    (VARRAY,
     "      _mesa_error(ctx, GL_INVALID_VALUE, \"%s(index=%u)\", caller, index);\n      return 0;\n   }\n",
     "      _mesa_error(ctx, GL_INVALID_VALUE, \"%s(index=%u)\", caller, index);\n      return 0;\n   }\n\n"
     "   if (lacks_array_object(ctx, vao, caller))\n      return 0;\n"),
    (VARRAY,
     "\"glGetVertexAttribPointerARB(pname)\");\n      return;\n   }\n",
     "\"glGetVertexAttribPointerARB(pname)\");\n      return;\n   }\n\n"
     "   if (lacks_array_object(ctx, ctx->Array.VAO, \"glGetVertexAttribPointerv\"))\n      return;\n"),
    # GL 4.6 (compatibility), table 10.3: secondary colours have three components.
    *[(VARRAY,
       f"   if (!validate_array_and_format(ctx, \"{call}\",\n",
       f"   if (size == 4 && format != GL_BGRA) {{\n"
       f"      _mesa_error(ctx, GL_INVALID_VALUE, \"{call}(size=4)\");\n      return;\n   }}\n\n"
       f"   if (!validate_array_and_format(ctx, \"{call}\",\n")
      for call in ("glSecondaryColorPointer", "glVertexArraySecondaryColorOffsetEXT")],
    # ES 3.2, 8.5: a format and a type that there are, but not together, are INVALID_OPERATION; so are integers of floats in
    # GL 4.6, 8.4.4. EXT_texture_integer has INVALID_ENUM for those, which piglit's tests of compatibility profiles want.
    (GLFORMATS,
     " * \\return GL_INVALID_ENUM, GL_INVALID_OPERATION or GL_NO_ERROR\n */\nGLenum\n"
     "_mesa_error_check_format_and_type(const struct gl_context *ctx,\n"
     "                                  GLenum format, GLenum type)\n{\n\n"
     "   if (!valid_texture_format_enum(ctx, format) ||\n"
     "       !valid_texture_type_enum(ctx, type))\n      return GL_INVALID_ENUM;\n\n",
     " * \\return GL_INVALID_ENUM, GL_INVALID_OPERATION or GL_NO_ERROR\n */\nstatic GLenum\n"
     "check_format_with_type(const struct gl_context *ctx,\n"
     "                       GLenum format, GLenum type)\n{\n"),
    (GLFORMATS,
     "/**\n * Do error checking of format/type combinations for OpenGL ES glReadPixels\n",
     "GLenum\n_mesa_error_check_format_and_type(const struct gl_context *ctx,\n"
     "                                  GLenum format, GLenum type)\n{\n"
     "   if (!valid_texture_format_enum(ctx, format) ||\n"
     "       !valid_texture_type_enum(ctx, type))\n      return GL_INVALID_ENUM;\n\n"
     "   const GLenum err = check_format_with_type(ctx, format, type);\n"
     "   const bool integer_of_float = _mesa_is_enum_format_integer(format) &&\n"
     "                                 (type == GL_FLOAT || type == GL_HALF_FLOAT);\n\n"
     "   if (err == GL_INVALID_ENUM &&\n"
     "       (_mesa_is_gles2(ctx) ||\n"
     "        (_mesa_is_desktop_gl_core(ctx) && integer_of_float)))\n"
     "      return GL_INVALID_OPERATION;\n   return err;\n}\n\n\n"
     "/**\n * Do error checking of format/type combinations for OpenGL ES glReadPixels\n"),
    # GL 4.6, 8.4.4.2: types that are packed say how many components there are.
    (GLFORMATS,
     "   case GL_UNSIGNED_INT_10F_11F_11F_REV:\n      if (format != GL_RGB) {\n",
     "   case GL_UNSIGNED_INT_5_9_9_9_REV:\n"
     "   case GL_UNSIGNED_INT_10F_11F_11F_REV:\n      if (format != GL_RGB) {\n"),
    # ES 3.2, 8.18: what glTexImage* doesn't take isn't taken here either; and GL 4.6, 8.19: no unsized format is.
    (GLFORMATS,
     "static GLenum\n_mesa_gles_check_internalformat(struct gl_context *ctx,\n",
     "GLenum\n_mesa_gles_check_internalformat(const struct gl_context *ctx,\n"),
    ("src/mesa/main/glformats.h",
     "extern GLenum\n_mesa_gles_error_check_format_and_type(",
     "extern GLenum\n_mesa_gles_check_internalformat(const struct gl_context *ctx,\n"
     "                                GLenum internalFormat);\n\n"
     "extern GLenum\n_mesa_gles_error_check_format_and_type("),
    (TEXSTORAGE,
     "      case GL_RGBA32F:\n      case GL_RGB32F:\n",
     "      case GL_LUMINANCE4_ALPHA4:\n         return false;\n\n"
     "      case GL_RGBA32F:\n      case GL_RGB32F:\n"),
    (TEXSTORAGE, "   case GL_DEPTH_STENCIL:\n", "   case GL_DEPTH_STENCIL:\n   case GL_STENCIL_INDEX:\n"),
    (TEXSTORAGE,
     "      return _mesa_base_tex_format(ctx, internalformat) > 0;\n",
     "      if (_mesa_is_gles(ctx) &&\n"
     "          !_mesa_is_compressed_format(ctx, internalformat) &&\n"
     "          _mesa_gles_check_internalformat(ctx, internalformat) != GL_NO_ERROR)\n"
     "         return GL_FALSE;\n\n"
     "      return _mesa_base_tex_format(ctx, internalformat) > 0;\n"),
    # ES 3.2, 8.6: texels that nothing compresses are INVALID_OPERATION. A texture has no format that there isn't.
    (TEXIMAGE,
     "   if (_mesa_is_gles(ctx) &&\n"
     "       texture_format_error_check_gles(ctx, format, type,\n"
     "                                       internalFormat, callerName)) {\n",
     "   if (_mesa_is_gles(ctx) &&\n"
     "       !_mesa_format_no_online_compression(texImage->InternalFormat) &&\n"
     "       texture_format_error_check_gles(ctx, format, type,\n"
     "                                       internalFormat, callerName)) {\n"),
    # GL 4.6 and ES 3.2, 4.2.2: a query that is deleted while it is active goes on until it is ended; its name doesn't. In
    # compatibility profiles it is ended at once, as piglit's test of ARB_occlusion_query wants it.
    (QUERYOBJ,
     "static struct gl_query_object **\nget_pipe_stats_binding_point(",
     "/* For what was active, or might have been: without a name nothing else deletes it. */\n"
     "static void\ndelete_nameless(struct gl_context *ctx, struct gl_query_object *q)\n{\n"
     "   if (q && q != ctx->Query.CondRenderQuery &&\n"
     "       _mesa_lookup_query_object(ctx, q->Id) != q)\n      delete_query(ctx, q);\n}\n\n"
     "static struct gl_query_object **\nget_pipe_stats_binding_point("),
    (QUERYOBJ,
     "            if (q->Active) {\n               struct gl_query_object **bindpt;\n",
     "            if (q->Active && ctx->API != API_OPENGL_COMPAT) {\n"
     "               _mesa_HashRemoveLocked(&ctx->Query.QueryObjects, ids[i]);\n"
     "               continue;\n            }\n"
     "            if (q->Active) {\n               struct gl_query_object **bindpt;\n"),
    (QUERYOBJ,
     "   q->Active = GL_FALSE;\n   end_query(ctx, q);\n",
     "   q->Active = GL_FALSE;\n   end_query(ctx, q);\n   delete_nameless(ctx, q);\n"),
    (QUERYOBJ,
     "_mesa_free_queryobj_data(struct gl_context *ctx)\n{\n",
     "_mesa_free_queryobj_data(struct gl_context *ctx)\n{\n"
     "   delete_nameless(ctx, ctx->Query.CurrentOcclusionObject);\n"
     "   delete_nameless(ctx, ctx->Query.CurrentTimerObject);\n"
     "   delete_nameless(ctx, ctx->Query.TransformFeedbackOverflowAny);\n"
     "   for (unsigned i = 0; i < MAX_VERTEX_STREAMS; i++) {\n"
     "      delete_nameless(ctx, ctx->Query.PrimitivesGenerated[i]);\n"
     "      delete_nameless(ctx, ctx->Query.PrimitivesWritten[i]);\n"
     "      delete_nameless(ctx, ctx->Query.TransformFeedbackOverflow[i]);\n   }\n"
     "   for (unsigned i = 0; i < MAX_PIPELINE_STATISTICS; i++)\n"
     "      delete_nameless(ctx, ctx->Query.pipeline_stats[i]);\n\n"),
    # GL 4.6, 13.3.2: while vertices are captured no pipeline is bound, not the one that is already.
    ("src/mesa/main/pipelineobj.c",
     "   if (ctx->_Shader->Name == pipeline)\n      return;\n\n   /* Section 2.17.2",
     "   if (ctx->_Shader->Name == pipeline &&\n"
     "       (no_error || !_mesa_is_xfb_active_and_unpaused(ctx)))\n      return;\n\n   /* Section 2.17.2"),
    # GL 4.6 (compatibility), 2.3.1, and ES 1.1, 2.5: a command with one value doesn't set what has several. They were set
    # to that and zeros, and still are in lists, where piglit's beginend-coverage wants no error of it.
    ("src/mesa/main/light.h",
     "extern GLbitfield _mesa_update_lighting(",
     "extern bool _mesa_refuse_vector_pname(GLenum pname, const char *where);\n\n"
     "extern GLbitfield _mesa_update_lighting("),
    ("src/mesa/main/light.c",
     "void GLAPIENTRY\n_mesa_Lightf( GLenum light, GLenum pname, GLfloat param )\n",
     "/* Is it a parameter with several values, of whichever command? Then there is an error. */\n"
     "bool\n_mesa_refuse_vector_pname(GLenum pname, const char *where)\n{\n"
     "   GET_CURRENT_CONTEXT(ctx);\n\n"
     "   /* There it is another error. */\n"
     "   if (_mesa_inside_begin_end(ctx))\n      return false;\n\n"
     "   switch (pname) {\n"
     + "".join(f"   case GL_{name}:\n" for name in (
         "AMBIENT", "DIFFUSE", "SPECULAR", "POSITION", "SPOT_DIRECTION", "LIGHT_MODEL_AMBIENT", "FOG_COLOR",
         "OBJECT_PLANE", "EYE_PLANE", "TEXTURE_ENV_COLOR", "POINT_DISTANCE_ATTENUATION")) +
     "      _mesa_error(ctx, GL_INVALID_ENUM, \"%s\", where);\n      return true;\n"
     "   default:\n      return false;\n   }\n}\n\n\n"
     "void GLAPIENTRY\n_mesa_Lightf( GLenum light, GLenum pname, GLfloat param )\n"),
    *[(f"src/mesa/main/{file}.c", f'#include "{header}.h"\n', f'#include "{header}.h"\n#include "{light}.h"\n')
      for file, header, light in (("fog", "fog", "light"), ("points", "context", "light"),
                                  ("texgen", "main/enums", "main/light"), ("texenv", "main/enums", "main/light"))],
    scalar("light", "_mesa_Lightf", " GLenum light, GLenum pname, GLfloat param "),
    scalar("light", "_mesa_Lighti", " GLenum light, GLenum pname, GLint param "),
    scalar("light", "_mesa_LightModelf", " GLenum pname, GLfloat param "),
    scalar("light", "_mesa_LightModeli", " GLenum pname, GLint param "),
    scalar("fog", "_mesa_Fogf", "GLenum pname, GLfloat param"),
    scalar("fog", "_mesa_Fogi", "GLenum pname, GLint param "),
    scalar("points", "_mesa_PointParameterf", " GLenum pname, GLfloat param"),
    scalar("points", "_mesa_PointParameteri", " GLenum pname, GLint param "),
    scalar("texgen", "_mesa_TexGenf", " GLenum coord, GLenum pname, GLfloat param "),
    scalar("texgen", "_mesa_TexGeni", " GLenum coord, GLenum pname, GLint param "),
    scalar("texgen", "_mesa_TexGend", "GLenum coord, GLenum pname, GLdouble param "),
    scalar("texgen", "_mesa_MultiTexGenfEXT", " GLenum texunit, GLenum coord, GLenum pname, GLfloat param "),
    scalar("texgen", "_mesa_MultiTexGeniEXT", " GLenum texunit, GLenum coord, GLenum pname, GLint param "),
    scalar("texgen", "_mesa_MultiTexGendEXT", "GLenum texunit, GLenum coord, GLenum pname, GLdouble param "),
    scalar("texenv", "_mesa_TexEnvf", " GLenum target, GLenum pname, GLfloat param "),
    scalar("texenv", "_mesa_TexEnvi", " GLenum target, GLenum pname, GLint param "),
    *[scalar("texenv", f"_mesa_MultiTexEnv{letter}EXT",
             f" GLenum texunit, GLenum target,\n                       GLenum pname, {value} param ")
      for letter, value in (("f", "GLfloat"), ("i", "GLint"))],
    # ES 1.1, 2.8, 2.10.2 and 3.7: other arrays, matrices by their unit, three dimensions and GL_COMBINE4_NV aren't there.
    (ENABLE,
     "             GLenum cap, GLboolean state)\n{\n   switch (cap) {\n      case GL_VERTEX_ARRAY:\n",
     "             GLenum cap, GLboolean state)\n{\n"
     "   if (_mesa_is_gles1(ctx) &&\n"
     "       (cap == GL_INDEX_ARRAY || cap == GL_EDGE_FLAG_ARRAY ||\n"
     "        cap == GL_FOG_COORDINATE_ARRAY_EXT || cap == GL_SECONDARY_COLOR_ARRAY_EXT))\n"
     "      goto invalid_enum_error;\n\n"
     "   switch (cap) {\n      case GL_VERTEX_ARRAY:\n"),
    (ENABLE,
     "      case GL_TEXTURE_3D:\n"
     "         if (ctx->API != API_OPENGL_COMPAT && ctx->API != API_OPENGLES)\n",
     "      case GL_TEXTURE_3D:\n         if (ctx->API != API_OPENGL_COMPAT)\n"),
    ("src/mesa/main/matrix.c",
     "   if (mode >= GL_TEXTURE0 && mode < (GL_TEXTURE0 + ctx->Const.MaxTextureCoordUnits)) {\n",
     "   if (_mesa_is_desktop_gl_compat(ctx) &&\n"
     "       mode >= GL_TEXTURE0 && mode < (GL_TEXTURE0 + ctx->Const.MaxTextureCoordUnits)) {\n"),
    ("src/mesa/main/texenv.c",
     "      legal = ctx->Extensions.NV_texture_env_combine4;\n",
     "      legal = _mesa_is_desktop_gl_compat(ctx) &&\n"
     "              ctx->Extensions.NV_texture_env_combine4;\n"),
    # OES_EGL_image_external: external images are enabled where there are no shaders.
    (ENABLE,
     "         if (!_mesa_has_OES_EGL_image_external(ctx))\n",
     "         if (!_mesa_is_gles1(ctx) || !_mesa_has_OES_EGL_image_external(ctx))\n"),
    # GL 4.6, 14.9.3: what glSampleCoverage inverts isn't enabled. Compatibility profiles keep it.
    (ENABLE,
     "      case GL_SAMPLE_COVERAGE_INVERT_ARB:\n         if (!_mesa_is_desktop_gl(ctx))\n",
     "      case GL_SAMPLE_COVERAGE_INVERT_ARB:\n         if (!_mesa_is_desktop_gl_compat(ctx))\n"),
    # GL 4.6, 14.4: core profiles have two parameters of points.
    ("src/mesa/main/points.c",
     "   GET_CURRENT_CONTEXT(ctx);\n\n   switch (pname) {\n      case GL_DISTANCE_ATTENUATION_EXT:\n",
     "   GET_CURRENT_CONTEXT(ctx);\n\n"
     "   if (_mesa_is_desktop_gl_core(ctx) &&\n"
     "       pname != GL_POINT_FADE_THRESHOLD_SIZE_EXT &&\n"
     "       pname != GL_POINT_SPRITE_COORD_ORIGIN) {\n"
     "      _mesa_error(ctx, GL_INVALID_ENUM,\n"
     "                  \"glPointParameterf[v]{EXT,ARB}(pname)\");\n      return;\n   }\n\n"
     "   switch (pname) {\n      case GL_DISTANCE_ATTENUATION_EXT:\n"),
    # OpenGL ES has no proxies, and no part of one is given anywhere.
    (TEXIMAGE,
     "      case GL_PROXY_TEXTURE_CUBE_MAP_ARRAY:\n         return _mesa_has_texture_cube_map_array(ctx);\n"
     "      default:\n",
     "      case GL_PROXY_TEXTURE_CUBE_MAP_ARRAY:\n         return _mesa_has_texture_cube_map_array(ctx) &&\n"
     "            (_mesa_is_desktop_gl(ctx) || target == GL_TEXTURE_CUBE_MAP_ARRAY);\n"
     "      default:\n"),
    (TEXIMAGE,
     "      case GL_PROXY_TEXTURE_CUBE_MAP_ARRAY:\n         return _mesa_has_texture_cube_map_array(ctx);\n\n",
     "         return _mesa_has_texture_cube_map_array(ctx);\n\n"),
    # ARB_seamless_cubemap_per_texture is of OpenGL alone, and so are EXT_direct_state_access's matrices.
    ("src/mesa/main/samplerobj.c",
     "      if (!ctx->Extensions.AMD_seamless_cubemap_per_texture)\n",
     "      if (!_mesa_is_desktop_gl(ctx) ||\n          !ctx->Extensions.AMD_seamless_cubemap_per_texture)\n"),
    *[("src/mesa/main/get.c",
       f"   case GL_{name}:\n      if (index >= ARRAY_SIZE(ctx->TextureMatrixStack))\n",
       f"   case GL_{name}:\n      if (ctx->API != API_OPENGL_COMPAT ||\n"
       "          index >= ARRAY_SIZE(ctx->TextureMatrixStack))\n")
      for name in ("TEXTURE_MATRIX", "TRANSPOSE_TEXTURE_MATRIX")],
]
