# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of sampling: textures that are drawn to with more samples than they have
(GL_EXT_multisampled_render_to_texture), and sample shading."""

FBOBJECT = "src/mesa/main/fbobject.c"

MULTISAMPLE = "src/mesa/main/multisample.c"

EDITS = [
    # The driver builds a program for glMinSampleShading when it is linked, if it knows that the app uses that.
    (MULTISAMPLE, '#include "state_tracker/st_util.h"\n',
     '#include "state_tracker/st_util.h"\n'
     '#include "gallium/drivers/zink/kobalt_public/kobalt/mesa_slot.h"\n'),
    (MULTISAMPLE, "   ctx->Multisample.MinSampleShadingValue = value;\n",
     "   ctx->Multisample.MinSampleShadingValue = value;\n"
     "   if (ctx->Multisample.SampleShading && value > 0)\n      kobalt_note_sample_shading(ctx->screen);\n"),
    ("src/mesa/main/enable.c", '#include "state_tracker/st_context.h"\n',
     '#include "state_tracker/st_context.h"\n'
     '#include "gallium/drivers/zink/kobalt_public/kobalt/mesa_slot.h"\n'),
    ("src/mesa/main/enable.c", "         ctx->Multisample.SampleShading = state;\n",
     "         ctx->Multisample.SampleShading = state;\n"
     "         if (state && ctx->Multisample.MinSampleShadingValue > 0)\n"
     "            kobalt_note_sample_shading(ctx->screen);\n"),
    # What isn't between 0 and MAX_SAMPLES is INVALID_VALUE; it was attached, and drawn to with as many. And
    # TEXTURE_SAMPLES_EXT is a count that there is, as that of a renderbuffer beside the texture, which has to match.
    (FBOBJECT,
     "void GLAPIENTRY\n_mesa_FramebufferTexture2DMultisampleEXT(GLenum target, GLenum attachment,\n"
     "                                         GLenum textarget, GLuint texture,\n"
     "                                         GLint level, GLsizei samples)\n{\n",
     "/* The next count that there is, from two on, as for renderbuffers. */\n"
     "static GLsizei\nimplicit_samples(struct gl_context *ctx, GLsizei samples)\n{\n"
     "   struct pipe_screen *screen = ctx->screen;\n\n"
     "   for (GLsizei i = MAX2(samples, 2); samples > 0 && i <= (GLsizei)ctx->Const.MaxSamples; i++) {\n"
     "      if (screen->is_format_supported(screen, PIPE_FORMAT_R8G8B8A8_UNORM, PIPE_TEXTURE_2D, i, i,\n"
     "                                      PIPE_BIND_RENDER_TARGET))\n         return i;\n   }\n"
     "   return samples;\n}\n\n\n"
     "void GLAPIENTRY\n_mesa_FramebufferTexture2DMultisampleEXT(GLenum target, GLenum attachment,\n"
     "                                         GLenum textarget, GLuint texture,\n"
     "                                         GLint level, GLsizei samples)\n{\n"
     "   GET_CURRENT_CONTEXT(ctx);\n\n"
     "   if (samples < 0 || samples > (GLsizei)ctx->Const.MaxSamples) {\n"
     "      _mesa_error(ctx, GL_INVALID_VALUE,\n"
     "                  \"glFramebufferTexture2DMultisampleEXT(samples=%d)\", samples);\n      return;\n   }\n"
     "   samples = implicit_samples(ctx, samples);\n"),
    (FBOBJECT,
     "         if (samples > ctx->Const.MaxSamples) {\n"
     "            _mesa_error(ctx, GL_INVALID_VALUE, \"%s(invalid sample count %u)\",\n"
     "                        func, samples);\n         }\n"
     "         if (samples > ctx->Const.MaxFramebufferSamples) {\n"
     "            _mesa_error(ctx, GL_INVALID_OPERATION, \"%s(invalid sample count %u)\",\n"
     "                        func, samples);\n         }\n",
     "         if (samples < 0 || samples > (GLsizei)ctx->Const.MaxSamples) {\n"
     "            _mesa_error(ctx, GL_INVALID_VALUE, \"%s(invalid sample count %d)\",\n"
     "                        func, samples);\n            return;\n         }\n"
     "         samples = implicit_samples(ctx, samples);\n"),
    # "The number of texture samples must be less than or equal to the maximum number of samples supported for the
    # internal format."
    (FBOBJECT,
     "   valid = screen->is_format_supported(screen, format,\n"
     "                                       PIPE_TEXTURE_2D,\n"
     "                                       stObj->pt->nr_samples,\n"
     "                                       stObj->pt->nr_storage_samples,\n",
     "   valid = screen->is_format_supported(screen, format,\n"
     "                                       PIPE_TEXTURE_2D,\n"
     "                                       MAX2(stObj->pt->nr_samples, att->NumSamples),\n"
     "                                       MAX2(stObj->pt->nr_storage_samples, att->NumSamples),\n"),
    # Without a colour buffer to read from, what is read is depth or stencil; the attachment before the first was
    # looked at.
    ("src/mesa/main/framebuffer.c",
     "   if (fb->_ColorReadBufferIndex) {\n",
     "   if (fb->_ColorReadBufferIndex != BUFFER_NONE) {\n"),
    # A count that there is was raised to the next one: a framebuffer whose other attachments are renderbuffers then
    # had two. And cube maps had what the app asked for, whether there is such a count or not.
    ("src/mesa/main/renderbuffer.c",
     "      for (unsigned i = rb->rtt_nr_samples + 1; i <= ctx->Const.MaxFramebufferSamples; i++) {\n"
     "         if (!ctx->st->screen->is_format_supported(ctx->st->screen, format, resource->target, i, i, "
     "resource->bind))\n",
     "      for (unsigned i = rb->rtt_nr_samples; i <= ctx->Const.MaxFramebufferSamples; i++) {\n"
     "         if (!ctx->st->screen->is_format_supported(ctx->st->screen, format, PIPE_TEXTURE_2D, i, i,\n"
     "                                                   resource->bind & (PIPE_BIND_RENDER_TARGET |\n"
     "                                                                     PIPE_BIND_DEPTH_STENCIL)))\n"),
    # GL_EXT_multisampled_render_to_texture, Interactions with OpenGL ES 3.0: what RenderbufferStorageMultisampleEXT made is
    # read and copied from as if it had one sample. The name was another one for the core's, whose storage isn't.
    ("src/mapi/glapi/gen/EXT_framebuffer_object.xml",
     '<function name="RenderbufferStorageMultisampleEXT" alias="RenderbufferStorageMultisample">',
     '<function name="RenderbufferStorageMultisampleEXT" es2="2.0">'),
    ("src/mapi/glapi/gen/static_data.py", '    "FramebufferTextureMultisampleMultiviewOVR": 1677,\n',
     '    "FramebufferTextureMultisampleMultiviewOVR": 1677,\n    "RenderbufferStorageMultisampleEXT": 1678,\n'),
    ("src/mesa/main/mtypes.h", "   GLubyte NumSamples;    /**< zero means not multisampled */\n   GLubyte NumStorageSamples; /**< for AMD_framebuffer_multisample_advanced */\n",
     "   GLubyte NumSamples;    /**< zero means not multisampled */\n   GLubyte NumStorageSamples; /**< for AMD_framebuffer_multisample_advanced */\n"
     "   bool has_implicit_samples; /**< made by glRenderbufferStorageMultisampleEXT of OpenGL ES */\n"),
    (FBOBJECT, "   FLUSH_VERTICES(ctx, _NEW_BUFFERS, 0);\n\n   if (!rb->shares_image &&",
     "   FLUSH_VERTICES(ctx, _NEW_BUFFERS, 0);\n   rb->has_implicit_samples = false;\n\n   if (!rb->shares_image &&"),
    (FBOBJECT, "void GLAPIENTRY\n_mesa_RenderbufferStorageMultisampleAdvancedAMD(\n",
     "void GLAPIENTRY\n_mesa_RenderbufferStorageMultisampleEXT(GLenum target, GLsizei samples,\n"
     "                                        GLenum internalFormat,\n"
     "                                        GLsizei width, GLsizei height)\n{\n"
     "   GET_CURRENT_CONTEXT(ctx);\n   struct gl_renderbuffer *rb = ctx->CurrentRenderbuffer;\n"
     "   const bool before = rb && rb->has_implicit_samples;\n\n"
     "   /* Whatever storage the renderbuffer gets, the mark goes with the former one. */\n"
     "   if (rb)\n      rb->has_implicit_samples = true;\n"
     "   renderbuffer_storage_target(target, internalFormat, width, height,\n"
     "                               samples, samples,\n"
     "                               \"glRenderbufferStorageMultisampleEXT\");\n"
     "   if (rb)\n      rb->has_implicit_samples = rb->has_implicit_samples ? before : _mesa_is_gles(ctx) && samples > 0;\n}\n\n\n"
     "void GLAPIENTRY\n_mesa_RenderbufferStorageMultisampleAdvancedAMD(\n"),
    ("src/mesa/main/framebuffer.c", "extern bool\n_mesa_has_rtt_samples(",
     "static bool\nhas_implicit_samples(const struct gl_renderbuffer_attachment *att)\n{\n"
     "   return att->NumSamples > 0 || (att->Type == GL_RENDERBUFFER && att->Renderbuffer->has_implicit_samples);\n}\n\n"
     "extern bool\n_mesa_has_rtt_samples("),
    *[("src/mesa/main/framebuffer.c", f"      return fb->Attachment[{which}].NumSamples > 0;\n",
       f"      return has_implicit_samples(&fb->Attachment[{which}]);\n")
      for which in ("fb->_ColorReadBufferIndex", "BUFFER_DEPTH", "BUFFER_STENCIL")],
]
