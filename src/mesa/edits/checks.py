# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what GL's entry points check: bounds, and what OpenGL ES lacks."""

TEXIMAGE = "src/mesa/main/teximage.c"
FBOBJECT = "src/mesa/main/fbobject.c"
QUERYOBJ = "src/mesa/main/queryobj.c"
# ES 3.2, 7.3.1: program interfaces and parameters that there aren't are INVALID_ENUM. In OpenGL they stay
# INVALID_OPERATION, as piglit's tests of ARB_program_interface_query want it.
NO_SUCH_INTERFACE = "_mesa_is_gles(ctx) ? GL_INVALID_ENUM : GL_INVALID_OPERATION"


def wide(file, offset, size, rest):
    """The sum of an offset and a size in 64 bits: in 32 it wraps, and passes for one within the image."""
    return (file, f"if ({offset} + {size} {rest}", f"if ((GLint64){offset} + {size} {rest}")


EDITS = [
    wide(TEXIMAGE, "xoffset", "subWidth", "> (GLint) destImage->Width) {"),
    wide(TEXIMAGE, "yoffset", "subHeight", "> (GLint) destImage->Height) {"),
    wide(TEXIMAGE, "zoffset", "subDepth", " > depth) {"),
    wide("src/mesa/main/texgetimage.c", "xoffset", "width", "> imageWidth) {"),
    wide("src/mesa/main/texgetimage.c", "yoffset", "height", "> imageHeight) {"),
    wide("src/mesa/main/texgetimage.c", "zoffset", "depth", "> imageDepth) {"),
    # What stands for a renderbuffer without samples is no number that an app may ask for: with 1000 samples the
    # renderbuffer had none, and there was no error.
    (FBOBJECT, "#define NO_SAMPLES 1000\n", "#define NO_SAMPLES INT_MIN\n"),
    # GL 4.6 and ES 3.2, 6.1.1: an offset below 0 is refused. For uniform, storage and counter buffers it was taken where it
    # was aligned.
    ("src/mesa/main/bufferobj.c",
     "         if (size <= 0) {\n            _mesa_error(ctx, GL_INVALID_VALUE, \"glBindBufferRange(size=%d)\",\n"
     "                        (int) size);\n            return;\n         }\n",
     "         if (size <= 0 || offset < 0) {\n"
     "            _mesa_error(ctx, GL_INVALID_VALUE, \"glBindBufferRange(offset=%\" PRId64 \", size=%\" PRId64 \")\",\n"
     "                        (int64_t) offset, (int64_t) size);\n            return;\n         }\n"),
    # ES 3.2, 10.3.1: GL_BGRA is no size of an attribute. It was taken for 4 before ES's lack of it was looked at.
    ("src/mesa/main/varray.c",
     "   if (ctx->Extensions.EXT_vertex_array_bgra && sizeMax == BGRA_OR_4 &&\n",
     "   if (_mesa_is_desktop_gl(ctx) &&\n"
     "       ctx->Extensions.EXT_vertex_array_bgra && sizeMax == BGRA_OR_4 &&\n"),
    # ES 3.1, 10.3.1: glVertexAttribPointer's stride has a limit, as glBindVertexBuffer's has.
    ("src/mesa/main/varray.c",
     "   if (_mesa_is_desktop_gl(ctx) && ctx->Version >= 44 &&\n       stride >",
     "   if (((_mesa_is_desktop_gl(ctx) && ctx->Version >= 44) || _mesa_is_gles31(ctx)) &&\n"
     "       stride >"),
    # ES 3.2, table 16.1: images are packed into rows alone.
    *[("src/mesa/main/pixelstore.c",
       f"      case GL_PACK_{name}:\n         if (!no_error && !_mesa_is_desktop_gl(ctx) && !_mesa_is_gles3(ctx))\n",
       f"      case GL_PACK_{name}:\n         if (!no_error && !_mesa_is_desktop_gl(ctx))\n")
      for name in ("IMAGE_HEIGHT", "SKIP_IMAGES")],
    # ES 3.2, table 21.12: samplers have no bias.
    ("src/mesa/main/samplerobj.c",
     "   if (samp->Attrib.LodBias == param)\n",
     "   if (_mesa_is_gles(ctx))\n      return INVALID_PNAME;\n\n   if (samp->Attrib.LodBias == param)\n"),
    ("src/mesa/main/samplerobj.c",
     "      *params = lroundf(sampObj->Attrib.LodBias);\n",
     "      if (_mesa_is_gles(ctx))\n         goto invalid_pname;\n      *params = lroundf(sampObj->Attrib.LodBias);\n"),
    *[("src/mesa/main/samplerobj.c",
       f"   case GL_TEXTURE_LOD_BIAS:\n      *params = {value}sampObj->Attrib.LodBias;\n",
       f"   case GL_TEXTURE_LOD_BIAS:\n      if (_mesa_is_gles(ctx))\n         goto invalid_pname;\n"
       f"      *params = {value}sampObj->Attrib.LodBias;\n")
      for value in ("", "(GLint) ", "(GLuint) ")],
    # ES 3.2, table 21.10: nor has it one name for all of a swizzle. A value that is none changed those before it.
    ("src/mesa/main/texparam.c",
     "   case GL_TEXTURE_SWIZZLE_RGBA_EXT:\n"
     "      if (_mesa_has_EXT_texture_swizzle(ctx) || _mesa_is_gles3(ctx)) {\n"
     "         flush(ctx);\n",
     "   case GL_TEXTURE_SWIZZLE_RGBA_EXT:\n"
     "      if (_mesa_has_EXT_texture_swizzle(ctx)) {\n"
     "         for (GLuint comp = 0; comp < 4; comp++) {\n"
     "            if (comp_to_swizzle(params[comp]) < 0) {\n"
     "               _mesa_error(ctx, GL_INVALID_ENUM, \"glTex%sParameter(swizzle 0x%x)\",\n"
     "                           suffix, params[comp]);\n"
     "               return GL_FALSE;\n            }\n         }\n"
     "         flush(ctx);\n"),
    *[("src/mesa/main/texparam.c",
       "         if (!_mesa_has_EXT_texture_swizzle(ctx) && !_mesa_is_gles3(ctx))\n"
       f"            goto invalid_pname;\n         {gets}",
       f"         if (!_mesa_has_EXT_texture_swizzle(ctx))\n            goto invalid_pname;\n         {gets}")
      for gets in ("for (GLuint comp = 0; comp < 4; comp++)\n", "COPY_4V(params, obj->Attrib.Swizzle);\n")],
    # ES 3.2, table 21.21: what can't be set isn't there to be asked for either.
    *[("src/mesa/main/get_hash_params.py",
       f'  [ "PACK_{name}", "CONTEXT_INT(Pack.{field}), NO_EXTRA" ],\n{behind}', behind)
      for name, field, behind in (("IMAGE_HEIGHT", "ImageHeight", '  [ "PACK_ROW_LENGTH",'),
                                  ("SKIP_IMAGES", "SkipImages", '  [ "PERSPECTIVE_CORRECTION_HINT",'))],
    ("src/mesa/main/get_hash_params.py",
     '  [ "PACK_LSB_FIRST",',
     '  [ "PACK_IMAGE_HEIGHT", "CONTEXT_INT(Pack.ImageHeight), NO_EXTRA" ],\n'
     '  [ "PACK_SKIP_IMAGES", "CONTEXT_INT(Pack.SkipImages), NO_EXTRA" ],\n'
     '  [ "PACK_LSB_FIRST",'),
    # GL 4.6, 10.4 and ES 3.2, 10.5 recommend it: vertices before the first are refused, as where instances are drawn.
    ("src/mesa/main/draw.c",
     "_mesa_validate_DrawArrays(struct gl_context *ctx, GLenum mode, GLsizei count)\n{\n"
     "   GLenum error = validate_draw_arrays(ctx, mode, count, 1);\n",
     "_mesa_validate_DrawArrays(struct gl_context *ctx, GLenum mode, GLint first, GLsizei count)\n{\n"
     "   GLenum error = first < 0 ? GL_INVALID_VALUE : validate_draw_arrays(ctx, mode, count, 1);\n"),
    ("src/mesa/main/draw.c",
     "_mesa_validate_DrawArrays(ctx, mode, count))", "_mesa_validate_DrawArrays(ctx, mode, start, count))"),
    ("src/mesa/main/draw.c",
     "_mesa_validate_DrawArrays(ctx, mode, 1)", "_mesa_validate_DrawArrays(ctx, mode, 0, 1)"),
    ("src/mesa/main/draw.c",
     "_mesa_validate_MultiDrawArrays(struct gl_context *ctx, GLenum mode,\n"
     "                               const GLsizei *count,",
     "_mesa_validate_MultiDrawArrays(struct gl_context *ctx, GLenum mode,\n"
     "                               const GLint *first, const GLsizei *count,"),
    ("src/mesa/main/draw.c",
     "            if (count[i] < 0) {\n               error = GL_INVALID_VALUE;\n               break;\n            }\n"
     "         }\n\n         if (!error) {\n            if (need_xfb_remaining_prims_check(ctx)) {\n"
     "               struct gl_transform_feedback_object *xfb_obj\n"
     "                  = ctx->TransformFeedback.CurrentObject;\n"
     "               size_t xfb_prim_count = 0;\n\n"
     "               for (int i = 0; i < primcount; ++i) {\n"
     "                  xfb_prim_count +=\n                     count_tessellated_primitives(mode, count[i], 1);\n",
     "            if (first[i] < 0 || count[i] < 0) {\n               error = GL_INVALID_VALUE;\n"
     "               break;\n            }\n"
     "         }\n\n         if (!error) {\n            if (need_xfb_remaining_prims_check(ctx)) {\n"
     "               struct gl_transform_feedback_object *xfb_obj\n"
     "                  = ctx->TransformFeedback.CurrentObject;\n"
     "               size_t xfb_prim_count = 0;\n\n"
     "               for (int i = 0; i < primcount; ++i) {\n"
     "                  xfb_prim_count +=\n                     count_tessellated_primitives(mode, count[i], 1);\n"),
    ("src/mesa/main/draw.c",
     "_mesa_validate_MultiDrawArrays(ctx, mode, count, primcount)",
     "_mesa_validate_MultiDrawArrays(ctx, mode, first, count, primcount)"),
    # GL 4.6, 8.5 and 8.19: RGTC, ETC2 and EAC are for two dimensions without a target of their own, so rectangles of such
    # are INVALID_OPERATION, as 3D textures are.
    (TEXIMAGE,
     "   case GL_TEXTURE_3D:\n      switch (layout) {\n      case MESA_FORMAT_LAYOUT_ETC2:\n",
     "   case GL_TEXTURE_RECTANGLE:\n   case GL_PROXY_TEXTURE_RECTANGLE:\n"
     "      if (layout == MESA_FORMAT_LAYOUT_ETC2 || layout == MESA_FORMAT_LAYOUT_RGTC)\n"
     "         return write_error(error, GL_INVALID_OPERATION);\n      break;\n"
     "   case GL_TEXTURE_3D:\n      switch (layout) {\n      case MESA_FORMAT_LAYOUT_ETC2:\n"),
    # GL 4.6, 8.21: depths alone don't clear depth and stencil; nobody said what became of the stencil values.
    (TEXIMAGE,
     "   if (!texture_formats_agree(internalFormat, format)) {\n      _mesa_error(ctx, GL_INVALID_OPERATION,\n"
     "                  \"%s(incompatible internalFormat = %s, format = %s)\",\n                  function,\n",
     "   if (!texture_formats_agree(internalFormat, format) ||\n"
     "       ((texImage->_BaseFormat == GL_DEPTH_COMPONENT || texImage->_BaseFormat == GL_DEPTH_STENCIL) &&\n"
     "        format != texImage->_BaseFormat)) {\n      _mesa_error(ctx, GL_INVALID_OPERATION,\n"
     "                  \"%s(incompatible internalFormat = %s, format = %s)\",\n                  function,\n"),
    # ES 3.2, 9.2.7: 32 attachments have names; those beyond GL_MAX_COLOR_ATTACHMENTS are INVALID_OPERATION.
    (FBOBJECT,
     "      *is_color_attachment = false;\n\n   switch (attachment) {",
     "      *is_color_attachment = attachment > GL_COLOR_ATTACHMENT15 &&\n"
     "                             attachment <= GL_COLOR_ATTACHMENT31;\n\n   switch (attachment) {"),
    (FBOBJECT,
     "         case GL_COLOR_ATTACHMENT15: {\n",
     "         " + "".join(f"case GL_COLOR_ATTACHMENT{k}:\n         " for k in range(16, 32)) +
     "case GL_COLOR_ATTACHMENT15: {\n"),
    # A cube map was refused without an error where glFramebufferTextureLayer doesn't take it.
    (FBOBJECT,
     "      return _mesa_is_desktop_gl(ctx) && ctx->Version >= 31;\n",
     "      if (_mesa_is_desktop_gl(ctx) && ctx->Version >= 31)\n         return true;\n      break;\n"),
    # ES 3.2, 9.2.3: only the parameters of framebuffers without attachments can be asked for.
    (FBOBJECT,
     "      cannot_be_winsys_fbo = !_mesa_is_desktop_gl(ctx);\n",
     "      cannot_be_winsys_fbo = !_mesa_is_desktop_gl(ctx);\n"
     "      if (cannot_be_winsys_fbo && !_mesa_is_winsys_fbo(fb))\n         goto invalid_pname_enum;\n"),
    # ES 3.2, 7.11.2: bits that name no barrier are refused. ES has no query buffers.
    ("src/mesa/main/barrier.c",
     "   memory_barrier(ctx, barriers);\n}\n\nstatic ALWAYS_INLINE void\nmemory_barrier_by_region",
     "   if (barriers != GL_ALL_BARRIER_BITS && (barriers & ~(_mesa_is_gles(ctx) ? 0x7fefu : 0xffefu))) {\n"
     "      _mesa_error(ctx, GL_INVALID_VALUE, \"glMemoryBarrier(0x%x)\", barriers);\n      return;\n   }\n"
     "   memory_barrier(ctx, barriers);\n}\n\nstatic ALWAYS_INLINE void\nmemory_barrier_by_region"),
    ("src/mesa/main/program_resource.c",
     "      _mesa_error(ctx, GL_INVALID_OPERATION, \"glGetProgramInterfaceiv(%s)\",",
     f"      _mesa_error(ctx, {NO_SUCH_INTERFACE}, \"glGetProgramInterfaceiv(%s)\","),
    ("src/mesa/main/program_resource.c",
     "   /* The error INVALID_VALUE is generated if <propCount> is zero.\n",
     "   if (!supported_interface_enum(ctx, programInterface)) {\n"
     "      _mesa_error(ctx, GL_INVALID_ENUM, \"glGetProgramResourceiv(%s)\",\n"
     "                  _mesa_enum_to_string(programInterface));\n      return;\n   }\n\n"
     "   /* The error INVALID_VALUE is generated if <propCount> is zero.\n"),
    ("src/mesa/main/shader_query.cpp",
     "      _mesa_error(ctx, GL_INVALID_OPERATION,\n                  \"glGetProgramInterfaceiv(pname %s)\",",
     f"      _mesa_error(ctx, {NO_SUCH_INTERFACE},\n                  \"glGetProgramInterfaceiv(pname %s)\","),
    # GL_EXT_texture_norm16: textures of three components aren't drawn to.
    (FBOBJECT, "   case GL_RGB8_SNORM:\n   case GL_RGB8I:\n   case GL_RGB8UI:\n   case GL_SRGB8:\n",
     "   case GL_RGB16:\n   case GL_RGB16_SNORM:\n"
     "   case GL_RGB8_SNORM:\n   case GL_RGB8I:\n   case GL_RGB8UI:\n   case GL_SRGB8:\n"),
    # GL_EXT_multisampled_render_to_texture2: a texture that is both depth and stencil has its samples as both; such a
    # framebuffer was incomplete.
    (FBOBJECT,
     "   dst_att->NumViews = src_att->NumViews;\n",
     "   dst_att->NumViews = src_att->NumViews;\n   dst_att->NumSamples = src_att->NumSamples;\n"),
    # GL 4.6, 5.1.2: a deleted object lives while it is in use. Conditional rendering went on with a query that was
    # gone.
    ("src/mesa/main/queryobj.h",
     "static inline struct gl_query_object *\n_mesa_lookup_query_object(",
     "extern void\n_mesa_release_condition(struct gl_context *ctx);\n\n"
     "static inline struct gl_query_object *\n_mesa_lookup_query_object("),
    (QUERYOBJ,
     "static int\ntarget_to_index(",
     "/* Conditional rendering looks at no query any more; one without a name goes with that. */\n"
     "void\n_mesa_release_condition(struct gl_context *ctx)\n{\n"
     "   struct gl_query_object *q = ctx->Query.CondRenderQuery;\n\n"
     "   ctx->Query.CondRenderQuery = NULL;\n"
     "   if (q && _mesa_lookup_query_object(ctx, q->Id) != q)\n      delete_query(ctx, q);\n}\n\n"
     "static int\ntarget_to_index("),
    (QUERYOBJ,
     "            _mesa_HashRemoveLocked(&ctx->Query.QueryObjects, ids[i]);\n            delete_query(ctx, q);\n",
     "            _mesa_HashRemoveLocked(&ctx->Query.QueryObjects, ids[i]);\n"
     "            if (q != ctx->Query.CondRenderQuery)\n               delete_query(ctx, q);\n"),
    ("src/mesa/main/condrender.c",
     "   EndConditionalRender(ctx, ctx->Query.CondRenderQuery);\n\n   ctx->Query.CondRenderQuery = NULL;\n",
     "   EndConditionalRender(ctx, ctx->Query.CondRenderQuery);\n\n   _mesa_release_condition(ctx);\n"),
    (QUERYOBJ,
     "   _mesa_DeinitHashTable(&ctx->Query.QueryObjects, delete_queryobj_cb, ctx);\n",
     "   _mesa_release_condition(ctx);\n"
     "   _mesa_DeinitHashTable(&ctx->Query.QueryObjects, delete_queryobj_cb, ctx);\n"),
    # GL 4.6, 4.2.2 and 10.9: what glGenQueries gave and nothing has begun is no object yet.
    ("src/mesa/main/condrender.c",
     "      if (!q) {\n         _mesa_error(ctx, GL_INVALID_VALUE,\n",
     "      if (!q || !q->EverBound) {\n         _mesa_error(ctx, GL_INVALID_VALUE,\n"),
    # GL 4.6, 4.2: the query that conditional rendering looks at can't begin anew meanwhile; and the two kinds of
    # occlusion queries without a number may take each other's objects.
    (QUERYOBJ,
     "      if (q->Active) {\n         _mesa_error(ctx, GL_INVALID_OPERATION,\n"
     "                     \"glBeginQuery{Indexed}(query already active)\");\n",
     "      if (q->Active || q == ctx->Query.CondRenderQuery) {\n         _mesa_error(ctx, GL_INVALID_OPERATION,\n"
     "                     \"glBeginQuery{Indexed}(query already active)\");\n"),
    (QUERYOBJ,
     "      if (q->EverBound && q->Target != target) {\n         _mesa_error(ctx, GL_INVALID_OPERATION,\n"
     "                     \"glBeginQuery{Indexed}(target mismatch)\");\n",
     "      if (q->EverBound && q->Target != target &&\n"
     "          !((target == GL_ANY_SAMPLES_PASSED ||\n"
     "             target == GL_ANY_SAMPLES_PASSED_CONSERVATIVE) &&\n"
     "            (q->Target == GL_ANY_SAMPLES_PASSED ||\n"
     "             q->Target == GL_ANY_SAMPLES_PASSED_CONSERVATIVE))) {\n"
     "         _mesa_error(ctx, GL_INVALID_OPERATION,\n"
     "                     \"glBeginQuery{Indexed}(target mismatch)\");\n"),
    # GL 4.6, 4.3: names come from glGenQueries, but in compatibility profiles.
    (QUERYOBJ,
     "      /* XXX the Core profile should throw INVALID_OPERATION here */\n",
     "      if (ctx->API != API_OPENGL_COMPAT) {\n"
     "         _mesa_error(ctx, GL_INVALID_OPERATION, \"glQueryCounter(non-gen name)\");\n         return;\n"
     "      }\n"),
    # GL 4.6, 4.2.3: an offset below 0 is INVALID_VALUE, and what ends behind the buffer INVALID_OPERATION. The sum of
    # a large offset and the size wrapped, and the result was written there.
    (QUERYOBJ,
     "      if (buf->Size < offset + 4 * (is_64bit ? 2 : 1)) {\n",
     "      if (offset >= 0 && buf->Size - 4 * (is_64bit ? 2 : 1) < offset) {\n"),
    # GL 4.6, 8.14.4: the target of a texture that is named is INVALID_OPERATION.
    ("src/mesa/main/genmipmap.c",
     "      _mesa_error(ctx, GL_INVALID_ENUM, \"%s(target=%s)\",\n                  caller,\n"
     "                  _mesa_enum_to_string(texObj->Target));\n",
     "      _mesa_error(ctx, GL_INVALID_OPERATION, \"%s(target=%s)\",\n                  caller,\n"
     "                  _mesa_enum_to_string(texObj->Target));\n"),
    # Without GL_INTEL_performance_query there are no queries; its functions called a function that there isn't.
    ("src/mesa/main/performance_query.c",
     "   return ctx->pipe->init_intel_perf_query_info(ctx->pipe);\n",
     "   return ctx->pipe->init_intel_perf_query_info ? ctx->pipe->init_intel_perf_query_info(ctx->pipe) : 0;\n"),
    # GL_NV_vertex_program: attributes beyond the last don't wrap to the first, and over other memory.
    ("src/mesa/vbo/vbo_attrib_tmp.h",
     "   n = MIN2(n, VBO_ATTRIB_MAX - index);\n",
     "   n = index < VBO_ATTRIB_MAX ? MIN2(n, (GLint) (VBO_ATTRIB_MAX - index)) : 0;\n"),
]
