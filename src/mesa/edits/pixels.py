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
]
