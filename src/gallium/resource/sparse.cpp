// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "gallium/context/operations.h"
#include "gallium/resource/create.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/sparse.h"

// ARB_sparse_buffer and ARB_sparse_texture: address ranges without memory, which the app commits
// page by page.

namespace kobalt::gallium {

namespace {

using vulkan::Capability;

/// Creation info of a sparse texture's image, as far as the page size depends on it.
VkImageCreateInfo sparse_image_info(Screen& screen, const pipe_resource& templ) {
    VkImageCreateInfo info =
        image_info(screen, templ, map_format(screen.device(), templ.format, templ.nr_samples),
                   ImageUses::all());
    info.usage &= ~VkImageUsageFlags{VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT};
    return info;
}

bool targets_pages(pipe_texture_target target) {
    switch (target) {
    case PIPE_TEXTURE_2D:
    case PIPE_TEXTURE_2D_ARRAY:
    case PIPE_TEXTURE_CUBE:
    case PIPE_TEXTURE_CUBE_ARRAY:
    case PIPE_TEXTURE_RECT:
    case PIPE_TEXTURE_3D:
        return true;
    default:
        return false;
    }
}

/// The target whose page size is told for `target`. Vulkan has no sparse residency for
/// one-dimensional images and GL refuses TEXTURE_SPARSE_ARB for them, but apps ask for the sizes
/// without the target in mind: other drivers tell the format's in 2D.
pipe_texture_target target_of_pages(pipe_texture_target target) {
    switch (target) {
    case PIPE_TEXTURE_1D:
        return PIPE_TEXTURE_2D;
    case PIPE_TEXTURE_1D_ARRAY:
        return PIPE_TEXTURE_2D_ARRAY;
    default:
        return target;
    }
}

/// pipe_screen::get_sparse_texture_virtual_page_size: Vulkan has one size for each kind.
int get_page_size(pipe_screen* pscreen, pipe_texture_target target, bool multi_sample,
                  pipe_format format, unsigned offset, unsigned size, int* x, int* y, int* z) {
    Screen& screen = *Screen::from(pscreen);
    const auto& features = screen.device().features().core;
    target = target_of_pages(target);
    if (!targets_pages(target) || offset > 0 ||
        (target == PIPE_TEXTURE_3D && !features.sparseResidencyImage3D) ||
        (multi_sample && !screen.caps.query_sparse_texture_residency))
        return 0;
    pipe_resource templ{};
    templ.target = target;
    templ.format = format;
    templ.width0 = 64;
    templ.height0 = 64;
    templ.depth0 = 1;
    templ.array_size = target == PIPE_TEXTURE_CUBE || target == PIPE_TEXTURE_CUBE_ARRAY ? 6 : 1;
    templ.nr_samples = templ.nr_storage_samples = multi_sample ? 4 : 0;
    templ.bind = PIPE_BIND_SAMPLER_VIEW;
    const VkImageCreateInfo info = sparse_image_info(screen, templ);
    if (info.format == VK_FORMAT_UNDEFINED)
        return 0;
    const VkExtent3D page = vulkan::SparseImage::page_extent(
        screen.device(), info.format, info.imageType, info.samples, info.usage);
    if (!page.width)
        return 0;
    const auto tell = [&](int* to, uint32_t value) {
        if (size > 0 && to)
            *to = static_cast<int>(value);
    };
    tell(x, page.width);
    tell(y, page.height);
    tell(z, page.depth);
    return 1;
}

bool resource_commit(pipe_context* pcontext, pipe_resource* presource, unsigned level,
                     pipe_box* box, bool commit) {
    Context& context = *Context::from(pcontext);
    Resource& resource = *Resource::from(presource);
    if (commit && context.kobalt_screen().faults.fails(uint64_t{1} << 20)) {
        mesa_loge("kobalt: backing pages: out of memory (KOBALT_FAULT)");
        return false;
    }
    if (resource.is_buffer())
        return resource.storage.get()->pages() &&
               context.recorder.commit(*resource.storage.get(), static_cast<VkDeviceSize>(box->x),
                                       static_cast<VkDeviceSize>(box->width), commit);
    if (!resource.image || !resource.image->pages())
        return false;
    const vulkan::TexelBox texels{{box->x, box->y, box->z},
                                  {static_cast<uint32_t>(box->width),
                                   static_cast<uint32_t>(box->height),
                                   static_cast<uint32_t>(box->depth)}};
    return context.recorder.commit(*resource.image, level, texels, commit);
}

/// The threaded context would return before the driver has committed the memory. GL requires
/// GL_OUT_OF_MEMORY on failure, so the app's thread waits for the driver's.
bool commit_threaded(pipe_context* wrapped, pipe_resource* resource, unsigned level, pipe_box* box,
                     bool commit) {
    pipe_context* context = threaded_context_unwrap_sync(wrapped);
    return resource_commit(context, resource, level, box, commit);
}

} // namespace

bool allocate_sparse(Screen& screen, Resource& resource) {
    const auto tell = [](const vulkan::Error& error) {
        mesa_loge("kobalt: %s", error.to_string().c_str());
        return false;
    };
    if (resource.is_buffer()) {
        vulkan::BufferInfo info;
        info.size = resource.b.width0;
        info.usage = buffer_usage(screen.device());
        auto buffer = render::Buffer::create_sparse(screen.device(), info);
        if (!buffer)
            return tell(buffer.error());
        resource.storage.replace(std::move(*buffer));
        return true;
    }
    resource.mapping = map_format(screen.device(), resource.b.format, resource.b.nr_samples);
    auto image =
        render::Image::create_sparse(screen.device(), sparse_image_info(screen, resource.b));
    if (!image)
        return tell(image.error());
    resource.image = std::move(*image);
    resource.b.nr_sparse_levels = resource.image->pages()->paged_levels();
    return true;
}

void init_screen_sparse(Screen& screen) {
    vulkan::Device& device = screen.device();
    pipe_caps& caps = const_cast<pipe_caps&>(screen.caps); // Mesa's own way to fill it
    if (!device.has(Capability::sparse_residency))
        return;
    caps.sparse_buffer_page_size =
        static_cast<unsigned>(vulkan::SparseBuffer::page_size(device, buffer_usage(device)));
    caps.max_sparse_texture_size = caps.max_texture_2d_size;
    caps.max_sparse_3d_texture_size =
        device.features().core.sparseResidencyImage3D ? 1u << (caps.max_texture_3d_levels - 1) : 0;
    caps.max_sparse_array_texture_layers = caps.max_texture_array_layers;
    // Vulkan has mip tails for arrays and cubes of any size.
    caps.sparse_texture_full_array_cube_mipmaps = true;
    // ARB_sparse_texture2: uncommitted pages read as zero, shaders can query residency, and
    // multisampled textures can be sparse.
    const auto& features = device.features().core;
    caps.query_sparse_texture_residency =
        features.shaderResourceResidency && features.sparseResidency2Samples &&
        features.sparseResidency4Samples &&
        device.properties().core.sparseProperties.residencyNonResidentStrict;
    caps.clamp_sparse_texture_lod =
        caps.query_sparse_texture_residency && features.shaderResourceMinLod;
    screen.get_sparse_texture_virtual_page_size = get_page_size;
}

void init_sparse_functions(Context& context) {
    context.resource_commit = resource_commit;
}

void answer_commits(pipe_context* wrapped) {
    wrapped->resource_commit = commit_threaded;
}

} // namespace kobalt::gallium
