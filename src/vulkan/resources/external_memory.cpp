// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan/resources/external_memory.h"

#include <bit>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vulkan/device/device.h"

namespace kobalt::vulkan {

namespace {

constexpr const char* what = "importing memory";

/// Memory types that need features which Kobalt doesn't enable.
constexpr VkMemoryPropertyFlags special =
    VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT |
    VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD;

/// A resource's requirements for the memory that it is bound to.
struct Demand {
    VkMemoryRequirements requirements{};
    VkMemoryDedicatedAllocateInfo dedicated =
        vk_struct<VkMemoryDedicatedAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO);
    bool wants_dedicated = false;
    bool addressed = false; ///< the resource has a device address
};

/// Fills in the memory requirements of an image or buffer; `get` queries the device for them.
void ask(Demand& demand, const auto& get) {
    auto dedicated =
        vk_struct<VkMemoryDedicatedRequirements>(VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS);
    auto needs = vk_struct<VkMemoryRequirements2>(VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2);
    needs.pNext = &dedicated;
    get(needs);
    demand.requirements = needs.memoryRequirements;
    demand.wants_dedicated = dedicated.requiresDedicatedAllocation;
}

struct Imported {
    DeviceMemory memory;
    VkMemoryPropertyFlags flags = 0;
};

bool is_host(const ExternalMemory& memory) {
    return memory.type == VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
}

/// A failed import must leave the descriptor open, but lavapipe closes it. This tells whether
/// `mine` is still the duplicate that was made, and not a file that another thread has opened
/// since.
bool same_file(int mine, int original) {
    struct stat a {
    }, b{};
    return fstat(mine, &a) == 0 && fstat(original, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/// The memory types that this handle may be imported as. For opaque descriptors they are unknown.
Result<uint32_t> type_bits(const Device& device, const ExternalMemory& memory) {
    if (is_host(memory)) {
        auto host = vk_struct<VkMemoryHostPointerPropertiesEXT>(
            VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT);
        const VkResult result = device.vk().GetMemoryHostPointerPropertiesEXT(
            device.handle(), memory.type, memory.host, &host);
        if (result != VK_SUCCESS)
            return fail(result, what, "the app's own pages");
        return host.memoryTypeBits;
    }
    if (memory.type == VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT)
        return UINT32_MAX;
    auto fd = vk_struct<VkMemoryFdPropertiesKHR>(VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR);
    const VkResult result =
        device.vk().GetMemoryFdPropertiesKHR(device.handle(), memory.type, memory.fd, &fd);
    if (result != VK_SUCCESS)
        return fail(result, what, "a file descriptor");
    return fd.memoryTypeBits;
}

Result<Imported> import_as(Device& device, const ExternalMemory& memory, const Demand& demand,
                           VkDeviceSize size, uint32_t type) {
    auto flags = vk_struct<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    flags.flags = demand.addressed ? VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT : 0;
    auto fd = vk_struct<VkImportMemoryFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
    auto host = vk_struct<VkImportMemoryHostPointerInfoEXT>(
        VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
    VkMemoryDedicatedAllocateInfo dedicated = demand.dedicated;
    auto info = vk_struct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    info.allocationSize = size;
    info.memoryTypeIndex = type;
    const auto chain = [&info](auto& link) {
        link.pNext = info.pNext;
        info.pNext = &link;
    };
    if (demand.addressed)
        chain(flags);
    if (memory.dedicated || demand.wants_dedicated)
        chain(dedicated);
    if (is_host(memory)) {
        host.handleType = memory.type;
        host.pHostPointer = memory.host;
        chain(host);
    } else {
        fd.handleType = memory.type;
        fd.fd = fcntl(memory.fd, F_DUPFD_CLOEXEC, 0); // a successful import takes ownership
        if (fd.fd < 0)
            return fail(VK_ERROR_INVALID_EXTERNAL_HANDLE, what,
                        "file descriptor " + std::to_string(memory.fd) + ", which isn't open");
        chain(fd);
    }
    VkDeviceMemory handle = VK_NULL_HANDLE;
    const VkResult result = device.vk().AllocateMemory(device.handle(), &info, nullptr, &handle);
    if (result != VK_SUCCESS) {
        if (fd.fd >= 0 && same_file(fd.fd, memory.fd))
            close(fd.fd);
        return fail(result, what, size_text(size) + ", memory type " + std::to_string(type));
    }
    return Imported{device.own<DeviceMemory>(handle),
                    device.properties().memory.memoryTypes[type].propertyFlags};
}

/// Tries device-local memory first, since exporters use it. Only the exporter knows the type of an
/// opaque descriptor, so the next type is tried where the driver refuses one.
Result<Imported> import_memory(Device& device, const ExternalMemory& memory, const Demand& demand,
                               VkDeviceSize offset) {
    const VkDeviceSize needed = offset + demand.requirements.size;
    if (needed < offset || (memory.size && needed > memory.size))
        return fail(VK_ERROR_OUT_OF_DEVICE_MEMORY, what,
                    size_text(memory.size) + ", of which " + size_text(demand.requirements.size) +
                        " from byte " + std::to_string(offset) + " on were to be used");
    if (offset % demand.requirements.alignment)
        return fail(
            VK_ERROR_OUT_OF_DEVICE_MEMORY, what,
            "an offset of " + std::to_string(offset) + " bytes, which is no multiple of the " +
                std::to_string(demand.requirements.alignment) + " that the device asks for");
    const Result<uint32_t> allowed = type_bits(device, memory);
    if (!allowed)
        return std::unexpected(allowed.error());
    const uint32_t types = *allowed & demand.requirements.memoryTypeBits;
    Result<Imported> imported =
        fail(VK_ERROR_INVALID_EXTERNAL_HANDLE, what, "memory of no type that the resource takes");
    for (const bool local : {true, false})
        for (uint32_t left = types; left; left &= left - 1) {
            const auto type = static_cast<uint32_t>(std::countr_zero(left));
            if (type >= device.properties().memory.memoryTypeCount)
                break;
            const VkMemoryPropertyFlags flags =
                device.properties().memory.memoryTypes[type].propertyFlags;
            if (((flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0) != local || flags & special)
                continue;
            imported = import_as(device, memory, demand, memory.size ? memory.size : needed, type);
            if (imported)
                return imported;
        }
    return imported;
}

/// The external memory features of that handle type for such an image; none where the device can't
/// create the image.
VkExternalMemoryFeatureFlags
image_features(const Device& device, const VkImageCreateInfo& info,
               VkExternalMemoryHandleTypeFlagBits type,
               const VkPhysicalDeviceImageDrmFormatModifierInfoEXT* modifier) {
    auto external = vk_struct<VkPhysicalDeviceExternalImageFormatInfo>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO);
    external.handleType = type;
    external.pNext = info.pNext; // the formats of the image's views
    VkPhysicalDeviceImageDrmFormatModifierInfoEXT layout{};
    if (modifier) {
        layout = *modifier;
        layout.pNext = info.pNext;
        external.pNext = &layout;
    }
    auto asked = vk_struct<VkPhysicalDeviceImageFormatInfo2>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2);
    asked.pNext = &external;
    asked.format = info.format;
    asked.type = info.imageType;
    asked.tiling = info.tiling;
    asked.usage = info.usage;
    asked.flags = info.flags;
    auto memory = vk_struct<VkExternalImageFormatProperties>(
        VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES);
    auto answer = vk_struct<VkImageFormatProperties2>(VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2);
    answer.pNext = &memory;
    const VkResult result = device.instance().vk().GetPhysicalDeviceImageFormatProperties2(
        device.physical(), &asked, &answer);
    const VkImageFormatProperties& limits = answer.imageFormatProperties;
    const bool fits =
        result == VK_SUCCESS && info.extent.width <= limits.maxExtent.width &&
        info.extent.height <= limits.maxExtent.height &&
        info.extent.depth <= limits.maxExtent.depth && info.mipLevels <= limits.maxMipLevels &&
        info.arrayLayers <= limits.maxArrayLayers && (info.samples & limits.sampleCounts);
    return fits ? memory.externalMemoryProperties.externalMemoryFeatures : 0;
}

/// Creates an image whose memory has that handle type; stores its memory requirements in `demand`.
Result<ImageHandle> make_image(Device& device, const VkImageCreateInfo& info,
                               VkExternalMemoryHandleTypeFlagBits type, Demand& demand) {
    auto external = vk_struct<VkExternalMemoryImageCreateInfo>(
        VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO);
    external.pNext = info.pNext;
    external.handleTypes = type;
    VkImageCreateInfo create = info;
    create.pNext = &external;
    VkImage handle = VK_NULL_HANDLE;
    const VkResult result = device.vk().CreateImage(device.handle(), &create, nullptr, &handle);
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateImage", "an image in shared memory");
    ImageHandle image = device.own<ImageHandle>(handle);
    demand.dedicated.image = handle;
    auto asked = vk_struct<VkImageMemoryRequirementsInfo2>(
        VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2);
    asked.image = handle;
    ask(demand, [&](VkMemoryRequirements2& needs) {
        device.vk().GetImageMemoryRequirements2(device.handle(), &asked, &needs);
    });
    return image;
}

/// Allocates memory for one image alone, exportable as descriptors of that type.
Result<DeviceMemory> allocate_exported(Device& device, const Demand& demand,
                                       VkExternalMemoryHandleTypeFlagBits type) {
    auto exported =
        vk_struct<VkExportMemoryAllocateInfo>(VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
    exported.handleTypes = type;
    exported.pNext = &demand.dedicated;
    auto info = vk_struct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    info.pNext = &exported;
    info.allocationSize = demand.requirements.size;
    const VkPhysicalDeviceMemoryProperties& memory = device.properties().memory;
    const auto kind = [&](uint32_t wanted) -> uint32_t {
        for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
            const VkMemoryPropertyFlags flags = memory.memoryTypes[i].propertyFlags;
            if (demand.requirements.memoryTypeBits & (1u << i) && !(flags & special) &&
                (flags & wanted) == wanted)
                return i;
        }
        return UINT32_MAX;
    };
    info.memoryTypeIndex = kind(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (info.memoryTypeIndex == UINT32_MAX)
        info.memoryTypeIndex = kind(0);
    VkDeviceMemory handle = VK_NULL_HANDLE;
    const VkResult result =
        info.memoryTypeIndex == UINT32_MAX
            ? VK_ERROR_OUT_OF_DEVICE_MEMORY
            : device.vk().AllocateMemory(device.handle(), &info, nullptr, &handle);
    if (result != VK_SUCCESS)
        return fail(result, "allocating memory to export", size_text(info.allocationSize));
    return device.own<DeviceMemory>(handle);
}

} // namespace

bool imports_buffers(const Device& device, VkExternalMemoryHandleTypeFlagBits type,
                     VkBufferUsageFlags usage) {
    auto info = vk_struct<VkPhysicalDeviceExternalBufferInfo>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO);
    info.usage = usage;
    info.handleType = type;
    auto answer =
        vk_struct<VkExternalBufferProperties>(VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES);
    device.instance().vk().GetPhysicalDeviceExternalBufferProperties(device.physical(), &info,
                                                                     &answer);
    return answer.externalMemoryProperties.externalMemoryFeatures &
           VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
}

bool imports_images(const Device& device, const VkImageCreateInfo& info,
                    VkExternalMemoryHandleTypeFlagBits type,
                    const VkPhysicalDeviceImageDrmFormatModifierInfoEXT* modifier) {
    return image_features(device, info, type, modifier) & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
}

bool exports_images(const Device& device, const VkImageCreateInfo& info,
                    VkExternalMemoryHandleTypeFlagBits type,
                    const VkPhysicalDeviceImageDrmFormatModifierInfoEXT* modifier) {
    return image_features(device, info, type, modifier) & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT;
}

Result<Image> import_image(Device& device, const VkImageCreateInfo& info,
                           const ExternalMemory& memory, VkDeviceSize offset) {
    Demand demand;
    Result<ImageHandle> image = make_image(device, info, memory.type, demand);
    if (!image)
        return std::unexpected(image.error());
    Result<Imported> imported = import_memory(device, memory, demand, offset);
    if (!imported)
        return std::unexpected(imported.error());
    const VkResult result =
        device.vk().BindImageMemory(device.handle(), image->get(), imported->memory.get(), offset);
    if (result != VK_SUCCESS)
        return fail(result, "vkBindImageMemory", "imported memory");
    return Image::adopt(device, image->release(), std::move(imported->memory), info);
}

Result<Buffer> import_buffer(Device& device, const BufferInfo& info, const ExternalMemory& memory,
                             VkDeviceSize offset) {
    auto external = vk_struct<VkExternalMemoryBufferCreateInfo>(
        VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
    external.handleTypes = memory.type;
    auto create = vk_struct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    create.pNext = &external;
    create.size = info.size;
    create.usage = info.usage;
    VkBuffer handle = VK_NULL_HANDLE;
    VkResult result = device.vk().CreateBuffer(device.handle(), &create, nullptr, &handle);
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateBuffer", "a buffer in imported memory");
    BufferHandle buffer = device.own<BufferHandle>(handle);

    Demand demand;
    demand.dedicated.buffer = handle;
    demand.addressed = info.usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    auto asked = vk_struct<VkBufferMemoryRequirementsInfo2>(
        VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2);
    asked.buffer = handle;
    ask(demand, [&](VkMemoryRequirements2& needs) {
        device.vk().GetBufferMemoryRequirements2(device.handle(), &asked, &needs);
    });
    Result<Imported> imported = import_memory(device, memory, demand, offset);
    if (!imported)
        return std::unexpected(imported.error());
    result = device.vk().BindBufferMemory(device.handle(), handle, imported->memory.get(), offset);
    if (result != VK_SUCCESS)
        return fail(result, "vkBindBufferMemory", "imported memory");

    void* mapped = nullptr;
    constexpr VkMemoryPropertyFlags seen =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    if ((imported->flags & seen) == seen &&
        device.vk().MapMemory(device.handle(), imported->memory.get(), 0, VK_WHOLE_SIZE, 0,
                              &mapped) != VK_SUCCESS)
        mapped = nullptr;
    return Buffer::adopt(device, std::move(buffer), std::move(imported->memory), info,
                         mapped ? static_cast<std::byte*>(mapped) + offset : nullptr);
}

Result<Image> create_exported_image(Device& device, const VkImageCreateInfo& info,
                                    VkExternalMemoryHandleTypeFlagBits type) {
    Demand demand;
    Result<ImageHandle> image = make_image(device, info, type, demand);
    if (!image)
        return std::unexpected(image.error());
    Result<DeviceMemory> memory = allocate_exported(device, demand, type);
    if (!memory)
        return std::unexpected(memory.error());
    const VkResult result =
        device.vk().BindImageMemory(device.handle(), image->get(), memory->get(), 0);
    if (result != VK_SUCCESS)
        return fail(result, "vkBindImageMemory", "memory to export");
    return Image::adopt(device, image->release(), std::move(*memory), info,
                        {.size = demand.requirements.size, .exported_as = type});
}

Result<int> export_memory(Device& device, const Image& image) {
    auto info = vk_struct<VkMemoryGetFdInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR);
    info.memory = image.exported().memory;
    info.handleType = image.exported().type;
    int fd = -1;
    const VkResult result = device.vk().GetMemoryFdKHR(device.handle(), &info, &fd);
    if (result != VK_SUCCESS)
        return fail(result, "vkGetMemoryFdKHR", "an image of " + size_text(image.size()));
    return fd;
}

} // namespace kobalt::vulkan
