// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <expected>
#include <string>

#include "demo/linear_algebra.h"
#include "demo/offscreen/gl_api.h"
#include "demo/offscreen/png_file.h"

namespace kobalt::demo {

/// A glazed torus knot among floating crystals on a tiled floor at dusk. Each frame runs a shadow
/// pass, a mirrored and an upright pass into a multisampled HDR target, a resolve, bloom and tone
/// mapping. The picture depends on the frame number only.
class Scene {
public:
    /// Needs a current OpenGL 3.3 context. The error is one line.
    static std::expected<Scene, std::string> create(int width, int height);

    /// Records the commands of a frame; does not wait for them.
    void draw(int frame);
    /// Reads the frame drawn last.
    offscreen::Picture read() const;

private:
    struct Drawable {
        GLuint vertex_array = 0;
        GLsizei indices = 0;
        GLuint instances = 0;
        GLsizei instance_count = 0;
    };
    struct Screen {
        GLuint framebuffer = 0;
        GLuint texture = 0;
        int width = 0;
        int height = 0;
    };

    std::expected<void, std::string> create_programs();
    std::expected<void, std::string> create_targets();
    void create_textures();
    void create_meshes();
    void update_frame_block(int frame, float mirror);
    void update_instances(int frame);
    void draw_solids();
    void draw_shadow_map(int frame);
    void draw_hdr(int frame);
    void draw_post();
    void screen_pass(const Screen& target, GLuint program, GLuint source);
    std::expected<Screen, std::string> make_screen(int width, int height, GLenum format);

    int width_ = 0;
    int height_ = 0;
    GLuint glaze_program_ = 0;
    GLuint crystal_program_ = 0;
    GLuint floor_program_ = 0;
    GLuint shadow_program_ = 0;
    GLuint sky_program_ = 0;
    GLuint bright_program_ = 0;
    GLuint blur_program_ = 0;
    GLuint tone_program_ = 0;
    GLuint frame_block_ = 0;
    GLuint empty_vertex_array_ = 0;
    Drawable knot_;
    Drawable crystals_;
    Drawable floor_;
    GLuint glaze_colour_ = 0;
    GLuint glaze_normal_ = 0;
    GLuint tile_colour_ = 0;
    GLuint tile_normal_ = 0;
    GLuint shadow_framebuffer_ = 0;
    GLuint shadow_texture_ = 0;
    GLuint multisample_framebuffer_ = 0;
    Screen hdr_;
    Screen bloom_near_;
    Screen bloom_near_other_;
    Screen bloom_far_;
    Screen bloom_far_other_;
    Screen final_;
};

} // namespace kobalt::demo
