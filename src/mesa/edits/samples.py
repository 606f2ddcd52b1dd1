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
]
