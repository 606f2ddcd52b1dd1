# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of the state tracker."""

EDITS = [
    # GL 4.6, 8.14.3: GL_NEAREST reads the base level. Textures of integers were read as with
    # GL_NEAREST_MIPMAP_NEAREST, where they have other levels.
    ("src/mesa/state_tracker/st_atom_sampler.c",
     "      sampler->min_mip_filter = PIPE_TEX_FILTER_NEAREST;\n",
     "      if (sampler->min_mip_filter == PIPE_TEX_MIPFILTER_LINEAR)\n"
     "         sampler->min_mip_filter = PIPE_TEX_MIPFILTER_NEAREST;\n"),
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
    # What is written into the threaded context's queue at once passes by that check.
    ("src/mesa/state_tracker/st_atom_array.cpp",
     "   bool fill_tc_set_vbs = st->cso_context->draw_vbo == tc_draw_vbo;\n",
     "   bool fill_tc_set_vbs = st->cso_context->draw_vbo == tc_draw_vbo && !st->cso_context->checks_vertices;\n"),
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
    # Shaders with clip distances of their own had a variant for each set of those that are on, whose others were zero,
    # and with them the cull distances, which lie behind and have no enables (OpenGL 4.6, 13.7). Which are on is the
    # driver's business: it knows from the rasteriser's state.
    ("src/mesa/state_tracker/st_atom_shader.c",
     "         if (st->lower_ucp && st_user_clip_planes_enabled(st->ctx))\n",
     "         if (st->lower_ucp && st_user_clip_planes_enabled(st->ctx) &&\n"
     "             !(vp->info.outputs_written & VARYING_BIT_CLIP_DIST0))\n"),
    ("src/mesa/state_tracker/st_atom_shader.c",
     "      if (st->lower_ucp && st_user_clip_planes_enabled(st->ctx) &&\n          (pipe_shader",
     "      if (st->lower_ucp && st_user_clip_planes_enabled(st->ctx) &&\n"
     "          !(prog->info.outputs_written & VARYING_BIT_CLIP_DIST0) &&\n          (pipe_shader"),
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
    # Without LLVM the draw module calls a sampler and an image that nobody gave it.
    ("src/mesa/state_tracker/st_draw.c",
     "      st->draw = draw_create(st->pipe);\n      if (!st->draw) {\n"
     "         _mesa_error(st->ctx, GL_OUT_OF_MEMORY, \"feedback fallback allocation\");\n"
     "         return NULL;\n      }\n",
     "      st->draw = draw_create(st->pipe);\n      if (!st->draw) {\n"
     "         _mesa_error(st->ctx, GL_OUT_OF_MEMORY, \"feedback fallback allocation\");\n"
     "         return NULL;\n      }\n"
     "      draw_texture_sampler(st->draw, PIPE_SHADER_VERTEX, kobalt_empty_sampler());\n"
     "      draw_image(st->draw, PIPE_SHADER_VERTEX, kobalt_empty_image());\n"),
    ("src/mesa/state_tracker/st_draw.c",
     '#include "draw/draw_context.h"',
     '#include "draw/draw_context.h"\n#include "gallium/drivers/zink/kobalt_public/kobalt/mesa_slot.h"'),
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
    # glDrawPixels of stencil indices that are single bits never returned: no texture has such texels.
    ("src/mesa/state_tracker/st_cb_drawpixels.c",
     "   if (write_stencil &&\n       !st->has_stencil_export) {\n      /* software fallback */\n      draw_stencil_pixels(",
     "   if (write_stencil &&\n       (!st->has_stencil_export || type == GL_BITMAP)) {\n"
     "      /* software fallback */\n      draw_stencil_pixels("),
    # ARB_gl_spirv: a module that no shader can be made of ended the program at its link, which now fails.
    ("src/mesa/state_tracker/st_glsl_to_nir.cpp",
     "         prog->nir = _mesa_spirv_to_nir(ctx, shader_program, shader->Stage, options);\n",
     "         prog->nir = _mesa_spirv_to_nir(ctx, shader_program, shader->Stage, options);\n"
     "         if (!prog->nir) {\n"
     "            linker_error(shader_program, \"the SPIR-V module of the %s shader is invalid\\n\",\n"
     "                         _mesa_shader_stage_to_string(shader->Stage));\n"
     "            return GL_FALSE;\n         }\n"),
    # OES_EGL_image: a renderbuffer made from a level, face or slice of a texture is that image. What renders to one in
    # sRGB or blits renews the surface from the renderbuffer's fields, which said layer 0, or no level at all of a 3D
    # texture. Without its internal format ReadPixels took a renderbuffer of integers for one of another kind.
    ("src/mesa/state_tracker/st_cb_eglimage.c",
     "      rb->InternalFormat = rb->_BaseFormat;\n",
     "      rb->InternalFormat = stimg.internalformat ? stimg.internalformat : rb->_BaseFormat;\n"
     "      rb->NumSamples = rb->NumStorageSamples = 0;\n"
     "      rb->shares_image = true;\n"
     "      rb->Depth = ps->texture->target == PIPE_TEXTURE_3D ?\n"
     "                  u_minify(ps->texture->depth0, stimg.level) : 0;\n"
     "      rb->rtt_slice = stimg.layer;\n"),
    # GL 4.6, 7.3: a program that is in use is drawn with as it was, when its next link fails. Variants that are made then, as
    # glRasterPos and feedback need them, were made of the new link's data: NIR that isn't there where the program came
    # from the disk cache, and no uniforms.
    ("src/mesa/state_tracker/st_program.c",
     "   if (is_draw && st->ctx->Const.PackedDriverUniformStorage &&\n"
     "       (!prog->shader_program || prog->shader_program->data->LinkStatus != LINKING_SKIPPED)) {\n"
     "      assert(prog->base_serialized_nir);\n",
     "   if (is_draw && st->ctx->Const.PackedDriverUniformStorage && prog->base_serialized_nir) {\n"),
    ("src/mesa/state_tracker/st_glsl_to_nir.cpp",
     "   st_nir_lower_samplers(screen, nir, shader_program, prog);\n"
     "   if (!is_draw_shader && !screen",
     "   struct gl_shader_program in_use;\n"
     "   if (shader_program && prog->sh.data && prog->sh.data != shader_program->data) {\n"
     "      memcpy(&in_use, shader_program, sizeof(in_use));\n"
     "      in_use.data = prog->sh.data;\n"
     "      shader_program = &in_use;\n"
     "   }\n"
     "   st_nir_lower_samplers(screen, nir, shader_program, prog);\n"
     "   if (!is_draw_shader && !screen"),
    # GL 4.6, 8.5.3: the images of a level that lay apart from the texture go into it where
    # they fit. Those of one-dimensional arrays never did behind the first level: their layers were taken for slices.
    ("src/mesa/state_tracker/st_cb_texture.c",
     "            else if (tObj->Target == GL_TEXTURE_CUBE_MAP)\n               depth = 1;\n",
     "            else if (tObj->Target == GL_TEXTURE_CUBE_MAP ||\n                     tObj->Target == GL_TEXTURE_1D_ARRAY)\n"
     "               depth = 1;\n"),
    # GL 4.6 compatibility, 17.3 (alpha test): all fragments take it, those of bitmaps and pixel rectangles too. Bitmaps
    # that wait are of a time without it.
    *[(f"src/mesa/state_tracker/{file}.c",
       "   key.lower_alpha_func = COMPARE_FUNC_ALWAYS;\n",
       f"   key.lower_alpha_func = st->lower_alpha_test && {condition}_mesa_is_alpha_test_enabled(ctx) ?\n"
       "                          ctx->Color.AlphaFunc : COMPARE_FUNC_ALWAYS;\n")
      for file, condition in (("st_cb_bitmap", "fp != st->bitmap.cache.fp && "), ("st_cb_drawpixels", ""))],
    # Bitmaps wait to be drawn together, with the textures and constants of that moment, which need not be those of the
    # call (and crashed where a texture had gone): what reads any but the colour is drawn at once.
    ("src/mesa/state_tracker/st_cb_bitmap.c",
     "void\nst_Bitmap(struct gl_context *ctx, GLint x, GLint y,\n",
     "/** Whether a bitmap that is drawn later is the one of now: nothing but its colour is read. */\n"
     "static bool\n"
     "may_wait(const struct st_context *st, const struct gl_program *fp)\n"
     "{\n"
     "   if (fp->SamplersUsed || fp->sh.NumUniformBlocks || fp->info.num_ssbos ||\n"
     "       fp->info.num_images || fp->info.num_abos ||\n"
     "       (st->lower_alpha_test && _mesa_is_alpha_test_enabled(st->ctx)))\n"
     "      return false;\n"
     "   const struct gl_program_parameter_list *list = fp->Parameters;\n"
     "   for (unsigned i = 0; list && i < list->NumParameters; i++) {\n"
     "      const struct gl_program_parameter *one = &list->Parameters[i];\n"
     "      const bool colour = one->Type == PROGRAM_STATE_VAR &&\n"
     "                          (one->StateIndexes[0] == STATE_CURRENT_ATTRIB ||\n"
     "                           one->StateIndexes[0] == STATE_CURRENT_ATTRIB_MAYBE_VP_CLAMPED) &&\n"
     "                          one->StateIndexes[1] == VERT_ATTRIB_COLOR0;\n"
     "      if (one->Type != PROGRAM_CONSTANT && !colour)\n"
     "         return false;\n"
     "   }\n"
     "   return true;\n"
     "}\n\n"
     "void\nst_Bitmap(struct gl_context *ctx, GLint x, GLint y,\n"),
    ("src/mesa/state_tracker/st_cb_bitmap.c",
     "      if (UseBitmapCache && accum_bitmap(",
     "      if (!may_wait(st, ctx->FragmentProgram._Current))\n         st_flush_bitmap_cache(st);\n"
     "      else if (UseBitmapCache && accum_bitmap("),
]
