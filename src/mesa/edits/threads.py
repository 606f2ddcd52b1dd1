# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits of the threads that execute what the app has asked for: GL's calls, on machines of four cores and more, and the
driver's."""

PIXELS = "src/mesa/main/glthread_pixels.c"

THREADED = "src/gallium/auxiliary/util/u_threaded_context.c"

THREADED_H = "src/gallium/auxiliary/util/u_threaded_context.h"

TRACE = "src/gallium/auxiliary/driver_trace/tr_context.c"

EDITS = [
    # GL 4.6, 8.4.4: what is drawn may begin behind skipped rows and pixels, and its rows may be longer. As many bytes were kept for
    # the thread as the picture alone has, from the first one on, so the end of it was whatever lay behind them.
    (PIXELS, "uint32_t\n_mesa_unmarshal_Bitmap(",
     "/** Whether the picture is all that lies where the app says. */\n"
     "static bool\nis_alone(const struct gl_context *ctx, GLsizei width)\n{\n"
     "   const struct gl_pixelstore_attrib *unpack = &ctx->GLThread.Unpack;\n"
     "   return !unpack->SkipPixels && !unpack->SkipRows &&\n"
     "          (!unpack->RowLength || unpack->RowLength == width);\n}\n\n"
     "uint32_t\n_mesa_unmarshal_Bitmap("),
    (PIXELS, "      if (bitmap_size <= MAX_BITMAP_BYTE_SIZE) {\n",
     "      if (is_alone(ctx, width) && bitmap_size <= MAX_BITMAP_BYTE_SIZE) {\n"),
    (PIXELS, "         if (image_size <= MAX_DRAWPIX_BYTE_SIZE) {\n",
     "         if (is_alone(ctx, width) && image_size <= MAX_DRAWPIX_BYTE_SIZE) {\n"),
    # GL 4.6, 4.2: results come in finite time. A flag said that a query's end was flushed. A query that is used again
    # behind a glFlush ends twice, and the driver's thread set the flag for the first end when the app's had cleared it
    # for the second: its result was then waited for before it was submitted, for ever. The ends are counted now.
    (THREADED_H, '#include "util/bitset.h"\n', '#include "util/bitset.h"\n#include "util/u_atomic.h"\n'),
    (THREADED_H, "   /* Whether pipe->flush has been called in non-deferred mode after end_query. */\n   bool flushed;\n};\n",
     "   /* How often the app has ended it, which of these ends the driver has executed last (0: none), and behind\n"
     "    * which pipe->flush has been called in non-deferred mode, or the result been read.\n    */\n"
     "   unsigned ends, executed_end, flushed_end;\n};\n\n"
     "/* Whether pipe->flush has been called in non-deferred mode after the last end_query. For the app's thread. */\n"
     "static inline bool\nthreaded_query_flushed(const struct threaded_query *tq)\n{\n"
     "   return tq->ends && p_atomic_read(&tq->flushed_end) == tq->ends;\n}\n"),
    (THREADED, "struct tc_end_query_call {\n   struct tc_call_base base;\n",
     "struct tc_end_query_call {\n   struct tc_call_base base;\n   unsigned end;\n"),
    (THREADED, "      list_add(&tq->head_unflushed, &p->tc->unflushed_queries);\n\n   pipe->end_query",
     "      list_add(&tq->head_unflushed, &p->tc->unflushed_queries);\n   tq->executed_end = p->end;\n\n   pipe->end_query"),
    (THREADED, "   call->query = query;\n\n   tq->flushed = false;\n", "   call->query = query;\n   call->end = ++tq->ends;\n"),
    (THREADED, "   bool flushed = tq->flushed;\n", "   bool flushed = threaded_query_flushed(tq);\n"),
    (THREADED, "   if (success) {\n      tq->flushed = true;\n",
     "   if (success) {\n      p_atomic_set(&tq->flushed_end, tq->ends);\n"),
    (THREADED, "       * are visible before setting tq->flushed.\n       */\n      p_atomic_set(&tq->flushed, true);\n",
     "       * are visible before setting tq->flushed_end.\n       */\n"
     "      p_atomic_set(&tq->flushed_end, tq->executed_end);\n"),
    *[(TRACE, f"      threaded_query(query)->flushed = {query}->base.flushed;\n",
       f"      copy_ends(threaded_query(query), &{query}->base);\n") for query in ("trace_query(_query)", "tr_query")],
    (TRACE, "static bool\ntrace_context_begin_query(",
     "/* The driver looks at its own query. */\n"
     "static void\ncopy_ends(struct threaded_query *to, const struct threaded_query *from)\n{\n"
     "   to->ends = from->ends;\n   to->flushed_end = p_atomic_read(&from->flushed_end);\n}\n\n"
     "static bool\ntrace_context_begin_query("),
]
