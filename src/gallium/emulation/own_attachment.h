// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>

#include "gallium/context/view.h"

// Attachments that the driver creates itself.

namespace kobalt::gallium {

struct DropResource {
    void operator()(pipe_resource* resource) const { pipe_resource_reference(&resource, nullptr); }
};
using OwnResource = std::unique_ptr<pipe_resource, DropResource>;

/// A view of all its layers; null where none can be made.
inline render::Ref<render::ImageView> whole_view(Screen& screen, Resource& resource,
                                                 VkImageAspectFlags aspects,
                                                 VkImageUsageFlags usage) {
    const uint32_t layers = MAX2(resource.b.array_size, 1u);
    return create_image_view(screen, resource, resource.b.format,
                             layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                             usage, {aspects, 0, 1, 0, layers}, {});
}

} // namespace kobalt::gallium
