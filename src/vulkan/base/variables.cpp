// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/base/variables.h"

#include <cstddef>

namespace kobalt::vulkan {
namespace {

using V = Variable;
using T = VariableType;

constexpr std::string_view window_kinds[] = {"auto", "swapchain", "cpu"};
constexpr std::string_view debug_words[] = {"names", "suppressed", "sync",        "announce",
                                            "calls", "perf",       "descriptors", "breadcrumbs"};
constexpr std::string_view object_uses[] = {"0", "1", "all"};

constexpr VariableEntry entries[] = {
    {V::device, "KOBALT_DEVICE", T::text, "the best device",
     "Which Vulkan device: a part of its name (`KOBALT_DEVICE=llvmpipe`), its number in `./kobalt "
     "info`, or its UUID. Drivers that take no instance of Vulkan 1.4 come last there, and are "
     "chosen only when they are asked for. Kobalt never takes another one instead: where none fits "
     "it says so. `./kobalt info` prints what chooses each device."},
    {V::dri_prime, "DRI_PRIME", T::text, "the best device",
     "The device where `KOBALT_DEVICE` isn't set, in the forms that Mesa's drivers take, for GLX "
     "and EGL alike: a PCI address (`DRI_PRIME=pci-0000_01_00_0`), the numbers of vendor and "
     "device (`DRI_PRIME=10de:2335`), or a count of the GPUs beside the display's (`DRI_PRIME=1`; "
     "the display's is the one that the firmware used, else the first). A `!` behind it changes "
     "nothing. It is a preference: where it names no device that Kobalt can use, one line says so, "
     "and the best device draws."},
    {V::disable, "KOBALT_DISABLE", T::names, "none",
     "Capabilities to switch off: `KOBALT_DISABLE=descriptor_buffer,graphics_pipeline_library`. "
     "The names are those of `./kobalt info`. The name of an extension (`VK_EXT_…`) hides it "
     "whole. An unknown name is reported."},
    {V::windows, "KOBALT_WINDOWS", T::choice, "`auto`",
     "`swapchain`: windows get swapchains wherever the device has them, and nothing else where one "
     "fails. `cpu`: frames are copied to host memory and put to the X server from there. `auto`: "
     "swapchains, and copies where the display or the device has none "
     "([why](architecture.md#windows-presentation-by-copy)); `./kobalt info` says which. NVIDIA's "
     "driver is never asked for a swapchain on an X server without DRI3 and Present, where it "
     "crashes, nor are Mesa's drivers for a window whose pixels aren't 32 bits with blue lowest, "
     "where they show a wrong picture.",
     window_kinds},
    {V::validation, "KOBALT_VALIDATION", T::flag, "`0`",
     "`1`: switches the Khronos validation layer on. Its messages go to the log and are counted. "
     "Those that are proven wrong are left out; `src/vulkan/instance/validation_suppressions.cpp` "
     "holds the proofs. Needs the layer to be installed (`VK_LAYER_PATH` says where). It crashes "
     "by itself where a pushed set follows one of another layout under pipeline layouts with "
     "independent sets; `tests/unit/vulkan/layer_pushes.cpp` proves it, and with validation on "
     "Kobalt binds an empty set between two such pushes "
     "(`src/render/descriptors/pool_binder.cpp`)."},
    {V::debug, "KOBALT_DEBUG", T::words, "none",
     "`names`: Vulkan objects get names, for validation messages and tools like RenderDoc. "
     "`suppressed`: validation messages that are left out otherwise come as well. `sync`: the "
     "layer checks synchronisation too. (It follows what descriptor sets name, not what descriptor "
     "buffers do: add `KOBALT_DISABLE=descriptor_buffer`.) `announce`: one line as the driver "
     "starts in a process, with the validation layer that is on; the tests look for it. `calls`: "
     "how often each Vulkan command was called and how long it took, when the device is destroyed. "
     "`perf`: [slow paths](#slow-paths), each once for a context. `descriptors`: [what is wrong "
     "with what a draw reads](#descriptors). `breadcrumbs`: if the device is lost, [the draws that "
     "the GPU had not finished](#lost-devices).",
     debug_words},
    {V::cache_dir, "KOBALT_CACHE_DIR", T::new_folder,
     "`$XDG_CACHE_HOME/kobalt`, or `~/.cache/kobalt`",
     "Where compiled pipelines are kept, and the key that signs program binaries. NVIDIA's driver "
     "keeps its own (`__GL_SHADER_DISK_CACHE`), and Kobalt no pipelines beside it."},
    {V::cache_max_mb,
     "KOBALT_CACHE_MAX_MB",
     T::number,
     "256",
     "The most that may be there. `0` switches the cache off.",
     {},
     UINT64_MAX >> 20,
     "MiB"},
    {V::shared_cache_dir, "KOBALT_SHARED_CACHE_DIR", T::folder, "there is none",
     "Compiled pipelines that come with a program or a distribution, beside the user's own. Kobalt "
     "reads them and never writes there ([how to make one](reliability.md#caches))."},
    {V::spirv_dump, "KOBALT_SPIRV_DUMP", T::folder, "no file is written",
     "Each shader is written there as `stage-hash.spv`."},
    {V::spirv_dump_nir, "KOBALT_SPIRV_DUMP_NIR", T::flag, "`0`",
     "`1`: what a shader was made from goes beside it as `stage-hash.nir`, and to stderr where it "
     "can't be translated."},
    {V::stats, "KOBALT_STATS", T::folder, "no file is written",
     "Each process writes its counters there as `PROCESS-ID.tsv`, one name and value a line, anew "
     "with every submission. `./kobalt piglit smoke --stats` and `./kobalt apps --stats` sum them "
     "over two passes."},
    {V::csv, "KOBALT_CSV", T::file, "no file is written",
     "The counters, a line for each frame ([below](#counters)). `./kobalt run --csv FILE` sets "
     "it."},
    {V::pushed_blocks, "KOBALT_PUSHED_BLOCKS", T::flag, "`1` on NVIDIA's driver, else `0`",
     "Whether the first uniform buffers of each stage are pushed, beside descriptor buffers that "
     "can. The GL tests and the engine's run with it, as on NVIDIA's driver."},
    {V::init_stream, "KOBALT_INIT_STREAM", T::flag, "`1`",
     "`0`: copies to what a batch has not used yet don't go before its passes: each ends the pass "
     "that is open ([two command streams](architecture.md))."},
    {V::attachment_layouts, "KOBALT_ATTACHMENT_LAYOUTS", T::flag,
     "`1` on GPUs, but `0` for NVIDIA's driver and AMD's GPUs before RDNA",
     "Whether attachments that are cleared get [a layout of their "
     "own](architecture.md#how-a-draw-travels). Tests that check synchronisation run with it."},
    {V::optimized_links, "KOBALT_OPTIMIZED_LINKS", T::flag, "`1` on GPUs, `0` on CPU devices",
     "Whether optimised pipelines are built behind the app's back."},
    {V::attached_samples, "KOBALT_ATTACHED_SAMPLES", T::flag, "`1` with NVIDIA's driver, else `0`",
     "Whether framebuffers that have samples and no attachments are drawn with one that nobody "
     "reads. NVIDIA's driver loses the device otherwise where a shader runs for each sample."},
    {V::shader_objects, "KOBALT_SHADER_OBJECTS", T::choice, "`all` with NVIDIA's driver, else `1`",
     "`0`: no draw uses `VK_EXT_shader_object`. `1`: [stages of several "
     "programs](architecture.md#stages-of-several-programs) do, where their combination has no "
     "pipeline. `all`: every draw does that can, until it is [drawn with in long "
     "runs](architecture.md#objects-for-everything).",
     object_uses},
    {V::checked_links, "KOBALT_CHECKED_LINKS", T::flag,
     "`1` on devices that have `pipelineCreationCacheControl`, `0` on lavapipe",
     "Whether a fast link asks Vulkan to fail rather than compile. Where that happens it is made "
     "all the same, and counted as a compile inside a draw. lavapipe refuses everything that asks "
     "so."},
    {V::vulkan_loader, "KOBALT_VULKAN_LOADER", T::file, "`libvulkan.so.1`", "The loader to open."},
    {V::fault, "KOBALT_FAULT", T::fault, "nothing fails",
     "For tests: makes something fail. `oom:N`: the Nth allocation of 1 MiB or more. `lost:N`: the "
     "device, at the Nth submission. `translate:N`: the Nth translation of a shader. "
     "`refuse:TEXT:N`: the Nth pipeline, library or shader object whose name has TEXT in it "
     "(`fragment`, `pre-rasterisation`, `linked`, `CS GLSL`). `opaque-exports`: a device that "
     "exports no dma-bufs gives opaque descriptors for them. Only Kobalt's own test programs can "
     "ask for it (`src/vulkan/base/faults.h`): in all others it is ignored, which is reported."},
};

constexpr bool in_order() {
    for (size_t i = 0; i < std::size(entries); ++i)
        if (static_cast<size_t>(entries[i].variable) != i)
            return false;
    return true;
}
static_assert(in_order() && std::size(entries) == static_cast<size_t>(V::fault) + 1);

constexpr std::string_view tools_variables[] = {
    "KOBALT_ALLOW_LOW_GL",
    "KOBALT_ARTIFACT_DIR",
    "KOBALT_COUNTERS",
    "KOBALT_DRY_RUN",
    "KOBALT_EMPTY",
    "KOBALT_PICTURE",
    "KOBALT_EXPECT_RENDERER",
    "KOBALT_FAULT_CALL",
    "KOBALT_FAULT_STATE",
    "KOBALT_HOST",
    "KOBALT_KEPT_BINARY",
    "KOBALT_LATE_US",
    "KOBALT_LAUNCHER",
    "KOBALT_MOCK_ICD",
    "KOBALT_QUIET",
    "KOBALT_REFERENCE_DIR",
    "KOBALT_SHIM",
    "KOBALT_STATE_DIR",
    "KOBALT_VALIDATION_LIBRARY",
    "KOBALT_VULKAN",
};

} // namespace

std::span<const VariableEntry> variable_table() {
    return entries;
}

const VariableEntry& entry_of(Variable variable) {
    return entries[static_cast<size_t>(variable)];
}

std::span<const std::string_view> variables_of_the_tools() {
    return tools_variables;
}

} // namespace kobalt::vulkan
