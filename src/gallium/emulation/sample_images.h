// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "gallium/context/operations.h"
#include "gallium/context/view.h"

namespace kobalt::gallium {

// GL_EXT_multisampled_render_to_texture: an attachment is drawn to with more samples than its
// texture has, and the texture always shows them resolved. Where neither
// VK_EXT_multisampled_render_to_single_sampled nor the texture's image can do that, an image of
// samples stands beside the texture. Passes draw to it, keep it, and resolve it into the texture
// (render/recorder_samples.cpp). It is filled with what the texture holds before the first draw to
// it, and again after somebody else wrote the texture; not where a clear is first, where the app
// gave the contents up, or where there never were any.

/// The images of samples of one context. GL ties them to the attachment; here one goes to the next
/// attachment of its shape when memory gets short or nobody came back to it for long. Its samples
/// are lost then, which the extension allows whenever another framebuffer is bound.
class SampleImages {
public:
    SampleImages();
    ~SampleImages();
    /// Attaches them to the recorder's framebuffer in the place of each surface of `bound` that
    /// needs one. Out of memory: that surface isn't drawn to. True: there is some.
    bool attach(Context& context, const pipe_framebuffer_state& bound, render::Framebuffer& to);
    /// Has the attached ones show what their textures hold.
    void fill(Context& context);
    /// The contents of that image are undefined by the app's will.
    void give_up(render::Image& image);
    /// As apply_fetched_depth_stencil(). False: none is attached as depth.
    bool fetch_depth_stencil(Context& context);

private:
    struct Shape {
        pipe_format format = PIPE_FORMAT_NONE;
        VkFormat stored = VK_FORMAT_UNDEFINED;
        uint32_t width = 0, height = 0, layers = 0, samples = 0;
        bool operator==(const Shape&) const = default;
    };
    /// The part of a texture that the samples belong to.
    struct Owner {
        uint64_t image = 0; ///< its serial; 0: nobody
        uint32_t level = 0, layer = 0;
        bool operator==(const Owner&) const = default;
    };
    struct Entry;
    struct Attached {
        Entry* entry;
        const Surface* surface;
    };

    Entry* take(Context& context, const Surface& surface, const Shape& shape);
    Entry* create(Context& context, const Surface& surface, const Shape& shape);
    void drop_idle();
    /// Drops the longest unused where `more` bytes would be too much.
    void make_room(VkDeviceSize more);
    Entry* add(Context& context, const Surface& surface, uint32_t width, uint32_t height);
    static void fill_one(Context& context, const Attached& attached);

    std::vector<std::unique_ptr<Entry>> entries_;
    std::vector<Attached> attached_;
    uint64_t time_ = 0; ///< counts framebuffers
};

} // namespace kobalt::gallium
