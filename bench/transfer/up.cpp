// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <cstring>

#include "pixel_buffer.h"
#include "ways.h"

// Uploads: from a pointer, and out of pixel buffers.

namespace kobalt::transfer {
namespace {

class Up : public Mover {
public:
    explicit Up(const Subject& subject) : subject_(subject) {}
    bool arrived() override { return subject_.holds_pattern(); }

protected:
    const Subject& subject() const { return subject_; }

private:
    const Subject& subject_;
};

class FromPointer : public Up {
public:
    using Up::Up;
    void move() override { subject().upload(subject().pattern().data()); }
};

/// The buffer is filled once, and stays as it is.
class FromStatic : public Up {
public:
    explicit FromStatic(const Subject& subject)
        : Up(subject), buffer_(GL_PIXEL_UNPACK_BUFFER, subject.bytes(), subject.pattern().data()) {}
    void move() override {
        buffer_.bind();
        subject().upload(nullptr);
        buffer_.unbind();
    }

private:
    PixelBuffer buffer_;
};

/// The buffer gets new storage and content before each upload.
class FromOrphaned : public Up {
public:
    explicit FromOrphaned(const Subject& subject)
        : Up(subject), buffer_(GL_PIXEL_UNPACK_BUFFER, subject.bytes(), nullptr) {}
    void move() override {
        buffer_.bind();
        gl::BufferData(GL_PIXEL_UNPACK_BUFFER, subject().bytes(), subject().pattern().data(),
                       GL_STREAM_DRAW);
        subject().upload(nullptr);
        buffer_.unbind();
    }

private:
    PixelBuffer buffer_;
};

/// Three buffers take turns; each is mapped and written before its upload.
class FromRing : public Up {
public:
    explicit FromRing(const Subject& subject)
        : Up(subject), buffers_{{{GL_PIXEL_UNPACK_BUFFER, subject.bytes(), nullptr},
                                 {GL_PIXEL_UNPACK_BUFFER, subject.bytes(), nullptr},
                                 {GL_PIXEL_UNPACK_BUFFER, subject.bytes(), nullptr}}} {}
    void move() override {
        const PixelBuffer& buffer = buffers_.at(turn_);
        turn_ = (turn_ + 1) % buffers_.size();
        buffer.bind();
        void* const memory =
            gl::MapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, subject().bytes(), GL_MAP_WRITE_BIT);
        if (memory != nullptr) {
            std::memcpy(memory, subject().pattern().data(), static_cast<size_t>(subject().bytes()));
        }
        gl::UnmapBuffer(GL_PIXEL_UNPACK_BUFFER);
        subject().upload(nullptr);
        buffer.unbind();
    }

private:
    std::array<PixelBuffer, 3> buffers_;
    size_t turn_ = 0;
};

template <class Type>
std::unique_ptr<Mover> made(const Subject& subject) {
    return std::make_unique<Type>(subject);
}

} // namespace

std::span<const Way> ways_up() {
    static constexpr std::array ways{
        Way{"pointer", made<FromPointer>}, Way{"pbo_static", made<FromStatic>},
        Way{"pbo_orphaned", made<FromOrphaned>}, Way{"pbo_ring", made<FromRing>}};
    return ways;
}

} // namespace kobalt::transfer
