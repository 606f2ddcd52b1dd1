# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits for the current raster position: it is a vertex, with all that the fixed function or the vertex program makes of
one (OpenGL 4.6, compatibility profile, 14.7)."""

FIXED = "src/mesa/main/rastpos.c"

PROGRAM = "src/mesa/state_tracker/st_cb_rasterpos.c"

CLAMPED = ("GLfloat\n_mesa_clamp_raster_depth(const struct gl_context *ctx, GLfloat z)\n{\n"
           "   const GLfloat n = ctx->ViewportArray[0].Near, f = ctx->ViewportArray[0].Far;\n\n"
           "   if (ctx->Transform.DepthClampNear)\n      z = n <= f ? MAX2(z, n) : MIN2(z, n);\n"
           "   if (ctx->Transform.DepthClampFar)\n      z = n <= f ? MIN2(z, f) : MAX2(z, f);\n   return z;\n}\n")

EDITS = [
    # Depths are clamped, and w stays what it is.
    ("src/mesa/main/rastpos.h", "struct gl_context;\n",
     "struct gl_context;\n\n/** The depth of a raster position where depths are clamped. */\n"
     "GLfloat\n_mesa_clamp_raster_depth(const struct gl_context *ctx, GLfloat z);\n"),
    (FIXED, "/**\n * Compute lighting for the raster position.  RGB modes computed.\n",
     CLAMPED + "\n/**\n * Compute lighting for the raster position.  RGB modes computed.\n"),
    (FIXED, """      if (ctx->Transform.DepthClampNear &&
          ctx->Transform.DepthClampFar) {
         ctx->Current.RasterPos[3] = CLAMP(ctx->Current.RasterPos[3],
                                           ctx->ViewportArray[0].Near,
                                           ctx->ViewportArray[0].Far);
      } else {
         /* Clamp against near and far plane separately */
         if (ctx->Transform.DepthClampNear) {
            ctx->Current.RasterPos[3] = MAX2(ctx->Current.RasterPos[3],
                                             ctx->ViewportArray[0].Near);
         }

         if (ctx->Transform.DepthClampFar) {
            ctx->Current.RasterPos[3] = MIN2(ctx->Current.RasterPos[3],
                                             ctx->ViewportArray[0].Far);
         }
      }
""", "      ctx->Current.RasterPos[2] = _mesa_clamp_raster_depth(ctx, ctx->Current.RasterPos[2]);\n"),
    (PROGRAM, "   ctx->Current.RasterPos[2] = pos[2];\n   ctx->Current.RasterPos[3] = pos[3];\n",
     "   ctx->Current.RasterPos[2] = _mesa_clamp_raster_depth(ctx, pos[2]);\n"
     "   ctx->Current.RasterPos[3] = 1.0f / pos[3]; /* which the viewport has inverted */\n\n"
     "   if (outputMapping[VARYING_SLOT_FOGC] != 0xff)\n"
     "      ctx->Current.RasterDistance = prim->v[0]->data[outputMapping[VARYING_SLOT_FOGC]][0];\n"),
    # The normal and the place of lights are those of vertices.
    (FIXED, "      else {\n         norm = objnorm;\n      }\n",
     "      else {\n         COPY_3V(eyenorm, objnorm);\n         norm = eyenorm;\n      }\n"
     "      if (ctx->Transform.Normalize)\n         NORMALIZE_3FV(norm);\n"
     "      else if (!!ctx->_NeedEyeCoords == !!ctx->Transform.RescaleNormals)\n"
     "         SELF_SCALE_SCALAR_3V(norm, ctx->_ModelViewInvScale);\n"),
    (FIXED, "         shade_rastpos( ctx, vObj, norm,\n", "         shade_rastpos( ctx, ctx->_NeedEyeCoords ? eye : vObj, norm,\n"),
    (FIXED, "      if (attenuation < 1e-3F)\n\t continue;\n\n", ""),
]
