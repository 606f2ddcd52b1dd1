// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "gallium/screen/block_pool.h"
#include "gallium/screen/gem_handles.h"
#include "gallium/screen/handle_samplers.h"
#include "gallium/screen/known_variants.h"
#include "gallium/screen/mesa.h"
#include "gallium/screen/successor.h"
#include "render/engine/engine.h"
#include "spirv/translate.h"
#include "vulkan/base/user_key.h"
#include "vulkan/instance/instance.h"

struct disk_cache;
struct sw_winsys;

namespace kobalt::present {
class WindowSystem;
}
namespace kobalt::vulkan {
struct PhysicalDevice;
}

namespace kobalt::gallium {

class HelperShaders;
class PassthroughControls;
class VertexStates;

/// What KOBALT_FAULT asks for (tests only): "oom:N" makes the Nth allocation of 1 MiB or more fail;
/// "opaque-exports" exports opaque descriptors where dma-bufs are asked for, on devices that
/// export none.
struct Faults {
    std::atomic<int64_t> allocations_until_oom{-1}; ///< -1: never
    bool opaque_exports = false;
    /// Counts an allocation of `bytes`; true when this one has to fail.
    bool fails(uint64_t bytes);
};

/// pipe_screen on one Vulkan device.
struct Screen : pipe_screen {
    /// `drm_fd`: the DRM file that the app opened; -1: none.
    explicit Screen(int drm_fd);
    ~Screen();
    static Screen* from(pipe_screen* screen) { return static_cast<Screen*>(screen); }
    vulkan::Device& device() { return engine->device(); }
    /// Whether each pipeline enables robust access itself. If not, the device is robust for all
    /// pipelines or for none.
    bool asks_for_robustness() const {
        return engine->device().has(vulkan::Capability::pipeline_robustness);
    }

    std::shared_ptr<vulkan::Instance> instance; // before the engine: destroyed after it
    std::unique_ptr<render::Engine> engine;
    std::unique_ptr<present::WindowSystem> windows; ///< the windows of this device
    GemHandles gem_handles;                         ///< of textures, on the app's DRM file
    sw_winsys* winsys = nullptr; ///< the loader's, not owned; unused where swapchains work
    spirv::Target spirv_target;
    slab_parent_pool transfer_pool;
    /// Memory of pipe_resources and of their transfers.
    BlockPool resource_blocks, transfer_blocks;
    /// Control shaders for programs that have none; null where there is no tessellation.
    std::unique_ptr<PassthroughControls> passthrough_controls;
    disk_cache* cache = nullptr;
    std::once_flag user_key_known;
    std::optional<vulkan::UserKey> user_key; ///< it signs program binaries; read by the first use
    KnownVariants known_variants;
    std::unique_ptr<VertexStates> vertex_states; ///< of display lists
    std::unique_ptr<HelperShaders> helper_shaders;
    util_idalloc_mt buffer_ids{}; ///< threaded_resource::buffer_id_unique
    HandleSamplers handle_samplers;
    Faults faults;
    /// The handle type that eglExportDMABUFImageMESA exports; 0: it isn't offered.
    VkExternalMemoryHandleTypeFlagBits exported_as{};
    /// Grows whenever storage is replaced that another context may have bound, of buffers and
    /// images (Context::storage_generation).
    std::atomic<uint32_t> storage_generation{0};
    /// Grows whenever a texture's image is replaced by one that can be exported.
    std::atomic<uint32_t> image_generation{0};
    /// Held while storage, and the SamplerViews of it, are replaced.
    std::mutex storage_mutex;
    std::atomic<uint32_t> live_contexts{0};
    Successor successor; ///< once the device is lost
    /// The app has enabled GL_SAMPLE_SHADING: links build VariantKey::per_sample from then on.
    std::atomic<bool> shades_samples{false};
    bool mappable_vram = false; ///< all of video memory is host-visible (ReBAR, UMA, CPU)
    bool is_cpu = false;
    /// driconf: a fragment shader's output at Location 1 is the second source of blending.
    bool dual_source_by_location = false;
    std::string name;   ///< GL_RENDERER
    std::string vendor; ///< GL_VENDOR
};

/// Creates the screen; nullptr after one message in Mesa's log. Called by driver/slot.cpp.
pipe_screen* create_screen(sw_winsys* winsys, int drm_fd, const pipe_screen_config* config);

// The two halves of it, which a successor has as well.

/// A screen on a new device, without functions. `physical` is one of the instance's.
vulkan::Result<std::unique_ptr<Screen>> begin_screen(std::shared_ptr<vulkan::Instance> instance,
                                                     const vulkan::PhysicalDevice& physical,
                                                     int drm_fd);
/// Fills in the functions, capabilities and members of a screen whose options are set.
void fill_screen(Screen& screen);

// Each fills in its part of the screen's function table or limits.
void init_screen_caps(Screen& screen);
void init_screen_shader_caps(Screen& screen);
/// Sample locations, conservative rasterisation, window rectangles: after init_screen_caps().
void init_screen_coverage(Screen& screen);
void init_screen_format_functions(Screen& screen);
void init_screen_resource_functions(Screen& screen);
void init_screen_query_functions(Screen& screen);
void init_screen_fence_functions(Screen& screen);
void init_screen_shader_functions(Screen& screen);   ///< compiler options, finalize_nir, disk cache
void init_screen_compiler_functions(Screen& screen); ///< KHR_parallel_shader_compile
/// GL_EXT_memory_object_fd and GL_AMD_pinned_memory, dma-bufs, sparse resources, and semaphores:
/// functions with their capabilities, after init_screen_caps().
void init_screen_external_memory(Screen& screen);
void init_screen_dma_bufs(Screen& screen);
void init_screen_dma_buf_exports(Screen& screen); ///< after init_screen_dma_bufs()
void init_screen_dma_buf_handles(Screen& screen); ///< after init_screen_dma_buf_exports()
void init_screen_sparse(Screen& screen);
void init_screen_semaphores(Screen& screen);
void init_screen_vertex_states(Screen& screen);     ///< after init_screen_caps()
void init_screen_present_functions(Screen& screen); ///< resource_create_drawable, flush_frontbuffer

} // namespace kobalt::gallium
