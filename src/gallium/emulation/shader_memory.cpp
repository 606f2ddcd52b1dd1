// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gallium/emulation/outline_stages.h"
#include "gallium/screen/numbered_records.h"

// The variants that draws needed of a shader beyond linking, kept in Mesa's disk cache under a key
// of the shader's code. A need is met inside a draw once; in later runs the variant is built when
// the app creates the shader.

namespace kobalt::gallium {
namespace {

constexpr std::string_view purpose = "draw need 13"; // change the number where parts_of() changes
constexpr uint32_t most_samples = 64;                ///< VK_SAMPLE_COUNT_64_BIT
constexpr uint32_t most_distances = 8;               ///< GL_MAX_COMBINED_CLIP_AND_CULL_DISTANCES
constexpr uint32_t most_needs = 64; ///< bounds what an unusual app adds to its own start-up time
constexpr uint32_t any = ~0u;

/// Calls `visit` with each part of a need and the largest value that it can have.
/// VariantKey::robust is no part, since it depends on the context that draws.
template <class Need, class Visit>
void parts_of(Need& need, Visit visit) {
    auto& key = need.key;
    visit(need.outline, 1u);
    visit(key.point_smooth, 1u);
    visit(key.polygon_stipple, 1u);
    visit(key.at_samples, 1u);
    visit(key.per_sample, 1u);
    visit(key.alpha_to_one, 1u);
    visit(key.fetches_samples, 1u);
    visit(key.other_position, 1u);
    visit(key.coverage_dither, 1u);
    visit(key.coverage_samples, most_samples);
    visit(key.extra_outputs, any);
    visit(key.extra_integers, any);
    visit(key.extra_patch_outputs, any);
    visit(key.extra_patch_integers, any);
    visit(key.input_clip_distances, most_distances);
    visit(key.input_cull_distances, most_distances);
    for (auto& size : key.workgroup_size)
        visit(size, any);
    visit(key.texels.alpha, any);
    visit(key.texels.luminance, any);
    visit(key.texels.intensity, any);
    visit(key.texels.luminance_alpha, any);
    visit(key.dual_by_location, 1u);
}

/// One need as stored in the cache.
using Record = std::vector<uint32_t>;

Record record_of(const DrawNeed& need) {
    Record record;
    parts_of(need, [&](const auto& part, uint32_t) { record.push_back(part); });
    return record;
}

/// Empty where the record is invalid.
std::optional<DrawNeed> need_of(std::span<const uint32_t> record) {
    DrawNeed need;
    if (record.size() != record_of(need).size())
        return {};
    bool valid = true;
    parts_of(need, [&](auto& part, uint32_t most) {
        valid = valid && record.front() <= most;
        part = static_cast<std::remove_reference_t<decltype(part)>>(record.front());
        record = record.subspan(1);
    });
    return valid ? std::optional(need) : std::nullopt;
}

/// Whether the device supports workgroups of that size.
bool fits(Screen& screen, uint32_t x, uint32_t y, uint32_t z) {
    const VkPhysicalDeviceLimits& limits = screen.device().limits();
    const uint32_t(&most)[3] = limits.maxComputeWorkGroupSize;
    return x && y && z && x <= most[0] && y <= most[1] && z <= most[2] &&
           uint64_t{x} * y * z <= limits.maxComputeWorkGroupInvocations;
}

/// Whether a draw can have asked for that variant of this shader. The cache has checksums, but a
/// tampered file must not make the driver build variants that no draw would need.
bool plausible(Screen& screen, const VariantKey& key, const Shader& shader) {
    if (key.input_cull_distances > most_distances - key.input_clip_distances ||
        (key.input_clip_distances && !key.input_cull_distances))
        return false;
    if (key.dual_by_location && !(shader.facts.fragment_output_mask & 2u))
        return false;
    if (key.fetches_samples && !shader.facts.fetched_attachments)
        return false;
    if (key.extra_integers & ~key.extra_outputs)
        return false;
    if (key.extra_outputs & shader.facts.outputs_written_mask_locations)
        return false;
    if (key.extra_patch_integers & ~key.extra_patch_outputs)
        return false;
    if (key.texels.all() & ~texel_slots(shader))
        return false;
    const auto& [x, y, z] = key.workgroup_size;
    if (shader.variable_workgroup)
        return fits(screen, x, y, z);
    if (x | y | z)
        return false;
    const uint32_t patch_locations =
        shader.stage == MESA_SHADER_TESS_CTRL ? BITFIELD_MASK(spirv::patch_locations) : 0;
    if (key.extra_patch_outputs & (shader.facts.patch_outputs_written_mask | ~patch_locations))
        return false;
    if (shader.stage == MESA_SHADER_FRAGMENT)
        return !key.other_position && !key.extra_outputs;
    return !key.point_smooth && !key.polygon_stipple && !key.at_samples && !key.per_sample &&
           !key.alpha_to_one && !key.dual_by_location && !key.coverage_samples &&
           !key.coverage_dither;
}

NumberedRecords needs_of(Screen& screen, const Shader& shader) {
    return NumberedRecords(screen.cache, purpose, shader.prepared);
}

std::optional<DrawNeed> recall(Screen& screen, const NumberedRecords& known, const Shader& shader,
                               uint32_t number) {
    const auto stored = known.read(number);
    if (!stored)
        return {};
    Record record(stored->size() / sizeof(uint32_t));
    if (!record.empty())
        std::memcpy(record.data(), stored->data(), record.size() * sizeof(uint32_t));
    if (const auto need = need_of(record); need && plausible(screen, need->key, shader))
        return need;
    screen.engine->counters().refused_needs.fetch_add(1, std::memory_order_relaxed);
    // The invalid record would occupy the place of a need that a draw really has.
    known.remove(number);
    return {};
}

} // namespace

void Shader::remember(Screen& screen, const DrawNeed& need) {
    if (!screen.cache || needs_.size() >= most_needs ||
        std::ranges::find(needs_, need) != needs_.end())
        return;
    // Where another process has used the number, its need stays; ours is recorded in a later run.
    const Record record = record_of(need);
    const auto* bytes = reinterpret_cast<const uint8_t*>(record.data());
    needs_of(screen, *this)
        .write(static_cast<uint32_t>(needs_.size()), {bytes, record.size() * sizeof(record[0])});
    needs_.push_back(need);
}

void Shader::note_need(Screen& screen, const DrawNeed& need) {
    const std::lock_guard lock(variants_mutex_);
    remember(screen, need);
}

void Shader::build_remembered(Screen& screen) {
    if (!screen.cache || prepared.empty())
        return;
    const NumberedRecords known = needs_of(screen, *this);
    while (needs_.size() < most_needs) {
        const auto need = recall(screen, known, *this, static_cast<uint32_t>(needs_.size()));
        if (!need)
            break;
        needs_.push_back(*need);
    }
    screen.engine->counters().remembered_needs.fetch_add(needs_.size(), std::memory_order_relaxed);
    for (const DrawNeed& need : needs_) {
        if (need.outline)
            build_outline(screen, *this);
        else
            variant(screen, need.key, nullptr);
    }
}

} // namespace kobalt::gallium
