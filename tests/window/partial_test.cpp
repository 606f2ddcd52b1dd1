// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Frames that are drawn in part only: over a buffer of known age, and with rectangles that tell
// what has changed.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "shared_tests.h"

namespace kobalt::windowtest {

namespace {

constexpr int columns = 4;
constexpr int cells = columns * columns;

/// A grid of cells. Each frame gives one of them, in turn, a colour of the frame's own.
class Grid {
public:
    explicit Grid(Target& target) : target_(target) {}

    /// Draws the cells that have changed since the frame `age` frames ago; 0: all of them.
    void draw(int frame, int age) const {
        gl::Enable(GL_SCISSOR_TEST);
        for (int cell = 0; cell < cells; ++cell) {
            if (age > 0 && changed_in(frame, cell) <= frame - age) {
                continue;
            }
            const auto [x, y] = corner(cell);
            gl::Scissor(x, y, width(), height());
            const Rgb colour = of(frame, cell);
            gl::ClearColor(static_cast<float>(colour[0]) / 255.0F,
                           static_cast<float>(colour[1]) / 255.0F, 0, 1);
            gl::Clear(GL_COLOR_BUFFER_BIT);
        }
        gl::Disable(GL_SCISSOR_TEST);
    }

    /// Compares all cells with what is in the back buffer.
    void expect_drawn(int frame, const std::string& when) const {
        for (int cell = 0; cell < cells; ++cell) {
            const auto [x, y] = corner(cell);
            std::array<unsigned char, 4> seen{};
            gl::ReadPixels(x + width() / 2, y + height() / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                           seen.data());
            expect(close({seen[0], seen[1], seen[2]}, of(frame, cell)),
                   when + " " + std::to_string(frame) + ": cell " + std::to_string(cell) +
                       " isn't as it was drawn");
        }
    }

    /// Compares all cells with what the X server shows, for a second.
    void expect_shown(int frame, const std::string& when) const {
        for (int cell = 0; cell < cells; ++cell) {
            const auto [x, y] = corner(cell);
            const Rgb wanted = of(frame, cell);
            Rgb seen{};
            for (int attempt = 0; attempt < 100; ++attempt) {
                seen = target_.window().server_pixel(x + width() / 2,
                                                     target_.height() - 1 - (y + height() / 2));
                if (close(seen, wanted)) {
                    break;
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
            expect(close(seen, wanted),
                   when + " " + std::to_string(frame) + ": cell " + std::to_string(cell) + " is (" +
                       std::to_string(seen[0]) + ", " + std::to_string(seen[1]) + ", " +
                       std::to_string(seen[2]) + ")");
        }
    }

    /// The cell that changes, from the bottom left: x, y, width, height.
    std::array<int, 4> changed(int frame) const {
        const auto [x, y] = corner(frame * 7 % cells);
        return {x, y, width(), height()};
    }

private:
    static bool close(const Rgb& a, const Rgb& b) {
        return std::abs(a[0] - b[0]) < 9 && std::abs(a[1] - b[1]) < 9 && std::abs(a[2] - b[2]) < 9;
    }
    /// The last frame up to this one in which the cell changed; negative: none.
    static int changed_in(int frame, int cell) {
        for (int at = frame; at >= 0; --at) {
            if (at * 7 % cells == cell) {
                return at;
            }
        }
        return -cells;
    }
    static Rgb of(int frame, int cell) {
        const int at = changed_in(frame, cell);
        return at < 0 ? Rgb{255, 255, 0} : Rgb{at % 8 * 32, at % 3 * 96, 0};
    }
    int width() const { return target_.width() / columns; }
    int height() const { return target_.height() / columns; }
    std::array<int, 2> corner(int cell) const {
        return {cell % columns * width(), cell / columns * height()};
    }

    Target& target_;
};

void over_a_buffer_of_known_age(Target& target) {
    const std::string when = std::string(target.api()) + " by the buffer's age, frame";
    const Grid grid(target);
    bool reused = false;
    for (int frame = 0; frame < 40; ++frame) {
        const int age = target.buffer_age();
        expect(age >= 0 && age <= frame,
               when + " " + std::to_string(frame) + ": the age is " + std::to_string(age));
        reused |= age > 0;
        grid.draw(frame, age);
        expect(target.swap(), when + " " + std::to_string(frame) + ": the swap fails");
        if (frame % 8 == 7) {
            gl::Finish();
            grid.expect_shown(frame, when);
        }
    }
    expect(reused, when + "s: no buffer has an age");
    target.window().resize(target.width() + 40, target.height() + 40);
    expect(target.buffer_age() == 0, when + "s: a buffer has an age that the next draw replaces");
    gl::Clear(GL_COLOR_BUFFER_BIT);
    expect(target.buffer_age() == 0, when + "s: a buffer of a new size has an age");
}

/// A program that knows the age counts on what is in the buffer, also where the window is resized
/// before it draws: the frame is one of the old size.
void resized_after_the_age_was_told(Target& target) {
    const std::string when = std::string(target.api()) + " resized after the age was told, frame";
    const Grid grid(target);
    grid.draw(0, 0);
    target.swap();
    const int age = target.buffer_age();
    expect(age == 1, when + " 1: the age is " + std::to_string(age));
    target.window().resize(target.width() + 40, target.height() + 40);
    grid.draw(1, age);
    // Whether it is shown is up to the window system: lavapipe's drops frames of another size than
    // the window's.
    grid.expect_drawn(1, when);
    target.swap();
    expect(target.buffer_age() == 0, when + " 2: a buffer has an age that the next draw replaces");
    const Painter painter;
    painter.draw(target.width() + 40, target.height() + 40, 0);
    target.swap();
    gl::Finish();
    expect_quarters_x(target.window(), target.width() + 40, target.height() + 40, when + " 2");
}

/// The rectangle is a hint; the picture has to be right with it.
void with_rectangles(Target& target, int interval) {
    const std::string when = std::string(target.api()) + " with rectangles, frame";
    const Grid grid(target);
    target.set_interval(interval);
    for (int frame = 0; frame < 40; ++frame) {
        grid.draw(frame, 0);
        expect(frame == 0 ? target.swap() : target.swap_changed(grid.changed(frame)),
               when + " " + std::to_string(frame) + ": the swap fails");
        if (frame % 8 == 7) {
            gl::Finish();
            grid.expect_shown(frame, when);
        }
    }
}

} // namespace

void run_partial_tests(const MakeTarget& make) {
    {
        const auto target = make({});
        if (!target->current()) {
            return;
        }
        expect(target->offers_buffer_age(), std::string(target->api()) + ": no buffer ages");
        over_a_buffer_of_known_age(*target);
    }
    if (const auto target = make({}); target->current()) {
        resized_after_the_age_was_told(*target);
    }
    for (const int interval : {0, 1}) {
        const auto target = make({});
        if (target->current() && target->offers_rectangles()) {
            with_rectangles(*target, interval);
        }
    }
}

} // namespace kobalt::windowtest
