// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/emulation/empty_framebuffer.h"

#include <algorithm>

#include "vulkan/base/variable_access.h"
#include "vulkan/capabilities/driver_behind.h"

namespace kobalt::gallium {
namespace {

constexpr uint64_t most_bytes = uint64_t{256} << 20;

bool serves(const pipe_resource& resource, const render::Framebuffer& framebuffer) {
    return resource.nr_samples == framebuffer.samples && resource.width0 >= framebuffer.width &&
           resource.height0 >= framebuffer.height && resource.array_size >= framebuffer.layers;
}

} // namespace

bool attaches_empty_samples(const vulkan::Device& device) {
    if (const auto wish = vulkan::environment::flag(vulkan::Variable::attached_samples))
        return *wish;
    return vulkan::driver_behind(device.properties()) == VK_DRIVER_ID_NVIDIA_PROPRIETARY;
}

bool PlaceholderAttachment::create(Screen& screen, const render::Framebuffer& framebuffer) {
    pipe_resource templ{};
    templ.target = framebuffer.layers > 1 ? PIPE_TEXTURE_2D_ARRAY : PIPE_TEXTURE_2D;
    templ.format = PIPE_FORMAT_R8_UNORM;
    templ.width0 = framebuffer.width;
    templ.height0 = static_cast<uint16_t>(framebuffer.height);
    templ.depth0 = 1;
    templ.array_size = static_cast<uint16_t>(framebuffer.layers);
    templ.nr_samples = templ.nr_storage_samples = static_cast<uint8_t>(framebuffer.samples);
    templ.bind = PIPE_BIND_RENDER_TARGET;
    view_ = {};
    resource_.reset(screen.resource_create(&screen, &templ));
    if (!resource_)
        return false;
    view_ = whole_view(screen, *Resource::from(resource_.get()), VK_IMAGE_ASPECT_COLOR_BIT,
                       VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    return static_cast<bool>(view_);
}

void PlaceholderAttachment::attach(Screen& screen, render::Framebuffer& framebuffer) {
    const uint64_t bytes =
        uint64_t{framebuffer.width} * framebuffer.height * framebuffer.layers * framebuffer.samples;
    if (bytes == 0 || bytes > most_bytes)
        return;
    if ((!view_ || !serves(*resource_, framebuffer)) && !create(screen, framebuffer))
        return;
    framebuffer.color_count = std::max(framebuffer.color_count, 1u);
    framebuffer.color[0] = view_.get();
    framebuffer.color_formats[0] = view_->image().storage().format();
}

} // namespace kobalt::gallium
