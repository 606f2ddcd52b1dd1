// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What is bound is what a draw sees, after any order of binding, replacing, deleting and rebinding:
// random calls beside a model of them.
#include <random>

#include "support.h"

namespace kobalt::gltest {
namespace {

using Random = std::mt19937;

int pick(Random& random, int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
}

class BindingModelTest : public GlTest {
protected:
    void prepare() override {
        make_target({1, 1, GL_RGBA32F});
        bind_new_vao();
    }
};

// Four blocks, two of each stage, at six binding points.
class BlockModel {
public:
    static constexpr int kBlocks = 4;
    static constexpr int kPoints = 6;
    static constexpr int kBuffers = 5;
    static constexpr int kRanges = 3;

    BlockModel() {
        gl::GenBuffers(kBuffers, buffers_.data());
        for (int i = 0; i < kBuffers; ++i) {
            replace(i);
        }
        for (int i = 0; i < kPoints; ++i) {
            bind(i, 0, 0);
        }
        program_ = vs_fs(
            "layout(std140) uniform A { float a; }; layout(std140) uniform B { float b; }; flat "
            "out vec2 first; void main() { first = vec2(a, b); gl_Position = vec4((gl_VertexID & "
            "1) * 4 - 1, (gl_VertexID & 2) * 2 - 1, 0, 1); }",
            "layout(std140) uniform C { float c; }; layout(std140) uniform D { float d; }; flat in "
            "vec2 first; out vec4 result; void main() { result = vec4(first, c, d); }");
        for (int i = 0; i < kBlocks; ++i) {
            attach(i, i);
        }
    }
    void replace(int buffer) {
        std::vector<float> data(static_cast<size_t>(kRanges) * 64);
        for (int i = 0; i < kRanges; ++i) {
            data.at(static_cast<size_t>(i) * 64) = ++last_;
            value(buffer, i) = last_;
        }
        gl::BindBuffer(GL_COPY_WRITE_BUFFER, buffers_.at(static_cast<size_t>(buffer)));
        gl::BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(data.size() * sizeof(float)),
                       data.data(), GL_DYNAMIC_DRAW);
    }
    void write(int buffer, int range) {
        value(buffer, range) = ++last_;
        gl::BindBuffer(GL_COPY_WRITE_BUFFER, buffers_.at(static_cast<size_t>(buffer)));
        gl::BufferSubData(GL_COPY_WRITE_BUFFER, GLintptr{range} * 256, sizeof(float), &last_);
    }
    void bind(int point, int buffer, int range) {
        points_.at(static_cast<size_t>(point)) = {buffer, range};
        const GLuint name = buffers_.at(static_cast<size_t>(buffer));
        if (range == 0) {
            gl::BindBufferBase(GL_UNIFORM_BUFFER, static_cast<GLuint>(point), name);
        } else {
            gl::BindBufferRange(GL_UNIFORM_BUFFER, static_cast<GLuint>(point), name,
                                GLintptr{range} * 256, 16);
        }
    }
    /// Another buffer, maybe at the same name, and bound wherever the old one was.
    void remake(int buffer) {
        GLuint& name = buffers_.at(static_cast<size_t>(buffer));
        gl::DeleteBuffers(1, &name);
        gl::GenBuffers(1, &name);
        replace(buffer);
        for (int i = 0; i < kPoints; ++i) {
            const auto [bound, range] = points_.at(static_cast<size_t>(i));
            if (bound == buffer) {
                bind(i, bound, range);
            }
        }
    }
    void attach(int block, int point) {
        attached_.at(static_cast<size_t>(block)) = point;
        const char name[2] = {static_cast<char>('A' + block), 0};
        gl::UniformBlockBinding(program_, gl::GetUniformBlockIndex(program_, name),
                                static_cast<GLuint>(point));
    }
    void expect_right(int step) {
        draw_fullscreen(program_);
        Float4 expected{};
        for (size_t i = 0; i < kBlocks; ++i) {
            const auto [buffer, range] = points_.at(static_cast<size_t>(attached_.at(i)));
            expected.at(i) = value(buffer, range);
        }
        EXPECT_EQ(pixel_float(0, 0), expected) << "step " << step;
    }

private:
    struct Bound {
        int buffer, range;
    };
    float& value(int buffer, int range) {
        return values_.at(static_cast<size_t>(buffer) * kRanges + static_cast<size_t>(range));
    }
    GLuint program_ = 0;
    std::array<GLuint, kBuffers> buffers_{};
    std::array<float, static_cast<size_t>(kBuffers) * kRanges> values_{};
    std::array<Bound, kPoints> points_{};
    std::array<int, kBlocks> attached_{};
    float last_ = 0;
};

TEST_F(BindingModelTest, UniformBlocks) {
    Random random(7); // NOLINT(cert-msc32-c,cert-msc51-cpp): the same calls every time
    BlockModel model;
    // Blocks of another program, in the same slots.
    const GLuint other = vs_fs(kFullscreenVs, "layout(std140) uniform Z { vec4 z; }; out vec4 "
                                              "result; void main() { result = z; }");
    for (int step = 0; step < 600 && !HasFailure(); ++step) {
        for (int calls = pick(random, 3); calls >= 0; --calls) {
            switch (pick(random, 6)) {
            case 0:
                model.replace(pick(random, BlockModel::kBuffers));
                break;
            case 1:
                model.write(pick(random, BlockModel::kBuffers), pick(random, BlockModel::kRanges));
                break;
            case 2:
                model.attach(pick(random, BlockModel::kBlocks), pick(random, BlockModel::kPoints));
                break;
            case 3:
                model.remake(pick(random, BlockModel::kBuffers));
                break;
            default:
                model.bind(pick(random, BlockModel::kPoints), pick(random, BlockModel::kBuffers),
                           pick(random, BlockModel::kRanges));
                break;
            }
        }
        if (pick(random, 8) == 0) {
            draw_fullscreen(other);
        }
        model.expect_right(step);
    }
}

/// Textures of two texels, whose wrap modes tell what is left of them: 1 (clamped), 2 (repeated)
/// or the border's number.
class SamplerModel {
public:
    static constexpr int kUnits = 3;
    static constexpr int kTextures = 4;
    static constexpr int kSamplers = 3;

    SamplerModel() {
        program_ = vs_fs(kFullscreenVs,
                         "uniform sampler2D t0, t1, t2; out vec4 result; void main() { const vec2 "
                         "left = vec2(-0.25, 0.5); result = vec4(texture(t0, left).r, texture(t1, "
                         "left).r, texture(t2, left).r, 1); }");
        gl::UseProgram(program_);
        for (int i = 0; i < kUnits; ++i) {
            const char name[3] = {'t', static_cast<char>('0' + i), 0};
            set_uniform(program_, name, i);
        }
        gl::GenSamplers(kSamplers, samplers_.data());
        for (int i = 0; i < kTextures; ++i) {
            make(i);
        }
        for (int i = 0; i < kSamplers; ++i) {
            const GLuint sampler = samplers_.at(static_cast<size_t>(i));
            gl::SamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
            gl::SamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
            wrap_sampler(i, 0, 0);
        }
        for (int i = 0; i < kUnits; ++i) {
            bind(i, 0);
        }
    }
    void make(int texture) {
        GLuint& name = textures_.at(static_cast<size_t>(texture));
        gl::ActiveTexture(GL_TEXTURE0 + kUnits); // a unit that nobody reads
        gl::DeleteTextures(1, &name);
        const std::array<float, 2> texels{10.0F * static_cast<float>(texture) + 1,
                                          10.0F * static_cast<float>(texture) + 2};
        name = texture_2d(GL_R32F, 2, 1, GL_RED, GL_FLOAT, texels.data());
        wrap_texture(texture, 0, 0);
        for (int i = 0; i < kUnits; ++i) {
            if (units_.at(static_cast<size_t>(i)).texture == texture) {
                bind(i, texture);
            }
        }
    }
    void bind(int unit, int texture) {
        units_.at(static_cast<size_t>(unit)).texture = texture;
        gl::ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        gl::BindTexture(GL_TEXTURE_2D, textures_.at(static_cast<size_t>(texture)));
    }
    /// kSamplers: none.
    void bind_sampler(int unit, int sampler) {
        units_.at(static_cast<size_t>(unit)).sampler = sampler;
        gl::BindSampler(static_cast<GLuint>(unit),
                        sampler < kSamplers ? samplers_.at(static_cast<size_t>(sampler)) : 0);
    }
    void wrap_texture(int texture, int mode, float border) {
        texture_wraps_.at(static_cast<size_t>(texture)) = {mode, border};
        gl::ActiveTexture(GL_TEXTURE0 + kUnits);
        gl::BindTexture(GL_TEXTURE_2D, textures_.at(static_cast<size_t>(texture)));
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, kModes.at(static_cast<size_t>(mode)));
        const Float4 colour{border, 0, 0, 1};
        gl::TexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, colour.data());
    }
    void wrap_sampler(int sampler, int mode, float border) {
        sampler_wraps_.at(static_cast<size_t>(sampler)) = {mode, border};
        const GLuint name = samplers_.at(static_cast<size_t>(sampler));
        gl::SamplerParameteri(name, GL_TEXTURE_WRAP_S, kModes.at(static_cast<size_t>(mode)));
        const Float4 colour{border, 0, 0, 1};
        gl::SamplerParameterfv(name, GL_TEXTURE_BORDER_COLOR, colour.data());
    }
    void expect_right(int step) const {
        draw_fullscreen(program_);
        Float4 expected{0, 0, 0, 1};
        for (size_t i = 0; i < kUnits; ++i) {
            const Unit& unit = units_.at(i);
            const Wrap& wrap = unit.sampler < kSamplers
                                   ? sampler_wraps_.at(static_cast<size_t>(unit.sampler))
                                   : texture_wraps_.at(static_cast<size_t>(unit.texture));
            const float first = 10.0F * static_cast<float>(unit.texture) + 1;
            expected.at(i) = wrap.mode == 2 ? wrap.border : first + static_cast<float>(wrap.mode);
        }
        EXPECT_EQ(pixel_float(0, 0), expected) << "step " << step;
    }

private:
    static constexpr std::array<GLint, 3> kModes{GL_CLAMP_TO_EDGE, GL_REPEAT, GL_CLAMP_TO_BORDER};
    struct Unit {
        int texture = 0, sampler = kSamplers;
    };
    struct Wrap {
        int mode = 0; ///< of kModes
        float border = 0;
    };
    GLuint program_ = 0;
    std::array<GLuint, kTextures> textures_{};
    std::array<GLuint, kSamplers> samplers_{};
    std::array<Unit, kUnits> units_{};
    std::array<Wrap, kTextures> texture_wraps_{};
    std::array<Wrap, kSamplers> sampler_wraps_{};
};

TEST_F(BindingModelTest, TexturesAndSamplers) {
    Random random(8); // NOLINT(cert-msc32-c,cert-msc51-cpp): the same calls every time
    SamplerModel model;
    const std::array<Target, 2> others{make_target({8, 8}), make_target({8, 8})};
    const Target own = make_target({1, 1, GL_RGBA32F});
    const GLuint lone = vs_fs(kFullscreenVs, "uniform sampler2D t; out vec4 result; void main() { "
                                             "result = texture(t, vec2(0.5)); }");
    for (int step = 0; step < 600 && !HasFailure(); ++step) {
        for (int calls = pick(random, 3); calls >= 0; --calls) {
            const float border = static_cast<float>(100 + pick(random, 4));
            switch (pick(random, 7)) {
            case 0:
                model.wrap_texture(pick(random, SamplerModel::kTextures), pick(random, 3), border);
                break;
            case 1:
                model.wrap_sampler(pick(random, SamplerModel::kSamplers), pick(random, 3), border);
                break;
            case 2:
                model.make(pick(random, SamplerModel::kTextures));
                break;
            case 3:
                model.bind_sampler(pick(random, SamplerModel::kUnits),
                                   pick(random, SamplerModel::kSamplers + 1));
                break;
            default:
                model.bind(pick(random, SamplerModel::kUnits),
                           pick(random, SamplerModel::kTextures));
                break;
            }
        }
        // What the driver itself draws with, and a program with fewer samplers.
        if (pick(random, 8) == 0) {
            gl::BindFramebuffer(GL_READ_FRAMEBUFFER, others[0].framebuffer);
            gl::BindFramebuffer(GL_DRAW_FRAMEBUFFER, others[1].framebuffer);
            gl::BlitFramebuffer(0, 0, 8, 8, 8, 0, 0, 8, GL_COLOR_BUFFER_BIT, GL_LINEAR);
            own.bind();
        }
        if (pick(random, 8) == 0) {
            draw_fullscreen(lone);
        }
        model.expect_right(step);
    }
}

} // namespace
} // namespace kobalt::gltest
