# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what the shader cache knows of shaders."""

PARSER = "src/compiler/glsl/glsl_parser_extras.cpp"

EDITS = [
    # OpenGL 4.6, 7.1: COMPILE_STATUS is TRUE if the shader was compiled without errors. A text that the cache had seen
    # compile was taken for good in any stage, version and profile, with whatever extensions, and linking it there ended
    # the program.
    (PARSER, "         disk_cache_compute_key(ctx->Cache, source, strlen(source),\n                                shader->disk_cache_sha1);\n",
     "         const uint32_t judge[] = { (uint32_t)shader->Stage, (uint32_t)ctx->API, ctx->Version,\n"
     "                                    ctx->Const.GLSLVersion, ctx->Const.GLSLVersionCompat };\n"
     "         struct mesa_blake3 judged;\n"
     "         blake3_hash digest;\n"
     "         _mesa_blake3_init(&judged);\n"
     "         _mesa_blake3_update(&judged, judge, sizeof(judge));\n"
     "         _mesa_blake3_update(&judged, &ctx->Extensions, sizeof(ctx->Extensions));\n"
     "         _mesa_blake3_update(&judged, source, strlen(source));\n"
     "         _mesa_blake3_final(&judged, digest);\n"
     "         disk_cache_compute_key(ctx->Cache, digest, sizeof(digest),\n                                shader->disk_cache_sha1);\n"),
    # Those that one context took from the cache are compiled where another one links them, and may be wrong there.
    ("src/compiler/glsl/shader_cache.cpp", '#include "shader_cache.h"\n', '#include "linker_util.h"\n#include "shader_cache.h"\n'),
    ("src/compiler/glsl/shader_cache.cpp",
     "      _mesa_glsl_compile_shader(ctx, prog->Shaders[i], NULL,\n                                false, false, true);\n",
     "      _mesa_glsl_compile_shader(ctx, prog->Shaders[i], NULL,\n                                false, false, true);\n"
     "      if (prog->Shaders[i]->CompileStatus == COMPILE_FAILURE)\n"
     "         linker_error(prog, \"a shader does not compile in the context that links it\\n\");\n"),
]
