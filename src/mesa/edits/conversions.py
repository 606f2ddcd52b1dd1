# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of how fixed-point components become others (GL 4.6, 2.3.5)."""

UTILS = "src/util/format/format_utils.h"
PACK = "src/mesa/main/pack.c"

NORMALS = ("/** Components of a normal in an array: packed ones have a fourth, which nobody reads. */\n"
           "static inline int\n_mesa_components_of_normals(GLenum type)\n{\n"
           "   return type == GL_INT_2_10_10_10_REV || type == GL_UNSIGNED_INT_2_10_10_10_REV ? 4 : 3;\n}\n\n")

EDITS = [
    # A float holds no largest value of 32 bits: 1.0 became the next one, which is none.
    (UTILS,
     "   else if (x > 1.0f)\n      return u_uintN_max(dst_bits);\n   else\n"
     "      return _mesa_i64roundevenf(x * u_uintN_max(dst_bits));\n",
     "   else if (x >= 1.0f)\n      return u_uintN_max(dst_bits);\n"
     "   else if (dst_bits > 16)\n      return (unsigned)_mesa_roundeven(x * (double)u_uintN_max(dst_bits));\n   else\n"
     "      return _mesa_i64roundevenf(x * u_uintN_max(dst_bits));\n"),
    (UTILS,
     "   if (x < -1.0f)\n      return -u_intN_max(dst_bits);\n   else if (x > 1.0f)\n      return u_intN_max(dst_bits);\n   else\n"
     "      return _mesa_lroundevenf(x * u_intN_max(dst_bits));\n",
     "   if (x <= -1.0f)\n      return -u_intN_max(dst_bits);\n   else if (x >= 1.0f)\n      return u_intN_max(dst_bits);\n"
     "   else if (dst_bits > 16)\n      return (int)_mesa_roundeven(x * (double)u_intN_max(dst_bits));\n   else\n"
     "      return _mesa_lroundevenf(x * u_intN_max(dst_bits));\n"),
    # Equation 2.2: shifted bits of negative values are those of others.
    (UTILS,
     "   else if (src_bits < dst_bits)\n      return EXTEND_NORMALIZED_INT(x, src_bits - 1, dst_bits - 1);\n   else\n"
     "      return x >> (src_bits - dst_bits);\n",
     "   else if (src_bits == dst_bits)\n      return x;\n\n"
     "   const int64_t from = u_intN_max(src_bits), half = x < 0 ? -(from / 2) : from / 2;\n"
     "   return (x * (int64_t)u_intN_max(dst_bits) + half) / from;\n"),
    # Equations 2.2 and 2.4 for depths, of which zero has been a value of its own since OpenGL 4.2.
    (PACK, "DEPTH_VALUES(GLbyte, BYTE_TO_FLOATZ);", "DEPTH_VALUES(GLbyte, BYTE_TO_FLOAT_TEX);"),
    (PACK, "DEPTH_VALUES(GLshort, SHORT_TO_FLOATZ);", "DEPTH_VALUES(GLshort, SHORT_TO_FLOAT_TEX);"),
    (PACK, "DEPTH_VALUES(GLint, INT_TO_FLOAT);", "DEPTH_VALUES(GLint, INT_TO_FLOAT_TEX);"),
    (PACK, "dst[i] = FLOAT_TO_BYTE( depthSpan[i] );", "dst[i] = (GLbyte) lroundf(depthSpan[i] * 127.0F);"),
    (PACK, "dst[i] = FLOAT_TO_SHORT( depthSpan[i] );", "dst[i] = (GLshort) lroundf(depthSpan[i] * 32767.0F);"),
    (PACK, "dst[i] = FLOAT_TO_INT( depthSpan[i] );", "dst[i] = (GLint) lround(depthSpan[i] * 2147483647.0);"),
    # OpenGL 4.6, 2.3.5.1: signed integers become floats by equation 2.2, in glColor3b as in arrays; before 4.2 by another.
    ("src/mesa/vbo/vbo_attrib_tmp.h", "#define ATTRUI10_1( A, UI ) ATTRF(",
     "#ifndef SIGNED_TO_FLOAT\n#define SIGNED_TO_FLOAT\nstatic inline double\nsigned_to_float(double value, double most)\n{\n"
     "   GET_CURRENT_CONTEXT(ctx);\n"
     "   if (_mesa_is_gles3(ctx) || (_mesa_is_desktop_gl(ctx) && ctx->Version >= 42))\n"
     "      return MAX2(value / most, -1.0);\n   return (2.0 * value + 1.0) / (2.0 * most + 1.0);\n}\n#endif\n"
     "#undef BYTE_TO_FLOAT\n#undef SHORT_TO_FLOAT\n#undef INT_TO_FLOAT\n"
     "#define BYTE_TO_FLOAT(V) signed_to_float(V, 127.0)\n#define SHORT_TO_FLOAT(V) signed_to_float(V, 32767.0)\n"
     "#define INT_TO_FLOAT(V) signed_to_float(V, 2147483647.0)\n\n#define ATTRUI10_1( A, UI ) ATTRF("),
    # Table 10.3: normals may be packed in a word, whose fourth component is none of theirs.
    ("src/mesa/main/varray.c", "        type == GL_INT_2_10_10_10_REV) && size != 4) {\n      _mesa_error(ctx, GL_INVALID_OPERATION, \"%s(size=%d)\", func, size);\n",
     "        type == GL_INT_2_10_10_10_REV) && size != 4 && attrib != VERT_ATTRIB_NORMAL) {\n"
     "      _mesa_error(ctx, GL_INVALID_OPERATION, \"%s(size=%d)\", func, size);\n"),
    ("src/mesa/main/varray.c", "VERT_ATTRIB_NORMAL, GL_RGBA, 3, 3, type, stride, GL_TRUE,\n",
     "VERT_ATTRIB_NORMAL, GL_RGBA, 4, _mesa_components_of_normals(type), type, stride, GL_TRUE,\n"),
    ("src/mesa/main/varray.h", "#endif\n", NORMALS + "#endif\n"),
    ("src/mesa/main/glthread_marshal.h", '#include "main/matrix.h"\n', '#include "main/matrix.h"\n#include "main/varray.h"\n'),
    *[(f"src/mapi/glapi/gen/{file}.xml", "VERT_ATTRIB_NORMAL, MESA_PACK_VFORMAT(type, 3, 1, 0, 0), stride",
       "VERT_ATTRIB_NORMAL, MESA_PACK_VFORMAT(type, _mesa_components_of_normals(type), 1, 0, 0), stride")
      for file in ("gl_API", "EXT_direct_state_access")],
]
