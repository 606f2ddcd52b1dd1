// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan_peer.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <set>

#include <vulkan/vulkan.h>

namespace kobalt::gltest {

namespace {

constexpr auto opaque_memory = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr auto dma_buf_memory = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
constexpr auto opaque_semaphore = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;

#define PEER_INSTANCE_COMMANDS(X)                                                                  \
    X(EnumeratePhysicalDevices)                                                                    \
    X(GetPhysicalDeviceProperties2)                                                                \
    X(GetPhysicalDeviceMemoryProperties)                                                           \
    X(GetPhysicalDeviceFormatProperties)                                                           \
    X(EnumerateDeviceExtensionProperties)                                                          \
    X(CreateDevice)                                                                                \
    X(GetDeviceProcAddr)                                                                           \
    X(DestroyInstance)
#define PEER_DEVICE_COMMANDS(X)                                                                    \
    X(GetDeviceQueue)                                                                              \
    X(AllocateMemory)                                                                              \
    X(FreeMemory)                                                                                  \
    X(MapMemory)                                                                                   \
    X(CreateBuffer)                                                                                \
    X(DestroyBuffer)                                                                               \
    X(GetBufferMemoryRequirements)                                                                 \
    X(BindBufferMemory)                                                                            \
    X(CreateImage)                                                                                 \
    X(DestroyImage)                                                                                \
    X(GetImageMemoryRequirements)                                                                  \
    X(BindImageMemory)                                                                             \
    X(CreateSemaphore)                                                                             \
    X(DestroySemaphore)                                                                            \
    X(CreateCommandPool)                                                                           \
    X(DestroyCommandPool)                                                                          \
    X(AllocateCommandBuffers)                                                                      \
    X(BeginCommandBuffer)                                                                          \
    X(EndCommandBuffer)                                                                            \
    X(CmdPipelineBarrier)                                                                          \
    X(CmdFillBuffer)                                                                               \
    X(CmdCopyBuffer)                                                                               \
    X(CmdClearColorImage)                                                                          \
    X(CmdCopyImageToBuffer)                                                                        \
    X(QueueSubmit)                                                                                 \
    X(QueueWaitIdle)                                                                               \
    X(DestroyDevice)                                                                               \
    X(GetMemoryFdKHR)                                                                              \
    X(GetSemaphoreFdKHR)

} // namespace

struct VulkanPeer::Impl {
    void* library = nullptr;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    VkCommandPool pool = VK_NULL_HANDLE;
    VkPhysicalDeviceMemoryProperties memory_types{};
    bool exports_semaphores = false, exports_dma_bufs = false;

    VkBuffer buffer = VK_NULL_HANDLE;
    std::uint64_t buffer_bytes = 0;
    VkImage image = VK_NULL_HANDLE;
    ImageShape shape;
    bool image_used = false; ///< OpenGL's before that
    VkBuffer readback = VK_NULL_HANDLE;
    void* readback_bytes = nullptr;
    std::vector<VkDeviceMemory> memories;
    std::vector<VkSemaphore> semaphores;

#define PEER_MEMBER(name) PFN_vk##name name = nullptr;
    PEER_INSTANCE_COMMANDS(PEER_MEMBER)
    PEER_DEVICE_COMMANDS(PEER_MEMBER)
#undef PEER_MEMBER

    ~Impl();
    bool open(const Uuid& uuid, std::string& why_not);
    bool open_device(const Uuid& uuid, std::string& why_not);
    VkDeviceMemory allocate(const VkMemoryRequirements& needs, std::uint64_t size,
                            bool host_visible, const void* chain);
    bool share(const VkMemoryRequirements& needs, std::uint64_t offset, const void* dedicated,
               SharedMemory& shared, VkDeviceMemory& memory,
               VkExternalMemoryHandleTypeFlagBits type = opaque_memory);
    bool make_readback(std::uint64_t bytes);
    void run(Order order, auto&& record);
    /// Takes the image over from OpenGL, or gives it back.
    void hand_over(VkCommandBuffer commands, bool take);
};

VulkanPeer::Impl::~Impl() {
    if (device) {
        QueueWaitIdle(queue);
        for (VkSemaphore semaphore : semaphores) {
            DestroySemaphore(device, semaphore, nullptr);
        }
        DestroyBuffer(device, buffer, nullptr);
        DestroyBuffer(device, readback, nullptr);
        DestroyImage(device, image, nullptr);
        for (VkDeviceMemory memory : memories) {
            FreeMemory(device, memory, nullptr);
        }
        DestroyCommandPool(device, pool, nullptr);
        DestroyDevice(device, nullptr);
    }
    if (instance) {
        DestroyInstance(instance, nullptr);
    }
    // The library stays: layers and drivers have threads in it.
}

bool VulkanPeer::Impl::open(const Uuid& uuid, std::string& why_not) {
    library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto get =
        library
            ? reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"))
            : nullptr;
    if (!get) {
        why_not = "there is no Vulkan loader";
        return false;
    }
    const VkApplicationInfo app{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                .pApplicationName = "vulkan peer",
                                .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .pApplicationInfo = &app};
    const auto create =
        reinterpret_cast<PFN_vkCreateInstance>(get(VK_NULL_HANDLE, "vkCreateInstance"));
    if (create(&info, nullptr, &instance) != VK_SUCCESS) {
        why_not = "Vulkan makes no instance";
        return false;
    }
#define PEER_LOAD(name) name = reinterpret_cast<PFN_vk##name>(get(instance, "vk" #name));
    PEER_INSTANCE_COMMANDS(PEER_LOAD)
#undef PEER_LOAD
    return open_device(uuid, why_not);
}

bool VulkanPeer::Impl::open_device(const Uuid& uuid, std::string& why_not) {
    std::uint32_t count = 0;
    EnumeratePhysicalDevices(instance, &count, nullptr);
    std::vector<VkPhysicalDevice> devices(count);
    EnumeratePhysicalDevices(instance, &count, devices.data());
    const auto wanted = std::ranges::find_if(devices, [&](VkPhysicalDevice candidate) {
        VkPhysicalDeviceIDProperties id{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
        VkPhysicalDeviceProperties2 properties{
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &id};
        GetPhysicalDeviceProperties2(candidate, &properties);
        return std::memcmp(id.deviceUUID, uuid.data(), uuid.size()) == 0;
    });
    if (wanted == devices.end()) {
        why_not = "no Vulkan device has the UUID that OpenGL tells";
        return false;
    }
    physical = *wanted;
    GetPhysicalDeviceMemoryProperties(physical, &memory_types);
    EnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> offered(count);
    EnumerateDeviceExtensionProperties(physical, nullptr, &count, offered.data());
    std::set<std::string> names;
    for (const VkExtensionProperties& extension : offered) {
        names.insert(extension.extensionName);
    }
    if (!names.contains("VK_KHR_external_memory_fd")) {
        why_not = "the Vulkan device has no VK_KHR_external_memory_fd";
        return false;
    }
    std::vector<const char*> enabled{"VK_KHR_external_memory_fd"};
    const auto also = [&](const char* name) {
        if (names.contains(name)) {
            enabled.push_back(name);
        }
        return names.contains(name);
    };
    exports_semaphores = also("VK_KHR_external_semaphore_fd");
    exports_dma_bufs = also("VK_EXT_external_memory_dma_buf");
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue_info{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                             .queueCount = 1,
                                             .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queue_info,
                                  .enabledExtensionCount =
                                      static_cast<std::uint32_t>(enabled.size()),
                                  .ppEnabledExtensionNames = enabled.data()};
    if (CreateDevice(physical, &info, nullptr, &device) != VK_SUCCESS) {
        why_not = "Vulkan makes no device";
        return false;
    }
#define PEER_LOAD(name)                                                                            \
    name = reinterpret_cast<PFN_vk##name>(GetDeviceProcAddr(device, "vk" #name));
    PEER_DEVICE_COMMANDS(PEER_LOAD)
#undef PEER_LOAD
    GetDeviceQueue(device, 0, 0, &queue);
    const VkCommandPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    return CreateCommandPool(device, &pool_info, nullptr, &pool) == VK_SUCCESS;
}

VkDeviceMemory VulkanPeer::Impl::allocate(const VkMemoryRequirements& needs, std::uint64_t size,
                                          bool host_visible, const void* chain) {
    const VkMemoryPropertyFlags wanted =
        host_visible ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
                     : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    for (std::uint32_t i = 0; i < memory_types.memoryTypeCount; ++i) {
        if (!(needs.memoryTypeBits >> i & 1) ||
            (memory_types.memoryTypes[i].propertyFlags & wanted) != wanted) {
            continue;
        }
        const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                        .pNext = chain,
                                        .allocationSize = size,
                                        .memoryTypeIndex = i};
        VkDeviceMemory memory = VK_NULL_HANDLE;
        if (AllocateMemory(device, &info, nullptr, &memory) != VK_SUCCESS) {
            return VK_NULL_HANDLE;
        }
        memories.push_back(memory);
        return memory;
    }
    return VK_NULL_HANDLE;
}

bool VulkanPeer::Impl::share(const VkMemoryRequirements& needs, std::uint64_t offset,
                             const void* dedicated, SharedMemory& shared, VkDeviceMemory& memory,
                             VkExternalMemoryHandleTypeFlagBits type) {
    shared.offset = (offset + needs.alignment - 1) / needs.alignment * needs.alignment;
    shared.size = shared.offset + needs.size;
    const VkExportMemoryAllocateInfo exported{.sType =
                                                  VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                              .pNext = dedicated,
                                              .handleTypes = type};
    memory = allocate(needs, shared.size, false, &exported);
    if (!memory) {
        return false;
    }
    const VkMemoryGetFdInfoKHR get{
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = memory, .handleType = type};
    return GetMemoryFdKHR(device, &get, &shared.fd) == VK_SUCCESS;
}

bool VulkanPeer::Impl::make_readback(std::uint64_t bytes) {
    const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                  .size = bytes,
                                  .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    CreateBuffer(device, &info, nullptr, &readback);
    VkMemoryRequirements needs{};
    GetBufferMemoryRequirements(device, readback, &needs);
    const VkDeviceMemory memory = allocate(needs, needs.size, true, nullptr);
    return memory && BindBufferMemory(device, readback, memory, 0) == VK_SUCCESS &&
           MapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &readback_bytes) == VK_SUCCESS;
}

void VulkanPeer::Impl::run(Order order, auto&& record) {
    const VkCommandBufferAllocateInfo allocate_info{
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1};
    VkCommandBuffer commands = VK_NULL_HANDLE;
    AllocateCommandBuffers(device, &allocate_info, &commands);
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    BeginCommandBuffer(commands, &begin);
    record(commands);
    const VkMemoryBarrier all{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                              .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                              .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                       1, &all, 0, nullptr, 0, nullptr);
    EndCommandBuffer(commands);
    const auto at = [&](int index) { return index < 0 ? nullptr : &semaphores[size_t(index)]; };
    const VkPipelineStageFlags everywhere = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .waitSemaphoreCount = order.wait < 0 ? 0U : 1U,
                              .pWaitSemaphores = at(order.wait),
                              .pWaitDstStageMask = &everywhere,
                              .commandBufferCount = 1,
                              .pCommandBuffers = &commands,
                              .signalSemaphoreCount = order.signal < 0 ? 0U : 1U,
                              .pSignalSemaphores = at(order.signal)};
    QueueSubmit(queue, 1, &submit, VK_NULL_HANDLE);
    if (order.signal < 0) {
        QueueWaitIdle(queue);
    }
}

void VulkanPeer::Impl::hand_over(VkCommandBuffer commands, bool take) {
    const bool fresh = take && !image_used;
    image_used = true;
    const VkImageMemoryBarrier barrier{
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = take ? 0U : VkAccessFlags{VK_ACCESS_MEMORY_WRITE_BIT},
        .dstAccessMask =
            take ? VkAccessFlags{VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT} : 0U,
        .oldLayout = fresh ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_GENERAL,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = fresh  ? VK_QUEUE_FAMILY_IGNORED
                               : take ? VK_QUEUE_FAMILY_EXTERNAL
                                      : 0,
        .dstQueueFamilyIndex = fresh  ? VK_QUEUE_FAMILY_IGNORED
                               : take ? 0
                                      : VK_QUEUE_FAMILY_EXTERNAL,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

VulkanPeer::VulkanPeer() : impl_(std::make_unique<Impl>()) {}
VulkanPeer::~VulkanPeer() = default;

std::unique_ptr<VulkanPeer> VulkanPeer::create(const Uuid& device, std::string& why_not) {
    std::unique_ptr<VulkanPeer> peer(new VulkanPeer);
    return peer->impl_->open(device, why_not) ? std::move(peer) : nullptr;
}

bool VulkanPeer::make_buffer(std::uint64_t bytes, std::uint64_t offset, SharedMemory& shared,
                             bool dma_buf) {
    Impl& vk = *impl_;
    if (dma_buf && !vk.exports_dma_bufs) {
        return false;
    }
    const auto type = dma_buf ? dma_buf_memory : opaque_memory;
    const VkExternalMemoryBufferCreateInfo external{
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = type};
    const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                  .pNext = &external,
                                  .size = bytes,
                                  .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                           VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                           VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    if (vk.CreateBuffer(vk.device, &info, nullptr, &vk.buffer) != VK_SUCCESS) {
        return false;
    }
    vk.buffer_bytes = bytes;
    VkMemoryRequirements needs{};
    vk.GetBufferMemoryRequirements(vk.device, vk.buffer, &needs);
    VkDeviceMemory memory = VK_NULL_HANDLE;
    return vk.share(needs, offset, nullptr, shared, memory, type) &&
           vk.BindBufferMemory(vk.device, vk.buffer, memory, shared.offset) == VK_SUCCESS &&
           vk.make_readback(bytes);
}

bool VulkanPeer::renders_to_linear() const {
    VkFormatProperties properties{};
    impl_->GetPhysicalDeviceFormatProperties(impl_->physical, VK_FORMAT_R8G8B8A8_UNORM,
                                             &properties);
    return properties.linearTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT;
}

bool VulkanPeer::make_image(const ImageShape& shape, std::uint64_t offset, SharedMemory& shared) {
    Impl& vk = *impl_;
    const VkExternalMemoryImageCreateInfo external{
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO, .handleTypes = opaque_memory};
    const VkImageCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .pNext = &external,
        .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .extent = {shape.width, shape.height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = shape.linear ? VK_IMAGE_TILING_LINEAR : VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                 VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    if (vk.CreateImage(vk.device, &info, nullptr, &vk.image) != VK_SUCCESS) {
        return false;
    }
    vk.shape = shape;
    VkMemoryRequirements needs{};
    vk.GetImageMemoryRequirements(vk.device, vk.image, &needs);
    const VkMemoryDedicatedAllocateInfo dedicated{
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .image = vk.image};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    return vk.share(needs, offset, shape.dedicated ? &dedicated : nullptr, shared, memory) &&
           vk.BindImageMemory(vk.device, vk.image, memory, shared.offset) == VK_SUCCESS &&
           vk.make_readback(std::uint64_t{shape.width} * shape.height * 4);
}

int VulkanPeer::make_semaphore(std::size_t index) {
    Impl& vk = *impl_;
    if (!vk.exports_semaphores) {
        return -1;
    }
    const VkExportSemaphoreCreateInfo exported{
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO, .handleTypes = opaque_semaphore};
    const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                     .pNext = &exported};
    vk.semaphores.resize(std::max(vk.semaphores.size(), index + 1));
    if (vk.CreateSemaphore(vk.device, &info, nullptr, &vk.semaphores[index]) != VK_SUCCESS) {
        return -1;
    }
    const VkSemaphoreGetFdInfoKHR get{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
                                      .semaphore = vk.semaphores[index],
                                      .handleType = opaque_semaphore};
    int fd = -1;
    return vk.GetSemaphoreFdKHR(vk.device, &get, &fd) == VK_SUCCESS ? fd : -1;
}

void VulkanPeer::fill_buffer(std::uint32_t word, Order order) {
    Impl& vk = *impl_;
    vk.run(order, [&](VkCommandBuffer commands) {
        vk.CmdFillBuffer(commands, vk.buffer, 0, VK_WHOLE_SIZE, word);
    });
}

std::vector<std::uint32_t> VulkanPeer::read_buffer(Order order) {
    Impl& vk = *impl_;
    vk.run(order, [&](VkCommandBuffer commands) {
        const VkBufferCopy whole{0, 0, vk.buffer_bytes};
        vk.CmdCopyBuffer(commands, vk.buffer, vk.readback, 1, &whole);
    });
    std::vector<std::uint32_t> words(vk.buffer_bytes / 4);
    std::memcpy(words.data(), vk.readback_bytes, words.size() * 4);
    return words;
}

void VulkanPeer::clear_image(const std::array<float, 4>& colour, Order order) {
    Impl& vk = *impl_;
    vk.run(order, [&](VkCommandBuffer commands) {
        VkClearColorValue value{};
        std::ranges::copy(colour, value.float32);
        const VkImageSubresourceRange whole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        vk.hand_over(commands, true);
        vk.CmdClearColorImage(commands, vk.image, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &whole);
        vk.hand_over(commands, false);
    });
}

std::vector<std::uint32_t> VulkanPeer::read_image(Order order) {
    Impl& vk = *impl_;
    vk.image_used = true; // OpenGL wrote it
    vk.run(order, [&](VkCommandBuffer commands) {
        const VkBufferImageCopy whole{0,  0,
                                      0,  {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      {}, {vk.shape.width, vk.shape.height, 1}};
        vk.hand_over(commands, true);
        vk.CmdCopyImageToBuffer(commands, vk.image, VK_IMAGE_LAYOUT_GENERAL, vk.readback, 1,
                                &whole);
        vk.hand_over(commands, false);
    });
    std::vector<std::uint32_t> texels(std::size_t{vk.shape.width} * vk.shape.height);
    std::memcpy(texels.data(), vk.readback_bytes, texels.size() * 4);
    return texels;
}

} // namespace kobalt::gltest
