// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include <EGL/egl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compute.h"

namespace kobalt::gltest {
namespace {

class SubroutineTest : public ComputeTest {};

// The functions' order is not that of their indices.
constexpr const char* kSource = R"(
layout(local_size_x = 1) in;
subroutine uint First();
subroutine uint Second();
layout(index = 3) subroutine(First) uint a() { return 10u; }
layout(index = 0) subroutine(Second) uint b() { return 20u; }
layout(index = 1) subroutine(First) uint c() { return 10u; }
layout(index = 2) subroutine(Second) uint d() { return 20u; }
layout(location = 0) subroutine uniform First first;
layout(location = 1) subroutine uniform Second second;
layout(std430, binding = 0) buffer Out { uint result[2]; };
void main() { result[0] = first(); result[1] = second(); }
)";

// OpenGL 4.6, 7.10: glGetProgramResourceName answers by the index that glGetSubroutineIndex gives.
TEST_F(SubroutineTest, NamesByExplicitIndices) {
    const GLuint program = compute(kSource);
    ASSERT_NE(program, 0U);
    const std::array<const char*, 4> names{"b", "c", "d", "a"};
    for (GLuint i = 0; i < names.size(); ++i) {
        EXPECT_EQ(gl::GetSubroutineIndex(program, GL_COMPUTE_SHADER, names[i]), i);
        EXPECT_EQ(gl::GetProgramResourceIndex(program, GL_COMPUTE_SUBROUTINE, names[i]), i);
        std::array<char, 8> name{};
        gl::GetProgramResourceName(program, GL_COMPUTE_SUBROUTINE, i, 8, nullptr, name.data());
        EXPECT_STREQ(name.data(), names[i]);
    }
}

TEST_F(SubroutineTest, CompatibleOnesByExplicitIndices) {
    const GLuint program = compute(kSource);
    ASSERT_NE(program, 0U);
    const auto compatible = [program](const char* uniform) {
        const GLenum what = GL_COMPATIBLE_SUBROUTINES;
        const GLuint index =
            gl::GetProgramResourceIndex(program, GL_COMPUTE_SUBROUTINE_UNIFORM, uniform);
        std::vector<GLint> found(4, -1);
        GLsizei count = 0;
        gl::GetProgramResourceiv(program, GL_COMPUTE_SUBROUTINE_UNIFORM, index, 1, &what, 4, &count,
                                 found.data());
        found.resize(static_cast<size_t>(count));
        std::ranges::sort(found);
        return found;
    };
    EXPECT_EQ(compatible("first"), (std::vector<GLint>{1, 3}));
    EXPECT_EQ(compatible("second"), (std::vector<GLint>{0, 2}));
    const auto get = reinterpret_cast<PFNGLGETACTIVESUBROUTINEUNIFORMIVPROC>(
        eglGetProcAddress("glGetActiveSubroutineUniformiv"));
    std::vector<GLint> found(2, -1);
    get(program, GL_COMPUTE_SHADER,
        gl::GetProgramResourceIndex(program, GL_COMPUTE_SUBROUTINE_UNIFORM, "first"),
        GL_COMPATIBLE_SUBROUTINES, found.data());
    std::ranges::sort(found);
    EXPECT_EQ(found, (std::vector<GLint>{1, 3}));
}

// Whatever a program in use begins with, it is a subroutine of the uniform's type.
TEST_F(SubroutineTest, TheFirstChoiceIsCompatible) {
    const GLuint program = compute(kSource);
    ASSERT_NE(program, 0U);
    const GLuint buffer = storage(0, Words(2, 0));
    gl::UseProgram(program);
    const auto chosen = [](GLint location) {
        GLuint index = 9;
        gl::GetUniformSubroutineuiv(GL_COMPUTE_SHADER, location, &index);
        return index;
    };
    EXPECT_EQ(chosen(0) % 2, 1U);
    EXPECT_EQ(chosen(1) % 2, 0U);
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(buffer, 2), (Words{10, 20}));
}

// 7.10: what is in use already begins anew when it is used once more.
TEST_F(SubroutineTest, UsingAProgramAgainEndsItsChoices) {
    const GLuint program = compute(R"(
layout(local_size_x = 1) in;
subroutine uint Kind();
layout(index = 0) subroutine(Kind) uint a() { return 10u; }
layout(index = 1) subroutine(Kind) uint b() { return 20u; }
layout(location = 0) subroutine uniform Kind kind;
layout(std430, binding = 0) buffer Out { uint result; };
void main() { result = kind(); }
)");
    ASSERT_NE(program, 0U);
    const GLuint buffer = storage(0, Words(1, 0));
    const auto dispatched = [buffer] {
        gl::DispatchCompute(1, 1, 1);
        return words_of(buffer, 1)[0];
    };
    gl::UseProgram(program);
    const std::uint32_t first = dispatched();
    for (const bool none_between : {true, false}) {
        const GLuint other = first == 10 ? 1 : 0;
        gl::UniformSubroutinesuiv(GL_COMPUTE_SHADER, 1, &other);
        EXPECT_EQ(dispatched(), 30 - first);
        if (!none_between) {
            gl::UseProgram(0);
        }
        gl::UseProgram(program);
        EXPECT_EQ(dispatched(), first) << none_between;
    }
}

// 7.10: a stage that isn't there has no subroutines, and what is no stage at all is an error.
TEST_F(SubroutineTest, StagesThatAreNotThere) {
    const GLuint program = compute(kSource);
    ASSERT_NE(program, 0U);
    EXPECT_EQ(gl::GetSubroutineIndex(program, GL_VERTEX_SHADER, "a"), GL_INVALID_INDEX);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
    const auto name_of =
        gl_function<decltype(&glGetActiveSubroutineName)>("glGetActiveSubroutineName");
    std::array<char, 8> name{};
    name_of(program, GL_VERTEX_SHADER, 0, GLsizei(name.size()), nullptr, name.data());
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_VALUE));
    name_of(program, GL_TEXTURE_2D, 0, GLsizei(name.size()), nullptr, name.data());
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_ENUM));
    EXPECT_EQ(gl::GetSubroutineIndex(program, GL_TEXTURE_2D, "a"), GL_INVALID_INDEX);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_ENUM));
}

// 7.10: the number that is asked for counts indices that no subroutine has.
TEST_F(SubroutineTest, IndicesThatNobodyHas) {
    const GLuint program = compute(R"(
layout(local_size_x = 1) in;
subroutine uint Kind();
layout(index = 1) subroutine(Kind) uint a() { return 10u; }
layout(index = 5) subroutine(Kind) uint longest_of_them() { return 20u; }
layout(location = 0) subroutine uniform Kind first;
layout(location = 1) subroutine uniform Kind second;
layout(std430, binding = 0) buffer Out { uint result[2]; };
void main() { result[0] = first(); result[1] = second(); }
)");
    ASSERT_NE(program, 0U);
    GLint value = 0;
    gl::GetProgramStageiv(program, GL_COMPUTE_SHADER, GL_ACTIVE_SUBROUTINES, &value);
    EXPECT_EQ(value, 6);
    gl::GetProgramStageiv(program, GL_COMPUTE_SHADER, GL_ACTIVE_SUBROUTINE_MAX_LENGTH, &value);
    EXPECT_EQ(value, 16);
    const GLuint buffer = storage(0, Words(2, 0));
    gl::UseProgram(program);
    const auto choose = [](GLuint first, GLuint second) {
        const std::array<GLuint, 2> indices{first, second};
        gl::UniformSubroutinesuiv(GL_COMPUTE_SHADER, 2, indices.data());
        return gl::GetError();
    };
    EXPECT_EQ(choose(5, 1), static_cast<GLenum>(GL_NO_ERROR));
    EXPECT_EQ(choose(1, 6), static_cast<GLenum>(GL_INVALID_VALUE));
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(buffer, 2), (Words{20, 10}));
}

TEST_F(SubroutineTest, NoneAreChosenWhereThereAreNone) {
    const GLuint program = compute("layout(local_size_x = 1) in; void main() {}");
    ASSERT_NE(program, 0U);
    gl::UseProgram(program);
    const GLuint index = 0;
    gl::UniformSubroutinesuiv(GL_COMPUTE_SHADER, 0, &index);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
}

/// OpenGL 4.3 with display lists.
class SubroutineListTest : public CompatTest {
protected:
    Missing missing() const override { return lacks(4, 3); }
};

/// Memory behind which nothing may be read.
class GuardedWord {
public:
    GuardedWord() {
        map_ = mmap(nullptr, 2 * size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (map_ != MAP_FAILED)
            mprotect(static_cast<char*>(map_) + size_, size_, PROT_NONE);
    }
    ~GuardedWord() {
        if (map_ != MAP_FAILED)
            munmap(map_, 2 * size_);
    }
    GuardedWord(const GuardedWord&) = delete;
    GuardedWord& operator=(const GuardedWord&) = delete;
    GLuint* word() const {
        return map_ == MAP_FAILED ? nullptr
                                  : reinterpret_cast<GLuint*>(static_cast<char*>(map_) + size_) - 1;
    }

private:
    size_t size_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void* map_ = nullptr;
};

TEST_F(SubroutineListTest, ListsReadAsManyIndicesAsTheyAreGiven) {
    const GLuint program = compute(R"(
layout(local_size_x = 1) in;
subroutine uint Kind();
layout(index = 0) subroutine(Kind) uint a() { return 10u; }
layout(index = 1) subroutine(Kind) uint b() { return 20u; }
layout(location = 0) subroutine uniform Kind kind;
layout(std430, binding = 0) buffer Out { uint result; };
void main() { result = kind(); }
)");
    ASSERT_NE(program, 0U);
    const GuardedWord index;
    ASSERT_NE(index.word(), nullptr);
    *index.word() = 1;
    const GLuint buffer = storage(0, Words(1, 0));
    gl::UseProgram(program);
    const GLuint list = gl::GenLists(1);
    gl::NewList(list, GL_COMPILE);
    gl::UniformSubroutinesuiv(GL_COMPUTE_SHADER, 1, index.word());
    gl::EndList();
    *index.word() = 0;
    gl::CallList(list);
    gl::DispatchCompute(1, 1, 1);
    EXPECT_EQ(words_of(buffer, 1), Words{20});
}

} // namespace
} // namespace kobalt::gltest
