# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of selection (GL 4.6, compatibility profile, 21.2)."""

HITS = "src/mesa/state_tracker/st_draw_hw_select.c"


def depth_of(name, value):
    """What stood for the depth VALUE, as a number that goes into a hit record, and what is put in its place."""
    return (f"   nir_def *f{name} = nir_fmul_imm(b, {value}, 4294967295.0);\n   nir_def *i{name} = nir_f2uN(b, f{name}, 32);\n",
            f"   nir_def *i{name} = get_hit_depth(b, {value});\n")


EDITS = [
    # Depths of 0 to 1 go into hit records as 0 to 2^32 - 1, rounded. Where a primitive is cut by the near plane they come out
    # a bit below 0 now and then, which no unsigned number is, and 2^32 is none of 32 bits.
    (HITS, "static void\nupdate_result_buffer(nir_builder *b, nir_def *dmin, nir_def *dmax,\n",
     "static nir_def *\nget_hit_depth(nir_builder *b, nir_def *depth)\n{\n"
     "   nir_def *d = nir_fsat(b, depth);\n"
     "   nir_def *scaled = nir_fadd_imm(b, nir_fmul_imm(b, d, 4294967296.0), 0.5);\n\n"
     "   return nir_bcsel(b, nir_fge_imm(b, d, 1.0), nir_imm_int(b, -1), nir_f2u32(b, scaled));\n}\n\n"
     "static void\nupdate_result_buffer(nir_builder *b, nir_def *dmin, nir_def *dmax,\n"),
    *[(HITS, *depth_of(*one)) for one in (("depth", "depth"), ("dmin", "dmin"), ("dmax", "dmax"),
                                          ("dmin", "nir_load_var(b, dmin)"), ("dmax", "nir_load_var(b, dmax)"))],
    # Hits that are found on the CPU, as well.
    ("src/mesa/main/feedback.c", "   ctx->Select.HitFlag = GL_TRUE;\n   if (z < ctx->Select.HitMinZ) {\n",
     "   z = CLAMP(z, 0.0F, 1.0F);\n   ctx->Select.HitFlag = GL_TRUE;\n   if (z < ctx->Select.HitMinZ) {\n"),
]
