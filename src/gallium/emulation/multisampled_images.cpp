// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/emulation/multisampled_images.h"

#include <algorithm>

#include "gallium/emulation/own_attachment.h"
#include "gallium/resource/create.h"

namespace kobalt::gallium {
namespace {

/// Limit of the memory that a context's multisampled images take before they reuse each other's,
/// bytes.
constexpr VkDeviceSize budget = VkDeviceSize{256} << 20;
/// An image that was unused for this many framebuffers is dropped.
constexpr uint64_t idle_framebuffers = 1024;

uint32_t layers_of(const pipe_surface& surface) {
    return surface.u.tex.last_layer - surface.u.tex.first_layer + 1u;
}

/// Whether the surface is drawn to with more samples than its texture has.
bool has_samples_of_its_own(const Surface& surface) {
    return surface.nr_samples > 1 && surface.view &&
           surface.view->image().storage().samples() == VK_SAMPLE_COUNT_1_BIT;
}

/// Whether a pass can provide the samples. Cubes can't have them in any image
/// (VUID-VkMultisampledRenderToSingle- SampledInfoEXT-pNext-06880). lavapipe neither loads nor
/// stores levels and layers other than the first.
bool fits_in_pass(const Surface& surface) {
    const VkImageCreateFlags flags = surface.view->image().storage().flags();
    return flags & VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT &&
           !(flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) && surface.u.tex.level == 0 &&
           surface.u.tex.last_layer == 0;
}

bool wants_image(const Context& context, const Surface& surface) {
    return has_samples_of_its_own(surface) && (context.keeps_samples || !fits_in_pass(surface));
}

} // namespace

struct MultisampledImages::Entry {
    Shape shape;
    OwnResource resource;
    render::Ref<render::ImageView> view;
    std::array<render::Ref<render::ImageView>, 2> aspects; ///< as Surface::aspects
    Owner owner;
    uint64_t contents = 0; ///< render::ResolveTarget::contents
    uint64_t used = 0;     ///< MultisampledImages::time_ of the last time
    VkDeviceSize bytes() const { return view->image().bytes(); }
};

MultisampledImages::MultisampledImages() = default;
MultisampledImages::~MultisampledImages() = default;

void MultisampledImages::drop_idle() {
    std::erase_if(entries_,
                  [&](const auto& entry) { return time_ - entry->used > idle_framebuffers; });
}

void MultisampledImages::make_room(VkDeviceSize more) {
    VkDeviceSize bytes = more;
    for (const auto& entry : entries_)
        bytes += entry->bytes();
    while (bytes > budget && !entries_.empty()) {
        const auto oldest =
            std::ranges::min_element(entries_, {}, [](const auto& entry) { return entry->used; });
        if ((*oldest)->used == time_)
            break; // all remaining images belong to this framebuffer
        bytes -= (*oldest)->bytes();
        entries_.erase(oldest);
    }
}

MultisampledImages::Entry* MultisampledImages::create(Context& context, const Surface& surface,
                                                      const Shape& shape) {
    pipe_resource templ{};
    templ.target = shape.layers > 1 ? PIPE_TEXTURE_2D_ARRAY : PIPE_TEXTURE_2D;
    templ.format = shape.format;
    templ.width0 = shape.width;
    templ.height0 = static_cast<uint16_t>(shape.height);
    templ.depth0 = 1;
    templ.array_size = static_cast<uint16_t>(shape.layers);
    templ.nr_samples = templ.nr_storage_samples = static_cast<uint8_t>(shape.samples);
    const bool depth = util_format_is_depth_or_stencil(shape.format);
    templ.bind = depth ? PIPE_BIND_DEPTH_STENCIL : PIPE_BIND_RENDER_TARGET;
    Screen& screen = context.kobalt_screen();
    // Use the format that the texture is stored in. The mapping of a format may depend on the
    // number of samples, but a resolve needs equal formats.
    FormatMapping mapping = surface.mapping;
    mapping.format = shape.stored;
    auto entry = std::make_unique<Entry>();
    entry->shape = shape;
    entry->resource.reset(
        finish_resource(screen, begin_resource(screen, templ),
                        [&](Resource& made) { return allocate_image(screen, made, mapping); }));
    if (!entry->resource)
        return nullptr;
    Resource& resource = *Resource::from(entry->resource.get());
    entry->view = whole_view(screen, resource, mapping.aspects,
                             depth ? VkImageUsageFlags{VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT}
                                   : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                         VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
    if (!entry->view)
        return nullptr;
    entries_.push_back(std::move(entry));
    return entries_.back().get();
}

MultisampledImages::Entry* MultisampledImages::take(Context& context, const Surface& surface,
                                                    const Shape& shape) {
    const Owner owner{surface.view->image().serial(), surface.u.tex.level,
                      surface.u.tex.first_layer};
    for (const auto& entry : entries_)
        if (entry->shape == shape && entry->owner == owner && entry->used != time_)
            return entry.get();
    const VkDeviceSize bytes = VkDeviceSize{shape.width} * shape.height * shape.layers *
                               shape.samples * util_format_get_blocksize(shape.format);
    VkDeviceSize all = bytes;
    Entry* same = nullptr; // the least recently used of that shape
    for (const auto& entry : entries_) {
        all += entry->bytes();
        if (entry->shape == shape && entry->used != time_ && (!same || entry->used < same->used))
            same = entry.get();
    }
    if (!same || all <= budget) {
        make_room(bytes);
        same = create(context, surface, shape);
    }
    if (same) {
        same->owner = owner;
        same->contents = 0;
    }
    return same;
}

MultisampledImages::Entry* MultisampledImages::add(Context& context, const Surface& surface,
                                                   uint32_t width, uint32_t height) {
    const bool depth = util_format_is_depth_or_stencil(surface.format);
    // The image is as large as the pass, as nothing outside of the pass is resolved.
    const Shape shape{static_cast<pipe_format>(surface.format),
                      depth ? surface.view->image().storage().format() : surface.mapping.format,
                      width,
                      height,
                      layers_of(surface),
                      surface.nr_samples};
    Entry* const entry = take(context, surface, shape);
    if (!entry)
        return nullptr;
    entry->used = time_;
    // Other processes may write an external image unnoticed, so it is filled each time.
    if (surface.view->image().external())
        entry->contents = 0;
    attached_.push_back({entry, &surface});
    return entry;
}

bool MultisampledImages::attach(Context& context, const pipe_framebuffer_state& bound,
                                render::Framebuffer& to) {
    attached_.clear();
    if (++time_ % idle_framebuffers == 0)
        drop_idle();
    if (to.width == 0 || to.height == 0)
        return false;
    for (unsigned i = 0; i < bound.nr_cbufs; ++i) {
        if (!to.color[i] || !wants_image(context, *Surface::from(bound.cbufs[i])))
            continue;
        Entry* const entry = add(context, *Surface::from(bound.cbufs[i]), to.width, to.height);
        if (entry)
            to.color_targets[i] = {to.color[i], &entry->contents};
        else
            to.color_formats[i] = VK_FORMAT_UNDEFINED;
        to.color[i] = entry ? entry->view.get() : nullptr;
    }
    if (to.depth_stencil && wants_image(context, *Surface::from(bound.zsbuf))) {
        Entry* const entry = add(context, *Surface::from(bound.zsbuf), to.width, to.height);
        if (entry)
            to.depth_stencil_target = {to.depth_stencil, &entry->contents};
        else
            to.depth_stencil_format = VK_FORMAT_UNDEFINED;
        to.depth_stencil = entry ? entry->view.get() : nullptr;
    }
    return !attached_.empty();
}

void MultisampledImages::fill_one(Context& context, const Attached& attached) {
    const Surface& surface = *attached.surface;
    render::Image& image = surface.view->image();
    const uint64_t contents = image.contents();
    if (attached.entry->contents == contents)
        return;
    if (image.written()) {
        // Copy the stored bits: sRGB must not be decoded and encoded again.
        const pipe_format format = util_format_linear(static_cast<pipe_format>(surface.format));
        const Shape& shape = attached.entry->shape;
        pipe_blit_info info{};
        info.src.resource = surface.texture;
        info.src.level = surface.u.tex.level;
        info.dst.resource = attached.entry->resource.get();
        info.src.format = info.dst.format = format;
        u_box_3d(0, 0, 0, static_cast<int>(shape.width), static_cast<int>(shape.height),
                 static_cast<int>(shape.layers), &info.dst.box);
        info.src.box = info.dst.box;
        info.src.box.z = static_cast<int16_t>(surface.u.tex.first_layer);
        info.mask = util_format_get_mask(format);
        info.filter = PIPE_TEX_FILTER_NEAREST;
        context.blit(&context, &info);
    }
    attached.entry->contents = contents;
}

void MultisampledImages::fill(Context& context) {
    // A blit binds its own framebuffer and then this one again, which changes attached_.
    const std::vector<Attached> outdated = attached_;
    for (const Attached& attached : outdated)
        fill_one(context, attached);
}

void MultisampledImages::give_up(render::Image& image) {
    for (const auto& entry : entries_)
        if (entry->owner.image == image.serial())
            entry->contents = image.contents();
}

bool MultisampledImages::fetch_depth_stencil(Context& context) {
    const auto found = std::ranges::find(
        attached_, context.bound.framebuffer.zsbuf,
        [](const Attached& attached) -> const pipe_surface* { return attached.surface; });
    if (found == attached_.end())
        return false;
    Entry& entry = *found->entry;
    Resource& resource = *Resource::from(entry.resource.get());
    constexpr std::array<VkImageAspectFlagBits, 2> bits = {VK_IMAGE_ASPECT_DEPTH_BIT,
                                                           VK_IMAGE_ASPECT_STENCIL_BIT};
    for (size_t i = 0; i < bits.size(); ++i)
        if (!entry.aspects[i] && resource.mapping.aspects & bits[i])
            entry.aspects[i] = whole_view(context.kobalt_screen(), resource, bits[i],
                                          VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
    context.recorder.set_fetched_depth_stencil(entry.aspects[0].get(), entry.aspects[1].get());
    return true;
}

void attach_samples(Context& context, render::Framebuffer& framebuffer) {
    const pipe_framebuffer_state& bound = context.bound.framebuffer;
    bool in_pass = false, in_images = false;
    const auto look = [&](pipe_surface* surface) {
        if (!surface || !has_samples_of_its_own(*Surface::from(surface)))
            return;
        (wants_image(context, *Surface::from(surface)) ? in_images : in_pass) = true;
    };
    std::for_each_n(bound.cbufs, bound.nr_cbufs, look);
    look(bound.zsbuf);
    context.samples_in_pass = in_pass;
    if (in_images && !context.samples)
        context.samples = std::make_unique<MultisampledImages>();
    context.attaches_samples =
        context.samples && context.samples->attach(context, bound, framebuffer);
}

void make_samples_fetchable(Context& context) {
    const Shader* shader = context.bound.stages[MESA_SHADER_FRAGMENT].shader;
    if (!shader || !shader->facts.fetched_attachments)
        return;
    context.keeps_samples = true;
    context.set_framebuffer_state(&context, &context.bound.framebuffer);
    load_samples(context);
}

void fill_samples(Context& context) {
    context.samples->fill(context);
}

void give_up_samples(Context& context, Resource& texture) {
    if (context.samples && texture.image)
        context.samples->give_up(*texture.image);
}

bool fetch_samples(Context& context) {
    return context.attaches_samples && context.samples->fetch_depth_stencil(context);
}

} // namespace kobalt::gallium
