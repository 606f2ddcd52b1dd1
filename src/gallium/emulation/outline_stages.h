// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// The stages of a draw whose triangles leave out edges in line mode, and corners in point mode.
/// Its input are triangles with adjacency: after each corner comes the next corner once more where
/// the edge between them is hidden, the one before where the corner is, else the corner itself. The
/// geometry stage hands each corner's place and what is hidden to the fragment stage, which drops
/// the fragments that lie there. So everything else (facing, culling, offset, flat shading) is a
/// polygon's, as GL has it.
class OutlineStages {
public:
    /// Binds them instead of the bound vertex and fragment shaders while this lives. ok() is false
    /// where there are none; nothing has changed then.
    explicit OutlineStages(Context& context);
    ~OutlineStages();
    OutlineStages(const OutlineStages&) = delete;
    OutlineStages& operator=(const OutlineStages&) = delete;

    bool ok() const { return ok_; }

private:
    Context& state_;
    Shader *vertex_, *fragment_; ///< what was bound
    bool ok_ = false;
};

/// Makes what stands for a vertex or fragment shader before a draw asks for it.
void build_outline(Screen& screen, Shader& shader);

/// Whether a prepared fragment shader sees if a line is the edge of a polygon: it reads what
/// differs between the two (facing, flat inputs, the primitive's number).
bool tells_lines_apart(nir_shader* nir);

} // namespace kobalt::gallium
