// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "kept_attachment.h"

#include <cstdlib>

namespace {

kobalt::strict_stores::Seen seen;

} // namespace

extern "C" kobalt::strict_stores::Seen* kobalt_strict_stores_seen() {
    return &seen;
}

namespace kobalt::gltest {

bool strict_stores_wanted() {
    const char* const layers = std::getenv("VK_INSTANCE_LAYERS");
    return layers && std::string_view(layers).find(strict_stores::layer_name) != std::string::npos;
}

const strict_stores::Seen& seen_by_strict_stores() {
    return seen;
}

void KeptAttachmentTest::prepare() {
    if (strict_stores_wanted()) {
        ASSERT_GT(seen.devices.load(), 0U) << "the layer was not loaded";
    }
    painter_.emplace();
    other_ = make_target({8, 8});
}

} // namespace kobalt::gltest
