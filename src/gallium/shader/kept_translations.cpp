// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/shader/kept_translations.h"

#include <cstdlib>
#include <memory>
#include <type_traits>

#include "nir_serialize.h"
#include "util/blob.h"
#include "util/disk_cache.h"

namespace kobalt::gallium {
namespace {

constexpr uint32_t layout_version = 1; ///< changes with the layout below
constexpr uint32_t spirv_magic = 0x07230203;
constexpr size_t spirv_header_words = 5;

/// Frees what a blob has gathered.
class Blob {
public:
    Blob() { blob_init(&blob_); }
    ~Blob() { blob_finish(&blob_); }
    Blob(const Blob&) = delete;
    Blob& operator=(const Blob&) = delete;
    blob* get() { return &blob_; }
    /// Values without padding, one after the other.
    template <class... Values>
    void write(const Values&... values) {
        static_assert((std::has_unique_object_representations_v<Values> && ...));
        (blob_write_bytes(&blob_, &values, sizeof(values)), ...);
    }

private:
    blob blob_;
};

// The structures are taken apart by name, so that a new member doesn't compile until it is here.

void write(Blob& out, const spirv::Target& target) {
    const auto& [version, set, pushed_set, first_pushed, pushed_slots, pushed_texture, ubo_size,
                 demote, draw_parameters, clip_control, last_stage, distance_mask, locations,
                 outputs, least_offset, most_offset, extra, extra_integers, extra_patch,
                 extra_patch_integers, clip_distances, cull_distances, geometry_size, default_size,
                 components, stencil_export, layer_output, viewport_mask, multiview, float16,
                 float64, int8, int16, int64, bindless, multisampled, subgroups, atomics,
                 explicit_layout, clock, special32, special64, workgroup, one_dimensional,
                 formatless_read, formatless_write, names, dynamic, non_uniform] = target;
    const auto& [float_add, float_min_max, int64_buffer, shared_add, shared_min_max, shared_int64,
                 image_add] = atomics;
    out.write(version, set, pushed_set, first_pushed, pushed_slots, pushed_texture.has_value(),
              pushed_texture.value_or(0), ubo_size, demote, draw_parameters, clip_control,
              last_stage, distance_mask, locations, outputs, least_offset, most_offset, extra,
              extra_integers, extra_patch, extra_patch_integers, clip_distances, cull_distances,
              geometry_size, default_size, components, stencil_export, layer_output, viewport_mask,
              multiview, float16, float64, int8, int16, int64, bindless, multisampled, subgroups,
              float_add, float_min_max, int64_buffer, shared_add, shared_min_max, shared_int64,
              image_add, explicit_layout, clock, special32, special64, workgroup, one_dimensional,
              formatless_read, formatless_write, names, dynamic, non_uniform);
}

/// Calls `visit` with all members that are plain values.
template <class Facts, class Visit>
void for_each_fact(Facts& translation, Visit visit) {
    auto& [words, bindings, constants, inputs, integer_inputs, outputs, integer_outputs,
           patch_inputs, patch_outputs, integer_patch_inputs, handles, texel_handles,
           sample_shading, depth, stencil, sample_mask, point_size, layer, viewport, discard,
           early_tests, fragment_outputs, dual_source, fetched, clip_distances, cull_distances,
           distances_read, xfb_buffers, xfb_strides, xfb_streams] = translation;
    visit(constants, inputs, integer_inputs, outputs, integer_outputs, patch_inputs, patch_outputs,
          integer_patch_inputs, handles, texel_handles, sample_shading, depth, stencil, sample_mask,
          point_size, layer, viewport, discard, early_tests, fragment_outputs, dual_source, fetched,
          clip_distances, cull_distances, distances_read, xfb_buffers, xfb_strides, xfb_streams);
}

template <class Fields, class Visit>
void for_each_field(Fields& binding_of_shader, Visit visit) {
    auto& [binding, kind, slot, image, swizzles, writes, pushed] = binding_of_shader;
    auto& [dimension, array, texels] = image;
    visit(binding, kind, slot, dimension, array, texels, swizzles, writes, pushed);
}

void write(Blob& out, const spirv::Translation& translation) {
    out.write(static_cast<uint32_t>(translation.words.size()),
              static_cast<uint32_t>(translation.bindings.size()));
    for_each_fact(translation, [&](const auto&... facts) { out.write(facts...); });
    for (const spirv::Binding& binding : translation.bindings)
        for_each_field(binding, [&](const auto&... fields) { out.write(fields...); });
    blob_write_bytes(out.get(), translation.words.data(),
                     translation.words.size() * sizeof(translation.words[0]));
}

template <class Value>
void read(blob_reader& in, Value& value) {
    if constexpr (std::is_same_v<Value, bool>)
        value = blob_read_uint8(&in) != 0; // any other byte would be undefined behaviour
    else
        blob_copy_bytes(&in, &value, sizeof(value));
}

bool is_possible(const spirv::Binding& binding) {
    return binding.kind <= spirv::DescriptorKind::input_attachment &&
           binding.image.dimension <= GLSL_SAMPLER_DIM_SUBPASS_MS &&
           binding.image.texels <= spirv::ImageTexels::depth;
}

std::optional<spirv::Translation> read_translation(blob_reader& in) {
    spirv::Translation translation;
    uint32_t words = 0, bindings = 0;
    read(in, words);
    read(in, bindings);
    const auto left = static_cast<size_t>(in.end - in.current);
    if (in.overrun || words < spirv_header_words || words > left / sizeof(uint32_t) ||
        bindings > left)
        return {};
    for_each_fact(translation, [&](auto&... facts) { (read(in, facts), ...); });
    translation.bindings.resize(bindings);
    for (spirv::Binding& binding : translation.bindings) {
        for_each_field(binding, [&](auto&... fields) { (read(in, fields), ...); });
        if (!is_possible(binding))
            return {};
    }
    translation.words.resize(words);
    blob_copy_bytes(&in, translation.words.data(), words * sizeof(uint32_t));
    if (in.overrun || in.current != in.end || translation.words[0] != spirv_magic)
        return {};
    return translation;
}

} // namespace

std::optional<KeptTranslations::Key> KeptTranslations::key_of(const nir_shader* nir,
                                                              const spirv::Target& target) const {
    if (!cache_)
        return {};
    Blob text;
    text.write(layout_version);
    write(text, target);
    // Names are no part of it where they aren't emitted.
    nir_serialize(text.get(), nir, !target.debug_names);
    if (text.get()->out_of_memory)
        return {};
    Key key;
    static_assert(sizeof(Key) == sizeof(cache_key));
    disk_cache_compute_key(cache_, text.get()->data, text.get()->size, key.data());
    return key;
}

std::optional<spirv::Translation> KeptTranslations::find(const Key& key) const {
    size_t size = 0;
    const std::unique_ptr<void, decltype(&std::free)> stored(
        disk_cache_get(cache_, key.data(), &size), std::free);
    if (!stored)
        return {};
    blob_reader in;
    blob_reader_init(&in, stored.get(), size);
    std::optional<spirv::Translation> translation = read_translation(in);
    if (!translation)
        disk_cache_remove(cache_, key.data()); // so that keep() can replace it
    return translation;
}

void KeptTranslations::keep(const Key& key, const spirv::Translation& translation) const {
    Blob record;
    write(record, translation);
    if (!record.get()->out_of_memory)
        disk_cache_put(cache_, key.data(), record.get()->data, record.get()->size, nullptr);
}

} // namespace kobalt::gallium
