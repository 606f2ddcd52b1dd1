# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Blender runs this: a scene whose objects differ in place, turn and size, rendered with Eevee into a TGA file.

    blender --background --factory-startup --python-exit-code 1 --python blender_scene.py -- PICTURE [still]

With the word `still` the visible objects keep no transform: that's what a driver draws that loses them.
It prints the renderer."""
import math
import sys

import bpy
import gpu

SIZE = (320, 180)
SAMPLES = 8
# The mesh operator, its words, the colour, and the object's place, turn (degrees) and size.
OBJECTS = [
    ("primitive_plane_add", {"size": 12}, (0.5, 0.5, 0.55), (0, 0, -1), (0, 0, 20), (1, 1, 1)),
    ("primitive_cube_add", {"size": 1.4}, (0.8, 0.1, 0.1), (-2.4, 0.5, 0), (20, 35, 10), (1, 1, 1.3)),
    ("primitive_uv_sphere_add", {"radius": 0.8}, (0.1, 0.6, 0.2), (-0.6, -1.2, -0.2), (0, 0, 0), (1, 1, 1)),
    ("primitive_cone_add", {"radius1": 0.8, "depth": 1.8}, (0.1, 0.2, 0.9), (0.9, 0.8, 0.1), (0, 25, 0), (1, 1, 1.4)),
    ("primitive_torus_add", {"major_radius": 0.8, "minor_radius": 0.25}, (0.9, 0.7, 0.1), (2.5, -0.5, 0), (60, 0, 30),
     (1, 1.2, 1)),
    ("primitive_monkey_add", {"size": 1.6}, (0.7, 0.3, 0.7), (0.6, -2.3, -0.3), (-20, 0, 25), (0.8, 0.8, 0.8)),
]


def material(colour, number):
    made = bpy.data.materials.new("material %d" % number)
    made.use_nodes = True
    words = made.node_tree.nodes["Principled BSDF"].inputs
    words["Base Color"].default_value = (*colour, 1)
    words["Metallic"].default_value = 0.8 if number % 2 else 0
    words["Roughness"].default_value = 0.4
    return made


def radians(degrees):
    return tuple(math.radians(angle) for angle in degrees)


def build(still):
    for old in list(bpy.data.objects):
        bpy.data.objects.remove(old)
    for number, (operator, words, colour, place, turn, size) in enumerate(OBJECTS):
        getattr(bpy.ops.mesh, operator)(**words)
        thing = bpy.context.object
        thing.data.materials.append(material(colour, number))
        if not still:
            thing.location, thing.rotation_euler, thing.scale = place, radians(turn), size
    for kind, energy, place, turn in (("SUN", 2.5, (0, 0, 5), (40, 15, 0)), ("POINT", 300, (-3, -4, 3), (0, 0, 0))):
        light = bpy.data.lights.new(kind, kind)
        light.energy = energy
        lamp = bpy.data.objects.new(kind, light)
        lamp.location, lamp.rotation_euler = place, radians(turn)
        bpy.context.collection.objects.link(lamp)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location, camera.rotation_euler = (0, -9, 4), radians((67, 0, 0))
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera


def settle(picture):
    scene = bpy.context.scene
    scene.render.engine = "BLENDER_EEVEE"
    scene.eevee.taa_render_samples = SAMPLES
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.render.resolution_percentage = 100
    scene.render.dither_intensity = 0
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format = "TARGA_RAW"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.filepath = picture


def main():
    words = sys.argv[sys.argv.index("--") + 1:]
    build("still" in words)
    settle(words[0])
    bpy.ops.render.render(write_still=True)
    # In the background Blender has a GL context only once it has rendered.
    print("renderer: %s" % gpu.platform.renderer_get())


main()
