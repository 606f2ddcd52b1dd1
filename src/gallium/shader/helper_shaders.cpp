// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/shader/helper_shaders.h"

#include <algorithm>
#include <span>

#include "spirv/translate.h"

namespace kobalt::gallium {

HelperShaders::Code HelperShaders::code_of(const nir_shader& nir) {
    Code code = serialize_whole(&nir);
    code.insert(code.begin(), static_cast<uint8_t>(nir.info.stage));
    return code;
}

std::list<HelperShaders::Built>::iterator HelperShaders::find(const Code& code, bool robust) {
    return std::ranges::find_if(built_, [&](const Built& built) {
        return built.shader->robust == robust && built.code == code;
    });
}

std::unique_ptr<Shader> HelperShaders::take(Screen& screen, const nir_shader& nir, bool robust) {
    const Code code = code_of(nir);
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = find(code, robust); found != built_.end()) {
            std::unique_ptr<Shader> shader = std::move(found->shader);
            built_.erase(found);
            return shader;
        }
    }
    screen.known_variants.remember_helper(code);
    return nullptr;
}

void HelperShaders::build_known(Screen& screen, bool robust) {
    for (const Code& code : screen.known_variants.helpers()) {
        if (code.empty() || code.front() >= MESA_SHADER_STAGES)
            continue;
        const std::lock_guard lock(mutex_);
        if (find(code, robust) != built_.end())
            continue;
        const auto stage = static_cast<gl_shader_stage>(code.front());
        nir_shader* nir = deserialize(screen, stage, std::span(code).subspan(1));
        std::unique_ptr<Shader> shader = new_shader(screen, nir, robust);
        shader->settled.store(true, std::memory_order_relaxed);
        begin_shader(screen, *shader);
        built_.push_back({code, std::move(shader)});
    }
}

} // namespace kobalt::gallium
