# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of GL's entry points and state."""


def alias(name, *params):
    """GL 4.5's name of a query that GL_ARB_robustness has, as Mesa's list of entry points writes it."""
    lines = "".join(f'        <param name="{n}" type="{t}"{" output=" + chr(34) + "true" + chr(34) if "*" in t else ""}/>\n'
                    for n, t in params)
    return f'    <function name="{name}" alias="{name}ARB">\n{lines}    </function>\n\n'


SIZE = ("bufSize", "GLsizei")
# OpenGL 4.5 has these without a suffix; Mesa had the ARB names alone, and calls of the others did nothing.
SIZED_QUERIES = "".join([
    alias("GetnUniformdv", ("program", "GLuint"), ("location", "GLint"), SIZE, ("params", "GLdouble *")),
    alias("GetnTexImage", ("target", "GLenum"), ("level", "GLint"), ("format", "GLenum"), ("type", "GLenum"), SIZE,
          ("img", "GLvoid *")),
    alias("GetnCompressedTexImage", ("target", "GLenum"), ("lod", "GLint"), SIZE, ("img", "GLvoid *")),
    *[alias(f"GetnMap{suffix}v", ("target", "GLenum"), ("query", "GLenum"), SIZE, ("v", f"{kind} *"))
      for suffix, kind in (("d", "GLdouble"), ("f", "GLfloat"), ("i", "GLint"))],
    *[alias(f"GetnPixelMap{suffix}v", ("map", "GLenum"), SIZE, ("values", f"{kind} *"))
      for suffix, kind in (("f", "GLfloat"), ("ui", "GLuint"), ("us", "GLushort"))],
    alias("GetnPolygonStipple", SIZE, ("pattern", "GLubyte *")),
])

SUBROUTINE_STAGES = ("VERTEX", "GEOMETRY", "FRAGMENT", "COMPUTE", "TESS_CONTROL", "TESS_EVALUATION")

EDITS = [
    ("src/mapi/glapi/gen/KHR_robustness.xml", "</category>", SIZED_QUERIES + "</category>"),
    # OpenGL 4.6, 7.10: the index that layout(index = ...) gives is the subroutine's in every query. Names were looked
    # up, compatible subroutines listed and the first choice made by the order of the functions instead.
    ("src/mesa/main/shader_query.cpp",
     "      case GL_TRANSFORM_FEEDBACK_BUFFER:\n         if (_mesa_program_resource_index(shProg, res) == index)",
     "      case GL_TRANSFORM_FEEDBACK_BUFFER:\n"
     + "".join(f"      case GL_{stage}_SUBROUTINE:\n" for stage in SUBROUTINE_STAGES)
     + "         if (_mesa_program_resource_index(shProg, res) == index)"),
    ("src/mesa/main/shader_query.cpp",
     "".join(f"      case GL_{stage}_SUBROUTINE:\n" for stage in SUBROUTINE_STAGES)
     + "      case GL_BUFFER_VARIABLE:\n         if (++idx", "      case GL_BUFFER_VARIABLE:\n         if (++idx"),
    ("src/mesa/main/shader_query.cpp", "val[count++] = i;", "val[count++] = fn->index;"),
    ("src/mesa/main/shaderapi.c",
     "         if (fn->types[j] == type)\n            return i;",
     "         if (fn->types[j] == type)\n            return fn->index;"),
    # OpenGL 4.6, 7.10: indices that are unused lie below GL_ACTIVE_SUBROUTINES as well, and are refused; what is refused
    # changes nothing. Without subroutine uniforms none are given, and nothing is looked up (it crashed).
    ("src/mesa/main/shaderapi.c",
     "      values[0] = p->sh.NumSubroutineFunctions;\n",
     "      values[0] = p->sh.NumSubroutineFunctions ? p->sh.MaxSubroutineFunctionIndex + 1 : 0;\n"),
    ("src/mesa/main/shaderapi.c",
     "      for (i = 0; i < p->sh.NumSubroutineFunctions; i++) {\n"
     "         res = _mesa_program_resource_find_index(shProg, resource_type, i);\n",
     "      for (i = 0; i <= p->sh.MaxSubroutineFunctionIndex; i++) {\n"
     "         res = _mesa_program_resource_find_index(shProg, resource_type, i);\n"),
    ("src/mesa/main/shaderapi.c",
     "   i = 0;\n   bool flushed = false;\n   do {\n"
     "      struct gl_uniform_storage *uni = p->sh.SubroutineUniformRemapTable[i];\n",
     "   bool flushed = false;\n   bool checked = false;\nagain:\n   i = 0;\n   while (i < count) {\n"
     "      struct gl_uniform_storage *uni = p->sh.SubroutineUniformRemapTable[i];\n"),
    ("src/mesa/main/shaderapi.c",
     "         if (!subfn) {\n            continue;\n         }\n\n"
     "         for (k = 0; k < subfn->num_compat_types; k++) {\n",
     "         if (!subfn) {\n            _mesa_error(ctx, GL_INVALID_VALUE, \"%s\", api_name);\n            return;\n"
     "         }\n\n         for (k = 0; k < subfn->num_compat_types; k++) {\n"),
    ("src/mesa/main/shaderapi.c",
     "         ctx->SubroutineIndex[p->info.stage].IndexPtr[j] = indices[j];\n      }\n      i += uni_count;\n"
     "   } while(i < count);\n",
     "         if (checked)\n            ctx->SubroutineIndex[p->info.stage].IndexPtr[j] = indices[j];\n      }\n"
     "      i += uni_count;\n   }\n   if (!checked) {\n      checked = true;\n      goto again;\n   }\n"),
    # OpenGL 4.6 (compatibility), 18.1.1: integers are never clamped, and colours beside them are as ever. One buffer of
    # integers kept all others from being clamped.
    ("src/mesa/main/blend.c",
     "   if (!drawFb || !drawFb->_HasSNormOrFloatColorBuffer ||\n       drawFb->_IntegerDrawBuffers)\n",
     "   if (!drawFb || !drawFb->_HasSNormOrFloatColorBuffer)\n"),
    ("src/compiler/nir/nir_lower_clamp_color_outputs.c",
     "   if (is_color_output(shader, loc)) {\n      b->cursor",
     "   if (is_color_output(shader, loc) &&\n"
     "       nir_alu_type_get_base_type(nir_intrinsic_src_type(intr)) == nir_type_float) {\n      b->cursor"),
    # What glImportMemoryFdEXT is told of the memory's size: Vulkan asks for it at each import.
    ("src/mesa/main/externalobjects.c",
     "      .type = WINSYS_HANDLE_TYPE_FD,\n      .handle = fd,\n#ifdef",
     "      .type = WINSYS_HANDLE_TYPE_FD,\n      .handle = fd,\n      .size = size,\n#ifdef"),
    # glTexPageCommitmentARB looks at a level that is worked out when the texture is first drawn with.
    ("src/mesa/main/texobj.c",
     "if (level < 0 || level > tex_obj->_MaxLevel) {",
     "if (level < 0 || level >= (GLint)tex_obj->Attrib.NumLevels) {"),
    # OpenGL 4.6, 10.4: only the commands with Count in their names read how many draws there are from the parameter
    # buffer. The others did, too, while one was bound, and drew as many as its first word said.
    ("src/mesa/main/draw.c", "(GLintptr)indirect, 0, 1, 16);", "(GLintptr)indirect, -1, 1, 16);"),
    ("src/mesa/main/draw.c", "(GLintptr)indirect, 0, 1, 20);", "(GLintptr)indirect, -1, 1, 20);"),
    ("src/mesa/main/draw.c",
     "(GLintptr)indirect, 0, primcount, stride);", "(GLintptr)indirect, -1, primcount, stride);"),
    ("src/mesa/state_tracker/st_draw.c",
     "*indirect_draw_count = ctx->ParameterBuffer;",
     "*indirect_draw_count = indirect_draw_count_offset < 0 ? NULL : ctx->ParameterBuffer;"),
    # ES 3.1, table 10.3: glVertexAttribFormat takes GL_FIXED as glVertexAttribPointer does.
    ("src/mesa/main/varray.c",
     "#define ATTRIB_FORMAT_TYPES_MASK (BYTE_BIT | UNSIGNED_BYTE_BIT | \\\n",
     "#define ATTRIB_FORMAT_TYPES_MASK (FIXED_ES_BIT | BYTE_BIT | UNSIGNED_BYTE_BIT | \\\n"),
    # OVR_multiview: the levels of an array are attached as by FramebufferTextureLayer. Those behind the first were taken
    # for multisampling.
    ("src/mesa/main/fbobject.c", "   else if (level > 0)\n", "   else if (false)\n"),
    # A blit's destination was cut to the scissor box first, the source followed in whole texels, and what the source's
    # own bounds cut from that fell on the wrong pixels, even outside of the box. Only what is left of the destination
    # is looked at by who calls this: the pixels whose centres come from inside the source (OpenGL 4.6, 18.3.1).
    ("src/mesa/main/image.c",
     "GLboolean\n_mesa_clip_blit(struct gl_context *ctx,",
     "static void\nclip_to_source(double src0, double src1, double size, GLint *dst0, GLint *dst1)\n{\n"
     "   const double scale = ((double)*dst1 - *dst0) / (src1 - src0);\n"
     "   const double zero = *dst0 - src0 * scale, end = zero + size * scale;\n"
     "   const double first = scale > 0 ? ceil(zero - 0.5) : floor(end - 0.5) + 1;\n"
     "   const double past = scale > 0 ? ceil(end - 0.5) : floor(zero - 0.5) + 1;\n"
     "   *dst0 = (GLint)CLAMP((double)*dst0, MAX2(first, INT_MIN), MIN2(past, INT_MAX));\n"
     "   *dst1 = (GLint)CLAMP((double)*dst1, MAX2(first, INT_MIN), MIN2(past, INT_MAX));\n}\n\n"
     "GLboolean\n_mesa_clip_blit(struct gl_context *ctx,"),
    ("src/mesa/main/image.c",
     "   /*\n"
     "    * dest clip\n"
     "    */\n"
     "   clip_right_or_top(srcX0, srcX1, dstX0, dstX1, dstXmax);\n"
     "   clip_right_or_top(srcY0, srcY1, dstY0, dstY1, dstYmax);\n"
     "   clip_left_or_bottom(srcX0, srcX1, dstX0, dstX1, dstXmin);\n"
     "   clip_left_or_bottom(srcY0, srcY1, dstY0, dstY1, dstYmin);\n\n"
     "   /*\n"
     "    * src clip (just swap src/dst values from above)\n"
     "    */\n"
     "   clip_right_or_top(dstX0, dstX1, srcX0, srcX1, srcXmax);\n"
     "   clip_right_or_top(dstY0, dstY1, srcY0, srcY1, srcYmax);\n"
     "   clip_left_or_bottom(dstX0, dstX1, srcX0, srcX1, srcXmin);\n"
     "   clip_left_or_bottom(dstY0, dstY1, srcY0, srcY1, srcYmin);\n",
     "   clip_to_source(*srcX0, *srcX1, srcXmax, dstX0, dstX1);\n"
     "   clip_to_source(*srcY0, *srcY1, srcYmax, dstY0, dstY1);\n"
     "   *srcX0 = CLAMP(*srcX0, srcXmin, srcXmax);\n"
     "   *srcX1 = CLAMP(*srcX1, srcXmin, srcXmax);\n"
     "   *srcY0 = CLAMP(*srcY0, srcYmin, srcYmax);\n"
     "   *srcY1 = CLAMP(*srcY1, srcYmin, srcYmax);\n"
     "   *dstX0 = CLAMP(*dstX0, dstXmin, dstXmax);\n"
     "   *dstX1 = CLAMP(*dstX1, dstXmin, dstXmax);\n"
     "   *dstY0 = CLAMP(*dstY0, dstYmin, dstYmax);\n"
     "   *dstY1 = CLAMP(*dstY1, dstYmin, dstYmax);\n"
     "   if (*dstX0 == *dstX1 || *dstY0 == *dstY1)\n"
     "      return GL_FALSE;\n"),
    # GL 4.6, 4.2.2: glCreateQueries takes all targets that glBeginQuery takes. Those of pipeline statistics were
    # refused.
    ("src/mesa/main/queryobj.c",
     "   case GL_TRANSFORM_FEEDBACK_OVERFLOW:\n      break;\n   default:\n"
     "      _mesa_error(ctx, GL_INVALID_ENUM, \"glCreateQueries(invalid target = %s)\",",
     "   case GL_TRANSFORM_FEEDBACK_OVERFLOW:\n      break;\n   default:\n"
     "      if (_mesa_has_pipeline_statistics(ctx) &&\n"
     "          (target == GL_GEOMETRY_SHADER_INVOCATIONS ||\n"
     "           (target >= GL_VERTICES_SUBMITTED && target <= GL_CLIPPING_OUTPUT_PRIMITIVES)))\n"
     "         break;\n"
     "      _mesa_error(ctx, GL_INVALID_ENUM, \"glCreateQueries(invalid target = %s)\","),
    # GL 4.6, 13.3.3: glDrawTransformFeedback draws the vertices that were captured on its stream. They were counted in
    # the first buffer bound, also where nothing is captured into that one: the varyings began with gl_NextBuffer.
    ("src/mesa/main/transformfeedback.c",
     "      if (!obj->targets[i] || obj->draw_count[stream])\n",
     "      if (!obj->targets[i] || obj->draw_count[stream] ||\n"
     "          !((obj->program->sh.LinkedTransformFeedback->ActiveBuffers >> i) & 1))\n"),
    # GL 4.6, 8.11.4: stencil indices come in any type that glReadPixels has for them. They came as bytes in all.
    ("src/mesa/main/texgetimage.c",
     "            _mesa_unpack_ubyte_stencil_row(texImage->TexFormat,\n"
     "                                           width,\n"
     "                                           (const GLuint *) src,\n"
     "                                           dest);\n",
     "            GLubyte *values = type == GL_UNSIGNED_BYTE ? dest : malloc(width);\n"
     "            if (!values) {\n"
     "               _mesa_error(ctx, GL_OUT_OF_MEMORY, \"glGetTexImage\");\n"
     "               break;\n"
     "            }\n"
     "            _mesa_unpack_ubyte_stencil_row(texImage->TexFormat, width, (const GLuint *) src, values);\n"
     "            if (values != dest) {\n"
     "               _mesa_pack_stencil_span(ctx, width, type, dest, values, &ctx->Pack);\n"
     "               free(values);\n"
     "            }\n"),
    # A view is drawn to in its own format: one of RGB9_E5, which no device draws to, was complete where the texture was
    # of another, and glReadPixels crashed.
    ("src/mesa/main/fbobject.c",
     "                                       bindings);\n   if (!valid) {\n      fbo_invalid(\"Invalid format\");\n",
     "                                       bindings);\n"
     "   if (valid && stObj->surface_based) {\n"
     "      valid = screen->is_format_supported(screen, st_mesa_format_to_pipe_format(st_context(ctx), texFormat),\n"
     "                                          PIPE_TEXTURE_2D, stObj->pt->nr_samples,\n"
     "                                          stObj->pt->nr_storage_samples, bindings);\n"
     "   }\n"
     "   if (!valid) {\n      fbo_invalid(\"Invalid format\");\n"),
    # GL 4.6, 18.3.3: the last block of a compressed level, which may be smaller than others, is a texel of an image
    # that isn't compressed. It was taken for none where bounds are checked, and written beyond them.
    ("src/mesa/main/copyimage.c",
     "   dstWidth = srcWidth * dst_bw / src_bw;\n   dstHeight = srcHeight * dst_bh / src_bh;\n",
     "   dstWidth = DIV_ROUND_UP(srcWidth * dst_bw, src_bw);\n   dstHeight = DIV_ROUND_UP(srcHeight * dst_bh, src_bh);\n"),
    # What glGetTexImage may write was checked without GL_PACK_SKIP_IMAGES, which is heeded for arrays of 2D textures:
    # it went beyond the buffer. GL 4.6, 8.11.4 has it for cube maps, too.
    ("src/mesa/main/texgetimage.c",
     "   const GLuint dimensions = (target == GL_TEXTURE_3D) ? 3 : 2;\n\n"
     "   if (!_mesa_validate_pbo_access(dimensions, &ctx->Pack, width,",
     "   const GLuint dimensions = target == GL_TEXTURE_CUBE_MAP ? 3 : _mesa_get_texture_dimensions(target);\n\n"
     "   if (clientMemSize < 0) {\n"
     "      _mesa_error(ctx, GL_INVALID_VALUE, \"%s(bufSize = %d)\", caller, clientMemSize);\n"
     "      return true;\n"
     "   }\n"
     "   if (!_mesa_validate_pbo_access(dimensions, &ctx->Pack, width,"),
    ("src/mesa/main/texgetimage.c",
     "      imageStride = _mesa_image_image_stride(&ctx->Pack, width, height,\n"
     "                                             format, type);\n",
     "      imageStride = _mesa_image_image_stride(&ctx->Pack, width, height,\n"
     "                                             format, type);\n"
     "      pixels = (GLubyte *) pixels + ctx->Pack.SkipImages * imageStride;\n"),
    # The layers of a 1D array are rows of one image: GL_PACK_IMAGE_HEIGHT lay between them, and beyond the buffer.
    ("src/mesa/main/texgetimage.c",
     "      st_GetTexSubImage(ctx, xoffset, yoffset, zoffset,\n"
     "                        width, height, depth,\n"
     "                        format, type, pixels, texImage);\n\n"
     "      /* next cube face */\n",
     "      const GLint image_height = ctx->Pack.ImageHeight;\n"
     "      if (texObj->Target == GL_TEXTURE_1D_ARRAY)\n"
     "         ctx->Pack.ImageHeight = 1;\n"
     "      st_GetTexSubImage(ctx, xoffset, yoffset, zoffset,\n"
     "                        width, height, depth,\n"
     "                        format, type, pixels, texImage);\n"
     "      ctx->Pack.ImageHeight = image_height;\n\n"
     "      /* next cube face */\n"),
    # Texels with their bytes swapped, or looked up by colour indices, are a copy of those alone that are wanted: what
    # GL_UNPACK_SKIP_PIXELS and its kin skip was skipped there, beyond its end, and not in the program's memory.
    ("src/mesa/main/texstore.c",
     "      srcFormat = GL_RGBA;\n      srcType = GL_UNSIGNED_BYTE;\n   } else if (srcPacking->SwapBytes) {\n",
     "      srcFormat = GL_RGBA;\n      srcType = GL_UNSIGNED_BYTE;\n      srcPacking = &ctx->DefaultPacking;\n"
     "   } else if (srcPacking->SwapBytes) {\n"),
    ("src/mesa/main/texstore.c",
     """         intptr_t imageStride = _mesa_image_image_stride(srcPacking, srcWidth,
                                                    srcHeight, srcFormat,
                                                    srcType);
         int bufferSize = imageStride * srcDepth;
         int layer;
         const uint8_t *src;
         uint8_t *dst;

         tempImage = malloc(bufferSize);
         if (!tempImage)
            return GL_FALSE;
         src = srcAddr;
         dst = tempImage;
         for (layer = 0; layer < srcDepth; layer++) {
            _mesa_swap_bytes_2d_image(srcFormat, srcType,
                                      srcPacking,
                                      srcWidth, srcHeight,
                                      dst, src);
            src += imageStride;
            dst += imageStride;
         }
         srcAddr = tempImage;
""",
     """         const size_t rowSize = (size_t)_mesa_bytes_per_pixel(srcFormat, srcType) * srcWidth;
         const size_t size = rowSize * srcHeight * srcDepth;
         uint8_t *dst = tempImage = malloc(size);
         if (!tempImage)
            return GL_FALSE;
         for (int layer = 0; layer < srcDepth; layer++) {
            for (int row = 0; row < srcHeight; row++, dst += rowSize) {
               memcpy(dst,
                      _mesa_image_address(dims, srcPacking, srcAddr, srcWidth, srcHeight, srcFormat, srcType,
                                          layer, row, 0),
                      rowSize);
            }
         }
         if (swapSize == 2)
            _mesa_swap2(tempImage, size / 2);
         else
            _mesa_swap4(tempImage, size / 4);
         srcAddr = tempImage;
         srcPacking = &ctx->DefaultPacking;
"""),
    # With scales and biases of pixel transfer nothing was skipped at all.
    ("src/mesa/main/texstore.c",
     "      /* Convert from src to RGBA float */\n      src = (GLubyte *) srcAddr;\n",
     "      /* Convert from src to RGBA float */\n"
     "      src = (GLubyte *) _mesa_image_address(dims, srcPacking, srcAddr, srcWidth, srcHeight,\n"
     "                                            srcFormat, srcType, 0, 0, 0);\n"),
    # GL 4.6, 9.2.3.1: the samples of a framebuffer without attachments are those that it was given. They are worked out
    # with the state for a draw, so that a query before the first one got those of the draw before.
    ("src/mesa/main/get.c",
     '#include "state_tracker/st_context.h"\n',
     '#include "state_tracker/st_atom.h"\n#include "state_tracker/st_context.h"\n#include "state_tracker/st_util.h"\n'),
    ("src/mesa/main/get.c",
     "   case GL_SAMPLES:\n      v->value_int =",
     "   case GL_SAMPLES:\n      st_validate_state(st_context(ctx), ST_PIPELINE_UPDATE_FB_STATE_MASK);\n"
     "      v->value_int ="),
    ("src/mesa/main/get.c",
     "   case GL_SAMPLE_BUFFERS:\n      v->value_int =",
     "   case GL_SAMPLE_BUFFERS:\n      st_validate_state(st_context(ctx), ST_PIPELINE_UPDATE_FB_STATE_MASK);\n"
     "      v->value_int ="),
    # Each stage of a program reserves room for 28 parameters, and four times that was taken (4.5 KB a stage).
    ("src/mesa/program/prog_parameter.c",
     "      paramList->Size += 4 * reserve_params;\n",
     "      paramList->Size += reserve_params + MIN2(3 * reserve_params, 16);\n"),
    # KOBALT_DEBUG=descriptors tells of the texture that is read where the app has bound no complete one:
    # the driver knows it by this flag (gallium/screen/fallback_texture.h).
    ("src/mesa/main/texobj.c",
     "      ctx->Shared->FallbackTex[tex][is_depth] = texObj;\n",
     "      if (texObj->pt)\n"
     "         texObj->pt->flags |= PIPE_RESOURCE_FLAG_FRONTEND_PRIV;\n"
     "      ctx->Shared->FallbackTex[tex][is_depth] = texObj;\n"),
    # Where single texels are read, columns and rows were mixed up; and the stride counts texels of blocks of 4x4.
    ("src/mesa/main/texcompress_fxt1.c",
     "   map += rowStride * (i / 8);\n   map += 16 * (j / 4);\n",
     "   map += rowStride * 4 * (j / 4);\n   map += 16 * (i / 8);\n"),
    # So is one that glProgramBinary brings.
    ("src/mesa/main/program_binary.c",
     '#include "state_tracker/st_shader_cache.h"',
     '#include "state_tracker/st_shader_cache.h"\n'
     '#include "state_tracker/st_program.h"\n'
     '#include "pipe/p_context.h"'),
    ("src/mesa/main/program_binary.c",
     "static bool\nread_program_payload(struct gl_context *ctx,",
     """static void
announce_loaded_program(struct gl_context *ctx, const struct gl_shader_program *program)
{
   void *stages[PIPE_SHADER_TYPES] = {0};
   for (unsigned i = 0; i < ARRAY_SIZE(program->_LinkedShaders); i++) {
      const struct gl_linked_shader *linked = program->_LinkedShaders[i];
      if (linked && linked->Program && linked->Program->variants)
         stages[pipe_shader_type_from_mesa(linked->Stage)] =
            linked->Program->variants->driver_shader;
   }
   if (ctx->pipe->link_shader)
      ctx->pipe->link_shader(ctx->pipe, stages);
}

static bool
read_program_payload(struct gl_context *ctx,"""),
    ("src/mesa/main/program_binary.c",
     "   _mesa_create_program_resource_hash(sh_prog);\n\n   /* From section 7.3",
     "   announce_loaded_program(ctx, sh_prog);\n"
     "   _mesa_create_program_resource_hash(sh_prog);\n\n   /* From section 7.3"),
    # A shader that can't be translated, or that the Vulkan driver refuses: the program's link has failed, and its
    # info log has the reason. Compiling goes on behind glLinkProgram, so this is looked at when the app asks.
    ("src/mesa/main/shaderapi.c",
     '#include "state_tracker/st_program.h"\n',
     '#include "state_tracker/st_program.h"\n'
     '#include "compiler/glsl/linker_util.h"\n'
     '#include "gallium/drivers/zink/kobalt_public/kobalt/mesa_slot.h"\n'),
    ("src/mesa/main/shaderapi.c",
     "/**\n * glGetProgramiv() - get shader program state.",
     """static void
note_refused_shaders(struct gl_context *ctx, struct gl_shader_program *shProg)
{
   for (unsigned i = 0; i < MESA_SHADER_STAGES; i++) {
      const struct gl_linked_shader *linked = shProg->_LinkedShaders[i];
      if (!shProg->data->LinkStatus)
         return;
      if (!linked || !linked->Program || !linked->Program->variants ||
          !linked->Program->variants->driver_shader)
         continue;
      const char *refusal = kobalt_shader_refusal(ctx->screen, linked->Program->variants->driver_shader);
      if (refusal)
         linker_error(shProg, "%s shader: %s\\n", _mesa_shader_stage_to_string(i), refusal);
   }
}

/**
 * glGetProgramiv() - get shader program state."""),
    ("src/mesa/main/shaderapi.c",
     "   case GL_LINK_STATUS:\n      *params = shProg->data",
     "   case GL_LINK_STATUS:\n      note_refused_shaders(ctx, shProg);\n      *params = shProg->data"),
    ("src/mesa/main/shaderapi.c",
     "   case GL_INFO_LOG_LENGTH:\n      *params = (shProg->data",
     "   case GL_INFO_LOG_LENGTH:\n      note_refused_shaders(ctx, shProg);\n      *params = (shProg->data"),
    ("src/mesa/main/shaderapi.c",
     "   _mesa_copy_string(infoLog, bufSize, length, shProg->data->InfoLog);",
     "   note_refused_shaders(ctx, shProg);\n"
     "   _mesa_copy_string(infoLog, bufSize, length, shProg->data->InfoLog);"),
    # What to do about an invalid module is the caller's to decide.
    ("src/mesa/main/glspirv.c",
     "   assert(nir);\n   assert(nir->info.stage == stage);\n",
     "   if (!nir)\n      return NULL;\n   assert(nir->info.stage == stage);\n"),
    # OES_EGL_image: glRenderbufferStorage gives a renderbuffer that shares an image storage of its own, of the same size
    # and format too; framebuffers that it is attached to are looked at anew when it becomes an image, as they are there.
    ("src/mesa/main/mtypes.h",
     "   GLboolean AttachedAnytime; /**< TRUE if it was attached to a framebuffer */\n",
     "   GLboolean AttachedAnytime; /**< TRUE if it was attached to a framebuffer */\n"
     "   bool shares_image; /**< made from an EGLImage */\n"),
    ("src/mesa/main/fbobject.c",
     "   if (rb->InternalFormat == internalFormat &&\n       rb->Width == (GLuint) width &&",
     "   if (!rb->shares_image && rb->InternalFormat == internalFormat &&\n       rb->Width == (GLuint) width &&"),
    ("src/mesa/main/fbobject.c",
     "   st_egl_image_target_renderbuffer_storage(ctx, rb, image);\n",
     "   st_egl_image_target_renderbuffer_storage(ctx, rb, image);\n"
     "   if (rb->AttachedAnytime)\n"
     "      _mesa_HashWalk(&ctx->Shared->FrameBuffers, invalidate_rb, rb);\n"),
    ("src/mesa/main/renderbuffer.c",
     "   /* Free the old surface and texture\n    */\n",
     "   rb->Depth = 0;\n   rb->rtt_slice = 0;\n   rb->shares_image = false;\n\n"
     "   /* Free the old surface and texture\n    */\n"),
    # A display list copied four times what there is of a subroutine choice's indices, and read behind the app's array.
    ("src/mesa/main/dlist.c",
     "memdup(indices, sizeof(GLuint) * 4 * count)", "memdup(indices, sizeof(GLuint) * count)"),
    # A context that ends gives back the renderbuffer that is bound: its image was lost otherwise.
    ("src/mesa/main/context.c", '#include "queryobj.h"\n', '#include "queryobj.h"\n#include "renderbuffer.h"\n'),
    ("src/mesa/main/context.c",
     "   _mesa_reference_framebuffer(&ctx->ReadBuffer, NULL);\n\n   _mesa_reference_program(",
     "   _mesa_reference_framebuffer(&ctx->ReadBuffer, NULL);\n"
     "   _mesa_reference_renderbuffer(&ctx->CurrentRenderbuffer, NULL);\n\n   _mesa_reference_program("),
    # GL 4.6, 4.2.1: a query counts the stream that it is begun for. Begun again for another one it counted the former.
    ("src/mesa/main/queryobj.c",
     "   if (q->type != type) {\n      /* free old query of different type */\n",
     "   if (q->type != type || q->index != target_to_index(q)) {\n      /* free old query of different type */\n"),
    ("src/mesa/main/queryobj.c",
     "         q->pq = pipe->create_query(pipe, type, target_to_index(q));\n",
     "         q->index = target_to_index(q);\n         q->pq = pipe->create_query(pipe, type, q->index);\n"),
    ("src/mesa/main/mtypes.h",
     "   unsigned type;  /**< PIPE_QUERY_x */\n};\n",
     "   unsigned type;  /**< PIPE_QUERY_x */\n   unsigned index; /**< what pq was made for, beside its type */\n};\n"),
    # GL 4.6, 7.10: compatible subroutines are named by their indices, which a layout may give.
    ("src/mesa/main/shaderapi.c",
     "                  values[count++] = i;\n", "                  values[count++] = fn->index;\n"),
]
