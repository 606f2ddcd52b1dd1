// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

#include <thread>

namespace kobalt::gltest {
namespace {

class QueryTest : public GlTest {
protected:
    void SetUp() override {
        GlTest::SetUp();
        if (HasFatalFailure() || IsSkipped()) {
            return;
        }
        make_target({16, 16, GL_RGBA8, GL_DEPTH_COMPONENT24});
        gl::ClearColor(0, 0, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        gl::Enable(GL_DEPTH_TEST);
        gl::DepthFunc(GL_LEQUAL);
        painter_ = std::make_unique<RectPainter>();
    }
    static GLuint new_query() {
        GLuint query = 0;
        gl::GenQueries(1, &query);
        return query;
    }
    static GLuint result(GLuint query) {
        GLuint value = 0;
        gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &value);
        return value;
    }
    const RectPainter& painter() const { return *painter_; }

private:
    std::unique_ptr<RectPainter> painter_;
};

TEST_F(QueryTest, SamplesPassedCounts) {
    const GLuint query = new_query();
    gl::BeginQuery(GL_SAMPLES_PASSED, query);
    painter().draw({-1, -1, 0, 1}, {1, 1, 1, 1});
    gl::EndQuery(GL_SAMPLES_PASSED);
    EXPECT_EQ(result(query), 128U);
}

TEST_F(QueryTest, SamplesPassedSumsDrawsAndSkipsHidden) {
    painter().draw({-1, -1, 0, 0}, {1, 1, 1, 1}, -0.5F);
    const GLuint query = new_query();
    gl::BeginQuery(GL_SAMPLES_PASSED, query);
    painter().draw({-1, -1, 1, 0}, {1, 1, 1, 1}, 0.5F);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    painter().draw({-1, 0, 1, 1}, {1, 1, 1, 1}, 0.5F);
    gl::EndQuery(GL_SAMPLES_PASSED);
    EXPECT_EQ(result(query), 192U);
}

TEST_F(QueryTest, QueryOverSeveralFramebuffers) {
    const GLuint query = new_query();
    gl::BeginQuery(GL_SAMPLES_PASSED, query);
    painter().fill({1, 1, 1, 1});
    make_target({8, 8});
    painter().fill({1, 1, 1, 1});
    gl::Finish();
    painter().fill({1, 1, 1, 1});
    gl::EndQuery(GL_SAMPLES_PASSED);
    EXPECT_EQ(result(query), 256U + 64U + 64U);
}

TEST_F(QueryTest, QueryWithoutDrawsIsZero) {
    const GLuint query = new_query();
    gl::BeginQuery(GL_SAMPLES_PASSED, query);
    gl::EndQuery(GL_SAMPLES_PASSED);
    EXPECT_EQ(result(query), 0U);
}

TEST_F(QueryTest, AnySamplesPassed) {
    const GLuint query = new_query();
    gl::BeginQuery(GL_ANY_SAMPLES_PASSED, query);
    painter().fill({1, 1, 1, 1});
    gl::EndQuery(GL_ANY_SAMPLES_PASSED);
    EXPECT_EQ(result(query), 1U);
    gl::BeginQuery(GL_ANY_SAMPLES_PASSED, query);
    painter().fill({1, 1, 1, 1}, 0.5F);
    gl::EndQuery(GL_ANY_SAMPLES_PASSED);
    EXPECT_EQ(result(query), 0U);
}

TEST_F(QueryTest, MultisampledTargetCountsSamples) {
    make_target({8, 8, GL_RGBA8, GL_NONE, 4});
    GLint samples = 0;
    gl::GetIntegerv(GL_SAMPLES, &samples);
    const GLuint query = new_query();
    gl::BeginQuery(GL_SAMPLES_PASSED, query);
    painter().fill({1, 1, 1, 1});
    gl::EndQuery(GL_SAMPLES_PASSED);
    EXPECT_EQ(result(query), static_cast<GLuint>(64 * samples));
}

TEST_F(QueryTest, PrimitivesGenerated) {
    const GLuint query = new_query();
    gl::BeginQuery(GL_PRIMITIVES_GENERATED, query);
    painter().fill({1, 1, 1, 1});
    painter().fill({1, 1, 1, 1});
    gl::EndQuery(GL_PRIMITIVES_GENERATED);
    EXPECT_EQ(result(query), 4U);
}

TEST_F(QueryTest, PrimitivesGeneratedWithDiscardAndNested) {
    const GLuint outer = new_query();
    const GLuint inner = new_query();
    gl::BeginQuery(GL_SAMPLES_PASSED, outer);
    painter().fill({1, 1, 1, 1});
    gl::BeginQuery(GL_PRIMITIVES_GENERATED, inner);
    gl::Enable(GL_RASTERIZER_DISCARD);
    painter().fill({1, 1, 1, 1});
    gl::Disable(GL_RASTERIZER_DISCARD);
    gl::EndQuery(GL_PRIMITIVES_GENERATED);
    gl::EndQuery(GL_SAMPLES_PASSED);
    EXPECT_EQ(result(inner), 2U);
    EXPECT_EQ(result(outer), 256U);
}

TEST_F(QueryTest, OneQueryOverManyPasses) {
    // Each framebuffer is a pass of its own: more pieces than a query keeps before it adds them up.
    const Target first = make_target({16, 16});
    const Target second = make_target({16, 16});
    const GLuint samples = new_query();
    gl::Disable(GL_DEPTH_TEST);
    gl::BeginQuery(GL_SAMPLES_PASSED, samples);
    constexpr unsigned kPasses = 700;
    for (unsigned i = 0; i < kPasses; ++i) {
        (i % 2 ? first : second).bind();
        painter().draw({-1, -1, 0, 0}, {1, 1, 1, 1});
        if (i % 100 == 99) {
            gl::Finish();
        }
    }
    gl::EndQuery(GL_SAMPLES_PASSED);
    EXPECT_EQ(result(samples), kPasses * 64);
}

TEST_F(QueryTest, PipelineStatisticsSideBySide) {
    if (!has_extension("GL_ARB_pipeline_statistics_query")) {
        GTEST_SKIP() << "GL_ARB_pipeline_statistics_query is not offered";
    }
    constexpr GLenum kVerticesSubmitted = 0x82EE, kPrimitivesSubmitted = 0x82EF;
    const GLuint vertices = new_query();
    const GLuint primitives = new_query();
    const GLuint generated = new_query();
    gl::BeginQuery(kVerticesSubmitted, vertices);
    painter().fill({1, 1, 1, 1});
    gl::BeginQuery(kPrimitivesSubmitted, primitives);
    gl::BeginQuery(GL_PRIMITIVES_GENERATED, generated);
    painter().fill({1, 1, 1, 1});
    gl::EndQuery(kVerticesSubmitted);
    painter().fill({1, 1, 1, 1});
    gl::EndQuery(GL_PRIMITIVES_GENERATED);
    gl::EndQuery(kPrimitivesSubmitted);
    EXPECT_GE(result(vertices), 8U);
    EXPECT_LE(result(vertices), 12U);
    EXPECT_EQ(result(primitives), 4U);
    EXPECT_EQ(result(generated), 4U);
}

TEST_F(QueryTest, ManyQueriesInFlight) {
    std::array<GLuint, 300> queries{};
    gl::GenQueries(static_cast<GLsizei>(queries.size()), queries.data());
    gl::Enable(GL_SCISSOR_TEST);
    for (size_t i = 0; i < queries.size(); ++i) {
        gl::Scissor(0, 0, static_cast<GLsizei>(i % 17), 1);
        gl::BeginQuery(GL_SAMPLES_PASSED, queries[i]);
        painter().fill({1, 1, 1, 1});
        gl::EndQuery(GL_SAMPLES_PASSED);
    }
    gl::Disable(GL_SCISSOR_TEST);
    for (size_t i = 0; i < queries.size(); ++i) {
        EXPECT_EQ(result(queries[i]), i % 17) << "query " << i;
    }
}

TEST_F(QueryTest, AvailabilityArrivesWithoutAsking) {
    const GLuint query = new_query();
    gl::BeginQuery(GL_SAMPLES_PASSED, query);
    painter().fill({1, 1, 1, 1});
    gl::EndQuery(GL_SAMPLES_PASSED);
    gl::Flush();
    GLuint available = 0;
    for (int i = 0; i < 5000 && !available; ++i) {
        gl::GetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &available);
        if (!available) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    EXPECT_EQ(available, 1U);
    EXPECT_EQ(result(query), 256U);
}

TEST_F(QueryTest, TimeElapsedIsPlausible) {
    const GLuint query = new_query();
    gl::BeginQuery(GL_TIME_ELAPSED, query);
    for (int i = 0; i < 10; ++i) {
        painter().fill({1, 1, 1, 1});
    }
    gl::EndQuery(GL_TIME_ELAPSED);
    GLuint64 nanoseconds = 0;
    gl::GetQueryObjectui64v(query, GL_QUERY_RESULT, &nanoseconds);
    EXPECT_LT(nanoseconds, 10'000'000'000ULL);
}

TEST_F(QueryTest, TimestampsIncrease) {
    std::array<GLuint, 3> queries{};
    gl::GenQueries(3, queries.data());
    for (const GLuint query : queries) {
        painter().fill({1, 1, 1, 1});
        gl::QueryCounter(query, GL_TIMESTAMP);
    }
    std::array<GLuint64, 3> times{};
    for (size_t i = 0; i < 3; ++i) {
        gl::GetQueryObjectui64v(queries[i], GL_QUERY_RESULT, &times[i]);
    }
    EXPECT_GT(times[0], 0U);
    EXPECT_LE(times[0], times[1]);
    EXPECT_LE(times[1], times[2]);
    GLint64 now = 0;
    gl::GetInteger64v(GL_TIMESTAMP, &now);
    // Within ten seconds of the query, on the same clock.
    EXPECT_LT(std::abs(static_cast<double>(now) - static_cast<double>(times[2])), 1e10);
}

TEST_F(QueryTest, ResultIntoBuffer) {
    if (!has_version(4, 4) && !has_extension("GL_ARB_query_buffer_object")) {
        GTEST_SKIP() << "GL_ARB_query_buffer_object is not offered";
    }
    const GLuint query = new_query();
    gl::BeginQuery(GL_SAMPLES_PASSED, query);
    painter().fill({1, 1, 1, 1});
    gl::EndQuery(GL_SAMPLES_PASSED);
    make_buffer(GL_QUERY_BUFFER, 16, nullptr, GL_STREAM_READ);
    gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, reinterpret_cast<GLuint*>(4));
    GLuint value = 0;
    gl::GetBufferSubData(GL_QUERY_BUFFER, 4, 4, &value);
    gl::BindBuffer(GL_QUERY_BUFFER, 0);
    EXPECT_EQ(value, 256U);
}

TEST_F(QueryTest, ConditionalRendering) {
    for (const GLenum mode : {GL_QUERY_WAIT, GL_QUERY_BY_REGION_WAIT}) {
        const GLuint hidden = new_query();
        const GLuint seen = new_query();
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        gl::Disable(GL_DEPTH_TEST);
        gl::ColorMask(0, 0, 0, 0);
        gl::BeginQuery(GL_SAMPLES_PASSED, seen);
        painter().draw({-1, -1, 0, 0}, {1, 1, 1, 1});
        gl::EndQuery(GL_SAMPLES_PASSED);
        gl::BeginQuery(GL_SAMPLES_PASSED, hidden);
        gl::EndQuery(GL_SAMPLES_PASSED);
        gl::ColorMask(1, 1, 1, 1);
        gl::BeginConditionalRender(hidden, mode);
        painter().fill({1, 0, 0, 1});
        gl::EndConditionalRender();
        expect_pixel(3, 3, kBlack);
        gl::BeginConditionalRender(seen, mode);
        painter().fill({0, 1, 0, 1});
        gl::EndConditionalRender();
        expect_pixel(3, 3, kGreen);
    }
}

TEST_F(QueryTest, ConditionalClear) {
    const GLuint hidden = new_query();
    gl::BeginQuery(GL_ANY_SAMPLES_PASSED, hidden);
    gl::EndQuery(GL_ANY_SAMPLES_PASSED);
    gl::BeginConditionalRender(hidden, GL_QUERY_WAIT);
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::EndConditionalRender();
    expect_area(0, 0, 16, 16, kBlack);
    painter().fill({0, 1, 0, 1});
    expect_area(0, 0, 16, 16, kGreen);
}

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
    void SetUp() override {
        QueryTest::SetUp();
        if (!HasFatalFailure() && !IsSkipped()) {
            gl::Disable(GL_DEPTH_TEST);
        }
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

class SyncTest : public GlTest {};

TEST_F(SyncTest, ClientWaitSeesTheWorkDone) {
    make_target();
    const RectPainter painter;
    painter.fill({0, 1, 0, 1});
    GLsync sync = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    ASSERT_NE(sync, nullptr);
    const GLenum status = gl::ClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, 10'000'000'000ULL);
    EXPECT_TRUE(status == GL_CONDITION_SATISFIED || status == GL_ALREADY_SIGNALED) << status;
    GLint value = 0;
    GLsizei length = 0;
    gl::GetSynciv(sync, GL_SYNC_STATUS, 1, &length, &value);
    EXPECT_EQ(value, GL_SIGNALED);
    EXPECT_EQ(gl::ClientWaitSync(sync, 0, 0), static_cast<GLenum>(GL_ALREADY_SIGNALED));
    gl::DeleteSync(sync);
}

TEST_F(SyncTest, ServerWaitAndManyFences) {
    make_target();
    const RectPainter painter;
    std::array<GLsync, 64> syncs{};
    for (GLsync& sync : syncs) {
        painter.fill({0, 1, 0, 1});
        sync = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    }
    gl::WaitSync(syncs[63], 0, GL_TIMEOUT_IGNORED);
    gl::Flush();
    EXPECT_NE(gl::ClientWaitSync(syncs[63], GL_SYNC_FLUSH_COMMANDS_BIT, 10'000'000'000ULL),
              static_cast<GLenum>(GL_TIMEOUT_EXPIRED));
    // Fences signal in order.
    for (const GLsync sync : syncs) {
        EXPECT_EQ(gl::ClientWaitSync(sync, 0, 0), static_cast<GLenum>(GL_ALREADY_SIGNALED));
        gl::DeleteSync(sync);
    }
}

TEST_F(SyncTest, FenceOrdersTwoSharedContexts) {
    const GLuint texture = texture_2d(GL_RGBA8, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    auto shared = context().create_shared(request());
    ASSERT_TRUE(shared.has_value()) << shared.error();
    bind_texture_target(texture, 64, 64);
    const RectPainter painter;
    painter.fill({0, 1, 0, 1});
    GLsync sync = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl::Flush();
    Byte4 seen{};
    std::thread reader([&] {
        if (!shared->make_current()) {
            return;
        }
        gl::WaitSync(sync, 0, GL_TIMEOUT_IGNORED);
        GLuint framebuffer = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
        seen = pixel(33, 12);
        shared->release_current();
    });
    reader.join();
    EXPECT_EQ(seen, kGreen);
    gl::DeleteSync(sync);
}

} // namespace
} // namespace kobalt::gltest
