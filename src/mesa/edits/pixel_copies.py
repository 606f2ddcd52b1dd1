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
    # 17.3: fragments outside of the framebuffer or the scissor are none. Where no shader can write stencil values, the CPU does, and
    # read and wrote texels beyond the image, which hung a GPU. What it copies may begin outside, too (18.3.1).
    (COPY, "static void\ndraw_stencil_pixels(",
     "/**\n * Clips to what can be drawn to; \\p skip_x and \\p skip_y columns and rows are lost at the left and bottom.\n */\n"
     "static bool\nclip_to_drawable(const struct gl_context *ctx, GLint *x, GLint *y,\n"
     "                 GLsizei *width, GLsizei *height, GLint *skip_x, GLint *skip_y)\n{\n"
     "   const struct gl_framebuffer *fb = ctx->DrawBuffer;\n"
     "   const int64_t right = MIN2((int64_t)*x + *width, fb->_Xmax);\n"
     "   const int64_t top = MIN2((int64_t)*y + *height, fb->_Ymax);\n\n"
     "   *skip_x = MAX2(fb->_Xmin - *x, 0);\n   *skip_y = MAX2(fb->_Ymin - *y, 0);\n"
     "   *x += *skip_x;\n   *y += *skip_y;\n   if (right <= *x || top <= *y)\n      return false;\n"
     "   *width = right - *x;\n   *height = top - *y;\n   return true;\n}\n\n"
     "static void\ndraw_stencil_pixels("),
    (COPY, "   rb = ctx->DrawBuffer->Attachment[BUFFER_STENCIL].Renderbuffer;\n\n   if (_mesa_fb_orientation(ctx->DrawBuffer) == Y_0_TOP) {\n",
     "   rb = ctx->DrawBuffer->Attachment[BUFFER_STENCIL].Renderbuffer;\n\n"
     "   GLint skip_x, skip_y;\n   if (clippedUnpack.RowLength == 0)\n      clippedUnpack.RowLength = width;\n"
     "   if (!clip_to_drawable(ctx, &x, &y, &width, &height, &skip_x, &skip_y))\n      return;\n"
     "   clippedUnpack.SkipPixels += skip_x;\n   clippedUnpack.SkipRows += skip_y;\n\n"
     "   if (_mesa_fb_orientation(ctx->DrawBuffer) == Y_0_TOP) {\n"),
    (COPY, "   uint8_t *buffer;\n   int i;\n\n   buffer = malloc(width * height * sizeof(uint8_t));\n",
     "   uint8_t *buffer;\n   int i;\n\n   GLint skip_x, skip_y;\n"
     "   if (!clip_to_drawable(ctx, &dstx, &dsty, &width, &height, &skip_x, &skip_y))\n      return;\n"
     "   srcx += skip_x;\n   srcy += skip_y;\n\n"
     "   struct gl_pixelstore_attrib pack = ctx->DefaultPacking;\n   GLsizei read_width = width, read_height = height;\n"
     "   pack.Alignment = 1;\n   if (!_mesa_clip_readpixels(ctx, &srcx, &srcy, &read_width, &read_height, &pack))\n"
     "      return; /* all of it is undefined */\n\n   buffer = calloc((size_t)width * height, sizeof(uint8_t));\n"),
    (COPY, "   _mesa_readpixels(ctx, srcx, srcy, width, height,\n                    GL_STENCIL_INDEX, GL_UNSIGNED_BYTE,\n                    &ctx->DefaultPacking, buffer);\n",
     "   _mesa_readpixels(ctx, srcx, srcy, read_width, read_height,\n                    GL_STENCIL_INDEX, GL_UNSIGNED_BYTE,\n                    &pack, buffer);\n"),
]
