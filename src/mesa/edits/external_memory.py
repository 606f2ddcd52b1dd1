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
    # A buffer that got no storage may be given one by another call.
    (BUFFERS, "   if (!res) {\n      if (target == GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD) {\n"
     "         /* Even though the interaction between AMD_pinned_memory and\n          * glBufferStorage",
     "   if (!res) {\n      bufObj->Immutable = GL_FALSE;\n"
     "      if (target == GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD) {\n"
     "         /* Even though the interaction between AMD_pinned_memory and\n          * glBufferStorage"),
]
