# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""ParaView draws a sphere in a window of its own and writes the picture.

    pvpython --force-offscreen-rendering paraview_scene.py PICTURE
"""
import sys

from paraview.simple import CreateView, Render, ResetCamera, SaveScreenshot, Show, Sphere

view = CreateView("RenderView")
view.ViewSize = [400, 300]
Show(Sphere(ThetaResolution=32, PhiResolution=32), view)
ResetCamera(view)
Render(view)
said = view.GetRenderWindow().ReportCapabilities()
print("renderer: " + next((line.split(":")[1].strip() for line in said.splitlines() if "renderer string" in line), "?"))
SaveScreenshot(sys.argv[1], view)
