// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/emulation/own_attachment.h"
#include "gallium/screen/screen.h"
#include "render/recorder/pass.h"

namespace kobalt::gallium {

// ARB_framebuffer_no_attachments: a framebuffer may have samples but no attachment to store them
// in. NVIDIA's driver (580) loses the device in the first draw to such a framebuffer with sample
// shading ("TIR SSAA Violation" in the kernel's log). So a placeholder colour attachment is bound,
// which nothing reads.

/// Whether the device needs the placeholder; KOBALT_ATTACHED_SAMPLES overrides this.
bool attaches_empty_samples(const vulkan::Device& device);

/// The placeholder of one context. It grows with the framebuffers that need it.
class PlaceholderAttachment {
public:
    /// Attaches it to `framebuffer`, which has several samples and no attachment. Does nothing when
    /// out of memory or where the attachment would take more than 256 MiB.
    void attach(Screen& screen, render::Framebuffer& framebuffer);

private:
    bool create(Screen& screen, const render::Framebuffer& framebuffer);
    OwnResource resource_;
    render::Ref<render::ImageView> view_;
};

} // namespace kobalt::gallium
