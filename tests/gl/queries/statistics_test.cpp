// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// ARB_pipeline_statistics_query, and results that go into buffers (ARB_query_buffer_object).
#include "counters.h"

namespace kobalt::gltest {
namespace {

constexpr GLenum kStatistics[] = {
    GL_VERTICES_SUBMITTED,          GL_PRIMITIVES_SUBMITTED,      GL_VERTEX_SHADER_INVOCATIONS,
    GL_FRAGMENT_SHADER_INVOCATIONS, GL_CLIPPING_INPUT_PRIMITIVES, GL_COMPUTE_SHADER_INVOCATIONS,
};

class StatisticsTest : public GlTest {
protected:
    Missing missing() const override {
        return first_of({lacks(4, 3), lacks(4, 6, "GL_ARB_pipeline_statistics_query")});
    }
    void prepare() override {
        make_target({16, 16});
        bind_new_vao();
        compute_ = link({{GL_COMPUTE_SHADER,
                          "#version 430 core\nlayout(local_size_x = 8, local_size_y = 4) in; "
                          "layout(std430, binding = 0) buffer Sum { uint sum; }; void main() { "
                          "atomicAdd(sum, 1u); }"}});
        make_buffer(GL_SHADER_STORAGE_BUFFER, std::vector<GLuint>(4));
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, last_buffer());
        draw_ = vs_fs(kFullscreenVs, "out vec4 c; void main() { c = vec4(1); }");
    }
    static GLuint last_buffer() {
        GLint name = 0;
        gl::GetIntegerv(GL_SHADER_STORAGE_BUFFER_BINDING, &name);
        return static_cast<GLuint>(name);
    }
    void dispatch(GLuint groups) const {
        gl::UseProgram(compute_);
        gl::DispatchCompute(groups, 1, 1);
    }
    void draw() const { draw_fullscreen(draw_); }
    GLuint draw_program() const { return draw_; }
    static GLuint64 result(GLuint query) {
        GLuint64 value = 0;
        gl::GetQueryObjectui64v(query, GL_QUERY_RESULT, &value);
        return value;
    }

private:
    GLuint compute_ = 0, draw_ = 0;
};

// Dispatches stand outside of Vulkan's passes, draws inside.
TEST_F(StatisticsTest, DrawsAndDispatchesInTurn) {
    std::array<GLuint, std::size(kStatistics)> queries{};
    gl::GenQueries(static_cast<GLsizei>(queries.size()), queries.data());
    draw();
    dispatch(1);
    for (size_t i = 0; i < queries.size(); ++i) {
        gl::BeginQuery(kStatistics[i], queries[i]);
    }
    dispatch(2);
    draw();
    dispatch(3);
    draw();
    for (const GLenum statistic : kStatistics) {
        gl::EndQuery(statistic);
    }
    dispatch(4);
    EXPECT_EQ(result(queries[0]), 6U);
    EXPECT_EQ(result(queries[1]), 2U);
    EXPECT_GE(result(queries[2]), 6U);
    EXPECT_GE(result(queries[3]), 2U * 16 * 16);
    EXPECT_EQ(result(queries[4]), 2U);
    EXPECT_EQ(result(queries[5]), 5U * 32);
}

// ARB_pipeline_statistics_query, issue 27: a loop's first vertex may count twice, no other.
TEST_F(StatisticsTest, VerticesOfALoop) {
    GLuint query = 0;
    gl::GenQueries(1, &query);
    gl::UseProgram(draw_program());
    gl::BeginQuery(GL_VERTICES_SUBMITTED, query);
    gl::DrawArrays(GL_LINE_LOOP, 0, 8);
    gl::EndQuery(GL_VERTICES_SUBMITTED);
    EXPECT_GE(result(query), 8U);
    EXPECT_LE(result(query), 9U);
}

TEST_F(StatisticsTest, DispatchesAlone) {
    GLuint query = 0;
    gl::GenQueries(1, &query);
    gl::BeginQuery(GL_COMPUTE_SHADER_INVOCATIONS, query);
    for (int i = 0; i < 3; ++i) {
        dispatch(1);
        gl::Flush();
    }
    gl::EndQuery(GL_COMPUTE_SHADER_INVOCATIONS);
    EXPECT_EQ(result(query), 3U * 32);
}

// Where a pass is open as it begins, it has nothing to count in there.
TEST_F(StatisticsTest, DispatchesBehindADraw) {
    std::array<GLuint, 3> queries{};
    gl::GenQueries(3, queries.data());
    draw();
    gl::BeginQuery(GL_COMPUTE_SHADER_INVOCATIONS, queries[0]);
    draw();
    gl::EndQuery(GL_COMPUTE_SHADER_INVOCATIONS);
    draw();
    gl::BeginQuery(GL_COMPUTE_SHADER_INVOCATIONS, queries[1]);
    gl::BeginQuery(GL_VERTICES_SUBMITTED, queries[2]);
    draw();
    dispatch(2);
    draw();
    gl::EndQuery(GL_COMPUTE_SHADER_INVOCATIONS);
    gl::EndQuery(GL_VERTICES_SUBMITTED);
    EXPECT_EQ(result(queries[0]), 0U);
    EXPECT_EQ(result(queries[1]), 2U * 32);
    EXPECT_EQ(result(queries[2]), 6U);
}

/// Results of queries over several framebuffers, so over several of Vulkan's, in a buffer.
class QueryBufferTest : public StatisticsTest {
protected:
    Missing missing() const override {
        return first_of({StatisticsTest::missing(), lacks(4, 4, "GL_ARB_query_buffer_object")});
    }
    /// Draws 256, 64 and 256 pixels, with a dispatch in between.
    void draw_in_three_passes() const {
        draw();
        make_target({8, 8});
        draw();
        dispatch(1);
        make_target({16, 16});
        draw();
    }
    static constexpr GLuint kUntouched = 0xabcdef01;
    /// What the buffer holds: eight words.
    static std::vector<GLuint> words() {
        std::vector<GLuint> words(8);
        gl::GetBufferSubData(GL_QUERY_BUFFER, 0, 32, words.data());
        return words;
    }
    static void* at(std::intptr_t offset) { return reinterpret_cast<void*>(offset); }
    static void new_query_buffer() {
        make_buffer(GL_QUERY_BUFFER, std::vector<GLuint>(8, kUntouched));
    }
    GLuint counted(GLenum target) const {
        GLuint query = 0;
        gl::GenQueries(1, &query);
        gl::BeginQuery(target, query);
        draw_in_three_passes();
        gl::EndQuery(target);
        return query;
    }
    /// Lets every form of the result be written, and none beside it.
    static void expect_result(GLuint query, GLuint expected) {
        new_query_buffer();
        gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, static_cast<GLuint*>(at(4)));
        gl::GetQueryObjectui64v(query, GL_QUERY_RESULT, static_cast<GLuint64*>(at(16)));
        gl::GetQueryObjectiv(query, GL_QUERY_RESULT_AVAILABLE, static_cast<GLint*>(at(28)));
        EXPECT_EQ(words(), (std::vector<GLuint>{kUntouched, expected, kUntouched, kUntouched,
                                                expected, 0, kUntouched, 1}));
        // It is there by now.
        new_query_buffer();
        gl::GetQueryObjectiv(query, GL_QUERY_RESULT_NO_WAIT, static_cast<GLint*>(at(0)));
        EXPECT_EQ(words()[0], expected);
        EXPECT_EQ(words()[1], kUntouched);
        gl::BindBuffer(GL_QUERY_BUFFER, 0);
    }
};

TEST_F(QueryBufferTest, SamplesPassed) {
    expect_result(counted(GL_SAMPLES_PASSED), 256 + 64 + 256);
}

TEST_F(QueryBufferTest, AnySamplesPassedIsOne) {
    expect_result(counted(GL_ANY_SAMPLES_PASSED), 1);
    expect_result(counted(GL_ANY_SAMPLES_PASSED_CONSERVATIVE), 1);
}

TEST_F(QueryBufferTest, Statistics) {
    expect_result(counted(GL_VERTICES_SUBMITTED), 9);
    expect_result(counted(GL_COMPUTE_SHADER_INVOCATIONS), 32);
}

TEST_F(QueryBufferTest, PrimitivesGenerated) {
    expect_result(counted(GL_PRIMITIVES_GENERATED), 3);
    expect_result(counted(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN), 0);
    expect_result(counted(GL_TRANSFORM_FEEDBACK_OVERFLOW), 0);
}

TEST_F(QueryBufferTest, NothingCounted) {
    GLuint query = 0;
    gl::GenQueries(1, &query);
    gl::BeginQuery(GL_SAMPLES_PASSED, query);
    gl::EndQuery(GL_SAMPLES_PASSED);
    expect_result(query, 0);
}

// The result is the query's of that moment: it may be used anew at once.
TEST_F(QueryBufferTest, ReusedQueriesKeepTheirResultsApart) {
    GLuint query = 0;
    gl::GenQueries(1, &query);
    new_query_buffer();
    for (int i = 0; i < 4; ++i) {
        gl::BeginQuery(GL_SAMPLES_PASSED, query);
        for (int k = 0; k < i; ++k) {
            draw();
        }
        gl::EndQuery(GL_SAMPLES_PASSED);
        gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, static_cast<GLuint*>(at(4 * i)));
    }
    const std::vector<GLuint> found = words();
    for (GLuint i = 0; i < 4; ++i) {
        EXPECT_EQ(found[i], 256 * i);
    }
    EXPECT_EQ(found[4], kUntouched);
    gl::BindBuffer(GL_QUERY_BUFFER, 0);
}

TEST_F(QueryBufferTest, Times) {
    GLuint queries[2] = {};
    gl::GenQueries(2, queries);
    gl::BeginQuery(GL_TIME_ELAPSED, queries[0]);
    draw();
    gl::EndQuery(GL_TIME_ELAPSED);
    gl::QueryCounter(queries[1], GL_TIMESTAMP);
    std::array<GLuint64, 2> values{};
    make_buffer(GL_QUERY_BUFFER, sizeof(values), values.data());
    gl::GetQueryObjectui64v(queries[0], GL_QUERY_RESULT, static_cast<GLuint64*>(at(0)));
    gl::GetQueryObjectui64v(queries[1], GL_QUERY_RESULT, static_cast<GLuint64*>(at(8)));
    gl::GetBufferSubData(GL_QUERY_BUFFER, 0, sizeof(values), values.data());
    gl::BindBuffer(GL_QUERY_BUFFER, 0);
    EXPECT_EQ(values[0], result(queries[0]));
    EXPECT_EQ(values[1], result(queries[1]));
}

/// What the driver's counters say of a result that goes into a buffer.
class QueryBufferCost : public CountedTest {};

TEST_F(QueryBufferCost, NobodyWaitsForTheResult) {
    if (!has_version(4, 4) && !has_extension("GL_ARB_query_buffer_object")) {
        GTEST_SKIP() << "needs GL_ARB_query_buffer_object";
    }
    make_target({16, 16});
    bind_new_vao();
    const GLuint program = vs_fs(kFullscreenVs, "out vec4 c; void main() { c = vec4(1); }");
    make_buffer(GL_QUERY_BUFFER, std::vector<GLuint>(8));
    GLuint query = 0;
    gl::GenQueries(1, &query);
    const auto scene = [&] {
        for (std::intptr_t i = 0; i < 8; ++i) {
            gl::BeginQuery(GL_SAMPLES_PASSED, query);
            draw_fullscreen(program);
            gl::EndQuery(GL_SAMPLES_PASSED);
            gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, reinterpret_cast<GLuint*>(4 * i));
        }
    };
    scene(); // its shaders are there from now on
    const Spent spent = measure(scene);
    EXPECT_LE(spent.at("batches"), 1U);
    EXPECT_EQ(spent.at("slow-read-back"), 0U);
    std::vector<GLuint> words(8);
    gl::GetBufferSubData(GL_QUERY_BUFFER, 0, 32, words.data());
    gl::BindBuffer(GL_QUERY_BUFFER, 0);
    EXPECT_EQ(words, std::vector<GLuint>(8, 256));
}

} // namespace
} // namespace kobalt::gltest
