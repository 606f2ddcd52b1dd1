# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of which image of a texture it is that is copied, read or written."""

BLIT = "src/mesa/main/blit.c"
ST_TEXTURE = "src/mesa/state_tracker/st_cb_texture.c"

EDITS = [
    # GL 4.6, 8.9 and 8.26: an image unit has the texture, so it follows the range of the buffer that the texture gets.
    ("src/mesa/main/teximage.c", "   ctx->NewDriverState |= ST_NEW_SAMPLER_VIEWS;\n",
     "   ctx->NewDriverState |= ST_NEW_SAMPLER_VIEWS | ST_NEW_IMAGE_UNITS;\n"),
    # GL 4.6, 9.4.1: the image that is attached needs no other one. glBlitFramebuffer looked at the first level of the first
    # face, which may not be there.
    (BLIT,
     "         src_base_fmt = srcObj->Image[0][0]->_BaseFormat;\n",
     "         src_base_fmt = readFB->_ColorReadBuffer->_BaseFormat;\n"),
    # Where the levels that would be sampled don't fit, the image that is attached stays in a storage of its own.
    (BLIT,
     "         if (!ctx->Color.sRGBEnabled)\n            blit.src.format = util_format_linear(blit.src.format);\n",
     "         struct gl_texture_image *srcImage = readFB->_ColorReadBuffer->TexImage;\n"
     "         if (srcImage->pt && srcImage->pt != srcObj->pt) {\n"
     "            blit.src.resource = srcImage->pt;\n"
     "            blit.src.level = st_texture_image_resource_level(srcImage);\n"
     "            blit.src.format = srcImage->pt->format;\n         }\n\n"
     "         if (!ctx->Color.sRGBEnabled)\n            blit.src.format = util_format_linear(blit.src.format);\n"),
    # GL 4.6, 18.3.1, and ES 3.2, 16.2.1: components that one draw buffer lacks are not lost to those behind it.
    (BLIT,
     "               if (dst_base_fmt != src_base_fmt) {\n",
     "               blit.swizzle_enable = false;\n               if (dst_base_fmt != src_base_fmt) {\n"),
    # Nor to the depths and stencil indices behind them, which shaders take from samples as they take colours.
    (BLIT, "   if (mask & depthStencil) {\n      /* depth and/or stencil blit */\n",
     "   if (mask & depthStencil) {\n      blit.swizzle_enable = false;\n\n      /* depth and/or stencil blit */\n"),
    # ES 3.2, 16.2.1: identical buffers are the same image; each attachment of a texture has a renderbuffer of its own.
    (BLIT,
     "/**\n * \\return true if two regions overlap, false otherwise\n */\n",
     "static bool\nare_identical(const struct gl_framebuffer *fb, const struct gl_renderbuffer *rb,\n"
     "              const struct gl_framebuffer *other_fb, const struct gl_renderbuffer *other)\n{\n"
     "   if (rb == other || !rb->TexImage || rb->TexImage != other->TexImage)\n      return rb == other;\n\n"
     "   const struct gl_renderbuffer_attachment *att = find_attachment(fb, rb);\n"
     "   const struct gl_renderbuffer_attachment *other_att = find_attachment(other_fb, other);\n"
     "   return att && other_att && att->Zoffset == other_att->Zoffset;\n}\n\n\n"
     "/**\n * \\return true if two regions overlap, false otherwise\n */\n"),
    (BLIT,
     "      if (_mesa_is_gles3(ctx) && (colorDrawRb == colorReadRb)) {\n",
     "      if (_mesa_is_gles3(ctx) && are_identical(readFb, colorReadRb, drawFb, colorDrawRb)) {\n"),
    (BLIT,
     "   if (_mesa_is_gles3(ctx) && (drawRb == readRb)) {\n",
     "   if (_mesa_is_gles3(ctx) && are_identical(readFb, readRb, drawFb, drawRb)) {\n"),
    # GL 4.6, 8.5: levels that don't fit those that are sampled stay where they are: at their own level of a former storage
    # with several, or alone in one. The former were taken for the latter, and another level read and written.
    ("src/mesa/state_tracker/st_texture.c",
     "   if (stImage->pt != stImage->TexObject->pt)\n      return 0;\n",
     "   if (stImage->pt != stImage->TexObject->pt && (!stImage->pt || stImage->pt->last_level == 0))\n      return 0;\n"),
    ("src/mesa/state_tracker/st_texture.c",
     "   if (stObj->pt != stImage->pt)\n      level = 0;\n",
     "   if (stObj->pt != stImage->pt && stImage->pt->last_level == 0)\n      level = 0;\n"),
    *[(ST_TEXTURE, f"level = stObj->pt != stImage->pt\n{indent}? 0 : {level};\n",
       f"level = stObj->pt != stImage->pt && stImage->pt->last_level == 0\n{indent}? 0 : {level};\n")
      for indent, level in (("         ", "texImage->TexObject->Attrib.MinLevel + texImage->Level"),
                            ("      ", "texImage->TexObject->Attrib.MinLevel + texImage->Level"),
                            ("      ", "texImage->Level + texImage->TexObject->Attrib.MinLevel"))],
    (ST_TEXTURE,
     "   if (stObj->pt == texImage->pt)\n      dst_level =",
     "   if (stObj->pt == texImage->pt || (dst && dst->last_level))\n      dst_level ="),
    ("src/mesa/state_tracker/st_pbo_compute.c",
     "   unsigned level = (texImage->pt != stObj->pt ? 0 : texImage->Level) +",
     "   unsigned level = (texImage->pt != stObj->pt && src->last_level == 0 ? 0 : texImage->Level) +"),
    *[("src/mesa/state_tracker/st_cb_copyimage.c",
       f"      {way}_level = stObj->pt != {way}_res ? 0 : {way}_image->Level;\n",
       f"      {way}_level = stObj->pt != {way}_res && {way}_res->last_level == 0 ? 0 : {way}_image->Level;\n")
      for way in ("src", "dst")],
    # A renderbuffer whose storage is an EGL image's is one level and one layer of a texture (OES_EGL_image,
    # glEGLImageTargetRenderbufferStorageOES); glCopyImageSubData took the first of both.
    *[("src/mesa/state_tracker/st_cb_copyimage.c",
       f"      {way}_res = {way}_renderbuffer->texture;\n      {way}_level = 0;\n",
       f"      {way}_res = {way}_renderbuffer->texture;\n"
       f"      const struct pipe_surface *surface = {way}_renderbuffer->surface;\n"
       f"      {way}_level = surface ? surface->u.tex.level : 0;\n"
       f"      {way}_z += surface ? surface->u.tex.first_layer : 0;\n")
      for way in ("src", "dst")],
    # Stencil indices that are written bit by bit come from one layer; the shader that reads them knows no arrays.
    ("src/gallium/auxiliary/util/u_blitter.c", "   src_templ.format = util_format_stencil_only(src_templ.format);\n"
     "   src_view = pipe->create_sampler_view(pipe, src, &src_templ);\n\n   /* bind states */\n",
     "   src_templ.format = util_format_stencil_only(src_templ.format);\n"
     "   if (src->target != PIPE_TEXTURE_1D && src->target != PIPE_TEXTURE_1D_ARRAY) {\n"
     "      src_templ.target = PIPE_TEXTURE_2D;\n"
     "      src_templ.u.tex.first_layer = src_templ.u.tex.last_layer = srcbox->z;\n   }\n"
     "   src_view = pipe->create_sampler_view(pipe, src, &src_templ);\n\n   /* bind states */\n"),
    # Where a destination keeps alpha alone, or beside luminance, its components are asked for by their place in memory.
    (BLIT, "                  _mesa_compute_component_mapping(src_base_fmt, dst_base_fmt, map);\n",
     "                  _mesa_compute_component_mapping(src_base_fmt, dst_base_fmt, map);\n"
     "                  if (dst_base_fmt == GL_ALPHA || dst_base_fmt == GL_LUMINANCE_ALPHA) {\n"
     "                     uint8_t rgba[6];\n"
     "                     _mesa_compute_component_mapping(src_base_fmt, GL_RGBA, rgba);\n"
     "                     map[3] = rgba[3];\n                  }\n"),
]
