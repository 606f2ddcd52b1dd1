// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "kept_attachment.h"

namespace kobalt::gltest {
namespace {

class KeptStencilTest : public KeptAttachmentTest {};

TEST_F(KeptStencilTest, DrawnByEachOperation) {
    for (const bool behind_tests : {false, true}) {
        for (const int operation : {0, 1, 2}) {
            SCOPED_TRACE(testing::Message() << behind_tests << " " << operation);
            start();
            gl::DepthMask(GL_FALSE);
            if (behind_tests) {
                test_stencil(GL_EQUAL, 1);
                left(kDrawRed, kMiddle);
            }
            gl::Enable(GL_STENCIL_TEST);
            gl::StencilFunc(operation == 0 ? GL_NEVER : GL_ALWAYS, 2, 0xFF);
            gl::StencilOp(operation == 0 ? GL_REPLACE : GL_KEEP,
                          operation == 1 ? GL_REPLACE : GL_KEEP,
                          operation == 2 ? GL_REPLACE : GL_KEEP);
            right(kDrawGreen, operation == 1 ? 0.6F : kMiddle);
            next_pass();
            test_stencil(GL_EQUAL, 2);
            fill(kDrawBlue, kMiddle);
            expect_halves(behind_tests ? kRed : kBlack, kBlue);
        }
    }
}

// The third way, with a mask of some bits, is one that the GL implementation may draw.
TEST_F(KeptStencilTest, ClearedBehindTests) {
    for (const int way : {0, 1, 2}) {
        SCOPED_TRACE(way);
        start();
        gl::DepthMask(GL_FALSE);
        test_stencil(GL_EQUAL, 1);
        left(kDrawRed, kMiddle);
        gl::ClearStencil(2);
        if (way == 0) {
            clear_right(GL_STENCIL_BUFFER_BIT);
        } else {
            gl::StencilMask(way == 1 ? 0xFF : 0x0F);
            gl::Clear(GL_STENCIL_BUFFER_BIT);
        }
        next_pass();
        test_stencil(GL_EQUAL, 2);
        fill(kDrawBlue, kMiddle);
        expect_halves(way == 0 ? kRed : kBlue, kBlue);
    }
}

TEST_F(KeptStencilTest, DrawnByALaterMask) {
    start();
    gl::DepthMask(GL_FALSE);
    replace_stencil(2);
    gl::StencilMask(0);
    left(kDrawRed, kMiddle);
    gl::StencilMask(~GLuint{0});
    right(kDrawGreen, kMiddle);
    next_pass();
    test_stencil(GL_EQUAL, 2);
    fill(kDrawBlue, kMiddle);
    expect_halves(kRed, kBlue);
}

// Either face alone writes, by its operation or by its mask.
TEST_F(KeptStencilTest, DrawnByOneFace) {
    for (const GLenum writer : {GL_FRONT, GL_BACK}) {
        for (const bool by_mask : {false, true}) {
            for (const bool behind_tests : {false, true}) {
                SCOPED_TRACE(testing::Message() << writer << " " << by_mask << " " << behind_tests);
                start();
                gl::DepthMask(GL_FALSE);
                if (behind_tests) {
                    test_stencil(GL_EQUAL, 1);
                    fill({1, 1, 0, 1}, kMiddle);
                }
                replace_stencil(2);
                const GLenum reader = writer == GL_FRONT ? GL_BACK : GL_FRONT;
                if (by_mask) {
                    gl::StencilMaskSeparate(reader, 0);
                } else {
                    gl::StencilOpSeparate(reader, GL_KEEP, GL_KEEP, GL_KEEP);
                }
                left(kDrawRed, kMiddle); // a front face
                right_back_face(kDrawGreen);
                next_pass();
                test_stencil(GL_EQUAL, 2);
                fill(kDrawBlue, kMiddle);
                expect_halves(writer == GL_FRONT ? kBlue : kRed,
                              writer == GL_FRONT ? kGreen : kBlue);
            }
        }
    }
}

TEST_F(KeptStencilTest, DrawnWhileDepthIsTested) {
    for (const bool depth_later : {false, true}) {
        SCOPED_TRACE(depth_later);
        start();
        gl::DepthMask(GL_FALSE);
        replace_stencil(2);
        left(kDrawRed, kMiddle);
        gl::DepthMask(depth_later ? GL_TRUE : GL_FALSE);
        replace_stencil(3);
        right(kDrawGreen, kNear);
        next_pass();
        expect_depths(0.75F, depth_later ? 0.25F : 0.75F);
        expect_stencils(2, 3);
    }
}

TEST_F(KeptStencilTest, DepthDrawnWhileStencilIsTested) {
    for (const bool stencil_later : {false, true}) {
        SCOPED_TRACE(stencil_later);
        start();
        test_stencil(GL_EQUAL, 1);
        left(kDrawRed, kNear);
        if (stencil_later) {
            replace_stencil(2);
        }
        right(kDrawGreen, kMiddle);
        next_pass();
        expect_depths(0.25F, 0.5F);
        expect_stencils(1, stencil_later ? 2 : 1);
    }
}

} // namespace
} // namespace kobalt::gltest
