# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of pixels whose rows are packed in reverse (GL_MESA_pack_invert, GL_ANGLE_pack_reverse_row_order)."""

IMAGE = "src/mesa/main/image.c"
BUFFER = "src/mesa/main/pbo.c"

EDITS = [
    # The order is reversed, and all else is as it is otherwise: skipped rows lie in front of the others. They were counted
    # backwards, and rows were written before the app's memory.
    (IMAGE, "         topOfImage = bytes_per_row * (height - 1);\n",
     "         topOfImage = bytes_per_row * (height - 1 + 2 * (GLintptr)skiprows);\n"),
    # What is cut off at the top comes first then, and what is cut off at the bottom last.
    (IMAGE, "      pack->SkipRows += (0 - *srcY);\n      *height -= (0 - *srcY);\n",
     "      if (!pack->Invert)\n         pack->SkipRows += (0 - *srcY);\n      *height -= (0 - *srcY);\n"),
    (IMAGE, "   /* top clipping */\n   if ((int64_t) *srcY + *height > clip_height)\n",
     "   /* top clipping */\n   if (pack->Invert && *srcY < clip_height && (int64_t) *srcY + *height > clip_height)\n"
     "      pack->SkipRows += *height - (clip_height - *srcY);\n   if ((int64_t) *srcY + *height > clip_height)\n"),
    # Which bytes are written doesn't depend on the order. Of the rows in reverse only a part was looked at.
    (BUFFER, "   /* get the offset to the first pixel we'll read/write */\n   start = _mesa_image_offset(dimensions, pack, width, height,\n",
     "   struct gl_pixelstore_attrib forward = *pack;\n   forward.Invert = false;\n\n"
     "   /* get the offset to the first pixel we'll read/write */\n   start = _mesa_image_offset(dimensions, &forward, width, height,\n"),
    (BUFFER, "   end =  _mesa_image_offset(dimensions, pack, width, height,\n", "   end =  _mesa_image_offset(dimensions, &forward, width, height,\n"),
]
