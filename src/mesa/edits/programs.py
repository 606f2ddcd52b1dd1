# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of what programs are asked for and told: resources, subroutines, uniforms of 64 bits."""

API = "src/mesa/main/shaderapi.c"
QUERY = "src/mesa/main/shader_query.cpp"
RESOURCE = "src/mesa/main/program_resource.c"
UNIFORM = "src/mesa/main/uniform_query.cpp"

ABSENT = "   if (!shProg->_LinkedShaders[stage]) {\n      _mesa_error(ctx, GL_INVALID_OPERATION, \"%s\", api_name);\n"


def nearest(result, source, lowest, largest, type_name):
    """A floating-point value as an integer of 64 bits; of what is beyond those the nearest there is."""
    return (f"{type_name} tmp = {source} >= {largest} ? {result}_MAX :\n"
            f"                     {source} <= {lowest} ? {'INT64_MIN' if result == 'INT64' else '0'} : ({type_name}) round({source});\n")


EDITS = [
    # GL 4.6, 7.10: glUseProgram and glUseProgramStages choose the first subroutines again, also for draws with what is in
    # use already.
    (API,
     "      binding->IndexPtr[i] = find_compat_subroutine(p, uni->type);\n",
     "      const GLuint first = find_compat_subroutine(p, uni->type);\n"
     "      if (binding->IndexPtr[i] != first)\n         _mesa_flush_vertices_for_uniforms(ctx, uni);\n"
     "      binding->IndexPtr[i] = first;\n"),
    # GL 4.6, 7.10: what is no type of shader is INVALID_ENUM. A stage that a linked program lacks has no subroutine: an
    # index that isn't there, and no error where one asks for a name.
    (API, "   if (!_mesa_validate_shader_target(ctx, shadertype)) {\n      _mesa_error(ctx, GL_INVALID_OPERATION,",
     "   if (!_mesa_validate_shader_target(ctx, shadertype)) {\n      _mesa_error(ctx, GL_INVALID_ENUM,"),
    (API, ABSENT + "      return -1;\n",
     "   if (!shProg->_LinkedShaders[stage]) {\n      if (shProg->data->LinkStatus == LINKING_FAILURE)\n"
     "         _mesa_error(ctx, GL_INVALID_OPERATION, \"%s\", api_name);\n      return -1;\n"),
    (API, ABSENT + "      return;\n",
     "   if (!shProg->_LinkedShaders[stage]) {\n"
     "      _mesa_error(ctx, shProg->data->LinkStatus == LINKING_FAILURE ? GL_INVALID_OPERATION : GL_INVALID_VALUE,\n"
     "                  \"%s\", api_name);\n      return;\n"),
    (API, "   sh = shProg->_LinkedShaders[stage];\n   if (!sh) {\n      _mesa_error(ctx, GL_INVALID_OPERATION, \"%s\", api_name);\n",
     "   sh = shProg->_LinkedShaders[stage];\n   if (!sh) {\n"
     "      _mesa_error(ctx, shProg->data->LinkStatus == LINKING_FAILURE ? GL_INVALID_OPERATION : GL_INVALID_VALUE,\n"
     "                  \"%s\", api_name);\n"),
    # GL_ARB_explicit_uniform_location: indices that no subroutine has are active all the same, and have empty names.
    (API,
     "   resource_type = _mesa_shader_stage_to_subroutine(stage);\n   _mesa_get_program_resource_name(shProg, resource_type,\n",
     "   resource_type = _mesa_shader_stage_to_subroutine(stage);\n"
     "   const struct gl_program *linked = shProg->_LinkedShaders[stage]->Program;\n"
     "   if (bufsize >= 0 && linked->sh.NumSubroutineFunctions && index <= linked->sh.MaxSubroutineFunctionIndex &&\n"
     "       !_mesa_program_resource_find_index(shProg, resource_type, index)) {\n"
     "      _mesa_copy_string(name, bufsize, length, \"\");\n      return;\n   }\n"
     "   _mesa_get_program_resource_name(shProg, resource_type,\n"),
    # GL 4.6, 7.10: also where there is nothing to tell.
    (API, "   if (!sh) {\n      values[0] = 0;\n",
     "   if (!sh) {\n"
     "      if (pname != GL_ACTIVE_SUBROUTINES && pname != GL_ACTIVE_SUBROUTINE_UNIFORMS &&\n"
     "          pname != GL_ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS && pname != GL_ACTIVE_SUBROUTINE_MAX_LENGTH &&\n"
     "          pname != GL_ACTIVE_SUBROUTINE_UNIFORM_MAX_LENGTH) {\n"
     "         _mesa_error(ctx, GL_INVALID_ENUM, \"%s\", api_name);\n         return;\n      }\n"
     "      values[0] = 0;\n"),
    # GL 4.6, 2.3.1: an error leaves the app's memory alone; 7.3.1.1: no more is written than there is room for, and each
    # property's values stand behind those of the one before.
    (QUERY, "#include \"main/context.h\"\n", "#include <algorithm>\n#include <vector>\n\n#include \"main/context.h\"\n"),
    (QUERY,
     "   GLint *val = (GLint *) params;\n   const GLenum *prop = props;\n   GLsizei amount = 0;\n\n", "\n"),
    (QUERY,
     "   /* Write propCount values until error occurs or bufSize reached. */\n"
     "   for (int i = 0; i < propCount && i < bufSize; i++, val++, prop++) {\n"
     "      int props_written =\n         _mesa_program_resource_prop(shProg, res, index, *prop, val,\n"
     "                                     false, \"glGetProgramResourceiv\");\n\n"
     "      /* Error happened. */\n      if (props_written == 0)\n         return;\n\n"
     "      amount += props_written;\n   }\n",
     "   std::vector<GLint> values;\n"
     "   for (GLsizei i = 0; i < propCount; i++) {\n"
     "      GLint room = 1;\n"
     "      const GLenum number = props[i] == GL_ACTIVE_VARIABLES ? GL_NUM_ACTIVE_VARIABLES :\n"
     "                            props[i] == GL_COMPATIBLE_SUBROUTINES ? GL_NUM_COMPATIBLE_SUBROUTINES : GL_NONE;\n"
     "      if (number && !_mesa_program_resource_prop(shProg, res, index, number, &room, false,\n"
     "                                                 \"glGetProgramResourceiv\"))\n         return;\n"
     "      const size_t before = values.size();\n"
     "      values.resize(before + MAX2(room, 1));\n"
     "      const unsigned written =\n"
     "         _mesa_program_resource_prop(shProg, res, index, props[i], &values[before], false,\n"
     "                                     \"glGetProgramResourceiv\");\n"
     "      if (!written && room)\n         return;\n"
     "      values.resize(before + written);\n   }\n\n"
     "   const GLsizei amount = MIN2((GLsizei) values.size(), bufSize);\n"
     "   std::copy_n(values.begin(), amount, params);\n"),
    (QUERY, "   if (name && name[0] != '\\0' &&\n", "   if (name && bufSize > 0 && name[0] != '\\0' &&\n"),
    # GLSL 4.60, 4.4.1 and 4.4.2: elements take as many locations as their type.
    (QUERY,
     "      return var->location +\n\t     (array_index * glsl_without_array(var->type)->matrix_columns);\n",
     "      return var->location +\n"
     "             array_index * glsl_count_attribute_slots(glsl_without_array(var->type),\n"
     "                                                      res->StageReferences & (1 << MESA_SHADER_VERTEX));\n"),
    (QUERY, "      return RESOURCE_VAR(res)->location + array_index;\n",
     "      return RESOURCE_VAR(res)->location +\n"
     "             array_index * glsl_count_attribute_slots(glsl_without_array(RESOURCE_VAR(res)->type), false);\n"),
    # ES 3.2, 7.3.1 and table 7.2: what it doesn't have.
    (RESOURCE, "   case GL_TRANSFORM_FEEDBACK_BUFFER:\n   case GL_TRANSFORM_FEEDBACK_VARYING:\n",
     "      return true;\n   case GL_TRANSFORM_FEEDBACK_BUFFER:\n      return _mesa_is_desktop_gl(ctx);\n"
     "   case GL_TRANSFORM_FEEDBACK_VARYING:\n"),
    (QUERY, "   switch(prop) {\n   case GL_NAME_LENGTH:\n",
     "   if (_mesa_is_gles(ctx) &&\n"
     "       (prop == GL_LOCATION_COMPONENT || prop == GL_NUM_COMPATIBLE_SUBROUTINES ||\n"
     "        prop == GL_COMPATIBLE_SUBROUTINES || prop == GL_TRANSFORM_FEEDBACK_BUFFER_INDEX ||\n"
     "        prop == GL_TRANSFORM_FEEDBACK_BUFFER_STRIDE))\n      goto invalid_enum;\n\n"
     "   switch(prop) {\n   case GL_NAME_LENGTH:\n"),
    (QUERY, "      default:\n         _mesa_error(ctx, GL_INVALID_OPERATION,\n"
     "                     \"glGetProgramInterfaceiv(%s pname %s)\",\n"
     "                     _mesa_enum_to_string(programInterface),\n"
     "                     _mesa_enum_to_string(pname));\n      }\n      break;\n   default:\n",
     "      default:\n         _mesa_error(ctx, _mesa_is_gles(ctx) ? GL_INVALID_ENUM : GL_INVALID_OPERATION,\n"
     "                     \"glGetProgramInterfaceiv(%s pname %s)\",\n"
     "                     _mesa_enum_to_string(programInterface),\n"
     "                     _mesa_enum_to_string(pname));\n      }\n      break;\n   default:\n"),
    # GL 4.6, 2.2.2: the nearest value that there is.
    (UNIFORM, "int64_t tmp = MIN2(u64, INT_MAX);", "int64_t tmp = MIN2(u64, INT64_MAX);"),
    (UNIFORM, "                  uint64_t i64;\n                  memcpy(&i64,", "                  int64_t i64;\n                  memcpy(&i64,"),
    (UNIFORM, "int64_t tmp = (int64_t) roundf(src[sidx].f);\n",
     nearest("INT64", "src[sidx].f", "-0x1p63", "0x1p63", "int64_t")),
    (UNIFORM, "int64_t tmp = (int64_t) round(d);\n", nearest("INT64", "d", "-0x1p63", "0x1p63", "int64_t")),
    (UNIFORM, "uint64_t tmp = src[sidx].f < 0.0f ?\n                     0ull : (uint64_t) roundf(src[sidx].f);\n",
     nearest("UINT64", "src[sidx].f", "0.0", "0x1p64", "uint64_t")),
    (UNIFORM, "uint64_t tmp = (d < 0.0) ? 0ull : (uint64_t) round(d);\n",
     nearest("UINT64", "d", "0.0", "0x1p64", "uint64_t")),
    # GL 4.6, 7.6.1: booleans are loaded as floats and as integers of 32 bits.
    (UNIFORM, "      match = (basicType != GLSL_TYPE_DOUBLE);\n", "      match = !glsl_base_type_is_64bit(basicType);\n"),
    # GL_ARB_spirv_extensions: there are as many as there are names of.
    ("src/mesa/state_tracker/st_extensions.c",
     "      consts->SpirVExtensions->supported[SPV_KHR_subgroup_vote] =\n         extensions->ARB_shader_group_vote;\n",
     "      consts->SpirVExtensions->supported[SPV_KHR_subgroup_vote] =\n         extensions->ARB_shader_group_vote;\n"
     "      for (unsigned i = 0; i < ARRAY_SIZE(consts->SpirVExtensions->supported); i++)\n"
     "         consts->SpirVExtensions->count += consts->SpirVExtensions->supported[i];\n"),
]
