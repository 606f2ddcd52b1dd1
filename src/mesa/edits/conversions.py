# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of how fixed-point components become others (GL 4.6, 2.3.5)."""

UTILS = "src/util/format/format_utils.h"
PACK = "src/mesa/main/pack.c"

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
]
