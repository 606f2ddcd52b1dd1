// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_EXT_direct_state_access names an image as the commands on bound textures do: by the face of a
// cube map, where it is one's.
#include "recording.h"
#include "support.h"

namespace kobalt::gltest {
namespace {

struct Dsa {
    PFNGLCOPYMULTITEXSUBIMAGE2DEXTPROC CopyMultiTexSubImage2DEXT =
        gl_function<PFNGLCOPYMULTITEXSUBIMAGE2DEXTPROC>("glCopyMultiTexSubImage2DEXT");
    PFNGLCOPYTEXTURESUBIMAGE2DEXTPROC CopyTextureSubImage2DEXT =
        gl_function<PFNGLCOPYTEXTURESUBIMAGE2DEXTPROC>("glCopyTextureSubImage2DEXT");
    PFNGLGETMULTITEXIMAGEEXTPROC GetMultiTexImageEXT =
        gl_function<PFNGLGETMULTITEXIMAGEEXTPROC>("glGetMultiTexImageEXT");
    PFNGLGETMULTITEXLEVELPARAMETERIVEXTPROC GetMultiTexLevelParameterivEXT =
        gl_function<PFNGLGETMULTITEXLEVELPARAMETERIVEXTPROC>("glGetMultiTexLevelParameterivEXT");
    PFNGLGETTEXTUREIMAGEEXTPROC GetTextureImageEXT =
        gl_function<PFNGLGETTEXTUREIMAGEEXTPROC>("glGetTextureImageEXT");
    PFNGLGETTEXTURELEVELPARAMETERIVEXTPROC GetTextureLevelParameterivEXT =
        gl_function<PFNGLGETTEXTURELEVELPARAMETERIVEXTPROC>("glGetTextureLevelParameterivEXT");
    PFNGLMULTITEXBUFFEREXTPROC MultiTexBufferEXT =
        gl_function<PFNGLMULTITEXBUFFEREXTPROC>("glMultiTexBufferEXT");
    PFNGLMULTITEXIMAGE2DEXTPROC MultiTexImage2DEXT =
        gl_function<PFNGLMULTITEXIMAGE2DEXTPROC>("glMultiTexImage2DEXT");
    PFNGLMULTITEXPARAMETERIEXTPROC MultiTexParameteriEXT =
        gl_function<PFNGLMULTITEXPARAMETERIEXTPROC>("glMultiTexParameteriEXT");
    PFNGLTEXTUREIMAGE2DEXTPROC TextureImage2DEXT =
        gl_function<PFNGLTEXTUREIMAGE2DEXTPROC>("glTextureImage2DEXT");
    PFNGLTEXTURESTORAGE2DMULTISAMPLEEXTPROC TextureStorage2DMultisampleEXT =
        gl_function<PFNGLTEXTURESTORAGE2DMULTISAMPLEEXTPROC>("glTextureStorage2DMultisampleEXT");
    PFNGLTEXTURESUBIMAGE2DEXTPROC TextureSubImage2DEXT =
        gl_function<PFNGLTEXTURESUBIMAGE2DEXTPROC>("glTextureSubImage2DEXT");
};

class DsaImageTest : public CompatTest {
protected:
    using Texels = std::vector<Byte4>;

    Missing missing() const override { return lacks("GL_EXT_direct_state_access"); }
    static GLenum face(int number) {
        return static_cast<GLenum>(GL_TEXTURE_CUBE_MAP_POSITIVE_X + number);
    }
    static Byte4 colour(int number) { return {static_cast<GLubyte>(10 * number), 1, 2, 3}; }
    /// What glGetTextureImageEXT gives of a face of 2 by 2 texels.
    Texels read(GLuint cube, int number) {
        expect_contents();
        Texels texels(5);
        dsa_.GetTextureImageEXT(cube, face(number), 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
        EXPECT_EQ(texels.back(), Byte4{}) << "more than one face was written";
        texels.pop_back();
        return texels;
    }

    const Dsa dsa_;
};

TEST_F(DsaImageTest, FacesOfCubeMaps) {
    GLuint cube = 0;
    gl::GenTextures(1, &cube);
    for (int i = 0; i < 6; ++i) {
        dsa_.TextureImage2DEXT(cube, face(i), 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                               Texels(4, colour(i)).data());
    }
    for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(read(cube, i), Texels(4, colour(i)));
    }
    dsa_.TextureSubImage2DEXT(cube, face(4), 0, 1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                              Texels(1, kRed).data());
    EXPECT_EQ(read(cube, 4), (Texels{colour(4), colour(4), colour(4), kRed}));
    make_target({.width = 2, .height = 2});
    gl::ClearColor(0, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    dsa_.CopyTextureSubImage2DEXT(cube, face(5), 0, 0, 0, 0, 0, 1, 1);
    EXPECT_EQ(read(cube, 5), (Texels{kGreen, colour(5), colour(5), colour(5)}));
    EXPECT_EQ(read(cube, 3), Texels(4, colour(3)));
    EXPECT_EQ(gl::GetError(), GL_NO_ERROR);
    // All of it is no image of the kind.
    dsa_.TextureSubImage2DEXT(cube, GL_TEXTURE_CUBE_MAP, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                              Texels(1, kRed).data());
    EXPECT_EQ(gl::GetError(), GL_INVALID_ENUM);
    dsa_.GetTextureImageEXT(cube, GL_TEXTURE_CUBE_MAP, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                            Texels(24).data());
    EXPECT_EQ(gl::GetError(), GL_INVALID_ENUM);
}

TEST_F(DsaImageTest, FacesOfCubeMapsOnUnits) {
    gl::ActiveTexture(GL_TEXTURE3);
    const GLuint cube = new_texture(GL_TEXTURE_CUBE_MAP);
    gl::ActiveTexture(GL_TEXTURE0);
    for (int i = 0; i < 6; ++i) {
        const int size = i == 2 ? 4 : 2;
        dsa_.MultiTexImage2DEXT(GL_TEXTURE3, face(i), 0, GL_RGBA8, size, size, 0, GL_RGBA,
                                GL_UNSIGNED_BYTE, Texels(16, colour(i)).data());
    }
    gl::MultiTexSubImage2DEXT(GL_TEXTURE3, face(1), 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                              Texels(1, kRed).data());
    EXPECT_EQ(read(cube, 1), (Texels{kRed, colour(1), colour(1), colour(1)}));
    Texels texels(4);
    dsa_.GetMultiTexImageEXT(GL_TEXTURE3, face(1), 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    EXPECT_EQ(texels, read(cube, 1));
    make_target({.width = 2, .height = 2});
    gl::ClearColor(0, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    dsa_.CopyMultiTexSubImage2DEXT(GL_TEXTURE3, face(4), 0, 0, 0, 0, 0, 1, 1);
    EXPECT_EQ(read(cube, 4), (Texels{kGreen, colour(4), colour(4), colour(4)}));
    EXPECT_EQ(read(cube, 0), Texels(4, colour(0)));
    for (int i = 0; i < 6; ++i) {
        GLint by_unit = 0;
        GLint by_name = 0;
        dsa_.GetMultiTexLevelParameterivEXT(GL_TEXTURE3, face(i), 0, GL_TEXTURE_WIDTH, &by_unit);
        dsa_.GetTextureLevelParameterivEXT(cube, face(i), 0, GL_TEXTURE_WIDTH, &by_name);
        EXPECT_EQ(by_unit, i == 2 ? 4 : 2);
        EXPECT_EQ(by_name, by_unit);
    }
    EXPECT_EQ(gl::GetError(), GL_NO_ERROR);
    // A parameter is the texture's.
    dsa_.MultiTexParameteriEXT(GL_TEXTURE3, face(0), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    EXPECT_EQ(gl::GetError(), GL_INVALID_ENUM);
}

TEST_F(DsaImageTest, BuffersOfUnits) {
    const GLuint buffer = make_buffer(GL_TEXTURE_BUFFER, std::vector<float>(16));
    gl::ActiveTexture(GL_TEXTURE2);
    new_texture(GL_TEXTURE_BUFFER);
    gl::ActiveTexture(GL_TEXTURE0);
    dsa_.MultiTexBufferEXT(GL_TEXTURE2, GL_TEXTURE_BUFFER, GL_R32F, buffer);
    EXPECT_EQ(gl::GetError(), GL_NO_ERROR);
    GLint width = 0;
    dsa_.GetMultiTexLevelParameterivEXT(GL_TEXTURE2, GL_TEXTURE_BUFFER, 0, GL_TEXTURE_WIDTH,
                                        &width);
    EXPECT_EQ(width, 16);
}

TEST_F(DsaImageTest, StorageOfANameThatWasNeverBound) {
    if (!has_extension("GL_ARB_texture_storage_multisample")) {
        GTEST_SKIP() << "no GL_ARB_texture_storage_multisample";
    }
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    dsa_.TextureStorage2DMultisampleEXT(texture, GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, 4, 4, 1);
    EXPECT_EQ(gl::GetError(), GL_NO_ERROR);
    GLint samples = 0;
    dsa_.GetTextureLevelParameterivEXT(texture, GL_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_SAMPLES,
                                       &samples);
    EXPECT_EQ(samples, 4);
}

// Whichever face comes first.
TEST_F(DsaImageTest, LevelsOfAFaceThatIsNotTheFirst) {
    new_texture(GL_TEXTURE_CUBE_MAP);
    gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAX_LEVEL, 2);
    gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_GENERATE_MIPMAP, GL_TRUE);
    for (const int i : {3, 5, 0, 1, 2, 4}) {
        gl::TexImage2D(face(i), 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       Texels(16, colour(i)).data());
    }
    for (int i = 0; i < 6; ++i) {
        for (const auto& [level, count] : {std::pair{1, 4U}, {2, 1U}}) {
            Texels texels(count);
            gl::GetTexImage(face(i), level, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
            EXPECT_EQ(texels, Texels(count, colour(i))) << i << ", level " << level;
        }
    }
}

} // namespace
} // namespace kobalt::gltest
