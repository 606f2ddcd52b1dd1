# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of glBegin and glEnd (GL 4.6, compatibility profile, 10.7 and 10.1)."""

EXEC = "src/mesa/vbo/vbo_exec_api.c"
COPY = "src/mesa/vbo/vbo_exec.c"
SAVE = "src/mesa/vbo/vbo_save_api.c"
PLAYBACK = "src/mesa/vbo/vbo_save_draw.c"

EDITS = [
    # 10.7.2: glColor3 makes alpha 1, glTexCoord2 r 0 and q 1. An attribute that was given with four components, with three and
    # with four again was taken for one of three, so the next three left the fourth as it was.
    (EXEC, "      exec->vtx.attr[attr].active_size = newSize;\n   }\n}\n",
     "      exec->vtx.attr[attr].active_size = newSize;\n   }\n"
     "   else {\n      /* It grows again, within the room that it has. */\n      exec->vtx.attr[attr].active_size = newSize;\n   }\n}\n"),
    # 10.1.3: a loop that was cut twice lost its last vertex at the second cut: the section there begins one vertex late, and
    # has one less, which was undone for the beginning alone.
    (COPY, "   const unsigned count = *pcount;\n   unsigned copy = 0;\n", "   unsigned count = *pcount;\n   unsigned copy = 0;\n"),
    (COPY, "         assert(start > 0);\n         src -= vertex_size;\n",
     "         assert(start > 0);\n         src -= vertex_size;\n         count++;\n"),
    # A loop of one vertex is none: no edge joins it with itself.
    (SAVE, "   if (prim->end) {\n      /* Copy the 0th vertex to end of the buffer and extend the\n",
     "   if (prim->end && !(prim->begin && prim->count < 2)) {\n      /* Copy the 0th vertex to end of the buffer and extend the\n"),
    # In a list, a loop that was cut before its second vertex lost its first edge: the first vertex of what follows is left out
    # where two were taken over, the loop's first one and the last. Here it is the loop's first one, which has been drawn nowhere.
    (SAVE, "   if (!prim->begin) {\n      /* Drawing the second or later section of a long line loop.\n",
     "   if (!prim->begin && node->cold->wrap_count > 1) {\n      /* Drawing the second or later section of a long line loop.\n"),
    # A list that is executed as it is compiled gives its vertices out one by one. It gave out what had been made of them for
    # drawing: a strip or fan that was cut had become separate primitives, lost its odd vertex, or was a loop closed twice.
    (SAVE, "   node->cold->ib.obj = NULL;\n   node->cold->prim_count = save->prim_store->used;\n",
     "   node->cold->ib.obj = NULL;\n   node->cold->prim_count = save->prim_store->used;\n\n"
     "   /* What is executed are the primitives as they were given. */\n"
     "   struct _mesa_prim *executed = NULL;\n   const GLuint executed_count = node->cold->prim_count;\n"
     "   if (ctx->ExecuteFlag) {\n      executed = malloc(sizeof(struct _mesa_prim) * executed_count);\n"
     "      memcpy(executed, node->cold->prims, sizeof(struct _mesa_prim) * executed_count);\n   }\n"),
    (SAVE, "      /* 'start_offset' has been added to all primitives 'start', so undo it here. */\n"
           "      vao->BufferBinding[0].Offset = -(GLintptr)(start_offset * stride);\n"
           "      _vbo_loopback_vertex_list(ctx, node, save->vertex_store->buffer_in_ram);\n"
           "      vao->BufferBinding[0].Offset = original;\n",
     "      struct _mesa_prim *drawn = node->cold->prims;\n      const GLuint drawn_count = node->cold->prim_count;\n"
     "      vao->BufferBinding[0].Offset = 0;\n"
     "      node->cold->prims = executed;\n      node->cold->prim_count = executed_count;\n"
     "      _vbo_loopback_vertex_list(ctx, node, save->vertex_store->buffer_in_ram);\n"
     "      node->cold->prims = drawn;\n      node->cold->prim_count = drawn_count;\n"
     "      vao->BufferBinding[0].Offset = original;\n      free(executed);\n"),
    # A list that is drawn never leaves the GL between glBegin and glEnd. The first part of a primitive that was cut did, and the
    # last, where glDrawArrays followed in the list, didn't end that.
    (PLAYBACK, "\n   /* CurrentExecPrimitive\n    */\n   if (node->cold->prim_count) {\n"
               "      const struct _mesa_prim *prim = &node->cold->prims[node->cold->prim_count - 1];\n      if (prim->end)\n"
               "         ctx->Driver.CurrentExecPrimitive = PRIM_OUTSIDE_BEGIN_END;\n      else\n"
               "         ctx->Driver.CurrentExecPrimitive = prim->mode;\n   }\n", ""),
    # An edge of a loop that was cut behind it is drawn once. It was drawn with what lay before the loop, and again with the rest.
    (EXEC, "      GLuint last_count = 0;\n\n      if (_mesa_inside_begin_end(ctx)) {\n         last_draw->count = ",
     "      const unsigned last_start = last_draw->start;\n      GLuint last_count = 0;\n\n"
     "      if (_mesa_inside_begin_end(ctx)) {\n         last_draw->count = "),
    (EXEC, "         if (exec->vtx.copied.nr == last_count)\n            exec->vtx.markers[0].begin = last_begin;\n",
     "         const bool edge_drawn = exec->vtx.mode[0] == GL_LINE_LOOP && last_count == 2 && last_start > 0;\n"
     "         if (exec->vtx.copied.nr == last_count && !edge_drawn)\n            exec->vtx.markers[0].begin = last_begin;\n"),
]
