// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// The stages of a draw whose triangles leave out edges in line mode, and corners in point mode.
/// Their input is triangles with adjacency. The vertex after each corner repeats the next corner
/// where the edge between them is hidden, the previous corner where the corner is hidden, and else
/// the corner itself. The geometry stage passes each corner's position and what is hidden to the
/// fragment stage, which discards the fragments there. Everything else (facing, culling, offset,
/// flat shading) stays that of a polygon, as in GL.
class OutlineStages {
public:
    /// Replaces the bound vertex and fragment shaders by these stages while this lives. Where there
    /// are none, ok() is false and nothing has changed.
    explicit OutlineStages(Context& context);
    ~OutlineStages();
    OutlineStages(const OutlineStages&) = delete;
    OutlineStages& operator=(const OutlineStages&) = delete;

    bool ok() const { return ok_; }

private:
    Context& state_;
    Shader *vertex_, *fragment_; ///< the shaders bound before
    bool ok_ = false;
};

/// Builds the replacements for a vertex or fragment shader before a draw needs them.
void build_outline(Screen& screen, Shader& shader);

/// Whether a prepared fragment shader can tell a line from the edge of a polygon, by reading
/// something that differs between the two (facing, flat inputs, the primitive's number).
bool tells_lines_apart(nir_shader* nir);

} // namespace kobalt::gallium
