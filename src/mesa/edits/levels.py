# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of levels that textures can't have, and of those that they haven't."""

COMPLETENESS = "src/mesa/main/texobj.h"
MIPMAPS = "src/mesa/state_tracker/st_gen_mipmap.c"

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
    # GL 4.6, 8.14.4: levels behind a base level that isn't the first. Where one of its sizes is 1, what level 0 would be can't be
    # guessed: the image has memory of its own, and nothing was made. And what was known of the levels before hid the new ones.
    (MIPMAPS, "   if (!pt)\n      return;\n\n   if (texObj->Immutable)\n",
     "   if (!pt && (texObj->Immutable || !_mesa_base_tex_image(texObj) || !_mesa_base_tex_image(texObj)->pt))\n"
     "      return;\n\n   if (texObj->Immutable)\n"),
    (MIPMAPS, "   assert(pt->nr_samples < 2);\n", "   assert(!pt || pt->nr_samples < 2);\n"),
    (MIPMAPS, "      st_finalize_texture(ctx, st->pipe, texObj, 0);\n   }\n\n   pt = texObj->pt;\n",
     "      _mesa_dirty_texobj(ctx, texObj);\n      texObj->lastLevel = lastLevel;\n"
     "      st_finalize_texture(ctx, st->pipe, texObj, 0);\n   }\n\n   pt = texObj->pt;\n"),
    (MIPMAPS, '#include "main/teximage.h"\n\n#include "pipe/p_context.h"\n',
     '#include "main/teximage.h"\n#include "main/texobj.h"\n\n#include "pipe/p_context.h"\n'),
]
