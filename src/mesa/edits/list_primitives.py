# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of primitives in display lists (GL 4.6, compatibility profile, 21.4: they are drawn as without lists)."""

SAVE = "src/mesa/vbo/vbo_save_api.c"

EDITS = [
    # 10.1: vertices beyond the last whole primitive are ignored. They were joined with the vertices of the next one, and quads
    # of three vertices became triangles.
    (SAVE, "      int vertex_count = original_prims[i].count;\n      if (!vertex_count) {\n         continue;\n      }\n",
     "      unsigned whole = original_prims[i].count;\n      if (mode != GL_PATCHES && !ctx->ListState.Current.UseLoopback)\n         u_trim_pipe_prim((enum mesa_prim)mode, &whole);\n"
     "      int vertex_count = whole;\n      if (!vertex_count) {\n         continue;\n      }\n"),
    (SAVE, "   if (merged_prim_count == 1) {\n      node->cold->info.mode = merged_prims[0].mode;\n",
     "   if (merged_prim_count == 0) {\n      node->modes = NULL;\n   } else if (merged_prim_count == 1) {\n"
     "      node->cold->info.mode = merged_prims[0].mode;\n"),
    # 14.5.2.1: the stipple begins anew with each segment of GL_LINES, and only once in a strip. So strips are lines where
    # they have one segment only.
    (SAVE, "      /* Line strips may get converted to lines */\n      if (mode == GL_LINE_STRIP)\n",
     "      /* Line strips may get converted to lines, if they are one */\n      if (mode == GL_LINE_STRIP && vertex_count == 2)\n"),
    (SAVE, "      if (original_prims[i].mode == GL_LINE_STRIP &&\n          (merge_prims ||\n",
     "      if (original_prims[i].mode == GL_LINE_STRIP && mode == GL_LINES &&\n          (merge_prims ||\n"),
    # 14.6.4: polygons as lines or points show all edges and corners, also those of triangles without area. Strips were joined
    # by such triangles, but how polygons will be drawn isn't known before the list is called.
    (SAVE, "                         mode != GL_LINE_LOOP && mode != GL_TRIANGLE_FAN &&\n                         mode != GL_QUAD_STRIP &&",
     "                         mode != GL_LINE_LOOP && mode != GL_TRIANGLE_FAN &&\n"
     "                         mode != GL_LINE_STRIP && mode != GL_TRIANGLE_STRIP &&\n"
     "                         mode != GL_LINE_STRIP_ADJACENCY && mode != GL_TRIANGLE_STRIP_ADJACENCY &&\n"
     "                         mode != GL_QUAD_STRIP &&"),
    (SAVE, "      /* To be able to merge consecutive triangle strips we need to insert\n       * a degenerate triangle.\n       */\n"
           "      if (merge_prims &&\n          mode == GL_TRIANGLE_STRIP) {\n         /* Insert a degenerate triangle */\n"
           "         assert(merged_prims[last_valid_prim].mode == GL_TRIANGLE_STRIP);\n"
           "         unsigned tri_count = merged_prims[last_valid_prim].count - 2;\n\n"
           "         indices[idx] = indices[idx - 1];\n"
           "         indices[idx + 1] = add_vertex(save, vertex_to_index,\n"
           "                                       converted_prim ? CAST_INDEX(tmp_indices, index_size, 0) : original_prims[i].start,\n"
           "                                       temp_vertices_buffer, &max_index);\n"
           "         idx += 2;\n         merged_prims[last_valid_prim].count += 2;\n\n"
           "         if (tri_count % 2) {\n            /* Add another index to preserve winding order */\n"
           "            indices[idx++] = add_vertex(save, vertex_to_index,\n"
           "                                        converted_prim ? CAST_INDEX(tmp_indices, index_size, 0) : original_prims[i].start,\n"
           "                                        temp_vertices_buffer, &max_index);\n"
           "            merged_prims[last_valid_prim].count++;\n         }\n      }\n\n", ""),
    # What a list leaves current was undone by the next change of state, where anything had been given before the list.
    ("src/mesa/vbo/vbo_save_draw.c",
     "vbo_save_playback_vertex_list(struct gl_context *ctx, void *data, bool copy_to_current)\n{\n"
     "   const struct vbo_save_vertex_list *node =\n      (const struct vbo_save_vertex_list *) data;\n\n   FLUSH_FOR_DRAW(ctx);\n",
     "vbo_save_playback_vertex_list(struct gl_context *ctx, void *data, bool copy_to_current)\n{\n"
     "   const struct vbo_save_vertex_list *node =\n      (const struct vbo_save_vertex_list *) data;\n\n"
     "   if (copy_to_current && ctx->Driver.NeedFlush)\n"
     "      vbo_exec_FlushVertices(ctx, FLUSH_STORED_VERTICES | FLUSH_UPDATE_CURRENT);\n"
     "   else\n      FLUSH_FOR_DRAW(ctx);\n"),
    # Some lists are given out vertex by vertex, which is known only in the middle of such a list, and so are lists that it calls.
    # What lay before, and those lists for good, had their equal vertices removed already, and were drawn as if they hadn't. Whole
    # primitives can be drawn as they are.
    ("src/mesa/vbo/vbo_save.h", "      GLuint bo_bytes_used;\n   } *cold;\n",
     "      GLuint bo_bytes_used;\n      bool deduplicated; /**< whole primitives, whose equal vertices are stored once */\n   } *cold;\n"),
    (SAVE, "   if (!ctx->ListState.Current.UseLoopback) {\n      vertex_to_index = ",
     "   node->cold->deduplicated = !ctx->ListState.Current.UseLoopback &&\n"
     "      original_prims[0].begin && original_prims[node->cold->prim_count - 1].end;\n"
     "   if (node->cold->deduplicated) {\n      vertex_to_index = "),
    (SAVE, "   total_vert_count = vertex_to_index ? (max_index + 1) : idx;\n",
     "   total_vert_count = vertex_to_index ? (max_index + 1) : get_vertex_count(save);\n"),
    ("src/mesa/main/dlist.c", "         case OPCODE_VERTEX_LIST_COPY_CURRENT:\n            n[0].opcode = OPCODE_VERTEX_LIST_LOOPBACK;\n",
     "         case OPCODE_VERTEX_LIST_COPY_CURRENT:\n"
     "            if (!((struct vbo_save_vertex_list *) &n[0])->cold->deduplicated)\n"
     "               n[0].opcode = OPCODE_VERTEX_LIST_LOOPBACK;\n"),
]
