# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of storage in memory from elsewhere (EXT_external_objects)."""

OBJECTS = "src/mesa/main/externalobjects.c"
BUFFERS = "src/mesa/main/bufferobj.c"

EDITS = [
    # glTexStorageMem{2,3}DMultisampleEXT looked no target up that it doesn't know: a call with one passed without an error.
    (OBJECTS, "   texObj = _mesa_get_current_tex_object(ctx, target);\n   if (!texObj)\n      return;\n\n"
     "   memObj = lookup_memory_object_err(ctx, memory, func);\n   if (!memObj)\n      return;\n\n"
     "   _mesa_texture_storage_ms_memory(",
     "   if (target != (dims == 2 ? GL_TEXTURE_2D_MULTISAMPLE :\n"
     "                              GL_TEXTURE_2D_MULTISAMPLE_ARRAY)) {\n"
     "      _mesa_error(ctx, GL_INVALID_ENUM, \"%s(illegal target=%s)\", func,\n"
     "                  _mesa_enum_to_string(target));\n      return;\n   }\n\n"
     "   texObj = _mesa_get_current_tex_object(ctx, target);\n   if (!texObj)\n      return;\n\n"
     "   memObj = lookup_memory_object_err(ctx, memory, func);\n   if (!memObj)\n      return;\n\n"
     "   _mesa_texture_storage_ms_memory("),
    # A tiling can't be chosen any more when the storage is there.
    ("src/mesa/main/texparam.c", "      if (_mesa_has_EXT_memory_object(ctx) && !texObj->Immutable) {\n"
     "         if (!is_valid_texture_tiling(ctx, params[0]))\n",
     "      if (_mesa_has_EXT_memory_object(ctx)) {\n         if (texObj->Immutable)\n            goto invalid_operation;\n\n"
     "         if (!is_valid_texture_tiling(ctx, params[0]))\n"),
    # Memory is as large as it was imported: no storage reaches beyond it.
    ("src/mesa/main/mtypes.h", "   struct pipe_memory_object *memory;\n\n   /* TEXTURE_TILING_EXT",
     "   GLuint64 Size;          /**< in bytes */\n\n"
     "   struct pipe_memory_object *memory;\n\n   /* TEXTURE_TILING_EXT"),
    (OBJECTS, "   memObj->Immutable = GL_TRUE;\n", "   memObj->Immutable = GL_TRUE;\n   memObj->Size = size;\n"),
    (BUFFERS, "         _mesa_error(ctx, GL_INVALID_OPERATION, \"%s(no associated memory)\",\n"
     "                     func);\n         return;\n      }\n",
     "         _mesa_error(ctx, GL_INVALID_OPERATION, \"%s(no associated memory)\",\n"
     "                     func);\n         return;\n      }\n\n"
     "      if (!no_error && size > 0 &&\n"
     "          (offset > memObj->Size || (GLuint64)size > memObj->Size - offset)) {\n"
     "         _mesa_error(ctx, GL_INVALID_VALUE, \"%s(offset + size > %llu)\",\n"
     "                     func, (unsigned long long)memObj->Size);\n         return;\n      }\n"),
    # A buffer that got no storage may be given one by another call.
    (BUFFERS, "   if (!res) {\n      if (target == GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD) {\n"
     "         /* Even though the interaction between AMD_pinned_memory and\n          * glBufferStorage",
     "   if (!res) {\n      bufObj->Immutable = GL_FALSE;\n"
     "      if (target == GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD) {\n"
     "         /* Even though the interaction between AMD_pinned_memory and\n          * glBufferStorage"),
]
