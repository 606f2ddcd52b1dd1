// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Programs with equal texts, and programs that come back: the driver may share what it made of a
// shader and keep what was bound to it, and each draw must see the values of its own moment.
#include <thread>

#include "fresh_text.h"
#include "pixel_grid.h"
#include "recording.h"

namespace kobalt::gltest {
namespace {

GLuint grey_texture(int value) {
    const auto v = static_cast<std::uint8_t>(value);
    const Byte4 texel{v, v, v, 255};
    return texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
}

Float4 grey(int value) {
    const float v = static_cast<float>(value) / 255.0F;
    return {v, v, v, 1};
}

GLuint grey_block(int value) {
    const Float4 content = grey(value);
    return make_buffer(GL_UNIFORM_BUFFER, sizeof(content), content.data());
}

std::string twin_text() {
    return kFreshUniform +
           "uniform float own; uniform sampler2D picture; layout(std140) uniform "
           "Block { vec4 block; }; out vec4 result; void main() { result = "
           "vec4(own / 255.0, block.g, texture(picture, vec2(0.5)).b, 1.0 + " +
           fresh_zero() + "); }";
}

/// A program with a uniform, a block and a texture of its own: what it draws is its values.
class Twin {
public:
    /// Takes the texture unit and the uniform buffer binding `place`.
    Twin(const std::string& text, GLuint place, const Byte4& values)
        : program_(vs_fs(kFullscreenVs, text)), values_(values) {
        bind(place);
        set_own(values[0]);
    }
    void bind(GLuint place) {
        set_uniform(program_, "picture", static_cast<int>(place));
        gl::UniformBlockBinding(program_, gl::GetUniformBlockIndex(program_, "Block"), place);
        gl::BindBufferBase(GL_UNIFORM_BUFFER, place, grey_block(values_[1]));
        gl::ActiveTexture(GL_TEXTURE0 + place);
        grey_texture(values_[2]);
    }
    void set_own(int value) {
        values_[0] = static_cast<std::uint8_t>(value);
        set_uniform(program_, "own", static_cast<float>(value));
    }
    void draw(PixelGrid& grid) const {
        gl::UseProgram(program_);
        grid.draw(values_);
    }

private:
    GLuint program_;
    Byte4 values_;
};

class SharedStageTest : public GlTest {};

TEST_F(SharedStageTest, EqualProgramsHaveTheirOwnValues) {
    PixelGrid grid;
    const std::string text = twin_text();
    Twin first(text, 1, {10, 20, 30, 255});
    Twin second(text, 2, {110, 120, 130, 255});
    for (int i = 0; i < 60; ++i) {
        (i % 2 ? second : first).draw(grid);
        if (i % 7 == 3) {
            first.set_own(i);
        }
        if (i % 9 == 5) {
            gl::Flush();
        }
        if (i == 40) {
            second.bind(5);
        }
    }
    EXPECT_EQ(grid.wrong(), 0);
}

TEST_F(SharedStageTest, AnotherProgramInBetween) {
    PixelGrid grid;
    const std::string text = twin_text();
    Twin first(text, 1, {10, 20, 30, 255});
    Twin second(text, 2, {110, 120, 130, 255});
    // The first of its blocks and textures have places of their own.
    const GLuint third = vs_fs(
        kFullscreenVs, "uniform sampler2D a, b; layout(std140) uniform A { vec4 c; }; "
                       "layout(std140) uniform B { vec4 d; }; out vec4 result; void main() { "
                       "result = texture(a, vec2(0.5)) * vec4(1, 0, 0, 1) + texture(b, vec2(0.5)) "
                       "* vec4(0, 1, 0, 0) + vec4(0, 0, c.b + d.b, 0); }");
    set_uniform(third, "a", 3);
    set_uniform(third, "b", 2); // as the second
    gl::ActiveTexture(GL_TEXTURE3);
    grey_texture(200);
    gl::UniformBlockBinding(third, gl::GetUniformBlockIndex(third, "A"), 3);
    gl::UniformBlockBinding(third, gl::GetUniformBlockIndex(third, "B"), 1); // as the first
    const GLuint blocks[] = {grey_block(40), grey_block(80)};
    for (int i = 0; i < 80; ++i) {
        if (i % 3 == 2) {
            const int round = i / 3 % 2;
            gl::BindBufferBase(GL_UNIFORM_BUFFER, 3, blocks[round]);
            gl::UseProgram(third);
            grid.draw({200, 130, static_cast<std::uint8_t>(round ? 100 : 60), 255});
        } else {
            (i % 3 ? second : first).draw(grid);
        }
        if (i % 8 == 5) {
            gl::Flush();
        }
        if (i % 10 == 9) {
            first.set_own(i);
        }
    }
    EXPECT_EQ(grid.wrong(), 0);
}

int draw_twins(const std::string& text, int seed) {
    PixelGrid grid;
    Twin first(text, 1, {0, static_cast<std::uint8_t>(seed), 30, 255});
    Twin second(text, 2, {0, static_cast<std::uint8_t>(seed + 50), 130, 255});
    int wrong = 0;
    for (int round = 0; round < 8; ++round) {
        for (int i = 0; i < 32; ++i) {
            Twin& twin = i % 2 ? second : first;
            twin.set_own((seed + round + i) % 256);
            twin.draw(grid);
        }
        wrong += grid.wrong();
    }
    return wrong;
}

/// Draws in `other` on a thread of its own, and in the current context meanwhile.
void expect_twins_in_both(const offscreen::Context& other) {
    const std::string text = twin_text();
    int wrong_there = -1;
    std::thread worker([&] {
        if (other.make_current()) {
            wrong_there = draw_twins(text, 11);
            other.release_current();
        }
    });
    const int wrong_here = draw_twins(text, 101);
    worker.join();
    EXPECT_EQ(wrong_here, 0);
    EXPECT_EQ(wrong_there, 0);
}

TEST_F(SharedStageTest, EqualProgramsInTwoContextsThatShare) {
    const auto other = context().create_shared(request());
    ASSERT_TRUE(other.has_value()) << other.error();
    expect_twins_in_both(*other);
}

TEST_F(SharedStageTest, EqualProgramsInTwoContexts) {
    const auto other = offscreen::Context::create(request()); // which becomes current
    ASSERT_TRUE(other.has_value()) << other.error();
    watch_contents();
    ASSERT_TRUE(context().make_current());
    expect_twins_in_both(*other);
}

/// A program that reads a texture, a block and a texel buffer, and two others. What the first one
/// reads changes while another is in use.
class ComeBackTest : public GridTestOf<GlTest> {
protected:
    void prepare() override {
        GridTestOf<GlTest>::prepare();
        // Beyond the texture's right edge: the sampler says what is there.
        reader_ = vs_fs(kFullscreenVs,
                        "uniform sampler2D picture; uniform samplerBuffer texels; layout(std140) "
                        "uniform Block { vec4 block; }; out vec4 result; void main() { result = "
                        "vec4(texture(picture, vec2(1.25, 0.5)).r, block.g, texelFetch(texels, "
                        "0).b, 1); }");
        set_uniform(reader_, "texels", 1);
        // Has other things at the same places.
        other_ = vs_fs(kFullscreenVs, "uniform sampler2D picture; uniform samplerBuffer texels; "
                                      "layout(std140) uniform Block { vec4 block; }; out vec4 "
                                      "result; void main() { result = vec4(texture(picture, "
                                      "vec2(0.5)).r, block.g, texelFetch(texels, 0).b, 1); }");
        set_uniform(other_, "picture", 2);
        set_uniform(other_, "texels", 3);
        gl::UniformBlockBinding(other_, gl::GetUniformBlockIndex(other_, "Block"), 2);
        plain_ =
            vs_fs(kFullscreenVs, "out vec4 result; void main() { result = vec4(0, 0, 1, 1); }");
        gl::ActiveTexture(GL_TEXTURE2);
        grey_texture(7);
        gl::BindBufferBase(GL_UNIFORM_BUFFER, 2, grey_block(8));
        gl::ActiveTexture(GL_TEXTURE3);
        const Float4 nine = grey(9);
        new_texture(GL_TEXTURE_BUFFER);
        gl::TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F,
                      make_buffer(GL_TEXTURE_BUFFER, sizeof(nine), nine.data()));

        gl::ActiveTexture(GL_TEXTURE0);
        texture_ = grey_texture(0);
        block_ = grey_block(0);
        gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, block_);
        gl::ActiveTexture(GL_TEXTURE1);
        texel_texture_ = new_texture(GL_TEXTURE_BUFFER);
        const Float4 none = grey(0);
        texels_ = make_buffer(GL_TEXTURE_BUFFER, sizeof(none), none.data());
        gl::TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, texels_);
    }

    /// `change` makes a channel of what the reader sees become a value; it is called with many, at
    /// different distances from the draws before and after.
    void expect_seen(const char* what, size_t channel, const std::function<void(int)>& change) {
        int value = 60;
        for (const auto& [before, after] :
             {std::pair{0, 0}, {1, 0}, {0, 1}, {1, 1}, {6, 0}, {0, 6}, {6, 6}}) {
            for (const bool reads : {true, false}) {
                draw_reader();
                draw_between(reads, before);
                value += 11;
                seen_.at(channel) = static_cast<std::uint8_t>(value);
                change(value);
                draw_between(reads, after);
                draw_reader();
                // Not at the first draw only.
                draw_between(!reads, 0);
                draw_reader();
            }
        }
        EXPECT_EQ(wrong_pixels(), 0) << what;
    }
    void draw_reader() { draw_with(reader_, seen_); }

    GLuint texture_ = 0, block_ = 0, texel_texture_ = 0, texels_ = 0;
    Byte4 seen_{0, 0, 0, 255};

private:
    /// Another program, over so many batches; the GPU has done all that came before the fourth.
    void draw_between(bool reads, int flushes) {
        for (int i = 0; i <= flushes; ++i) {
            if (i < 2) {
                draw_with(reads ? other_ : plain_, reads ? Byte4{7, 8, 9, 255} : kBlue);
            } else {
                gl::DrawArrays(GL_TRIANGLES, 0, 3);
            }
            if (i < flushes) {
                i == 3 ? gl::Finish() : gl::Flush();
            }
        }
    }
    GLuint reader_ = 0, other_ = 0, plain_ = 0;
};

TEST_F(ComeBackTest, Textures) {
    gl::ActiveTexture(GL_TEXTURE0);
    const auto texel = [](int value) { return Byte4{static_cast<std::uint8_t>(value), 0, 0, 255}; };
    expect_seen("changed", 0, [&](int value) {
        gl::ActiveTexture(GL_TEXTURE0);
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                          texel(value).data());
    });
    expect_seen("replaced by another size", 0, [&](int value) {
        const std::vector<Byte4> texels(static_cast<size_t>(value) * 2, texel(value));
        gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, value, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       texels.data());
    });
    expect_seen("bound in turn", 0, [&](int value) { grey_texture(value); });
    texture_ = grey_texture(0);
    seen_[0] = 0;
    expect_seen("deleted and remade", 0, [&](int value) {
        gl::DeleteTextures(1, &texture_);
        texture_ = grey_texture(value);
    });
}

TEST_F(ComeBackTest, UniformBuffers) {
    expect_seen("changed", 1, [&](int value) {
        gl::BindBuffer(GL_UNIFORM_BUFFER, block_);
        gl::BufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(Float4), grey(value).data());
    });
    expect_seen("orphaned", 1, [&](int value) {
        gl::BufferData(GL_UNIFORM_BUFFER, sizeof(Float4), nullptr, GL_STREAM_DRAW);
        gl::BufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(Float4), grey(value).data());
    });
    expect_seen("replaced by another size", 1, [&](int value) {
        const std::vector<Float4> content(static_cast<size_t>(value), grey(value));
        gl::BufferData(GL_UNIFORM_BUFFER, static_cast<GLsizeiptr>(content.size() * sizeof(Float4)),
                       content.data(), GL_STREAM_DRAW);
    });
    expect_seen("deleted and remade", 1, [&](int value) {
        gl::DeleteBuffers(1, &block_);
        block_ = grey_block(value);
        gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, block_);
    });
    std::vector<Float4> all(256 * 16);
    for (size_t i = 0; i < 256; ++i) {
        all[i * 16] = grey(static_cast<int>(i));
    }
    const GLuint ranges = make_buffer(GL_UNIFORM_BUFFER, all);
    expect_seen("another range", 1, [&](int value) {
        gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, ranges, static_cast<GLintptr>(value) * 256,
                            sizeof(Float4));
    });
}

TEST_F(ComeBackTest, TexelBuffers) {
    expect_seen("changed", 2, [&](int value) {
        gl::BufferSubData(GL_TEXTURE_BUFFER, 0, sizeof(Float4), grey(value).data());
    });
    expect_seen("orphaned", 2, [&](int value) {
        gl::BufferData(GL_TEXTURE_BUFFER, sizeof(Float4), nullptr, GL_STREAM_DRAW);
        gl::BufferSubData(GL_TEXTURE_BUFFER, 0, sizeof(Float4), grey(value).data());
    });
    expect_seen("replaced by another size", 2, [&](int value) {
        const std::vector<Float4> content(static_cast<size_t>(value), grey(value));
        gl::BufferData(GL_TEXTURE_BUFFER, static_cast<GLsizeiptr>(content.size() * sizeof(Float4)),
                       content.data(), GL_STREAM_DRAW);
    });
    gl::ActiveTexture(GL_TEXTURE1);
    expect_seen("another buffer", 2, [&](int value) {
        const GLuint next = make_buffer(GL_TEXTURE_BUFFER, sizeof(Float4), grey(value).data());
        gl::TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, next);
        gl::DeleteBuffers(1, &texels_);
        texels_ = next;
    });
    expect_seen("deleted and remade", 2, [&](int value) {
        gl::DeleteTextures(1, &texel_texture_);
        gl::DeleteBuffers(1, &texels_);
        texel_texture_ = new_texture(GL_TEXTURE_BUFFER);
        texels_ = make_buffer(GL_TEXTURE_BUFFER, sizeof(Float4), grey(value).data());
        gl::TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, texels_);
    });
}

TEST_F(ComeBackTest, Samplers) {
    gl::ActiveTexture(GL_TEXTURE0);
    // Repeated, 1.25 is the left texel; clamped, the right one. The change is between the two.
    const auto fill = [](int left, int right) {
        const std::array<Byte4, 2> texels{Byte4{static_cast<std::uint8_t>(left), 0, 0, 255},
                                          Byte4{static_cast<std::uint8_t>(right), 0, 0, 255}};
        gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       texels.data());
    };
    const auto wrap = [](bool repeat) { return repeat ? GL_REPEAT : GL_CLAMP_TO_EDGE; };
    fill(40, 50);
    seen_[0] = 50;
    bool repeat = false;
    const auto flip = [&](const std::function<void(GLint)>& apply) {
        return [&, apply](int) {
            repeat = !repeat;
            seen_[0] = repeat ? 40 : 50;
            apply(wrap(repeat));
        };
    };
    expect_seen("texture parameter", 0, flip([](GLint mode) {
                    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, mode);
                }));
    GLuint sampler = 0;
    const auto make = [&](GLint mode) {
        gl::GenSamplers(1, &sampler);
        gl::SamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl::SamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        gl::SamplerParameteri(sampler, GL_TEXTURE_WRAP_S, mode);
        gl::BindSampler(0, sampler);
    };
    make(wrap(repeat));
    expect_seen("sampler's parameter", 0,
                flip([&](GLint mode) { gl::SamplerParameteri(sampler, GL_TEXTURE_WRAP_S, mode); }));
    expect_seen("another sampler", 0, flip(make));
    expect_seen("deleted and remade", 0, flip([&](GLint mode) {
                    gl::DeleteSamplers(1, &sampler);
                    make(mode);
                }));
    // It takes its sampler with it: the texture's own state counts again.
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    gl::DeleteSamplers(1, &sampler);
    seen_[0] = 40;
    expect_seen("the texture's again", 0, [&](int value) { fill(value, 0); });
}

} // namespace
} // namespace kobalt::gltest
