# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what is set of textures, and asked for."""

TEXPARAM = "src/mesa/main/texparam.c"

EDITS = [
    # OpenGL 4.6, 8.10 and 2.2.2: a border colour of integers is a fixed-point one whose zero is zero (equation 2.2), and
    # comes back with its sign.
    *[(f"src/mesa/main/{file}", f"{name}[{i}] = INT_TO_FLOAT(params[{i}]);", f"{name}[{i}] = INT_TO_FLOAT_TEX(params[{i}]);")
      for file, name in (("texparam.c", "fparams"), ("samplerobj.c", "c")) for i in range(4)],
    (TEXPARAM,
     "            GLfloat b[4];\n            b[0] = CLAMP(",
     "            const GLfloat least = _mesa_get_clamp_fragment_color(ctx, ctx->DrawBuffer) ? 0.0F : -1.0F;\n"
     "            GLfloat b[4];\n            b[0] = CLAMP("),
    *[(TEXPARAM,
       f"            b[{i}] = CLAMP(obj->Sampler.Attrib.state.border_color.f[{i}], 0.0F, 1.0F);\n",
       f"            b[{i}] = CLAMP(obj->Sampler.Attrib.state.border_color.f[{i}], least, 1.0F);\n") for i in range(4)],
]
