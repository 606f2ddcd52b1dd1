// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <cstring>
#include <vector>

#include "scene.h"

// The CPU's work for a game's frame: 2,000 objects, each with a transform of its own, in twelve
// materials.

namespace kobalt::frame {
namespace {

constexpr int kObjects = 2000;
constexpr size_t kMaterials = 12;

/// How each object's place gets to the shader, or what else changes between two draws.
enum class Way {
    Sorted,         ///< a plain uniform; objects sorted by material
    Unsorted,       ///< a plain uniform; another material with each object
    SubData,        ///< glBufferSubData on one bound uniform buffer
    Orphaned,       ///< glBufferData on one bound uniform buffer
    MappedOnce,     ///< one map a frame, then ranges of the buffer
    Persistent,     ///< a persistent map, then ranges of the buffer
    VertexSubData,  ///< vertices by glBufferSubData
    VertexOrphaned, ///< vertices by glBufferData
    VertexMapped,   ///< vertices by an unsynchronised map
    States,         ///< sorted, with blending and depth writes switched for each object
    Framebuffers    ///< sorted, with another framebuffer each ten objects
};

constexpr bool uses_block(Way way) {
    return way == Way::SubData || way == Way::Orphaned || way == Way::MappedOnce ||
           way == Way::Persistent;
}

constexpr bool sends_vertices(Way way) {
    return way == Way::VertexSubData || way == Way::VertexOrphaned || way == Way::VertexMapped;
}

using Place = std::array<float, 16>;
using Corners = std::array<float, 12>;

/// The vertex shader: objects have their place in a uniform or in a block.
std::string vertex_shader(bool block) {
    const std::string place = block ? "layout(std140, binding = 0) uniform Place { mat4 place; };"
                                    : "uniform mat4 place;";
    return place + R"(
layout(location = 0) in vec4 corner;
out vec2 uv;
void main() { uv = corner.xy; gl_Position = place * corner; })";
}

template <Way way>
class Game : public Scene {
public:
    explicit Game(Size size) : size_(size) {
        for (GLuint& target : targets_) {
            target = make_framebuffer(std::array{make_texture(GL_RGBA8, size)},
                                      make_texture(GL_DEPTH24_STENCIL8, size));
        }
        for (GLuint& texture : textures_) {
            texture = make_texture(GL_RGBA8, {16, 16});
        }
        gl::GenVertexArrays(static_cast<GLsizei>(kMaterials), arrays_.data());
        for (size_t i = 0; i < kMaterials; ++i) {
            // Each program has another constant, so that no two are one.
            programs_[i] = make_program(
                vertex_shader(uses_block(way)),
                sampling("o = texture(a, uv) + texture(b, uv) * " + std::to_string(i + 1) + ".0;"));
            places_[i] = gl::GetUniformLocation(programs_[i], "place");
            gl::BindVertexArray(arrays_[i]);
            vertices_[i] = make_buffer(GL_ARRAY_BUFFER, vertex_bytes(), nullptr, GL_DYNAMIC_DRAW);
            gl::BufferSubData(GL_ARRAY_BUFFER, 0, sizeof(Corners), kCorners.data());
            gl::VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, nullptr);
            gl::EnableVertexAttribArray(0);
        }
        GLint alignment = 1;
        gl::GetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &alignment);
        step_ = (static_cast<GLsizeiptr>(sizeof(Place)) + alignment - 1) / alignment * alignment;
        make_blocks();
    }

    void draw(int frame) override {
        use(targets_[0], size_);
        set_state(Depth::Write, Blend::Off);
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        fill_blocks(frame);
        for (int i = 0; i < kObjects; ++i) {
            // Sorted: all objects of a material follow each other.
            const auto material = static_cast<size_t>(
                way == Way::Unsorted ? i % static_cast<int>(kMaterials)
                                     : i * static_cast<int>(kMaterials) / kObjects);
            if (i == 0 || material != last_) {
                use_material(material);
            }
            change(i, frame);
            gl::DrawArrays(GL_TRIANGLES, first_vertex_, 3);
        }
        if (way == Way::Persistent) {
            fences_.at(static_cast<size_t>(frame % kRing)) =
                gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        }
    }

private:
    static constexpr Corners kCorners{-0.01F, -0.01F, 0.0F, 1.0F,  0.01F, -0.01F,
                                      0.0F,   1.0F,   0.0F, 0.01F, 0.0F,  1.0F};
    static constexpr int kRing = 3; ///< frames that a persistent map holds

    static GLsizeiptr vertex_bytes() {
        return static_cast<GLsizeiptr>(sizeof(Corners)) * (sends_vertices(way) ? kObjects : 1);
    }

    void make_blocks() {
        if (!uses_block(way)) {
            return;
        }
        blocks_ = make_buffer(GL_UNIFORM_BUFFER, step_ * kObjects, nullptr, GL_DYNAMIC_DRAW);
        if (way == Way::Persistent) {
            constexpr GLbitfield access =
                GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
            gl::GenBuffers(1, &blocks_);
            gl::BindBuffer(GL_UNIFORM_BUFFER, blocks_);
            gl::BufferStorage(GL_UNIFORM_BUFFER, step_ * kObjects * kRing, nullptr, access);
            memory_ = static_cast<char*>(
                gl::MapBufferRange(GL_UNIFORM_BUFFER, 0, step_ * kObjects * kRing, access));
        }
        gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, blocks_, 0, sizeof(Place));
    }

    void fill_blocks(int frame) {
        if (way == Way::MappedOnce) {
            gl::BindBuffer(GL_UNIFORM_BUFFER, blocks_);
            memory_ = static_cast<char*>(
                gl::MapBufferRange(GL_UNIFORM_BUFFER, 0, step_ * kObjects,
                                   GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT));
            for (int i = 0; i < kObjects && memory_ != nullptr; ++i) {
                write_place(memory_ + step_ * i, i);
            }
            gl::UnmapBuffer(GL_UNIFORM_BUFFER);
        } else if (way == Way::Persistent) {
            wait_for_ring(frame);
        }
    }

    /// Waits for the frame that used this part of the persistent buffer before.
    void wait_for_ring(int frame) {
        constexpr GLuint64 one_second = 1'000'000'000;
        GLsync& turn = fences_.at(static_cast<size_t>(frame % kRing));
        if (turn != nullptr) {
            gl::ClientWaitSync(turn, GL_SYNC_FLUSH_COMMANDS_BIT, one_second);
            gl::DeleteSync(turn);
        }
    }

    static void write_place(void* to, int object) {
        Place place{};
        for (size_t i = 0; i < 4; ++i) {
            place[5 * i] = 1.0F;
        }
        place[12] = static_cast<float>(object % 50) / 25.0F - 1.0F;
        place[13] = static_cast<float>(object) / kObjects * 2.0F - 1.0F;
        std::memcpy(to, place.data(), sizeof place);
    }

    void use_material(size_t material) {
        last_ = material;
        gl::UseProgram(programs_[material]);
        bind_texture(0, textures_[material]);
        bind_texture(1, textures_[(material + 1) % kMaterials]);
        gl::BindVertexArray(arrays_[material]);
        gl::BindBuffer(GL_ARRAY_BUFFER, vertices_[material]);
        first_vertex_ = 0;
    }

    void change(int object, int frame) {
        Place place{};
        write_place(place.data(), object);
        if (way == Way::SubData) {
            gl::BufferSubData(GL_UNIFORM_BUFFER, 0, sizeof place, place.data());
        } else if (way == Way::Orphaned) {
            gl::BufferData(GL_UNIFORM_BUFFER, sizeof place, place.data(), GL_STREAM_DRAW);
        } else if (way == Way::MappedOnce) {
            gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, blocks_, step_ * object, sizeof place);
        } else if (way == Way::Persistent) {
            const GLintptr offset = step_ * (frame % kRing * kObjects + object);
            if (memory_ != nullptr) {
                std::memcpy(memory_ + offset, place.data(), sizeof place);
            }
            gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, blocks_, offset, sizeof place);
        } else {
            gl::UniformMatrix4fv(places_[last_], 1, GL_FALSE, place.data());
        }
        send_vertices();
        if (way == Way::States) {
            set_state(object % 2 == 0 ? Depth::Write : Depth::Test,
                      object % 2 == 0 ? Blend::Off : Blend::Over);
        } else if (way == Way::Framebuffers && object % 10 == 0) {
            use(targets_.at(static_cast<size_t>(object / 10 % 2)), size_);
        }
    }

    void send_vertices() {
        constexpr auto bytes = static_cast<GLsizeiptr>(sizeof(Corners));
        if (way == Way::VertexOrphaned) {
            gl::BufferData(GL_ARRAY_BUFFER, bytes, kCorners.data(), GL_STREAM_DRAW);
        } else if (way == Way::VertexSubData) {
            gl::BufferSubData(GL_ARRAY_BUFFER, 0, bytes, kCorners.data());
        } else if (way == Way::VertexMapped) {
            first_vertex_ += 3;
            void* const to = gl::MapBufferRange(GL_ARRAY_BUFFER, bytes * (first_vertex_ / 3), bytes,
                                                GL_MAP_WRITE_BIT | GL_MAP_UNSYNCHRONIZED_BIT);
            if (to != nullptr) {
                std::memcpy(to, kCorners.data(), sizeof kCorners);
            }
            gl::UnmapBuffer(GL_ARRAY_BUFFER);
        }
    }

    Size size_;
    std::array<GLuint, 2> targets_{};
    std::array<GLuint, kMaterials> textures_{}, arrays_{}, vertices_{}, programs_{};
    std::array<GLint, kMaterials> places_{};
    GLsizeiptr step_ = 0; ///< bytes from one object's block to the next
    GLuint blocks_ = 0;
    char* memory_ = nullptr; ///< the mapped blocks
    std::array<GLsync, kRing> fences_{};
    size_t last_ = 0; ///< the material in use
    GLint first_vertex_ = 0;
};

constexpr std::array kKinds{
    Kind{"game_sorted", "2,000 draws, each with a uniform, sorted by material",
         made<Game<Way::Sorted>>},
    Kind{"game_unsorted", "the same, another material with each draw", made<Game<Way::Unsorted>>},
    Kind{"game_subdata", "sorted, the place by glBufferSubData", made<Game<Way::SubData>>},
    Kind{"game_orphaned", "sorted, the place by glBufferData", made<Game<Way::Orphaned>>},
    Kind{"game_mapped", "sorted, all places by one map", made<Game<Way::MappedOnce>>},
    Kind{"game_persistent", "sorted, all places in a persistent map", made<Game<Way::Persistent>>},
    Kind{"game_vertex_subdata", "sorted, vertices by glBufferSubData",
         made<Game<Way::VertexSubData>>},
    Kind{"game_vertex_orphaned", "sorted, vertices by glBufferData",
         made<Game<Way::VertexOrphaned>>},
    Kind{"game_vertex_mapped", "sorted, vertices by maps without a wait",
         made<Game<Way::VertexMapped>>},
    Kind{"game_states", "sorted, blending and depth writes change with each draw",
         made<Game<Way::States>>},
    Kind{"game_framebuffers", "sorted, another framebuffer each ten draws",
         made<Game<Way::Framebuffers>>}};

} // namespace

std::span<const Kind> game_scenes() {
    return kKinds;
}

} // namespace kobalt::frame
