# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of shaders that come as SPIR-V (GL_ARB_gl_spirv)."""

BINARIES = "src/mesa/main/glspirv.c"
LINKER = "src/compiler/glsl/gl_nir_linker.c"

EDITS = [
    # GL_ARB_gl_spirv: gl_CullDistance is a built-in there as in GLSL. Its variable has another name, or none, so that it was
    # moved behind the clip distances and then not found: it clipped, and the clip distances were lost.
    (LINKER, "      if (!nir->options->compact_arrays) {\n         if (i > 0)\n            place_cull_distances(",
     "      if (!nir->options->compact_arrays) {\n         if (shader_program->data->spirv) {\n"
     "            nir_foreach_variable_with_modes(var, nir, nir_var_shader_in | nir_var_shader_out) {\n"
     "               if (var->data.compact && var->data.location == VARYING_SLOT_CLIP_DIST0)\n"
     "                  var->name = ralloc_strdup(var, \"gl_ClipDistance\");\n"
     "               else if (var->data.compact && var->data.location == VARYING_SLOT_CULL_DIST0)\n"
     "                  var->name = ralloc_strdup(var, \"gl_CullDistance\");\n            }\n"
     "            if (nir->info.stage < MESA_SHADER_FRAGMENT) {\n"
     "               nir->info.clip_distance_array_size = distance_outputs(nir, VARYING_SLOT_CLIP_DIST0);\n"
     "               nir->info.cull_distance_array_size = distance_outputs(nir, VARYING_SLOT_CULL_DIST0);\n            }\n         }\n"
     "         if (i > 0)\n            place_cull_distances("),
    # OpenGL 4.6, 7.2: one shader may be named twice. The module went with the first, and was used for the second.
    (BINARIES, "   p_atomic_set(&module->RefCount, 0);\n", "   p_atomic_set(&module->RefCount, 1);\n"),
    (BINARIES, "      ralloc_free(sh->ir);\n      sh->ir = NULL;\n   }\n}\n",
     "      ralloc_free(sh->ir);\n      sh->ir = NULL;\n   }\n   _mesa_spirv_module_reference(&module, NULL);\n}\n"),
]
