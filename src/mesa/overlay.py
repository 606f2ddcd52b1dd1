#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Puts the Kobalt driver into a Mesa 25.0.7 source tree.

Mesa reaches a Vulkan-backed Gallium driver through one slot. This script fills that slot: it links
the overlay files and Kobalt's sources into the slot's folder, renames the driver's string, lifts
three conditions that keep the slot from working without a DRM device, and lets through two things
that Mesa keeps from any driver. Every edit names the text it expects; where that text is missing
nothing at all is written and the file and the reason are printed. Running it twice changes nothing.

usage: overlay.py MESA_TREE KOBALT_TREE
"""

import os
import re
import sys
from pathlib import Path

MESA_VERSION = "25.0.7"
SLOT = "src/gallium/drivers/zink"

# Files in which the quoted driver name is the slot's name and nothing else.
RENAME_STRING = [
    "src/egl/drivers/dri2/platform_surfaceless.c",
    "src/egl/drivers/dri2/platform_x11_dri3.c",
    "src/egl/drivers/dri2/platform_x11.c",
    "src/egl/drivers/dri2/platform_wayland.c",
    "src/egl/drivers/dri2/platform_device.c",
    "src/egl/main/eglapi.c",
    "src/glx/glxext.c",
    "src/glx/drisw_glx.c",
    "src/glx/dri3_glx.c",
    "src/gbm/backends/dri/gbm_dri.c",
    "src/loader/loader.c",
    "src/loader/pci_id_driver_map.h",
    "src/gallium/auxiliary/target-helpers/inline_sw_helper.h",
    "src/gallium/auxiliary/target-helpers/sw_helper.h",
    "src/gallium/auxiliary/driver_trace/tr_screen.c",
    "src/gallium/auxiliary/pipe-loader/pipe_loader_drm.c",
]

CSO = "src/gallium/auxiliary/cso_cache/cso_context.c"

# (file, text to find, replacement). The DRM macros build names from the bare token.
EDITS = [
    ("src/gallium/auxiliary/target-helpers/drm_helper.h",
     "pipe_zink_create_screen(int fd", "pipe_kobalt_create_screen(int fd"),
    ("src/gallium/auxiliary/target-helpers/drm_helper.h",
     "DRM_DRIVER_DESCRIPTOR(zink, zink_driconf, ARRAY_SIZE(zink_driconf))",
     "DRM_DRIVER_DESCRIPTOR(kobalt, zink_driconf, ARRAY_SIZE(zink_driconf))"),
    ("src/gallium/auxiliary/target-helpers/drm_helper.h",
     "DRM_DRIVER_DESCRIPTOR_STUB(zink)", "DRM_DRIVER_DESCRIPTOR_STUB(kobalt)"),
    ("src/gallium/auxiliary/target-helpers/drm_helper_public.h",
     "zink_driver_descriptor", "kobalt_driver_descriptor"),
    ("src/gallium/auxiliary/pipe-loader/pipe_loader_drm.c",
     "&zink_driver_descriptor", "&kobalt_driver_descriptor"),
    ("src/gallium/targets/dril/dril_target.c",
     "DEFINE_LOADER_DRM_ENTRYPOINT(zink)", "DEFINE_LOADER_DRM_ENTRYPOINT(kobalt)"),
    ("src/gallium/targets/dril/meson.build", "'zink_dri.so'", "'kobalt_dri.so'"),
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
    # Vertices that the CPU uploads or converts: a draw without vertices ended the multi-draw that it is one of. The index
    # buffer has one reference for each of the draws.
    ("src/gallium/auxiliary/util/u_vbuf.c",
     "         if ((!indirect && !new_draw.count) || !new_info.instance_count)\n            goto cleanup;\n",
     """         if (!new_info.instance_count)
            goto cleanup;
         if (!indirect && !new_draw.count) {
            if (info->index_size && info->take_index_buffer_ownership)
               pipe_drop_resource_references(info->index.resource, 1);
            if (info->increment_draw_id)
               drawid_offset++;
            continue;
         }
"""),
    # Such an indirect multi-draw read as many draws as the parameter buffer says, beyond those that the program allows
    # (OpenGL 4.6, 10.4: the smaller counts), and gave all the number of the first.
    ("src/gallium/auxiliary/util/u_vbuf.c",
     "                             4, &draw_count);\n",
     "                             4, &draw_count);\n            draw_count = MIN2(draw_count, indirect->draw_count);\n"),
    ("src/gallium/auxiliary/util/u_vbuf.c",
     "u_vbuf_draw_vbo(mgr->pipe, info, drawid_offset, NULL, &draw, 1);",
     "u_vbuf_draw_vbo(mgr->pipe, info, drawid_offset + i, NULL, &draw, 1);"),
    # ES 3.1, table 10.3: glVertexAttribFormat takes GL_FIXED as glVertexAttribPointer does.
    ("src/mesa/main/varray.c",
     "#define ATTRIB_FORMAT_TYPES_MASK (BYTE_BIT | UNSIGNED_BYTE_BIT | \\\n",
     "#define ATTRIB_FORMAT_TYPES_MASK (FIXED_ES_BIT | BYTE_BIT | UNSIGNED_BYTE_BIT | \\\n"),
    # Constant arrays become uniforms where there is room. A compatibility profile's built-in uniforms are counted,
    # too, so that the room could be less than none, which wrapped around: programs with all the uniforms that
    # they may have didn't link.
    ("src/compiler/nir/nir_lower_const_arrays_to_uniforms.c",
     "free_uni_components = max_uniform_components - uniform_components;",
     "free_uni_components = max_uniform_components - MIN2(uniform_components, max_uniform_components);"),
    # GLSL 4.60, 4.4.2: with a component qualifier, each element of an array begins at that component of its location.
    # Transform feedback took all elements behind the first from component 0.
    ("src/compiler/glsl/gl_nir_link_varyings.c",
     "         num_components -= output_size;\n         location++;\n         location_frac = 0;\n",
     "         num_components -= output_size;\n         location++;\n"
     "         location_frac = varying_has_user_specified_location(xfb_decl->matched_candidate->toplevel_var) &&\n"
     "                         current_type_components_left == type_num_components ?\n"
     "                         xfb_decl->location_frac : 0;\n"),
    # GLSL 4.60, 4.4.5: a member's offset is a multiple of its base alignment, whatever smaller align it is given; a
    # column_major member of a row_major block is laid out by columns; and the last array of a buffer has an offset and
    # an alignment where its size is left open, too (none was taken for a block without a layout).
    ("src/compiler/glsl/ast_to_hir.cpp",
     "matrix_layout == GLSL_MATRIX_LAYOUT_ROW_MAJOR) {\n               row_major = true;",
     "(matrix_layout == GLSL_MATRIX_LAYOUT_ROW_MAJOR &&\n"
     "                 !qual->flags.q.column_major)) {\n               row_major = true;"),
    ("src/compiler/glsl/ast_to_hir.cpp",
     "               if (base_alignment != 0 && size != 0) {\n                   if (next_offset",
     "               if (base_alignment != 0) {\n                   if (next_offset"),
    ("src/compiler/glsl/ast_to_hir.cpp",
     "            if (base_alignment == 0 || size == 0) {\n",
     "            if (base_alignment != 0)\n               offset = align(offset, base_alignment);\n"
     "            if (base_alignment == 0) {\n"),
    # GLSL 4.60, 4.3.9: blocks match by their names, whether or not an instance has one. The members of a block without
    # an instance name, where they have locations, were known by those alone, which a block with one doesn't have.
    ("src/compiler/glsl/gl_nir_link_interface_blocks.c",
     "         _mesa_hash_table_search(ht, location_str);\n"
     "      return entry ? (struct ifc_var *) entry->data : NULL;\n   } else {\n",
     "         _mesa_hash_table_search(ht, location_str);\n"
     "      if (entry)\n         return (struct ifc_var *) entry->data;\n   }\n   {\n"),
    ("src/compiler/glsl/gl_nir_link_interface_blocks.c",
     "      _mesa_hash_table_insert(ht, ralloc_strdup(mem_ctx, location_str), ifc_var);\n   } else {\n",
     "      _mesa_hash_table_insert(ht, ralloc_strdup(mem_ctx, location_str), ifc_var);\n   }\n   {\n"),
    # Only what a shader puts out has offsets of transform feedback: any block's were taken for those.
    ("src/compiler/glsl/ast_to_hir.cpp",
     "   validate_xfb_offset_qualifier(&loc, state, xfb_offset, block_type,\n"
     "                                 component_size);\n",
     "   if (var_mode == ir_var_shader_out)\n"
     "      validate_xfb_offset_qualifier(&loc, state, xfb_offset, block_type,\n"
     "                                    component_size);\n"),
    # What a query writes into a buffer is valid from the call on: else a write behind it, taken for the first one there,
    # doesn't wait and comes before.
    ("src/gallium/auxiliary/util/u_threaded_context.c",
     "   tc_buffer_disable_cpu_storage(resource);\n\n   struct tc_query_result_resource *p =\n",
     "   tc_buffer_disable_cpu_storage(resource);\n"
     "   util_range_add(resource, &threaded_resource(resource)->valid_buffer_range, offset,\n"
     "                  offset + (result_type >= PIPE_QUERY_TYPE_I64 ? 8 : 4));\n\n"
     "   struct tc_query_result_resource *p =\n"),
    # GL 4.6, 7.3.1.1: of an array of aggregates only the first element's members are listed. What told the elements
    # behind the first was kept from block to block, which hid other members and listed those elements.
    ("src/compiler/glsl/gl_nir_linker.c",
     "      if (prog->data->UniformStorage[i].offset >= second_element_offset) {",
     "      if (block_index != uniform->block_index ||\n"
     "          prog->data->UniformStorage[i].offset >= second_element_offset) {"),
    # A blit's destination was cut to the scissor box first, the source followed in whole texels, and what the source's
    # own bounds cut from that fell on the wrong pixels, even outside of the box. The source's bounds go first, and
    # the box then cuts exactly: who calls this looks at nothing else.
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
     "   clip_right_or_top(dstX0, dstX1, srcX0, srcX1, srcXmax);\n"
     "   clip_right_or_top(dstY0, dstY1, srcY0, srcY1, srcYmax);\n"
     "   clip_left_or_bottom(dstX0, dstX1, srcX0, srcX1, srcXmin);\n"
     "   clip_left_or_bottom(dstY0, dstY1, srcY0, srcY1, srcYmin);\n"
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
    # GL 4.6, 8.14.3: GL_NEAREST reads the base level. Textures of integers were read as with
    # GL_NEAREST_MIPMAP_NEAREST, where they have other levels.
    ("src/mesa/state_tracker/st_atom_sampler.c",
     "      sampler->min_mip_filter = PIPE_TEX_FILTER_NEAREST;\n",
     "      if (sampler->min_mip_filter == PIPE_TEX_MIPFILTER_LINEAR)\n"
     "         sampler->min_mip_filter = PIPE_TEX_MIPFILTER_NEAREST;\n"),
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
    # GL 4.6, 8.6: what glCopyTexSubImage2D takes from the framebuffer for a texture of stencil alone went through
    # colours, since no colour buffer has its format, and ended as 0.
    ("src/mesa/state_tracker/st_cb_texture.c",
     "   dst_format = util_format_intensity_to_red(dst_format);\n\n"
     "   /* See if the destination format is supported. */\n"
     "   if (texImage->_BaseFormat == GL_DEPTH_STENCIL ||\n",
     "   dst_format = util_format_intensity_to_red(dst_format);\n\n"
     "   /* See if the destination format is supported. */\n"
     "   if (texImage->_BaseFormat == GL_DEPTH_STENCIL ||\n"
     "       texImage->_BaseFormat == GL_STENCIL_INDEX ||\n"),
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
    # Vertex states that vertex fetch can take go straight to the driver, not through u_vbuf: vertex_fetch.h says which.
    # One that can't switches to it, also where only the buffers change; back goes what comes with new elements.
    (CSO,
     '#include "util/u_vbuf.h"\n',
     '#include "util/u_vbuf.h"\n#include "gallium/drivers/zink/kobalt/mesa/vertex_fetch.h"\n'),
    (CSO,
     "   bool always_use_vbuf;\n",
     "   bool always_use_vbuf;\n   struct kobalt_vertex_fetch fetch;\n"
     "   const struct cso_velems_state *velems, *velems_saved; /* what is bound past u_vbuf */\n"),
    (CSO,
     "      cso->always_use_vbuf = caps.fallback_always;\n",
     "      cso->base.checks_vertices = kobalt_init_vertex_fetch(&cso->fetch, &caps) && caps.fallback_always;\n"
     "      cso->always_use_vbuf = caps.fallback_always;\n"),
    (CSO,
     "   } else if (ctx->always_use_vbuf) {\n      ctx->base.draw_vbo = u_vbuf_draw_vbo;",
     "   } else if (ctx->always_use_vbuf && !ctx->base.checks_vertices) {\n      ctx->base.draw_vbo = u_vbuf_draw_vbo;"),
    (CSO,
     "      handle = cso->data;\n   } else {\n      handle = ((struct cso_velements *)cso_hash_iter_data(iter))->data;\n   }\n",
     "      handle = cso->data;\n      ctx->velems = &cso->state;\n   } else {\n"
     "      struct cso_velements *cso = (struct cso_velements *)cso_hash_iter_data(iter);\n"
     "      handle = cso->data;\n      ctx->velems = &cso->state;\n   }\n"),
    (CSO,
     "   ctx->velements_saved = ctx->velements;\n",
     "   ctx->velements_saved = ctx->velements;\n   ctx->velems_saved = ctx->velems;\n"),
    (CSO,
     "   if (ctx->velements != ctx->velements_saved) {\n",
     "   ctx->velems = ctx->velems_saved;\n   if (ctx->velements != ctx->velements_saved) {\n"),
    (CSO,
     "   util_set_vertex_buffers(ctx->base.pipe, count, take_ownership, buffers);\n",
     "   if (ctx->base.checks_vertices && take_ownership && ctx->velements && ctx->velems &&\n"
     "       kobalt_needs_vbuf(&ctx->fetch, ctx->velems->velems, ctx->velems->count, buffers, count)) {\n"
     "      const struct cso_velems_state velems = *ctx->velems;\n"
     "      cso_set_vertex_buffers_and_elements(cso, &velems, count, true, buffers);\n"
     "      return;\n   }\n"
     "   util_set_vertex_buffers(ctx->base.pipe, count, take_ownership, buffers);\n"),
    (CSO,
     "   if (vbuf && (ctx->always_use_vbuf || uses_user_vertex_buffers)) {\n",
     "   if (vbuf && (uses_user_vertex_buffers ||\n"
     "                (ctx->always_use_vbuf &&\n"
     "                 (!ctx->base.checks_vertices || kobalt_needs_vbuf(&ctx->fetch, velems->velems, velems->count, vbuffers, vb_count))))) {\n"),
    ("src/gallium/auxiliary/cso_cache/cso_context.h",
     "   pipe_draw_func draw_vbo;\n};\n",
     "   pipe_draw_func draw_vbo;\n\n"
     "   /* Kobalt: vertex buffers decide, too, whether u_vbuf is used. */\n   bool checks_vertices;\n};\n"),
    # What is written into the threaded context's queue at once passes by that check.
    ("src/mesa/state_tracker/st_atom_array.cpp",
     "   bool fill_tc_set_vbs = st->cso_context->draw_vbo == tc_draw_vbo;\n",
     "   bool fill_tc_set_vbs = st->cso_context->draw_vbo == tc_draw_vbo && !st->cso_context->checks_vertices;\n"),
    # Surfaceless EGL gives up where no DRM render node exists. The slot needs none.
    ("src/egl/drivers/dri2/platform_surfaceless.c",
     "if (!driver_loaded && disp->Options.ForceSoftware) {",
     "if (!driver_loaded && (disp->Options.ForceSoftware || disp->Options.Zink)) {"),
    # User clip planes that a shader variant computes are among its constants, also where the program has none of its
    # own: they were never uploaded to it, once the context had drawn anything.
    ("src/mesa/state_tracker/st_program.c",
     "   if (prog->Parameters->NumParameters)\n      *states |= new_constants;",
     "   if (prog->Parameters->NumParameters || prog->info.stage == MESA_SHADER_VERTEX ||\n"
     "       prog->info.stage == MESA_SHADER_TESS_EVAL || prog->info.stage == MESA_SHADER_GEOMETRY)\n"
     "      *states |= new_constants;"),
    ("src/mesa/state_tracker/st_context.c",
     "f->NewClipPlaneEnable |= ST_NEW_VS_STATE | ST_NEW_GS_STATE | ST_NEW_TES_STATE;",
     "f->NewClipPlaneEnable |= ST_NEW_VS_STATE | ST_NEW_GS_STATE | ST_NEW_TES_STATE |\n"
     "                               ST_NEW_VS_CONSTANTS | ST_NEW_GS_CONSTANTS | ST_NEW_TES_CONSTANTS;"),
    # A window that is gone: the X server's error was kept for ever.
    ("src/egl/drivers/dri2/platform_x11.c",
     "   if (reply == NULL)\n      return false;\n\n   if (error != NULL) {\n      ret = false;",
     "   if (reply == NULL) {\n      free(error);\n      return false;\n   }\n\n"
     "   if (error != NULL) {\n      ret = false;"),
    # Presentation goes through a swapchain or an X11 copy, so DRI3 is not a condition for EGL on
    # X11; without it there is no DRM node either, and the EGLDevice is the one without a node.
    ("src/egl/drivers/dri2/platform_x11.c",
     "       !dri2_dpy->multibuffers_available &&\n       !dri2_dpy->kopper_without_modifiers)",
     "       !dri2_dpy->multibuffers_available && false)"),
    ("src/egl/drivers/dri2/platform_x11.c",
     "if (!dri2_setup_device(disp, disp->Options.ForceSoftware || dri2_dpy->kopper_without_modifiers)) {",
     "if (!dri2_setup_device(disp, disp->Options.ForceSoftware || dri2_dpy->fd_render_gpu < 0)) {"),
    # What is drawn into an EGL pixmap has to reach it: the driver hears which X drawable it is. (A
    # pbuffer's is nobody's business.)
    ("src/egl/drivers/dri2/platform_x11.c",
     "   if (dri2_surf->base.Type != EGL_WINDOW_BIT)\n      return;\n   xcb->sType",
     "   if (dri2_surf->base.Type == EGL_PBUFFER_BIT)\n      return;\n   xcb->sType"),
    # Mesa takes a single-buffered drawable under an EGL context for a pbuffer and never flushes it.
    # Kobalt is told which drawables have a place on the X server.
    ("src/mesa/state_tracker/st_manager.c",
     "   /* If the context uses a doublebuffered visual, but the buffer is\n"
     "    * single-buffered, guess that it's a pbuffer, which doesn't need\n"
     "    * flushing.\n"
     "    */\n"
     "   if (st->ctx->Visual.doubleBufferMode &&\n"
     "       !stfb->Visual.doubleBufferMode)\n"
     "      return;\n\n"
     "   /* Check front buffer used at the GL API level. */",
     "   /* Front buffer used at the GL API level (a pbuffer's goes nowhere: kopper.c). */"),
    ("src/gallium/frontends/dri/kopper.c",
     "   if (!ctx || statt != ST_ATTACHMENT_FRONT_LEFT)\n      return false;",
     "   if (!ctx || statt != ST_ATTACHMENT_FRONT_LEFT || !drawable->info.bos.sType)\n      return false;"),
    # A GLSL shader keeps its NIR as long as it is attached to a program, in slabs of one object size
    # each: with 32 KiB they are nearly empty (220 KB a program), and a page of them does.
    ("src/util/ralloc.c", "#define SLAB_SIZE (32 * 1024)", "#define SLAB_SIZE (4 * 1024)"),
    # And a shader that the app has deleted, which lives on for its program, needs no NIR once that is
    # linked: Mesa compiles it from its source again, should the program be linked anew, as it does
    # for shaders whose compilation its disk cache made needless.
    ("src/mesa/state_tracker/st_glsl_to_nir.cpp",
     "   if (prog->data->LinkStatus != LINKING_FAILURE)\n"
     "      _mesa_create_program_resource_hash(prog);\n",
     "   if (prog->data->LinkStatus != LINKING_FAILURE)\n"
     "      _mesa_create_program_resource_hash(prog);\n"
     "   for (i = 0; ctx->Cache && !spirv && prog->data->LinkStatus == LINKING_SUCCESS && i < prog->NumShaders; i++) {\n"
     "      struct gl_shader *shader = prog->Shaders[i];\n"
     "      if (!shader->DeletePending || shader->CompileStatus != COMPILE_SUCCESS)\n"
     "         continue;\n"
     "      ralloc_free(shader->nir);\n"
     "      shader->nir = NULL;\n"
     "      shader->CompileStatus = COMPILE_SKIPPED;\n"
     "   }\n"),
    # Each stage of a program reserves room for 28 parameters, and four times that was taken (4.5 KB a stage).
    ("src/mesa/program/prog_parameter.c",
     "      paramList->Size += 4 * reserve_params;\n",
     "      paramList->Size += reserve_params + MIN2(3 * reserve_params, 16);\n"),
    # What was made for the disk cache is made again for a program's binary, and kept by nobody then.
    ("src/compiler/glsl/shader_cache.cpp",
     "   serialize_glsl_program(&metadata, ctx, prog);\n\n   struct cache_item_metadata",
     "   serialize_glsl_program(&metadata, ctx, prog);\n"
     "   for (unsigned i = 0; i < MESA_SHADER_STAGES; i++) {\n"
     "      struct gl_linked_shader *sh = prog->_LinkedShaders[i];\n"
     "      if (!sh || !ctx->Driver.ShaderCacheSerializeDriverBlob)\n"
     "         continue;\n"
     "      ralloc_free(sh->Program->driver_cache_blob);\n"
     "      sh->Program->driver_cache_blob = NULL;\n"
     "      sh->Program->driver_cache_blob_size = 0;\n"
     "   }\n\n   struct cache_item_metadata"),
    # Without LLVM the draw module calls a sampler that nobody gave it.
    ("src/mesa/state_tracker/st_draw.c",
     "      st->draw = draw_create(st->pipe);\n      if (!st->draw) {\n"
     "         _mesa_error(st->ctx, GL_OUT_OF_MEMORY, \"feedback fallback allocation\");\n"
     "         return NULL;\n      }\n",
     "      st->draw = draw_create(st->pipe);\n      if (!st->draw) {\n"
     "         _mesa_error(st->ctx, GL_OUT_OF_MEMORY, \"feedback fallback allocation\");\n"
     "         return NULL;\n      }\n"
     "      draw_texture_sampler(st->draw, PIPE_SHADER_VERTEX, kobalt_empty_sampler());\n"),
    ("src/mesa/state_tracker/st_draw.c",
     '#include "draw/draw_context.h"',
     '#include "draw/draw_context.h"\n#include "gallium/drivers/zink/kobalt_public/kobalt/mesa_slot.h"'),
    # KOBALT_DEBUG=descriptors tells of the texture that is read where the app has bound no complete one:
    # the driver knows it by this flag (gallium/screen/fallback_texture.h).
    ("src/mesa/main/texobj.c",
     "      ctx->Shared->FallbackTex[tex][is_depth] = texObj;\n",
     "      if (texObj->pt)\n"
     "         texObj->pt->flags |= PIPE_RESOURCE_FLAG_FRONTEND_PRIV;\n"
     "      ctx->Shared->FallbackTex[tex][is_depth] = texObj;\n"),
    # GL_NV_alpha_to_coverage_dither_control: drivers aren't told apart what the app asks for and what it leaves to
    # them, which Vulkan leaves to the device.
    ("src/gallium/include/pipe/p_state.h",
     "   unsigned alpha_to_coverage_dither:1;\n",
     "   unsigned alpha_to_coverage_dither:1;\n"
     "   unsigned alpha_to_coverage_default:1; /**< whether it dithers is the driver's choice */\n"),
    ("src/mesa/state_tracker/st_atom_blend.c",
     "         GL_ALPHA_TO_COVERAGE_DITHER_DISABLE_NV;\n",
     "         GL_ALPHA_TO_COVERAGE_DITHER_DISABLE_NV;\n"
     "      blend->alpha_to_coverage_default =\n"
     "         ctx->Multisample.SampleAlphaToCoverageDitherControl ==\n"
     "         GL_ALPHA_TO_COVERAGE_DITHER_DEFAULT_NV;\n"),
    # GL_3DFX_texture_compression_FXT1, which no Vulkan device has a format for: decoded as Mesa decodes the other
    # compressed formats that a device lacks.
    ("src/mesa/state_tracker/st_extensions.c",
     "      { { o(ARB_texture_compression_rgtc) },\n        { PIPE_FORMAT_R8_UNORM,",
     "      { { o(TDFX_texture_compression_FXT1) },\n        { PIPE_FORMAT_R8G8B8A8_UNORM } },\n\n"
     "      { { o(ARB_texture_compression_rgtc) },\n        { PIPE_FORMAT_R8_UNORM,"),
    ("src/mesa/state_tracker/st_format.c",
     "   if (st_astc_format_fallback(st, mesaFormat)) {\n",
     "   if (_mesa_get_format_layout(mesaFormat) == MESA_FORMAT_LAYOUT_FXT1)\n"
     "      return PIPE_FORMAT_R8G8B8A8_UNORM;\n\n"
     "   if (st_astc_format_fallback(st, mesaFormat)) {\n"),
    ("src/mesa/state_tracker/st_cb_texture.c",
     "   case MESA_FORMAT_LAYOUT_ASTC:\n      return st_astc_format_fallback(st, format);\n",
     "   case MESA_FORMAT_LAYOUT_ASTC:\n      return st_astc_format_fallback(st, format);\n"
     "   case MESA_FORMAT_LAYOUT_FXT1:\n      return true;\n"),
    ("src/mesa/state_tracker/st_cb_texture.c",
     "void\nst_UnmapTextureImage(struct gl_context *ctx,",
     """/* Whole blocks, which end beyond a box of other sizes. */
static void
unpack_fxt1(uint8_t *map, const struct pipe_transfer *transfer, const uint8_t *blocks,
            unsigned stride, mesa_format format)
{
   const unsigned row = align(transfer->box.width, 8) * 4;
   uint8_t *texels = malloc(row * align(transfer->box.height, 4));
   if (!texels)
      return;
   util_format_unpack_rgba_8unorm_rect(format, texels, row, blocks, stride,
                                       transfer->box.width, transfer->box.height);
   for (int y = 0; y < transfer->box.height; y++)
      memcpy(map + y * transfer->stride, texels + y * row, transfer->box.width * 4);
   free(texels);
}

void
st_UnmapTextureImage(struct gl_context *ctx,"""),
    ("src/mesa/state_tracker/st_cb_texture.c",
     "                                 texImage->TexFormat);\n"
     "            } else {\n"
     "               unreachable(\"unexpected format for a compressed format fallback\");\n"
     "            }\n"
     "         }\n\n"
     "         st_texture_image_unmap(st, texImage, slice);",
     "                                 texImage->TexFormat);\n"
     "            } else if (_mesa_get_format_layout(texImage->TexFormat) == MESA_FORMAT_LAYOUT_FXT1) {\n"
     "               unpack_fxt1(map, transfer, itransfer->temp_data, itransfer->temp_stride,\n"
     "                           texImage->TexFormat);\n"
     "            } else {\n"
     "               unreachable(\"unexpected format for a compressed format fallback\");\n"
     "            }\n"
     "         }\n\n"
     "         st_texture_image_unmap(st, texImage, slice);"),
    # What is copied there from a framebuffer would be drawn, and the blocks beside it left as they were.
    ("src/mesa/state_tracker/st_cb_texture.c",
     "void\nst_CopyTexSubImage(struct gl_context *ctx, GLuint dims,",
     """/* Under the lock of the context's textures: glReadPixels would take it again. */
static void
copy_to_fxt1(struct gl_context *ctx, GLuint dims, struct gl_texture_image *image, GLint x, GLint y, GLint slice,
             const struct gl_renderbuffer *rb, GLint from_x, GLint from_y, GLsizei width, GLsizei height)
{
   struct pipe_context *pipe = st_context(ctx)->pipe;
   struct gl_pixelstore_attrib rows = ctx->DefaultPacking;
   struct pipe_transfer *transfer;
   float *texels = malloc((size_t)width * height * 4 * sizeof(float));
   void *map = NULL;

   if (_mesa_fb_orientation(ctx->ReadBuffer) == Y_0_TOP) {
      from_y = rb->Height - from_y - height;
      rows.Invert = GL_TRUE;
   }
   if (texels)
      map = pipe_texture_map(pipe, rb->texture, rb->surface->u.tex.level, rb->surface->u.tex.first_layer,
                             PIPE_MAP_READ, from_x, from_y, width, height, &transfer);
   if (map) {
      pipe_get_tile_rgba(transfer, map, 0, 0, width, height, util_format_linear(rb->texture->format), texels);
      pipe->texture_unmap(pipe, transfer);
      st_TexSubImage(ctx, dims, image, x, y, slice, width, height, 1, GL_RGBA, GL_FLOAT, texels, &rows);
   } else {
      _mesa_error(ctx, GL_OUT_OF_MEMORY, "glCopyTexSubImage");
   }
   free(texels);
}

void
st_CopyTexSubImage(struct gl_context *ctx, GLuint dims,"""),
    ("src/mesa/state_tracker/st_cb_texture.c",
     "   if (!rb || !rb->surface || !stImage->pt) {\n"
     "      debug_printf(\"%s: null rb or stImage\\n\", __func__);\n"
     "      return;\n"
     "   }\n",
     "   if (!rb || !rb->surface || !stImage->pt) {\n"
     "      debug_printf(\"%s: null rb or stImage\\n\", __func__);\n"
     "      return;\n"
     "   }\n\n"
     "   if (_mesa_get_format_layout(texImage->TexFormat) == MESA_FORMAT_LAYOUT_FXT1) {\n"
     "      copy_to_fxt1(ctx, dims, texImage, destX, destY, slice, rb, srcX, srcY, width, height);\n"
     "      return;\n"
     "   }\n"),
    # Where single texels are read, columns and rows were mixed up; and the stride counts texels of blocks of 4x4.
    ("src/mesa/main/texcompress_fxt1.c",
     "   map += rowStride * (i / 8);\n   map += 16 * (j / 4);\n",
     "   map += rowStride * 4 * (j / 4);\n   map += 16 * (i / 8);\n"),
    # The last colour of a block was read with the byte behind the block.
    ("src/util/format/u_format_fxt1.c",
     "   cc = (const uint32_t *)(code + 8 + t / 8);\n   kk = cc[0] >> (t & 7);\n",
     "   code += 8 + t / 8;\n   kk = (code[0] | code[1] << 8 | code[2] << 16) >> (t & 7);\n"),
    # GLX lists it as known to the library, though no driver of this build has it (see below): a program that
    # finds it with the library and with the server would take it for usable.
    ("src/glx/glxextensions.c",
     "   { GLX(INTEL_swap_event),               N, N },\n   { GLX(MESA_copy_sub_buffer),           N, N },\n",
     "   { GLX(INTEL_swap_event),               N, N },\n"),
    # Images of X pixmaps come over DRI3, which needs a DRM node.
    ("src/egl/drivers/dri2/platform_x11.c",
     "      if (dri2_dpy->fd_render_gpu == dri2_dpy->fd_display_gpu)\n         disp->Extensions.KHR_image_pixmap",
     "      if (dri2_dpy->fd_render_gpu >= 0 && dri2_dpy->fd_render_gpu == dri2_dpy->fd_display_gpu)\n"
     "         disp->Extensions.KHR_image_pixmap"),
    # A GLX pbuffer's X pixmap is hidden from the program, and its depth need not be the visual's:
    # nothing is put into it.
    ("src/glx/drisw_priv.h",
     "   struct glx_config *config;", "   struct glx_config *config;\n   bool pbuffer;"),
    ("src/glx/drisw_glx.c",
     "   pdp->config = modes;", "   pdp->config = modes;\n   pdp->pbuffer = type == GLX_PBUFFER_BIT;"),
    ("src/glx/drisw_glx.c",
     "    xcb->sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR;",
     "    if (((struct drisw_drawable *)draw)->pbuffer)\n"
     "       return;\n"
     "    xcb->sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR;"),
    # Wayland gives up where the compositor names no DRM node; shared memory does as well for Vulkan.
    ("src/egl/drivers/dri2/platform_wayland.c",
     "      if (!dri2_initialize_wayland_drm_extensions(dri2_dpy) && !disp->Options.ForceSoftware)\n"
     "         goto cleanup;\n\n"
     "      if (!disp->Options.ForceSoftware) {\n",
     "      if (dri2_initialize_wayland_drm_extensions(dri2_dpy) && !disp->Options.ForceSoftware) {\n"),
    ("src/egl/drivers/dri2/platform_wayland.c",
     "if (!dri2_setup_device(disp, disp->Options.ForceSoftware)) {",
     "if (!dri2_setup_device(disp, disp->Options.ForceSoftware || dri2_dpy->fd_render_gpu < 0)) {"),
    # Swap intervals reached the swapchain on X11 only.
    ("src/egl/drivers/dri2/platform_wayland.c",
     "   .swap_buffers = dri2_wl_kopper_swap_buffers,",
     "   .swap_interval = dri2_wl_swap_interval,\n"
     "   .swap_buffers = dri2_wl_kopper_swap_buffers,"),
    # A frame is shown for as many refreshes as KOBALT_MAX_SWAP_INTERVAL says at most.
    ("src/egl/drivers/dri2/platform_x11.c",
     "      arbitrary_max_interval = 1;", "      arbitrary_max_interval = KOBALT_MAX_SWAP_INTERVAL;"),
    ("src/egl/drivers/dri2/platform_x11.c",
     '#include "kopper_interface.h"',
     '#include "kopper_interface.h"\n#include "gallium/drivers/zink/kobalt_public/kobalt/mesa_slot.h"'),
    ("src/glx/drisw_glx.c",
     "      psp->maxSwapInterval = 1;", "      psp->maxSwapInterval = KOBALT_MAX_SWAP_INTERVAL;"),
    ("src/glx/drisw_glx.c",
     '#include "kopper_interface.h"',
     '#include "kopper_interface.h"\n#include "gallium/drivers/zink/kobalt_public/kobalt/mesa_slot.h"'),
    # GLX_EXT_swap_control: larger intervals are clamped silently.
    ("src/glx/drisw_glx.c",
     "      return GLX_BAD_VALUE;\n\n   kopperSetSwapInterval",
     "      return GLX_BAD_VALUE;\n"
     "   interval = MIN2(interval, KOBALT_MAX_SWAP_INTERVAL);\n\n   kopperSetSwapInterval"),
    # The device without a node is Kobalt's own, so it is listed.
    ("src/egl/main/egldevice.c",
     "#ifdef HAVE_SWRAST\n   swrast = devs;", "#if 1\n   swrast = devs;"),
    # A swapchain tells no counts of vertical blanks, shows a frame at no chosen one, and without
    # VK_KHR_present_wait (lavapipe) not when it was shown: these extensions can't be offered. Nor can
    # GLX_MESA_copy_sub_buffer: what the window showed last is gone once it was presented.
    ("src/egl/drivers/dri2/platform_x11.c",
     "      disp->Extensions.CHROMIUM_sync_control = EGL_TRUE;\n"
     "      disp->Extensions.EXT_swap_buffers_with_damage = !!dri2_dpy->kopper;",
     "      disp->Extensions.EXT_swap_buffers_with_damage = !!dri2_dpy->kopper;"),
    ("src/glx/glxext.c",
     "      __glXEnableDirectExtension(psc, \"GLX_OML_sync_control\");\n"
     "      __glXEnableDirectExtension(psc, \"GLX_SGI_video_sync\");",
     "      if (psc->driScreen.getDrawableMSC) {\n"
     "         __glXEnableDirectExtension(psc, \"GLX_OML_sync_control\");\n"
     "         __glXEnableDirectExtension(psc, \"GLX_SGI_video_sync\");\n"
     "      }"),
    # Nor for GLX.
    ("src/glx/glxext.c",
     "if (!dpyPriv->has_explicit_modifiers && glx_accel && !debug_get_bool_option(\"LIBGL_KOPPER_DRI2\", false)) {",
     "if (false) {"),
    # A program that the shader cache knows is linked all the same: the driver hears of it too, so
    # that what needs several stages is built then and not by the first draw.
    ("src/mesa/state_tracker/st_glsl_to_nir.cpp",
     "static bool\nst_link_glsl_to_nir(struct gl_context *ctx,",
     """static bool
announce_cached_program(struct gl_context *ctx, const struct gl_shader_program *program)
{
   struct pipe_context *pipe = st_context(ctx)->pipe;
   void *stages[PIPE_SHADER_TYPES] = {};
   for (const gl_linked_shader *linked : program->_LinkedShaders)
      if (linked && linked->Program && linked->Program->variants)
         stages[pipe_shader_type_from_mesa(linked->Stage)] =
            linked->Program->variants->driver_shader;
   if (pipe->link_shader)
      pipe->link_shader(pipe, stages);
   return true;
}

static bool
st_link_glsl_to_nir(struct gl_context *ctx,"""),
    ("src/mesa/state_tracker/st_glsl_to_nir.cpp",
     "if (st_load_nir_from_disk_cache(ctx, shader_program)) {\n      return GL_TRUE;\n   }",
     "if (st_load_nir_from_disk_cache(ctx, shader_program))\n      return announce_cached_program(ctx, shader_program);"),
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
]


class OverlayError(Exception):
    """An edit that does not fit the tree; the text names the file and the reason."""


def fail(path, reason):
    raise OverlayError(f"kobalt: the Mesa slot can't be applied: {path}: {reason}")


def edited(text, old, new):
    """TEXT with OLD replaced by NEW; unchanged where that was done before, None where neither is there.

    Either may be a part of the other, so NEW alone doesn't tell that OLD was replaced."""
    if new in text and (old in new or old not in text):
        return text
    return text.replace(old, new) if old in text else None


def planned_texts(mesa):
    """Returns {path: new text} for all files that still need an edit."""
    texts = {}

    def load(name):
        path = mesa / name
        if path not in texts:
            if not path.is_file():
                fail(name, "the file is missing")
            texts[path] = path.read_text(encoding="utf-8")
        return path

    for name in RENAME_STRING:
        path = load(name)
        if '"zink"' in texts[path]:
            texts[path] = texts[path].replace('"zink"', '"kobalt"')
        elif '"kobalt"' not in texts[path] and "kobalt_driver" not in texts[path]:
            fail(name, 'the driver name "zink" is not there')
    for name, old, new in EDITS:
        path = load(name)
        text = edited(texts[path], old, new)
        if text is None:
            fail(name, f"the expected text is not there: {old}")
        texts[path] = text
    path = load("src/gallium/auxiliary/driver_trace/tr_screen.c")
    texts[path] = re.sub(r'"kobalt", 4\)', '"kobalt", 6)', texts[path])
    return texts


def link(target, at):
    """Makes `at` a symbolic link to `target`, leaving a right one alone."""
    target = os.path.relpath(target, at.parent)
    if at.is_symlink() and os.readlink(at) == target:
        return
    if at.is_symlink() or at.is_file():
        at.unlink()
    at.symlink_to(target)


def main(argv):
    if len(argv) != 3:
        print(__doc__.strip().splitlines()[-1], file=sys.stderr)
        return 2
    mesa, kobalt = Path(argv[1]).absolute(), Path(argv[2]).absolute()
    try:
        version = mesa / "VERSION"
        if not version.is_file():
            fail(version, "this is no Mesa source tree")
        if version.read_text().strip() != MESA_VERSION:
            fail(version, f"Mesa {MESA_VERSION} is needed, this is {version.read_text().strip()}")
        texts = planned_texts(mesa)
    except OverlayError as error:
        print(error, file=sys.stderr)
        return 1
    for path, text in texts.items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    slot = mesa / SLOT
    original = mesa / (SLOT + ".original")
    if slot.is_dir() and not original.exists() and not (slot / "kobalt").is_symlink():
        slot.rename(original)
    slot.mkdir(exist_ok=True)
    for source in sorted((kobalt / "src/mesa/overlay").iterdir()):
        link(source, slot / source.name)
    link(kobalt / "src", slot / "kobalt")
    link(kobalt / "include", slot / "kobalt_public")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
