# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of the thread that executes GL's calls behind the app's back, on machines of four cores and more."""

PIXELS = "src/mesa/main/glthread_pixels.c"

EDITS = [
    # GL 4.6, 8.4.4: what is drawn may begin behind skipped rows and pixels, and its rows may be longer. As many bytes were kept for
    # the thread as the picture alone has, from the first one on, so the end of it was whatever lay behind them.
    (PIXELS, "uint32_t\n_mesa_unmarshal_Bitmap(",
     "/** Whether the picture is all that lies where the app says. */\n"
     "static bool\nis_alone(const struct gl_context *ctx, GLsizei width)\n{\n"
     "   const struct gl_pixelstore_attrib *unpack = &ctx->GLThread.Unpack;\n"
     "   return !unpack->SkipPixels && !unpack->SkipRows &&\n"
     "          (!unpack->RowLength || unpack->RowLength == width);\n}\n\n"
     "uint32_t\n_mesa_unmarshal_Bitmap("),
    (PIXELS, "      if (bitmap_size <= MAX_BITMAP_BYTE_SIZE) {\n",
     "      if (is_alone(ctx, width) && bitmap_size <= MAX_BITMAP_BYTE_SIZE) {\n"),
    (PIXELS, "         if (image_size <= MAX_DRAWPIX_BYTE_SIZE) {\n",
     "         if (is_alone(ctx, width) && image_size <= MAX_DRAWPIX_BYTE_SIZE) {\n"),
]
