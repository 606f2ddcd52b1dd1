# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""VTK draws this: translucent solids with depth peeling at the left, a volume by ray casting at the right.

    /usr/bin/python3 vtk_scene.py PICTURE [empty]

PICTURE is a PNG file. With the word `empty` nothing but the backgrounds is drawn. It prints the renderer and the time
that a frame takes."""
import re
import sys
import time

import vtkmodules.vtkRenderingOpenGL2  # noqa: F401, pylint: disable=unused-import; it draws
from vtkmodules.vtkCommonDataModel import vtkPiecewiseFunction
from vtkmodules.vtkFiltersSources import vtkConeSource, vtkSphereSource, vtkSuperquadricSource
from vtkmodules.vtkImagingCore import vtkRTAnalyticSource
from vtkmodules.vtkIOImage import vtkPNGWriter
from vtkmodules.vtkRenderingCore import (vtkActor, vtkColorTransferFunction, vtkPolyDataMapper, vtkRenderer,
                                         vtkRenderWindow, vtkVolume, vtkVolumeProperty, vtkWindowToImageFilter)
from vtkmodules.vtkRenderingVolumeOpenGL2 import vtkOpenGLGPUVolumeRayCastMapper

SIZE = (320, 240)
FRAMES = 5
SOLIDS = [(vtkSphereSource, {"Radius": 1, "ThetaResolution": 40, "PhiResolution": 40}, (0.9, 0.2, 0.2), (0, 0, 0), 0.5),
          (vtkConeSource, {"Height": 2.4, "Radius": 0.8, "Resolution": 30}, (0.2, 0.8, 0.2), (0.5, 0.4, -0.5), 1),
          (vtkSuperquadricSource, {"PhiRoundness": 0.3, "ThetaRoundness": 0.3}, (0.2, 0.3, 0.9), (-0.8, 0.3, 0.4), 0.6)]
COLOURS = [(37, 0, 0, 1), (130, 0.2, 0.9, 0.3), (200, 1, 0.8, 0), (276, 1, 0, 0)]
OPACITIES = [(90, 0), (150, 0.02), (276, 0.3)]


def solid(source, words, colour, place, opacity):
    made = source()
    for name, value in words.items():
        getattr(made, "Set" + name)(value)
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(made.GetOutputPort())
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.SetPosition(*place)
    actor.GetProperty().SetColor(*colour)
    actor.GetProperty().SetOpacity(opacity)
    return actor


def cloud():
    source = vtkRTAnalyticSource()
    source.SetWholeExtent(-16, 16, -16, 16, -16, 16)
    mapper = vtkOpenGLGPUVolumeRayCastMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    mapper.SetUseJittering(0)
    mapper.SetAutoAdjustSampleDistances(0)
    mapper.SetSampleDistance(0.5)
    colour, opacity = vtkColorTransferFunction(), vtkPiecewiseFunction()
    for point in COLOURS:
        colour.AddRGBPoint(*point)
    for point in OPACITIES:
        opacity.AddPoint(*point)
    looks = vtkVolumeProperty()
    looks.SetColor(colour)
    looks.SetScalarOpacity(opacity)
    looks.ShadeOn()
    looks.SetInterpolationTypeToLinear()
    volume = vtkVolume()
    volume.SetMapper(mapper)
    volume.SetProperty(looks)
    return volume


def build(empty):
    window, left, right = vtkRenderWindow(), vtkRenderer(), vtkRenderer()
    window.SetSize(*SIZE)
    window.SetMultiSamples(0)
    left.SetViewport(0, 0, 0.5, 1)
    left.SetBackground(0.1, 0.15, 0.3)
    left.SetBackground2(0.6, 0.7, 0.8)
    left.GradientBackgroundOn()
    left.UseDepthPeelingOn()
    left.SetMaximumNumberOfPeels(6)
    left.SetOcclusionRatio(0)
    right.SetViewport(0.5, 0, 1, 1)
    for renderer in (left, right):
        window.AddRenderer(renderer)
    if not empty:
        for words in SOLIDS:
            left.AddActor(solid(*words))
        right.AddVolume(cloud())
    for renderer, turn, height in ((left, 25, 0), (right, 35, 20)):
        renderer.ResetCamera()
        renderer.GetActiveCamera().Azimuth(turn)
        renderer.GetActiveCamera().Elevation(height)
    return window


def main():
    window = build("empty" in sys.argv[2:])
    window.Render()  # compiles the shaders
    start = time.monotonic()
    for _ in range(FRAMES):
        window.Render()
    window.WaitForCompletion()
    print("frame: %.1f ms" % (1000 * (time.monotonic() - start) / FRAMES))
    print("renderer: " + re.search(r"renderer string: *(.*)", window.ReportCapabilities())[1])
    grab, writer = vtkWindowToImageFilter(), vtkPNGWriter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    writer.SetInputConnection(grab.GetOutputPort())
    writer.SetFileName(sys.argv[1])
    writer.Write()


main()
