// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <chrono>
#include <cstring>
#include <limits>
#include <thread>

#include "query.h"

namespace kobalt::gltest {
namespace {

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

// OpenGL 4.6, 4.2: an object of one of these two kinds may be used for the other, and no other for
// either.
TEST_F(QueryTest, AnySamplesPassedOfBothKinds) {
    if (!has_version(4, 3)) {
        GTEST_SKIP() << "OpenGL 4.3 is not offered";
    }
    const GLuint query = new_query();
    for (const GLenum target :
         {GL_ANY_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED_CONSERVATIVE, GL_ANY_SAMPLES_PASSED}) {
        for (const bool seen : {true, false}) {
            gl::BeginQuery(target, query);
            if (seen) {
                painter().fill({1, 1, 1, 1});
            }
            gl::EndQuery(target);
            EXPECT_EQ(result(query), seen ? 1U : 0U);
        }
    }
    gl::BeginQuery(GL_SAMPLES_PASSED, query);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_OPERATION));
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

// OpenGL 4.6, 4.2.2: each target of section 4.2.1; the result is 0 and there.
TEST_F(QueryTest, CreatedOfEveryTarget) {
    if (!has_version(4, 6)) {
        GTEST_SKIP() << "OpenGL 4.6 is not offered";
    }
    std::vector<GLenum> targets{GL_SAMPLES_PASSED,
                                GL_ANY_SAMPLES_PASSED,
                                GL_ANY_SAMPLES_PASSED_CONSERVATIVE,
                                GL_TIME_ELAPSED,
                                GL_TIMESTAMP,
                                GL_PRIMITIVES_GENERATED,
                                GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
                                GL_TRANSFORM_FEEDBACK_OVERFLOW,
                                GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW,
                                GL_GEOMETRY_SHADER_INVOCATIONS};
    for (GLenum target = GL_VERTICES_SUBMITTED; target <= GL_CLIPPING_OUTPUT_PRIMITIVES; ++target) {
        targets.push_back(target);
    }
    for (const GLenum target : targets) {
        SCOPED_TRACE(target);
        GLuint query = 0, available = 0;
        gl::CreateQueries(target, 1, &query);
        ASSERT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
        gl::GetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &available);
        EXPECT_EQ(available, 1U);
        EXPECT_EQ(result(query), 0U);
    }
    GLuint query = 0;
    gl::CreateQueries(GL_CLIPPING_OUTPUT_PRIMITIVES + 1, 1, &query);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_ENUM));
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

// OpenGL 4.6, 4.2.3: the value is written at the offset, which may be any.
TEST_F(QueryTest, ResultsAtAnyByteOfABuffer) {
    if (!has_version(4, 5)) {
        GTEST_SKIP() << "OpenGL 4.5 is not offered";
    }
    for (const size_t offset : {4U, 5U, 6U, 7U}) {
        const GLuint query = new_query();
        gl::BeginQuery(GL_SAMPLES_PASSED, query);
        painter().fill({1, 1, 1, 1});
        gl::EndQuery(GL_SAMPLES_PASSED);
        const GLuint buffer = make_buffer(GL_QUERY_BUFFER, std::vector<std::uint8_t>(16, 0xAA));
        gl::BindBuffer(GL_QUERY_BUFFER, 0);
        gl::GetQueryBufferObjectuiv(query, buffer, GL_QUERY_RESULT, static_cast<GLintptr>(offset));
        std::vector<std::uint8_t> expected(16, 0xAA);
        const GLuint value = 256;
        std::memcpy(expected.data() + offset, &value, sizeof(value));
        std::vector<std::uint8_t> bytes(16);
        gl::BindBuffer(GL_QUERY_BUFFER, buffer);
        gl::GetBufferSubData(GL_QUERY_BUFFER, 0, 16, bytes.data());
        gl::BindBuffer(GL_QUERY_BUFFER, 0);
        EXPECT_EQ(bytes, expected) << offset;
    }
}

// Offsets are as wide as pointers: their sum with a size wrapped.
TEST_F(QueryTest, ResultsBehindTheBufferAreRefused) {
    if (!has_version(4, 5)) {
        GTEST_SKIP() << "OpenGL 4.5 is not offered";
    }
    const GLuint query = new_query();
    gl::BeginQuery(GL_SAMPLES_PASSED, query);
    gl::EndQuery(GL_SAMPLES_PASSED);
    const GLuint buffer = make_buffer(GL_QUERY_BUFFER, 16, nullptr, GL_STREAM_READ);
    gl::BindBuffer(GL_QUERY_BUFFER, 0);
    constexpr auto kMost = std::numeric_limits<GLintptr>::max();
    for (const GLintptr behind : {GLintptr{13}, GLintptr{16}, kMost - 3, kMost}) {
        gl::GetQueryBufferObjectuiv(query, buffer, GL_QUERY_RESULT, behind);
        EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_OPERATION)) << behind;
    }
    gl::GetQueryBufferObjectui64v(query, buffer, GL_QUERY_RESULT, 12);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_OPERATION));
    gl::GetQueryBufferObjectui64v(query, buffer, GL_QUERY_RESULT, -4);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_VALUE));
    gl::GetQueryBufferObjectuiv(query, buffer, GL_QUERY_RESULT, 12);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
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

// OpenGL 4.6, 4.2: results come in finite time, also of a query that is used anew while what it
// was used for before is on its way still.
TEST_F(QueryTest, UsedAgainBehindAFlush) {
    const GLuint query = new_query();
    for (GLuint round = 0; round < 40; ++round) {
        gl::BeginQuery(GL_SAMPLES_PASSED, query);
        for (int i = 0; i < 100; ++i) {
            painter().fill({1, 1, 1, 1});
        }
        gl::EndQuery(GL_SAMPLES_PASSED);
        gl::Flush();
        gl::BeginQuery(GL_SAMPLES_PASSED, query);
        for (GLuint i = 0; i < round % 2; ++i) {
            painter().fill({1, 1, 1, 1});
        }
        gl::EndQuery(GL_SAMPLES_PASSED);
        if (round % 4 > 1) { // the flush may have come to its end meanwhile
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        EXPECT_EQ(result(query), round % 2 * 256U);
    }
}

} // namespace
} // namespace kobalt::gltest
