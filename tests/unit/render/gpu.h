// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "render/recorder/recorder.h"
#include "vulkan/commands/query_pool.h"
#include "vulkan/resources/buffer_view.h"
#include "vulkan/resources/sampler.h"

namespace kobalt::render::test {

/// The device configuration of a scene: all capabilities or some switched off, with or without the
/// validation layer, and the device's patience (vulkan::DeviceOptions).
struct Config {
    const char* name;
    std::vector<std::string> disabled;
    bool validated;
    std::chrono::nanoseconds patience = vulkan::DeviceOptions{}.patience;
};
std::ostream& operator<<(std::ostream& out, const Config& config);
const std::vector<Config>& all_configs();
std::string config_name(const testing::TestParamInfo<Config>& info);

/// Makes the validation layer known to the loader. Returns an empty string, or the reason why it is
/// unavailable.
std::string find_validation_layer();

/// The cost of a scene, from the engine's counters.
struct Cost {
    uint64_t draws = 0, passes = 0, barriers = 0;
    uint64_t compiles = 0, draw_compiles = 0, fast_links = 0;
    uint64_t descriptor_writes = 0, descriptor_binds = 0;
    uint64_t descriptors = 0;

    Cost operator-(const Cost& other) const;
    bool operator==(const Cost&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Cost& cost);

/// An image and a view of the whole of it.
struct Target {
    Ref<Image> image;
    Ref<ImageView> view;
    VkFormat format = VK_FORMAT_UNDEFINED;
    uint32_t samples = 1;
};

/// An engine and helpers that create objects with it. Failures throw, which GoogleTest reports.
class Gpu {
public:
    /// nullptr with `why` filled in where there is no Vulkan device.
    static std::unique_ptr<Gpu> create(const Config& config, std::string& why);
    ~Gpu();

    Engine& engine() { return *engine_; }
    vulkan::Device& device() { return engine_->device(); }
    const Paths& paths() { return engine_->paths(); }
    bool has(vulkan::Capability capability) { return device().has(capability); }
    /// Validation messages and errors logged by the engine.
    std::vector<std::string> messages() const;
    /// Drops the messages that contain `text`, which the test expects.
    void drop_messages(std::string_view text);
    Cost cost();

    Ref<Buffer> buffer(VkDeviceSize bytes, VkBufferUsageFlags usage,
                       vulkan::MemoryKind kind = vulkan::MemoryKind::upload);
    template <class T>
    Ref<Buffer> buffer(const std::vector<T>& data, VkBufferUsageFlags usage) {
        Ref<Buffer> made = buffer(data.size() * sizeof(T), usage);
        std::memcpy(made->mapped(), data.data(), data.size() * sizeof(T));
        return made;
    }
    Ref<BufferView> texels(const Ref<Buffer>& buffer, VkFormat format);
    Target target(uint32_t width, uint32_t height, VkFormat format, VkImageUsageFlags usage,
                  uint32_t samples = 1);
    Target color(uint32_t size = 16, uint32_t samples = 1);
    Ref<Sampler> nearest();
    Ref<ShaderStage> stage(Stage stage, std::span<const uint32_t> words,
                           std::vector<StageBinding> bindings = {},
                           uint32_t stream_output_buffers = 0);
    /// A unique stage that may draw with stages of other links.
    Ref<ShaderStage> separable(Stage stage, std::span<const uint32_t> words,
                               std::vector<StageBinding> bindings = {}, bool robust = false);
    /// A stage with the same code that no other stage is equal to.
    Ref<ShaderStage> own_stage(Stage stage, std::span<const uint32_t> words);

private:
    struct Messages;
    std::shared_ptr<Messages> messages_;
    std::shared_ptr<vulkan::Instance> instance_;
    std::unique_ptr<Engine> engine_;
    uint32_t own_stages_ = 0;
};

Framebuffer framebuffer(const std::vector<const Target*>& colors,
                        const Target* depth_stencil = nullptr);
VkClearColorValue rgba(float r, float g, float b, float a = 1);
VkRect2D area(uint32_t width, uint32_t height, int32_t x = 0, int32_t y = 0);

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}

/// The push constants of fullscreen.vert.
struct Push {
    float color[4];
    float depth;
};

// Texels of VK_FORMAT_R8G8B8A8_UNORM.
inline constexpr uint32_t black = 0xff000000, red = 0xff0000ff, green = 0xff00ff00,
                          blue = 0xffff0000, white = 0xffffffff, yellow = 0xff00ffff;

/// A scene: one engine and one recorder with default state, checked for messages at its end.
class Scene : public testing::TestWithParam<Config> {
protected:
    void SetUp() override;
    void TearDown() override;

    Gpu& gpu() { return *gpu_; }
    Recorder& recorder() { return *recorder_; }
    bool libraries() { return gpu_->paths().pipeline_library; }
    /// Whether sets stay placed across batches; otherwise each batch places its own.
    bool sets_outlive_batches() { return gpu_->paths().descriptor_buffer; }

    void bind(ShaderStage* vertex, ShaderStage* fragment, ShaderStage* geometry = nullptr);
    void begin(const Framebuffer& target);
    void push(const Push& values) { recorder().set_push_constants(0, bytes_of(values)); }
    void draw(uint32_t count, VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    /// Submits and waits.
    void finish();
    /// Destroys the recorder: bound objects may be destroyed.
    void end() { recorder_.reset(); }
    /// Submits, waits and returns the scene's cost since the last call.
    Cost spent();
    /// Reads level 0 of a colour image of 32 bits a texel, or the depth or stencil aspect.
    std::vector<uint32_t> pixels(const Target& target,
                                 VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT);
    std::vector<uint32_t> read_words(Buffer& buffer, size_t count, VkDeviceSize offset = 0);
    /// Expects every texel to be `expected`.
    void expect_all(const Target& target, uint32_t expected);

    RasterizerState raster;
    DepthStencilState depth_stencil;
    BlendState blend;

private:
    std::unique_ptr<Gpu> gpu_;
    std::unique_ptr<Recorder> recorder_;
    Cost last_;
};

/// Allocations through operator new by this thread so far.
uint64_t allocations();

} // namespace kobalt::render::test

#define KOBALT_SCENES(Name)                                                                        \
    INSTANTIATE_TEST_SUITE_P(Configs, Name,                                                        \
                             testing::ValuesIn(kobalt::render::test::all_configs()),               \
                             kobalt::render::test::config_name)

/// Skips the scene where the device lacks something.
#define KOBALT_NEEDS(capability)                                                                   \
    if (!gpu().has(kobalt::vulkan::Capability::capability))                                        \
    GTEST_SKIP() << "the device has no " #capability
