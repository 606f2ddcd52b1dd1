# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits that take work out of calls that come with nearly every draw."""

CSO = "src/gallium/auxiliary/cso_cache/cso_context.c"

EDITS = [
    # The driver gathers the references to index buffers that come with the draws: dropping each alone waits for the
    # application's thread, which takes the next one.
    ("src/gallium/auxiliary/util/u_threaded_context.c",
     "   first->info.take_index_buffer_ownership = false;\n\n"
     "   pipe->draw_vbo(pipe, &first->info, 0, NULL, &draw, 1);\n"
     "   if (first->info.index_size)\n"
     "      tc_drop_resource_reference(first->info.index.resource);\n\n"
     "   return call_size(tc_draw_single);",
     "   first->info.take_index_buffer_ownership = true;\n\n"
     "   pipe->draw_vbo(pipe, &first->info, 0, NULL, &draw, 1);\n\n"
     "   return call_size(tc_draw_single);"),
    # A uniform buffer bound anew made all others of the program be bound again, in each stage. Each event of binding has
    # a number: what the driver has bound since the same one, with the same storage, stays.
    ("src/mesa/main/mtypes.h",
     "    * limited by the current size of the BufferObject.\n    */\n   GLboolean AutomaticSize;\n};\n",
     "    * limited by the current size of the BufferObject.\n    */\n   GLboolean AutomaticSize;\n"
     "   /** gl_context::BufferBindingEvents when it was set */\n   unsigned Event;\n};\n"),
    ("src/mesa/main/mtypes.h",
     "      UniformBufferBindings[MAX_COMBINED_UNIFORM_BUFFERS];\n",
     "      UniformBufferBindings[MAX_COMBINED_UNIFORM_BUFFERS];\n"
     "   unsigned BufferBindingEvents;\n"),
    ("src/mesa/main/bufferobj.c",
     "   binding->AutomaticSize = autoSize;\n\n   /* If this is a real buffer object",
     "   binding->AutomaticSize = autoSize;\n   binding->Event = ++ctx->BufferBindingEvents;\n\n"
     "   /* If this is a real buffer object"),
    ("src/mesa/state_tracker/st_context.h",
     "      unsigned constbuf0_enabled_shader_mask;\n",
     "      unsigned constbuf0_enabled_shader_mask;\n"
     "      struct {\n"
     "         unsigned event; /* of the gl_buffer_binding */\n"
     "         struct pipe_resource *buffer; /* referenced by the driver */\n"
     "      } ubos[PIPE_SHADER_TYPES][PIPE_MAX_CONSTANT_BUFFERS];\n"),
    ("src/mesa/state_tracker/st_atom_constbuf.c",
     "         &st->ctx->UniformBufferBindings[prog->sh.UniformBlocks[i]->Binding];\n",
     "         &st->ctx->UniformBufferBindings[prog->sh.UniformBlocks[i]->Binding];\n\n"
     "      struct pipe_resource *storage = binding->BufferObject ? binding->BufferObject->buffer : NULL;\n"
     "      if (st->state.ubos[shader_type][i].event == binding->Event &&\n"
     "          st->state.ubos[shader_type][i].buffer == storage)\n"
     "         continue;\n"
     "      st->state.ubos[shader_type][i].event = binding->Event;\n"
     "      st->state.ubos[shader_type][i].buffer = storage;\n"),
    # A sampler that is bound was looked up by a hash of its state, and all were bound again, whenever a texture changed.
    (CSO,
     "   struct cso_sampler *cso = set_sampler(ctx, shader_stage, idx, templ, size);\n",
     "   struct cso_sampler *cso = ctx->samplers[shader_stage].cso_samplers[idx];\n"
     "   if (cso && !memcmp(&cso->state, templ, size))\n      return true;\n\n"
     "   cso = set_sampler(ctx, shader_stage, idx, templ, size);\n   ctx->samplers_changed = true;\n"),
    (CSO,
     "          !memcmp(templates[i], templates[last],\n                  key_size)) {\n",
     "          !memcmp(templates[i], templates[last],\n                  key_size)) {\n"
     "         ctx->samplers_changed |= ctx->samplers[shader_stage].cso_samplers[i] !=\n"
     "                                  ctx->samplers[shader_stage].cso_samplers[last];\n"),
    (CSO,
     "   int last;\n\n   /* ensure sampler size is a constant for memcmp */\n",
     "   int last;\n\n   ctx->samplers_changed = false;\n   /* ensure sampler size is a constant for memcmp */\n"),
    (CSO,
     "   ctx->max_sampler_seen = MAX2(ctx->max_sampler_seen, last);\n   cso_single_sampler_done",
     "   /* else some wait for cso_single_sampler_done() */\n"
     "   if (!ctx->samplers_changed && ctx->max_sampler_seen == -1)\n      return;\n\n"
     "   ctx->max_sampler_seen = MAX2(ctx->max_sampler_seen, last);\n   cso_single_sampler_done"),
    (CSO,
     "   bool sampler_format;\n",
     "   bool sampler_format;\n   bool samplers_changed; /* by cso_set_samplers() so far */\n"),
    # A few calls take less time than it takes to wake the thread for them, and to be woken where the application then
    # waits for what it flushed. Not those that compile programs.
    ("src/mapi/glapi/gen/gl_API.xml",
     "marshal_call_after=\"_mesa_glthread_flush_batch(ctx); if (ctx->Shared->HasExternallySharedImages) "
     "_mesa_glthread_finish(ctx);\">",
     "marshal_call_after=\"_mesa_glthread_flush(ctx); if (ctx->Shared->HasExternallySharedImages) "
     "_mesa_glthread_finish(ctx);\">"),
    ("src/mesa/main/glthread.h",
     "void _mesa_glthread_flush_batch(struct gl_context *ctx);\n",
     "void _mesa_glthread_flush_batch(struct gl_context *ctx);\nvoid _mesa_glthread_flush(struct gl_context *ctx);\n"),
    ("src/mesa/main/glthread.c",
     "/**\n * Waits for all pending batches have been unmarshaled.\n",
     "/* For glFlush. */\nvoid\n_mesa_glthread_flush(struct gl_context *ctx)\n{\n"
     "   struct glthread_state *glthread = &ctx->GLThread;\n"
     "   const unsigned few = 64; /* of 8 bytes */\n\n"
     "   if (glthread->enabled && glthread->used <= few &&\n"
     "       glthread->LastProgramChangeBatch != glthread->next &&\n"
     "       util_queue_fence_is_signalled(&glthread->batches[glthread->last].fence))\n"
     "      _mesa_glthread_finish(ctx);\n"
     "   else\n"
     "      _mesa_glthread_flush_batch(ctx);\n}\n\n"
     "/**\n * Waits for all pending batches have been unmarshaled.\n"),
    # The table of textures can be read without its lock, which keeps two contexts from making the same object.
    ("src/mesa/main/texobj.c",
     "      _mesa_HashLockMutex(&ctx->Shared->TexObjects);\n\n      /* non-default texture object */\n"
     "      newTexObj = _mesa_lookup_texture_locked(ctx, texName);\n      if (newTexObj) {\n"
     "         _mesa_HashUnlockMutex(&ctx->Shared->TexObjects);\n\n",
     "      /* non-default texture object */\n"
     "      newTexObj = _mesa_lookup_texture_locked(ctx, texName);\n      if (!newTexObj) {\n"
     "         _mesa_HashLockMutex(&ctx->Shared->TexObjects);\n"
     "         newTexObj = _mesa_lookup_texture_locked(ctx, texName);\n         if (newTexObj)\n"
     "            _mesa_HashUnlockMutex(&ctx->Shared->TexObjects);\n      }\n      if (newTexObj) {\n"),
]
