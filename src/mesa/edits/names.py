# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what a name finds: variables and blocks of programs, and objects."""

SHADER_QUERY = "src/mesa/main/shader_query.cpp"
FBOBJECT = "src/mesa/main/fbobject.c"

EDITS = [
    # GL 4.6, 7.3.1: a name matches one of the list, or the list's without its "[0]"; of variables that are arrays,
    # GetProgramResourceLocation knows each element. "a.x" and "a[0]" found the vector a, "b.m" and "b[7]" the block b, and
    # the rest of a shorter name was read behind its end.
    (SHADER_QUERY,
     "   if (!entry)\n      return NULL;\n\n   if (array_index)\n      *array_index = index >= 0 ? index : 0;\n",
     "   if (!entry)\n      return NULL;\n\n"
     "   if (index >= 0 &&\n"
     "       (index > INT_MAX ||\n"
     "        _mesa_program_resource_array_size((struct gl_program_resource *)entry->data) == 0))\n"
     "      return NULL;\n\n"
     "   if (array_index)\n      *array_index = index >= 0 ? index : 0;\n"),
    (SHADER_QUERY,
     "            if (rname_has_array_index_zero ||\n"
     "                name[rname.length] == '\\0' ||\n"
     "                name[rname.length] == '[' ||\n"
     "                name[rname.length] == '.') {\n",
     "            if (rname_has_array_index_zero || name[rname.length] == '\\0') {\n"),
    (SHADER_QUERY,
     "            if (name[rname.length] == '.') {\n"
     "               return res;\n"
     "            }\n"
     "            FALLTHROUGH;\n"
     "         case GL_PROGRAM_INPUT:\n"
     "         case GL_PROGRAM_OUTPUT:\n"
     "            if (name[rname.length] == '\\0') {\n"
     "               return res;\n"
     "            } else if (name[rname.length] == '[' &&\n"
     "                valid_array_index(name, len, array_index)) {\n"
     "               return res;\n"
     "            }\n",
     "         case GL_PROGRAM_INPUT:\n"
     "         case GL_PROGRAM_OUTPUT:\n"
     "            if (rname_has_array_index_zero ?\n"
     "                _mesa_program_resource_array_size(res) == 0 : name[rname.length] == '\\0') {\n"
     "               return res;\n"
     "            }\n"),
    (SHADER_QUERY,
     """/**
 * Checks if array subscript is valid and if so sets array_index.
 */
static bool
valid_array_index(const GLchar *name, int len, unsigned *array_index)
{
   long idx = 0;
   const GLchar *out_base_name_end;

   idx = link_util_parse_program_resource_name(name, len, &out_base_name_end);
   if (idx < 0)
      return false;

   if (array_index)
      *array_index = idx;

   return true;
}

""", ""),
    # So has an element beyond an output's last no index either.
    (SHADER_QUERY,
     "   struct gl_program_resource *res =\n"
     "      _mesa_program_resource_find_name(shProg, programInterface, name, NULL);\n\n"
     "   return _get_resource_location_index(res);\n",
     "   unsigned array_index = 0;\n"
     "   struct gl_program_resource *res =\n"
     "      _mesa_program_resource_find_name(shProg, programInterface, name, &array_index);\n\n"
     "   if (!res || program_resource_location(res, array_index) == -1)\n"
     "      return -1;\n"
     "   return _get_resource_location_index(res);\n"),
    # GL 4.6, 8.1: what glGenTextures gave and nothing has bound is no object yet.
    ("src/mesa/main/texobj.c",
     "   if (!texObj)\n      _mesa_error(ctx, GL_INVALID_OPERATION, \"%s(texture)\", func);\n\n   return texObj;\n",
     "   if (!texObj || texObj->Target == 0) {\n"
     "      _mesa_error(ctx, GL_INVALID_OPERATION, \"%s(texture)\", func);\n"
     "      return NULL;\n"
     "   }\n\n"
     "   return texObj;\n"),
    # GL 4.6, 17.4.3.1: a framebuffer that isn't there is refused. The one that was bound was cleared then, and one whose
    # name nothing had bound was made.
    ("src/mesa/main/clear.c",
     "   _mesa_GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &oldfb);\n"
     "   _mesa_BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);\n",
     "   GET_CURRENT_CONTEXT(ctx);\n"
     "   if (framebuffer &&\n"
     "       !_mesa_lookup_framebuffer_err(ctx, framebuffer, \"glClearNamedFramebuffer\"))\n"
     "      return;\n\n"
     "   _mesa_GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &oldfb);\n"
     "   _mesa_BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);\n"),
    # GL 4.6, 8.26 and 13.3.1: images and transform feedback take objects alone, too.
    *[("src/mesa/main/shaderimage.c",
       f"      if (!texObj) {{\n         _mesa_error(ctx, GL_INVALID_VALUE, \"{name}(texture)\");\n",
       f"      if (!texObj || texObj->Target == 0) {{\n"
       f"         _mesa_error(ctx, GL_INVALID_VALUE, \"{name}(texture)\");\n")
      for name in ("glBindImageTexture", "glBindImageTextureEXT")],
    ("src/mesa/main/transformfeedback.c",
     "   if (!obj) {\n      _mesa_error(ctx, GL_INVALID_OPERATION,\n"
     "                  \"%s(xfb=%u: non-generated object name)\", func, xfb);\n   }\n",
     "   if (!obj || (xfb != 0 && !obj->EverBound)) {\n      _mesa_error(ctx, GL_INVALID_OPERATION,\n"
     "                  \"%s(xfb=%u: non-generated object name)\", func, xfb);\n      return NULL;\n   }\n"),
]
