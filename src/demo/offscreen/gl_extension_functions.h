// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

// The functions of extensions that the demo and the GL tests call, in alphabetical order.
#define KOBALT_GL_EXTENSION_FUNCTIONS(X)                                                           \
    X(BeginPerfMonitorAMD)                                                                         \
    X(BlendBarrierKHR)                                                                             \
    X(BufferPageCommitmentARB)                                                                     \
    X(BufferStorageMemEXT)                                                                         \
    X(ConservativeRasterParameterfNV)                                                              \
    X(CreateMemoryObjectsEXT)                                                                      \
    X(CreatePerfQueryINTEL)                                                                        \
    X(DeleteMemoryObjectsEXT)                                                                      \
    X(DeleteNamedStringARB)                                                                        \
    X(DeletePerfMonitorsAMD)                                                                       \
    X(DeleteSemaphoresEXT)                                                                         \
    X(DispatchComputeGroupSizeARB)                                                                 \
    X(EndPerfMonitorAMD)                                                                           \
    X(EvaluateDepthValuesARB)                                                                      \
    X(FramebufferFetchBarrierEXT)                                                                  \
    X(FramebufferSampleLocationsfvARB)                                                             \
    X(FramebufferTextureMultiviewOVR)                                                              \
    X(GenPerfMonitorsAMD)                                                                          \
    X(GenSemaphoresEXT)                                                                            \
    X(GetCompressedMultiTexImageEXT)                                                               \
    X(GetCompressedTextureImageEXT)                                                                \
    X(GetFirstPerfQueryIdINTEL)                                                                    \
    X(GetPerfMonitorCounterDataAMD)                                                                \
    X(GetPerfMonitorCounterStringAMD)                                                              \
    X(GetPerfMonitorCountersAMD)                                                                   \
    X(GetPerfMonitorGroupStringAMD)                                                                \
    X(GetPerfMonitorGroupsAMD)                                                                     \
    X(GetPerfQueryIdByNameINTEL)                                                                   \
    X(GetProgramLocalParameterfvARB)                                                               \
    X(GetTextureHandleARB)                                                                         \
    X(GetTextureSamplerHandleARB)                                                                  \
    X(GetUnsignedBytei_vEXT)                                                                       \
    X(GetUnsignedBytevEXT)                                                                         \
    X(ImportMemoryFdEXT)                                                                           \
    X(ImportSemaphoreFdEXT)                                                                        \
    X(IsTextureHandleResidentARB)                                                                  \
    X(MakeTextureHandleNonResidentARB)                                                             \
    X(MakeTextureHandleResidentARB)                                                                \
    X(MaxShaderCompilerThreadsKHR)                                                                 \
    X(MemoryObjectParameterivEXT)                                                                  \
    X(MinSampleShadingARB)                                                                         \
    X(MultiTexCoordPointerEXT)                                                                     \
    X(MultiTexSubImage2DEXT)                                                                       \
    X(ProgramEnvParameters4fvEXT)                                                                  \
    X(ProgramLocalParameters4fvEXT)                                                                \
    X(SelectPerfMonitorCountersAMD)                                                                \
    X(SignalSemaphoreEXT)                                                                          \
    X(SpecializeShaderARB)                                                                         \
    X(SubpixelPrecisionBiasNV)                                                                     \
    X(TexPageCommitmentARB)                                                                        \
    X(TexStorageMem2DEXT)                                                                          \
    X(UniformHandleui64ARB)                                                                        \
    X(VertexArrayMultiTexCoordOffsetEXT)                                                           \
    X(VertexAttribs4fvNV)                                                                          \
    X(WaitSemaphoreEXT)                                                                            \
    X(WindowRectanglesEXT)
