# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of bounds whose sums wrapped: what lies beyond a buffer or behind all binding points passed, and was touched."""

BUFFEROBJ = "src/mesa/main/bufferobj.c"
DRAW = "src/mesa/main/draw.c"
TEXIMAGE = "src/mesa/main/teximage.c"
VBUF = "src/gallium/auxiliary/util/u_vbuf.c"


def within(file, offset, size, whole, rest=""):
    """A range is looked at without its end, which may be more than its type holds."""
    return (file, f"if ({offset} + {size} > {whole}{rest}",
            f"if ({size} > {whole} || {offset} > {whole} - {size}{rest}")


EDITS = [
    # GL_ARB_multi_bind: a number below 0 is INVALID_VALUE, as any is, and the last binding point is looked at in 64 bits: in
    # 32 the sum wraps, and what lies far behind all binding points was written.
    *[(f"src/mesa/main/{file}",
       f"   if (first + count > ctx->Const.{limit}) {{\n      _mesa_error(ctx, GL_INVALID_OPERATION,\n",
       f"   if (count < 0 || (GLuint64)first + count > ctx->Const.{limit}) {{\n"
       "      _mesa_error(ctx, count < 0 ? GL_INVALID_VALUE : GL_INVALID_OPERATION,\n")
      for file, limit in (("bufferobj.c", "MaxUniformBufferBindings"),
                          ("bufferobj.c", "MaxShaderStorageBufferBindings"),
                          ("bufferobj.c", "MaxTransformFeedbackBuffers"),
                          ("bufferobj.c", "MaxAtomicBufferBindings"),
                          ("samplerobj.c", "MaxCombinedTextureImageUnits"),
                          ("texobj.c", "MaxCombinedTextureImageUnits"),
                          ("varray.c", "MaxVertexAttribBindings"))],
    ("src/mesa/main/shaderimage.c",
     "   if (first + count > ctx->Const.MaxImageUnits) {\n",
     "   if (count < 0 || (GLuint64)first + count > ctx->Const.MaxImageUnits) {\n"),
    ("src/mesa/main/shaderimage.c",
     "      _mesa_error(ctx, GL_INVALID_OPERATION,\n                  \"glBindImageTextures(first=%u + count=%d",
     "      _mesa_error(ctx, count < 0 ? GL_INVALID_VALUE : GL_INVALID_OPERATION,\n"
     "                  \"glBindImageTextures(first=%u + count=%d"),
    # Of a vertex array whose buffer was deleted only the offset is left: as an address of the app's memory it was read where
    # there are no client arrays (GL 4.6, 10.3.9; ES 3.2, 10.3.8). Without a buffer zeros are read.
    ("src/mesa/state_tracker/st_atom_array.cpp",
     "enum st_update_velems {\n",
     "/* Client arrays are only in compatibility profiles and, in ES, in the\n"
     " * default vertex array object.\n"
     " */\n"
     "static bool\n"
     "has_client_arrays(const struct gl_context *ctx)\n"
     "{\n"
     "   return ctx->API == API_OPENGL_COMPAT || ctx->API == API_OPENGLES ||\n"
     "          (ctx->API == API_OPENGLES2 &&\n"
     "           ctx->Array.VAO == ctx->Array.DefaultVAO);\n"
     "}\n\n"
     "enum st_update_velems {\n"),
    ("src/mesa/state_tracker/st_atom_array.cpp",
     "         } else {\n            vbuffer[bufidx].buffer.user = attrib->Ptr;\n"
     "            vbuffer[bufidx].is_user_buffer = true;\n",
     "         } else {\n            vbuffer[bufidx].is_user_buffer = has_client_arrays(ctx);\n"
     "            vbuffer[bufidx].buffer.user =\n"
     "               vbuffer[bufidx].is_user_buffer ? attrib->Ptr : NULL;\n"),
    ("src/mesa/state_tracker/st_atom_array.cpp",
     "         vbuffer[bufidx].buffer.user = ptr;\n         vbuffer[bufidx].is_user_buffer = true;\n",
     "         vbuffer[bufidx].is_user_buffer = has_client_arrays(ctx);\n"
     "         vbuffer[bufidx].buffer.user =\n"
     "            vbuffer[bufidx].is_user_buffer ? ptr : NULL;\n"),
    within(BUFFEROBJ, "offset", "size", "bufObj->Size", ") {"),
    within(BUFFEROBJ, "offset", "length", "bufObj->Size", ") {"),
    within(BUFFEROBJ, "offset", "length", "bufObj->Mappings[MAP_USER].Length", ") {"),
    within(TEXIMAGE, "offset", "size", "bufObj->Size", ") {"),
    (BUFFEROBJ,
     "   const GLintptr end = offset + length;\n\n   /* Section 6.5 (Invalidating Buffer Data)",
     "\n   /* Section 6.5 (Invalidating Buffer Data)"),
    (BUFFEROBJ,
     "   if (offset < 0 || length < 0 || end > bufObj->Size) {\n",
     "   if (offset < 0 || length < 0 || length > bufObj->Size || offset > bufObj->Size - length) {\n"),
    ("src/mesa/main/pbo.c",
     "   if ((const GLubyte *) pixels + imageSize >\n       ((const GLubyte *) 0) + unpack->BufferObj->Size) {\n",
     "   if (imageSize > unpack->BufferObj->Size ||\n"
     "       (uintptr_t) pixels > (uintptr_t) (unpack->BufferObj->Size - imageSize)) {\n"),
    ("src/mesa/main/texgetimage.c",
     "      if ((GLubyte *) pixels + totalBytes >\n          (GLubyte *) ctx->Pack.BufferObj->Size) {\n",
     "      if (totalBytes > ctx->Pack.BufferObj->Size ||\n"
     "          (uintptr_t) pixels > (uintptr_t) (ctx->Pack.BufferObj->Size - totalBytes)) {\n"),
    # GL 4.6, 10.4: the commands of indirect draws, and their number, lie in the buffer, whatever the stride; and a stride
    # isn't negative.
    (DRAW,
     "                    GLenum mode, const GLvoid *indirect,\n                    GLsizei size)\n",
     "                    GLenum mode, const GLvoid *indirect,\n                    GLsizeiptr size)\n"),
    (DRAW,
     "   if (ctx->DrawIndirectBuffer->Size < end)\n",
     "   if (end < (uint64_t) size || (uint64_t) ctx->DrawIndirectBuffer->Size < end)\n"),
    *[(DRAW, f"      ? ({count} - 1) * stride + ", f"      ? ({count} - 1) * (GLsizeiptr) stride + ")
      for count in ("primcount", "maxdrawcount")],
    (DRAW, "   if (stride % 4) {\n", "   if (stride < 0 || stride % 4) {\n"),
    (DRAW,
     "   if (ctx->ParameterBuffer->Size < drawcount + sizeof(GLsizei))\n",
     "   if (drawcount < 0 || ctx->ParameterBuffer->Size - (GLsizeiptr) sizeof(GLsizei) < drawcount)\n"),
    # GL_ARB_viewport_array: so is a first viewport near the end of all numbers.
    *[(f"src/mesa/main/{file}",
       "   if ((first + count) > ctx->Const.MaxViewports) {\n",
       "   if (count < 0 || (GLuint64) first + count > ctx->Const.MaxViewports) {\n")
      for file in ("viewport.c", "scissor.c")],
    # A size below 0 was taken for one beyond all sizes, on the stack.
    ("src/mesa/main/formatquery.c",
     "   GLsizei realSize = MIN2(bufSize, 16);\n", "   GLsizei realSize = CLAMP(bufSize, 0, 16);\n"),
    # GL_EXT_gpu_program_parameters: a number of parameters below 1 was refused, and copied as well.
    *[("src/mesa/main/arbprogram.c",
       f"      _mesa_error(ctx, GL_INVALID_VALUE, {name}(count)\"{rest});\n   }}\n",
       f"      _mesa_error(ctx, GL_INVALID_VALUE, {name}(count)\"{rest});\n      return;\n   }}\n")
      for name, rest in (("\"%s", ", caller"), ("\"glProgramEnvParameters4fv", ""))],
    ("src/mesa/main/arbprogram.c",
     "   if (unlikely(index + count > prog->arb.MaxLocalParams)) {\n",
     "   if (unlikely((uint64_t) index + count > prog->arb.MaxLocalParams)) {\n"),
    ("src/mesa/main/arbprogram.c",
     "      if (index + count > prog->arb.MaxLocalParams) {\n",
     "      if ((uint64_t) index + count > prog->arb.MaxLocalParams) {\n"),
    *[("src/mesa/main/arbprogram.c",
       f"      if ((index + count) > ctx->Const.Program[MESA_SHADER_{stage}].MaxEnvParams) {{\n",
       f"      if ((uint64_t) index + count > ctx->Const.Program[MESA_SHADER_{stage}].MaxEnvParams) {{\n")
      for stage in ("FRAGMENT", "VERTEX")],
    # GL_EXT_direct_state_access: units and targets that there aren't were reported and used; parts of textures on other
    # units weren't looked at at all, and written beyond the texture.
    *[(TEXIMAGE,
       f"                                                   \"glMultiTexImage{dims}DEXT\");\n"
       "   texImage = _mesa_select_tex_image(texObj, target, level);\n\n",
       f"                                                   \"glMultiTexImage{dims}DEXT\");\n"
       "   if (!texObj)\n      return;\n"
       f"   if (!legal_texsubimage_target(ctx, {dims}, target, false)) {{\n"
       f"      _mesa_error(ctx, GL_INVALID_ENUM, \"glMultiTexSubImage{dims}DEXT(target)\");\n      return;\n   }}\n"
       f"   if (texsubimage_error_check(ctx, {dims}, texObj, target, level, {part}, format, type, pixels,\n"
       f"                               \"glMultiTexSubImage{dims}DEXT\"))\n      return;\n"
       "   texImage = _mesa_select_tex_image(texObj, target, level);\n\n")
      for dims, part in ((1, "xoffset, 0, 0, width, 1, 1"),
                         (2, "xoffset, yoffset, 0, width, height, 1"),
                         (3, "xoffset, yoffset, zoffset, width, height, depth"))],
    ("src/mesa/main/texgetimage.c",
     "                                                   texunit - GL_TEXTURE0,\n"
     "                                                   false,\n"
     "                                                   caller);\n\n   get_texture_image_dims(",
     "                                                   texunit - GL_TEXTURE0,\n"
     "                                                   false,\n"
     "                                                   caller);\n"
     "   if (!texObj)\n      return;\n\n   get_texture_image_dims("),
    ("src/mesa/main/texgetimage.c",
     "                                           false, true, caller);\n\n   get_texture_image_dims(",
     "                                           false, true, caller);\n"
     "   if (!texObj)\n      return;\n\n   get_texture_image_dims("),
    ("src/mesa/main/varray.c",
     "   if (!validate_array_and_format(ctx, \"glMultiTexCoordPointerEXT\",\n",
     "   if (unit >= ctx->Const.MaxTextureCoordUnits) {\n"
     "      _mesa_error(ctx, GL_INVALID_ENUM, \"glMultiTexCoordPointerEXT(texunit)\");\n      return;\n   }\n"
     "   if (!validate_array_and_format(ctx, \"glMultiTexCoordPointerEXT\",\n"),
    ("src/mesa/main/varray.c",
     "   if (unit >= ctx->Const.MaxCombinedTextureImageUnits) {\n"
     "      _mesa_error(ctx, GL_INVALID_OPERATION, \"glVertexArrayMultiTexCoordOffsetEXT(",
     "   if (unit >= ctx->Const.MaxTextureCoordUnits) {\n"
     "      _mesa_error(ctx, GL_INVALID_OPERATION, \"glVertexArrayMultiTexCoordOffsetEXT("),
    # GL 4.6, 7.6: members of blocks and atomic counters have no locations. One that was made up for them was looked up
    # in no memory, or ran into code for no type.
    ("src/mesa/main/uniform_query.cpp",
     "   if (uni->builtin)\n      return NULL;\n",
     "   if (uni->builtin)\n      return NULL;\n\n"
     "   if (uni->block_index != -1 || uni->atomic_buffer_index != -1) {\n"
     "      _mesa_error(ctx, GL_INVALID_OPERATION, \"%s(location=%d)\", caller, location);\n      return NULL;\n   }\n"),
    # GL_ARB_shading_language_include: any length below 0 says that the name ends with a zero.
    ("src/mesa/main/shaderapi.c", "   if (str_len == -1)\n", "   if (str_len < 0)\n"),
    # GL 4.6, 8.20: what is refused isn't looked at any more, levels end where textures do, and the faces of a cube map are
    # slices. GL_TEXTURE_MAX_LEVEL, which is 1000 at first, was the highest level.
    ("src/mesa/main/texobj.c",
     "   if (level < 0 || level > t->Attrib.MaxLevel) {\n",
     "   if (level < 0 || level >= _mesa_max_texture_levels(ctx, t->Target)) {\n"),
    ("src/mesa/main/texobj.c",
     "                                        \"glInvalidateTexSubImage\");\n\n   /* The GL_ARB_invalidate_subdata spec",
     "                                        \"glInvalidateTexSubImage\");\n   if (!t)\n      return;\n"
     "   if (width < 0 || height < 0 || depth < 0) {\n"
     "      _mesa_error(ctx, GL_INVALID_VALUE, \"glInvalidateTexSubImage(size)\");\n      return;\n   }\n\n"
     "   /* The GL_ARB_invalidate_subdata spec"),
    ("src/mesa/main/texobj.c",
     "      case GL_TEXTURE_2D:\n      case GL_TEXTURE_CUBE_MAP:\n      case GL_TEXTURE_RECTANGLE:\n"
     "      case GL_TEXTURE_2D_MULTISAMPLE:\n         xBorder = image->Border;\n",
     "      case GL_TEXTURE_CUBE_MAP:\n         xBorder = image->Border;\n         yBorder = image->Border;\n"
     "         zBorder = 0;\n         imageWidth = image->Width;\n         imageHeight = image->Height;\n"
     "         imageDepth = 6;\n         break;\n"
     "      case GL_TEXTURE_2D:\n      case GL_TEXTURE_RECTANGLE:\n"
     "      case GL_TEXTURE_2D_MULTISAMPLE:\n         xBorder = image->Border;\n"),
    # GL_EXT_memory_object_win32 names what only its drivers can say; others were asked, and had no function for it.
    *[("src/mesa/main/get_hash_params.py",
       f'  [ "{name}", "LOC_CUSTOM, {kind}, NO_OFFSET, NO_EXTRA" ],\n',
       f'  [ "{name}", "LOC_CUSTOM, {kind}, NO_OFFSET, extra_EXT_memory_object_win32" ],\n')
      for name, kind in (("DEVICE_LUID_EXT", "TYPE_INT_2"), ("DEVICE_NODE_MASK_EXT", "TYPE_INT_4"))],
    ("src/mesa/main/get.c",
     "EXTRA_EXT(OVR_multiview);\n", "EXTRA_EXT(OVR_multiview);\nEXTRA_EXT(EXT_memory_object_win32);\n"),
    ("src/mesa/main/get.c",
     "   case GL_DEVICE_NODE_MASK_EXT:\n      if (index >= 1)\n",
     "   case GL_DEVICE_NODE_MASK_EXT:\n      if (!ctx->Extensions.EXT_memory_object_win32)\n         goto invalid_enum;\n"
     "      if (index >= 1)\n"),
    # Vertices that the CPU converts. A buffer that ends before the largest format there is, counted from its first vertex, was
    # divided by its stride to tell how many vertices it has, by zero where all of them are the same element (GL 4.6, 10.3.2: a
    # binding's stride may be 0); one that ends before its first vertex was read all the same; and where one ends, all of them
    # did. Each is read for as many vertices as it has whole, and is zero behind (GL 4.6, 6.4).
    (VBUF,
     "static enum pipe_error\nu_vbuf_translate_buffers(",
     """/* Kobalt: the vertices from byte FIRST on, STRIDE apart, whose elements end within the buffer. */
static unsigned
kobalt_whole_vertices(const struct translate_key *key, unsigned vb, const struct pipe_resource *buffer, int64_t first,
                      unsigned stride)
{
   unsigned end = 0;
   for (unsigned i = 0; i < key->nr_elements; i++) {
      const struct translate_element *element = &key->element[i];
      if (element->input_buffer == vb)
         end = MAX2(end, element->input_offset + util_format_get_blocksize(element->input_format));
   }
   const int64_t there = buffer ? buffer->width0 : 0;
   if (first < 0 || first + end > there)
      return 0;
   return stride ? MIN2((there - first - end) / stride + 1, UINT_MAX) : UINT_MAX;
}

/* Kobalt: the indices of the draw that its buffer has. */
static unsigned
kobalt_whole_indices(const struct pipe_draw_info *info, const struct pipe_draw_start_count_bias *draw)
{
   if (info->has_user_indices)
      return draw->count;
   const uint64_t there = info->index.resource->width0 / info->index_size;
   return draw->start >= there ? 0 : MIN2(draw->count, there - draw->start);
}

/* Kobalt: what is read in place of a buffer that has no vertices, with the largest offset and format. */
static const uint64_t kobalt_no_vertices[512] = { 0 };

static enum pipe_error
u_vbuf_translate_buffers("""),
    (VBUF,
     "   unsigned out_offset, mask;\n\n   /* Get a translate object. */\n",
     "   unsigned out_offset, mask;\n   unsigned there[PIPE_MAX_ATTRIBS];\n\n   /* Get a translate object. */\n"),
    (VBUF,
     "      unsigned offset;\n      uint8_t *map;\n      unsigned i = u_bit_scan(&mask);\n      unsigned stride = mgr->ve->strides[i];\n\n"
     "      vb = &mgr->vertex_buffer[i];\n      offset = vb->buffer_offset + stride * start_vertex;\n\n"
     "      if (vb->is_user_buffer) {\n         map = (uint8_t*)vb->buffer.user + offset;\n",
     "      unsigned max_index = unroll_indices ? min_index + num_vertices - 1 : UINT_MAX;\n      uint8_t *map;\n"
     "      unsigned i = u_bit_scan(&mask);\n"
     "      unsigned stride = mgr->ve->strides[i];\n\n"
     "      vb = &mgr->vertex_buffer[i];\n"
     "      const int64_t offset = vb->buffer_offset + (int64_t)stride * start_vertex;\n"
     "      there[i] = UINT_MAX;\n\n"
     "      if (vb->is_user_buffer) {\n         map = (uint8_t*)vb->buffer.user + offset;\n"),
    (VBUF,
     """         unsigned size = stride ? num_vertices * stride
                                    : sizeof(double)*4;

         if (!vb->buffer.resource) {
            static uint64_t dummy_buf[4] = { 0 };
            tr->set_buffer(tr, i, dummy_buf, 0, 0);
            continue;
         }
""",
     """         there[i] = kobalt_whole_vertices(key, i, vb->buffer.resource, offset, stride);
         if (!there[i]) {
            there[i] = UINT_MAX;
            tr->set_buffer(tr, i, kobalt_no_vertices, 0, 0);
            continue;
         }
         if (unroll_indices && stride)
            max_index = MIN2(max_index, (unsigned)min_index + MIN2(there[i], INT_MAX) - 1);
         uint64_t size = stride ? (uint64_t)MIN2(num_vertices, there[i]) * stride : sizeof(double)*4;
"""),
    (VBUF,
     "            unsigned last_offset = size - stride;\n",
     "            uint64_t last_offset = size - stride;\n"),
    (VBUF,
     """            size = vb->buffer.resource->width0 - offset;

            /* Also adjust num_vertices.  A common user error is to call
             * glDrawRangeElements() with incorrect 'end' argument.  The 'end
             * value should be the max index value, but people often
             * accidentally add one to this value.  This adjustment avoids
             * crashing (by reading past the end of a hardware buffer mapping)
             * when people do that.
             */
            num_vertices = (size + stride - 1) / stride;
         }
""",
     "            size = vb->buffer.resource->width0 - offset;\n         }\n"),
    (VBUF,
     "      tr->set_buffer(tr, i, map, stride, info->max_index);\n",
     "      tr->set_buffer(tr, i, map, stride, max_index);\n"),
    (VBUF,
     """      u_upload_alloc(mgr->pipe->stream_uploader, 0,
                     key->output_stride * draw->count, 4,
""",
     """      if ((uint64_t)key->output_stride * draw->count > INT_MAX)
         return PIPE_ERROR_OUT_OF_MEMORY;
      const unsigned count = kobalt_whole_indices(info, draw);
      u_upload_alloc(mgr->pipe->stream_uploader, 0,
                     key->output_stride * draw->count, 4,
"""),
    (VBUF,
     """      } else {
         map = pipe_buffer_map_range(mgr->pipe, info->index.resource, offset,
                                     draw->count * info->index_size,
                                     PIPE_MAP_READ, &transfer);
      }

      switch (info->index_size) {
      case 4:
         tr->run_elts(tr, (unsigned*)map, draw->count, 0, 0, out_map);
         break;
      case 2:
         tr->run_elts16(tr, (uint16_t*)map, draw->count, 0, 0, out_map);
         break;
      case 1:
         tr->run_elts8(tr, map, draw->count, 0, 0, out_map);
         break;
      }
""",
     """      } else {
         map = count ? pipe_buffer_map_range(mgr->pipe, info->index.resource, offset,
                                             count * info->index_size, PIPE_MAP_READ, &transfer)
                     : NULL;
      }

      memset(out_map + key->output_stride * count, 0, key->output_stride * (draw->count - count));
      switch (count ? info->index_size : 0) {
      case 4:
         tr->run_elts(tr, (unsigned*)map, count, 0, 0, out_map);
         break;
      case 2:
         tr->run_elts16(tr, (uint16_t*)map, count, 0, 0, out_map);
         break;
      case 1:
         tr->run_elts8(tr, map, count, 0, 0, out_map);
         break;
      }
"""),
    (VBUF,
     """      u_upload_alloc(mgr->pipe->stream_uploader,
                     mgr->has_signed_vb_offset ?
                        0 : key->output_stride * start_vertex,
                     key->output_stride * num_vertices, 4,
""",
     """      const int before = mgr->has_signed_vb_offset ? 0 : MAX2(start_vertex, 0);
      if (key->output_stride * ((uint64_t)before + num_vertices) > INT_MAX)
         return PIPE_ERROR_OUT_OF_MEMORY;
      u_upload_alloc(mgr->pipe->stream_uploader, key->output_stride * before,
                     key->output_stride * num_vertices, 4,
"""),
    (VBUF,
     "      tr->run(tr, 0, num_vertices, 0, 0, out_map);\n",
     """      /* Kobalt: up to where the next buffer ends, which has no vertices from there on. */
      for (unsigned done = 0; done < num_vertices;) {
         unsigned end = num_vertices;
         mask = vb_mask;
         while (mask) {
            const unsigned i = u_bit_scan(&mask);
            if (there[i] <= done)
               tr->set_buffer(tr, i, kobalt_no_vertices, 0, 0);
            else
               end = MIN2(end, there[i]);
         }
         tr->run(tr, done, end - done, 0, 0, out_map + (size_t)key->output_stride * done);
         done = end;
      }
"""),
    # Their indices that lie behind the buffer, and those that all restart: the least of them was above the greatest.
    (VBUF,
     """      indices = pipe_buffer_map_range(pipe, info->index.resource,
                                      draw->start * info->index_size,
                                      draw->count * info->index_size,
                                      PIPE_MAP_READ, &transfer);
   }

   u_vbuf_get_minmax_index_mapped(info, draw->count, indices,
                                  out_min_index, out_max_index);
""",
     """      indices = count ? pipe_buffer_map_range(pipe, info->index.resource,
                                              draw->start * info->index_size,
                                              count * info->index_size,
                                              PIPE_MAP_READ, &transfer)
                      : NULL;
   }

   u_vbuf_get_minmax_index_mapped(info, count, indices,
                                  out_min_index, out_max_index);
   if (*out_min_index > *out_max_index)
      *out_min_index = *out_max_index;
"""),
    (VBUF,
     "   struct pipe_transfer *transfer = NULL;\n   const void *indices;\n\n   if (info->has_user_indices) {\n",
     "   struct pipe_transfer *transfer = NULL;\n   const unsigned count = kobalt_whole_indices(info, draw);\n"
     "   const void *indices;\n\n   if (info->has_user_indices) {\n"),
    # glReadBuffer(GL_NONE) leaves no buffer (GL 4.6, 18.2.2 and 8.6): the one in front of the array was looked at.
    ("src/mesa/main/framebuffer.c",
     "      return rfb->Attachment[rfb->_ColorReadBufferIndex].Renderbuffer;\n   } else if (_mesa_is_depth_format(format) ||\n",
     "      return rfb->_ColorReadBufferIndex == BUFFER_NONE ? NULL :\n"
     "             rfb->Attachment[rfb->_ColorReadBufferIndex].Renderbuffer;\n"
     "   } else if (_mesa_is_depth_format(format) ||\n"),
    # Indirect draws from the app's memory (compatibility): behind one without vertices all others read that one again, and
    # the indices' bounds of the first counted for all.
    (DRAW,
     "         if (!draw.count)\n            continue;\n\n         ctx->Driver.DrawGallium(ctx, &info, i, NULL, &draw, 1);\n",
     "         if (draw.count)\n            ctx->Driver.DrawGallium(ctx, &info, i, NULL, &draw, 1);\n"),
    (DRAW,
     "         if (!draw.count || !validate_index_bounds(ctx, &info, &draw, 1))\n            continue;\n\n"
     "         ctx->Driver.DrawGallium(ctx, &info, i, NULL, &draw, 1);\n",
     "         info.index_bounds_valid = false;\n"
     "         if (draw.count && validate_index_bounds(ctx, &info, &draw, 1))\n"
     "            ctx->Driver.DrawGallium(ctx, &info, i, NULL, &draw, 1);\n"
     "         else if (info.take_index_buffer_ownership)\n"
     "            pipe_drop_resource_references(info.index.resource, 1);\n"),
    (DRAW,
     "#include \"util/u_draw.h\"\n", "#include \"util/u_draw.h\"\n#include \"util/u_inlines.h\"\n"),
    # GL 4.6, 2.3.1: a size below 0 is INVALID_VALUE. It counted as no limit, and all was written (so in gl.py, of textures).
    ("src/mesa/main/readpix.c",
     "   read_pixels(x, y, width, height, format, type, bufSize, pixels, false);\n",
     "   if (bufSize < 0) {\n"
     "      GET_CURRENT_CONTEXT(ctx);\n"
     "      _mesa_error(ctx, GL_INVALID_VALUE, \"glReadnPixels(bufSize = %d)\", bufSize);\n"
     "      return;\n"
     "   }\n"
     "   read_pixels(x, y, width, height, format, type, bufSize, pixels, false);\n"),
]
