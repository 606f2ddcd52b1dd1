// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/impl.h"

// Attachments of more samples than their textures have (GL_EXT_multisampled_render_to_texture).
// With VK_EXT_multisampled_render_to_single_sampled the samples exist only in the pass. Elsewhere
// the attachment is a multisampled image of the state tracker's, which each pass stores, and
// resolves into the texture at its end: whatever reads the texture finds what was drawn, and the
// next pass goes on with the samples. The samples stay valid as long as nothing else writes the
// texture.

namespace kobalt::render {

bool Recorder::Impl::resolves_inside() const {
    for (uint32_t i = 0; i < framebuffer.color_count; ++i)
        if (resolves_inside(framebuffer.color[i]))
            return true;
    return resolves_inside(framebuffer.depth_stencil);
}

void Recorder::Impl::resolve(const ImageView& attachment, const ResolveTarget& target,
                             VkRenderingAttachmentInfo& info, VkResolveModeFlagBits mode) {
    if (resolves_inside(&attachment))
        info.resolveMode = mode;
    if (!target.view)
        return;
    info.resolveMode = mode;
    info.resolveImageView = target.view->handle();
    info.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    batch->retain(*target.view);
    initialize(target.view->image());
    // The stage and access apply to depth and stencil as well (Vulkan 1.3, "Render Pass Multisample
    // Resolve Operations").
    hazards.write(target.view->image(), VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                  VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT);
}

uint32_t Recorder::Impl::outdated_samples() const {
    uint32_t outdated = framebuffer.depth_stencil_target.outdated() ? depth_stencil_bit : 0;
    for (uint32_t i = 0; i < framebuffer.color_count; ++i)
        if (framebuffer.color_targets[i].outdated())
            outdated |= 1u << i;
    return outdated;
}

void Recorder::Impl::note_resolved(uint32_t attachments) {
    const auto note = [](const ResolveTarget& target) {
        if (target.view)
            *target.contents = target.view->image().contents();
    };
    for (uint32_t i = 0; i < framebuffer.color_count; ++i)
        if (attachments & (1u << i))
            note(framebuffer.color_targets[i]);
    if (attachments & depth_stencil_bit)
        note(framebuffer.depth_stencil_target);
}

bool Recorder::Impl::clears_depth_stencil() const {
    return (vulkan::format_aspects(framebuffer.depth_stencil_format) & ~clears.aspects()) == 0;
}

uint32_t Recorder::Impl::kept_from_clears() const {
    return outdated_samples() & ~clears.colors() & ~(clears.aspects() ? depth_stencil_bit : 0);
}

bool Recorder::samples_outdated() const {
    return impl_->outdated_samples() != 0;
}

} // namespace kobalt::render
