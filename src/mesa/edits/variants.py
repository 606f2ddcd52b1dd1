# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits for what old GL state makes of programs: the driver remembers it, and it is built when a program is linked or a
context is made."""

PROGRAM = "src/mesa/state_tracker/st_program.c"

PROGRAM_H = "src/mesa/state_tracker/st_program.h"

CONTEXT = "src/mesa/state_tracker/st_context.c"

FRAGMENT = "src/mesa/main/ff_fragment_shader.c"

VERTEX = "src/mesa/main/ffvertex_prog.c"

SLOT = '#include "gallium/drivers/zink/kobalt_public/kobalt/mesa_slot.h"\n'

EDITS = [
    (PROGRAM, "\nvoid\nst_serialize_nir(struct gl_program *prog)\n{\n",
     '\n#include "gallium/drivers/zink/kobalt/mesa/known_variants.h"\n\n'
     "void\nst_serialize_nir(struct gl_program *prog)\n{\n"),
    (PROGRAM, "   return st_precompile_shader_variant(st, prog, report_compile_error);\n",
     "   char *error = st_precompile_shader_variant(st, prog, report_compile_error);\n"
     "   if (!error)\n      kobalt_build_known_variants(st, prog);\n   return error;\n"),
    (PROGRAM, "/**\n * Find/create a vertex program variant.\n */\n",
     "static void\nkobalt_note_variant(struct st_context *st, const struct gl_program *prog,\n"
     "                    const void *key, size_t size, bool common);\n\n"
     "/**\n * Find/create a vertex program variant.\n */\n"),
    (PROGRAM, "                          key->gl_clamp[0] || key->gl_clamp[1] || key->gl_clamp[2] ? \"GL_CLAMP,\" : \"\");\n      }\n",
     "                          key->gl_clamp[0] || key->gl_clamp[1] || key->gl_clamp[2] ? \"GL_CLAMP,\" : \"\");\n"
     "         if (!key->is_draw_shader)\n            kobalt_note_variant(st, prog, key, sizeof(*key), true);\n      }\n"),
    (PROGRAM, "                          \"depth_textures=\", key->depth_textures);\n      }\n",
     "                          \"depth_textures=\", key->depth_textures);\n"
     "         kobalt_note_variant(st, fp, key, sizeof(*key), !key->bitmap && !key->drawpixels);\n      }\n"),
    # Not known yet where the variant is made in advance; the format that comes second has its texels in alpha.
    (PROGRAM, "      options.swizzle_xxxx = st->bitmap.tex_format == PIPE_FORMAT_R8_UNORM;\n",
     "      options.swizzle_xxxx = st->bitmap.tex_format != PIPE_FORMAT_A8_UNORM;\n"),
    (PROGRAM_H, "   /** st_context from the shader key */\n",
     "   /** made in advance, and no draw has asked for it yet */\n   bool undrawn;\n\n"
     "   /** st_context from the shader key */\n"),
    *[(PROGRAM, "      if (memcmp(&%s->key, key, sizeof(*key)) == 0) {\n" % variant,
       "      if (memcmp(&%s->key, key, sizeof(*key)) == 0) {\n" % variant +
       "         if (unlikely(%s->base.undrawn)) {\n            %s->base.undrawn = false;\n" % (variant, variant) +
       "            kobalt_note_variant(st, %s, key, sizeof(*key), %s);\n         }\n" % (program, common))
      for variant, program, common in (("v", "prog", "true"), ("fpv", "fp", "!key->bitmap && !key->drawpixels"))],
    # Which planes a variant clips with is the program's matter: one in GLSL has eye coordinates, also while another
    # program is the current one, as it is when variants are made with the link.
    (PROGRAM, "          unsigned ucp_enables,\n          struct gl_program_parameter_list *params)\n",
     "          unsigned ucp_enables,\n          struct gl_program_parameter_list *params,\n          bool use_eye)\n"),
    (PROGRAM, "      bool use_eye = st->ctx->_Shader->CurrentProgram[MESA_SHADER_VERTEX] != NULL;\n", ""),
    (PROGRAM, "      lower_ucp(st, state.ir.nir, key->lower_ucp, params);\n",
     "      lower_ucp(st, state.ir.nir, key->lower_ucp, params, prog->shader_program != NULL);\n"),
    # Programs of the fixed function.
    (FRAGMENT, "/**\n * Return a fragment program which implements the current\n",
     SLOT + "\nstatic struct gl_program *\nfixed_func_fragment_program(struct gl_context *ctx, struct state_key *key,\n"
     "                            GLuint keySize)\n{\n"
     "   struct gl_program *prog = ctx->Driver.NewProgram(ctx, MESA_SHADER_FRAGMENT, 0, false);\n"
     "   if (!prog)\n      return NULL;\n\n"
     "   const struct nir_shader_compiler_options *options =\n"
     "      st_get_nir_compiler_options(ctx->st, MESA_SHADER_FRAGMENT);\n\n"
     "   prog->state.type = PIPE_SHADER_IR_NIR;\n   prog->nir = create_new_program(key, prog, options);\n\n"
     "   prog->SamplersUsed = prog->nir->info.samplers_used[0];\n\n"
     "   /* default mapping from samplers to texture units */\n"
     "   for (unsigned i = 0; i < MAX_SAMPLERS; i++)\n      prog->SamplerUnits[i] = i;\n\n"
     "   st_program_string_notify(ctx, GL_FRAGMENT_PROGRAM_ARB, prog);\n\n"
     "   _mesa_program_cache_insert(ctx, ctx->FragmentProgram.Cache, key, keySize, prog);\n   return prog;\n}\n\n"
     "static void\nbuild_known_fragment_program(void *data, const void *bytes, size_t size)\n{\n"
     "   struct gl_context *ctx = data;\n   struct state_key key;\n"
     "   const size_t fixed = sizeof(key) - sizeof(key.unit);\n\n"
     "   memset(&key, 0, sizeof(key));\n"
     "   if (size < fixed || size > sizeof(key))\n      return;\n"
     "   memcpy(&key, bytes, size);\n"
     "   if (size != fixed + key.nr_enabled_units * sizeof(key.unit[0]) ||\n"
     "       _mesa_search_program_cache(ctx->FragmentProgram.Cache, &key, size))\n      return;\n"
     "   struct gl_program *prog = fixed_func_fragment_program(ctx, &key, size);\n"
     "   if (prog)\n      st_link_alone(ctx->st, prog);\n}\n\n"
     "void\n_mesa_build_known_fixed_func_fragment_programs(struct gl_context *ctx)\n{\n"
     "   kobalt_recall_fixed_programs(ctx->screen, MESA_SHADER_FRAGMENT, build_known_fragment_program, ctx);\n}\n\n"
     "/**\n * Return a fragment program which implements the current\n"),
    (FRAGMENT, """      prog = ctx->Driver.NewProgram(ctx, MESA_SHADER_FRAGMENT, 0, false);
      if (!prog)
         return NULL;

      const struct nir_shader_compiler_options *options =
         st_get_nir_compiler_options(ctx->st, MESA_SHADER_FRAGMENT);

      nir_shader *s =
         create_new_program(&key, prog, options);

      prog->state.type = PIPE_SHADER_IR_NIR;
      prog->nir = s;

      prog->SamplersUsed = s->info.samplers_used[0];

      /* default mapping from samplers to texture units */
      for (unsigned i = 0; i < MAX_SAMPLERS; i++)
         prog->SamplerUnits[i] = i;

      st_program_string_notify(ctx, GL_FRAGMENT_PROGRAM_ARB, prog);

      _mesa_program_cache_insert(ctx, ctx->FragmentProgram.Cache,
                                 &key, keySize, prog);
""", """      prog = fixed_func_fragment_program(ctx, &key, keySize);
      kobalt_remember_fixed_program(ctx->screen, MESA_SHADER_FRAGMENT, &key, keySize);
"""),
    (VERTEX, "/**\n * Return a vertex program which implements the current fixed-function\n",
     SLOT + "\nstatic struct gl_program *\nfixed_func_vertex_program(struct gl_context *ctx, const struct state_key *key)\n{\n"
     "   struct gl_program *prog = ctx->Driver.NewProgram(ctx, MESA_SHADER_VERTEX, 0, false);\n"
     "   if (!prog)\n      return NULL;\n\n"
     "   const struct nir_shader_compiler_options *options =\n"
     "      st_get_nir_compiler_options(ctx->st, MESA_SHADER_VERTEX);\n\n"
     "   prog->state.type = PIPE_SHADER_IR_NIR;\n"
     "   prog->nir = create_new_program(key, prog, ctx->Const.ShaderCompilerOptions[MESA_SHADER_VERTEX].OptimizeForAOS,\n"
     "                                  options);\n\n"
     "   st_program_string_notify(ctx, GL_VERTEX_PROGRAM_ARB, prog);\n\n"
     "   _mesa_program_cache_insert(ctx, ctx->VertexProgram.Cache, key, sizeof(*key), prog);\n   return prog;\n}\n\n"
     "static void\nbuild_known_vertex_program(void *data, const void *bytes, size_t size)\n{\n"
     "   struct gl_context *ctx = data;\n   struct state_key key;\n\n"
     "   if (size != sizeof(key))\n      return;\n"
     "   memcpy(&key, bytes, size);\n"
     "   if (_mesa_search_program_cache(ctx->VertexProgram.Cache, &key, size))\n      return;\n"
     "   struct gl_program *prog = fixed_func_vertex_program(ctx, &key);\n"
     "   if (prog)\n      st_link_alone(ctx->st, prog);\n}\n\n"
     "void\n_mesa_build_known_fixed_func_vertex_programs(struct gl_context *ctx)\n{\n"
     "   kobalt_recall_fixed_programs(ctx->screen, MESA_SHADER_VERTEX, build_known_vertex_program, ctx);\n}\n\n"
     "/**\n * Return a vertex program which implements the current fixed-function\n"),
    (VERTEX, """      prog = ctx->Driver.NewProgram(ctx, MESA_SHADER_VERTEX, 0, false);
      if (!prog)
         return NULL;

      const struct nir_shader_compiler_options *options =
         st_get_nir_compiler_options(ctx->st, MESA_SHADER_VERTEX);

      nir_shader *s =
         create_new_program( &key, prog,
                             ctx->Const.ShaderCompilerOptions[MESA_SHADER_VERTEX].OptimizeForAOS,
                             options);

      prog->state.type = PIPE_SHADER_IR_NIR;
      prog->nir = s;

      st_program_string_notify(ctx, GL_VERTEX_PROGRAM_ARB, prog);

      _mesa_program_cache_insert(ctx, ctx->VertexProgram.Cache, &key,
                                 sizeof(key), prog);
""", """      prog = fixed_func_vertex_program(ctx, &key);
      kobalt_remember_fixed_program(ctx->screen, MESA_SHADER_VERTEX, &key, sizeof(key));
"""),
    ("src/mesa/main/ffvertex_prog.h", "_mesa_get_fixed_func_vertex_program(struct gl_context *ctx);\n",
     "_mesa_get_fixed_func_vertex_program(struct gl_context *ctx);\n\n"
     "void\n_mesa_build_known_fixed_func_vertex_programs(struct gl_context *ctx);\n"),
    ("src/mesa/main/texenvprogram.h", "_mesa_get_fixed_func_fragment_program(struct gl_context *ctx);\n",
     "_mesa_get_fixed_func_fragment_program(struct gl_context *ctx);\n\n"
     "extern void\n_mesa_build_known_fixed_func_fragment_programs(struct gl_context *ctx);\n"),
    (PROGRAM_H, "void *\nst_create_nir_shader(", "void\nst_link_alone(struct st_context *st, struct gl_program *prog);\n\n"
     "void *\nst_create_nir_shader("),
    (CONTEXT, '#include "main/debug_output.h"\n', '#include "main/debug_output.h"\n#include "main/ffvertex_prog.h"\n'),
    (CONTEXT, '#include "main/state.h"\n', '#include "main/state.h"\n#include "main/texenvprogram.h"\n'),
    (CONTEXT, "      _mesa_free_context_data(ctx, true);\n      align_free(ctx);\n   }\n\n   return st;\n",
     "      _mesa_free_context_data(ctx, true);\n      align_free(ctx);\n      return NULL;\n   }\n"
     "   if (_mesa_is_desktop_gl_compat(ctx) || _mesa_is_gles1(ctx)) {\n"
     "      _mesa_build_known_fixed_func_vertex_programs(ctx);\n"
     "      _mesa_build_known_fixed_func_fragment_programs(ctx);\n   }\n\n   return st;\n"),
]
