// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/engine/choose_paths.h"

#include <algorithm>

#include "render/layouts/layout_cache.h"
#include "vulkan/base/variable_access.h"
#include "vulkan/capabilities/bindless_limits.h"
#include "vulkan/capabilities/driver_behind.h"
#include "vulkan/capabilities/vendor.h"
#include "vulkan/descriptors/push_descriptor.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/host_copy.h"

namespace kobalt::render {
namespace {

namespace environment = vulkan::environment;
using vulkan::Variable;

/// Where a push is faster than a set written into the descriptor ring. On an H200 (NVIDIA 580) a
/// draw with a new uniform buffer takes 133 ns with a push and 258 ns without. RADV and ANV copy
/// what is pushed at each draw (`./kobalt bench --instructions`: 13 % and up to 44 % more a draw).
/// lavapipe allocates and maps memory for each push, and unmaps it when the command buffer has run:
/// with it, a draw with a new uniform or texture takes 1.4 to 2 times the CPU time.
bool pushes_blocks(const vulkan::Device& device) {
    const bool nvidia =
        vulkan::driver_behind(device.properties()) == VK_DRIVER_ID_NVIDIA_PROPRIETARY;
    return environment::flag(Variable::pushed_blocks).value_or(nvidia) &&
           vulkan::pushes_beside_buffers(device) &&
           vulkan::max_push_descriptors(device) >= pushed_bindings_count &&
           device.limits().maxBoundDescriptorSets > pushed_set;
}

/// Whether the device's limits allow every layout one texture more than GL's shaders have.
bool pushes_texture(const VkPhysicalDeviceLimits& limits) {
    constexpr uint32_t most = max_slots + 1; // a stage's
    return limits.maxPerStageDescriptorSamplers >= most &&
           limits.maxPerStageDescriptorSampledImages >= 2 * most &&
           limits.maxDescriptorSetSamplers >= graphics_stage_count * most &&
           limits.maxDescriptorSetSampledImages >= 2 * graphics_stage_count * most;
}

ObjectUse wished_objects(ObjectUse otherwise) {
    const auto wish = environment::choice(Variable::shader_objects);
    if (!wish)
        return otherwise;
    return *wish == "all" ? ObjectUse::everything
           : *wish == "1" ? ObjectUse::combinations
                          : ObjectUse::none;
}

/// Whether attachments have a layout of their own. Not where all layouts are the same (lavapipe,
/// SwiftShader, NVIDIA's driver), and not on AMD's GPUs before RDNA, which have waves of 64 alone:
/// they read compressed colours in no layout that writes them, so each return to GENERAL would
/// decompress. KOBALT_ATTACHMENT_LAYOUTS=1 or 0 asks for or against it.
bool uses_attachment_layouts(const vulkan::Device& device) {
    if (const auto wish = environment::flag(Variable::attachment_layouts))
        return *wish;
    switch (vulkan::driver_behind(device.properties())) {
    case VK_DRIVER_ID_MESA_LLVMPIPE:
    case VK_DRIVER_ID_GOOGLE_SWIFTSHADER:
    case VK_DRIVER_ID_NVIDIA_PROPRIETARY:
        return false;
    default:
        return device.properties().core.vendorID != vulkan::vendor::amd ||
               device.properties().vulkan13.minSubgroupSize < 64;
    }
}

} // namespace

Paths choose_paths(const vulkan::Device& device) {
    using vulkan::Capability;
    Paths paths;
    const auto& eds3 = device.features().extended_dynamic_state3;
    paths.descriptor_buffer = device.has(Capability::descriptor_buffer);
    if (!paths.descriptor_buffer)
        paths.max_pushed = std::min(most_pushed_descriptors, vulkan::max_push_descriptors(device));
    paths.pushed_blocks = pushes_blocks(device);
    paths.pushed_texture = paths.pushed_blocks && pushes_texture(device.limits());
    paths.pipeline_library = device.has(Capability::graphics_pipeline_library);
    paths.dynamic_vertex_input = device.has(Capability::vertex_input_dynamic_state);
    paths.null_descriptor = device.has(Capability::null_descriptor);
    // lavapipe 25.0 fetches elements of one byte from a null buffer's address. It also drops the
    // dirty state of pushed constants for stages that read none (handle_graphics_pushconsts in its
    // lvp_execute.c).
    const bool lavapipe = vulkan::driver_behind(device.properties()) == VK_DRIVER_ID_MESA_LLVMPIPE;
    paths.null_vertex_buffer = paths.null_descriptor && !lavapipe;
    paths.forgets_pushed_constants = lavapipe;
    // After a pipeline without colour attachments, lavapipe 25.0 blends all attachments like the
    // first one, to the end of the command buffer (handle_graphics_pipeline in the same file).
    paths.always_color = lavapipe;
    if (device.has(Capability::pipeline_robustness))
        paths.robust_buffers =
            device.has(Capability::robust_buffer_access2)
                ? VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT
                : VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT;
    paths.bindless = device.has(Capability::bindless);
    paths.shared_descriptor_buffer =
        paths.bindless &&
        vulkan::bindless_storage(device.capabilities()) == vulkan::BindlessStorage::shared_buffer;
    paths.ordered_fetches = device.has(Capability::rasterization_order_attachment_access);
    const auto& order = device.features().rasterization_order_attachment_access;
    paths.ordered_depth_fetches = paths.ordered_fetches &&
                                  order.rasterizationOrderDepthAttachmentAccess &&
                                  order.rasterizationOrderStencilAttachmentAccess;
    // Shader objects need CmdSetDiscardRectangleEnableEXT to turn the rectangles off, which only
    // the extension's second version has.
    paths.discard_rectangles =
        device.has(Capability::discard_rectangles) &&
        (device.vk().CmdSetDiscardRectangleEnableEXT || !device.has(Capability::shader_object));
    paths.transform_feedback = device.has(Capability::transform_feedback);
    paths.line_rasterization = device.has(Capability::line_rasterization);
    paths.line_stipple =
        paths.line_rasterization && device.has(Capability::stippled_bresenham_lines);
    paths.depth_clip_control = device.has(Capability::depth_clip_control);
    paths.depth_clip_enable = device.has(Capability::depth_clip_enable);
    paths.provoking_vertex = device.has(Capability::provoking_vertex);
    paths.logic_op = device.has(Capability::logic_op);
    paths.dynamic_logic_op = device.has(Capability::extended_dynamic_state2_logic_op);
    paths.dynamic_patch_size = device.has(Capability::extended_dynamic_state2_patch_control_points);
    paths.alpha_to_one =
        device.has(Capability::alpha_to_one) && eds3.extendedDynamicState3AlphaToOneEnable;
    paths.wide_lines = device.has(Capability::wide_lines);
    paths.depth_bounds = device.has(Capability::depth_bounds);
    paths.depth_clamp = device.has(Capability::depth_clamp);
    if (device.has(Capability::multi_draw))
        paths.most_multi_draws = device.properties().multi_draw.maxMultiDrawCount;
    paths.attachment_layouts = uses_attachment_layouts(device);
    paths.host_image_writes = vulkan::writes_images_on_host(device);
    // One switch for all of it: a device with a part of EDS3 takes the static path as a whole.
    paths.dynamic_state3 =
        device.has(Capability::extended_dynamic_state3) && eds3.extendedDynamicState3PolygonMode &&
        eds3.extendedDynamicState3RasterizationSamples && eds3.extendedDynamicState3SampleMask &&
        eds3.extendedDynamicState3AlphaToCoverageEnable &&
        eds3.extendedDynamicState3ColorBlendEnable &&
        eds3.extendedDynamicState3ColorBlendEquation && eds3.extendedDynamicState3ColorWriteMask &&
        (!paths.depth_clamp || eds3.extendedDynamicState3DepthClampEnable) &&
        (!paths.depth_clip_enable || eds3.extendedDynamicState3DepthClipEnable) &&
        (!paths.depth_clip_control || eds3.extendedDynamicState3DepthClipNegativeOneToOne) &&
        (!paths.provoking_vertex || eds3.extendedDynamicState3ProvokingVertexMode) &&
        (!paths.line_rasterization || eds3.extendedDynamicState3LineRasterizationMode) &&
        (!paths.line_stipple || eds3.extendedDynamicState3LineStippleEnable) &&
        (!paths.logic_op || eds3.extendedDynamicState3LogicOpEnable);
    paths.clamps_offset_depth = paths.dynamic_state3 && paths.depth_clamp &&
                                paths.depth_clip_enable &&
                                device.has(Capability::depth_range_unrestricted);
    paths.dynamic_topology_class =
        device.has(Capability::extended_dynamic_state3) &&
        device.properties().extended_dynamic_state3.dynamicPrimitiveTopologyUnrestricted;
    // Shader objects have no state of their own, and their sets are too large for pools.
    const bool all_dynamic = paths.dynamic_state3 && paths.dynamic_vertex_input &&
                             paths.dynamic_patch_size &&
                             (paths.dynamic_logic_op || !paths.logic_op) &&
                             paths.alpha_to_one == device.has(Capability::alpha_to_one);
    if (device.has(Capability::shader_object) && paths.descriptor_buffer && all_dynamic &&
        device.limits().maxBoundDescriptorSets >= set_count) {
        const bool nvidia =
            vulkan::driver_behind(device.properties()) == VK_DRIVER_ID_NVIDIA_PROPRIETARY;
        // With NVIDIA's driver (580.159) a shader object that reads a texel buffer reads nothing,
        // not even its size.
        paths.objects_read_texels = !nvidia;
        // NVIDIA's driver binds an object in half the time of a pipeline.
        paths.objects = wished_objects(nvidia ? ObjectUse::everything : ObjectUse::combinations);
    }
    // On a CPU the linker would compete with the app for cores, and compiles lazily anyway.
    const bool cpu = device.properties().core.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    paths.optimized_links =
        paths.pipeline_library && environment::flag(Variable::optimized_links).value_or(!cpu);
    // lavapipe refuses every pipeline that asks for this, without checking whether it would
    // compile.
    const bool tells_compiles =
        vulkan::driver_behind(device.properties()) != VK_DRIVER_ID_MESA_LLVMPIPE;
    paths.init_stream = environment::flag(Variable::init_stream).value_or(paths.init_stream);
    paths.checked_links = paths.pipeline_library &&
                          device.has(Capability::pipeline_creation_cache_control) &&
                          environment::flag(Variable::checked_links).value_or(tells_compiles);
    return paths;
}

} // namespace kobalt::render
