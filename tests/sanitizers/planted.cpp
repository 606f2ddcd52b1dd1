// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Mistakes that tests/sanitize.py makes on purpose before each run: what doesn't report these finds
// nothing.
#include <cstdlib>
#include <string_view>
#include <thread>

namespace {

int shared;

void count() {
    for (int i = 0; i < 1000; ++i) {
        shared = shared + 1;
    }
}

} // namespace

int main(int argc, char** argv) {
    const std::string_view mistake = argc > 1 ? argv[1] : "";
    if (mistake == "overflow") {
        volatile char* bytes = static_cast<char*>(std::malloc(8));
        bytes[7 + argc] = 1;
    } else if (mistake == "leak") {
        char* volatile bytes = static_cast<char*>(std::malloc(8));
        bytes = nullptr;
    } else if (mistake == "undefined") {
        volatile int number = 0x7fffffff;
        number = number + argc;
    } else if (mistake == "race") {
        std::thread other(count);
        count();
        other.join();
    }
    return 0;
}
