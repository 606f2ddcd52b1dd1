// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>

#include "support.h"

namespace kobalt::gltest {

/// Queries about draws into a black target with a depth test.
class QueryTest : public GlTest {
protected:
    void prepare() override {
        make_black_target({16, 16, GL_RGBA8, GL_DEPTH_COMPONENT24});
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

} // namespace kobalt::gltest
