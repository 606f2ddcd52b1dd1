// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "binary_mutation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "../../support/mesa_binary.h"

namespace kobalt::fuzz {
namespace {

constexpr std::size_t kFront = sizeof(MesaBinaryHeader) + mesa_signature_bytes;
constexpr std::array<std::uint32_t, 8> kWords{0,      1,          2,          0xff,
                                              0xffff, 0x7fffffff, 0x80000000, 0xffffffff};

/// A place in `bytes`, which isn't empty; often in what stands in front of the payload.
std::size_t some_place(Random& random, std::span<const std::byte> bytes) {
    const std::size_t limit = random.one_in(4) ? std::min(bytes.size(), kFront) : bytes.size();
    return random.below(static_cast<std::uint32_t>(limit));
}

/// Some bytes of `bytes`, which isn't empty.
std::span<const std::byte> some_chunk(Random& random, std::span<const std::byte> bytes) {
    const std::size_t begin = some_place(random, bytes);
    const std::size_t most =
        std::min<std::size_t>(bytes.size() - begin, random.one_in(4) ? 4096 : 64);
    return bytes.subspan(begin, random.below(static_cast<std::uint32_t>(most)) + 1);
}

void change(Random& random, Bytes& bytes, std::span<const std::byte> other) {
    const std::size_t place = some_place(random, bytes);
    const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(place);
    switch (random.below(7)) {
    case 0:
        bytes.resize(place);
        break;
    case 1: {
        const std::size_t size = some_chunk(random, std::span(bytes).subspan(place)).size();
        bytes.erase(at, at + static_cast<std::ptrdiff_t>(size));
        break;
    }
    case 2: {
        const auto chunk = some_chunk(random, other);
        bytes.insert(at, chunk.begin(), chunk.end());
        break;
    }
    case 3: { // what stands there in another one, mostly
        const auto chunk = random.one_in(3) || place >= other.size()
                               ? some_chunk(random, other)
                               : some_chunk(random, other.subspan(place));
        std::copy_n(chunk.begin(), std::min(chunk.size(), bytes.size() - place), at);
        break;
    }
    case 4: {
        const std::uint32_t word = random.pick(kWords);
        const std::size_t aligned = place / sizeof word * sizeof word;
        std::memcpy(bytes.data() + aligned, &word, std::min(sizeof word, bytes.size() - aligned));
        break;
    }
    default:
        *at ^= std::byte{1} << random.below(8);
    }
}

/// Makes the header fit what is behind it, in Mesa's format or in that with a signature.
void mend(Random& random, Bytes& bytes) {
    if (random.one_in(6) && bytes.size() >= kFront) { // the signature goes
        const auto behind_header =
            bytes.begin() + static_cast<std::ptrdiff_t>(sizeof(MesaBinaryHeader));
        bytes.erase(behind_header,
                    behind_header + static_cast<std::ptrdiff_t>(mesa_signature_bytes));
    }
    mend_size(bytes, random.one_in(2) ? mesa_signature_bytes : 0);
    mend_checksum(bytes);
}

} // namespace

Bytes mutated(Random& random, std::span<const Bytes> originals) {
    Bytes bytes = random.pick(originals);
    if (random.one_in(16)) {
        return bytes;
    }
    const Bytes other = random.pick(originals);
    for (int changes = random.between(1, 4); changes > 0 && !bytes.empty(); --changes) {
        change(random, bytes, other);
    }
    if (random.one_in(2)) {
        mend(random, bytes);
    }
    return {bytes.begin(), bytes.end()}; // no room behind it: tools see an access there
}

} // namespace kobalt::fuzz
