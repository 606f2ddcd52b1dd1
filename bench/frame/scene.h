// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <span>

#include "objects.h"

namespace kobalt::frame {

/// Something that a program draws in each frame. The constructor makes its objects in the current
/// context, with which they go.
class Scene {
public:
    Scene() = default;
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;
    virtual ~Scene() = default;
    /// Draws the frame with this number; the caller flushes behind it.
    virtual void draw(int frame) = 0;
};

/// A scene that can be made: its name, and what the scene is about.
struct Kind {
    const char* name;
    const char* what;
    std::unique_ptr<Scene> (*make)(Size size);
};

/// A function for Kind::make that makes a `Type` with the size and the `arguments`.
template <class Type, auto... arguments>
std::unique_ptr<Scene> made(Size size) {
    return std::make_unique<Type>(size, arguments...);
}

std::span<const Kind> light_scenes();
std::span<const Kind> target_scenes();
std::span<const Kind> pass_scenes();
std::span<const Kind> stream_scenes();
std::span<const Kind> pixel_buffer_scenes();
std::span<const Kind> overlay_scenes();
std::span<const Kind> game_scenes();
std::span<const Kind> whole_scenes();

} // namespace kobalt::frame
