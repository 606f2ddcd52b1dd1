// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "resident.h"

#include <fstream>
#include <string>

#include <malloc.h>

namespace kobalt::memory {

Resident resident() {
    Resident found;
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("VmRSS:"))
            found.all = std::stod(line.substr(6));
        else if (line.starts_with("RssAnon:"))
            found.anonymous = std::stod(line.substr(8));
    }
    const auto heap = mallinfo2();
    found.heap = static_cast<double>(heap.uordblks + heap.hblkhd) / 1024;
    return found;
}

Resident resident_trimmed() {
    malloc_trim(0);
    return resident();
}

} // namespace kobalt::memory
