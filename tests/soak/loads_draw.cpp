// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Loads that draw: into a framebuffer object, and never with a swap.
#include <array>
#include <string>

#include "loads.h"
#include "scene.h"

namespace kobalt::soak {
namespace {

using offscreen::Context;
using offscreen::ContextRequest;

constexpr int kSize = 256;
/// The rectangle in the middle that covers half of each side.
constexpr std::array<float, 4> kMiddle{-0.5F, -0.5F, 0.5F, 0.5F};

/// What the loads of this file share: a target with a vertex array and a painter.
class DrawingLoad : public Load {
protected:
    DrawingLoad() : target_(kSize), array_(bind_new_vertex_array()) { target_.bind(); }
    const Target& target() const { return target_; }
    const Painter& painter() const { return painter_; }
    GLuint array() const { return array_; }

    /// The middle in one colour, a corner in another.
    static std::string wrong(const Byte4& middle, const Byte4& corner) {
        std::string text = wrong_pixels(kSize / 4, kSize / 4, kSize / 2, kSize / 2, middle);
        return !text.empty() ? text : wrong_pixels(0, 0, kSize / 4, kSize / 4, corner);
    }

private:
    Target target_;
    Painter painter_;
    GLuint array_;
};

class Frames : public DrawingLoad {
public:
    void step(std::uint32_t iteration) override {
        set_clear_colour(colour_of(iteration));
        gl::Clear(GL_COLOR_BUFFER_BIT);
        constexpr int kDraws = 20; // bands from the left to the right of the middle
        for (int i = 0; i < kDraws; ++i) {
            const float left = -0.5F + static_cast<float>(i) / kDraws;
            painter().draw({left, -0.5F, 0.5F, 0.5F},
                           colour_of(iteration + 1 + static_cast<std::uint32_t>(kDraws - i)));
        }
        painter().draw(kMiddle, colour_of(iteration + 1));
        gl::Flush();
    }
    std::string wrong_after(std::uint32_t last) override {
        return wrong(colour_of(last + 1), colour_of(last));
    }
};

class Draws : public DrawingLoad {
public:
    void step(std::uint32_t iteration) override {
        painter().draw({-1, -1, -0.5F, -0.5F}, colour_of(iteration));
        painter().draw(kMiddle, colour_of(iteration + 1));
    }
    std::string wrong_after(std::uint32_t last) override {
        return wrong(colour_of(last + 1), colour_of(last));
    }
};

class Clears : public DrawingLoad {
public:
    Clears() : other_(kSize) {}
    void step(std::uint32_t iteration) override {
        clear(other_, colour_of(iteration + 1));
        clear(target(), colour_of(iteration));
    }
    std::string wrong_after(std::uint32_t last) override {
        target().bind();
        std::string text = wrong_pixels(0, 0, kSize, kSize, colour_of(last));
        other_.bind();
        return !text.empty() ? text : wrong_pixels(0, 0, kSize, kSize, colour_of(last + 1));
    }

private:
    static void clear(const Target& target, const Byte4& colour) {
        target.bind();
        set_clear_colour(colour);
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }
    Target other_;
};

class Queries : public DrawingLoad {
public:
    void step(std::uint32_t iteration) override {
        if (query_ != 0) {
            gl::DeleteQueries(1, &query_);
        }
        gl::GenQueries(1, &query_);
        gl::BeginQuery(GL_SAMPLES_PASSED, query_);
        painter().draw(kMiddle, colour_of(iteration));
        gl::EndQuery(GL_SAMPLES_PASSED);
    }
    std::string wrong_after(std::uint32_t last) override {
        GLuint samples = 0;
        gl::GetQueryObjectuiv(query_, GL_QUERY_RESULT, &samples);
        constexpr GLuint kExpected = kSize / 2 * kSize / 2;
        if (samples != kExpected) {
            return "the last query counted " + std::to_string(samples) + " samples, expected " +
                   std::to_string(kExpected);
        }
        return wrong_pixels(kSize / 4, kSize / 4, kSize / 2, kSize / 2, colour_of(last));
    }

private:
    GLuint query_ = 0;
};

class Fences : public DrawingLoad {
public:
    void step(std::uint32_t iteration) override {
        painter().draw(kMiddle, colour_of(iteration));
        gl::DeleteSync(gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
    }
    std::string wrong_after(std::uint32_t last) override {
        return wrong_pixels(kSize / 4, kSize / 4, kSize / 2, kSize / 2, colour_of(last));
    }
};

class Programs : public DrawingLoad {
public:
    void step(std::uint32_t iteration) override {
        // A text of its own each time, so that no cache knows the program.
        const Byte4 colour = colour_of(iteration);
        std::string fragment = "out vec4 result; void main() { result = vec4(";
        for (const std::uint8_t channel : colour) {
            fragment += std::to_string(channel) + ".0, ";
        }
        fragment.resize(fragment.size() - 2);
        fragment +=
            ") / 255.0; if (gl_FragCoord.x < -" + std::to_string(iteration + 1) + ".0) discard; }";
        const GLuint program =
            link_program("void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) "
                         "- 0.5, 0, 1); }",
                         fragment);
        gl::UseProgram(program);
        gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        gl::UseProgram(0);
        gl::DeleteProgram(program);
    }
    std::string wrong_after(std::uint32_t last) override {
        return wrong_pixels(kSize / 4, kSize / 4, kSize / 2, kSize / 2, colour_of(last));
    }
};

class Contexts : public DrawingLoad {
public:
    explicit Contexts(const Context& context) : context_(context) {}
    void step(std::uint32_t iteration) override {
        // In turn one that shares the target's texture, and one on its own.
        const bool shares = iteration % 2 == 0;
        auto other =
            shares ? context_.create_shared(ContextRequest{}) : Context::create(ContextRequest{});
        if (!other || !other->make_current()) {
            failure_ = other ? "a new context can't be made current" : other.error();
            return;
        }
        bind_new_vertex_array();
        if (shares) {
            GLuint framebuffer = 0;
            gl::GenFramebuffers(1, &framebuffer);
            gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
            gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                                     target().texture(), 0);
            gl::Viewport(0, 0, kSize, kSize);
            painter().draw(kMiddle, colour_of(iteration));
            gl::Flush();
            // Deleted, because Mesa files framebuffer objects with what contexts share and so
            // keeps them, and the surfaces behind them, until the last context of the group ends.
            gl::DeleteFramebuffers(1, &framebuffer);
        } else {
            const Target target(kSize);
            const Painter painter;
            painter.draw(kMiddle, colour_of(iteration));
        }
        context_.make_current();
    }
    std::string wrong_after(std::uint32_t last) override {
        if (!failure_.empty()) {
            return failure_;
        }
        return wrong_pixels(kSize / 4, kSize / 4, kSize / 2, kSize / 2, colour_of(last & ~1U));
    }

private:
    const Context& context_;
    std::string failure_;
};

template <typename Kind>
std::unique_ptr<Load> make(const Context&) {
    return std::make_unique<Kind>();
}

constexpr LoadKind kLoads[] = {
    {"frames", "glClear, 21 draws, glFlush", make<Frames>},
    {"draws", "2 draws with uniforms", make<Draws>},
    {"clears", "glClear of 2 framebuffers", make<Clears>},
    {"queries", "a new occlusion query around a draw, never read", make<Queries>},
    {"fences", "a draw and glFenceSync, never waited for", make<Fences>},
    {"programs", "a new program linked, drawn with once and deleted", make<Programs>},
    {"contexts", "a context made, drawn in and destroyed",
     [](const Context& context) -> std::unique_ptr<Load> {
         return std::make_unique<Contexts>(context);
     }},
};

} // namespace

std::span<const LoadKind> drawing_loads() {
    return kLoads;
}

} // namespace kobalt::soak
