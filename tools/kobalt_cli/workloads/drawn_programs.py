# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The programs of the page that draw one picture: how each is started, and what is said of it."""
from ..lib import paths
from . import drawn, traced

SCENES = paths.ROOT / "tests/apps"
PYTHON = "/usr/bin/python3"  # the distribution's own: its packages belong to it
TOLD = r"^frame: ([0-9.]+) ms"


def scripted(script, command=(PYTHON,), frame=TOLD):
    """Starts COMMAND with SCRIPT of tests/apps, the picture's path and, where it should lack what matters, `empty`."""
    def draw(env, folder, empty):
        shot = folder / "picture.png"
        shot.unlink(missing_ok=True)
        return drawn.start([*command, str(SCENES / script), str(shot)] + (["empty"] if empty else []), env, shot, frame)
    return draw


def draw_godot(env, folder, empty):
    shot = folder / "picture.png"
    shot.unlink(missing_ok=True)
    env = dict(env, KOBALT_PICTURE=str(shot), **({"KOBALT_EMPTY": "1"} if empty else {}))
    command = ["godot3-runner", "--path", str(SCENES / "godot"), "--fixed-fps", "30", "--audio-driver", "Dummy"]
    return drawn.start([drawn.find(command[0]), *command[1:]], env, shot, TOLD)


# With GL 4.3, mpv scales with a polar filter in a compute shader. --gpu-sw accepts drivers that draw on the CPU.
PLAYER = ["mpv", "--no-config", "--vo=gpu", "--gpu-api=opengl", "--gpu-sw=yes", "--no-audio", "--osd-level=0", "--pause",
          "--geometry=400x300", "--autofit=400x300", "--scale=ewa_lanczos", "--dither-depth=no",
          "--msg-level=all=info,vo=v"]


def draw_mpv(env, folder, empty):
    shot = folder / "picture.png"
    shot.unlink(missing_ok=True)
    clip = "av://lavfi:%s=size=240x180:rate=30:duration=2" % ("color" if empty else "testsrc2")
    return drawn.start([*PLAYER, "--script=%s" % (SCENES / "still.lua"), "--script-opts=picture=%s" % shot, clip], env, shot)


def draw_openscad(env, folder, empty):
    shot = folder / "picture.png"
    shot.unlink(missing_ok=True)
    return drawn.start(["openscad", "-o", str(shot), "--imgsize=320,240", "--camera=10,0,0,60,0,30,110", "-D",
                        "empty=%s" % str(empty).lower(), str(SCENES / "solids.scad")], env, shot)


TERMINAL = ("alacritty", "-vv", "-o", "window.dimensions.columns=60", "-o", "window.dimensions.lines=12", "-e", PYTHON)

VTK = drawn.Program(
    "VTK", "vtk", (PYTHON, "/usr/lib/python3/dist-packages/vtkmodules"),
    """VTK, which ParaView draws with, draws a scene of ours (`tests/apps/vtk_scene.py`): translucent solids, sorted by
depth peeling, and a volume by ray casting in the fragment shader.""",
    "the backgrounds alone", "./kobalt run -- xvfb-run -a /usr/bin/python3 tests/apps/vtk_scene.py vtk.png",
    scripted("vtk_scene.py"))
BODIES = drawn.Program(
    "ModernGL", "moderngl", (PYTHON, "/usr/lib/python3/dist-packages/moderngl"),
    """A program on ModernGL, Python's library for OpenGL 3.3 and later, moves bodies by a compute shader
(`tests/apps/bodies.py`): shader storage buffers, shared memory, atomics on an image and on a buffer, a vertex shader that
reads the buffers, and an indirect draw whose count the compute shader wrote.""",
    "no bodies", "./kobalt run -- xvfb-run -a /usr/bin/python3 tests/apps/bodies.py bodies.png", scripted("bodies.py"))
GODOT = drawn.Program(
    "Godot", "godot", ("godot3-runner",),
    """Godot 3's runner draws a scene of ours (`tests/apps/godot`) with GLES3, its renderer on OpenGL 3.3: solids of
physically based materials, two lights with shadows, a sky, ambient occlusion and glow.""",
    "the sky alone", """KOBALT_PICTURE=$PWD/godot.png ./kobalt run -- xvfb-run -a godot3-runner --path tests/apps/godot \\
    --fixed-fps 30 --audio-driver Dummy""", draw_godot)
MPV = drawn.Program(
    "mpv", "mpv", ("mpv",),
    """The player mpv shows a generated clip with its video output on OpenGL, scaled by a polar filter, which is a compute
shader where there is OpenGL 4.3; the picture is the window's.""",
    "a clip of one colour",
    """./kobalt run -- xvfb-run -a mpv --no-config --vo=gpu --gpu-api=opengl --gpu-sw=yes --no-audio \\
    --scale=ewa_lanczos av://lavfi:testsrc2=size=240x180:rate=30:duration=2""",
    draw_mpv, r"GL_RENDERER='(.*)'")
OPENSCAD = drawn.Program(
    "OpenSCAD", "openscad", ("openscad",),
    """OpenSCAD draws its preview of a model (`tests/apps/solids.scad`); differences and intersections of solids are made
with the stencil buffer, in OpenGL 2.""",
    "the empty model",
    """./kobalt run -- xvfb-run -a openscad -o solids.png --imgsize=320,240 --camera=10,0,0,60,0,30,110 \\
    tests/apps/solids.scad""",
    draw_openscad, None)
ALACRITTY = drawn.Program(
    "Alacritty", "alacritty", ("alacritty", PYTHON),
    """The terminal Alacritty, which draws with OpenGL 3.3, shows coloured text (`tests/apps/terminal.py`); the picture is
what the X server has of its window.""",
    "the terminal without text",
    "./kobalt run -- xvfb-run -a alacritty -e /usr/bin/python3 $PWD/tests/apps/terminal.py $PWD/terminal.png",
    scripted("terminal.py", TERMINAL, None), r"\[alacritty\] Running on (?!X11|Wayland)(.*)")
RACE = traced.Race(
    "supertuxkart", ("--log=2", "--apitrace", "--screensize=320x240", "--windowed", "--track=lighthouse", "--numkarts=2",
                     "--laps=1", "--profile-time=1", "--seed=1", "--disable-polling", "--enable-dynamic-lights",
                     "--enable-ssao", "--shadows=512", "--disable-ibl", "--disable-hd-textures"),
    r"OpenGL renderer: (.*)", 50)
SUPERTUXKART = drawn.Program(
    "SuperTuxKart", "supertuxkart", ("supertuxkart", "apitrace"),
    """SuperTuxKart drives a lap by itself on Kobalt for a second, with its modern renderer: dynamic lights, shadows,
ambient occlusion, bloom. No two races are the same, so apitrace records this one (with GLSL 4.50, the newest
that llvmpipe has), and what it recorded is drawn again on each driver; frame %d is the picture, and the frame times are those of drawing the record.""" % RACE.shown,
    "the loading screen",
    """./kobalt run -- xvfb-run -a supertuxkart --screensize=640x480 --windowed --track=lighthouse --numkarts=2 \\
    --profile-time=5 --enable-dynamic-lights""",
    RACE.draw, None, RACE.record)
ALL = (SUPERTUXKART, VTK, BODIES, GODOT, MPV, OPENSCAD, ALACRITTY)
