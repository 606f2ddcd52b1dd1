// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/resource.h"
#include "gallium/screen/mesa.h"

namespace kobalt::gallium {

struct Context;

/// pipe_sampler_view. Image views are made at creation, unless the texture has to be moved for them
/// (ImageUses): creation happens in any thread, so these are made when they are bound. A texel
/// buffer's view is made when it is bound, because the buffer's storage may be replaced before
/// that.
/// Aligned to a cache line, so that writes to neighbouring memory don't slow it down.
struct alignas(64) SamplerView : pipe_sampler_view {
    static SamplerView* from(pipe_sampler_view* view) { return static_cast<SamplerView*>(view); }
    render::Ref<render::ImageView> image; ///< all targets but PIPE_BUFFER
    /// For depth whose first channel GL's swizzle replaces: a view without swizzle, for lookups
    /// that compare. Vulkan swizzles a comparison's result, and shaders get its first channel only.
    render::Ref<render::ImageView> compared;
    render::Ref<render::BufferView> texels; ///< PIPE_BUFFER: view of the storage bound last
    /// Number of references that DeferredViewReleases has. Only the driver's thread accesses it,
    /// and writes it often.
    alignas(64) int deferred = 0;
};

/// pipe_surface: one attachment.
struct Surface : pipe_surface {
    static Surface* from(pipe_surface* surface) { return static_cast<Surface*>(surface); }
    render::Ref<render::ImageView> view; ///< null until it is bound where the texture has to move
    FormatMapping mapping;               ///< mapping of the surface's own format
    /// Views of depth and stencil alone, for shaders that fetch them; null: not needed yet, or the
    /// format lacks the aspect.
    std::array<render::Ref<render::ImageView>, 2> aspects;
};

/// The type of a view of a whole texture.
VkImageViewType view_type(pipe_texture_target target);

/// A byte of DrawParameters::shadow_swizzles: where GL's swizzle puts a comparison's result. The
/// view may be null: the app has bound none.
uint8_t shadow_swizzle(const pipe_sampler_view* view);

/// The uses that the texture's image needs for a view of that format; none where no image can have
/// such a view. `stored`: the view is an image unit's or an image handle's.
ImageUses uses_of_view(Screen& screen, const Resource& resource, pipe_format format,
                       bool stored = false);
/// Whether the view has no image yet, or one that is no longer its texture's. Not for buffers.
bool is_stale(const SamplerView& view);
/// Creates the Vulkan views that `view` describes. False after one message in Mesa's log.
bool make_image_views(Screen& screen, SamplerView& view, pipe_resource* texture);
/// The view of the buffer's present storage; null where the range is empty or no view can be made.
render::BufferView* texel_view(Screen& screen, SamplerView& view);

/// The view that an image unit needs (image load and store), taken from the texture's list or added
/// to it; none on failure. For any thread.
ShaderImage find_shader_image(Screen& screen, const pipe_image_view& view);

/// A view of the buffer's present storage; null where the range is empty or none can be made.
render::Ref<render::BufferView> create_texels(Screen& screen, Resource& resource,
                                              pipe_format format, VkDeviceSize offset,
                                              VkDeviceSize size, VkBufferUsageFlags usage);

/// A view of an image's subresources in `format`, limited to `usage`.
render::Ref<render::ImageView> create_image_view(Screen& screen, Resource& resource,
                                                 pipe_format format, VkImageViewType type,
                                                 VkImageUsageFlags usage,
                                                 VkImageSubresourceRange range,
                                                 const VkComponentMapping& swizzle);

} // namespace kobalt::gallium
