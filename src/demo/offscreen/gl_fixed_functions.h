// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

// The functions of the fixed function that the GL tests call, in alphabetical order: they exist in
// compatibility contexts only.
#define KOBALT_GL_FIXED_FUNCTIONS(X)                                                               \
    X(AlphaFunc)                                                                                   \
    X(Begin)                                                                                       \
    X(Bitmap)                                                                                      \
    X(CallList)                                                                                    \
    X(ClipPlane)                                                                                   \
    X(Color3f)                                                                                     \
    X(Color4f)                                                                                     \
    X(CopyPixels)                                                                                  \
    X(DeleteLists)                                                                                 \
    X(DrawPixels)                                                                                  \
    X(EdgeFlag)                                                                                    \
    X(EnableClientState)                                                                           \
    X(End)                                                                                         \
    X(EndList)                                                                                     \
    X(FeedbackBuffer)                                                                              \
    X(FogCoordf)                                                                                   \
    X(Fogf)                                                                                        \
    X(Fogfv)                                                                                       \
    X(Fogi)                                                                                        \
    X(GenLists)                                                                                    \
    X(InitNames)                                                                                   \
    X(LightModelfv)                                                                                \
    X(LightModeli)                                                                                 \
    X(Lightfv)                                                                                     \
    X(LineStipple)                                                                                 \
    X(LoadIdentity)                                                                                \
    X(LoadMatrixf)                                                                                 \
    X(LoadName)                                                                                    \
    X(Materialf)                                                                                   \
    X(Materialfv)                                                                                  \
    X(MatrixMode)                                                                                  \
    X(NewList)                                                                                     \
    X(Normal3f)                                                                                    \
    X(NormalPointer)                                                                               \
    X(Ortho)                                                                                       \
    X(PixelMapfv)                                                                                  \
    X(PixelTransferf)                                                                              \
    X(PixelTransferi)                                                                              \
    X(PixelZoom)                                                                                   \
    X(PolygonStipple)                                                                              \
    X(PopAttrib)                                                                                   \
    X(PopMatrix)                                                                                   \
    X(PushAttrib)                                                                                  \
    X(PushMatrix)                                                                                  \
    X(PushName)                                                                                    \
    X(RasterPos2f)                                                                                 \
    X(RasterPos2i)                                                                                 \
    X(RenderMode)                                                                                  \
    X(Scalef)                                                                                      \
    X(SelectBuffer)                                                                                \
    X(ShadeModel)                                                                                  \
    X(TexCoord2f)                                                                                  \
    X(TexCoord3f)                                                                                  \
    X(TexEnvfv)                                                                                    \
    X(TexEnvi)                                                                                     \
    X(TexGenfv)                                                                                    \
    X(TexGeni)                                                                                     \
    X(Translatef)                                                                                  \
    X(Vertex2f)                                                                                    \
    X(Vertex3f)                                                                                    \
    X(VertexPointer)
