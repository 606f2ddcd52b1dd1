// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

#include "gallium/context/operations.h"
#include "gallium/shader/kept_translations.h"
#include "render/bindless/heap.h"
#include "vulkan/base/faults.h"
#include "vulkan/base/private_file.h"
#include "vulkan/base/variable_access.h"
#include "vulkan/device/out_of_memory.h"

#include "nir.h"
#include "util/mesa-sha1.h"
#include "util/ralloc.h"

namespace kobalt::gallium {
namespace {

VkDescriptorType descriptor_type(spirv::DescriptorKind kind) {
    switch (kind) {
    case spirv::DescriptorKind::uniform_buffer:
        return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    case spirv::DescriptorKind::combined_image_sampler:
        return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    case spirv::DescriptorKind::uniform_texel_buffer:
        return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    case spirv::DescriptorKind::storage_buffer:
        return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    case spirv::DescriptorKind::storage_image:
        return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    case spirv::DescriptorKind::storage_texel_buffer:
        return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    case spirv::DescriptorKind::input_attachment:
        return VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    }
    return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
}

VkImageViewType view_type(const spirv::ImageShape& image) {
    switch (image.dimension) {
    case GLSL_SAMPLER_DIM_1D:
        return image.array ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D;
    case GLSL_SAMPLER_DIM_3D:
        return VK_IMAGE_VIEW_TYPE_3D;
    case GLSL_SAMPLER_DIM_CUBE:
        return image.array ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE;
    default:
        return image.array ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
    }
}

static_assert(spirv::bindless_textures == static_cast<uint32_t>(render::BindlessArray::textures) &&
              spirv::bindless_texel_buffers ==
                  static_cast<uint32_t>(render::BindlessArray::texel_buffers));

render::ViewShape view_shape(const spirv::ImageShape& image) {
    static_assert(static_cast<int>(render::Texels::depth) ==
                  static_cast<int>(spirv::ImageTexels::depth));
    return {view_type(image), static_cast<render::Texels>(image.texels),
            image.dimension == GLSL_SAMPLER_DIM_MS};
}

// KOBALT_FAULT=translate:N makes the Nth translation of the process fail, for tests.
bool fault_strikes() {
    static std::atomic<int64_t> left = vulkan::requested_fault().translation;
    return left.load(std::memory_order_relaxed) > 0 && left.fetch_sub(1) == 1;
}

bool dumps_nir() {
    return vulkan::environment::flag(vulkan::Variable::spirv_dump_nir).value_or(false);
}

using File = std::unique_ptr<FILE, decltype([](FILE* file) { std::fclose(file); })>;

/// A file of a dump; null, with a warning, where it can't be written.
File open_dump(const std::string& path) {
    vulkan::FileDescriptor descriptor = vulkan::open_private_file(path, vulkan::Contents::replaced);
    File file(descriptor ? fdopen(descriptor.get(), "wb") : nullptr);
    if (file)
        (void)descriptor.release(); // the stream closes it
    else
        mesa_logw("kobalt: can't write %s: %s (KOBALT_SPIRV_DUMP)", path.c_str(),
                  std::strerror(errno));
    return file;
}

// KOBALT_SPIRV_DUMP=DIR writes each module as DIR/<stage>-<sha1>.spv; with KOBALT_SPIRV_DUMP_NIR
// also the NIR that the module was made from.
void dump(const nir_shader* nir, const std::vector<uint32_t>& words) {
    const auto folder = vulkan::environment::text(vulkan::Variable::spirv_dump);
    if (!folder)
        return;
    unsigned char digest[20];
    char hex[41];
    const size_t bytes = words.size() * sizeof(words[0]);
    _mesa_sha1_compute(words.data(), bytes, digest);
    _mesa_sha1_format(hex, digest);
    const std::string path =
        *folder + "/" + _mesa_shader_stage_to_abbrev(nir->info.stage) + "-" + hex;
    if (const File file = open_dump(path + ".spv"))
        std::fwrite(words.data(), 1, bytes, file.get());
    if (!dumps_nir())
        return;
    if (const File file = open_dump(path + ".nir"))
        nir_print_shader(const_cast<nir_shader*>(nir), file.get());
}

/// Finds the translation that an earlier run has kept, or makes it.
std::expected<spirv::Translation, spirv::TranslateError>
translate(Screen& screen, const nir_shader* nir, const spirv::Target& target) {
    const KeptTranslations kept(screen.cache);
    const auto key = kept.key_of(nir, target);
    if (auto found = key ? kept.find(*key) : std::nullopt)
        return std::move(*found);
    screen.engine->counters().translations.fetch_add(1, std::memory_order_relaxed);
    auto made = spirv::translate(nir, target);
    if (fault_strikes())
        return std::unexpected(spirv::TranslateError{"KOBALT_FAULT=translate asked for it"});
    if (made && key)
        kept.keep(*key, *made);
    return made;
}

/// Makes the stage. Where there is no memory for it, tries for half a second: what is refused here
/// is refused for good, and the threads that compile can wait.
vulkan::Result<render::Ref<render::ShaderStage>>
create_patiently(render::PipelineStore& store, const render::StageSource& source) {
    constexpr int tries = 5;
    auto made = render::ShaderStage::create(store, source);
    for (int i = 0; i < tries && !made && vulkan::is_out_of_memory(made.error().result); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20 << i));
        made = render::ShaderStage::create(store, source);
    }
    return made;
}

} // namespace

std::expected<render::Ref<render::ShaderStage>, std::string>
compile_stage(Screen& screen, const Shader& shader, nir_shader* nir, const VariantKey& key,
              spirv::Translation& facts) {
    const render::Stage stage = render_stage(shader.stage);
    spirv::Target target = screen.spirv_target;
    target.descriptor_set = render::descriptor_set_of(stage);
    if (screen.engine->paths().pushed_blocks && stage != render::Stage::compute) {
        target.pushed_set = render::pushed_set;
        target.first_pushed = render::first_pushed_binding(stage);
        target.pushed_slots = render::pushed_slots;
        if (screen.engine->paths().pushed_texture && stage == render::Stage::fragment)
            target.pushed_texture = render::pushed_texture_binding;
    }
    // The descriptor sets of shader objects have a separate binding for each descriptor. A program
    // linked as a whole is drawn with pipelines where it has descriptor arrays.
    if (screen.engine->paths().objects != render::ObjectUse::none && nir->info.separate_shader)
        target.dynamic_arrays = target.non_uniform_arrays = 0;
    target.clip_distance_mask = true;
    target.last_vertex_stage = shader.last_vertex_stage != key.other_position;
    target.multisampled_attachments = key.fetches_samples;
    target.extra_outputs = key.extra_outputs;
    target.extra_integer_outputs = key.extra_integers;
    target.extra_patch_outputs = key.extra_patch_outputs;
    target.extra_patch_integers = key.extra_patch_integers;
    target.input_clip_distances = key.input_clip_distances;
    target.input_cull_distances = key.input_cull_distances;
    if (key.workgroup_size[0])
        target.workgroup_size = key.workgroup_size;

    auto translation = translate(screen, nir, target);
    if (!translation) {
        if (dumps_nir())
            nir_print_shader(nir, stderr);
        mesa_loge("kobalt: shader %s can't be translated to SPIR-V: %s; draws with it do nothing",
                  shader.name.c_str(), translation.error().what.c_str());
        return std::unexpected("can't be translated to SPIR-V: " + translation.error().what);
    }
    dump(nir, translation->words);

    render::StageSource source;
    source.stage = stage;
    source.words = std::move(translation->words);
    translation->words.clear();
    source.bindings.reserve(translation->bindings.size());
    for (const spirv::Binding& binding : translation->bindings)
        source.bindings.push_back({binding.binding, descriptor_type(binding.kind), binding.slot,
                                   view_shape(binding.image), binding.swizzles_comparison,
                                   binding.writes, binding.pushed});
    source.reads_handles = translation->reads_handles;
    source.reads_texel_handles = translation->reads_texel_handles;
    source.robust = shader.robust || key.robust;
    source.push_constant_words = translation->push_constant_words;
    source.sample_shading = translation->uses_sample_shading;
    source.writes_depth = translation->writes_depth;
    source.stream_output_buffers = translation->xfb_buffer_mask;
    source.fragment_outputs = translation->fragment_output_mask;
    if (shader.stage == MESA_SHADER_VERTEX)
        source.view_mask = nir->info.view_mask;
    // Not for clears and the like, whose two stages are always used together.
    source.separable =
        nir->info.separate_shader && (!nir->info.internal || stage == render::Stage::tess_control);
    source.name = shader.name;
    auto made = create_patiently(screen.engine->pipelines(), source);
    if (!made) {
        mesa_loge("kobalt: shader %s: %s; draws with it do nothing", shader.name.c_str(),
                  made.error().to_string().c_str());
        return std::unexpected("the Vulkan driver refused it: " + made.error().to_string());
    }
    facts = std::move(*translation);
    return std::move(*made);
}

void note_input_distances(VariantKey& key, const Shader* before, const Shader& shader) {
    if (!before || shader.facts.distances_read == 0 || !before->facts.cull_distance_count)
        return;
    key.input_clip_distances = before->facts.clip_distance_count;
    key.input_cull_distances = before->facts.cull_distance_count;
}

VariantKey linked_variant(const BoundShaders& shaders, unsigned stage) {
    const Shader& shader = *shaders[stage];
    const Shader* before = nullptr;
    for (unsigned previous = stage; !before && previous-- > MESA_SHADER_VERTEX;)
        before = shaders[previous];
    const Shader* reader = nullptr;
    for (unsigned next = stage + 1; !reader && next <= MESA_SHADER_FRAGMENT; ++next)
        reader = shaders[next];
    const bool last = !reader || reader->stage == MESA_SHADER_FRAGMENT;
    VariantKey key;
    key.other_position = shader.cares_for_position && shader.last_vertex_stage != last;
    note_input_distances(key, before, shader);
    if (!reader)
        return key;
    const spirv::Translation& read = reader->facts;
    key.extra_outputs =
        read.inputs_read_mask_locations & ~shader.facts.outputs_written_mask_locations;
    key.extra_integers = key.extra_outputs & read.integer_inputs_mask_locations;
    if (stage == MESA_SHADER_TESS_CTRL) {
        key.extra_patch_outputs =
            read.patch_inputs_read_mask & ~shader.facts.patch_outputs_written_mask;
        key.extra_patch_integers = key.extra_patch_outputs & read.integer_patch_inputs_mask;
    }
    return key;
}

Shader::Variant& Shader::find_or_add(const VariantKey& key) {
    const std::lock_guard lock(variants_mutex_);
    for (Variant& variant : variants_)
        if (variant.key == key)
            return variant;
    variants_.emplace_back().key = key;
    return variants_.back();
}

void Shader::compile(Screen& screen, Variant& variant, Context* drawing) {
    nir_shader* nir = prepared_nir(screen, *this);
    if (stage == MESA_SHADER_FRAGMENT)
        lower_fragment_variant(nir, variant.key);
    lower_legacy_texels(nir, variant.key.texels);
    nir_foreach_function_impl(impl, nir) {
        nir_index_blocks(impl);
        nir_index_ssa_defs(impl);
    }
    spirv::Translation variant_facts;
    if (auto made = compile_stage(screen, *this, nir, variant.key, variant_facts))
        variant.stage = std::move(*made);
    ralloc_free(nir);
    if (drawing) {
        screen.engine->counters().draw_compiles.fetch_add(1, std::memory_order_relaxed);
        drawing->recorder.slow_path(render::SlowPath::draw_compile,
                                    "state changes the code of " + name);
        if (!variant.key.robust) // robustness depends on the context, not on the program
            note_need(screen, {variant.key});
    }
}

render::ShaderStage* Shader::variant(Screen& screen, const VariantKey& key, Context* drawing) {
    if (key == VariantKey{} || !base)
        return base.get();
    Variant& variant = find_or_add(key);
    std::call_once(variant.made, [&] { compile(screen, variant, drawing); });
    return variant.stage.get();
}

} // namespace kobalt::gallium
