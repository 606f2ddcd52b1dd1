// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "gallium/context/buffer_storage.h"
#include "gallium/context/converted_indices.h"
#include "gallium/context/kept_contents.h"
#include "gallium/context/lazy.h"
#include "gallium/screen/block_pool.h"
#include "gallium/screen/format.h"
#include "gallium/screen/gem_handles.h"
#include "gallium/screen/mesa.h"
#include "render/resources/resource.h"
#include "vulkan/base/file_descriptor.h"
#include "vulkan/resources/dma_buf.h"

namespace kobalt::present {
class Window;
}

namespace kobalt::gallium {

struct Screen;

/// What an image allows beyond copies, lookups and attachments in its own format or that one's sRGB
/// or linear counterpart. GPUs compress images less, or not at all, that have these uses, so a
/// texture's image gets them when the app first asks for one (allow_image_uses).
struct ImageUses {
    bool stored = false;   ///< shaders load from it and store to it (image units, image handles)
    bool any_view = false; ///< views of any format whose texels have the same size

    static constexpr ImageUses all() { return {true, true}; }
    bool any() const { return stored || any_view; }
};

/// A view of a shader image; exactly one member is set, or none on failure.
struct ShaderImage {
    render::Ref<render::ImageView> image;
    render::Ref<render::BufferView> texels;
};

/// The views that were bound to image units, kept for each texture or buffer, so that binding one
/// again only costs a search.
struct ShaderImages {
    struct Entry {
        pipe_image_view key; ///< without its resource
        ShaderImage view;
    };
    std::mutex mutex; ///< guards what follows: the app's thread looks here when it makes handles
    std::vector<Entry> entries;
    size_t oldest = 0; ///< index of the entry that is replaced when the list is full

    /// Called when the storage is replaced.
    void clear() {
        const std::lock_guard lock(mutex);
        entries.clear();
        oldest = 0;
    }
};

/// The kinds of binding point that each stage has for buffers.
enum class BoundAs : uint8_t { constants, storage, texels, image };

/// The binding points at which a buffer was ever bound, by kind and stage, in any context. When its
/// storage is replaced, no other has to be searched for it. Thread-safe.
class BoundBefore {
public:
    void note(BoundAs kind, unsigned stage) {
        const uint32_t bit = 1u << (most_stages * static_cast<unsigned>(kind) + stage);
        if (!(seen_.load(std::memory_order_relaxed) & bit))
            seen_.fetch_or(bit, std::memory_order_relaxed);
    }
    /// Whether it was bound at no other kind of point.
    bool only(BoundAs kind) const {
        constexpr uint32_t stages = (1u << most_stages) - 1;
        return !(seen_.load(std::memory_order_relaxed) &
                 ~(stages << (most_stages * static_cast<unsigned>(kind))));
    }
    /// Calls `use` with each kind and stage.
    template <class Use>
    void for_each(Use use) const {
        for (uint32_t left = seen_.load(std::memory_order_relaxed); left; left &= left - 1) {
            const auto bit = static_cast<unsigned>(std::countr_zero(left));
            use(static_cast<BoundAs>(bit / most_stages), bit % most_stages);
        }
    }

private:
    static constexpr unsigned most_stages = 8;
    static_assert(MESA_SHADER_STAGES <= most_stages);
    std::atomic<uint32_t> seen_{0};
};

/// What others know a texture's memory by, where it is shared as a dma-buf.
struct DmaBufIdentity {
    /// Imported memory: a descriptor of its own; none: the memory is Kobalt's.
    vulkan::FileDescriptor fd{-1};
    vulkan::DmaBuf layout{}; ///< imported memory: where the texels lie; `fd` there isn't kept
    GemHandle gem;           ///< on the app's DRM file, once somebody has asked for it
};

/// pipe_resource: a buffer or an image. The threaded context needs `threaded_resource` first.
struct Resource : threaded_resource {
    static Resource* from(pipe_resource* resource) {
        return static_cast<Resource*>(reinterpret_cast<threaded_resource*>(resource));
    }
    /// Throws std::bad_alloc.
    static void* operator new(size_t bytes, BlockPool& blocks);
    static void operator delete(void* memory, BlockPool& blocks) { blocks.give(memory); }
    /// Returns the memory to the screen's blocks.
    static void operator delete(Resource* gone, std::destroying_delete_t);

    bool is_buffer() const { return b.target == PIPE_BUFFER; }

    BufferStorage storage;            ///< PIPE_BUFFER only; replaced when the buffer is invalidated
    KeptSlot kept;                    ///< buffers: contents that aren't in `storage`
    render::Ref<render::Image> image; ///< all other targets
    FormatMapping mapping;            ///< images only
    BoundBefore bound_before;         ///< buffers
    Lazy<ShaderImages> shader_images;
    Lazy<DmaBufIdentity> dma_buf; ///< images that others share
    /// Buffers: of draws that Vulkan has no primitives for.
    Lazy<ConvertedIndices> converted_indices;
    uint32_t storage_generation = 0; ///< buffers: the screen's when the storage was replaced last
    bool holds_query_result = false; ///< buffers: the CPU or the device wrote a query result there
    std::shared_ptr<present::Window> window; ///< set on the colour buffers of a window
};

/// pipe_screen::resource_create. Null after one message in Mesa's log.
pipe_resource* create_resource(pipe_screen* screen, const pipe_resource* templ);
/// Gives an image resource new storage of the size in `b`, with undefined contents. False, with
/// the old storage kept, after one message in Mesa's log.
bool allocate_image(Screen& screen, Resource& resource);
/// The same, with the format stored as `mapping` says.
bool allocate_image(Screen& screen, Resource& resource, const FormatMapping& mapping);
/// The uses that the image of a new texture has.
ImageUses first_uses(const pipe_resource& templ);
/// The creation info of a texture template's image; format UNDEFINED: it can't be created.
VkImageCreateInfo image_info(Screen& screen, const pipe_resource& templ,
                             const FormatMapping& mapping, ImageUses uses);
/// An image for the texture, with undefined contents. Null after one message in Mesa's log.
render::Ref<render::Image> create_image(Screen& screen, const pipe_resource& texture,
                                        const FormatMapping& mapping, ImageUses uses);
/// A mapped buffer that the GPU writes and the CPU reads (downloads). Null: out of memory.
render::Ref<render::Buffer> allocate_readback(Screen& screen, VkDeviceSize size);

/// Callbacks of the threaded context: see u_threaded_context.h.
void replace_buffer_storage(pipe_context* context, pipe_resource* target, pipe_resource* source,
                            unsigned rebinds, uint32_t rebind_mask, uint32_t delete_buffer_id);
bool is_resource_busy(pipe_screen* screen, pipe_resource* resource, unsigned usage);

/// Allocates new storage for a buffer resource (creation and invalidation). Null: out of memory.
render::Ref<render::Buffer> allocate_buffer(Screen& screen, const pipe_resource& templ);

} // namespace kobalt::gallium
