# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of how texels lie in the program's memory."""

PACK = "src/mesa/main/pack.c"
TEXIMAGE = "src/mesa/main/teximage.c"

EDITS = [
    # GL 4.6, 8.4.4.1: bytes are swapped whatever is converted. Three shortcuts for depths took them as they came, and
    # where a texel is two words, only half of the words were swapped when they were read.
    *[(PACK, f"            dst[i] = {was};\n",
       f"            {kind} value = src[i];\n"
       f"            if (srcPacking->SwapBytes) {{\n               SWAP{size}BYTE(value);\n            }}\n"
       f"            dst[i] = {now};\n")
      for kind, size, was, now in (("GLuint", 4, "src[i] >> 16", "value >> 16"),
                                   ("GLushort", 2, "src[i] | (src[i] << 16)", "value * 0x10001u"),
                                   ("GLuint", 4, "src[i] >> 8", "value >> 8"))],
    (PACK,
     "   if (dstPacking->SwapBytes) {\n      _mesa_swap4(dest, n);\n   }\n\n   free(depthCopy);\n   free(stencilCopy);\n",
     "   if (dstPacking->SwapBytes)\n"
     "      _mesa_swap4(dest, dstType == GL_FLOAT_32_UNSIGNED_INT_24_8_REV ? 2 * n : n);\n\n"
     "   free(depthCopy);\n   free(stencilCopy);\n"),
    ("src/mesa/main/texgetimage.c",
     "            if (ctx->Pack.SwapBytes) {\n               _mesa_swap4((GLuint *) dest, width);\n            }\n",
     "            if (ctx->Pack.SwapBytes)\n"
     "               _mesa_swap4((GLuint *) dest, type == GL_FLOAT_32_UNSIGNED_INT_24_8_REV ? 2 * width : width);\n"),
    # Rows of bytes or shorts that go into such texels may have any length: it was rounded down to whole words.
    ("src/mesa/main/texstore.c",
     "      = _mesa_image_row_stride(srcPacking, srcWidth, srcFormat, srcType)\n         / sizeof(int32_t);\n",
     "      = _mesa_image_row_stride(srcPacking, srcWidth, srcFormat, srcType);\n"),
    ("src/mesa/main/texstore.c",
     "      uint64_t *dstRow = (uint64_t *) dstSlices[img];\n      const int32_t *src\n"
     "         = (const int32_t *) _mesa_image_address(",
     "      uint64_t *dstRow = (uint64_t *) dstSlices[img];\n      const GLubyte *src\n"
     "         = (const GLubyte *) _mesa_image_address("),
    # GL 4.6, 8.6 and 8.4.4.1: the faces of a cube map are images one behind the other. GL_UNPACK_SKIP_IMAGES counted
    # where texels are copied as they are, and nowhere else.
    (TEXIMAGE,
     "      /* Copy in each face. */\n      for (i = zoffset; i < zoffset + depth; ++i) {\n"
     "         texImage = texObj->Image[i][level];\n         assert(texImage);\n\n"
     "         texture_sub_image(ctx, 3, texObj,",
     "      pixels = (GLubyte *) pixels + ctx->Unpack.SkipImages * imageStride;\n"
     "      /* Copy in each face. */\n      for (i = zoffset; i < zoffset + depth; ++i) {\n"
     "         texImage = texObj->Image[i][level];\n         assert(texImage);\n\n"
     "         texture_sub_image(ctx, 2, texObj,"),
    # Of compressed faces a part was taken to lie as far from the next as whole ones do.
    (TEXIMAGE,
     "         /* Compressed images don't have a client format */\n"
     "         image_stride = _mesa_format_image_size(texImage->TexFormat,\n"
     "                                                texImage->Width,\n"
     "                                                texImage->Height, 1);\n",
     "         struct compressed_pixelstore store;\n"
     "         _mesa_compute_compressed_pixelstore(3, texImage->TexFormat, width, height, 1, &ctx->Unpack, &store);\n"
     "         image_stride = store.TotalBytesPerRow * store.TotalRowsPerSlice;\n"),
    # The faces of compressed cube maps are read as they are written: behind the images that are skipped.
    ("src/mesa/main/texgetimage.c",
     "   dimensions = _mesa_get_texture_dimensions(texObj->Target);\n"
     "   if (!_mesa_compressed_pixel_storage_error_check(",
     "   dimensions = target == GL_TEXTURE_CUBE_MAP ? 3 : _mesa_get_texture_dimensions(texObj->Target);\n"
     "   if (!_mesa_compressed_pixel_storage_error_check("),
    ("src/mesa/main/texgetimage.c",
     "      imageStride = store.TotalBytesPerRow * store.TotalRowsPerSlice;\n\n      firstFace = zoffset;\n",
     "      imageStride = store.TotalBytesPerRow * store.TotalRowsPerSlice;\n"
     "      if (ctx->Pack.CompressedBlockDepth && ctx->Pack.CompressedBlockSize)\n"
     "         pixels = (GLubyte *) pixels + ctx->Pack.SkipImages / ctx->Pack.CompressedBlockDepth * imageStride;\n\n"
     "      firstFace = zoffset;\n"),
    # GL 4.6 (compatibility), 8.11.4: what is read from textures isn't scaled, shifted or looked up on the way. Depths and
    # stencil indices were, in some types.
    ("src/mesa/main/texgetimage.c",
     "      const GLint image_height = ctx->Pack.ImageHeight;\n",
     "      const struct gl_pixel_attrib pixel = ctx->Pixel;\n"
     "      ctx->Pixel.DepthScale = 1.0F;\n      ctx->Pixel.DepthBias = 0.0F;\n"
     "      ctx->Pixel.IndexShift = ctx->Pixel.IndexOffset = 0;\n      ctx->Pixel.MapStencilFlag = GL_FALSE;\n"
     "      const GLint image_height = ctx->Pack.ImageHeight;\n"),
    ("src/mesa/main/texgetimage.c",
     "      pixels = (GLubyte *) pixels + imageStride;\n   }\n\n   _mesa_unlock_texture(ctx, texObj);\n}\n\n"
     "static void\n_get_texture_image(",
     "      ctx->Pixel = pixel;\n"
     "      pixels = (GLubyte *) pixels + imageStride;\n   }\n\n   _mesa_unlock_texture(ctx, texObj);\n}\n\n"
     "static void\n_get_texture_image("),
    # What is uploaded is, stencil indices as well; those that were copied as they came weren't.
    ("src/mesa/main/texstore.c",
     "   case GL_DEPTH_COMPONENT:\n   case GL_DEPTH_STENCIL:\n      return ctx->Pixel.DepthScale != 1.0f ||\n"
     "             ctx->Pixel.DepthBias != 0.0f;\n\n   case GL_STENCIL_INDEX:\n      return GL_FALSE;\n",
     "   case GL_DEPTH_STENCIL:\n   case GL_STENCIL_INDEX:\n"
     "      if (ctx->Pixel.IndexShift || ctx->Pixel.IndexOffset || ctx->Pixel.MapStencilFlag)\n         return GL_TRUE;\n"
     "      if (baseInternalFormat == GL_STENCIL_INDEX)\n         return GL_FALSE;\n      FALLTHROUGH;\n"
     "   case GL_DEPTH_COMPONENT:\n      return ctx->Pixel.DepthScale != 1.0f ||\n"
     "             ctx->Pixel.DepthBias != 0.0f;\n"),
    # Maps of blue and alpha for drawn and copied pixels: the look-up named no map, and red and green were taken of it.
    ("src/compiler/nir/nir_lower_drawpixels.c",
     "      tex = nir_tex_instr_create(state->shader, 1);\n      tex->op = nir_texop_tex;\n"
     "      tex->sampler_dim = GLSL_SAMPLER_DIM_2D;\n      tex->coord_components = 2;\n"
     "      tex->sampler_index = state->options->pixelmap_sampler;\n      tex->dest_type = nir_type_float32;\n"
     "      tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord,\n"
     "                                        nir_channels(b, def, 0xc));\n",
     "      tex = nir_tex_instr_create(state->shader, 3);\n      tex->op = nir_texop_tex;\n"
     "      tex->sampler_dim = GLSL_SAMPLER_DIM_2D;\n      tex->coord_components = 2;\n"
     "      tex->sampler_index = state->options->pixelmap_sampler;\n"
     "      tex->texture_index = state->options->pixelmap_sampler;\n      tex->dest_type = nir_type_float32;\n"
     "      tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_texture_deref, &pixelmap_deref->def);\n"
     "      tex->src[1] = nir_tex_src_for_ssa(nir_tex_src_sampler_deref, &pixelmap_deref->def);\n"
     "      tex->src[2] = nir_tex_src_for_ssa(nir_tex_src_coord,\n"
     "                                        nir_channels(b, def, 0xc));\n"),
    ("src/compiler/nir/nir_lower_drawpixels.c",
     "                     nir_channel(b, def_zw, 0),\n                     nir_channel(b, def_zw, 1));\n",
     "                     nir_channel(b, def_zw, 2),\n                     nir_channel(b, def_zw, 3));\n"),
    # GL 4.6 (compatibility), 8.4.5.2: a colour times the map's last index is rounded to an index.
    *[("src/mesa/state_tracker/st_atom_pixeltransfer.c",
       f"Map[{i} * {size} / texSize];", f"Map[(uint) (({i} + 0.5) / texSize * ({size} - 1) + 0.5)];")
      for i, size in (("j", "rSize"), ("i", "gSize"), ("j", "bSize"), ("i", "aSize"))],
    # GL 4.6 (compatibility), 8.4.4.1: colour indices lie in rows, too. They were read as if the rows had no gaps, which
    # those of clipped rectangles have as well.
    (PACK,
     "   count = srcWidth * srcHeight;\n   indexes = malloc(count * sizeof(GLuint));\n",
     "   count = srcWidth;\n   indexes = malloc(count * sizeof(GLuint));\n"),
    (PACK,
     "   rgba = malloc(4 * count * srcDepth * sizeof(GLfloat));\n   if (!rgba) {\n      free(indexes);\n",
     "   rgba = malloc((size_t)4 * count * srcHeight * srcDepth * sizeof(GLfloat));\n"
     "   if (!rgba) {\n      free(indexes);\n"),
    (PACK,
     "   for (img = 0; img < srcDepth; img++) {\n      const GLubyte *srcPtr =\n"
     "         (const GLubyte *) _mesa_image_address(dims, srcPacking, src,\n"
     "                                               srcWidth, srcHeight,\n"
     "                                               srcFormat, srcType,\n"
     "                                               img, 0, 0);\n\n"
     "      extract_uint_indexes(count, indexes,",
     "   for (img = 0; img < srcDepth * srcHeight; img++) { /* row by row */\n      const GLubyte *srcPtr =\n"
     "         (const GLubyte *) _mesa_image_address(dims, srcPacking, src,\n"
     "                                               srcWidth, srcHeight,\n"
     "                                               srcFormat, srcType,\n"
     "                                               img / srcHeight, img % srcHeight, 0);\n\n"
     "      extract_uint_indexes(count, indexes,"),
    (PACK,
     "      dstPtr += srcHeight * srcWidth * 4;\n   }\n\n   free(indexes);\n",
     "      dstPtr += srcWidth * 4;\n   }\n\n   free(indexes);\n"),
    # GL 4.6 (compatibility), 8.4.5: indices of drawn pixels are shifted and offset before they are looked up or written.
    # The fragment shader's part are the operations on colours alone. And what was made with other transfers, or other
    # scales of depths, is no texture for pixels of now.
    ("src/mesa/state_tracker/st_cb_drawpixels.c",
     "      /* we'll do pixel transfer in a fragment shader */\n      ctx->_ImageTransferState = 0x0;\n",
     "      /* we'll do pixel transfer of colours in a fragment shader */\n"
     "      ctx->_ImageTransferState &= format == GL_COLOR_INDEX || format == GL_STENCIL_INDEX ||\n"
     "                                  format == GL_DEPTH_STENCIL ? IMAGE_SHIFT_OFFSET_BIT : 0;\n"),
    ("src/mesa/state_tracker/st_cb_drawpixels.c",
     "       unpack->BufferObj) {\n      /* we don't allow non-default pixel unpacking values */\n",
     "       unpack->BufferObj ||\n"
     "       format == GL_COLOR_INDEX || _mesa_is_depth_or_stencil_format(format)) {\n"
     "      /* we don't allow non-default pixel unpacking values, or transfers on the CPU */\n"),
    # GL 4.6 (compatibility), Pixel Rectangles: zoomed texels begin and end between rows, too. In framebuffer objects the
    # last was made to end at a whole row, and all moved with it.
    ("src/mesa/state_tracker/st_cb_drawpixels.c",
     "      y = fb_height - (int) (y + height * ctx->Pixel.ZoomY);\n      invertTex = !invertTex;\n   }\n\n"
     "   x0 = (GLfloat) x;\n   x1 = x + width * ctx->Pixel.ZoomX;\n   y0 = (GLfloat) y;\n"
     "   y1 = y + height * ctx->Pixel.ZoomY;\n",
     "      y0 = fb_height - (y + height * ctx->Pixel.ZoomY);\n      invertTex = !invertTex;\n"
     "   } else {\n      y0 = (GLfloat) y;\n   }\n\n"
     "   x0 = (GLfloat) x;\n   x1 = x + width * ctx->Pixel.ZoomX;\n"
     "   y1 = y0 + height * ctx->Pixel.ZoomY;\n"),
    # GL 4.6 (compatibility), Bitmaps: each is drawn. Those that wait are one picture, in which the second at a place is
    # nothing, though a logical operation, blending or the stencil would tell it from the first.
    ("src/mesa/state_tracker/st_cb_bitmap.c",
     "          ((fabsf(z - cache->zpos) > Z_EPSILON))) {\n",
     "          ((fabsf(z - cache->zpos) > Z_EPSILON)) ||\n"
     "          ((ctx->Color.ColorLogicOpEnabled || ctx->Color.BlendEnabled || ctx->Stencil.Enabled) &&\n"
     "           x < cache->xmax && x + width > cache->xmin &&\n"
     "           y < cache->ymax && y + height > cache->ymin)) {\n"),
    # GL 4.6, 2.3.1: what is no format at all is INVALID_ENUM, not a buffer that isn't there.
    ("src/mesa/main/readpix.c",
     "      if (rb == NULL) {\n         _mesa_error(ctx, GL_INVALID_OPERATION,\n                     \"glReadPixels(read buffer)\");\n",
     "      if (rb == NULL) {\n         err = _mesa_error_check_format_and_type(ctx, format, type);\n"
     "         _mesa_error(ctx, err == GL_INVALID_ENUM ? err : GL_INVALID_OPERATION,\n"
     "                     \"glReadPixels(read buffer)\");\n"),
    # GL 4.6, 18.2.8: shared exponents are floating point, too, and clamped where it is asked for alone.
    ("src/mesa/main/readpix.c",
     "          (type == GL_FLOAT || type == GL_HALF_FLOAT ||\n           type == GL_UNSIGNED_INT_10F_11F_11F_REV)) {\n",
     "          (type == GL_FLOAT || type == GL_HALF_FLOAT ||\n           type == GL_UNSIGNED_INT_5_9_9_9_REV ||\n"
     "           type == GL_UNSIGNED_INT_10F_11F_11F_REV)) {\n"),
    ("src/mesa/main/readpix.c",
     "           (type != GL_FLOAT && type != GL_HALF_FLOAT &&\n            type != GL_UNSIGNED_INT_10F_11F_11F_REV)) && !gles_snorm) {\n",
     "           (type != GL_FLOAT && type != GL_HALF_FLOAT &&\n            type != GL_UNSIGNED_INT_5_9_9_9_REV &&\n"
     "            type != GL_UNSIGNED_INT_10F_11F_11F_REV)) && !gles_snorm) {\n"),
    # Stencils beside depths that come alone are undefined (8.5), but not what the heap holds.
    ("src/mesa/main/texstore.c", "stencil = malloc(srcWidth * sizeof(GLubyte));", "stencil = calloc(srcWidth, sizeof(GLubyte));"),
]
