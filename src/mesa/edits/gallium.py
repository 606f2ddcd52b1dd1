# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of Gallium: the driver's slot, its targets and the helpers that it shares."""

CSO = "src/gallium/auxiliary/cso_cache/cso_context.c"
CONVERTER = "src/gallium/auxiliary/indices/u_primconvert.c"

EDITS = [
    # The DRM macros build names from the bare token.
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
    # What a query writes into a buffer is valid from the call on: else a write behind it, taken for the first one there,
    # doesn't wait and comes before.
    ("src/gallium/auxiliary/util/u_threaded_context.c",
     "   tc_buffer_disable_cpu_storage(resource);\n\n   struct tc_query_result_resource *p =\n",
     "   tc_buffer_disable_cpu_storage(resource);\n"
     "   util_range_add(resource, &threaded_resource(resource)->valid_buffer_range, offset,\n"
     "                  offset + (result_type >= PIPE_QUERY_TYPE_I64 ? 8 : 4));\n\n"
     "   struct tc_query_result_resource *p =\n"),
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
    # A GLSL shader keeps its NIR as long as it is attached to a program, in slabs of one object size
    # each: with 32 KiB they are nearly empty (220 KB a program), and a page of them does.
    ("src/util/ralloc.c", "#define SLAB_SIZE (32 * 1024)", "#define SLAB_SIZE (4 * 1024)"),
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
    # The last colour of a block was read with the byte behind the block.
    ("src/util/format/u_format_fxt1.c",
     "   cc = (const uint32_t *)(code + 8 + t / 8);\n   kk = cc[0] >> (t & 7);\n",
     "   code += 8 + t / 8;\n   kk = (code[0] | code[1] << 8 | code[2] << 16) >> (t & 7);\n"),
    # Few indices far apart are drawn from a copy of the vertices that they name, without indices, where vertices are
    # copied anyway. gl_VertexID and gl_BaseVertex were those of the copy: it is made of the whole range for shaders
    # that read them.
    ("src/gallium/auxiliary/util/u_vbuf.h",
     "void u_vbuf_set_flatshade_first(struct u_vbuf *mgr, bool flatshade_first);\n",
     "void u_vbuf_set_flatshade_first(struct u_vbuf *mgr, bool flatshade_first);\n"
     "void u_vbuf_set_reads_ids(struct u_vbuf *mgr, bool reads_ids);\n"),
    ("src/gallium/auxiliary/util/u_vbuf.c",
     "   bool flatshade_first;\n\n   /* This is what was set in set_vertex_buffers.\n",
     "   bool flatshade_first;\n   bool reads_ids;\n\n   /* This is what was set in set_vertex_buffers.\n"),
    ("src/gallium/auxiliary/util/u_vbuf.c",
     "void u_vbuf_destroy(struct u_vbuf *mgr)\n{",
     "void u_vbuf_set_reads_ids(struct u_vbuf *mgr, bool reads_ids)\n{\n   mgr->reads_ids = reads_ids;\n}\n\n"
     "void u_vbuf_destroy(struct u_vbuf *mgr)\n{"),
    ("src/gallium/auxiliary/util/u_vbuf.c",
     "                !new_info.primitive_restart &&\n                util_is_vbo",
     "                !new_info.primitive_restart && !mgr->reads_ids &&\n                util_is_vbo"),
    ("src/gallium/auxiliary/cso_cache/cso_context.h",
     "void cso_set_vertex_shader_handle(struct cso_context *ctx, void *handle);\n",
     "void cso_set_vertex_shader_handle(struct cso_context *ctx, void *handle);\n"
     "void cso_set_vertex_shader_reads_ids(struct cso_context *ctx, bool reads_ids);\n"),
    (CSO,
     "void\ncso_set_vertex_shader_handle(struct cso_context *cso, void *handle)\n{",
     "void\ncso_set_vertex_shader_reads_ids(struct cso_context *cso, bool reads_ids)\n{\n"
     "   struct cso_context_priv *ctx = (struct cso_context_priv *)cso;\n\n"
     "   if (ctx->vbuf)\n      u_vbuf_set_reads_ids(ctx->vbuf, reads_ids);\n}\n\n"
     "void\ncso_set_vertex_shader_handle(struct cso_context *cso, void *handle)\n{"),
    ("src/mesa/state_tracker/st_atom_shader.c",
     "   cso_set_vertex_shader_handle(st->cso_context,\n                                st->vp_variant->base.driver_shader);\n",
     "   cso_set_vertex_shader_handle(st->cso_context,\n                                st->vp_variant->base.driver_shader);\n"
     "   cso_set_vertex_shader_reads_ids(\n      st->cso_context,\n"
     "      BITSET_TEST(vp->info.system_values_read, SYSTEM_VALUE_VERTEX_ID) ||\n"
     "         BITSET_TEST(vp->info.system_values_read, SYSTEM_VALUE_VERTEX_ID_ZERO_BASE) ||\n"
     "         BITSET_TEST(vp->info.system_values_read, SYSTEM_VALUE_FIRST_VERTEX) ||\n"
     "         BITSET_TEST(vp->info.system_values_read, SYSTEM_VALUE_BASE_VERTEX));\n"),
    # glRasterPos, GL_FEEDBACK and GL_SELECT run vertex shaders in Mesa's interpreter. A load from a uniform buffer named
    # the register's index where it has the buffer's; storage buffers weren't handed to it at all, and it crashed there,
    # as with a block that has no buffer.
    ("src/gallium/auxiliary/tgsi/tgsi_exec.c",
     "   case TGSI_FILE_CONSTANT:\n      if (unit < ARRAY_SIZE(mach->Consts)) {",
     "   case TGSI_FILE_CONSTANT:\n      if (inst->Src[0].Register.Dimension) {\n"
     "         unit = inst->Src[0].Dimension.Index;\n"
     "         if (inst->Src[0].Dimension.Indirect) {\n"
     "            const union tgsi_exec_channel first = {.i = {\n"
     "               inst->Src[0].DimIndirect.Index, inst->Src[0].DimIndirect.Index,\n"
     "               inst->Src[0].DimIndirect.Index, inst->Src[0].DimIndirect.Index}};\n"
     "            union tgsi_exec_channel more = {0};\n"
     "            fetch_src_file_channel(mach, inst->Src[0].DimIndirect.File, inst->Src[0].DimIndirect.Swizzle,\n"
     "                                   &first, &ZeroVec, &more);\n"
     "            unit += more.u[0];\n"
     "         }\n"
     "      }\n"
     "      if (unit < ARRAY_SIZE(mach->Consts)) {"),
    ("src/gallium/auxiliary/draw/draw_vs_exec.c",
     "/* Not required for run_linear.\n */\nstatic void\nvs_exec_prepare(",
     "/* The storage buffers that were mapped for the draw. */\n"
     "struct draw_mapped_buffers {\n   struct tgsi_buffer base;\n   const struct draw_context *draw;\n};\n\n"
     "static void *\nlookup_mapped_buffer(const struct tgsi_buffer *buffers, uint32_t unit, uint32_t *size)\n{\n"
     "   const struct draw_context *draw = ((const struct draw_mapped_buffers *)buffers)->draw;\n"
     "   const struct draw_buffer_info *all = draw->pt.user.ssbos[PIPE_SHADER_VERTEX];\n"
     "   *size = unit < PIPE_MAX_SHADER_BUFFERS && all[unit].ptr ? all[unit].size : 0;\n"
     "   return *size ? (void *)all[unit].ptr : NULL;\n}\n\n"
     "/* Not required for run_linear.\n */\nstatic void\nvs_exec_prepare("),
    ("src/gallium/auxiliary/draw/draw_vs_exec.c",
     "   assert(!shader->draw->llvm);\n   tgsi_exec_set_constant_buffers(",
     "   assert(!shader->draw->llvm);\n"
     "   struct draw_mapped_buffers mapped = {.base.lookup = lookup_mapped_buffer, .draw = shader->draw};\n"
     "   if (!machine->Buffer || machine->Buffer->lookup == lookup_mapped_buffer)\n"
     "      machine->Buffer = &mapped.base;\n"
     "   tgsi_exec_set_constant_buffers("),
    ("src/gallium/auxiliary/draw/draw_vs_exec.c",
     "         output = (float (*)[4])((char *)output + output_stride);\n      }\n   }\n",
     "         output = (float (*)[4])((char *)output + output_stride);\n      }\n   }\n"
     "   if (machine->Buffer == &mapped.base)\n      machine->Buffer = NULL;\n"),
    ("src/mesa/state_tracker/st_draw_feedback.c",
     "         &st->ctx->UniformBufferBindings[prog->sh.UniformBlocks[i]->Binding];\n"
     "      struct gl_buffer_object *st_obj = binding->BufferObject;\n"
     "      struct pipe_resource *buf = st_obj->buffer;",
     "         &st->ctx->UniformBufferBindings[prog->sh.UniformBlocks[i]->Binding];\n"
     "      struct gl_buffer_object *st_obj = binding->BufferObject;\n"
     "      struct pipe_resource *buf = st_obj ? st_obj->buffer : NULL;"),
    ("src/mesa/state_tracker/st_draw_feedback.c",
     "            prog->sh.ShaderStorageBlocks[i]->Binding];\n"
     "      struct gl_buffer_object *st_obj = binding->BufferObject;\n"
     "      struct pipe_resource *buf = st_obj->buffer;",
     "            prog->sh.ShaderStorageBlocks[i]->Binding];\n"
     "      struct gl_buffer_object *st_obj = binding->BufferObject;\n"
     "      struct pipe_resource *buf = st_obj ? st_obj->buffer : NULL;"),
    # What was mapped for one draw isn't there for the next.
    ("src/mesa/state_tracker/st_draw_feedback.c",
     "      if (ssbo_transfer[i]) {\n         draw_set_mapped_constant_buffer(draw, PIPE_SHADER_VERTEX, 1 + i,\n"
     "                                         NULL, 0);\n",
     "      if (ssbo_transfer[i]) {\n         draw_set_mapped_shader_buffer(draw, PIPE_SHADER_VERTEX, i, NULL, 0);\n"),
    # Where a format can't be fetched, as 64-bit integers can't for a shader of floats (what glVertexAttribL1d sets is kept as
    # such), there is no translation, and glRasterPos called one: the shader's value is undefined, here 0.
    ("src/gallium/auxiliary/draw/draw_pt_fetch.c",
     "   struct translate *translate = fetch->translate;\n\n",
     "   struct translate *translate = fetch->translate;\n\n"
     "   if (!translate) {\n"
     "      memset(verts, 0, (size_t)count * fetch->vertex_size);\n"
     "      return;\n"
     "   }\n\n"),
    # A vertex that the CPU computes (glRasterPos, GL_FEEDBACK) has attributes of doubles, too: they go as the words that
    # they are into one slot or two.
    ("src/gallium/auxiliary/draw/draw_pt_fetch.c",
     "   nr_inputs = MIN2(vs_input_count, draw->pt.nr_vertex_elements + num_extra_inputs);\n",
     "   nr_inputs = draw->pt.nr_vertex_elements + num_extra_inputs;\n"
     "   for (unsigned i = 0; i < draw->pt.nr_vertex_elements; i++)\n"
     "      nr_inputs += draw->pt.vertex_element[i].dual_slot;\n"
     "   nr_inputs = MIN2(vs_input_count, nr_inputs);\n"),
    ("src/gallium/auxiliary/draw/draw_pt_fetch.c",
     "         dst_offset += sizeof(uint32_t);\n      } else if (util_format_is_pure_sint(",
     "         dst_offset += sizeof(uint32_t);\n"
     "      } else if (words_of_doubles(draw->pt.vertex_element[ei].src_format)) {\n"
     "         const struct pipe_vertex_element *element = &draw->pt.vertex_element[ei++];\n"
     "         const unsigned words = words_of_doubles(element->src_format);\n\n"
     "         for (unsigned done = 0; done < (element->dual_slot ? 8 : 4); done += 4) {\n"
     "            if (done) {\n"
     "               if (++i == nr_inputs)\n"
     "                  break;\n"
     "               nr++;\n"
     "            }\n"
     "            key.element[nr].type = TRANSLATE_ELEMENT_NORMAL;\n"
     "            key.element[nr].input_format =\n"
     "               words > done + 2 ? PIPE_FORMAT_R32G32B32A32_UINT : PIPE_FORMAT_R32G32_UINT;\n"
     "            key.element[nr].input_buffer = element->vertex_buffer_index;\n"
     "            key.element[nr].input_offset = element->src_offset + 4 * (words > done ? done : 0);\n"
     "            key.element[nr].instance_divisor = element->instance_divisor;\n"
     "            key.element[nr].output_format = PIPE_FORMAT_R32G32B32A32_UINT;\n"
     "            key.element[nr].output_offset = dst_offset;\n"
     "            dst_offset += 4 * sizeof(uint32_t);\n"
     "         }\n"
     "      } else if (util_format_is_pure_sint("),
    ("src/gallium/auxiliary/draw/draw_pt_fetch.c",
     "util_format_is_pure_sint(draw->pt.vertex_element[i].src_format)",
     "util_format_is_pure_sint(draw->pt.vertex_element[ei].src_format)"),
    ("src/gallium/auxiliary/draw/draw_pt_fetch.c",
     "util_format_is_pure_uint(draw->pt.vertex_element[i].src_format)",
     "util_format_is_pure_uint(draw->pt.vertex_element[ei].src_format)"),
    ("src/gallium/auxiliary/draw/draw_pt_fetch.c",
     "/**\n * Perform the fetch from API vertex elements & vertex buffers",
     "/** How many words a vertex has of an attribute of doubles; 0: it has none. */\n"
     "static unsigned\n"
     "words_of_doubles(enum pipe_format format)\n"
     "{\n"
     "   switch (format) {\n"
     "   case PIPE_FORMAT_R64_UINT:\n"
     "      return 2;\n"
     "   case PIPE_FORMAT_R64G64_UINT:\n"
     "      return 4;\n"
     "   case PIPE_FORMAT_R64G64B64_UINT:\n"
     "      return 6;\n"
     "   case PIPE_FORMAT_R64G64B64A64_UINT:\n"
     "      return 8;\n"
     "   default:\n"
     "      return 0;\n"
     "   }\n"
     "}\n\n"
     "/**\n * Perform the fetch from API vertex elements & vertex buffers"),
    # What can't be translated was kept as a null pointer and looked into the next time.
    ("src/gallium/auxiliary/translate/translate_cache.c",
     "      cso_hash_insert(&cache->hash, hash_key, translate);\n",
     "      if (translate)\n         cso_hash_insert(&cache->hash, hash_key, translate);\n"),
    # Parts of a quad strip or polygon that restarts give fewer indices than one of as many vertices: what lay behind them was
    # drawn, too. And an odd vertex at the end of a part makes no quad.
    (CONVERTER, "         for (unsigned i = 0; i < num_direct_draws; i++) {\n            /* step 6a:",
     "         unsigned written = 0;\n"
     "         for (unsigned i = 0; i < num_direct_draws; i++) {\n"
     "            if (info->mode == MESA_PRIM_QUAD_STRIP)\n               direct_draws[i].count &= ~1u;\n"
     "            /* step 6a:"),
    (CONVERTER, "            dst_ptr += new_info->index_size * tmp_count;\n",
     "            dst_ptr += new_info->index_size * tmp_count;\n            written += tmp_count;\n"),
    (CONVERTER, "         new_draw->count = u_index_count_converted_indices(pc->cfg.primtypes_mask, true, info->mode, "
     "total_index_count);\n", "         new_draw->count = written;\n"),
]
