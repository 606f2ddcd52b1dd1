// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/screen/known_variants.h"

#include <algorithm>
#include <string_view>

#include "util/u_process.h"

namespace kobalt::gallium {
namespace {

constexpr uint32_t most_variants = 16; ///< per program: each one makes its link longer
constexpr uint32_t most_fixed = 64;    ///< per stage: each one makes the app's start longer
constexpr uint32_t most_contexts = 4;  ///< recall_fixed(): the drawing context is among the first
constexpr uint32_t most_helpers = 64;  ///< each one makes the creation of a context longer
constexpr size_t most_recent = 3;      ///< each link builds this many variants more
constexpr size_t most_subjects = 4096; ///< bounds known_ for apps that always make new programs

NumberedRecords variants_of(disk_cache* cache, gl_shader_stage stage,
                            std::span<const uint8_t> code) {
    const std::string_view purpose =
        stage == MESA_SHADER_FRAGMENT ? "state variant, fragment" : "state variant";
    return NumberedRecords(cache, purpose, code);
}

NumberedRecords of_app(disk_cache* cache, std::string_view purpose) {
    const char* found = util_get_process_name();
    const std::string_view app = found ? found : "";
    return NumberedRecords(cache, purpose,
                           {reinterpret_cast<const uint8_t*>(app.data()), app.size()});
}

NumberedRecords fixed_programs(disk_cache* cache, gl_shader_stage stage) {
    return of_app(cache, stage == MESA_SHADER_FRAGMENT ? "fixed function, fragment"
                                                       : "fixed function, vertex");
}

NumberedRecords helper_shaders(disk_cache* cache) {
    return of_app(cache, "helper shaders");
}

std::vector<KnownVariants::Key> read_all(const NumberedRecords& records, uint32_t most) {
    std::vector<KnownVariants::Key> keys;
    while (keys.size() < most) {
        auto key = records.read(static_cast<uint32_t>(keys.size()));
        if (!key)
            break;
        keys.push_back(std::move(*key));
    }
    return keys;
}

} // namespace

void KnownVariants::make_room() {
    if (known_.size() >= most_subjects)
        known_.clear(); // keys are read from the cache again when they are needed
}

void KnownVariants::add(const NumberedRecords& records, uint32_t most,
                        std::span<const uint8_t> key) {
    const std::lock_guard lock(mutex_);
    make_room();
    const auto [found, first] = known_.try_emplace(records.subject());
    std::vector<Key>& keys = found->second;
    if (first)
        keys = read_all(records, most);
    const auto equal = [&](const Key& other) { return std::ranges::equal(other, key); };
    if (keys.size() >= most || std::ranges::any_of(keys, equal))
        return;
    records.write(static_cast<uint32_t>(keys.size()), key);
    keys.emplace_back(key.begin(), key.end());
}

std::vector<KnownVariants::Key> KnownVariants::keys_about(const NumberedRecords& records,
                                                          uint32_t most) {
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = known_.find(records.subject()); found != known_.end())
            return found->second;
    }
    std::vector<Key> keys = read_all(records, most);
    if (!keys.empty()) { // most programs have none
        const std::lock_guard lock(mutex_);
        make_room();
        known_.try_emplace(records.subject(), keys);
    }
    return keys;
}

void KnownVariants::remember(gl_shader_stage stage, std::span<const uint8_t> code,
                             std::span<const uint8_t> key, bool common) {
    add(variants_of(cache_, stage, code), most_variants, key);
    if (!common)
        return;
    Key copy(key.begin(), key.end());
    const std::lock_guard lock(mutex_);
    std::vector<Key>& recent = recent_[stage];
    std::erase(recent, copy);
    recent.insert(recent.begin(), std::move(copy));
    recent.resize(std::min(recent.size(), most_recent));
}

void KnownVariants::recall(gl_shader_stage stage, std::span<const uint8_t> code, size_t key_size,
                           const std::function<void(const Key& key, bool own)>& build) {
    for (const Key& key : keys_about(variants_of(cache_, stage, code), most_variants))
        if (key.size() == key_size)
            build(key, true);
    std::vector<Key> recent;
    {
        const std::lock_guard lock(mutex_);
        recent = recent_[stage];
    }
    for (const Key& key : recent)
        if (key.size() == key_size)
            build(key, false);
}

void KnownVariants::remember_fixed(gl_shader_stage stage, std::span<const uint8_t> key) {
    add(fixed_programs(cache_, stage), most_fixed, key);
}

void KnownVariants::recall_fixed(gl_shader_stage stage,
                                 const std::function<void(const Key& key)>& build) {
    {
        const std::lock_guard lock(mutex_);
        if (recalled_fixed_[stage] == most_contexts)
            return;
        ++recalled_fixed_[stage];
    }
    for (const Key& key : keys_about(fixed_programs(cache_, stage), most_fixed))
        build(key);
}

void KnownVariants::remember_helper(std::span<const uint8_t> shader) {
    add(helper_shaders(cache_), most_helpers, shader);
}

std::vector<KnownVariants::Key> KnownVariants::helpers() {
    return keys_about(helper_shaders(cache_), most_helpers);
}

} // namespace kobalt::gallium
