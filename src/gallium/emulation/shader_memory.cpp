// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include "gallium/emulation/outline_stages.h"

#include "util/disk_cache.h"
#include "util/mesa-sha1.h"

// What draws needed of a shader beyond linking, kept in Mesa's disk cache under the shader's own
// code. A need is met inside a draw once; from then on when the app creates the shader. The cache
// never replaces an entry, so each need has one of its own, numbered from 0.

namespace kobalt::gallium {
namespace {

/// One need as it stands in the cache. Another layout gets another `purpose` below.
struct Record {
    uint32_t point_smooth, polygon_stipple, at_samples, alpha_to_one, other_position,
        coverage_samples, extra_outputs, extra_integers, outline, extra_patch_outputs,
        extra_patch_integers, input_clip_distances, input_cull_distances, workgroup_size[3],
        fetches_samples;
};

constexpr char purpose[] = "kobalt draw need 8";
constexpr uint32_t most_samples = 64;  ///< VK_SAMPLE_COUNT_64_BIT
constexpr uint32_t most_distances = 8; ///< GL_MAX_COMBINED_CLIP_AND_CULL_DISTANCES
constexpr uint32_t most_needs = 64;    ///< a strange app can't make its own start ever slower

struct Entry {
    cache_key key;
};

Entry entry_of(disk_cache* cache, const Shader& shader, uint32_t number) {
    mesa_sha1 hash;
    unsigned char digest[SHA1_DIGEST_LENGTH];
    _mesa_sha1_init(&hash);
    _mesa_sha1_update(&hash, purpose, sizeof(purpose));
    _mesa_sha1_update(&hash, &number, sizeof(number));
    _mesa_sha1_update(&hash, shader.prepared.data(), shader.prepared.size());
    _mesa_sha1_final(&hash, digest);
    Entry entry;
    disk_cache_compute_key(cache, digest, sizeof(digest), entry.key);
    return entry;
}

Record record_of(const DrawNeed& need) {
    return {need.key.point_smooth,
            need.key.polygon_stipple,
            need.key.at_samples,
            need.key.alpha_to_one,
            need.key.other_position,
            need.key.coverage_samples,
            need.key.extra_outputs,
            need.key.extra_integers,
            need.outline,
            need.key.extra_patch_outputs,
            need.key.extra_patch_integers,
            need.key.input_clip_distances,
            need.key.input_cull_distances,
            {need.key.workgroup_size[0], need.key.workgroup_size[1], need.key.workgroup_size[2]},
            need.key.fetches_samples};
}

DrawNeed need_of(const Record& record) {
    DrawNeed need;
    need.key.point_smooth = record.point_smooth != 0;
    need.key.polygon_stipple = record.polygon_stipple != 0;
    need.key.at_samples = record.at_samples != 0;
    need.key.alpha_to_one = record.alpha_to_one != 0;
    need.key.coverage_samples = record.coverage_samples;
    need.key.other_position = record.other_position != 0;
    need.key.extra_outputs = record.extra_outputs;
    need.key.extra_integers = record.extra_integers;
    need.outline = record.outline != 0;
    need.key.extra_patch_outputs = record.extra_patch_outputs;
    need.key.extra_patch_integers = record.extra_patch_integers;
    need.key.input_clip_distances = record.input_clip_distances;
    need.key.input_cull_distances = record.input_cull_distances;
    std::ranges::copy(record.workgroup_size, need.key.workgroup_size.begin());
    need.key.fetches_samples = record.fetches_samples != 0;
    return need;
}

/// Whether a workgroup of that size is one of the device's.
bool fits(Screen& screen, uint32_t x, uint32_t y, uint32_t z) {
    const VkPhysicalDeviceLimits& limits = screen.device().limits();
    const uint32_t(&most)[3] = limits.maxComputeWorkGroupSize;
    return x && y && z && x <= most[0] && y <= most[1] && z <= most[2] &&
           uint64_t{x} * y * z <= limits.maxComputeWorkGroupInvocations;
}

/// Whether a draw can have asked for that of this shader. The cache has checksums, but a file that
/// somebody wrote must not make the driver build what no draw would.
bool plausible(Screen& screen, const Record& record, const Shader& shader) {
    for (const uint32_t flag :
         {record.point_smooth, record.polygon_stipple, record.at_samples, record.alpha_to_one,
          record.other_position, record.outline, record.fetches_samples})
        if (flag > 1)
            return false;
    if (record.coverage_samples > most_samples)
        return false;
    if (record.input_clip_distances > most_distances ||
        record.input_cull_distances > most_distances - record.input_clip_distances ||
        (record.input_clip_distances && !record.input_cull_distances))
        return false;
    if (record.fetches_samples && !shader.facts.fetched_attachments)
        return false;
    if (record.extra_integers & ~record.extra_outputs)
        return false;
    if (record.extra_outputs & shader.facts.outputs_written_mask_locations)
        return false;
    if (record.extra_patch_integers & ~record.extra_patch_outputs)
        return false;
    const auto& [x, y, z] = record.workgroup_size;
    if (shader.variable_workgroup)
        return fits(screen, x, y, z);
    if (x | y | z)
        return false;
    const uint32_t patch_locations =
        shader.stage == MESA_SHADER_TESS_CTRL ? BITFIELD_MASK(spirv::patch_locations) : 0;
    if (record.extra_patch_outputs & (shader.facts.patch_outputs_written_mask | ~patch_locations))
        return false;
    if (shader.stage == MESA_SHADER_FRAGMENT)
        return !record.other_position && !record.extra_outputs;
    return !record.point_smooth && !record.polygon_stipple && !record.at_samples &&
           !record.alpha_to_one && !record.coverage_samples;
}

std::optional<DrawNeed> recall(Screen& screen, const Shader& shader, uint32_t number) {
    disk_cache* cache = screen.cache;
    const Entry entry = entry_of(cache, shader, number);
    size_t bytes = 0;
    const std::unique_ptr<void, decltype(&std::free)> stored(
        disk_cache_get(cache, entry.key, &bytes), std::free);
    if (!stored)
        return {};
    Record record;
    if (bytes == sizeof(record)) {
        std::memcpy(&record, stored.get(), sizeof(record));
        if (plausible(screen, record, shader))
            return need_of(record);
    }
    // What stands there keeps its place from what a draw will really need.
    disk_cache_remove(cache, entry.key);
    return {};
}

} // namespace

void Shader::remember(Screen& screen, const DrawNeed& need) {
    if (!screen.cache || needs_.size() >= most_needs ||
        std::ranges::find(needs_, need) != needs_.end())
        return;
    // Where another process has taken the number, its need stays; ours is met again next time.
    const Entry entry = entry_of(screen.cache, *this, static_cast<uint32_t>(needs_.size()));
    needs_.push_back(need);
    const Record record = record_of(need);
    disk_cache_put(screen.cache, entry.key, &record, sizeof(record), nullptr);
}

void Shader::note_need(Screen& screen, const DrawNeed& need) {
    const std::lock_guard lock(variants_mutex_);
    remember(screen, need);
}

void Shader::build_remembered(Screen& screen) {
    if (!screen.cache || prepared.empty())
        return;
    while (needs_.size() < most_needs) {
        const auto need = recall(screen, *this, static_cast<uint32_t>(needs_.size()));
        if (!need)
            break;
        needs_.push_back(*need);
    }
    for (const DrawNeed& need : needs_) {
        if (need.outline)
            build_outline(screen, *this);
        else
            variant(screen, need.key, nullptr);
    }
}

} // namespace kobalt::gallium
