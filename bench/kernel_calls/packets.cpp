// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "kernel_calls/packets.h"

#include <algorithm>

#include "counting_layer/counters.h"

namespace kobalt::kernel {
namespace {

using counting::add;
using counting::Counter;

/// The operations of packets of type 3 that count.
enum Operation : std::uint32_t {
    DispatchDirect = 0x15,
    DispatchIndirect = 0x16,
    DrawIndirect = 0x24,
    DrawIndexIndirect = 0x25,
    DrawIndex2 = 0x27,
    DrawIndirectMulti = 0x2c,
    DrawIndexAuto = 0x2d,
    IndirectBufferConst = 0x33,
    DrawIndexOffset2 = 0x35,
    WriteData = 0x37,
    DrawIndexIndirectMulti = 0x38,
    WaitRegMem = 0x3c,
    IndirectBuffer = 0x3f,
    CpDma = 0x41,
    SurfaceSync = 0x43,
    EventWrite = 0x46,
    EventWriteEop = 0x47,
    ReleaseMem = 0x49,
    DmaData = 0x50,
    AcquireMem = 0x58
};

/// A packet that calls one that calls one and so on: deeper than any driver goes.
constexpr int kDeepest = 200;

bool has_bit(std::uint32_t word, int bit) {
    return (word >> bit & 1) != 0;
}

/// Counts what a packet does to the L2 cache and to the cache of compression metadata: the bits
/// where the word of flags has each, negative where there is none.
void count_caches(std::uint32_t flags, int invalidate, int write_back, int metadata) {
    if (has_bit(flags, invalidate))
        add(Counter::l2_invalidations);
    if (has_bit(flags, write_back))
        add(Counter::l2_writebacks);
    if (metadata >= 0 && has_bit(flags, metadata))
        add(Counter::metadata_invalidations);
}

void count_release(std::span<const std::uint32_t> body, Generation generation) {
    add(Counter::packet_releases);
    if (body.empty())
        return;
    if (generation == Generation::Gfx10AndNewer)
        count_caches(body[0], 20, 21, 13);
    else
        count_caches(body[0], 17, 15, -1);
}

void count_acquire(std::uint32_t operation, std::span<const std::uint32_t> body,
                   Generation generation) {
    add(Counter::packet_acquires);
    constexpr std::size_t newer_flags = 6; // GCR_CNTL is the seventh word
    if (generation == Generation::Gfx9AndOlder && !body.empty())
        count_caches(body[0], 23, 18, -1);
    else if (operation == AcquireMem && body.size() > newer_flags)
        count_caches(body[newer_flags], 14, 15, 5);
}

void count_event(std::span<const std::uint32_t> body) {
    // Events that flush or wait for a part of the pipeline.
    constexpr std::uint32_t flushes[] = {7, 15, 16, 42, 43, 44, 45, 46, 49};
    if (!body.empty() && std::ranges::find(flushes, body[0] & 63) != std::end(flushes))
        add(Counter::packet_flushes);
}

class Reader {
public:
    Reader(Generation generation, const FindWords& find) : generation_(generation), find_(find) {}

    void read(std::span<const std::uint32_t> words, int depth) {
        add(Counter::packet_words, words.size());
        while (!words.empty()) {
            const std::size_t length = std::min(length_of(words[0]), words.size());
            if (words[0] >> 30 == 3)
                count(words[0] >> 8 & 255, words.subspan(1, length - 1), depth);
            words = words.subspan(length);
        }
    }

private:
    static std::size_t length_of(std::uint32_t header) {
        constexpr std::uint32_t one_word_nop = 0xffff1000, type2 = 2;
        if (header >> 30 == type2 || header == one_word_nop)
            return 1;
        return (header >> 16 & 0x3fff) + 2;
    }

    void count(std::uint32_t operation, std::span<const std::uint32_t> body, int depth) {
        switch (operation) {
        case DrawIndirect:
        case DrawIndexIndirect:
        case DrawIndex2:
        case DrawIndirectMulti:
        case DrawIndexAuto:
        case DrawIndexOffset2:
        case DrawIndexIndirectMulti:
            add(Counter::packet_draws);
            break;
        case DispatchDirect:
        case DispatchIndirect:
            add(Counter::packet_dispatches);
            break;
        case CpDma:
        case DmaData:
        case WriteData:
            add(Counter::packet_copies);
            break;
        case WaitRegMem:
            add(Counter::packet_waits);
            break;
        case EventWrite:
            count_event(body);
            break;
        case ReleaseMem:
        case EventWriteEop:
            count_release(body, generation_);
            break;
        case AcquireMem:
        case SurfaceSync:
            count_acquire(operation, body, generation_);
            break;
        case IndirectBuffer:
        case IndirectBufferConst:
            follow(body, depth);
            break;
        default:
            break;
        }
    }

    void follow(std::span<const std::uint32_t> body, int depth) {
        std::span<const std::uint32_t> called;
        if (body.size() > 2 && depth < kDeepest) {
            const std::uint64_t address = body[0] | std::uint64_t{body[1]} << 32;
            called = find_(address & ~std::uint64_t{3}, body[2] & 0xfffff);
        }
        if (called.empty())
            add(Counter::packets_unread);
        read(called, depth + 1);
    }

    Generation generation_;
    const FindWords& find_;
};

} // namespace

void count_packets(std::span<const std::uint32_t> words, Generation generation,
                   const FindWords& find) {
    Reader(generation, find).read(words, 0);
}

} // namespace kobalt::kernel
