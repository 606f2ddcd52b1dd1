# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of glCopyPixels (GL 4.6, compatibility profile, 18.3.1): what is read, transferred and drawn again."""

COPY = "src/mesa/state_tracker/st_cb_drawpixels.c"

EDITS = [
    # Copied pixels are fragments as drawn ones are: textures are applied, the stencil test may reject them though it changes
    # nothing, channels are masked, and what multisampling does to coverage and alpha is done. Unzoomed colours were blitted.
    (COPY, "          (ctx->Stencil.FailFunc[0] == GL_KEEP &&\n           ctx->Stencil.ZPassFunc[0] == GL_KEEP &&\n",
     "          (ctx->Stencil.Function[0] == GL_ALWAYS &&\n           ctx->Stencil.FailFunc[0] == GL_KEEP &&\n"
     "           ctx->Stencil.ZPassFunc[0] == GL_KEEP &&\n"),
    (COPY, "         !_mesa_ati_fragment_shader_enabled(ctx) &&\n         ctx->DrawBuffer->_NumColorDrawBuffers == 1)) &&\n",
     "         !_mesa_ati_fragment_shader_enabled(ctx) &&\n         !ctx->Texture._EnabledCoordUnits &&\n"
     "         !_mesa_is_multisample_enabled(ctx) &&\n         GET_COLORMASK(ctx->Color.ColorMask, 0) == 0xf &&\n"
     "         ctx->DrawBuffer->_NumColorDrawBuffers == 1)) &&\n"),
    # 18.1.2: fragments of depths have the colour of the raster position, not the current one.
    (COPY, "                      ctx->Current.Attrib[VERT_ATTRIB_COLOR0],\n                      invertTex, write_depth, write_stencil);\n",
     "                      ctx->Current.RasterColor,\n                      invertTex, write_depth, write_stencil);\n"),
    # Depths are scaled and biased, stencil indices shifted, offset and looked up (8.4.5). Both were copied as they are. They
    # are read as they are now, and drawn with these transfers.
    (COPY, "void\nst_CopyPixels(struct gl_context *ctx, GLint srcx, GLint srcy,\n              GLsizei width, GLsizei height,\n"
           "              GLint dstx, GLint dsty, GLenum type)\n{\n   struct st_context *st = st_context(ctx);\n",
     "static bool\nneeds_transfer(const struct gl_context *ctx, GLenum type)\n{\n"
     "   const bool depth = type == GL_DEPTH || type == GL_DEPTH_STENCIL;\n"
     "   const bool stencil = type == GL_STENCIL || type == GL_DEPTH_STENCIL;\n\n"
     "   return (depth && (ctx->Pixel.DepthScale != 1.0F || ctx->Pixel.DepthBias != 0.0F)) ||\n"
     "          (stencil && (ctx->Pixel.IndexShift || ctx->Pixel.IndexOffset || ctx->Pixel.MapStencilFlag));\n}\n\n"
     "static void\ncopy_transferred_pixels(struct gl_context *ctx, GLint srcx, GLint srcy,\n"
     "                        GLsizei width, GLsizei height,\n"
     "                        GLint dstx, GLint dsty, GLenum type)\n{\n"
     "   const struct gl_pixel_attrib pixel = ctx->Pixel;\n"
     "   const GLbitfield transfer_state = ctx->_ImageTransferState;\n"
     "   struct gl_pixelstore_attrib pack = ctx->DefaultPacking;\n"
     "   GLsizei readW = width, readH = height;\n"
     "   GLenum format = GL_DEPTH_COMPONENT, data_type = GL_FLOAT;\n"
     "   void *pixels;\n\n"
     "   if (type == GL_STENCIL) {\n      format = GL_STENCIL_INDEX;\n      data_type = GL_UNSIGNED_BYTE;\n"
     "   } else if (type == GL_DEPTH_STENCIL) {\n"
     "      const struct gl_renderbuffer *rb =\n         ctx->ReadBuffer->Attachment[BUFFER_DEPTH].Renderbuffer;\n"
     "      format = GL_DEPTH_STENCIL;\n"
     "      data_type = _mesa_get_format_datatype(rb->Format) == GL_FLOAT ?\n"
     "                  GL_FLOAT_32_UNSIGNED_INT_24_8_REV : GL_UNSIGNED_INT_24_8;\n   }\n\n"
     "   pack.Alignment = 1;\n"
     "   if (!_mesa_clip_readpixels(ctx, &srcx, &srcy, &readW, &readH, &pack))\n"
     "      return; /* all of it is undefined */\n\n"
     "   pixels = calloc((size_t)width * height, _mesa_bytes_per_pixel(format, data_type));\n"
     "   if (!pixels) {\n      _mesa_error(ctx, GL_OUT_OF_MEMORY, \"glCopyPixels\");\n      return;\n   }\n\n"
     "   ctx->Pixel.DepthScale = 1.0F;\n   ctx->Pixel.DepthBias = 0.0F;\n"
     "   ctx->Pixel.IndexShift = ctx->Pixel.IndexOffset = 0;\n   ctx->Pixel.MapStencilFlag = GL_FALSE;\n"
     "   ctx->_ImageTransferState = 0x0;\n"
     "   _mesa_readpixels(ctx, srcx, srcy, readW, readH, format, data_type, &pack, pixels);\n"
     "   ctx->Pixel = pixel;\n   ctx->_ImageTransferState = transfer_state;\n\n"
     "   pack = ctx->DefaultPacking;\n   pack.Alignment = 1;\n"
     "   st_DrawPixels(ctx, dstx, dsty, width, height, format, data_type, &pack, pixels);\n"
     "   free(pixels);\n}\n\n"
     "void\nst_CopyPixels(struct gl_context *ctx, GLint srcx, GLint srcy,\n              GLsizei width, GLsizei height,\n"
     "              GLint dstx, GLint dsty, GLenum type)\n{\n   struct st_context *st = st_context(ctx);\n"),
    (COPY, "   if (blit_copy_pixels(ctx, srcx, srcy, width, height, dstx, dsty, type))\n",
     "   if (needs_transfer(ctx, type) && (type == GL_DEPTH || st->has_stencil_export)) {\n"
     "      copy_transferred_pixels(ctx, srcx, srcy, width, height, dstx, dsty, type);\n      return;\n   }\n\n"
     "   if (blit_copy_pixels(ctx, srcx, srcy, width, height, dstx, dsty, type))\n"),
]
