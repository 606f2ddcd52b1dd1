# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of program pipelines."""

PIPELINES = "src/mesa/main/pipelineobj.c"

EDITS = [
    # What its stages need of each other is built when a pipeline is validated, or bound with stages that weren't: its first
    # draw finds it.
    (PIPELINES, '#include "util/ralloc.h"\n',
     '#include "util/ralloc.h"\n#include "state_tracker/st_program.h"\n#include "pipe/p_context.h"\n'),
    (PIPELINES, "static ALWAYS_INLINE void\nbind_program_pipeline(",
     "static void\nannounce_stages(struct gl_context *ctx, const struct gl_pipeline_object *pipeline)\n{\n"
     "   void *stages[PIPE_SHADER_TYPES] = {0};\n   const struct gl_shader_program *first = NULL;\n   bool several = false;\n"
     "   for (unsigned i = 0; i <= MESA_SHADER_FRAGMENT; i++) {\n"
     "      const struct gl_program *program = pipeline->CurrentProgram[i];\n"
     "      if (!program || !program->variants)\n         continue;\n"
     "      stages[pipe_shader_type_from_mesa(i)] = program->variants->driver_shader;\n"
     "      several |= first && first != pipeline->ReferencedPrograms[i];\n"
     "      first = pipeline->ReferencedPrograms[i];\n   }\n"
     "   if (several && ctx->pipe->link_shader)\n      ctx->pipe->link_shader(ctx->pipe, stages);\n}\n\n"
     "static ALWAYS_INLINE void\nbind_program_pipeline("),
    (PIPELINES, "   _mesa_bind_pipeline(ctx, newObj);\n",
     "   if (newObj && !newObj->Validated)\n      announce_stages(ctx, newObj);\n   _mesa_bind_pipeline(ctx, newObj);\n"),
    (PIPELINES, "   _mesa_validate_program_pipeline(ctx, pipe);\n   pipe->UserValidated = pipe->Validated;\n",
     "   _mesa_validate_program_pipeline(ctx, pipe);\n   pipe->UserValidated = pipe->Validated;\n"
     "   if (pipe->Validated)\n      announce_stages(ctx, pipe);\n"),
]
