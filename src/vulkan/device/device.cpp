// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/device/device.h"

#include "vulkan/base/address_space.h"
#include "vulkan/base/vma.h"
#include "vulkan/capabilities/device_chain.h"
#include "vulkan/capabilities/driver_behind.h"
#include "vulkan/device/call_times.h"
#include "vulkan/device/device_fault.h"
#include "vulkan/device/out_of_memory.h"
#include "vulkan/device/queue_families.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <tuple>

namespace kobalt::vulkan {

Result<std::unique_ptr<Device>> Device::create(std::shared_ptr<const Instance> instance,
                                               const PhysicalDevice& physical,
                                               const DeviceOptions& options) {
    std::unique_ptr<Device> device(new Device);
    device->instance_ = std::move(instance);
    device->physical_ = physical.handle;
    device->properties_ = physical.offer.properties;
    const std::string& folder = device->instance_->environment().cache_dir;
    device->patience_ = options.patience;
    device->status_ = std::make_unique<DeviceStatus>(device->log(), physical.properties().name(),
                                                     folder.empty() ? std::string()
                                                                    : folder + "/device-lost.txt");
    if (!physical.missing.empty()) {
        std::string missing;
        for (const std::string& name : physical.missing)
            missing += (missing.empty() ? "" : ", ") + name;
        return fail(VK_ERROR_FEATURE_NOT_PRESENT, "creating a device",
                    "\"" + physical.properties().name() + "\", which lacks " + missing);
    }
    if (Result<void> made = device->create_device(physical, options); !made)
        return std::unexpected(made.error());
    if (Result<void> made = device->create_allocator(); !made)
        return std::unexpected(made.error());
    return device;
}

namespace {

/// Drivers that implement the older commands with the newer ones, so that the newer ones save a
/// call. Nanoseconds per call of the older and of the newer form
/// (tests/unit/vulkan/descriptor_bench.cpp, the GPUs as in docs/gpus.md): binding a set takes 9.4
/// and 7.5 on RADV, 10.4 and 8.6 on ANV; setting offsets takes 8.9 and 8.3, 9.2 and 7.8. For
/// pushes, and for everything on lavapipe, where the tests run, the difference is below the noise.
/// NVIDIA's driver was not measured and gets the older commands. Venus has entry points of its own,
/// whatever driver is behind it, and was not measured either.
bool takes_structures(VkDriverId driver) {
    return driver == VK_DRIVER_ID_MESA_RADV || driver == VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA ||
           driver == VK_DRIVER_ID_MESA_LLVMPIPE;
}

} // namespace

Result<void> Device::create_device(const PhysicalDevice& physical, const DeviceOptions& options) {
    const std::span<const VkQueueFamilyProperties> families = physical.queue_families;
    auto [main, transfer, compute, sparse] = choose_queue_families(families);
    if (options.single_queue)
        transfer = compute = no_queue_family;

    // RADV's thread for its sparse queue crashed wherever it was tried (Mesa's no-op devices), even
    // with nothing submitted to it. It was not tried on hardware.
    const bool binds_apart_safely =
        driver_behind(physical.offer.properties) != VK_DRIVER_ID_MESA_RADV;
    if (sparse != main && !binds_apart_safely)
        sparse = no_queue_family;

    std::vector<std::string> disabled = instance_->environment().disabled;
    disabled.insert(disabled.end(), options.disabled.begin(), options.disabled.end());
    const auto is_disabled = [&](Capability capability) {
        return std::find(disabled.begin(), disabled.end(), capability_name(capability)) !=
               disabled.end();
    };
    if (sparse == no_queue_family)
        disabled.emplace_back(capability_name(Capability::sparse_binding));
    capabilities_ =
        Capabilities::decide(physical.offer, disabled, instance_->has_extension("VK_KHR_surface"));
    for (const std::string& name : capabilities_.unknown_names())
        log().warning("KOBALT_DISABLE names \"" + name +
                      "\", which is no capability; `kobalt info` lists them");
    if (sparse == no_queue_family)
        capabilities_.set(Capability::sparse_binding, false, "no queue can bind sparse memory");
    const bool binds_apart = sparse != main && has(Capability::sparse_binding);

    const auto decide_queue = [&](Capability capability, uint32_t& family) {
        if (options.single_queue)
            capabilities_.set(capability, false, "one queue was asked for");
        else if (family == no_queue_family)
            capabilities_.set(capability, false, "the device has no such queue family");
        else if (is_disabled(capability)) {
            family = no_queue_family;
            capabilities_.set(capability, false, "switched off by KOBALT_DISABLE");
        } else
            capabilities_.set(capability, true, "queue family " + std::to_string(family));
    };
    decide_queue(Capability::dedicated_transfer_queue, transfer);
    decide_queue(Capability::dedicated_compute_queue, compute);

    const float priority = 1.0f;
    std::vector<VkDeviceQueueCreateInfo> queues;
    for (const uint32_t family :
         {main, transfer, compute, binds_apart ? sparse : no_queue_family}) {
        if (family == no_queue_family)
            continue;
        auto queue = vk_struct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
        queue.queueFamilyIndex = family;
        queue.queueCount = 1;
        queue.pQueuePriorities = &priority;
        queues.push_back(queue);
        if (family != sparse || !binds_apart) // binding memory doesn't access buffers
            families_.push_back(family);
    }

    std::vector<const char*> extensions;
    for (const std::string& name : capabilities_.extensions())
        if (name != core_1_4)
            extensions.push_back(name.c_str());
    DeviceFeatures enabled = capabilities_.features();
    const std::set<std::string> chained = merge_core_1_4(enabled, capabilities_.extensions());
    auto features =
        vk_struct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    features.features = enabled.core;
    features.pNext = chain(enabled, chained, true);
    auto info = vk_struct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = &features;
    info.queueCreateInfoCount = static_cast<uint32_t>(queues.size());
    info.pQueueCreateInfos = queues.data();
    info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    const VkResult result = instance_->vk().CreateDevice(physical.handle, &info, nullptr, &device_);
    if (result != VK_SUCCESS) {
        device_ = VK_NULL_HANDLE;
        return fail(result, "vkCreateDevice", "\"" + physical.properties().name() + "\"");
    }
    vk_.load(instance_->vk().GetDeviceProcAddr, device_);
    if (has(Capability::device_fault))
        fault_explainer_ = status_->explain_by([this] {
            // Vulkan 1.4, vkGetDeviceFaultInfoEXT: the device must be lost.
            return given_up() ? std::vector<std::string>{} : device_fault_lines(vk_, device_);
        });
    structured_commands_ =
        has(Capability::maintenance6) && has(Capability::push_descriptors) &&
        takes_structures(properties_.vulkan12.driverID) &&
        (!has(Capability::descriptor_buffer) || vk_.CmdSetDescriptorBufferOffsets2EXT);
    if (instance_->environment().has_debug("calls"))
        time_calls(vk_);

    const auto make_queue = [&](std::unique_ptr<Queue>& queue, uint32_t family,
                                const char* name) -> Result<void> {
        if (family == no_queue_family)
            return {};
        Result<std::unique_ptr<Queue>> made =
            Queue::create(*this, family, 0, families[family], name);
        if (!made)
            return std::unexpected(made.error());
        queue = std::move(*made);
        return {};
    };
    if (Result<void> made = make_queue(graphics_, main, "graphics queue"); !made)
        return made;
    if (binds_apart) {
        VkQueue queue = VK_NULL_HANDLE;
        vk_.GetDeviceQueue(device_, sparse, 0, &queue);
        graphics_->bind_sparse_on(queue);
    }
    if (Result<void> made = make_queue(transfer_, transfer, "transfer queue"); !made)
        return made;
    return make_queue(compute_, compute, "compute queue");
}

Result<void> Device::create_allocator() {
    VmaVulkanFunctions functions{};
    functions.vkGetInstanceProcAddr = instance_->get_instance_proc_addr();
    functions.vkGetDeviceProcAddr = instance_->vk().GetDeviceProcAddr;
    VmaAllocatorCreateInfo info{};
    info.flags = VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT;
    if (has(Capability::memory_budget))
        info.flags |= VMA_ALLOCATOR_CREATE_EXT_MEMORY_BUDGET_BIT;
    info.physicalDevice = physical_;
    info.device = device_;
    info.instance = instance_->handle();
    info.vulkanApiVersion = VK_API_VERSION_1_3;
    info.pVulkanFunctions = &functions;
    // A block is mapped as a whole once a buffer in it is. 0: VMA's own size, 256 MiB.
    info.preferredLargeHeapBlockSize = by_address_space(0, 64u << 20);
    const VkResult result = vmaCreateAllocator(&info, &allocator_);
    if (result != VK_SUCCESS) {
        allocator_ = nullptr;
        return fail(result, "creating the memory allocator", "\"" + properties_.name() + "\"");
    }
    return {};
}

bool Device::given_up() const {
    return vk_.keeps_objects();
}

void Device::give_up() {
    if (!vk_.keep_objects())
        return;
    // The driver below goes on as well, so its library stays.
    (void)std::make_unique<std::shared_ptr<const Instance>>(instance_).release();
    std::array<char, 96> where{};
    std::snprintf(where.data(), where.size(),
                  "waiting for the end of its work: it has completed nothing for %g s",
                  std::chrono::duration<double>(patience_).count());
    status_->mark_lost(where.data());
}

Device::~Device() {
    for (const auto* queue : {&graphics_, &transfer_, &compute_})
        if (*queue)
            (*queue)->wait_to_destroy();
    if (given_up())
        return;
    // A submission whose signal was seen may still be releasing its wait semaphores: Mesa's runtime
    // does that in a thread of its own, which reads the semaphores.
    if (device_ != VK_NULL_HANDLE && vk_.DeviceWaitIdle)
        vk_.DeviceWaitIdle(device_);
    // Each queue waits for its submissions and runs its deferred destructions while VMA still
    // exists.
    compute_.reset();
    transfer_.reset();
    graphics_.reset();
    if (allocator_)
        vmaDestroyAllocator(allocator_);
    if (device_ != VK_NULL_HANDLE && vk_.DestroyDevice) {
        vk_.DestroyDevice(device_, nullptr);
        if (instance_->environment().has_debug("calls"))
            log().info(call_times());
    }
}

Device::MemoryUse Device::device_memory_use() const {
    VmaBudget budgets[VK_MAX_MEMORY_HEAPS]{};
    vmaGetHeapBudgets(allocator_, budgets);
    MemoryUse use;
    for (uint32_t i = 0; i < properties_.memory.memoryHeapCount; ++i) {
        if (!(properties_.memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT))
            continue;
        // In a 32-bit process lavapipe reports the machine's free memory of a heap that is smaller,
        // and the difference, what is in use, wraps below zero.
        const bool wrapped = budgets[i].usage > properties_.memory.memoryHeaps[i].size;
        use.used_bytes += wrapped ? budgets[i].statistics.blockBytes : budgets[i].usage;
        use.budget_bytes += budgets[i].budget;
    }
    return use;
}

VkFormatProperties3 Device::format_properties(VkFormat format) const {
    auto details = vk_struct<VkFormatProperties3>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
    auto properties = vk_struct<VkFormatProperties2>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2);
    properties.pNext = &details;
    instance_->vk().GetPhysicalDeviceFormatProperties2(physical_, format, &properties);
    details.pNext = nullptr;
    return details;
}

ImageFormatCache::Answer Device::ask_image_format(const ImageFormatCache::Question& asked) const {
    return image_formats_.get(asked, [&] {
        auto info = vk_struct<VkPhysicalDeviceImageFormatInfo2>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2);
        const VkImageFormatListCreateInfo* views = nullptr;
        std::tie(info.format, info.type, info.tiling, info.usage, info.flags, views) = asked;
        info.pNext = views;
        auto performance = vk_struct<VkHostImageCopyDevicePerformanceQueryEXT>(
            VK_STRUCTURE_TYPE_HOST_IMAGE_COPY_DEVICE_PERFORMANCE_QUERY_EXT);
        auto properties =
            vk_struct<VkImageFormatProperties2>(VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2);
        if (info.usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT)
            properties.pNext = &performance;
        ImageFormatCache::Answer fresh;
        const auto ask = [&] {
            return instance_->vk().GetPhysicalDeviceImageFormatProperties2(physical_, &info,
                                                                           &properties);
        };
        fresh.result = ask();
        if (is_out_of_memory(fresh.result))
            fresh.result = ask();
        // Until the next question the format counts as one that the device hasn't.
        if (is_out_of_memory(fresh.result))
            log().error(
                Error{fresh.result, "vkGetPhysicalDeviceImageFormatProperties2", {}}.to_string());
        fresh.properties = properties.imageFormatProperties;
        fresh.optimal_device_access = performance.optimalDeviceAccess;
        return fresh;
    });
}

Result<VkImageFormatProperties> Device::image_format_properties(VkFormat format, VkImageType type,
                                                                VkImageTiling tiling,
                                                                VkImageUsageFlags usage,
                                                                VkImageCreateFlags flags) const {
    const auto& answer = ask_image_format({format, type, tiling, usage, flags, nullptr});
    if (answer.result != VK_SUCCESS)
        return fail(answer.result, "vkGetPhysicalDeviceImageFormatProperties2",
                    "VkFormat " + std::to_string(static_cast<int>(format)));
    return answer.properties;
}

bool Device::host_transfer_is_free(VkFormat format, VkImageType type, VkImageTiling tiling,
                                   VkImageUsageFlags usage, VkImageCreateFlags flags,
                                   const VkImageFormatListCreateInfo* views) const {
    const auto& answer = ask_image_format(
        {format, type, tiling, usage | VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT, flags, views});
    return answer.result == VK_SUCCESS && answer.optimal_device_access;
}

Result<void> Device::wait_idle() {
    for (Queue* queue : {graphics_.get(), transfer_.get(), compute_.get()}) {
        if (!queue)
            continue;
        if (Result<void> done = queue->wait_idle();
            !done && done.error().result != VK_ERROR_DEVICE_LOST)
            return done;
    }
    return {};
}

void Device::collect() {
    for (Queue* queue : {graphics_.get(), transfer_.get(), compute_.get()})
        if (queue)
            queue->deferred().collect();
}

} // namespace kobalt::vulkan
