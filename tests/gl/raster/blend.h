// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "support.h"

namespace kobalt::gltest {

inline constexpr Float4 kBlendSource{0.6F, 0.3F, 0.8F, 0.4F};
inline constexpr Float4 kBlendDestination{0.2F, 0.7F, 0.1F, 0.5F};
inline constexpr Float4 kBlendConstant{0.25F, 0.5F, 0.75F, 0.9F};
inline constexpr Float4 kBlendSecond{0.9F, 0.2F, 0.5F, 0.3F};

class BlendTest : public GlTest {
protected:
    void prepare() override {
        painter_ = std::make_unique<RectPainter>();
        gl::BlendColor(kBlendConstant[0], kBlendConstant[1], kBlendConstant[2], kBlendConstant[3]);
    }
    void clear_to_destination() {
        gl::ClearColor(kBlendDestination[0], kBlendDestination[1], kBlendDestination[2],
                       kBlendDestination[3]);
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }
    const RectPainter& painter() const { return *painter_; }

private:
    std::unique_ptr<RectPainter> painter_;
};

} // namespace kobalt::gltest
