// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gl_context.h"

#include "demo/offscreen/expected_renderer.h"
#include "gl_more.h"

namespace gl {

void load_more(ProcLoader loader) {
#define KOBALT_FUZZ_LOAD(name) name = reinterpret_cast<decltype(name)>(loader("gl" #name));
    KOBALT_FUZZ_FUNCTIONS(KOBALT_FUZZ_LOAD)
#undef KOBALT_FUZZ_LOAD
}

} // namespace gl

namespace kobalt::fuzz {

offscreen::ContextRequest context_request() {
    return {.profile = offscreen::Profile::Core, .major = 4, .minor = 5, .robust = true};
}

std::expected<offscreen::Context, std::string> make_context() {
    auto context = offscreen::Context::create(context_request());
    if (!context) {
        return context;
    }
    gl::load_more(
        [](const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); });
    const auto* name = gl::GetString(GL_RENDERER);
    const std::string renderer = name != nullptr ? reinterpret_cast<const char*>(name) : "nobody";
    const std::string wanted = offscreen::expected_renderer();
    if (!offscreen::is_drawn_by(wanted, renderer)) {
        return std::unexpected("'" + renderer + "' draws, not '" + wanted + "'");
    }
    return context;
}

} // namespace kobalt::fuzz
