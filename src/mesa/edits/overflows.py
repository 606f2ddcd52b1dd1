# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what the app gives that went beyond what a number or an array holds."""

COPYIMAGE = "src/mesa/main/copyimage.c"
IMAGE = "src/mesa/main/image.c"


def clipped(begin, size, low, high, indent="   "):
    """Clipping of `begin` and `size`, which are pointers, to low..high: nothing is left of what lies outside."""
    old = (f"{indent}if ({begin} < {low}) {{\n",
           f"{indent}if ({begin} + {size} > {high})\n{indent}   {size} -= ({begin} + {size} - {high});\n")
    new = (f"{indent}if ((int64_t) {begin} + {size} <= {low})\n{indent}   return GL_FALSE;\n{old[0]}",
           f"{indent}if ((int64_t) {begin} + {size} > {high})\n{indent}   {size} = {begin} < {high} ? {high} - {begin} : 0;\n")
    return [(IMAGE, one, other) for one, other in zip(old, new)]


EDITS = [
    # OpenGL 4.6, 18.2.2: pixels outside of the framebuffer have undefined values; 8.6 likewise for what is copied to
    # textures. Rectangles that begin near the largest integer were taken for ones inside, and memory behind images was read.
    *clipped("*destX", "*width", "buffer->_Xmin", "buffer->_Xmax"),
    *clipped("*destY", "*height", "buffer->_Ymin", "buffer->_Ymax", "      "),
    *clipped("*srcX", "*width", "0", "clip_width"),
    *clipped("*srcY", "*height", "0", "clip_height"),
    *clipped("*x", "*width", "xmin", "xmax"),
    *clipped("*y", "*height", "ymin", "ymax"),
    # GL 4.6, 18.3.2 (ES 3.2, 16.2.2): INVALID_VALUE for what is outside of an image. Sums of a place near 2^31 and a size
    # wrapped, and the copy crashed.
    *[(COPYIMAGE, f"   if ({begin} + {size} > {end}) {{\n", f"   if ((int64_t) {begin} + {size} > {end}) {{\n")
      for begin, size, end in (("x", "width", "surfWidth"), ("y", "height", "surfHeight"))],
    (COPYIMAGE, "   if (z < 0 || z + depth > surfDepth) {\n", "   if (z < 0 || (int64_t) z + depth > surfDepth) {\n"),
    # ARB_clear_texture: INVALID_OPERATION where the region reaches beyond the image.
    ("src/mesa/main/teximage.c", "       zoffset + depth > maxDepth) {\n      _mesa_error(ctx, GL_INVALID_OPERATION,\n                  \"glClearSubTexImage(",
     "       (int64_t) zoffset + depth > maxDepth) {\n      _mesa_error(ctx, GL_INVALID_OPERATION,\n                  \"glClearSubTexImage("),
    # OpenGL 4.6, 8.11.4: INVALID_VALUE likewise.
    ("src/mesa/main/texgetimage.c", "      if (zoffset + depth > 6) {\n", "      if ((int64_t) zoffset + depth > 6) {\n"),
    # OpenGL 4.6, 13.3.2, table 13.1: without a geometry shader triangles come of triangles alone; with adjacency they
    # were taken as well.
    ("src/mesa/main/draw_validate.c",
     "            /* TODO: This doesn't look right, but it matches the original code. */\n            mask &= ~((1 << GL_POINTS) |\n"
     "                      (1 << GL_LINES) |\n                      (1 << GL_LINE_LOOP) |\n                      (1 << GL_LINE_STRIP));\n",
     "            mask &= (1 << GL_TRIANGLES) |\n                    (1 << GL_TRIANGLE_STRIP) |\n                    (1 << GL_TRIANGLE_FAN) |\n"
     "                    (1 << GL_QUADS) |\n                    (1 << GL_QUAD_STRIP) |\n                    (1 << GL_POLYGON);\n"),
    # OpenGL 4.6, 7.4.1: varyings that don't fit are a link error. It was said, and their Locations were used all the same.
    ("src/compiler/glsl/gl_nir_link_varyings.c",
     "      varying_matches_assign_locations(vm, prog, components, reserved_slots);\n   varying_matches_store_locations(vm);\n",
     "      varying_matches_assign_locations(vm, prog, components, reserved_slots);\n"
     "   if (!prog->data->LinkStatus)\n      return false;\n   varying_matches_store_locations(vm);\n"),
    # GLSL 4.60, 4.4.2.1: an error for buffers that there aren't, also where nothing but their stride is said.
    ("src/compiler/glsl/ast_type.cpp",
     "                                     this->xfb_buffer, &buff_idx)) {\n         if (state->out_qualifier->out_xfb_stride[buff_idx]) {\n",
     "                                     this->xfb_buffer, &buff_idx)) {\n"
     "         if (buff_idx >= state->Const.MaxTransformFeedbackBuffers) {\n"
     "            _mesa_glsl_error(loc, state, \"xfb_buffer %u is beyond the last one, %u\", buff_idx,\n"
     "                             state->Const.MaxTransformFeedbackBuffers - 1);\n            return false;\n         }\n"
     "         if (state->out_qualifier->out_xfb_stride[buff_idx]) {\n"),
    # ARB_shading_language_include, appendix A: ".." at the root remains there.
    ("src/mesa/main/shaderapi.c", "         list_del(list->list.prev);\n",
     "         if (!list_is_empty(&list->list))\n            list_del(list->list.prev);\n"),
    # A string may include itself, which is an error and not the end of the stack.
    ("src/compiler/glsl/glcpp/glcpp.h", "\tbool is_gles;\n};\n", "\tbool is_gles;\n\tunsigned include_depth;\n};\n"),
    ("src/compiler/glsl/glcpp/glcpp-parse.y", "      if (!shader)\n         glcpp_error(&@1, parser, \"%s not found\", $2);\n      else {\n",
     "      if (!shader)\n         glcpp_error(&@1, parser, \"%s not found\", $2);\n"
     "      else if (parser->include_depth >= 64)\n"
     "         glcpp_error(&@1, parser, \"%s is included by too many strings in turn\", $2);\n      else {\n"),
    ("src/compiler/glsl/glcpp/glcpp-parse.y", "         tmp_parser->version_set = true;\n         tmp_parser->version = parser->version;\n",
     "         tmp_parser->version_set = true;\n         tmp_parser->version = parser->version;\n"
     "         tmp_parser->include_depth = parser->include_depth + 1;\n"),
    ("src/compiler/glsl/glcpp/glcpp-parse.y", "   parser->is_gles = false;\n", "   parser->is_gles = false;\n   parser->include_depth = 0;\n"),
    # Preprocessors divide the least integer by -1 as well.
    *[("src/compiler/glsl/glcpp/glcpp-parse.y", f"         $$.value = $1.value {operator} $3.value;\n      }}\n",
       f"         $$.value = $3.value == -1 ? {otherwise} : $1.value {operator} $3.value;\n      }}\n")
      for operator, otherwise in (("%", "0"), ("/", "(intmax_t) (0 - (uintmax_t) $1.value)"))],
    # ARB_bindless_texture, 5.4.1: what can't become a sampler was refused and converted all the same.
    *[("src/compiler/glsl/ast_function.cpp", "be converted %s a pair of 32-bit unsigned \"\n"
                                             "                                \"integers\");\n            }\n" % way,
       "be converted %s a pair of 32-bit unsigned \"\n"
       "                                \"integers\");\n               return ir_rvalue::error_value(ctx);\n            }\n" % way)
      for way in ("to", "from")],
    # State tables: every unit has a bias of its own, which glPushAttrib keeps. Those of more than eight units were written
    # over what lay behind, and those of units without a texture weren't kept.
    *[("src/mesa/main/mtypes.h", "   %s[MAX_TEXTURE_UNITS];\n" % name, "   %s[MAX_COMBINED_TEXTURE_IMAGE_UNITS];\n" % name)
      for name in ("GLfloat LodBias", "float LodBiasQuantized")],
    ("src/mesa/main/attrib.c", "      for (u = 0; u < num_tex_used; u++) {\n         head->Texture.LodBias[u] = ctx->Texture.Unit[u].LodBias;\n"
                               "         head->Texture.LodBiasQuantized[u] = ctx->Texture.Unit[u].LodBiasQuantized;\n\n",
     "      for (u = 0; u < ctx->Const.MaxCombinedTextureImageUnits; u++) {\n"
     "         head->Texture.LodBias[u] = ctx->Texture.Unit[u].LodBias;\n"
     "         head->Texture.LodBiasQuantized[u] = ctx->Texture.Unit[u].LodBiasQuantized;\n      }\n"
     "      for (u = 0; u < num_tex_used; u++) {\n"),
    ("src/mesa/main/attrib.c", "      ctx->Texture.Unit[u].LodBias = texstate->LodBias[u];\n"
                               "      ctx->Texture.Unit[u].LodBiasQuantized = texstate->LodBiasQuantized[u];\n   }\n",
     "   }\n   for (u = 0; u < ctx->Const.MaxCombinedTextureImageUnits; u++) {\n"
     "      ctx->Texture.Unit[u].LodBias = texstate->LodBias[u];\n"
     "      ctx->Texture.Unit[u].LodBiasQuantized = texstate->LodBiasQuantized[u];\n   }\n"),
    # What is wrong in an included string is wrong.
    ("src/compiler/glsl/glcpp/glcpp-parse.y", "         glcpp_parser_parse(tmp_parser);\n",
     "         glcpp_parser_parse(tmp_parser);\n         parser->error |= tmp_parser->error;\n"),
    # What was refused gives an array no size.
    ("src/compiler/glsl/ast_to_hir.cpp",
     "      validate_assignment(state, lhs_loc, lhs, rhs, is_initializer);\n   if (new_rhs != NULL) {\n      rhs = new_rhs;\n",
     "      validate_assignment(state, lhs_loc, lhs, rhs, is_initializer);\n"
     "   if (new_rhs != NULL && glsl_type_is_error(new_rhs->type)) {\n      error_emitted = true;\n"
     "   } else if (new_rhs != NULL) {\n      rhs = new_rhs;\n"),
]
