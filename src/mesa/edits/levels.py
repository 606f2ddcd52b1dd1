# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of levels that textures can't have, and of those that they haven't."""

COMPLETENESS = "src/mesa/main/texobj.h"

EDITS = [
    # ES 3.2, table 8.19: TEXTURE_BASE_LEVEL may be any level. Images were looked for behind the last one that there can be.
    ("src/mesa/main/genmipmap.c", "   srcImage = _mesa_select_tex_image(texObj, target, texObj->Attrib.BaseLevel);\n",
     "   srcImage = texObj->Attrib.BaseLevel < MAX_TEXTURE_LEVELS ?\n"
     "      _mesa_select_tex_image(texObj, target, texObj->Attrib.BaseLevel) : NULL;\n"),
    ("src/mesa/main/teximage.c", "texObj->Image[0][texObj->Attrib.BaseLevel], texObj->Attrib.DepthMode);\n",
     "_mesa_base_tex_image(texObj), texObj->Attrib.DepthMode);\n"),
    ("src/mesa/state_tracker/st_cb_texture.c", "                                       [tObj->Attrib.BaseLevel]);\n   if (!firstImage)\n",
     "                                       [MIN2(tObj->Attrib.BaseLevel, MAX_TEXTURE_LEVELS - 1)]);\n   if (!firstImage)\n"),
    # OpenGL 4.6, 8.17: without an image at the base level a texture is incomplete. Where stencil values were to be sampled
    # the image was asked for its format.
    (COMPLETENESS, "        (texObj->StencilSampling &&\n         img->_BaseFormat == GL_DEPTH_STENCIL)) &&\n",
     "        (texObj->StencilSampling && img &&\n         img->_BaseFormat == GL_DEPTH_STENCIL)) &&\n"),
    (COMPLETENESS, "           (texObj->StencilSampling && img->_BaseFormat == GL_DEPTH_STENCIL)) &&\n",
     "           (texObj->StencilSampling && img && img->_BaseFormat == GL_DEPTH_STENCIL)) &&\n"),
]
