// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_RENDERER and GL_VENDOR, in the forms that programs read, on Vulkan devices of all kinds.
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "demo/offscreen/expected_renderer.h"
#include "gallium/screen/names.h"

using kobalt::gallium::renderer_name;
using kobalt::gallium::vendor_name;

namespace {

struct Device {
    const char* name;     ///< Vulkan's
    const char* renderer; ///< GL's
    /// The renderer without its last " (…)", as Firefox reads it before it looks for the GPU.
    const char* without_parentheses;
};

constexpr Device DEVICES[] = {
    {"llvmpipe (LLVM 15.0.6, 256 bits)", "llvmpipe (LLVM 15.0.6, 256 bits, Kobalt)", "llvmpipe"},
    {"NVIDIA H200", "NVIDIA H200 (Kobalt)", "NVIDIA H200"},
    {"NVIDIA GeForce RTX 3090", "NVIDIA GeForce RTX 3090 (Kobalt)", "NVIDIA GeForce RTX 3090"},
    {"NVIDIA GeForce RTX 2060 (NVK TU106)", "NVIDIA GeForce RTX 2060 (NVK TU106, Kobalt)",
     "NVIDIA GeForce RTX 2060"},
    {"AMD Radeon RX 6800 (RADV NAVI21)", "AMD Radeon RX 6800 (RADV NAVI21, Kobalt)",
     "AMD Radeon RX 6800"},
    {"AMD Radeon(TM) Graphics", "AMD Radeon(TM) Graphics (Kobalt)", "AMD Radeon(TM) Graphics"},
    {"Intel(R) Iris(R) Xe Graphics (TGL GT2)", "Intel(R) Iris(R) Xe Graphics (TGL GT2, Kobalt)",
     "Intel(R) Iris(R) Xe Graphics"},
    {"Intel(R) HD Graphics 530 (SKL GT2)", "Intel(R) HD Graphics 530 (SKL GT2, Kobalt)",
     "Intel(R) HD Graphics 530"},
    {"Intel(R) Arc(TM)", "Intel(R) Arc(TM) (Kobalt)", "Intel(R) Arc(TM)"},
    {"Virtio-GPU Venus (AMD Radeon RX 6800 (RADV NAVI21))",
     "Virtio-GPU Venus (AMD Radeon RX 6800 (RADV NAVI21), Kobalt)",
     "Virtio-GPU Venus (AMD Radeon RX 6800"},
    {"Virtio-GPU Venus (llvmpipe (LLVM 15.0.6, 256 bits))",
     "Virtio-GPU Venus (llvmpipe (LLVM 15.0.6, 256 bits), Kobalt)", "Virtio-GPU Venus (llvmpipe"},
    {"Microsoft Direct3D12 (NVIDIA GeForce RTX 3090)",
     "Microsoft Direct3D12 (NVIDIA GeForce RTX 3090, Kobalt)", "Microsoft Direct3D12"},
    {"Apple M1 (G13G B1)", "Apple M1 (G13G B1, Kobalt)", "Apple M1"},
    {"Turnip Adreno (TM) 650", "Turnip Adreno (TM) 650 (Kobalt)", "Turnip Adreno (TM) 650"},
    {"V3D 7.1.7.0", "V3D 7.1.7.0 (Kobalt)", "V3D 7.1.7.0"},
    {"unbalanced)", "unbalanced) (Kobalt)", "unbalanced)"},
    {"(all of it)", "(all of it) (Kobalt)", "(all of it)"},
};

} // namespace

TEST(Names, RendererBeginsWithTheDevice) {
    for (const Device& device : DEVICES) {
        const std::string renderer = renderer_name(device.name);
        EXPECT_EQ(renderer, device.renderer);
        const std::string bare(device.name,
                               std::string_view(device.name).find_last_not_of(')') + 1);
        EXPECT_TRUE(renderer.starts_with(bare)) << renderer;
    }
}

TEST(Names, RendererKeepsTheDeviceWithoutItsParentheses) {
    const std::regex parentheses(" \\([^(]*\\)$");
    for (const Device& device : DEVICES)
        EXPECT_EQ(std::regex_replace(renderer_name(device.name), parentheses, ""),
                  device.without_parentheses);
}

TEST(Names, OnlyKobaltsRenderersAreItsOwn) {
    for (const Device& device : DEVICES) {
        EXPECT_TRUE(kobalt::offscreen::is_drawn_by("Kobalt", renderer_name(device.name)));
        EXPECT_FALSE(kobalt::offscreen::is_drawn_by("Kobalt", device.name));
        EXPECT_TRUE(kobalt::offscreen::is_drawn_by("", device.name));
    }
    using kobalt::offscreen::is_drawn_by;
    EXPECT_FALSE(is_drawn_by("Kobalt", "Kobalt RX 100 (radeonsi, LLVM 15.0.6)"));
    EXPECT_FALSE(is_drawn_by("Kobalt", "Voodoo (no Kobalt)"));
    // A driver whose name Vulkan's device has as well: lavapipe is "llvmpipe".
    EXPECT_TRUE(is_drawn_by("llvmpipe", "llvmpipe (LLVM 15.0.6, 256 bits)"));
    EXPECT_FALSE(is_drawn_by("llvmpipe", renderer_name("llvmpipe (LLVM 15.0.6, 256 bits)")));
    EXPECT_FALSE(is_drawn_by("NVIDIA", renderer_name("NVIDIA H200")));
}

TEST(Names, VendorsAreThoseOfMesasOwnDrivers) {
    EXPECT_STREQ(vendor_name(0x1002), "AMD");
    EXPECT_STREQ(vendor_name(0x8086), "Intel");
    EXPECT_STREQ(vendor_name(0x10de), "NVIDIA");
    EXPECT_STREQ(vendor_name(VK_VENDOR_ID_MESA), "Mesa");
    EXPECT_STREQ(vendor_name(0), "Mesa");
}
