// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/screen/numbered_records.h"

#include <cstdlib>
#include <cstring>
#include <memory>

#include "util/disk_cache.h"
#include "util/mesa-sha1.h"

namespace kobalt::gallium {

static_assert(sizeof(cache_key) == 20 && SHA1_DIGEST_LENGTH == 20);

NumberedRecords::NumberedRecords(disk_cache* cache, std::string_view purpose,
                                 std::span<const uint8_t> subject)
    : cache_(cache) {
    const uint64_t length = purpose.size(); // separates the purpose from the subject in the hash
    mesa_sha1 hash;
    _mesa_sha1_init(&hash);
    _mesa_sha1_update(&hash, &length, sizeof(length));
    _mesa_sha1_update(&hash, purpose.data(), purpose.size());
    _mesa_sha1_update(&hash, subject.data(), subject.size());
    _mesa_sha1_final(&hash, subject_.data());
}

std::array<uint8_t, 20> NumberedRecords::key_of(uint32_t number) const {
    std::array<uint8_t, sizeof(subject_) + sizeof(number)> named;
    std::memcpy(named.data(), subject_.data(), sizeof(subject_));
    std::memcpy(named.data() + sizeof(subject_), &number, sizeof(number));
    std::array<uint8_t, 20> key;
    disk_cache_compute_key(cache_, named.data(), named.size(), key.data());
    return key;
}

std::optional<std::vector<uint8_t>> NumberedRecords::read(uint32_t number) const {
    if (!cache_)
        return {};
    size_t size = 0;
    const std::unique_ptr<void, decltype(&std::free)> stored(
        disk_cache_get(cache_, key_of(number).data(), &size), std::free);
    if (!stored)
        return {};
    const auto* bytes = static_cast<const uint8_t*>(stored.get());
    return std::vector<uint8_t>(bytes, bytes + size);
}

void NumberedRecords::write(uint32_t number, std::span<const uint8_t> record) const {
    if (cache_)
        disk_cache_put(cache_, key_of(number).data(), record.data(), record.size(), nullptr);
}

void NumberedRecords::remove(uint32_t number) const {
    if (cache_)
        disk_cache_remove(cache_, key_of(number).data());
}

} // namespace kobalt::gallium
