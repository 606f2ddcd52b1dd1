# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of texture and image handles (ARB_bindless_texture)."""

UNIFORMS = "src/mesa/main/uniform_query.cpp"

EDITS = [
    # "Accepted by the <type> parameter of VertexAttribLPointer: UNSIGNED_INT64_ARB": it was an error.
    ("src/mesa/main/varray.c", "   case GL_DOUBLE:\n      return DOUBLE_BIT;\n",
     "   case GL_DOUBLE:\n      return DOUBLE_BIT;\n   case GL_UNSIGNED_INT64_ARB:\n      return UNSIGNED_INT64_BIT;\n"),
    # GL 4.6, 7.6.1: glUniform1i of an element of an array of such samplers. Elements were counted in words, and are handles
    # of two.
    (UNIFORMS, "            uni->driver_storage[s].data + (size_mul * offset * dword_components);\n",
     "            uni->driver_storage[s].data + (handle_mul * size_mul * offset * dword_components);\n"),
    (UNIFORMS, "      storage = &uni->storage[size_mul * components * offset];\n      if (copy_uniforms_to_storage(storage, uni, ctx, count, values, size_mul,\n",
     "      storage = &uni->storage[handle_mul * size_mul * components * offset];\n      if (copy_uniforms_to_storage(storage, uni, ctx, count, values, size_mul,\n"),
    (UNIFORMS, "   int size_mul = glsl_base_type_is_64bit(basicType) ? 2 : 1;\n\n   struct gl_uniform_storage *uni;\n",
     "   int size_mul = glsl_base_type_is_64bit(basicType) ? 2 : 1;\n   unsigned handle_mul = 1;\n\n   struct gl_uniform_storage *uni;\n"),
    (UNIFORMS, "   gl_constant_value *storage;\n   if (ctx->Const.PackedDriverUniformStorage &&\n       (uni->is_bindless ||",
     "   gl_constant_value *storage;\n   if (size_mul == 1 && uni->is_bindless &&\n"
     "       (glsl_type_is_sampler(uni->type) || glsl_type_is_image(uni->type)))\n      handle_mul = 2;\n"
     "   if (ctx->Const.PackedDriverUniformStorage &&\n       (uni->is_bindless ||"),
    # They come as floats do, not as integers do, and had no format there.
    ("src/mesa/main/varray.c",
     "   { /* GL_UNSIGNED_INT64_ARB | (doubles << 5) (doubles is always true) */\n     {0},\n     {0},\n     {\n",
     "   { /* GL_UNSIGNED_INT64_ARB | (doubles << 5) (doubles is always true) */\n     {\n"),
    # Elements of an array that are bound to units: a handle has two words of packed uniforms, and four of others. Those behind the
    # first were written over what lies behind.
    (UNIFORMS, "                  prog->sh.BindlessSamplers[unit].data =\n                     &params->ParameterValues[pvo] + 4 * j;\n",
     "                  prog->sh.BindlessSamplers[unit].data =\n                     &params->ParameterValues[pvo] + handle_words * j;\n"),
    (UNIFORMS, "                  prog->sh.BindlessImages[unit].data =\n                     &params->ParameterValues[pvo] + 4 * j;\n",
     "                  prog->sh.BindlessImages[unit].data =\n                     &params->ParameterValues[pvo] + handle_words * j;\n"),
    (UNIFORMS, "            unsigned array_elements = MAX2(1, storage->array_elements);\n\n            for (unsigned j = 0; j < array_elements; ++j) {\n               unsigned unit = storage->opaque[shader_type].index + j;\n",
     "            unsigned array_elements = MAX2(1, storage->array_elements);\n"
     "            const unsigned handle_words = ctx->Const.PackedDriverUniformStorage ? 2 : 4;\n\n"
     "            for (unsigned j = 0; j < array_elements; ++j) {\n               unsigned unit = storage->opaque[shader_type].index + j;\n"),
]
