// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "demo/offscreen/png_file.h"

namespace kobalt::gltest {

/// How far a picture may be from its reference: this share of the pixels that are *drawn* (those
/// of the reference that differ from its background) may be off.
struct PictureLimit {
    /// A pixel is off where a channel, alpha too, differs by more.
    int channel = 2;
    double share = 0.002;
    /// Pixels may lie aside by so many: a pixel is off only where nothing around its place fits it,
    /// in one picture or the other. For lines and edges, which fall otherwise on each rasteriser.
    int shift = 0;
};

struct PictureCase {
    const char* name;
    PictureLimit elsewhere;
    /// Where llvmpipe's rasteriser draws, the one that drew the references.
    PictureLimit lavapipe;
};

/// What a scene is to draw: all of it, or all but one feature.
class Parts {
public:
    Parts() = default;
    explicit Parts(std::string_view without) : without_(without) {}
    bool has(std::string_view feature) const { return feature != without_; }

private:
    std::string_view without_;
};

/// Draws a scene and compares the read framebuffer with reference/NAME.png. Then proves that the
/// limits, of both kinds of devices, can tell: the empty picture is off by three times the limit
/// at least, and the scene drawn again without one feature, for each of `features`, by more than
/// the limit. `begin` makes ready for drawing and clears. Each case is a line of the table
/// pictures.tsv in the folder for artifacts. With --write-references only the scene is drawn, and
/// written.
void judge_picture(const PictureCase& picture, int width, int height,
                   const std::vector<std::string_view>& features,
                   const std::function<void()>& begin,
                   const std::function<void(const Parts&)>& draw);

struct PictureDifference {
    int drawn = 0;
    int off = 0;
    int largest = 0; ///< difference of a channel
    double share() const { return drawn > 0 ? static_cast<double>(off) / drawn : 1.0; }
};
/// The three pictures have one size; `empty` is the background.
PictureDifference compare_pictures(const offscreen::Picture& actual,
                                   const offscreen::Picture& reference,
                                   const offscreen::Picture& empty, const PictureLimit& limit);

/// Set by main() from --write-references DIR, --reference DIR and --artifacts DIR.
struct PictureOptions {
    std::string write_references;
    std::string reference;
    std::string artifacts;
};
PictureOptions& picture_options();

} // namespace kobalt::gltest
