// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Conditional rendering (OpenGL 4.6, 10.9): all of its modes, and all that obeys it.
#include "query.h"

namespace kobalt::gltest {
namespace {

struct ConditionCase {
    GLenum mode;
    bool inverted;
};
constexpr ConditionCase kConditionModes[] = {
    {GL_QUERY_WAIT, false},
    {GL_QUERY_NO_WAIT, false},
    {GL_QUERY_BY_REGION_WAIT, false},
    {GL_QUERY_BY_REGION_NO_WAIT, false},
    {GL_QUERY_WAIT_INVERTED, true},
    {GL_QUERY_NO_WAIT_INVERTED, true},
    {GL_QUERY_BY_REGION_WAIT_INVERTED, true},
    {GL_QUERY_BY_REGION_NO_WAIT_INVERTED, true},
};

class ConditionTest : public QueryTest {
protected:
    void prepare() override {
        QueryTest::prepare();
        gl::Disable(GL_DEPTH_TEST);
    }
    /// Whether `test` can be asked for. The modes that need not wait may draw in any case, so they
    /// are certain only where the result is known.
    bool offered(const ConditionCase& test) const {
        return !test.inverted || has_version(4, 5) ||
               has_extension("GL_ARB_conditional_render_inverted");
    }
    static bool waits(const ConditionCase& test) {
        return test.mode == GL_QUERY_WAIT || test.mode == GL_QUERY_BY_REGION_WAIT ||
               test.mode == GL_QUERY_WAIT_INVERTED || test.mode == GL_QUERY_BY_REGION_WAIT_INVERTED;
    }
    /// Ends a query that counted in several passes and submissions: in the last one only, or in
    /// none of them.
    GLuint query_in_pieces(bool seen, GLenum target = GL_SAMPLES_PASSED) const {
        const GLuint query = new_query();
        gl::ColorMask(0, 0, 0, 0);
        gl::Enable(GL_SCISSOR_TEST);
        gl::Scissor(0, 0, 0, 0);
        gl::BeginQuery(target, query);
        for (int i = 0; i < 4; ++i) {
            painter().fill({1, 1, 1, 1});
            if (i < 3) {
                gl::Flush();
            }
        }
        if (seen) {
            gl::Scissor(3, 3, 1, 1);
        }
        gl::Flush();
        painter().fill({1, 1, 1, 1});
        gl::EndQuery(target);
        gl::Disable(GL_SCISSOR_TEST);
        gl::ColorMask(1, 1, 1, 1);
        return query;
    }
};

TEST_F(ConditionTest, EveryModeWithAQueryInPieces) {
    for (const ConditionCase& test : kConditionModes) {
        if (!offered(test)) {
            continue;
        }
        for (const bool seen : {false, true}) {
            gl::ClearColor(0, 0, 0, 1);
            gl::Clear(GL_COLOR_BUFFER_BIT);
            const GLuint query = query_in_pieces(seen);
            if (!waits(test)) {
                EXPECT_EQ(result(query), seen ? 1U : 0U);
            }
            gl::BeginConditionalRender(query, test.mode);
            painter().fill({0, 1, 0, 1});
            gl::EndConditionalRender();
            expect_area(0, 0, 16, 16, seen != test.inverted ? kGreen : kBlack);
        }
    }
}

TEST_F(ConditionTest, ModesThatNeedNotWaitDrawWhenTheResultSaysSo) {
    for (const ConditionCase& test : kConditionModes) {
        if (!offered(test) || waits(test)) {
            continue;
        }
        gl::Clear(GL_COLOR_BUFFER_BIT);
        const GLuint query = query_in_pieces(!test.inverted);
        gl::BeginConditionalRender(query, test.mode);
        painter().fill({0, 1, 0, 1});
        gl::EndConditionalRender();
        expect_area(0, 0, 16, 16, kGreen);
    }
}

TEST_F(ConditionTest, OnlyTheFirstPieceCounted) {
    const GLuint query = new_query();
    gl::ColorMask(0, 0, 0, 0);
    gl::BeginQuery(GL_ANY_SAMPLES_PASSED, query);
    painter().draw({-1, -1, 0, 0}, {1, 1, 1, 1});
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(0, 0, 0, 0);
    for (int i = 0; i < 5; ++i) {
        gl::Flush();
        painter().fill({1, 1, 1, 1});
    }
    gl::EndQuery(GL_ANY_SAMPLES_PASSED);
    gl::Disable(GL_SCISSOR_TEST);
    gl::ColorMask(1, 1, 1, 1);
    gl::BeginConditionalRender(query, GL_QUERY_WAIT);
    painter().fill({0, 1, 0, 1});
    gl::EndConditionalRender();
    expect_area(0, 0, 16, 16, kGreen);
}

TEST_F(ConditionTest, HoldsAcrossFlushesAndFramebuffers) {
    for (const bool seen : {false, true}) {
        const Target first = make_target({16, 16});
        const Target second = make_target({8, 8});
        for (const Target* target : {&first, &second}) {
            target->bind();
            gl::Clear(GL_COLOR_BUFFER_BIT);
        }
        first.bind();
        const GLuint query = query_in_pieces(seen);
        gl::BeginConditionalRender(query, GL_QUERY_WAIT);
        painter().draw({-1, -1, 0, 1}, {0, 1, 0, 1});
        gl::Flush();
        painter().draw({0, -1, 1, 1}, {0, 1, 0, 1});
        second.bind();
        painter().fill({0, 1, 0, 1});
        gl::EndConditionalRender();
        expect_area(0, 0, 8, 8, seen ? kGreen : kBlack);
        first.bind();
        expect_area(0, 0, 16, 16, seen ? kGreen : kBlack);
        // What comes after the condition is free of it, in the same pass too.
        painter().fill({0, 0, 1, 1});
        expect_area(0, 0, 16, 16, kBlue);
    }
}

TEST_F(ConditionTest, ClearsObey) {
    make_target({16, 16, GL_RGBA8, GL_DEPTH24_STENCIL8});
    for (const bool seen : {false, true}) {
        for (const bool drawn_before : {false, true}) {
            for (const bool part : {false, true}) {
                gl::Disable(GL_SCISSOR_TEST);
                gl::ClearColor(0, 0, 0, 1);
                gl::ClearDepth(1);
                gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
                const GLuint query = query_in_pieces(seen);
                if (drawn_before) {
                    painter().fill({0, 0, 1, 1});
                }
                const Byte4 before = drawn_before ? kBlue : kBlack;
                gl::BeginConditionalRender(query, GL_QUERY_WAIT);
                gl::ClearColor(0, 1, 0, 1);
                gl::ClearDepth(0.25);
                if (part) {
                    gl::Enable(GL_SCISSOR_TEST);
                    gl::Scissor(0, 0, 8, 16);
                }
                gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
                gl::EndConditionalRender();
                expect_area(0, 0, 8, 16, seen ? kGreen : before);
                expect_area(8, 0, 8, 16, seen && !part ? kGreen : before);
                float depth = 0;
                gl::ReadPixels(2, 2, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
                EXPECT_NEAR(depth, seen ? 0.25F : 1.0F, 0.001F);
            }
        }
    }
    gl::Disable(GL_SCISSOR_TEST);
    gl::ClearDepth(1);
}

TEST_F(ConditionTest, BlitsObey) {
    for (const bool seen : {false, true}) {
        const Target source = make_target({16, 16});
        const Target target = make_target({16, 16});
        source.bind();
        gl::ClearColor(0, 1, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        target.bind();
        gl::ClearColor(0, 0, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        const GLuint query = query_in_pieces(seen);
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
        gl::BeginConditionalRender(query, GL_QUERY_WAIT);
        gl::BlitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        gl::EndConditionalRender();
        target.bind();
        expect_area(0, 0, 16, 16, seen ? kGreen : kBlack);
    }
}

TEST_F(ConditionTest, ReadsAndUploadsDoNotObey) {
    const GLuint texture = texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    const GLuint query = query_in_pieces(false);
    painter().fill({0, 1, 0, 1});
    gl::BeginConditionalRender(query, GL_QUERY_WAIT);
    painter().fill({1, 0, 0, 1});
    expect_area(0, 0, 16, 16, kGreen);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::CopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
    gl::EndConditionalRender();
    bind_texture_target(texture, 4, 4);
    expect_area(0, 0, 4, 4, kGreen);
}

TEST_F(ConditionTest, AQueryIsAskedAgainAfterItBeganAnew) {
    const GLuint query = new_query();
    for (const bool seen : {true, false, true, false}) {
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::ColorMask(0, 0, 0, 0);
        gl::BeginQuery(GL_SAMPLES_PASSED, query);
        if (seen) {
            painter().fill({1, 1, 1, 1});
        }
        gl::EndQuery(GL_SAMPLES_PASSED);
        gl::ColorMask(1, 1, 1, 1);
        for (int i = 0; i < 2; ++i) {
            gl::BeginConditionalRender(query, GL_QUERY_WAIT);
            painter().fill({0, 1, 0, 1});
            gl::EndConditionalRender();
        }
        expect_area(0, 0, 16, 16, seen ? kGreen : kBlack);
        EXPECT_EQ(result(query), seen ? 256U : 0U);
    }
}

// OpenGL 4.6, 5.1.2: the name goes, the object stays while it is in use.
TEST_F(ConditionTest, ADeletedQueryHoldsUntilTheEnd) {
    for (const bool seen : {true, false}) {
        gl::Clear(GL_COLOR_BUFFER_BIT);
        const GLuint query = query_in_pieces(seen);
        gl::BeginConditionalRender(query, GL_QUERY_WAIT);
        gl::DeleteQueries(1, &query);
        EXPECT_FALSE(gl::IsQuery(query));
        gl::BlitFramebuffer(0, 0, 1, 1, 0, 0, 1, 1, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        painter().fill({0, 1, 0, 1});
        gl::EndConditionalRender();
        expect_area(0, 0, 16, 16, seen ? kGreen : kBlack);
    }
    // Whether it is still in use when its context goes, too, is for the sanitizers.
    const GLuint query = query_in_pieces(true);
    gl::BeginConditionalRender(query, GL_QUERY_WAIT);
    gl::DeleteQueries(1, &query);
}

} // namespace
} // namespace kobalt::gltest
