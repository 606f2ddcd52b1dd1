// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "test_device.h"

#include "vulkan/commands/command_pool.h"
#include "vulkan/resources/dma_buf.h"
#include "vulkan/resources/external_memory.h"
#include "vulkan/resources/sparse.h"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

// Tests imported and exported memory, and sparse memory.

namespace kobalt::vulkan::test {
namespace {

constexpr VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT;

class SharedMemory : public VulkanTest {
protected:
    /// Records, submits and waits.
    template <class Record>
    void run(Record&& record) {
        CommandPools pools(*device_, device_->graphics());
        KOBALT_VALUE(pool, pools.acquire());
        KOBALT_VALUE(commands, pool->begin());
        record(commands);
        ASSERT_TRUE(pool->end(commands).has_value());
        KOBALT_VALUE(value, device_->graphics().submit({&commands, 1}));
        ASSERT_TRUE(device_->graphics().wait_idle().has_value());
        pools.release(std::move(pool), value);
    }
    /// The word at `offset` once the device is done.
    uint32_t word_of(const Buffer& buffer, VkDeviceSize offset) {
        BufferInfo info;
        info.size = 64;
        info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
        info.kind = MemoryKind::readback;
        auto back = Buffer::create(*device_, info);
        if (!back)
            return 0;
        run([&](VkCommandBuffer commands) {
            const VkBufferCopy region{offset, 0, 4};
            device_->vk().CmdCopyBuffer(commands, buffer.handle(), back->handle(), 1, &region);
        });
        uint32_t word = 0;
        std::memcpy(&word, back->mapped(), 4);
        return word;
    }
    void fill(const Buffer& buffer, VkDeviceSize offset, VkDeviceSize size, uint32_t word) {
        run([&](VkCommandBuffer commands) {
            device_->vk().CmdFillBuffer(commands, buffer.handle(), offset, size, word);
        });
    }
};

/// Memory as another program exports it.
struct Exported {
    DeviceMemory memory;
    int fd = -1;
    ~Exported() {
        if (fd >= 0)
            close(fd);
    }
};

void export_memory(Device& device, VkDeviceSize size, Exported& out) {
    auto share =
        vk_struct<VkExportMemoryAllocateInfo>(VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
    share.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    auto info = vk_struct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    info.pNext = &share;
    info.allocationSize = size;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    ASSERT_EQ(device.vk().AllocateMemory(device.handle(), &info, nullptr, &memory), VK_SUCCESS);
    out.memory = device.own<DeviceMemory>(memory);
    auto get = vk_struct<VkMemoryGetFdInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR);
    get.memory = memory;
    get.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    ASSERT_EQ(device.vk().GetMemoryFdKHR(device.handle(), &get, &out.fd), VK_SUCCESS);
}

TEST_F(SharedMemory, TwoImportsSeeTheSameBytes) {
    KOBALT_NEEDS(Capability::external_memory_fd);
    Exported exported;
    export_memory(*device_, 1 << 20, exported);
    ASSERT_GE(exported.fd, 0);
    ExternalMemory memory;
    memory.fd = exported.fd;
    memory.size = 1 << 20;
    BufferInfo info;
    info.size = 4096;
    info.usage = usage;
    ASSERT_TRUE(imports_buffers(*device_, memory.type, usage));
    KOBALT_VALUE(first, import_buffer(*device_, info, memory, 65536));
    KOBALT_VALUE(second, import_buffer(*device_, info, memory, 65536));
    KOBALT_VALUE(elsewhere, import_buffer(*device_, info, memory, 0));
    fill(elsewhere, 0, 4096, 1);
    fill(first, 0, 4096, 0xabcd1234);
    EXPECT_EQ(word_of(second, 1024), 0xabcd1234u);
    EXPECT_EQ(word_of(elsewhere, 1024), 1u);
}

TEST_F(SharedMemory, WhatDoesNotFitIsRefused) {
    KOBALT_NEEDS(Capability::external_memory_fd);
    Exported exported;
    export_memory(*device_, 65536, exported);
    ExternalMemory memory;
    memory.fd = exported.fd;
    memory.size = 65536;
    BufferInfo info;
    info.size = 4096;
    info.usage = usage;
    for (const VkDeviceSize offset : {VkDeviceSize{65536}, ~VkDeviceSize{0} - 255}) {
        const auto beyond = import_buffer(*device_, info, memory, offset);
        ASSERT_FALSE(beyond.has_value());
        EXPECT_EQ(beyond.error().result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    }
    EXPECT_FALSE(import_buffer(*device_, info, memory, 3).has_value()) << "not aligned";
    memory.fd = -1;
    const auto closed = import_buffer(*device_, info, memory, 0);
    ASSERT_FALSE(closed.has_value());
    EXPECT_EQ(closed.error().result, VK_ERROR_INVALID_EXTERNAL_HANDLE);
    // A file descriptor of something else, which has to stay open.
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    memory.fd = pipe_ends[1];
    EXPECT_FALSE(import_buffer(*device_, info, memory, 0).has_value());
    EXPECT_EQ(write(pipe_ends[1], "x", 1), 1);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

// The image keeps its memory while descriptors of it are exported and imported again.
TEST_F(SharedMemory, AnImageIsHandedOut) {
    constexpr auto type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    KOBALT_NEEDS(Capability::external_memory_fd);
    auto info = vk_struct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.extent = {64, 8, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    const auto layouts = exported_layouts(*device_, info, type);
    ASSERT_TRUE(layouts.has_value());
    KOBALT_VALUE(image, create_exported_image(*device_, info, type, *layouts));
    EXPECT_EQ(image.exported().type, type);
    EXPECT_GE(image.size(), 64u * 8 * 4);
    KOBALT_VALUE(place, describe_exported(*device_, image));
    EXPECT_GE(place.stride, 64u * 4);
    KOBALT_VALUE(first, export_memory(*device_, image));
    KOBALT_VALUE(second, export_memory(*device_, image));
    EXPECT_NE(first, second);
    close(first);

    ExternalMemory memory;
    memory.fd = second;
    memory.size = image.size();
    memory.dedicated = true;
    info.tiling = image.tiling();
    KOBALT_VALUE(other, import_image(*device_, info, memory, 0));
    close(second);
    EXPECT_EQ(other.exported().type, 0) << "imported memory isn't handed out";
    BufferInfo back_info;
    back_info.size = 64 * 8 * 4;
    back_info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    back_info.kind = MemoryKind::readback;
    KOBALT_VALUE(back, Buffer::create(*device_, back_info));
    const auto barrier = [&](VkCommandBuffer commands, const Image& of) {
        VkImageMemoryBarrier2 general{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
        general.srcStageMask = general.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        general.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
        general.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
        general.newLayout = VK_IMAGE_LAYOUT_GENERAL;
        general.srcQueueFamilyIndex = general.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        general.image = of.handle();
        general.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
        dependency.imageMemoryBarrierCount = 1;
        dependency.pImageMemoryBarriers = &general;
        device_->vk().CmdPipelineBarrier2(commands, &dependency);
    };
    run([&](VkCommandBuffer commands) {
        const VkClearColorValue blue{{0, 0, 1, 1}};
        const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        VkBufferImageCopy region{};
        region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        region.imageExtent = info.extent;
        barrier(commands, other);
        barrier(commands, image);
        device_->vk().CmdClearColorImage(commands, image.handle(), VK_IMAGE_LAYOUT_GENERAL, &blue,
                                         1, &all);
        VkMemoryBarrier2 written{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
        written.srcStageMask = written.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        written.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
        written.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT;
        VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
        dependency.memoryBarrierCount = 1;
        dependency.pMemoryBarriers = &written;
        device_->vk().CmdPipelineBarrier2(commands, &dependency);
        device_->vk().CmdCopyImageToBuffer(commands, other.handle(), VK_IMAGE_LAYOUT_GENERAL,
                                           back.handle(), 1, &region);
    });
    uint32_t last = 0;
    std::memcpy(&last, back.mapped() + back_info.size - 4, 4);
    EXPECT_EQ(last, 0xffff0000u);
}

TEST_F(SharedMemory, TheAppsPagesAreTheBuffer) {
    KOBALT_NEEDS(Capability::external_memory_host);
    const VkDeviceSize page =
        device_->properties().external_memory_host.minImportedHostPointerAlignment;
    ExternalMemory memory;
    memory.type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    memory.size = page * 2;
    memory.host = std::aligned_alloc(page, page * 2);
    auto* words = static_cast<uint32_t*>(memory.host);
    std::memset(memory.host, 0, page * 2);
    {
        BufferInfo info;
        info.size = page;
        info.usage = usage;
        KOBALT_VALUE(buffer, import_buffer(*device_, info, memory, page));
        words[page / 4 + 5] = 77;
        EXPECT_EQ(word_of(buffer, 20), 77u);
        fill(buffer, 0, page, 99);
        EXPECT_EQ(words[page / 4], 99u);
        EXPECT_EQ(words[page / 4 - 1], 0u);
    }
    std::free(memory.host);
}

TEST_F(SharedMemory, PagesOfABufferComeAndGo) {
    KOBALT_NEEDS(Capability::sparse_residency);
    const VkDeviceSize page = SparseBuffer::page_size(*device_, usage);
    ASSERT_GT(page, 0u);
    SparseBuffer pages;
    BufferInfo info;
    info.size = page * 64 - 100;
    info.usage = usage;
    KOBALT_VALUE(buffer, SparseBuffer::create(*device_, info, pages));
    EXPECT_EQ(buffer.size(), page * 64);
    EXPECT_EQ(pages.committed_bytes(), 0u);
    ASSERT_TRUE(pages.commit(page * 2, page * 3, true).has_value());
    EXPECT_EQ(pages.committed_bytes(), page * 3);
    fill(buffer, page * 2, page * 3, 0x55);
    EXPECT_EQ(word_of(buffer, page * 5 - 4), 0x55u);
    // Pages that are backed already keep their contents when more pages are backed.
    ASSERT_TRUE(pages.commit(page, page * 3, true).has_value());
    EXPECT_EQ(pages.committed_bytes(), page * 4);
    EXPECT_EQ(word_of(buffer, page * 2), 0x55u);
    ASSERT_TRUE(pages.commit(page * 2, page, false).has_value());
    EXPECT_EQ(pages.committed_bytes(), page * 3);
    EXPECT_EQ(word_of(buffer, page * 4), 0x55u);
    ASSERT_TRUE(pages.commit(0, page * 64, false).has_value());
    EXPECT_EQ(pages.committed_bytes(), 0u);
    ASSERT_TRUE(device_->graphics().wait_idle().has_value());
}

TEST_F(SharedMemory, BindingIsOrderedAmongSubmissions) {
    KOBALT_NEEDS(Capability::sparse_residency);
    const VkDeviceSize page = SparseBuffer::page_size(*device_, usage);
    SparseBuffer pages;
    BufferInfo info;
    info.size = page;
    info.usage = usage;
    KOBALT_VALUE(buffer, SparseBuffer::create(*device_, info, pages));
    Timeline& timeline = device_->graphics().timeline();
    for (int round = 0; round < 50; ++round) {
        const uint64_t before = timeline.submitted();
        ASSERT_TRUE(pages.commit(0, page, true).has_value());
        EXPECT_EQ(timeline.submitted(), before + 1);
        const auto word = static_cast<uint32_t>(round) + 1;
        fill(buffer, 0, page, word);
        ASSERT_EQ(word_of(buffer, page - 4), word);
        ASSERT_TRUE(pages.commit(0, page, false).has_value());
    }
    ASSERT_TRUE(device_->graphics().wait_idle().has_value());
}

TEST_F(SharedMemory, PagesOfAnImageComeAndGo) {
    KOBALT_NEEDS(Capability::sparse_residency);
    constexpr VkImageUsageFlags image_usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                              VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                              VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const VkExtent3D page = SparseImage::page_extent(
        *device_, VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, VK_SAMPLE_COUNT_1_BIT, image_usage);
    ASSERT_GT(page.width, 0u);
    auto info = vk_struct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.extent = {page.width * 4, page.height * 2, 1};
    info.mipLevels = 4;
    info.arrayLayers = 3;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = image_usage;
    SparseImage pages;
    KOBALT_VALUE(image, SparseImage::create(*device_, info, pages));
    EXPECT_GE(pages.paged_levels(), 2u);
    const VkDeviceSize one = 65536;
    // Texels of two pages, in two layers.
    const TexelBox box{{static_cast<int32_t>(page.width), 0, 1}, {page.width * 2, page.height, 2}};
    ASSERT_TRUE(pages.commit(0, box, true).has_value());
    EXPECT_EQ(pages.committed_bytes(), one * 4);
    // Commits a level that is smaller than a page in one direction.
    ASSERT_TRUE(pages.commit(2, {{0, 0, 0}, {page.width, page.height / 2, 1}}, true).has_value());
    EXPECT_GE(pages.committed_bytes(), one * 5);
    ASSERT_TRUE(pages.commit(0, box, false).has_value());
    ASSERT_TRUE(pages.commit(2, {{0, 0, 0}, {page.width, page.height / 2, 1}}, false).has_value());
    EXPECT_EQ(pages.committed_bytes(), 0u);
    ASSERT_TRUE(device_->graphics().wait_idle().has_value());
}

} // namespace
} // namespace kobalt::vulkan::test
