// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "compute_harness.h"

#include "vulkan/resources/image.h"

#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace kobalt::vulkan::test {
namespace {

class Memory : public VulkanTest {};

TEST_F(Memory, EveryKindIsWhatItSays) {
    for (const MemoryKind kind : {MemoryKind::device_local, MemoryKind::upload,
                                  MemoryKind::readback, MemoryKind::device_local_mappable}) {
        KOBALT_VALUE(buffer, storage_buffer(*device_, 1000, kind));
        EXPECT_EQ(buffer.size(), 4000u);
        EXPECT_NE(buffer.address(), 0u) << memory_kind_name(kind);
        EXPECT_EQ(buffer.mapped() == nullptr, kind == MemoryKind::device_local)
            << memory_kind_name(kind);
        if (kind == MemoryKind::upload) {
            EXPECT_TRUE(buffer.coherent());
        }
    }
}

TEST_F(Memory, ABufferMovesWhole) {
    KOBALT_VALUE(buffer, storage_buffer(*device_, 16, MemoryKind::upload));
    const VkBuffer handle = buffer.handle();
    words(buffer)[3] = 99;
    Buffer moved = std::move(buffer);
    EXPECT_FALSE(buffer);
    EXPECT_EQ(buffer.mapped(), nullptr);
    EXPECT_EQ(moved.handle(), handle);
    EXPECT_EQ(words(moved)[3], 99u);
    KOBALT_VALUE(other, storage_buffer(*device_, 16, MemoryKind::upload));
    other = std::move(moved);
    EXPECT_EQ(other.handle(), handle);
}

TEST_F(Memory, OutOfMemoryNamesTheSize) {
    BufferInfo info;
    info.size = uint64_t{1} << 62;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    info.name = "a monster";
    const auto buffer = Buffer::create(*device_, info);
    ASSERT_FALSE(buffer.has_value());
    EXPECT_EQ(buffer.error().result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    const std::string text = buffer.error().to_string();
    EXPECT_NE(text.find("a monster"), std::string::npos) << text;
    EXPECT_NE(text.find("4.0 EiB"), std::string::npos) << text;
    EXPECT_NE(text.find("device-local"), std::string::npos) << text;
}

TEST_F(Memory, OutOfMemoryInTheAllocatorNamesTheSize) {
    if (device_->properties().core.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU)
        GTEST_SKIP() << "only a CPU device's memory can be taken away by a process limit";
    // Limits the address space to little more than is in use, so that the driver's own allocation
    // fails.
    std::ifstream statm("/proc/self/statm");
    uint64_t pages = 0;
    statm >> pages;
    struct rlimit before {};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
    const struct rlimit tight {
        pages* static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) + (64u << 20), before.rlim_max
    };
    BufferInfo info;
    info.size = 512u << 20;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    info.kind = MemoryKind::upload;
    info.name = "too much";
    ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
    const auto buffer = Buffer::create(*device_, info);
    ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
    ASSERT_FALSE(buffer.has_value());
    EXPECT_TRUE(buffer.error().result == VK_ERROR_OUT_OF_DEVICE_MEMORY ||
                buffer.error().result == VK_ERROR_OUT_OF_HOST_MEMORY)
        << buffer.error().to_string();
    EXPECT_NE(buffer.error().object.find("\"too much\", 512.0 MiB (536870912 bytes) of upload"),
              std::string::npos)
        << buffer.error().to_string();
    EXPECT_FALSE(device_->lost());
    EXPECT_TRUE(storage_buffer(*device_, 16, MemoryKind::upload).has_value())
        << "the device must go on after a failed allocation";
}

TEST_F(Memory, AnImageKeepsItsDescription) {
    auto info = vk_struct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.extent = {64, 32, 1};
    info.mipLevels = 3;
    info.arrayLayers = 2;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    KOBALT_VALUE(image, Image::create(*device_, info));
    EXPECT_EQ(image.levels(), 3u);
    EXPECT_EQ(image.layers(), 2u);
    EXPECT_EQ(image.extent().width, 64u);
    EXPECT_GE(image.size(), 64u * 32 * 4);
    const VkImage handle = image.handle();
    Image moved = std::move(image);
    EXPECT_EQ(moved.handle(), handle);
    EXPECT_FALSE(image);

    auto view = vk_struct<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    view.image = moved.handle();
    view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    view.format = info.format;
    view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 3, 0, 2};
    EXPECT_TRUE(create_image_view(*device_, view).has_value());
    Image wrapped = Image::wrap(moved.handle(), info);
    wrapped.reset(); // must not destroy the image, which it does not own
    EXPECT_TRUE(create_image_view(*device_, view).has_value());
}

} // namespace
} // namespace kobalt::vulkan::test
