// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/window_choice.h"

#include <gtest/gtest.h>

namespace kobalt::present {
namespace {

/// An X window on a desktop with a GPU.
WindowFacts desktop() {
    WindowFacts facts;
    facts.surface_extension = "VK_KHR_xcb_surface";
    facts.has_surface_extension = true;
    facts.has_swapchains = true;
    facts.driver = VK_DRIVER_ID_MESA_RADV;
    facts.x11 = X11Extensions{.dri3 = true, .present = true, .shm = true};
    return facts;
}

TEST(WindowChoice, DesktopsHaveSwapchains) {
    const WindowChoice choice = choose_window(desktop());
    EXPECT_EQ(choice.kind, WindowKind::swapchain);
    EXPECT_FALSE(choice.notable);
}

TEST(WindowChoice, TheWishDecides) {
    WindowFacts facts = desktop();
    facts.wish = WindowWish::cpu;
    EXPECT_EQ(choose_window(facts).kind, WindowKind::cpu);
    EXPECT_FALSE(choose_window(facts).notable);
    facts.wish = WindowWish::swapchain;
    facts.x11->dri3 = false;
    EXPECT_EQ(choose_window(facts).kind, WindowKind::swapchain);
}

TEST(WindowChoice, WithoutASurfaceExtensionOrSwapchains) {
    WindowFacts facts = desktop();
    facts.has_swapchains = false;
    facts.no_swapchains = "switched off by KOBALT_DISABLE";
    WindowChoice choice = choose_window(facts);
    EXPECT_EQ(choice.kind, WindowKind::cpu);
    EXPECT_TRUE(choice.notable);
    EXPECT_NE(choice.reason.find("switched off by KOBALT_DISABLE"), std::string::npos);
    facts.has_surface_extension = false;
    choice = choose_window(facts);
    EXPECT_EQ(choice.kind, WindowKind::cpu);
    EXPECT_NE(choice.reason.find("VK_KHR_xcb_surface"), std::string::npos);
}

TEST(WindowChoice, DriversOfGpusNeedDri3AndPresent) {
    WindowFacts facts = desktop();
    facts.x11->dri3 = false;
    WindowChoice choice = choose_window(facts);
    EXPECT_EQ(choice.kind, WindowKind::cpu);
    EXPECT_NE(choice.reason.find("DRI3"), std::string::npos);
    facts.x11 = X11Extensions{.dri3 = true, .present = false, .shm = true};
    choice = choose_window(facts);
    EXPECT_EQ(choice.kind, WindowKind::cpu);
    EXPECT_NE(choice.reason.find("Present"), std::string::npos);
}

TEST(WindowChoice, DriversOfCpusPutImagesThemselves) {
    WindowFacts facts = desktop();
    facts.is_cpu = true;
    facts.driver = VK_DRIVER_ID_MESA_LLVMPIPE;
    facts.x11 = X11Extensions{.dri3 = false, .present = true, .shm = false};
    EXPECT_EQ(choose_window(facts).kind, WindowKind::swapchain);
    // Venus says that it is the device behind it.
    facts.driver = VK_DRIVER_ID_MESA_VENUS;
    EXPECT_EQ(choose_window(facts).kind, WindowKind::cpu);
}

TEST(WindowChoice, NvidiasWindowCodeIsNeverCalledWhereItCrashes) {
    WindowFacts facts = desktop();
    facts.driver = VK_DRIVER_ID_NVIDIA_PROPRIETARY;
    EXPECT_EQ(choose_window(facts).kind, WindowKind::swapchain);
    facts.wish = WindowWish::swapchain;
    for (const auto& [dri3, present] : {std::pair(false, false), {true, false}, {false, true}}) {
        facts.x11 = X11Extensions{.dri3 = dri3, .present = present, .shm = true};
        EXPECT_EQ(choose_window(facts).kind, WindowKind::cpu) << dri3 << present;
    }
}

TEST(WindowChoice, MesasSwapchainsShowUsualPixelsAlone) {
    WindowFacts facts = desktop();
    for (const VkFormat usual : {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_A2R10G10B10_UNORM_PACK32}) {
        facts.x11_pixels = usual;
        EXPECT_EQ(choose_window(facts).kind, WindowKind::swapchain) << usual;
    }
    for (const VkFormat rare : {VK_FORMAT_R5G6B5_UNORM_PACK16, VK_FORMAT_A1R5G5B5_UNORM_PACK16,
                                VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED}) {
        facts.x11_pixels = rare;
        for (const WindowWish wish : {WindowWish::automatic, WindowWish::swapchain}) {
            facts.wish = wish;
            const WindowChoice choice = choose_window(facts);
            EXPECT_EQ(choice.kind, WindowKind::cpu) << rare;
            EXPECT_TRUE(choice.notable);
            EXPECT_NE(choice.reason.find("32 bits"), std::string::npos) << choice.reason;
            EXPECT_EQ(choice.reason.contains("KOBALT_WINDOWS=swapchain is impossible"),
                      wish == WindowWish::swapchain)
                << choice.reason;
        }
    }
    facts.driver = VK_DRIVER_ID_GOOGLE_SWIFTSHADER;
    facts.wish = WindowWish::automatic;
    EXPECT_EQ(choose_window(facts).kind, WindowKind::swapchain);
}

TEST(WindowChoice, LavapipePutsNoFramesThroughTheSocket) {
    WindowFacts facts = desktop();
    facts.is_cpu = true;
    facts.driver = VK_DRIVER_ID_MESA_LLVMPIPE;
    EXPECT_EQ(choose_window(facts).kind, WindowKind::swapchain);
    facts.x11 = X11Extensions{.dri3 = false, .present = true, .shm = true};
    EXPECT_EQ(choose_window(facts).kind, WindowKind::cpu);
    EXPECT_FALSE(choose_window(facts).notable);
    facts.wish = WindowWish::swapchain;
    EXPECT_EQ(choose_window(facts).kind, WindowKind::swapchain);
    facts.wish = WindowWish::automatic;
    facts.x11->shm = false;
    EXPECT_EQ(choose_window(facts).kind, WindowKind::swapchain);
}

TEST(WindowChoice, OtherWindowSystemsHaveNoX11Extensions) {
    WindowFacts facts = desktop();
    facts.x11.reset();
    EXPECT_EQ(choose_window(facts).kind, WindowKind::swapchain);
}

TEST(WindowWish, Words) {
    EXPECT_EQ(window_wish(""), WindowWish::automatic);
    EXPECT_EQ(window_wish("auto"), WindowWish::automatic);
    EXPECT_EQ(window_wish("cpu"), WindowWish::cpu);
    EXPECT_EQ(window_wish("swapchain"), WindowWish::swapchain);
}

} // namespace
} // namespace kobalt::present
