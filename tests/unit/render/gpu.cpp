// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gpu.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stdexcept>

#include <unistd.h>

namespace kobalt::render::test {
namespace {

template <class T>
T must(vulkan::Result<T> result) {
    if (!result)
        throw std::runtime_error(result.error().to_string());
    return std::move(*result);
}

/// A folder with the layer's manifest, removed when the program exits.
struct LayerFolder {
    std::filesystem::path path;
    ~LayerFolder() {
        if (!path.empty()) {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
    }
};

} // namespace

std::string find_validation_layer() {
    static LayerFolder folder;
    if (std::getenv("VK_LAYER_PATH") || std::getenv("VK_ADD_LAYER_PATH"))
        return {}; // somebody chose one
    // Debian's chromium-common keeps a current layer, without a manifest.
    const std::filesystem::path library = "/usr/lib/chromium/libVkLayer_khronos_validation.so";
    if (!std::filesystem::exists(library))
        return library.string() + " is missing (install chromium-common, or set VK_LAYER_PATH)";
    std::string pattern = (std::filesystem::temp_directory_path() / "kobalt-layer-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
        return "no temporary folder for the layer's manifest";
    folder.path = pattern;
    std::ofstream(folder.path / "validation.json")
        << R"({"file_format_version":"1.2.0","layer":{"name":"VK_LAYER_KHRONOS_validation","type":"GLOBAL","library_path":")"
        << library.string()
        << R"(","api_version":"1.4.300","implementation_version":"1","description":"Khronos validation",)"
        << R"("instance_extensions":[{"name":"VK_EXT_debug_utils","spec_version":"2"},)"
        << R"({"name":"VK_EXT_validation_features","spec_version":"6"}]}})";
    setenv("VK_LAYER_PATH", folder.path.c_str(), 1);
    return {};
}

std::ostream& operator<<(std::ostream& out, const Config& config) {
    return out << config.name;
}

const std::vector<Config>& all_configs() {
    static const std::vector<Config> configs = [] {
        std::vector<Config> made;
        for (const bool validated : {false, true}) {
            made.push_back({validated ? "all_validated" : "all", {}, validated});
            made.push_back({validated ? "no_descriptor_buffer_validated" : "no_descriptor_buffer",
                            {"descriptor_buffer"},
                            validated});
            made.push_back({validated ? "pooled_sets_validated" : "pooled_sets",
                            {"descriptor_buffer", "push_descriptors"},
                            validated});
            made.push_back({validated ? "no_pipeline_library_validated" : "no_pipeline_library",
                            {"graphics_pipeline_library"},
                            validated});
            made.push_back({validated ? "static_state_validated" : "static_state",
                            {"extended_dynamic_state3", "vertex_input_dynamic_state",
                             "extended_dynamic_state2_patch_control_points"},
                            validated});
        }
        return made;
    }();
    return configs;
}

std::string config_name(const testing::TestParamInfo<Config>& info) {
    return info.param.name;
}

Cost Cost::operator-(const Cost& other) const {
    return {draws - other.draws,
            passes - other.passes,
            barriers - other.barriers,
            compiles - other.compiles,
            draw_compiles - other.draw_compiles,
            fast_links - other.fast_links,
            descriptor_writes - other.descriptor_writes,
            descriptor_binds - other.descriptor_binds,
            descriptors - other.descriptors};
}

std::ostream& operator<<(std::ostream& out, const Cost& cost) {
    return out << "draws " << cost.draws << ", passes " << cost.passes << ", barriers "
               << cost.barriers << ", compiles " << cost.compiles << ", draw compiles "
               << cost.draw_compiles << ", fast links " << cost.fast_links << ", descriptor writes "
               << cost.descriptor_writes << ", descriptor binds " << cost.descriptor_binds
               << ", descriptors " << cost.descriptors;
}

struct Gpu::Messages {
    std::mutex mutex;
    std::vector<std::string> texts;
};

std::unique_ptr<Gpu> Gpu::create(const Config& config, std::string& why) {
    std::unique_ptr<Gpu> gpu(new Gpu);
    gpu->messages_ = std::make_shared<Messages>();
    vulkan::InstanceOptions options;
    options.app_name = "kobalt render tests";
    options.environment = vulkan::Environment::from_process();
    options.environment.cache_dir.clear();
    options.environment.validation = config.validated;
    if (config.validated) {
        why = find_validation_layer();
        if (!why.empty())
            return nullptr;
        options.environment.debug.push_back("sync");
    }
    options.surfaces = false;
    options.log =
        vulkan::Log([messages = gpu->messages_](vulkan::LogLevel level, std::string_view text) {
            if (level < vulkan::LogLevel::warning)
                return;
            const std::lock_guard lock(messages->mutex);
            messages->texts.emplace_back(text);
        });
    auto instance = vulkan::Instance::create(std::move(options));
    if (!instance) {
        why = instance.error().to_string();
        return nullptr;
    }
    gpu->instance_ = *instance;
    if (config.validated && !gpu->instance_->validation()) {
        why = "the loader does not find the validation layer";
        return nullptr;
    }
    auto selection = vulkan::select_physical_device(*gpu->instance_);
    if (!selection) {
        why = selection.error().to_string();
        return nullptr;
    }
    vulkan::DeviceOptions device_options;
    device_options.disabled = config.disabled;
    device_options.patience = config.patience;
    gpu->engine_ = must(Engine::create(
        must(vulkan::Device::create(gpu->instance_, selection->device(), device_options))));
    return gpu;
}

Gpu::~Gpu() {
    engine_.reset();
    instance_.reset();
}

std::vector<std::string> Gpu::messages() const {
    const std::lock_guard lock(messages_->mutex);
    return messages_->texts;
}

void Gpu::drop_messages(std::string_view text) {
    const std::lock_guard lock(messages_->mutex);
    std::erase_if(messages_->texts, [text](const std::string& message) {
        return message.find(text) != message.npos;
    });
}

Cost Gpu::cost() {
    const Counters& counters = engine_->counters();
    return {counters.draws,
            counters.passes,
            counters.barriers,
            counters.stage_compiles,
            counters.draw_compiles,
            counters.fast_links,
            counters.descriptor_writes,
            counters.descriptor_binds,
            counters.descriptors};
}

Ref<Buffer> Gpu::buffer(VkDeviceSize bytes, VkBufferUsageFlags usage, vulkan::MemoryKind kind) {
    usage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    if (paths().descriptor_buffer)
        usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    return make_ref<Buffer>(must(vulkan::Buffer::create(device(), {bytes, usage, kind, "test"})));
}

Ref<BufferView> Gpu::texels(const Ref<Buffer>& buffer, VkFormat format) {
    auto view = must(
        vulkan::create_buffer_view(device(), buffer->handle(), format, 0, buffer->size(), "test"));
    return make_ref<BufferView>(buffer, std::move(view), format, VkDeviceSize{0}, buffer->size());
}

Target Gpu::target(uint32_t width, uint32_t height, VkFormat format, VkImageUsageFlags usage,
                   uint32_t samples) {
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {width, height, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = static_cast<VkSampleCountFlagBits>(samples);
    info.usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    Target made;
    made.image = make_ref<Image>(
        must(vulkan::Image::create(device(), info, vulkan::MemoryKind::device_local, "test")));
    VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    view.image = made.image->handle();
    view.viewType = VK_IMAGE_VIEW_TYPE_2D;
    view.format = format;
    view.subresourceRange = {made.image->aspects(), 0, 1, 0, 1};
    made.view =
        make_ref<ImageView>(made.image, must(vulkan::create_image_view(device(), view, "test")));
    made.view->info = {view.viewType, format, {}, view.subresourceRange, info.usage};
    made.format = format;
    made.samples = samples;
    return made;
}

Target Gpu::color(uint32_t size, uint32_t samples) {
    return target(size, size, VK_FORMAT_R8G8B8A8_UNORM,
                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT, samples);
}

Ref<Sampler> Gpu::nearest() {
    VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    return make_ref<Sampler>(must(vulkan::create_sampler(device(), info, "nearest")));
}

Ref<ShaderStage> Gpu::stage(Stage stage, std::span<const uint32_t> words,
                            std::vector<StageBinding> bindings, uint32_t stream_output_buffers) {
    StageSource source;
    source.stage = stage;
    source.words.assign(words.begin(), words.end());
    source.bindings = std::move(bindings);
    source.stream_output_buffers = stream_output_buffers;
    source.fragment_outputs = stage == Stage::fragment ? 1 : 0;
    source.name = "test";
    return must(ShaderStage::create(engine_->pipelines(), std::move(source)));
}

Ref<ShaderStage> Gpu::separable(Stage stage, std::span<const uint32_t> words,
                                std::vector<StageBinding> bindings, bool robust) {
    StageSource source;
    source.stage = stage;
    source.robust = robust;
    source.words.assign(words.begin(), words.end());
    source.words[2] = ++own_stages_; // as in own_stage()
    source.bindings = std::move(bindings);
    source.fragment_outputs = stage == Stage::fragment ? 1 : 0;
    source.separable = true;
    source.name = "separable";
    return must(ShaderStage::create(engine_->pipelines(), std::move(source)));
}

Ref<ShaderStage> Gpu::own_stage(Stage one, std::span<const uint32_t> words) {
    std::vector<uint32_t> other(words.begin(), words.end());
    other[2] = ++own_stages_; // the SPIR-V generator number, which the GPU ignores
    return stage(one, other);
}

Framebuffer framebuffer(const std::vector<const Target*>& colors, const Target* depth_stencil) {
    Framebuffer made;
    made.width = made.height = ~0u;
    const auto add = [&](const Target& target) {
        made.width = std::min(made.width, target.image->storage().extent().width);
        made.height = std::min(made.height, target.image->storage().extent().height);
        made.samples = target.samples;
    };
    for (const Target* target : colors) {
        if (target) {
            made.color[made.color_count] = target->view.get();
            made.color_formats[made.color_count] = target->format;
            add(*target);
        }
        ++made.color_count;
    }
    if (depth_stencil) {
        made.depth_stencil = depth_stencil->view.get();
        made.depth_stencil_format = depth_stencil->format;
        add(*depth_stencil);
    }
    return made;
}

VkClearColorValue rgba(float r, float g, float b, float a) {
    return {{r, g, b, a}};
}
VkRect2D area(uint32_t width, uint32_t height, int32_t x, int32_t y) {
    return {{x, y}, {width, height}};
}

void Scene::SetUp() {
    std::string why;
    gpu_ = Gpu::create(GetParam(), why);
    if (!gpu_)
        GTEST_SKIP() << why;
    // The state for which stages are compiled ahead: GL's initial state.
    raster.line_mode = gpu_->paths().line_rasterization ? VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT
                                                        : VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT;
    recorder_ = std::make_unique<Recorder>(gpu_->engine());
    recorder_->set_rasterizer(&raster);
    recorder_->set_depth_stencil(&depth_stencil);
    recorder_->set_blend(&blend);
    last_ = gpu_->cost();
}

void Scene::TearDown() {
    if (!gpu_)
        return;
    recorder_.reset();
    // The loss of the device is a message, too.
    for (const std::string& message : gpu_->messages())
        ADD_FAILURE() << message;
    gpu_.reset();
}

void Scene::bind(ShaderStage* vertex, ShaderStage* fragment, ShaderStage* geometry) {
    recorder().bind_stage(Stage::vertex, vertex);
    recorder().bind_stage(Stage::fragment, fragment);
    recorder().bind_stage(Stage::geometry, geometry);
}

void Scene::begin(const Framebuffer& target) {
    recorder().set_framebuffer(target);
    const VkViewport viewport{
        0, 0, static_cast<float>(target.width), static_cast<float>(target.height), 0, 1};
    recorder().set_viewports(0, {&viewport, 1});
}

void Scene::draw(uint32_t count, VkPrimitiveTopology topology) {
    const DrawCall call{0, count, 0, 0};
    recorder().draw({.topology = topology}, {&call, 1});
}

void Scene::finish() {
    const Ref<BatchToken> token = recorder().flush();
    ASSERT_TRUE(token->wait(20'000'000'000ull)) << "a batch did not complete in 20 s";
}

Cost Scene::spent() {
    finish();
    const Cost now = gpu_->cost();
    const Cost spent = now - last_;
    last_ = now;
    return spent;
}

std::vector<uint32_t> Scene::pixels(const Target& target, VkImageAspectFlags aspect) {
    const VkExtent3D extent = target.image->storage().extent();
    const size_t count = size_t{extent.width} * extent.height;
    Ref<Buffer> buffer = gpu_->buffer(count * 4, 0, vulkan::MemoryKind::readback);
    std::memset(buffer->mapped(), 0x5a, count * 4);
    VkBufferImageCopy region{};
    region.imageSubresource = {aspect, 0, 0, 1};
    region.imageExtent = extent;
    recorder().copy_image_to_buffer(*target.image, *buffer, {&region, 1});
    finish();
    buffer->storage().invalidate(0, count * 4);
    std::vector<uint32_t> texels(count);
    if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
        for (size_t i = 0; i < count; ++i)
            texels[i] = static_cast<uint32_t>(buffer->mapped()[i]);
    else
        std::memcpy(texels.data(), buffer->mapped(), count * 4);
    last_ = gpu_->cost();
    return texels;
}

std::vector<uint32_t> Scene::read_words(Buffer& from, size_t count, VkDeviceSize offset) {
    Ref<Buffer> buffer = gpu_->buffer(count * 4, 0, vulkan::MemoryKind::readback);
    const VkBufferCopy region{offset, 0, count * 4};
    recorder().copy_buffer(from, *buffer, {&region, 1});
    finish();
    buffer->storage().invalidate(0, count * 4);
    std::vector<uint32_t> words(count);
    std::memcpy(words.data(), buffer->mapped(), count * 4);
    last_ = gpu_->cost();
    return words;
}

void Scene::expect_all(const Target& target, uint32_t expected) {
    const std::vector<uint32_t> texels = pixels(target);
    for (size_t i = 0; i < texels.size(); ++i)
        if (texels[i] != expected) {
            ADD_FAILURE() << "texel " << i << " is " << std::hex << texels[i] << ", not "
                          << expected;
            return;
        }
}

} // namespace kobalt::render::test
