// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "subject.h"

namespace kobalt::transfer {

/// A way to move a texture's texels. It owns the pixel buffers that it uses.
class Mover {
public:
    Mover() = default;
    Mover(const Mover&) = delete;
    Mover& operator=(const Mover&) = delete;
    virtual ~Mover() = default;
    /// Moves all texels once.
    virtual void move() = 0;
    /// Whether the last move brought the subject's pattern to where it should be.
    virtual bool arrived() = 0;
};

struct Way {
    const char* name;
    std::unique_ptr<Mover> (*make)(const Subject& subject);
};

/// From the program's memory into the texture; the texture is empty before.
std::span<const Way> ways_up();
/// From the texture into the program's memory; the texture holds the pattern.
std::span<const Way> ways_down();

} // namespace kobalt::transfer
