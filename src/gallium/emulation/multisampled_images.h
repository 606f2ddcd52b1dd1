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
// texture has, and the texture always holds them resolved. Where neither
// VK_EXT_multisampled_render_to_single_sampled nor the texture's image can do that, the driver
// keeps a multisampled image beside the texture. Passes draw to that image, store it, and resolve
// it into the texture (render/recorder/samples.cpp). The image is filled with the texture's
// contents before the first draw to it, and again after anything else wrote the texture, except
// where a clear comes first, the app invalidated the contents, or there never were any.

/// The multisampled images of one context. GL ties them to the attachment; here an image is reused
/// for another attachment of its shape when memory gets short or the image was unused for long. Its
/// samples are then lost, which the extension allows whenever another framebuffer is bound.
class MultisampledImages {
public:
    MultisampledImages();
    ~MultisampledImages();
    /// Attaches multisampled images to the recorder's framebuffer in place of each surface of
    /// `bound` that needs one. When out of memory, that surface isn't drawn to. True: at least one
    /// was attached.
    bool attach(Context& context, const pipe_framebuffer_state& bound, render::Framebuffer& to);
    /// Fills the attached images with the contents of their textures.
    void fill(Context& context);
    /// The app has invalidated the contents of that image.
    void give_up(render::Image& image);
    /// Does the work of apply_fetched_depth_stencil(). False: no multisampled image is attached as
    /// depth.
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
        uint64_t image = 0; ///< its serial; 0: none
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
    /// Drops the least recently used images where `more` bytes would exceed the budget.
    void make_room(VkDeviceSize more);
    Entry* add(Context& context, const Surface& surface, uint32_t width, uint32_t height);
    static void fill_one(Context& context, const Attached& attached);

    std::vector<std::unique_ptr<Entry>> entries_;
    std::vector<Attached> attached_;
    uint64_t time_ = 0; ///< counts framebuffers
};

} // namespace kobalt::gallium
