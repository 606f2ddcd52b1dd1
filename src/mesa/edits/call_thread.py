# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits for the thread that GL's calls are executed in (mesa_glthread): what the app's thread keeps of the state, so that it
can answer and copy what calls point to, is what the calls have set."""

MARSHAL = "src/mesa/main/glthread_marshal.h"

ARRAYS = "src/mesa/main/glthread_varray.c"

BUFFERS = "src/mesa/main/glthread_bufferobj.c"

API = "src/mapi/glapi/gen/gl_API.xml"

LISTS = "src/mesa/main/dlist.c"

EDITS = [
    # What Mesa's own thread keeps of the state is what calls without an error have set.
    (MARSHAL, "is_matrix_stack_full(struct gl_context *ctx, gl_matrix_index idx)\n{\n   int max_stack_depth = 0;\n"
              "   if (M_MODELVIEW == ctx->GLThread.MatrixIndex) {\n",
     "is_matrix_stack_full(struct gl_context *ctx, gl_matrix_index idx)\n{\n   int max_stack_depth = 0;\n"
     "   if (M_MODELVIEW == idx) {\n"),
    *[(MARSHAL, "   } else if (%s ctx->GLThread.MatrixIndex) {\n" % limit, "   } else if (%s idx) {\n" % limit)
      for limit in ("M_PROJECTION ==", "M_PROGRAM_LAST >=", "M_TEXTURE_LAST >=")],
    (MARSHAL, "   assert(max_stack_depth);\n\n   if (ctx->GLThread.MatrixStackDepth[idx]", "   if (ctx->GLThread.MatrixStackDepth[idx]"),
    (MARSHAL, "   ctx->GLThread.ActiveTexture = texture - GL_TEXTURE0;\n   if (ctx->GLThread.MatrixMode ==",
     "   if (texture - GL_TEXTURE0 >= MAX2(ctx->Const.MaxTextureCoordUnits,\n"
     "                                     ctx->Const.MaxCombinedTextureImageUnits))\n      return;\n\n"
     "   ctx->GLThread.ActiveTexture = texture - GL_TEXTURE0;\n   if (ctx->GLThread.MatrixMode =="),
    (MARSHAL, "   ctx->GLThread.MatrixIndex = _mesa_get_matrix_index(ctx, mode);\n   ctx->GLThread.MatrixMode = MIN2(mode, 0xffff);\n",
     "   const gl_matrix_index index = _mesa_get_matrix_index(ctx, mode);\n   if (index == M_DUMMY)\n      return;\n"
     "   ctx->GLThread.MatrixIndex = index;\n   ctx->GLThread.MatrixMode = MIN2(mode, 0xffff);\n"),
    ("src/mesa/main/glthread.c", "   glthread->CurrentVAO = &glthread->DefaultVAO;\n\n   ctx->MarshalExec =",
     "   glthread->CurrentVAO = &glthread->DefaultVAO;\n   glthread->MatrixMode = GL_MODELVIEW;\n"
     "   glthread->MatrixIndex = M_MODELVIEW;\n\n   ctx->MarshalExec ="),
    # OpenGL 4.6, 10.3.1: without buffers the bindings are reset.
    (ARRAYS, "   for (unsigned i = 0; i < count; i++) {\n"
             "      bind_vertex_buffer(glthread, vao, first + i, buffers[i], offsets[i],\n"
             "                         strides[i]);\n   }\n",
     "   if (count < 0 || first > VERT_ATTRIB_GENERIC_MAX || count > VERT_ATTRIB_GENERIC_MAX - first)\n      return;\n\n"
     "   for (unsigned i = 0; i < count; i++) {\n"
     "      bind_vertex_buffer(glthread, vao, first + i, buffers ? buffers[i] : 0, buffers ? offsets[i] : 0,\n"
     "                         buffers ? strides[i] : 16);\n   }\n"),
    # EXT_direct_state_access makes a buffer of a name that was generated, however large it is.
    (BUFFERS, "      if (named) {\n         CALL_NamedBufferData(ctx->Dispatch.Current,\n",
     "      if (ext_dsa) {\n         CALL_NamedBufferDataEXT(ctx->Dispatch.Current,\n"
     "                                 (target_or_name, size, data, usage));\n"
     "      } else if (named) {\n         CALL_NamedBufferData(ctx->Dispatch.Current,\n"),
    # GL_CLIENT_PIXEL_STORE_BIT: how pixels lie, and the buffers they lie in.
    ("src/mesa/main/glthread.h", "   /** Whether this element of the client attrib stack contains saved state. */\n   bool Valid;\n",
     "   /** Whether this element of the client attrib stack contains saved state. */\n   bool Valid;\n\n"
     "   struct gl_pixelstore_attrib Unpack;\n   GLuint CurrentPixelPackBufferName;\n"
     "   GLuint CurrentPixelUnpackBufferName;\n   bool ValidPixels; /**< the three above */\n"),
    (ARRAYS, "   if (mask & GL_CLIENT_VERTEX_ARRAY_BIT) {\n      top->VAO = *glthread->CurrentVAO;\n",
     "   top->ValidPixels = mask & GL_CLIENT_PIXEL_STORE_BIT;\n   if (top->ValidPixels) {\n"
     "      top->Unpack = glthread->Unpack;\n"
     "      top->CurrentPixelPackBufferName = glthread->CurrentPixelPackBufferName;\n"
     "      top->CurrentPixelUnpackBufferName = glthread->CurrentPixelUnpackBufferName;\n   }\n\n"
     "   if (mask & GL_CLIENT_VERTEX_ARRAY_BIT) {\n      top->VAO = *glthread->CurrentVAO;\n"),
    (ARRAYS, "   if (!top->Valid)\n      return;\n\n   /* Popping a delete VAO is an error. */\n",
     "   if (top->ValidPixels) {\n      glthread->Unpack = top->Unpack;\n"
     "      glthread->CurrentPixelPackBufferName = top->CurrentPixelPackBufferName;\n"
     "      glthread->CurrentPixelUnpackBufferName = top->CurrentPixelUnpackBufferName;\n   }\n\n"
     "   if (!top->Valid)\n      return;\n\n   /* Popping a delete VAO is an error. */\n"),
    (ARRAYS, "   if (!(mask & GL_CLIENT_VERTEX_ARRAY_BIT))\n      return;\n\n   glthread->CurrentArrayBufferName = 0;\n",
     "   if (mask & GL_CLIENT_PIXEL_STORE_BIT) {\n      _mesa_init_pixelstore_attrib(ctx, &glthread->Unpack);\n"
     "      glthread->CurrentPixelPackBufferName = 0;\n      glthread->CurrentPixelUnpackBufferName = 0;\n   }\n\n"
     "   if (!(mask & GL_CLIENT_VERTEX_ARRAY_BIT))\n      return;\n\n   glthread->CurrentArrayBufferName = 0;\n"),
    (ARRAYS, '#include "main/varray.h"\n', '#include "main/pixelstore.h"\n#include "main/varray.h"\n'),
    (ARRAYS, "   /* XXX also disable secondary color and generic arrays? */\n",
     "   _mesa_glthread_ClientState(ctx, NULL, VERT_ATTRIB_COLOR1, false);\n"
     "   _mesa_glthread_ClientState(ctx, NULL, VERT_ATTRIB_FOG, false);\n"),
    # What is deleted is bound no more.
    (BUFFERS, "      if (id == glthread->CurrentPixelUnpackBufferName)\n"
              "         _mesa_glthread_BindBuffer(ctx, GL_PIXEL_UNPACK_BUFFER, 0);\n",
     "      if (id == glthread->CurrentPixelUnpackBufferName)\n"
     "         _mesa_glthread_BindBuffer(ctx, GL_PIXEL_UNPACK_BUFFER, 0);\n"
     "      if (id == glthread->CurrentQueryBufferName)\n"
     "         _mesa_glthread_BindBuffer(ctx, GL_QUERY_BUFFER, 0);\n"),
    (MARSHAL, "   if (ctx->GLThread.CurrentDrawFramebuffer) {\n      for (int i = 0; i < n; i++) {\n",
     "   if (ctx->GLThread.CurrentDrawFramebuffer || ctx->GLThread.CurrentReadFramebuffer) {\n"
     "      for (int i = 0; i < n; i++) {\n"),
    # A call that is compiled into a list sets nothing until the list is called.
    (API, "marshal_call_after=\"ctx->GLThread.ActiveTexture = texture - GL_TEXTURE0; if (ctx->GLThread.MatrixMode == GL_TEXTURE) "
          "ctx->GLThread.MatrixIndex = _mesa_get_matrix_index(ctx, texture);\">",
     "marshal_call_after=\"_mesa_glthread_ActiveTexture(ctx, texture);\">"),
    (API, "marshal_call_after=\"ctx->GLThread.ClientActiveTexture = texture - GL_TEXTURE0;\">",
     "marshal_call_after=\"_mesa_glthread_ClientActiveTexture(ctx, texture);\">"),
    (API, "marshal_call_after=\"ctx->GLThread.CurrentProgram = program;\">",
     "marshal_call_after=\"_mesa_glthread_UseProgram(ctx, program);\">"),
    *[("src/mapi/glapi/gen/GL3x.xml", "  <function name=\"%sablei\" es2=\"3.2\" exec=\"dlist\">\n" % how,
       "  <function name=\"%sablei\" es2=\"3.2\" exec=\"dlist\"\n"
       "            marshal_call_after=\"_mesa_glthread_Enablei(ctx, target, index, %s);\">\n" % (how, value))
      for how, value in (("En", "true"), ("Dis", "false"))],
    (MARSHAL, "static inline void\n_mesa_glthread_PushMatrix(struct gl_context *ctx)\n",
     "static inline void\n_mesa_glthread_ClientActiveTexture(struct gl_context *ctx, GLenum texture)\n{\n"
     "   if (texture - GL_TEXTURE0 < ctx->Const.MaxTextureCoordUnits)\n"
     "      ctx->GLThread.ClientActiveTexture = texture - GL_TEXTURE0;\n}\n\n"
     "static inline void\n_mesa_glthread_UseProgram(struct gl_context *ctx, GLuint program)\n{\n"
     "   if (ctx->GLThread.ListMode != GL_COMPILE)\n      ctx->GLThread.CurrentProgram = program;\n}\n\n"
     "static inline void\n_mesa_glthread_Enablei(struct gl_context *ctx, GLenum cap, GLuint index, bool on)\n{\n"
     "   if (ctx->GLThread.ListMode != GL_COMPILE && cap == GL_BLEND && index == 0)\n"
     "      ctx->GLThread.Blend = on;\n}\n\n"
     "static inline void\n_mesa_glthread_PushMatrix(struct gl_context *ctx)\n"),
    (LISTS, "         case OPCODE_LIST_BASE:\n            _mesa_glthread_ListBase(ctx, n[1].ui);\n            break;\n",
     "         case OPCODE_LIST_BASE:\n            _mesa_glthread_ListBase(ctx, n[1].ui);\n            break;\n"
     "         case OPCODE_USE_PROGRAM:\n            _mesa_glthread_UseProgram(ctx, n[1].ui);\n            break;\n"
     "         case OPCODE_ENABLE_INDEXED:\n            _mesa_glthread_Enablei(ctx, n[1].ui, n[2].e, true);\n            break;\n"
     "         case OPCODE_DISABLE_INDEXED:\n            _mesa_glthread_Enablei(ctx, n[1].ui, n[2].e, false);\n            break;\n"),
    (LISTS, "      case OPCODE_ENABLE:\n      case OPCODE_LIST_BASE:\n      case OPCODE_MATRIX_MODE:\n",
     "      case OPCODE_ENABLE:\n      case OPCODE_USE_PROGRAM:\n      case OPCODE_ENABLE_INDEXED:\n"
     "      case OPCODE_DISABLE_INDEXED:\n      case OPCODE_LIST_BASE:\n      case OPCODE_MATRIX_MODE:\n"),
]
