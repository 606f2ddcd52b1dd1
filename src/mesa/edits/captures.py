# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of where transform feedback puts what it captures (GLSL 4.60, 4.4.2.1)."""

HIR = "src/compiler/glsl/ast_to_hir.cpp"
VARYINGS = "src/compiler/glsl/gl_nir_link_varyings.c"

EDITS = [
    # "Within the qualified entity, subsequent components are each assigned, in order, to the next available offset aligned
    # to a multiple of that component's size": a member that has doubles somewhere behind its first component need not
    # begin at a multiple of 8, and what follows one that was aligned comes behind it.
    (HIR, "/* From the ARB_enhanced_layouts spec:\n *\n *    \"Variables and block members qualified with *xfb_offset*",
     "/* The size in bytes of the first component of TYPE. */\n"
     "static unsigned\nfirst_component_size(const glsl_type *type)\n{\n"
     "   type = glsl_without_array(type);\n"
     "   if (glsl_type_is_struct(type) && type->length)\n"
     "      return first_component_size(type->fields.structure[0].type);\n"
     "   return glsl_type_is_64bit(type) ? 8 : 4;\n}\n\n"
     "/* Where in the buffer the components of TYPE end, of which the first may lie at OFFSET. */\n"
     "static unsigned\nend_of_captured(const glsl_type *type, unsigned offset)\n{\n"
     "   if (glsl_type_is_array(type) || glsl_type_is_struct(type)) {\n"
     "      for (unsigned i = 0; i < type->length; i++)\n"
     "         offset = end_of_captured(glsl_type_is_array(type) ? type->fields.array : type->fields.structure[i].type,\n"
     "                                  offset);\n"
     "      return offset;\n   }\n"
     "   return align(offset, first_component_size(type)) + 4 * glsl_get_component_slots(type);\n}\n\n"
     "/* From the ARB_enhanced_layouts spec:\n *\n *    \"Variables and block members qualified with *xfb_offset*"),
    (HIR, "         if (xfb_offset == -1)\n            component_size = glsl_contains_double(member_t) ? 8 : 4;\n",
     "         component_size = xfb_offset != -1 ? first_component_size(member_t) :\n"
     "            glsl_contains_double(member_t) ? 8 : 4;\n"),
    (HIR, "               block_xfb_offset = fields[i].offset +\n                  4 * glsl_get_component_slots(field_type);\n",
     "               block_xfb_offset = end_of_captured(field_type, xfb_offset);\n"
     "               if (glsl_contains_double(field_type))\n"
     "                  block_xfb_offset = align(block_xfb_offset, 8);\n"),
    (HIR, "               unsigned base_alignment = glsl_type_is_64bit(field_type) ? 8 : 4;\n"
     "               fields[i].offset = align(block_xfb_offset, base_alignment);\n"
     "               block_xfb_offset += 4 * glsl_get_component_slots(field_type);\n",
     "               fields[i].offset = align(block_xfb_offset, first_component_size(field_type));\n"
     "               block_xfb_offset = end_of_captured(field_type, fields[i].offset);\n"),
    # Doubles within a member are aligned from the beginning of the buffer, not of the member.
    (VARYINGS, "   unsigned varying_floats;\n\n   /**\n    * Offset within the xfb.",
     "   unsigned varying_floats;\n\n"
     "   /**\n    * 1: the variable begins at an odd float of the buffer; 0: at an even one.\n    */\n"
     "   unsigned xfb_odd;\n\n   /**\n    * Offset within the xfb."),
    (VARYINGS, "      if (named_ifc_member) {\n         ralloc_asprintf_rewrite_tail(name, &name_length, \".%s\",\n",
     "      if (named_ifc_member) {\n         state->xfb_offset_floats = state->xfb_odd;\n"
     "         ralloc_asprintf_rewrite_tail(name, &name_length, \".%s\",\n"),
    (VARYINGS, "      candidate->struct_offset_floats = state->varying_floats;\n",
     "      candidate->struct_offset_floats = state->varying_floats;\n"
     "      candidate->xfb_offset_floats -= state->xfb_odd;\n"),
    (VARYINGS, "               tfeedback_candidate_generator(&state, &name, strlen(name), type,\n"
     "                                             ifc_member);\n",
     "               state.xfb_odd = output_var->data.explicit_offset ? output_var->data.offset / 4 & 1 : 0;\n"
     "               state.xfb_offset_floats = state.xfb_odd;\n"
     "               tfeedback_candidate_generator(&state, &name, strlen(name), type,\n"
     "                                             ifc_member);\n"),
    # OpenGL 4.6, 11.1.2.1: an array of matrices is one varying of SPIR-V's. Each of its matrices was written down as
    # another, behind the room that was counted.
    ("src/compiler/nir/nir_gather_xfb_info.c",
     "      if (!glsl_type_is_array(child_type) &&\n          !glsl_type_is_struct(child_type)) {\n\n"
     "         add_var_xfb_varying(xfb, varyings, buffer, *offset, type);\n",
     "      if (!varying_added && !glsl_type_is_array(child_type) &&\n          !glsl_type_is_struct(child_type)) {\n\n"
     "         add_var_xfb_varying(xfb, varyings, buffer, *offset, type);\n"),
    # The program that an object captured last lived as long as the process.
    ("src/mesa/main/transformfeedback.c", "   free(obj->Label);\n   FREE(obj);\n",
     "   _mesa_reference_program_(ctx, &obj->program, NULL);\n   free(obj->Label);\n   FREE(obj);\n"),
    # OpenGL 4.6, 13.3: the size that was given, whatever the buffer has, and 0 where none is bound.
    ("src/mesa/main/transformfeedback.c", "   if (obj->RequestedSize[index] == 0 &&\n       (pname == GL_TRANSFORM_FEEDBACK_BUFFER_START ||\n",
     "   if ((obj->RequestedSize[index] == 0 || !obj->Buffers[index]) &&\n"
     "       (pname == GL_TRANSFORM_FEEDBACK_BUFFER_START ||\n"),
    ("src/mesa/main/transformfeedback.c", "      *param = obj->Size[index];\n      break;\n   default:\n      _mesa_error(ctx, GL_INVALID_ENUM,\n"
                                          "                  \"glGetTransformFeedbacki64_v(",
     "      *param = obj->RequestedSize[index];\n      break;\n   default:\n      _mesa_error(ctx, GL_INVALID_ENUM,\n"
     "                  \"glGetTransformFeedbacki64_v("),
]
