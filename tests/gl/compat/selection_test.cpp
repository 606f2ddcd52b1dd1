// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Hit records (OpenGL 4.6, compatibility profile, 21.2).
#include "fixed_function.h"

#include <limits>

namespace kobalt::gltest {
namespace {

constexpr GLuint kLast = std::numeric_limits<GLuint>::max();

class SelectionTest : public FixedFunctionTest {
protected:
    /// The least and the greatest depth of what is drawn, where it is one hit.
    static std::vector<std::array<GLuint, 2>> hits(const std::function<void()>& draw) {
        std::array<GLuint, 16> records{};
        gl::SelectBuffer(static_cast<GLsizei>(records.size()), records.data());
        gl::RenderMode(GL_SELECT);
        gl::InitNames();
        gl::PushName(42);
        draw();
        if (const GLint count = gl::RenderMode(GL_RENDER); count != 1) {
            EXPECT_EQ(count, 0);
            return {};
        }
        EXPECT_EQ(records[0], 1U);
        EXPECT_EQ(records[3], 42U);
        return {{records[1], records[2]}};
    }
    static void primitive(GLenum mode, const std::vector<std::array<float, 4>>& vertices) {
        gl::Begin(mode);
        for (const auto& vertex : vertices) {
            gl::VertexAttrib4f(0, vertex[0], vertex[1], vertex[2], vertex[3]); // is glVertex4f
        }
        gl::End();
    }
};

// What is cut by the near and the far plane has all depths, also where the cut is a bit beyond.
TEST_F(SelectionTest, PrimitivesCutByThePlanes) {
    for (int i = 1; i < 40; ++i) {
        const float near = -1.0F - 0.037F * static_cast<float>(i);
        const float far = 1.0F + 0.053F * static_cast<float>(i);
        const float w = 0.7F + 0.013F * static_cast<float>(i);
        for (const GLenum mode : {GL_LINES, GL_TRIANGLES}) {
            SCOPED_TRACE(std::to_string(mode) + ": " + std::to_string(i));
            const auto seen = hits([&] {
                primitive(mode, mode == GL_LINES
                                    ? std::vector<std::array<float, 4>>{{-0.1F, 0.03F, near, w},
                                                                        {0.13F, -0.02F, far, 1}}
                                    : std::vector<std::array<float, 4>>{{-0.1F, 0.03F, near, w},
                                                                        {0.13F, -0.02F, far, 1},
                                                                        {0.05F, 0.4F, far, 1}});
            });
            ASSERT_EQ(seen.size(), 1U);
            EXPECT_LT(seen[0][0], 4096U);
            EXPECT_GT(seen[0][1], kLast - 4096U);
        }
    }
}

TEST_F(SelectionTest, DepthsAreRounded) {
    for (const auto& [z, depth] :
         {std::pair{-1.0F, 0U}, {0.0F, 0x80000000U}, {0.5F, 0xc0000000U}, {1.0F, kLast}}) {
        SCOPED_TRACE(z);
        const auto seen = hits([&, z = z] { primitive(GL_POINTS, {{0, 0, z, 1}}); });
        ASSERT_EQ(seen.size(), 1U);
        // 2^32 - 1 halved may be rounded either way.
        EXPECT_NEAR(seen[0][0], depth, 1);
        EXPECT_EQ(seen[0][0], seen[0][1]);
    }
}

// 10.1.3: a loop of one vertex has no edge.
TEST_F(SelectionTest, LoopsOfOneVertexHitNothing) {
    const auto loop = [] { primitive(GL_LINE_LOOP, {{0, 0, 0, 1}}); };
    EXPECT_TRUE(hits(loop).empty());
    const GLuint list = gl::GenLists(1);
    gl::NewList(list, GL_COMPILE);
    loop();
    gl::EndList();
    EXPECT_TRUE(hits([&] { gl::CallList(list); }).empty());
    gl::NewList(list, GL_COMPILE);
    primitive(GL_LINE_LOOP, {{0, 0, 0, 1}, {0.5F, 0, 0, 1}});
    gl::EndList();
    EXPECT_EQ(hits([&] { gl::CallList(list); }).size(), 1U);
}

} // namespace
} // namespace kobalt::gltest
