// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/screen/screen.h"

#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "gallium/context/operations.h"
#include "gallium/context/query.h"
#include "gallium/resource/transfer.h"
#include "gallium/screen/names.h"
#include "gallium/shader/helper_shaders.h"
#include "gallium/shader/passthrough_tess_control.h"
#include "gallium/state/vertex_states.h"
#include "present/window_system.h"
#include "util/disk_cache.h"
#include "util/xmlconfig.h"
#include "vulkan/base/address_space.h"
#include "vulkan/base/environment.h"
#include "vulkan/base/faults.h"
#include "vulkan/device/device.h"
#include "vulkan/instance/device_choice.h"

namespace kobalt::gallium {

namespace {

using vulkan::Capability;

void log_to_mesa(vulkan::LogLevel level, std::string_view text) {
    const int length = static_cast<int>(text.size());
    switch (level) {
    case vulkan::LogLevel::error:
        mesa_loge("kobalt: %.*s", length, text.data());
        break;
    case vulkan::LogLevel::warning:
        mesa_logw("kobalt: %.*s", length, text.data());
        break;
    case vulkan::LogLevel::info:
        mesa_logi("kobalt: %.*s", length, text.data());
        break;
    case vulkan::LogLevel::debug:
        mesa_logd("kobalt: %.*s", length, text.data());
        break;
    }
}

/// Says why there is no screen, each reason once a process: EGL and GLX try again by other ways,
/// and programs ask anew.
void log_no_screen(const vulkan::Error& error) {
    static std::mutex mutex;
    static std::set<std::string> said;
    const std::string text = error.to_string();
    const std::lock_guard lock(mutex);
    if (said.insert(text).second)
        mesa_loge("kobalt: %s", text.c_str());
}

/// The UUID of the device behind a DRM file, used in place of KOBALT_DEVICE; empty: no device has
/// that node.
std::string uuid_of_drm_device(const std::vector<vulkan::PhysicalDevice>& devices, int fd) {
    struct stat info {};
    if (fd < 0 || fstat(fd, &info) != 0)
        return {};
    const int64_t major_number = major(info.st_rdev), minor_number = minor(info.st_rdev);
    for (const vulkan::PhysicalDevice& device : devices) {
        const auto& drm = device.properties().drm;
        if ((drm.hasRender && drm.renderMajor == major_number && drm.renderMinor == minor_number) ||
            (drm.hasPrimary && drm.primaryMajor == major_number &&
             drm.primaryMinor == minor_number))
            return device.properties().uuid();
    }
    return {};
}

/// Whether buffers are to lie in video memory that stays mapped: where the CPU sees (all but) the
/// whole of it, unless that would take up a 32-bit process's addresses. A CPU's memory has them
/// anyway.
bool has_mappable_vram(const vulkan::Device& device) {
    if (vulkan::small_address_space &&
        device.properties().core.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU)
        return false;
    const VkPhysicalDeviceMemoryProperties& memory = device.properties().memory;
    VkDeviceSize largest = 0, largest_mappable = 0;
    for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
        const VkMemoryType& type = memory.memoryTypes[i];
        const VkDeviceSize size = memory.memoryHeaps[type.heapIndex].size;
        if (!(type.propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT))
            continue;
        largest = MAX2(largest, size);
        constexpr VkMemoryPropertyFlags mappable =
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        if ((type.propertyFlags & mappable) == mappable)
            largest_mappable = MAX2(largest_mappable, size);
    }
    return largest_mappable >= largest / 2 && largest_mappable > 0;
}

/// Vulkan 1.3, table "Shader Input and Output Locations": a Location is four of a stage's
/// components. The validation layer also counts built-in variables: a position or gl_FragCoord, and
/// whatever else a shader may use (facing, point coordinates, primitive and sample ids).
void set_locations(const vulkan::Device& device, spirv::Target& target) {
    const VkPhysicalDeviceLimits& limits = device.limits();
    uint32_t components = limits.maxVertexOutputComponents;
    if (device.has(Capability::geometry_shader))
        components = std::min(components, limits.maxGeometryOutputComponents);
    if (device.has(Capability::tessellation_shader))
        components = std::min({components, limits.maxTessellationControlPerVertexInputComponents,
                               limits.maxTessellationControlPerVertexOutputComponents,
                               limits.maxTessellationEvaluationInputComponents,
                               limits.maxTessellationEvaluationOutputComponents});
    constexpr uint32_t built_in = 8;
    target.output_locations = std::min(components / 4, target.output_locations);
    components = std::min(components, limits.maxFragmentInputComponents);
    target.varying_locations = std::min((components - built_in) / 4, target.varying_locations);
}

/// Sets which optional operations shaders may use.
void set_operations(const vulkan::Device& device, spirv::Target& target) {
    target.least_gather_offset = device.limits().minTexelGatherOffset;
    target.most_gather_offset = static_cast<int32_t>(device.limits().maxTexelGatherOffset);
    const vulkan::DeviceFeatures& on = device.features();
    const auto& float1 = on.shader_atomic_float;
    const auto& float2 = on.shader_atomic_float2;
    spirv::AtomicSupport& atomics = target.atomics;
    atomics.buffer_float_add = float1.shaderBufferFloat32AtomicAdd;
    atomics.shared_float_add = float1.shaderSharedFloat32AtomicAdd;
    atomics.image_float_add = float1.shaderImageFloat32AtomicAdd;
    atomics.buffer_float_min_max = float2.shaderBufferFloat32AtomicMinMax;
    atomics.shared_float_min_max = float2.shaderSharedFloat32AtomicMinMax;
    atomics.buffer_int64 = on.vulkan12.shaderBufferInt64Atomics && on.core.shaderInt64;
    atomics.shared_int64 = on.vulkan12.shaderSharedInt64Atomics && on.core.shaderInt64;
    target.workgroup_explicit_layout = device.has(Capability::workgroup_memory_explicit_layout);
    target.shader_clock = device.has(Capability::shader_clock);
    const vulkan::DeviceProperties& properties = device.properties();
    target.preserve_special_float32 = properties.vulkan12.shaderSignedZeroInfNanPreserveFloat32;
    target.preserve_special_float64 = properties.vulkan12.shaderSignedZeroInfNanPreserveFloat64;
    // Vulkan's stage bits and Mesa's stage numbers have the same order.
    static_assert(VK_SHADER_STAGE_FRAGMENT_BIT == 1u << MESA_SHADER_FRAGMENT &&
                  VK_SHADER_STAGE_COMPUTE_BIT == 1u << MESA_SHADER_COMPUTE);
    target.subgroup_stages = properties.vulkan11.subgroupSupportedStages &
                             (VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT);
}

/// Sets which arrays of descriptors shaders may index by a value that isn't constant.
void set_arrays(const vulkan::Device& device, spirv::Target& target) {
    using enum spirv::DescriptorKind;
    const auto& core = device.features().core;
    const auto& more = device.features().vulkan12;
    const auto allow = [&](spirv::DescriptorKind kind, VkBool32 dynamic, VkBool32 non_uniform) {
        const uint32_t bit = 1u << static_cast<uint32_t>(kind);
        target.dynamic_arrays |= dynamic ? bit : 0;
        target.non_uniform_arrays |= dynamic && non_uniform ? bit : 0;
    };
    allow(uniform_buffer, core.shaderUniformBufferArrayDynamicIndexing,
          more.shaderUniformBufferArrayNonUniformIndexing);
    // In some devices' descriptor buffers an array's images lie apart from its samplers.
    if (!device.has(Capability::descriptor_buffer) ||
        device.properties().descriptor_buffer.combinedImageSamplerDescriptorSingleArray)
        allow(combined_image_sampler, core.shaderSampledImageArrayDynamicIndexing,
              more.shaderSampledImageArrayNonUniformIndexing);
    allow(uniform_texel_buffer, more.shaderUniformTexelBufferArrayDynamicIndexing,
          more.shaderUniformTexelBufferArrayNonUniformIndexing);
    allow(storage_buffer, core.shaderStorageBufferArrayDynamicIndexing,
          more.shaderStorageBufferArrayNonUniformIndexing);
    allow(storage_image, core.shaderStorageImageArrayDynamicIndexing,
          more.shaderStorageImageArrayNonUniformIndexing);
    allow(storage_texel_buffer, more.shaderStorageTexelBufferArrayDynamicIndexing,
          more.shaderStorageTexelBufferArrayNonUniformIndexing);
}

spirv::Target make_target(const vulkan::Device& device) {
    const auto& core = device.features().core;
    spirv::Target target;
    target.max_uniform_buffer_size = std::min(device.limits().maxUniformBufferRange, 65536u);
    target.demote = device.has(Capability::shader_demote);
    target.draw_parameters = device.has(Capability::shader_draw_parameters);
    target.depth_clip_control = device.has(Capability::depth_clip_control);
    target.geometry_point_size = device.has(Capability::shader_tess_geom_point_size);
    target.default_point_size = device.has(Capability::maintenance5);
    target.geometry_output_components = device.limits().maxGeometryTotalOutputComponents;
    target.shader_stencil_export = device.has(Capability::shader_stencil_export);
    target.viewport_layer_output = device.has(Capability::shader_output_layer) &&
                                   device.has(Capability::shader_output_viewport_index);
    target.viewport_mask = device.has(Capability::viewport_mask);
    target.multiview = device.has(Capability::multiview);
    set_locations(device, target);
    // GL has 1D textures of every format; some devices (AMD's since GFX9) have no 1D depth images.
    target.one_dimensional_textures =
        device
            .image_format_properties(VK_FORMAT_D16_UNORM, VK_IMAGE_TYPE_1D, VK_IMAGE_TILING_OPTIMAL,
                                     VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                     0)
            .has_value();
    target.float16 = device.has(Capability::shader_float16);
    target.float64 = core.shaderFloat64;
    target.int8 = device.has(Capability::shader_int8);
    target.int16 = core.shaderInt16;
    target.int64 = core.shaderInt64;
    target.bindless = device.has(Capability::bindless);
    set_operations(device, target);
    set_arrays(device, target);
    target.image_formatless_read = core.shaderStorageImageReadWithoutFormat;
    target.image_formatless_write = core.shaderStorageImageWriteWithoutFormat;
    target.debug_names = device.instance().debug_names();
    return target;
}

void read_faults(Screen& screen) {
    const vulkan::FaultRequest request = vulkan::requested_fault();
    if (request.allocation > 0)
        screen.faults.allocations_until_oom = request.allocation;
    screen.faults.opaque_exports = request.opaque_exports;
}

// An app may close its display while it still has contexts (XCloseDisplay destroys none). These
// hold objects that need the device, so the screen is then kept until the process exits. So it is
// in a child of fork(), which has none of the threads that the device's objects wait for.
void destroy_screen(pipe_screen* screen) {
    if (has_contexts(*Screen::from(screen)) ||
        Screen::from(screen)->device().status().belongs_to_parent())
        return;
    std::unique_ptr<Screen> owner(Screen::from(screen));
}

const char* get_name(pipe_screen* screen) {
    return Screen::from(screen)->name.c_str();
}
const char* get_vendor(pipe_screen* screen) {
    return Screen::from(screen)->vendor.c_str();
}

void get_device_uuid(pipe_screen* screen, char* uuid) {
    std::memcpy(uuid, Screen::from(screen)->device().properties().vulkan11.deviceUUID,
                VK_UUID_SIZE);
}

void get_driver_uuid(pipe_screen* screen, char* uuid) {
    std::memcpy(uuid, Screen::from(screen)->device().properties().vulkan11.driverUUID,
                VK_UUID_SIZE);
}

/// Reads driconf's files for this driver and its device, before the pipe loader would do so in the
/// name of its own device ("kopper"), so that sections for Kobalt and for a device take effect.
void read_options(Screen& screen, const pipe_screen_config* config) {
    if (!config)
        return;
    if (!config->options->info)
        driParseConfigFiles(config->options, config->options_info, 0, "kobalt", nullptr,
                            screen.device().properties().name().c_str(), nullptr, 0, nullptr, 0);
    constexpr const char* by_location = "dual_color_blend_by_location";
    screen.dual_source_by_location = driCheckOption(config->options, by_location, DRI_BOOL) &&
                                     driQueryOptionb(config->options, by_location);
}

} // namespace

void fill_screen(Screen& screen) {
    vulkan::Device& device = screen.device();
    const VkPhysicalDeviceProperties& properties = device.properties().core;
    screen.is_cpu = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    screen.mappable_vram = has_mappable_vram(device);
    screen.name = renderer_name(device.properties().name());
    screen.vendor = vendor_name(properties.vendorID);
    screen.spirv_target = make_target(device);
    screen.helper_shaders = std::make_unique<HelperShaders>();
    if (device.has(Capability::tessellation_shader))
        screen.passthrough_controls = std::make_unique<PassthroughControls>();
    util_idalloc_mt_init_tc(&screen.buffer_ids);
    slab_create_parent(&screen.transfer_pool, sizeof(Transfer), 32);
    read_faults(screen);

    screen.destroy = destroy_screen;
    screen.get_name = get_name;
    screen.get_vendor = get_vendor;
    screen.get_device_vendor = get_vendor;
    screen.get_device_uuid = get_device_uuid;
    screen.get_driver_uuid = get_driver_uuid;
    screen.context_create = create_context;
    init_screen_shader_caps(screen);
    init_screen_shader_functions(screen);
    init_screen_compiler_functions(screen);
    init_screen_format_functions(screen);
    init_screen_resource_functions(screen);
    init_screen_transfer_helper(screen);
    init_screen_query_functions(screen);
    init_screen_fence_functions(screen);
    init_screen_present_functions(screen);
    init_screen_caps(screen);
    init_screen_coverage(screen);
    init_screen_external_memory(screen);
    init_screen_dma_bufs(screen);
    init_screen_dma_buf_exports(screen);
    init_screen_dma_buf_handles(screen);
    init_screen_sparse(screen);
    init_screen_semaphores(screen);
    init_screen_vertex_states(screen);
}

Screen::Screen(int drm_fd)
    : pipe_screen{}, gem_handles(drm_fd), resource_blocks(sizeof(Resource)),
      transfer_blocks(sizeof(Transfer)) {}

Screen::~Screen() {
    successor.reset();
    windows.reset();
    if (engine) {
        helper_shaders.reset();    // cancels the builds in progress
        engine->compiler().halt(); // its jobs use the members below
        if (auto idle = engine->device().wait_idle(); !idle)
            mesa_logw("kobalt: %s", idle.error().to_string().c_str());
        passthrough_controls.reset(); // its shaders need the engine
        handle_samplers.clear();
        engine.reset();
        slab_destroy_parent(&transfer_pool);
        util_idalloc_mt_fini(&buffer_ids);
    }
    if (transfer_helper)
        u_transfer_helper_destroy(transfer_helper);
    disk_cache_destroy(cache);
}

vulkan::Result<std::unique_ptr<Screen>> begin_screen(std::shared_ptr<vulkan::Instance> instance,
                                                     const vulkan::PhysicalDevice& physical,
                                                     int drm_fd) {
    // All of GL goes through the graphics queue. NVIDIA's driver takes 23 ms more to create a
    // device with three queues, and 12 ms more to destroy it.
    auto device = vulkan::Device::create(instance, physical, {.single_queue = true});
    if (!device)
        return std::unexpected(device.error());
    auto engine = render::Engine::create(std::move(*device));
    if (!engine)
        return std::unexpected(engine.error());
    auto screen = std::make_unique<Screen>(drm_fd);
    screen->instance = std::move(instance);
    screen->engine = std::move(*engine);
    return screen;
}

pipe_screen* create_screen(sw_winsys* winsys, int drm_fd, const pipe_screen_config* config) {
    vulkan::InstanceOptions options;
    options.environment = vulkan::Environment::from_process();
    options.log = vulkan::Log(log_to_mesa);
    auto choice = vulkan::choose_device(
        options, [drm_fd](const std::vector<vulkan::PhysicalDevice>& devices) {
            return uuid_of_drm_device(devices, drm_fd);
        });
    if (!choice) {
        log_no_screen(choice.error());
        return nullptr;
    }
    const std::string& remark = choice->selection.remark;
    if (!remark.empty())
        choice->instance->log().info(remark);
    auto screen = begin_screen(choice->instance, choice->selection.device(), drm_fd);
    if (!screen) {
        log_no_screen(screen.error());
        return nullptr;
    }
    read_options(**screen, config);
    (*screen)->winsys = winsys;
    fill_screen(**screen);
    return screen->release();
}

} // namespace kobalt::gallium
