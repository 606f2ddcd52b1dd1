# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of display lists: commands act in them as they do without (GL 4.6, compatibility profile, 21.4)."""

DLIST = "src/mesa/main/dlist.c"
SAVE = "src/mesa/vbo/vbo_save_api.c"
SAVE_DRAW = "src/mesa/vbo/vbo_save_draw.c"


def program_parameters(kind):
    """glProgram{kind}Parameters4fvEXT in a list: all vectors went to the first index, and no vectors were no error."""
    head = (f"save_Program{kind}Parameters4fvEXT(GLenum target, GLuint index, GLsizei count,\n"
            f"                                {'  ' if kind == 'Local' else ''}"
            f"const GLfloat {'*' if kind == 'Local' else '* '}params)\n"
            "{\n   GET_CURRENT_CONTEXT(ctx);\n   Node *n;\n   ASSERT_OUTSIDE_SAVE_BEGIN_END_AND_FLUSH(ctx);\n\n")
    body = ("   if (count > 0) {\n      GLint i;\n      const GLfloat * p = params;\n\n"
            "      for (i = 0 ; i < count ; i++) {\n"
            f"         n = alloc_instruction(ctx, OPCODE_PROGRAM_{kind.upper()}_PARAMETER_ARB, 6);\n"
            "         if (n) {\n            n[1].e = target;\n            n[2].ui = ")
    return (DLIST, head + body + "index;\n",
            head + "   if (count <= 0) {\n"
            f"      _mesa_compile_error(ctx, GL_INVALID_VALUE, \"glProgram{kind}Parameters4fv(count)\");\n"
            "      return;\n   }\n\n" + body + "index + i;\n")


def saved_map(kind):
    """A map in a list: its points were read, and packed, whatever was wrong with their count and distance."""
    one = kind[0] == "1"
    value = {"f": "GLfloat", "d": "GLdouble"}[kind[1]]
    tail = ("{\n   GET_CURRENT_CONTEXT(ctx);\n   Node *n;\n   ASSERT_OUTSIDE_SAVE_BEGIN_END_AND_FLUSH(ctx);\n")
    if one:
        head = (f"save_Map{kind}(GLenum target, {value} u1, {value} u2, GLint stride,\n"
                f"           GLint order, const {value} * points)\n")
        test = "refuse_map(ctx, target, stride, order)"
    else:
        head = (f"save_Map{kind}(GLenum target,\n"
                f"           {value} u1, {value} u2, GLint ustride, GLint uorder,\n"
                f"           {value} v1, {value} v2, GLint vstride, GLint vorder,\n"
                f"           const {value} * points)\n")
        test = "refuse_map(ctx, target, ustride, uorder) ||\n       refuse_map(ctx, target, vstride, vorder)"
    return (DLIST, head + tail, head + tail + f"   if ({test})\n      return;\n")


def converted_map(kind, value, enum):
    """Elements of a pixel map as they are given to save_PixelMap{kind}."""
    head = (f"save_PixelMap{kind}(GLenum map, GLint mapsize, const {value} *values)\n{{\n"
            "   GLfloat fvalues[MAX_PIXEL_MAP_TABLE];\n   GLint i;\n")
    loop = ("   if (map == GL_PIXEL_MAP_I_TO_I || map == GL_PIXEL_MAP_S_TO_S) {\n      for (i = 0; i < mapsize; i++) {\n"
            "         fvalues[i] = (GLfloat) values[i];\n      }\n   }\n   else {\n      for (i = 0; i < mapsize; i++) {\n"
            f"         fvalues[i] = {value[2:].upper()}_TO_FLOAT(values[i]);\n      }}\n   }}\n")
    return (DLIST, head + loop + "   save_PixelMapfv(map, mapsize, fvalues);\n",
            head + f"   GET_CURRENT_CONTEXT(ctx);\n   ASSERT_OUTSIDE_SAVE_BEGIN_END_AND_FLUSH(ctx);\n\n"
            f"   values = pixel_map_values(ctx, mapsize, {enum}, values);\n   if (!values)\n      return;\n\n"
            + loop + "   _mesa_unmap_pbo_source(ctx, &ctx->Unpack);\n   save_pixel_map(ctx, map, mapsize, fvalues);\n")


PIXEL_MAP_NODE = ("   n = alloc_instruction(ctx, OPCODE_PIXEL_MAP, 2 + POINTER_DWORDS);\n   if (n) {\n"
                  "      n[1].e = map;\n      n[2].i = mapsize;\n"
                  "      save_pointer(&n[3], memdup(values, mapsize * sizeof(GLfloat)));\n   }\n")

EDITS = [
    # glColorMaski was only compiled, and not executed, by GL_COMPILE_AND_EXECUTE.
    (DLIST,
     "      /*CALL_ColorMaski(ctx->Dispatch.Exec, (buf, red, green, blue, alpha));*/\n",
     "      CALL_ColorMaski(ctx->Dispatch.Exec, (buf, red, green, blue, alpha));\n"),
    # GL_NV_fog_distance: the mode became 0.
    (DLIST,
     "   case GL_FOG_INDEX:\n   case GL_FOG_COORDINATE_SOURCE:\n      p[0] = (GLfloat) *params;\n",
     "   case GL_FOG_INDEX:\n   case GL_FOG_COORDINATE_SOURCE:\n   case GL_FOG_DISTANCE_MODE_NV:\n"
     "      p[0] = (GLfloat) *params;\n"),
    # The attenuation of points has three values, borders and swizzles have four: one was kept, and borders weren't
    # converted as glTexParameteriv does it.
    (DLIST,
     "   parray[0] = (GLfloat) param[0];\n   parray[1] = parray[2] = 0.0F;\n   save_PointParameterfv(pname, parray);\n",
     "   parray[0] = (GLfloat) param[0];\n   parray[1] = parray[2] = 0.0F;\n"
     "   if (pname == GL_POINT_DISTANCE_ATTENUATION) {\n"
     "      parray[1] = (GLfloat) param[1];\n      parray[2] = (GLfloat) param[2];\n   }\n"
     "   save_PointParameterfv(pname, parray);\n"),
    (DLIST,
     "   fparam[0] = (GLfloat) params[0];\n   fparam[1] = fparam[2] = fparam[3] = 0.0F;\n"
     "   save_TexParameterfv(target, pname, fparam);\n",
     "   fparam[0] = (GLfloat) params[0];\n   fparam[1] = fparam[2] = fparam[3] = 0.0F;\n"
     "   if (pname == GL_TEXTURE_BORDER_COLOR || pname == GL_TEXTURE_SWIZZLE_RGBA) {\n"
     "      for (int i = 0; i < 4; i++)\n"
     "         fparam[i] = pname == GL_TEXTURE_BORDER_COLOR ? INT_TO_FLOAT_TEX(params[i]) : (GLfloat) params[i];\n   }\n"
     "   save_TexParameterfv(target, pname, fparam);\n"),
    # GL_EXT_gpu_program_parameters.
    program_parameters("Env"),
    program_parameters("Local"),
    # Evaluators, 21.1: errors come when the list is called.
    (DLIST,
     "void GLAPIENTRY\nsave_Map1d(GLenum target,",
     "/* Points that can't be read as these say. */\n"
     "static bool\nrefuse_map(struct gl_context *ctx, GLenum target, GLint stride, GLint order)\n{\n"
     "   const GLint components = _mesa_evaluator_components(target);\n\n"
     "   if (components != 0 && stride >= components && order >= 1 && order <= MAX_EVAL_ORDER)\n"
     "      return false;\n\n"
     "   _mesa_compile_error(ctx, components == 0 ? GL_INVALID_ENUM : GL_INVALID_VALUE, \"glMap\");\n"
     "   return true;\n}\n\n\n"
     "void GLAPIENTRY\nsave_Map1d(GLenum target,"),
    *[saved_map(kind) for kind in ("1d", "1f", "2d", "2f")],
    # 21.4.1: what comes from a buffer is read as the list is compiled. Pixel maps took its offset for an address; and what
    # is in the list is no offset, whatever buffer is bound when it is called.
    (DLIST,
     "void GLAPIENTRY\nsave_PixelMapfv(GLenum map, GLint mapsize, const GLfloat *values)\n{\n"
     "   GET_CURRENT_CONTEXT(ctx);\n   Node *n;\n   ASSERT_OUTSIDE_SAVE_BEGIN_END_AND_FLUSH(ctx);\n" + PIXEL_MAP_NODE +
     "   if (ctx->ExecuteFlag) {\n      CALL_PixelMapfv(ctx->Dispatch.Exec, (map, mapsize, values));\n   }\n}\n",
     "static void\ncall_pixel_map(struct gl_context *ctx, GLenum map, GLint mapsize, const GLfloat *values)\n{\n"
     "   const struct gl_pixelstore_attrib save = ctx->Unpack;\n"
     "   ctx->Unpack = ctx->DefaultPacking;\n"
     "   CALL_PixelMapfv(ctx->Dispatch.Exec, (map, mapsize, values));\n"
     "   ctx->Unpack = save;      /* restore */\n}\n\n\n"
     "static void\nsave_pixel_map(struct gl_context *ctx, GLenum map, GLint mapsize, const GLfloat *values)\n{\n"
     "   Node *n;\n" + PIXEL_MAP_NODE +
     "   if (ctx->ExecuteFlag)\n      call_pixel_map(ctx, map, mapsize, values);\n}\n\n\n"
     "/* The values, also of a buffer, which is mapped then; NULL: there is an error. */\n"
     "static const void *\npixel_map_values(struct gl_context *ctx, GLint mapsize, GLenum type, const void *values)\n{\n"
     "   struct gl_pixelstore_attrib unpack = ctx->DefaultPacking;\n\n"
     "   if (mapsize < 1 || mapsize > MAX_PIXEL_MAP_TABLE) {\n"
     "      _mesa_compile_error(ctx, GL_INVALID_VALUE, \"glPixelMap(mapsize)\");\n      return NULL;\n   }\n\n"
     "   unpack.BufferObj = ctx->Unpack.BufferObj;\n"
     "   if (!_mesa_validate_pbo_access(1, &unpack, mapsize, 1, 1, GL_INTENSITY, type, INT_MAX, values) ||\n"
     "       (unpack.BufferObj && _mesa_check_disallowed_mapping(unpack.BufferObj))) {\n"
     "      _mesa_compile_error(ctx, GL_INVALID_OPERATION, \"glPixelMap(buffer)\");\n      return NULL;\n   }\n\n"
     "   return _mesa_map_pbo_source(ctx, &ctx->Unpack, values);\n}\n\n\n"
     "void GLAPIENTRY\nsave_PixelMapfv(GLenum map, GLint mapsize, const GLfloat *values)\n{\n"
     "   GET_CURRENT_CONTEXT(ctx);\n   ASSERT_OUTSIDE_SAVE_BEGIN_END_AND_FLUSH(ctx);\n\n"
     "   values = pixel_map_values(ctx, mapsize, GL_FLOAT, values);\n   if (!values)\n      return;\n\n"
     "   save_pixel_map(ctx, map, mapsize, values);\n   _mesa_unmap_pbo_source(ctx, &ctx->Unpack);\n}\n"),
    converted_map("uiv", "GLuint", "GL_UNSIGNED_INT"),
    converted_map("usv", "GLushort", "GL_UNSIGNED_SHORT"),
    (DLIST,
     "            CALL_PixelMapfv(ctx->Dispatch.Exec,\n"
     "                            (n[1].e, n[2].i, get_pointer(&n[3])));\n",
     "            call_pixel_map(ctx, n[1].e, n[2].i, get_pointer(&n[3]));\n"),
    # Errors of attributes come when the list is called.
    (DLIST,
     "#define ERROR(err) _mesa_error(ctx, err, __func__)\n",
     "#define ERROR(err) _mesa_compile_error(ctx, err, __func__)\n"),
    # GL_KHR_blend_equation_advanced_coherent: it belongs to the colour buffer's attributes.
    ("src/mesa/main/attrib.c",
     "      if (ctx->Color.BlendEnabled != attr->Color.BlendEnabled) {\n",
     "      TEST_AND_UPDATE(ctx->Color.BlendCoherent, attr->Color.BlendCoherent,\n"
     "                      GL_BLEND_ADVANCED_COHERENT_KHR);\n"
     "      if (ctx->Color.BlendEnabled != attr->Color.BlendEnabled) {\n"),
    # 10.7.2: what is given behind the last vertex of a primitive is current then. It was the last vertex's, and where
    # none was stored any more what lay there before.
    (SAVE,
     "            const char *buffer = (const char *)save->vertex_store->buffer_in_ram;\n"
     "            unsigned attr_offset = save->attrsz[0] * sizeof(GLfloat);\n"
     "            unsigned vertex_offset = 0;\n\n"
     "            if (node->cold->vertex_count)\n"
     "               vertex_offset = (node->cold->vertex_count - 1) * stride;\n\n"
     "            memcpy(node->cold->current_data, buffer + vertex_offset + attr_offset,\n"
     "                   current_size * sizeof(GLfloat));\n",
     "            memcpy(node->cold->current_data, save->vertex + save->attrsz[0],\n"
     "                   current_size * sizeof(GLfloat));\n"),
    # Likewise where lists are replayed vertex by vertex, and where they are executed as they are compiled.
    ("src/mesa/vbo/vbo_save_loopback.c",
     "                    &prims[i], wrap_count, stride, la, nr);\n   }\n",
     "                    &prims[i], wrap_count, stride, la, nr);\n   }\n\n"
     "   /* What comes behind the last vertex. */\n"
     "   if (node->cold->current_data) {\n"
     "      const bool position = vao->Enabled & (VERT_BIT_POS | VERT_BIT_GENERIC0);\n"
     "      const GLuint skip = vao->Enabled & VERT_BIT_POS ?\n"
     "         vao->VertexAttrib[VERT_ATTRIB_POS].Format._ElementSize : 0;\n\n"
     "      for (GLuint k = 0; k + position < nr; k++)\n"
     "         la[k].func(ctx, la[k].index,\n"
     "                    (const GLfloat *)((const GLubyte *)node->cold->current_data + la[k].offset - skip));\n"
     "   }\n"),
    # An attribute that gets more components between vertices changed those before it.
    (SAVE,
     "      if (attr != VBO_ATTRIB_POS && save->currentsz[attr][0] == 0) {\n         assert(oldsz == 0);\n",
     "      if (attr != VBO_ATTRIB_POS && oldsz == 0 && save->currentsz[attr][0] == 0) {\n"),
    # GL 4.6 (compatibility), 21.4 and 10.2.1: attributes of doubles in lists. Their sizes were counted in doubles here and in
    # words there: values moved by a place, and what lay behind them was overwritten.
    (SAVE, """      switch (save->attrsz[i]) {
      case 4:
         save->attrptr[i][3] = save->current[i][3];
         FALLTHROUGH;
      case 3:
         save->attrptr[i][2] = save->current[i][2];
         FALLTHROUGH;
      case 2:
         save->attrptr[i][1] = save->current[i][1];
         FALLTHROUGH;
      case 1:
         save->attrptr[i][0] = save->current[i][0];
         break;
      case 0:
         unreachable("Unexpected vertex attribute size");
      }
""", "      memcpy(save->attrptr[i], save->current[i], save->attrsz[i] * sizeof(fi_type));\n"),
    (SAVE, "   if (save->active_sz[A] != N) {                               \\\n",
     "   if (save->active_sz[A] != N * sz) {                          \\\n"),
    (SAVE, "                     default:\n                        dest[k] = FLOAT_AS_UNION(k == 3);\n"
     "                        assert(!\"Unexpected type in upgrade_vertex\");\n",
     "                     case GL_DOUBLE:\n                     case GL_UNSIGNED_INT64_ARB:\n"
     "                        dest[k] = vbo_get_default_vals_as_union(save->attrtype[j])[k];\n                        break;\n"
     "                     default:\n                        dest[k] = FLOAT_AS_UNION(k == 3);\n"
     "                        assert(!\"Unexpected type in upgrade_vertex\");\n"),
    (SAVE_DRAW, "         memcpy(tmp, *data, size * 2 * sizeof(GLfloat));\n",
     "         memcpy(tmp, vbo_get_default_vals_as_union(type), sizeof(tmp));\n"
     "         memcpy(tmp, *data, size * 2 * sizeof(GLfloat));\n"),
    (SAVE_DRAW, "          (size >> dmul_shift) != currval->Format.User.Size) {\n"
     "         vbo_set_vertex_format(&currval->Format, size >> dmul_shift, type);\n",
     "          size != currval->Format.User.Size) {\n"
     "         vbo_set_vertex_format(&currval->Format, size, type);\n"),
    (SAVE_DRAW, "      *data += size;\n", "      *data += size << dmul_shift;\n"),
    # 13.3.2, 11.3.1, 10.1.15: a list's primitives may be wrong for the transform feedback, the geometry shader or the
    # pipeline of the moment, as those that are drawn at once.
    (SAVE_DRAW, "enum vbo_save_status {\n   DONE,\n",
     "/* The list's primitives, as bits like those of ctx->ValidPrimMask. */\n"
     "static GLbitfield\nlist_modes(const struct vbo_save_vertex_list *node)\n{\n"
     "   GLbitfield modes = node->modes ? 0 : BITFIELD_BIT(node->cold->info.mode);\n\n"
     "   for (unsigned i = 0; node->modes && i < node->num_draws; i++)\n      modes |= BITFIELD_BIT(node->modes[i]);\n"
     "   return modes;\n}\n\n"
     "/* Those of the list's primitives that may be drawn now. */\n"
     "static void\ndraw_valid_modes(struct gl_context *ctx, const struct vbo_save_vertex_list *node)\n{\n"
     "   struct pipe_draw_info info = node->cold->info;\n\n"
     "   for (unsigned i = 0; node->modes && i < node->num_draws; i++) {\n"
     "      if (!(BITFIELD_BIT(node->modes[i]) & ctx->ValidPrimMask))\n         continue;\n"
     "      info.mode = node->modes[i];\n"
     "      ctx->Driver.DrawGallium(ctx, &info, 0, NULL, &node->start_counts[i], 1);\n   }\n}\n\n"
     "enum vbo_save_status {\n   DONE,\n"),
    (SAVE_DRAW, "   /* Use the slow path when there are vertex inputs without vertex\n    * elements.",
     "   if (list_modes(node) & ~ctx->ValidPrimMask)\n      return USE_SLOW_PATH;\n\n"
     "   /* Use the slow path when there are vertex inputs without vertex\n    * elements."),
    (SAVE_DRAW, "   st_prepare_draw(ctx, ST_PIPELINE_RENDER_STATE_MASK);\n\n   if (node->modes) {\n",
     "   st_prepare_draw(ctx, ST_PIPELINE_RENDER_STATE_MASK);\n\n"
     "   if (list_modes(node) & ~ctx->ValidPrimMask) {\n      draw_valid_modes(ctx, node);\n"
     "      _mesa_error(ctx, ctx->DrawGLError, \"glCallList\");\n"
     "   } else if (node->modes) {\n"),
    # Lists of several primitives of one kind left where these begin behind.
    (DLIST, "   if (node->modes) {\n      free(node->modes);\n      free(node->start_counts);\n",
     "   if (node->num_draws > 1) {\n      free(node->modes);\n      free(node->start_counts);\n"),
]
