// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What the scene does in every frame.
#include "demo/scene.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "demo/scene_constants.h"

namespace kobalt::demo {

namespace {

constexpr float kTau = 2.0F * std::numbers::pi_v<float>;

float seconds(int frame) {
    return static_cast<float>(frame) / 60.0F;
}

/// A number in 0..1 that depends on the index and the channel only.
float spread(int index, int channel) {
    const double value =
        std::sin(static_cast<double>(index) * 12.9898 + channel * 78.233) * 43758.5453;
    return static_cast<float>(value - std::floor(value));
}

Vec3 camera_at(int frame) {
    const float t = seconds(frame);
    const float angle = 0.55F + 0.30F * t;
    const float distance = 4.35F + 0.35F * std::sin(0.6F * t);
    return {distance * std::cos(angle), 1.75F + 0.45F * std::sin(0.45F * t),
            distance * std::sin(angle)};
}

/// Inverse of projection * view without a general inversion: both parts are known.
Mat4 inverse_of(const Mat4& view, const Mat4& projection, Vec3 eye) {
    Mat4 unproject;
    unproject.m[0] = 1 / projection.m[0];
    unproject.m[5] = 1 / projection.m[5];
    unproject.m[11] = 1 / projection.m[14];
    unproject.m[14] = -1;
    unproject.m[15] = projection.m[10] / projection.m[14];
    Mat4 unview = Mat4::identity();
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            unview.m[column * 4 + row] = view.m[row * 4 + column];
        }
    }
    unview.m[12] = eye.x;
    unview.m[13] = eye.y;
    unview.m[14] = eye.z;
    return unview * unproject;
}

} // namespace

void Scene::update_frame_block(int frame, float mirror) {
    const Vec3 eye = camera_at(frame);
    const Mat4 view = look_at(eye, {0, 1.12F, 0}, {0, 1, 0});
    const Mat4 projection =
        perspective(0.80F, static_cast<float>(width_) / static_cast<float>(height_), 0.1F, 80.0F);
    const Vec3 sun = normalise({0.62F, 0.50F, -0.60F});
    FrameBlock block;
    block.view_projection = projection * view;
    block.light_matrix = orthographic(3.4F, 3.4F, 0.5F, 14.0F) *
                         look_at(sun * 7.0F + Vec3{0, 0.8F, 0}, {0, 0.8F, 0}, {0, 1, 0});
    block.eye = {eye.x, eye.y, eye.z, 1};
    block.sun_direction = {sun.x, sun.y, sun.z, 0};
    // The mirrored pass shades the true world position; only its place on the screen is mirrored.
    block.mirror = {mirror, 0, 0, 0};
    if (mirror < 0) {
        block.eye[1] = -eye.y;
    }
    block.inverse_view_projection = inverse_of(view, projection, eye);
    const GLintptr offset = mirror < 0 ? sizeof(FrameBlock) : 0;
    gl::BindBuffer(GL_UNIFORM_BUFFER, frame_block_);
    gl::BufferSubData(GL_UNIFORM_BUFFER, offset, sizeof(block), &block);
    gl::BindBufferRange(GL_UNIFORM_BUFFER, kFrameBinding, frame_block_, offset, sizeof(block));
}

void Scene::update_instances(int frame) {
    const float t = seconds(frame);
    const auto store = [](const Drawable& drawable, const std::vector<Instance>& instances) {
        gl::BindBuffer(GL_ARRAY_BUFFER, drawable.instances);
        gl::BufferData(GL_ARRAY_BUFFER,
                       static_cast<GLsizeiptr>(instances.size() * sizeof(Instance)),
                       instances.data(), GL_STREAM_DRAW);
    };
    const Mat4 knot = translate({0, 1.32F + 0.05F * std::sin(1.1F * t), 0}) *
                      rotate({0, 1, 0}, -0.45F * t) * rotate({1, 0, 0}, 1.25F) *
                      scale({0.88F, 0.88F, 0.88F});
    store(knot_, {{knot, {1, 1, 1, 1}}});
    store(floor_, {{Mat4::identity(), {1, 1, 1, 1}}});
    std::vector<Instance> crystals;
    for (int i = 0; i < kCrystalCount; ++i) {
        const float place = static_cast<float>(i) / static_cast<float>(kCrystalCount);
        const float radius = 1.95F + 1.5F * spread(i, 1) * spread(i, 2);
        const float angle = kTau * place + (0.10F + 0.25F / radius) * t;
        const float height = 0.42F + 1.9F * spread(i, 3) + 0.10F * std::sin(t * 1.7F + 9 * place);
        const float size = 0.045F + 0.085F * spread(i, 4) * spread(i, 5);
        const Vec3 axis = normalise({spread(i, 6) - 0.5F, 1.2F, spread(i, 7) - 0.5F});
        const Mat4 model = translate({radius * std::cos(angle), height, radius * std::sin(angle)}) *
                           rotate(axis, t * (0.6F + spread(i, 8)) + 6 * place) *
                           rotate({0, 0, 1}, 0.5F * (spread(i, 9) - 0.5F)) *
                           scale({size, size * 1.7F, size});
        const float pulse = 0.55F + 0.45F * std::sin(2.2F * t + 20 * place);
        const bool amber = spread(i, 10) > 0.82F;
        crystals.push_back({model, amber ? std::array<float, 4>{1.0F, 0.50F, 0.16F, 2.6F * pulse}
                                         : std::array<float, 4>{0.12F + 0.2F * spread(i, 11), 0.42F,
                                                                1.0F, 2.0F * pulse + 0.3F}});
    }
    store(crystals_, crystals);
}

void Scene::draw_solids() {
    gl::UseProgram(glaze_program_);
    gl::ActiveTexture(GL_TEXTURE0 + kColourUnit);
    gl::BindTexture(GL_TEXTURE_2D, glaze_colour_);
    gl::ActiveTexture(GL_TEXTURE0 + kNormalUnit);
    gl::BindTexture(GL_TEXTURE_2D, glaze_normal_);
    gl::BindVertexArray(knot_.vertex_array);
    gl::DrawElementsInstanced(GL_TRIANGLES, knot_.indices, GL_UNSIGNED_INT, nullptr, 1);
    gl::UseProgram(crystal_program_);
    gl::BindVertexArray(crystals_.vertex_array);
    gl::DrawElementsInstanced(GL_TRIANGLES, crystals_.indices, GL_UNSIGNED_INT, nullptr,
                              crystals_.instance_count);
}

void Scene::draw_shadow_map(int frame) {
    update_frame_block(frame, 1);
    gl::BindFramebuffer(GL_FRAMEBUFFER, shadow_framebuffer_);
    gl::Viewport(0, 0, kShadowSize, kShadowSize);
    gl::Clear(GL_DEPTH_BUFFER_BIT);
    gl::Enable(GL_DEPTH_TEST);
    gl::Enable(GL_POLYGON_OFFSET_FILL);
    gl::PolygonOffset(2.0F, 4.0F);
    gl::UseProgram(shadow_program_);
    for (const Drawable* drawable : {&knot_, &crystals_}) {
        gl::BindVertexArray(drawable->vertex_array);
        gl::DrawElementsInstanced(GL_TRIANGLES, drawable->indices, GL_UNSIGNED_INT, nullptr,
                                  drawable->instance_count);
    }
    gl::Disable(GL_POLYGON_OFFSET_FILL);
}

void Scene::draw_hdr(int frame) {
    gl::BindFramebuffer(GL_FRAMEBUFFER, multisample_framebuffer_);
    gl::Viewport(0, 0, width_, height_);
    gl::ClearColor(0, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    gl::ActiveTexture(GL_TEXTURE0 + kShadowUnit);
    gl::BindTexture(GL_TEXTURE_2D, shadow_texture_);
    gl::Enable(GL_CULL_FACE);

    // The mirrored scene, seen through the floor; mirroring turns the winding around.
    update_frame_block(frame, -1);
    gl::FrontFace(GL_CW);
    draw_solids();
    gl::FrontFace(GL_CCW);

    // Then the sky behind the mirrored scene, and the floor over both: the floor writes depth for
    // the upright scene.
    update_frame_block(frame, 1);
    gl::Disable(GL_CULL_FACE);
    gl::DepthFunc(GL_LEQUAL);
    gl::UseProgram(sky_program_);
    gl::BindVertexArray(empty_vertex_array_);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    gl::Clear(GL_DEPTH_BUFFER_BIT);
    gl::Enable(GL_CULL_FACE);
    gl::Enable(GL_BLEND);
    gl::BlendFuncSeparate(GL_ONE, GL_SRC_ALPHA, GL_ZERO, GL_ONE);
    gl::UseProgram(floor_program_);
    gl::ActiveTexture(GL_TEXTURE0 + kColourUnit);
    gl::BindTexture(GL_TEXTURE_2D, tile_colour_);
    gl::ActiveTexture(GL_TEXTURE0 + kNormalUnit);
    gl::BindTexture(GL_TEXTURE_2D, tile_normal_);
    gl::BindVertexArray(floor_.vertex_array);
    gl::DrawElementsInstanced(GL_TRIANGLES, floor_.indices, GL_UNSIGNED_INT, nullptr, 1);
    gl::Disable(GL_BLEND);
    draw_solids();
    gl::Disable(GL_CULL_FACE);
    gl::Disable(GL_DEPTH_TEST);

    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, multisample_framebuffer_);
    gl::BindFramebuffer(GL_DRAW_FRAMEBUFFER, hdr_.framebuffer);
    gl::BlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT,
                        GL_NEAREST);
}

void Scene::screen_pass(const Screen& target, GLuint program, GLuint source) {
    gl::BindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    gl::Viewport(0, 0, target.width, target.height);
    gl::UseProgram(program);
    gl::ActiveTexture(GL_TEXTURE0);
    gl::BindTexture(GL_TEXTURE_2D, source);
    gl::BindVertexArray(empty_vertex_array_);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
}

void Scene::draw_post() {
    const auto blur = [&](const Screen& from, const Screen& to, float x, float y) {
        gl::UseProgram(blur_program_);
        gl::Uniform2f(gl::GetUniformLocation(blur_program_, "direction"), x, y);
        screen_pass(to, blur_program_, from.texture);
    };
    screen_pass(bloom_near_, bright_program_, hdr_.texture);
    blur(bloom_near_, bloom_near_other_, 1, 0);
    blur(bloom_near_other_, bloom_near_, 0, 1);
    blur(bloom_near_, bloom_far_, 1, 1);
    blur(bloom_far_, bloom_far_other_, 1, 0);
    blur(bloom_far_other_, bloom_far_, 0, 1);
    gl::ActiveTexture(GL_TEXTURE1);
    gl::BindTexture(GL_TEXTURE_2D, bloom_near_.texture);
    gl::ActiveTexture(GL_TEXTURE2);
    gl::BindTexture(GL_TEXTURE_2D, bloom_far_.texture);
    screen_pass(final_, tone_program_, hdr_.texture);
}

void Scene::draw(int frame) {
    update_instances(frame);
    draw_shadow_map(frame);
    draw_hdr(frame);
    draw_post();
}

offscreen::Picture Scene::read() const {
    offscreen::Picture picture{width_, height_, {}};
    picture.rgba.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * 4);
    gl::BindFramebuffer(GL_FRAMEBUFFER, final_.framebuffer);
    gl::ReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, picture.rgba.data());
    return picture;
}

} // namespace kobalt::demo
