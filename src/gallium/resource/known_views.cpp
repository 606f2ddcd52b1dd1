// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/resource/create.h"

namespace kobalt::gallium {
namespace {

template <VkFormat... formats>
const VkImageFormatListCreateInfo& list_of() {
    static constexpr VkFormat all[] = {formats...};
    static constexpr VkImageFormatListCreateInfo list{
        VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, nullptr, sizeof...(formats), all};
    return list;
}

} // namespace

const VkImageFormatListCreateInfo* known_views(const pipe_resource& templ, VkFormat format) {
    const bool texture = (templ.bind & PIPE_BIND_SAMPLER_VIEW) &&
                         !(templ.bind & (PIPE_BIND_DISPLAY_TARGET | PIPE_BIND_SCANOUT));
    if (texture || (templ.bind & PIPE_BIND_SHADER_IMAGE))
        return nullptr;
    switch (format) {
    case VK_FORMAT_R8G8B8A8_UNORM:
    case VK_FORMAT_R8G8B8A8_SRGB:
        return &list_of<VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB>();
    case VK_FORMAT_B8G8R8A8_UNORM:
    case VK_FORMAT_B8G8R8A8_SRGB:
        return &list_of<VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB>();
    default:
        return nullptr;
    }
}

} // namespace kobalt::gallium
