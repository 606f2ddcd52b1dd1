# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of compressed textures that Mesa decodes, since the device can't read them."""

EDITS = [
    # OES_texture_view: the sRGB and the plain formats of ETC2 are views of each other, so both are stored in one order.
    ("src/mesa/state_tracker/st_format.c",
     "      bool has_bgra_srgb = screen->is_format_supported(screen,\n                                                       PIPE_FORMAT_B8G8R8A8_SRGB,\n",
     "      bool has_bgra_srgb = !screen->is_format_supported(screen,\n                                                       PIPE_FORMAT_R8G8B8A8_SRGB,\n"),
    # What a view of another layer than the first is given was not decoded.
    ("src/mesa/state_tracker/st_cb_texture.c",
     "       * support the compressed format. */\n      unsigned z = slice + texImage->Face;\n",
     "       * support the compressed format. */\n      unsigned z = slice + texImage->Face +\n         texImage->TexObject->Attrib.MinLayer;\n"),
]
