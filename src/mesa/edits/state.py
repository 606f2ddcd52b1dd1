# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what state begins with, takes, and is when it is asked for."""

FBOBJECT = "src/mesa/main/fbobject.c"
TEXPARAM = "src/mesa/main/texparam.c"
UNIFORM_QUERY = "src/mesa/main/uniform_query.cpp"

# How glTexParameter goes on with GL_TEXTURE_MAX_LEVEL, which tells it from GL_TEXTURE_BASE_LEVEL.
MAX_LEVEL = """         _mesa_error(ctx, GL_INVALID_VALUE,
                     "glTex%sParameter(param=%d)", suffix,
                     params[0]);
         return GL_FALSE;
      }
      incomplete(ctx, texObj);

      /** From ARB_texture_storage:
       * However, if TEXTURE_IMMUTABLE_FORMAT is TRUE, then level_base is
       * clamped to the range [0, <levels> - 1] and level_max is then clamped to
       * the range [level_base, <levels> - 1], where <levels> is the parameter
       * passed the call to TexStorage* for the texture object.
       */
      if (texObj->Immutable)
          texObj->Attrib.MaxLevel ="""

EDITS = [
    # GL 4.6, 2.2.2 and 2.3.5: what is too large for an integer is the nearest there is, here of colours beyond 1. They
    # became whatever the processor makes of such.
    ("src/mesa/main/macros.h",
     "#define FLOAT_TO_INT(X)     ( (GLint) (2147483647.0 * (X)) )\n",
     "#define FLOAT_TO_INT(X)     ( (GLint) (2147483647.0 * CLAMP((double)(X), -1.0, 1.0)) )\n"),
    ("src/mesa/main/macros.h",
     "#define FLOAT_TO_INT64(X)     ( (GLint64) (9223372036854775807.0 * (double)(X)) )\n",
     "#define FLOAT_TO_INT64(X)     ((X) >= 1 ? INT64_MAX : \\\n"
     "                               (GLint64) (9223372036854775807.0 * MAX2((double)(X), -1.0)))\n"),
    # So are uniforms that are asked for as integers.
    (UNIFORM_QUERY,
     "                  dst[didx].i = MIN2(src[sidx].i, INT_MAX);\n",
     "                  dst[didx].i = MIN2(src[sidx].u, INT_MAX);\n"),
    (UNIFORM_QUERY,
     "                  dst[didx].i = (int64_t) roundf(src[sidx].f);\n",
     "                  dst[didx].i = CLAMP(round(src[sidx].f), INT_MIN, INT_MAX);\n"),
    (UNIFORM_QUERY,
     "                  dst[didx].i = (int64_t) round(tmp);\n",
     "                  dst[didx].i = CLAMP(round(tmp), INT_MIN, INT_MAX);\n"),
    (UNIFORM_QUERY,
     "                     0u : (uint32_t) roundf(src[sidx].f);\n",
     "                     0u : (uint32_t) MIN2(round(src[sidx].f), UINT_MAX);\n"),
    (UNIFORM_QUERY,
     "                  dst[didx].u = tmp < 0.0 ? 0u : (uint32_t) round(tmp);\n",
     "                  dst[didx].u = tmp < 0.0 ? 0u : (uint32_t) MIN2(round(tmp), UINT_MAX);\n"),
    # GL 4.6, 9.2.8: of a whole cube map no face is attached.
    (FBOBJECT,
     "         if (att->Texture && att->Texture->Target == GL_TEXTURE_CUBE_MAP) {\n"
     "            *params = GL_TEXTURE_CUBE_MAP_POSITIVE_X + att->CubeMapFace;\n",
     "         if (att->Texture && att->Texture->Target == GL_TEXTURE_CUBE_MAP && !att->Layered) {\n"
     "            *params = GL_TEXTURE_CUBE_MAP_POSITIVE_X + att->CubeMapFace;\n"),
    # GL 4.6, table 23.23: it is a boolean, and was what it was set to.
    (FBOBJECT,
     "      fb->DefaultGeometry.FixedSampleLocations = param;\n",
     "      fb->DefaultGeometry.FixedSampleLocations = !!param;\n"),
    # GL 4.6 (Compatibility Profile), table 23.20: it has a texture's target as core profiles have it.
    (TEXPARAM,
     "         if (ctx->API != API_OPENGL_CORE)\n            goto invalid_pname;\n         *params = ENUM_TO_FLOAT(obj->Target);\n",
     "         if (!_mesa_is_desktop_gl(ctx))\n            goto invalid_pname;\n         *params = ENUM_TO_FLOAT(obj->Target);\n"),
    (TEXPARAM,
     "         if (ctx->API != API_OPENGL_CORE)\n            goto invalid_pname;\n         *params = (GLint) obj->Target;\n",
     "         if (!_mesa_is_desktop_gl(ctx))\n            goto invalid_pname;\n         *params = (GLint) obj->Target;\n"),
    # GL 4.6, 8.10: rectangles have no base level but 0; of their last level nothing is said.
    (TEXPARAM,
     "      if (params[0] < 0 ||\n          (texObj->Target == GL_TEXTURE_RECTANGLE_ARB && params[0] > 0)) {\n" + MAX_LEVEL,
     "      if (params[0] < 0) {\n" + MAX_LEVEL),
    # GL 4.6, 2.2.2: attributes that are asked for as integers are rounded, as other state is.
    *[("src/mesa/main/varray.c",
       f"         params[{k}] = (GLint) v[{k}];\n", f"         params[{k}] = lroundf(v[{k}]);\n") for k in range(4)],
    # GL 4.6, 4.1.3: the length is that of what was written.
    ("src/mesa/main/syncobj.c",
     "   if (length != NULL) {\n      *length = size;\n   }\n",
     "   if (length != NULL && bufSize >= 0) {\n      *length = MIN2(size, bufSize);\n   }\n"),
    # GL 4.6, 2.3.1 and 20.9: labels that are too long are errors, which change nothing. They were set, and read as far as a
    # wrong length said.
    ("src/mesa/main/objectlabel.c",
     "   free(*labelPtr);\n   *labelPtr = NULL;\n\n   /* set new label string */\n",
     "   if (label) {\n"
     "      const bool terminated = ext_length ? length == 0 : length < 0;\n"
     "      const int64_t len = terminated ? strlen(label) : length;\n\n"
     "      if (len < 0 || len >= MAX_LABEL_LENGTH) {\n"
     "         _mesa_error(ctx, GL_INVALID_VALUE,\n"
     "                     \"%s(length=%\" PRId64 \", which is not within 0 and less than \"\n"
     "                     \"GL_MAX_LABEL_LENGTH=%d)\", caller, len, MAX_LABEL_LENGTH);\n"
     "         return;\n"
     "      }\n"
     "   }\n\n"
     "   free(*labelPtr);\n   *labelPtr = NULL;\n\n   /* set new label string */\n"),
    ("src/mesa/main/objectlabel.c",
     "         if (length >= MAX_LABEL_LENGTH)\n"
     "            _mesa_error(ctx, GL_INVALID_VALUE,\n"
     "                        \"%s(length=%d, which is not less than \"\n"
     "                        \"GL_MAX_LABEL_LENGTH=%d)\", caller, length,\n"
     "                        MAX_LABEL_LENGTH);\n\n", ""),
    ("src/mesa/main/objectlabel.c",
     "         if (ext_length && length < 0) {\n"
     "            _mesa_error(ctx, GL_INVALID_VALUE,\n"
     "                        \"%s(label length=%d, is less than zero)\", caller,\n"
     "                        length);\n"
     "            return;\n"
     "         }\n\n"
     "         int len = strlen(label);\n"
     "         if (len >= MAX_LABEL_LENGTH)\n"
     "            _mesa_error(ctx, GL_INVALID_VALUE,\n"
     "                \"%s(label length=%d, which is not less than \"\n"
     "                \"GL_MAX_LABEL_LENGTH=%d)\", caller, len,\n"
     "                MAX_LABEL_LENGTH);\n\n", ""),
    # The nearest value (GL 4.6, 2.2.2) of 64-bit uniforms that are asked for in 32 bits.
    ("src/mesa/main/uniform_query.cpp",
     "                  uint64_t tmp;\n                  memcpy(&tmp, &src[sidx].i, sizeof(tmp));\n"
     "                  dst[didx].f = tmp;\n",
     "                  int64_t tmp;\n                  memcpy(&tmp, &src[sidx].i, sizeof(tmp));\n"
     "                  dst[didx].f = tmp;\n"),
    ("src/mesa/main/uniform_query.cpp",
     "                  memcpy(&tmp, &src[sidx].u, sizeof(tmp));\n                  dst[didx].i = tmp;\n",
     "                  memcpy(&tmp, &src[sidx].u, sizeof(tmp));\n                  dst[didx].i = MIN2(tmp, INT_MAX);\n"),
    ("src/mesa/main/uniform_query.cpp",
     "                  memcpy(&tmp, &src[sidx].i, sizeof(tmp));\n                  dst[didx].i = tmp;\n",
     "                  memcpy(&tmp, &src[sidx].i, sizeof(tmp));\n                  dst[didx].i = CLAMP(tmp, INT_MIN, INT_MAX);\n"),
    ("src/mesa/main/uniform_query.cpp",
     "                  memcpy(&tmp, &src[sidx].u, sizeof(tmp));\n                  dst[didx].i = MIN2(tmp, INT_MAX);\n"
     "                  break;\n               }\n               case GLSL_TYPE_INT64: {\n                  int64_t tmp;\n"
     "                  memcpy(&tmp, &src[sidx].i, sizeof(tmp));\n                  dst[didx].i = MAX2(tmp, 0);\n",
     "                  memcpy(&tmp, &src[sidx].u, sizeof(tmp));\n                  dst[didx].u = MIN2(tmp, UINT_MAX);\n"
     "                  break;\n               }\n               case GLSL_TYPE_INT64: {\n                  int64_t tmp;\n"
     "                  memcpy(&tmp, &src[sidx].i, sizeof(tmp));\n                  dst[didx].u = CLAMP(tmp, 0, UINT_MAX);\n"),
    # OES_texture_cube_map: GL_TEXTURE_GEN_STR_OES sets S, T and R. Only S was, and the fixed-point commands named S, which
    # OpenGL ES doesn't take.
    ("src/mesa/main/texgen.c",
     "         texgen->_ModeBit = bit;\n",
     "         texgen->_ModeBit = bit;\n"
     "         if (coord == GL_TEXTURE_GEN_STR_OES)\n            unit->GenT = unit->GenR = *texgen;\n"),
    ("src/mesa/main/es1_conversion.c",
     "   /* set S, T, and R at the same time */\n   _mesa_TexGenf(GL_S, pname, param);\n"
     "   _mesa_TexGenf(GL_T, pname, param);\n   _mesa_TexGenf(GL_R, pname, param);\n",
     "   _mesa_TexGenf(coord, pname, param);\n"),
    # GL 4.6 (compatibility), Selection: depths of hits are multiplied by 2^32-1. No float is that: it became 2^32, and the
    # far plane's depth too large for an integer.
    ("src/mesa/main/feedback.c",
     "            zmin = (unsigned) ((float)(~0u) * *(float *)(save++));\n"
     "            zmax = (unsigned) ((float)(~0u) * *(float *)(save++));\n",
     "            zmin = (unsigned) ((double)(~0u) * *(float *)(save++) + 0.5);\n"
     "            zmax = (unsigned) ((double)(~0u) * *(float *)(save++) + 0.5);\n"),
    ("src/mesa/main/feedback.c",
     "      GLuint zmin = (GLuint) ((GLfloat) zscale * s->HitMinZ);\n"
     "      GLuint zmax = (GLuint) ((GLfloat) zscale * s->HitMaxZ);\n",
     "      GLuint zmin = (GLuint) ((double) zscale * s->HitMinZ + 0.5);\n"
     "      GLuint zmax = (GLuint) ((double) zscale * s->HitMaxZ + 0.5);\n"),
    # GL 4.6 (compatibility), Feedback and Flatshading: what is fed back has the colour of the face that is seen and, flat
    # shaded, of the provoking vertex. The rasteriser's state lacks what fragment shaders do of that, and lines and filled
    # polygons were never flat.
    ("src/mesa/state_tracker/st_draw_feedback.c",
     '#include "main/macros.h"\n', '#include "main/macros.h"\n#include "main/state.h"\n'),
    ("src/mesa/state_tracker/st_draw_feedback.c",
     "   draw_set_rasterizer_state(draw, &st->state.rasterizer, NULL);\n",
     "   struct pipe_rasterizer_state rasterizer = st->state.rasterizer;\n"
     "   rasterizer.flatshade = ctx->Light.ShadeModel == GL_FLAT;\n"
     "   rasterizer.light_twoside = _mesa_vertex_program_two_side_enabled(ctx);\n"
     "   draw_set_rasterizer_state(draw, &rasterizer, NULL);\n"),
    ("src/mesa/state_tracker/st_draw_feedback.c",
     "   draw_bind_vertex_shader(draw, NULL);\n}\n",
     "   draw_bind_vertex_shader(draw, NULL);\n"
     "   draw_set_rasterizer_state(draw, &st->state.rasterizer, NULL); /* a pointer that lasts */\n}\n"),
    ("src/mesa/state_tracker/st_cb_feedback.c",
     "                const struct vertex_header *v)\n",
     "                const struct vertex_header *v, const struct vertex_header *provoking)\n"),
    ("src/mesa/state_tracker/st_cb_feedback.c",
     "      color = v->data[slot];\n",
     "      color = draw->rasterizer->flatshade ? provoking->data[slot] : v->data[slot];\n"),
    ("src/mesa/state_tracker/st_cb_feedback.c",
     "   feedback_vertex(fs->ctx, draw, prim->v[0]);\n   feedback_vertex(fs->ctx, draw, prim->v[1]);\n"
     "   feedback_vertex(fs->ctx, draw, prim->v[2]);\n",
     "   const struct vertex_header *provoking = prim->v[draw->rasterizer->flatshade_first ? 0 : 2];\n"
     "   for (unsigned i = 0; i < 3; i++)\n"
     "      feedback_vertex(fs->ctx, draw, prim->v[i], provoking);\n"),
    ("src/mesa/state_tracker/st_cb_feedback.c",
     "   }\n   feedback_vertex(fs->ctx, draw, prim->v[0]);\n   feedback_vertex(fs->ctx, draw, prim->v[1]);\n",
     "   }\n   const struct vertex_header *provoking = prim->v[draw->rasterizer->flatshade_first ? 0 : 1];\n"
     "   for (unsigned i = 0; i < 2; i++)\n"
     "      feedback_vertex(fs->ctx, draw, prim->v[i], provoking);\n"),
    ("src/mesa/state_tracker/st_cb_feedback.c",
     "   _mesa_feedback_token(fs->ctx, (GLfloat) GL_POINT_TOKEN);\n   feedback_vertex(fs->ctx, draw, prim->v[0]);\n",
     "   _mesa_feedback_token(fs->ctx, (GLfloat) GL_POINT_TOKEN);\n"
     "   feedback_vertex(fs->ctx, draw, prim->v[0], prim->v[0]);\n"),
    # GL 4.6 (compatibility), Display Lists: a list may end between glBegin and glEnd. The vertices that were kept to go on
    # with the primitive came into the next list.
    ("src/mesa/vbo/vbo_save_api.c",
     "   save->vertex_size = 0;\n}\n\n\n/**\n * If index=0, does",
     "   save->vertex_size = 0;\n"
     "   free(save->copied.buffer);\n   save->copied.buffer = NULL;\n   save->copied.nr = 0;\n}\n\n\n"
     "/**\n * If index=0, does"),
    # Such a list is given out vertex by vertex: no loop is a strip then, and of no strip a vertex is kept for the next part.
    ("src/mesa/vbo/vbo_save_api.c",
     "   save->copied.nr = copy_vertices(ctx, node, save->vertex_store->buffer_in_ram);\n\n"
     "   if (node->cold->prims[node->cold->prim_count - 1].mode == GL_LINE_LOOP) {\n",
     "   struct _mesa_prim *last = &node->cold->prims[node->cold->prim_count - 1];\n"
     "   const GLuint last_count = last->count;\n"
     "   save->copied.nr = copy_vertices(ctx, node, save->vertex_store->buffer_in_ram);\n\n"
     "   if (ctx->ListState.Current.UseLoopback) {\n"
     "      last->count = last_count;\n"
     "   } else if (last->mode == GL_LINE_LOOP) {\n"),
    # GL 4.6 (compatibility), Polygon Edges: edge flags are those of separate triangles, quads and polygons. One that is off
    # for all vertices is given to the driver with each of them, which knows the mode: all that was drawn as lines or points
    # was culled, strips and fans too. Those of three vertices stay what they are. And feedback took no vertex's flag.
    ("src/mesa/main/varray.c",
     "   per_vertex_enable &= edgeflags_have_effect;\n",
     "   per_vertex_enable |= !ctx->Current.Attrib[VERT_ATTRIB_EDGEFLAG][0];\n"
     "   per_vertex_enable &= edgeflags_have_effect;\n"),
    ("src/mesa/vbo/vbo_exec_api.c",
     "   vbo_try_prim_conversion(&exec->vtx.mode[cur], &exec->vtx.draw[cur].count);\n",
     "   const struct gl_polygon_attrib *polygon = &gl_context_from_vbo_exec(exec)->Polygon;\n"
     "   if ((polygon->FrontMode == GL_FILL && polygon->BackMode == GL_FILL) ||\n"
     "       exec->vtx.mode[cur] == GL_LINE_STRIP)\n"
     "      vbo_try_prim_conversion(&exec->vtx.mode[cur], &exec->vtx.draw[cur].count);\n"),
    ("src/mesa/state_tracker/st_draw_feedback.c",
     "   draw_set_vertex_elements(draw, vp->num_inputs, velements.velems);\n",
     "   draw_set_vertex_elements(draw, vp->num_inputs + key.passthrough_edgeflags, velements.velems);\n"),
    # GL 4.6 (compatibility), Current Raster Position and Feedback: both read what the vertex shader gives out, which was
    # taken away or moved where a next stage reads it as something else, or not at all. Core contexts have neither.
    ("src/compiler/glsl/gl_nir_opt_dead_builtin_varyings.c",
     "      replace_varyings(consts, producer, prog, &producer_info,\n"
     "                       consumer_info.texcoord_usage,\n"
     "                       consumer_info.color_usage,\n",
     "      const bool vertex = producer->Stage == MESA_SHADER_VERTEX;\n"
     "      replace_varyings(consts, producer, prog, &producer_info,\n"
     "                       consumer_info.texcoord_usage | (vertex ? 1 : 0),\n"
     "                       consumer_info.color_usage | (vertex ? 3 : 0),\n"),
    ("src/compiler/shader_info.h",
     "         bool needs_edge_flag:1;\n",
     "         bool needs_edge_flag:1;\n\n"
     "         /** Do the outputs that feedback reads stay what and where they are? */\n"
     "         bool keeps_feedback_outputs:1;\n"),
    ("src/compiler/glsl/gl_nir_link_varyings.c",
     "      /* Lower IO and thoroughly optimize and compact varyings. */\n",
     "      if (api == API_OPENGL_COMPAT && prog->_LinkedShaders[MESA_SHADER_VERTEX])\n"
     "         prog->_LinkedShaders[MESA_SHADER_VERTEX]->Program->nir->info.vs.keeps_feedback_outputs = true;\n\n"
     "      /* Lower IO and thoroughly optimize and compact varyings. */\n"),
    ("src/compiler/nir/nir_opt_varyings.c",
     "/**\n * This function acts like a filter. The pass won't touch varyings that\n",
     "static bool\n"
     "feedback_reads(const struct linkage_info *linkage, gl_varying_slot location)\n"
     "{\n"
     "   const struct shader_info *info = &linkage->producer_builder.shader->info;\n"
     "   if (info->stage != MESA_SHADER_VERTEX || !info->vs.keeps_feedback_outputs)\n"
     "      return false;\n\n"
     "   return (location == VARYING_SLOT_POS || location == VARYING_SLOT_TEX0 ||\n"
     "           location == VARYING_SLOT_COL0 || location == VARYING_SLOT_COL1 ||\n"
     "           location == VARYING_SLOT_BFC0 || location == VARYING_SLOT_BFC1) &&\n"
     "          (linkage->consumer_stage == MESA_SHADER_FRAGMENT ||\n"
     "           info->outputs_written & BITFIELD64_BIT(location));\n"
     "}\n\n"
     "/**\n * This function acts like a filter. The pass won't touch varyings that\n"),
    ("src/compiler/nir/nir_opt_varyings.c",
     "can_remove_varying(struct linkage_info *linkage, gl_varying_slot location)\n{\n",
     "can_remove_varying(struct linkage_info *linkage, gl_varying_slot location)\n{\n"
     "   if (feedback_reads(linkage, location))\n      return false;\n\n"),
    # A clear behind a change of framebuffer is none of the draw behind both: what programs are told of the framebuffer (which
    # way up it is, its size, how many samples it has) is still to be told.
    ("src/mesa/main/state.c",
     "      st_invalidate_buffers(st_context(ctx));\n      ctx->NewState &= ~_NEW_BUFFERS;\n",
     "      st_invalidate_buffers(st_context(ctx));\n"),
    # GL 4.6, 17.4.3.1: what is drawn to is cleared; a surface without a back buffer is drawn to its front for all APIs.
    ("src/mesa/main/clear.c",
     "      if (_mesa_is_gles(ctx))\n         if (!ctx->DrawBuffer->Visual.doubleBufferMode)\n"
     "            if (att[BUFFER_FRONT_LEFT].Renderbuffer)\n               mask |= BUFFER_BIT_FRONT_LEFT;\n",
     "      if (!ctx->DrawBuffer->Visual.doubleBufferMode && att[BUFFER_FRONT_LEFT].Renderbuffer)\n"
     "         mask |= BUFFER_BIT_FRONT_LEFT;\n"),
    # GL 4.6 compatibility, 14.6.2: the pattern stays where it is when the framebuffer is another, of another height or the
    # other way up.
    ("src/mesa/state_tracker/st_atom_stipple.c",
     "   if (memcmp(st->state.poly_stipple, ctx->PolygonStipple, sz)) {\n      /* state has changed */\n"
     "      struct pipe_poly_stipple newStipple;\n\n      memcpy(st->state.poly_stipple, ctx->PolygonStipple, sz);\n\n"
     "      if (!ctx->DrawBuffer->FlipY) {\n         memcpy(newStipple.stipple, ctx->PolygonStipple, sizeof(newStipple.stipple));\n"
     "      } else {\n         invert_stipple(newStipple.stipple, ctx->PolygonStipple,\n"
     "                        ctx->DrawBuffer->Height);\n      }\n\n"
     "      st->pipe->set_polygon_stipple(st->pipe, &newStipple);\n   }\n",
     "   struct pipe_poly_stipple newStipple;\n"
     "   if (!ctx->DrawBuffer->FlipY)\n      memcpy(newStipple.stipple, ctx->PolygonStipple, sz);\n"
     "   else\n      invert_stipple(newStipple.stipple, ctx->PolygonStipple, ctx->DrawBuffer->Height);\n\n"
     "   if (memcmp(st->state.poly_stipple, newStipple.stipple, sz)) {\n"
     "      memcpy(st->state.poly_stipple, newStipple.stipple, sz);\n"
     "      st->pipe->set_polygon_stipple(st->pipe, &newStipple);\n   }\n"),
    # GL 4.6, 17.4.1: without a back buffer the first draw buffer is the front, whatever the context's configuration has.
    ("src/mesa/main/context.c", "   if (!ctx->HasConfig && _mesa_is_desktop_gl(ctx)) {\n",
     "   if (_mesa_is_desktop_gl(ctx)) {\n"),
]
