// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

namespace kobalt::counting {

/// A value that is never destroyed: drivers call Vulkan from their exit handlers, when destructors
/// of static objects may have run already.
template <class T>
union Immortal {
    template <class... Arguments>
    explicit Immortal(Arguments... arguments) : value(arguments...) {}
    ~Immortal() {}
    T value;
};

} // namespace kobalt::counting
