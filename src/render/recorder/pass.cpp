// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <utility>

#include "render/recorder/impl.h"

namespace kobalt::render {
namespace {

/// A pbuffer may have no pixels (EGL 1.5, section 3.5.2); a pass must.
bool is_empty(const Framebuffer& framebuffer) {
    return framebuffer.width == 0 || framebuffer.height == 0;
}

bool covers(const VkRect2D& rect, const Framebuffer& framebuffer) {
    return rect.offset.x <= 0 && rect.offset.y <= 0 &&
           rect.offset.x + static_cast<int64_t>(rect.extent.width) >= framebuffer.width &&
           rect.offset.y + static_cast<int64_t>(rect.extent.height) >= framebuffer.height;
}

/// `rect` inside the framebuffer; an empty one where they don't meet.
VkRect2D clip(const VkRect2D& rect, const Framebuffer& framebuffer) {
    const int64_t left = std::max<int64_t>(rect.offset.x, 0);
    const int64_t top = std::max<int64_t>(rect.offset.y, 0);
    const int64_t right =
        std::min<int64_t>(int64_t{rect.offset.x} + rect.extent.width, framebuffer.width);
    const int64_t bottom =
        std::min<int64_t>(int64_t{rect.offset.y} + rect.extent.height, framebuffer.height);
    if (right <= left || bottom <= top)
        return {};
    return {{static_cast<int32_t>(left), static_cast<int32_t>(top)},
            {static_cast<uint32_t>(right - left), static_cast<uint32_t>(bottom - top)}};
}

/// The load operation of an attachment that isn't cleared, before the pass's own write is noted.
VkAttachmentLoadOp load_of(const ImageView& view) {
    return view.image().needs_no_load() ? VK_ATTACHMENT_LOAD_OP_DONT_CARE
                                        : VK_ATTACHMENT_LOAD_OP_LOAD;
}

/// Whether the pass overwrites all of the attachment, or nothing has been drawn to it yet.
bool begins_anew(VkAttachmentLoadOp load) {
    return load != VK_ATTACHMENT_LOAD_OP_LOAD;
}

/// With several views a clear covers all (VUID-vkCmdClearAttachments-baseArrayLayer-00018).
VkClearRect clear_rect(const VkRect2D& inside, const Framebuffer& framebuffer) {
    return {inside, 0, framebuffer.view_mask ? 1 : std::max(framebuffer.layers, 1u)};
}

} // namespace

void Recorder::set_framebuffer(const Framebuffer& framebuffer) {
    Impl& impl = *impl_;
    if (impl.broken)
        return;
    leave_pass();
    // A clear that became a pass's load operation is a command that nothing else counts.
    if (!impl.bound_batch())
        return;
    if (impl.framebuffer.depth_bias_unit != framebuffer.depth_bias_unit ||
        is_float_depth(impl.framebuffer.depth_stencil_format) !=
            is_float_depth(framebuffer.depth_stencil_format))
        impl.dirty |= dirty_rasterizer;
    impl.framebuffer = framebuffer;
    if (impl.paths.always_color)
        impl.framebuffer.color_count = std::max(framebuffer.color_count, 1u);
    StageState& fragment = impl.state(Stage::fragment);
    fragment.times.change_attachments();
    if (fragment.shader && fragment.shader->fetches_attachments())
        impl.mark(Stage::fragment);
    impl.blendable = 0;
    for (uint32_t i = 0; i < framebuffer.color_count; ++i) {
        const VkFormat format = framebuffer.color_formats[i];
        auto found = impl.format_blends.find(format);
        if (found == impl.format_blends.end()) {
            const auto features = engine_.device().format_properties(format).optimalTilingFeatures;
            found = impl.format_blends
                        .emplace(format,
                                 (features & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT) != 0)
                        .first;
        }
        if (found->second)
            impl.blendable |= 1u << i;
    }
    impl.dirty |=
        dirty_pipeline_state | dirty_samples | dirty_scissor | dirty_blend | dirty_viewport;
}

void Recorder::set_fetched_depth_stencil(ImageView* depth, ImageView* stencil) {
    Impl& impl = *impl_;
    if (impl.fetched_depth == depth && impl.fetched_stencil == stencil)
        return;
    impl.fetched_depth = depth;
    impl.fetched_stencil = stencil;
    impl.state(Stage::fragment).times.change_attachments();
    impl.mark(Stage::fragment);
}

const Framebuffer& Recorder::framebuffer() const {
    return impl_->framebuffer;
}

void Recorder::clear_color(uint32_t index, const VkClearColorValue& value, const VkRect2D& rect) {
    Impl& impl = *impl_;
    if (impl.broken || index >= impl.framebuffer.color_count || !impl.framebuffer.color[index] ||
        is_empty(impl.framebuffer))
        return;
    // The pass's load operation ignores conditional rendering.
    if (!pass_open_ && !impl.condition && covers(rect, impl.framebuffer)) {
        impl.clears.add_color(index, value);
        impl.note_resolved(1u << index);
        return;
    }
    const VkRect2D inside = clip(rect, impl.framebuffer);
    if (inside.extent.width == 0)
        return;
    if (!impl.enter_pass_to_clear())
        return;
    ++impl.tally.clears;
    VkClearAttachment attachment{VK_IMAGE_ASPECT_COLOR_BIT, index, {}};
    attachment.clearValue.color = value;
    const VkClearRect area = clear_rect(inside, impl.framebuffer);
    impl.vk.CmdClearAttachments(impl.commands(), 1, &attachment, 1, &area);
}

void Recorder::clear_depth_stencil(VkImageAspectFlags aspects, float depth, uint32_t stencil,
                                   const VkRect2D& rect) {
    Impl& impl = *impl_;
    if (impl.broken || !impl.framebuffer.depth_stencil || is_empty(impl.framebuffer))
        return;
    aspects &= vulkan::format_aspects(impl.framebuffer.depth_stencil_format);
    if (aspects == 0)
        return;
    impl.leave_kept(aspects);
    if (!pass_open_ && !impl.condition && covers(rect, impl.framebuffer)) {
        impl.clears.add_depth_stencil(aspects, depth, stencil);
        if (impl.clears_depth_stencil())
            impl.note_resolved(depth_stencil_bit);
        return;
    }
    const VkRect2D inside = clip(rect, impl.framebuffer);
    if (inside.extent.width == 0)
        return;
    if (!impl.enter_pass_to_clear())
        return;
    ++impl.tally.clears;
    VkClearAttachment attachment{aspects, 0, {}};
    attachment.clearValue.depthStencil = {depth, stencil};
    const VkClearRect area = clear_rect(inside, impl.framebuffer);
    impl.vk.CmdClearAttachments(impl.commands(), 1, &attachment, 1, &area);
}

bool Recorder::clear_waits(const Image& image) const {
    const Framebuffer& framebuffer = impl_->framebuffer;
    const auto is_view = [&](const ImageView* view) { return view && &view->image() == &image; };
    for (uint32_t i = 0; i < framebuffer.color_count; ++i)
        if (impl_->clears.colors() & (1u << i) &&
            (is_view(framebuffer.color[i]) || is_view(framebuffer.color_targets[i].view)))
            return true;
    return false;
}

bool Recorder::Impl::enter_pass_to_clear() {
    if (!bound_batch())
        return false;
    condition.add_read(hazards);
    if (recorder.pass_open_ && hazards.any())
        recorder.leave_pass();
    if (!recorder.pass_open_)
        begin_pass(depth_stencil_aspects);
    condition.apply(vk, commands());
    note_attachment_writes();
    return true;
}

void Recorder::invalidate(Image& image) {
    // Clears that wait for their pass come first, and draws of the open pass.
    if (impl_->attached(image))
        leave_pass();
    image.invalidate();
}

void Recorder::Impl::leave_kept(VkImageAspectFlags written) {
    if (!recorder.pass_open_ || !kept.forbids(written))
        return;
    kept.note_write();
    recorder.leave_pass();
}

VkImageLayout Recorder::Impl::attachment_layout(const Image& image, bool anew) const {
    const bool fetches = program && program->traits().fetches;
    if (!paths.attachment_layouts || fetches || image.storage().levels() > 1 || image.external() ||
        image.pages() || image.has_handle.load(std::memory_order_relaxed) ||
        image.read_while_attached.load(std::memory_order_relaxed) ||
        !(anew || hazards.attachment_layout(image)))
        return VK_IMAGE_LAYOUT_GENERAL;
    return image.aspects() == VK_IMAGE_ASPECT_COLOR_BIT
               ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
               : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
}

void Recorder::Impl::attach_depth_stencil(Image& image, VkAttachmentLoadOp load, bool fetches) {
    VkPipelineStageFlags2 stages =
        VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
    VkAccessFlags2 access = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
    if (fetches) {
        stages |= VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
        access |= VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT;
    }
    if (kept.all()) // fetches read attachments in VK_IMAGE_LAYOUT_GENERAL, where read() moves it
        return fetches ? hazards.read(image, stages, access)
                       : hazards.attach_to_read(image, stages, access);
    access |= VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    // A resolve reads depth and stencil with the stage and access of colours.
    if (framebuffer.depth_stencil_target.view) {
        stages |= VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
        access |= VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT;
    }
    hazards.attach(image, stages, access,
                   attachment_layout(image, begins_anew(load) || clears.aspects()));
}

void Recorder::Impl::begin_pass(VkImageAspectFlags written, uint32_t left_out) {
    const uint32_t outdated = outdated_samples();
    // What was written before the pass is made visible to its fetches here, as far as it is known
    // that there are any.
    const bool fetches = program && program->traits().fetches;
    const VkPipelineStageFlags2 fetching = fetches ? VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT : 0;
    const VkAccessFlags2 fetched = fetches ? VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT : 0;
    std::array<VkRenderingAttachmentInfo, max_color_attachments> colors{};
    for (uint32_t i = 0; i < framebuffer.color_count; ++i) {
        colors[i] = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
        ImageView* view = framebuffer.color[i];
        if (!view || left_out & (1u << i))
            continue;
        initialize(view->image());
        colors[i].loadOp = load_of(*view);
        clears.load_color(i, colors[i]);
        hazards.attach(view->image(), VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT | fetching,
                       VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
                           VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | fetched,
                       attachment_layout(view->image(), begins_anew(colors[i].loadOp)));
        batch->retain(*view);
        colors[i].imageView = view->handle();
        colors[i].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
        resolve(*view, framebuffer.color_targets[i], colors[i],
                framebuffer.integer_colors & (1u << i) ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT
                                                       : VK_RESOLVE_MODE_AVERAGE_BIT);
    }
    VkRenderingAttachmentInfo depth{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    VkRenderingAttachmentInfo stencil = depth;
    VkImageAspectFlags aspects = 0;
    kept.clear();
    if (ImageView* view = left_out & depth_stencil_bit ? nullptr : framebuffer.depth_stencil) {
        aspects = vulkan::format_aspects(framebuffer.depth_stencil_format);
        initialize(view->image());
        depth.loadOp = load_of(*view);
        // What the load operation or a resolve writes is stored.
        if (begins_anew(depth.loadOp) || framebuffer.depth_stencil_target.view ||
            resolves_inside(view))
            written = depth_stencil_aspects;
        kept.begin(view->image(), written | clears.aspects());
        attach_depth_stencil(view->image(), depth.loadOp, fetches);
        batch->retain(*view);
        depth.imageView = view->handle();
        depth.imageLayout = hazards.layout(view->image());
        depth.storeOp = kept.store_op(VK_IMAGE_ASPECT_DEPTH_BIT);
        // The one mode that every device has (Vulkan 1.3, "Limits", supportedDepthResolveModes).
        resolve(*view, framebuffer.depth_stencil_target, depth, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT);
        stencil = depth;
        stencil.storeOp = kept.store_op(VK_IMAGE_ASPECT_STENCIL_BIT);
        clears.load_aspect(VK_IMAGE_ASPECT_DEPTH_BIT, depth);
        clears.load_aspect(VK_IMAGE_ASPECT_STENCIL_BIT, stencil);
    }
    // Behind the loop: several attachments may be parts of one image.
    for (uint32_t i = 0; i < framebuffer.color_count; ++i)
        if (colors[i].imageView)
            colors[i].imageLayout = hazards.layout(framebuffer.color[i]->image());
    clears.drop();
    note_resolved(~outdated);
    hazards.move_others([this](const Image& image) { return attached(image); });
    flush_barriers();

    VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.renderArea.extent = {framebuffer.width, framebuffer.height};
    info.layerCount = std::max(framebuffer.layers, 1u);
    info.viewMask = framebuffer.view_mask;
    VkMultisampledRenderToSingleSampledInfoEXT resolving{
        VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT, nullptr, VK_TRUE,
        static_cast<VkSampleCountFlagBits>(framebuffer.samples)};
    if (resolves_inside())
        info.pNext = &resolving;
    info.colorAttachmentCount = framebuffer.color_count;
    info.pColorAttachments = colors.data();
    info.pDepthAttachment = aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? &depth : nullptr;
    info.pStencilAttachment = aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? &stencil : nullptr;
    if (watch)
        watch_pass();
    vk.CmdBeginRendering(commands(), &info);
    recorder.pass_open_ = true;
    note_attachment_writes(); // by the load operations
    accesses_added = false;
    // The pass's first indexed draw binds it again, and then adds the read as well: a copy
    // between two passes may have written the buffer.
    dirty |= dirty_index_buffer;
    ++tally.passes;
    for (PassQuery* query : pass_queries)
        query->pass_begin(commands(), Counted::pass);
}

void Recorder::Impl::end_pass() {
    capture.end(vk, commands());
    condition.end(vk, commands());
    for (PassQuery* query : pass_queries)
        query->pass_end(commands());
    vk.CmdEndRendering(commands());
    recorder.pass_open_ = false;
}

void Recorder::leave_pass() {
    Impl& impl = *impl_;
    if (impl.broken)
        return;
    if (!pass_open_ && impl.clears.any())
        impl.begin_pass(0, impl.kept_from_clears());
    if (pass_open_)
        impl.end_pass();
}

void Recorder::Impl::note_pass_queries() {
    const bool forbidden = std::ranges::any_of(
        pass_queries, [](const PassQuery* query) { return query->forbids_discard(); });
    if (std::exchange(discard_forbidden, forbidden) != forbidden)
        dirty |= dirty_rasterizer | dirty_scissor;
}

void Recorder::add_pass_query(PassQuery* query) {
    impl_->pass_queries.push_back(query);
    impl_->note_pass_queries();
    if (pass_open_ && !impl_->broken)
        query->pass_begin(impl_->commands(), Counted::pass);
}

void Recorder::remove_pass_query(PassQuery* query) {
    auto& queries = impl_->pass_queries;
    const auto found = std::ranges::find(queries, query);
    if (found == queries.end())
        return;
    queries.erase(found);
    impl_->note_pass_queries();
    if (pass_open_ && !impl_->broken)
        query->pass_end(impl_->commands());
}

} // namespace kobalt::render
