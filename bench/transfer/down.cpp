// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <cstring>

#include "pixel_buffer.h"
#include "ways.h"

// Read-backs: to a pointer, and into pixel buffers that the program maps.

namespace kobalt::transfer {
namespace {

class Down : public Mover {
public:
    explicit Down(const Subject& subject)
        : subject_(subject), found_(static_cast<size_t>(subject.bytes())) {}
    bool arrived() override { return found_ == subject_.pattern(); }

protected:
    const Subject& subject() const { return subject_; }
    std::vector<std::byte>& found() { return found_; }
    /// Copies the bound buffer to where the program wants the texels.
    void take_from_bound() {
        const void* const memory =
            gl::MapBufferRange(GL_PIXEL_PACK_BUFFER, 0, subject_.bytes(), GL_MAP_READ_BIT);
        if (memory != nullptr) {
            std::memcpy(found_.data(), memory, found_.size());
        }
        gl::UnmapBuffer(GL_PIXEL_PACK_BUFFER);
    }

private:
    const Subject& subject_;
    std::vector<std::byte> found_;
};

class ToPointer : public Down {
public:
    using Down::Down;
    void move() override { subject().read(found().data()); }
};

class GetImage : public Down {
public:
    using Down::Down;
    void move() override { subject().get(found().data()); }
};

/// One buffer, mapped at once.
class ToStatic : public Down {
public:
    explicit ToStatic(const Subject& subject)
        : Down(subject), buffer_(GL_PIXEL_PACK_BUFFER, subject.bytes(), nullptr) {}
    void move() override {
        buffer_.bind();
        subject().read(nullptr);
        take_from_bound();
        buffer_.unbind();
    }

private:
    PixelBuffer buffer_;
};

/// One buffer, which gets new storage before each read.
class ToOrphaned : public Down {
public:
    explicit ToOrphaned(const Subject& subject)
        : Down(subject), buffer_(GL_PIXEL_PACK_BUFFER, subject.bytes(), nullptr) {}
    void move() override {
        buffer_.bind();
        gl::BufferData(GL_PIXEL_PACK_BUFFER, subject().bytes(), nullptr, GL_STREAM_READ);
        subject().read(nullptr);
        take_from_bound();
        buffer_.unbind();
    }

private:
    PixelBuffer buffer_;
};

/// Three buffers take turns; each is mapped two reads later.
class ToRing : public Down {
public:
    explicit ToRing(const Subject& subject)
        : Down(subject), buffers_{{{GL_PIXEL_PACK_BUFFER, subject.bytes(), nullptr},
                                   {GL_PIXEL_PACK_BUFFER, subject.bytes(), nullptr},
                                   {GL_PIXEL_PACK_BUFFER, subject.bytes(), nullptr}}} {}
    void move() override {
        buffers_.at(moves_ % buffers_.size()).bind();
        subject().read(nullptr);
        if (++moves_ >= buffers_.size()) {
            buffers_.at(moves_ % buffers_.size()).bind();
            take_from_bound();
        }
        gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    }

private:
    std::array<PixelBuffer, 3> buffers_;
    size_t moves_ = 0;
};

template <class Type>
std::unique_ptr<Mover> made(const Subject& subject) {
    return std::make_unique<Type>(subject);
}

} // namespace

std::span<const Way> ways_down() {
    static constexpr std::array ways{
        Way{"pointer", made<ToPointer>}, Way{"get_image", made<GetImage>},
        Way{"pbo_static", made<ToStatic>}, Way{"pbo_orphaned", made<ToOrphaned>},
        Way{"pbo_ring", made<ToRing>}};
    return ways;
}

} // namespace kobalt::transfer
