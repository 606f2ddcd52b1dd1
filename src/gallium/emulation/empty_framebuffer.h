// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/emulation/own_attachment.h"
#include "gallium/screen/screen.h"
#include "render/pass.h"

namespace kobalt::gallium {

// ARB_framebuffer_no_attachments: a framebuffer may have samples and nothing that they are stored
// in. NVIDIA's driver (580) loses the device in the first draw there that shades each sample by
// itself ("TIR SSAA Violation" in the kernel's log). So a colour attachment that nobody reads
// stands in.

/// Whether the device needs it; KOBALT_ATTACHED_SAMPLES says otherwise.
bool attaches_empty_samples(const vulkan::Device& device);

/// The attachment of one context. It grows with the framebuffers that want it.
class PlaceholderAttachment {
public:
    /// Attaches it to `framebuffer`, which has several samples and no attachment. Nothing where it
    /// is out of memory or would take more than 256 MiB.
    void attach(Screen& screen, render::Framebuffer& framebuffer);

private:
    bool create(Screen& screen, const render::Framebuffer& framebuffer);
    OwnResource resource_;
    render::Ref<render::ImageView> view_;
};

} // namespace kobalt::gallium
