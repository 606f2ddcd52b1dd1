// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../unit/vulkan/compute_harness.h"

#include "nir.h" // before the headers that only name its types

#include "mesa_program.h"
#include "spirv/translate.h"

namespace kobalt::corpus {

/// GLSL compute shaders that go through Mesa's compiler and the translator, and run on a Vulkan
/// device. Their output shows whether each instruction was translated correctly.
class Execution : public vulkan::test::VulkanTest {
protected:
    static void SetUpTestSuite();

    /// The translation target for this device, as the driver sets it.
    spirv::Target target() const;

    /// Runs `text` over buffers of `sizes` words that are all 0; `fill` may change them. Slot n of
    /// the shader is buffer n. Returns their words afterwards.
    std::vector<std::vector<uint32_t>>
    run(const std::string& text, const std::vector<uint32_t>& sizes, uint32_t groups = 1,
        const std::function<void(std::vector<uint32_t*>&)>& fill = {}, VkImageView view = {},
        const std::function<void(VkCommandBuffer)>& before = {}) {
        std::vector<std::vector<uint32_t>> contents;
        run_into(contents, text, sizes, groups, fill, view, before);
        return contents;
    }

    std::optional<spirv::Target> changed_; ///< run() uses this target instead of target()

private:
    void run_into(std::vector<std::vector<uint32_t>>& contents, const std::string& text,
                  const std::vector<uint32_t>& sizes, uint32_t groups,
                  const std::function<void(std::vector<uint32_t*>&)>& fill, VkImageView view,
                  const std::function<void(VkCommandBuffer)>& before);
};

} // namespace kobalt::corpus
