// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// Draws run with another rasteriser state while this lives. `object` must outlive it, and have the
/// same clip volume as the bound state.
class OtherRasterizer {
public:
    OtherRasterizer(Context& context, RasterizerObject& object);
    ~OtherRasterizer() { use(usual_); }
    OtherRasterizer(const OtherRasterizer&) = delete;
    OtherRasterizer& operator=(const OtherRasterizer&) = delete;

private:
    void use(RasterizerObject* object);

    Context& state_;
    RasterizerObject* usual_;
};

/// While this lives, draws repeat an earlier draw in other primitives: transform feedback captures
/// nothing of them, and queries count nothing of them except the samples that pass.
class UncountedDraws {
public:
    explicit UncountedDraws(Context& context);
    ~UncountedDraws();
    UncountedDraws(const UncountedDraws&) = delete;
    UncountedDraws& operator=(const UncountedDraws&) = delete;

private:
    Context& state_;
    uint32_t stream_outputs_;
    bool counted_samples_only_; ///< the earlier value, as UncountedDraws may be nested
};

/// Front and back faces in different polygon modes: Vulkan has one mode for both, so the draw is
/// made twice, first with back faces culled and then with front faces culled. Pixels where faces of
/// both kinds overlap may come out in another order than GL's, and stores and atomics of the stages
/// before the rasteriser happen twice. True: it was drawn.
bool draw_faces_apart(Context& context, const pipe_draw_info& info, unsigned draw_id,
                      const pipe_draw_indirect_info* indirect,
                      const pipe_draw_start_count_bias* draws, unsigned draw_count);

} // namespace kobalt::gallium
