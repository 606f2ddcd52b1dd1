#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Asks the GL driver that EGL finds here for its versions and extensions. Python and libEGL are all that it needs.

`./kobalt features` runs it on each driver; the bundle has it for machines without the rest of the project. Prints
lines CONTEXT<TAB>KEY<TAB>VALUE, as soon as it knows them, so that a driver's crash loses only what comes after:

    egl     version, vendor, extensions
    core, compat, es1, es2, es3
            version, renderer, vendor, glsl, extensions; or `none` with the reason
"""
import ctypes
import sys

NONE = 0x3038
SURFACELESS, DEVICE = 0x31DD, 0x313F
OPENGL_API, OPENGL_ES_API = 0x30A2, 0x30A0
MAJOR, MINOR, PROFILE = 0x3098, 0x30FB, 0x30FD
VENDOR, VERSION, EXTENSIONS = 0x3053, 0x3054, 0x3055
RENDERABLE_TYPE, SURFACE_TYPE = 0x3040, 0x3033
GL_VENDOR, GL_RENDERER, GL_VERSION, GL_EXTENSIONS, GL_GLSL, GL_NUM_EXTENSIONS = 0x1F00, 0x1F01, 0x1F02, 0x1F03, 0x8B8C, 0x821D
# Context: its API, its bit of EGL_RENDERABLE_TYPE, its profile's bit (0: none), and the versions to ask for, the newest first.
CONTEXTS = {
    "core": (OPENGL_API, 0x0008, 1, ((4, 6), (4, 5), (4, 4), (4, 3), (4, 2), (4, 1), (4, 0), (3, 3), (3, 2), (3, 1))),
    "compat": (OPENGL_API, 0x0008, 2, ((4, 6), (4, 5), (4, 4), (4, 3), (4, 2), (4, 1), (4, 0), (3, 3), (3, 2), (3, 1), (3, 0), (2, 1), (1, 4))),
    "es1": (OPENGL_ES_API, 0x0001, 0, ((1, 1), (1, 0))),
    "es2": (OPENGL_ES_API, 0x0004, 0, ((2, 0),)),
    "es3": (OPENGL_ES_API, 0x0040, 0, ((3, 2), (3, 1), (3, 0))),
}


def say(context, key, value):
    sys.stdout.write("%s\t%s\t%s\n" % (context, key, value.replace("\t", " ").replace("\n", " ")))
    sys.stdout.flush()


def text(raw):
    return raw.decode("utf-8", "replace") if raw else ""


class Egl:
    """libEGL, and a display that needs no window system."""

    def __init__(self):
        self.library = ctypes.CDLL("libEGL.so.1")
        pointer, integer = ctypes.c_void_p, ctypes.c_int
        for name, result, arguments in (
                ("GetProcAddress", pointer, [ctypes.c_char_p]), ("QueryString", ctypes.c_char_p, [pointer, integer]),
                ("Initialize", ctypes.c_uint, [pointer, pointer, pointer]), ("BindAPI", ctypes.c_uint, [ctypes.c_uint]),
                ("ChooseConfig", ctypes.c_uint, [pointer, pointer, pointer, integer, pointer]),
                ("CreateContext", pointer, [pointer, pointer, pointer, pointer]), ("GetError", integer, []),
                ("MakeCurrent", ctypes.c_uint, [pointer] * 4), ("DestroyContext", ctypes.c_uint, [pointer] * 2),
                ("GetDisplay", pointer, [pointer])):
            function = getattr(self.library, "egl" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
        self.display = self.open()

    def procedure(self, name, result, *arguments):
        """The function NAME, or None."""
        address = self.GetProcAddress(name.encode())
        return ctypes.CFUNCTYPE(result, *arguments)(address) if address else None

    def displays(self):
        """Displays in the order to try them: surfaceless, each device, the usual one."""
        extensions = text(self.QueryString(None, EXTENSIONS)).split()
        platform = self.procedure("eglGetPlatformDisplayEXT", ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p)
        if platform and "EGL_MESA_platform_surfaceless" in extensions:
            yield platform(SURFACELESS, None, None)
        query = self.procedure("eglQueryDevicesEXT", ctypes.c_uint, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        if platform and query and "EGL_EXT_platform_device" in extensions:
            devices, count = (ctypes.c_void_p * 16)(), ctypes.c_int()
            if query(16, devices, ctypes.byref(count)):
                for device in devices[:count.value]:
                    yield platform(DEVICE, device, None)
        yield self.GetDisplay(None)

    def open(self):
        for display in self.displays():
            if display and self.Initialize(display, None, None):
                return display
        raise SystemExit("features_probe: EGL has no display here that works without a window system")

    def query(self, what):
        return text(self.QueryString(self.display, what))

    def config(self, renderable):
        """A configuration for contexts of that kind, or None, which stands for no configuration."""
        wanted = (ctypes.c_int * 5)(RENDERABLE_TYPE, renderable, SURFACE_TYPE, 0, NONE)
        config, count = ctypes.c_void_p(), ctypes.c_int()
        found = self.ChooseConfig(self.display, wanted, ctypes.byref(config), 1, ctypes.byref(count))
        return config if found and count.value else None

    def context(self, api, renderable, profile, versions):
        """(context, None) of the newest of VERSIONS that there is, made current; or (None, why not)."""
        if not self.BindAPI(api):
            return None, "EGL binds no such API"
        config, why = self.config(renderable), "no version asked for"
        for major, minor in versions:
            words = [MAJOR, major, MINOR, minor] + ([PROFILE, profile] if profile and (major, minor) >= (3, 2) else [])
            made = self.CreateContext(self.display, config, None, (ctypes.c_int * (len(words) + 1))(*words, NONE))
            if not made:
                why = "eglCreateContext %d.%d: error 0x%x" % (major, minor, self.GetError())
            elif not self.MakeCurrent(self.display, None, None, made):
                why = "eglMakeCurrent without a surface: error 0x%x" % self.GetError()
                self.DestroyContext(self.display, made)
            else:
                return made, None
        return None, why

    def close(self, context):
        self.MakeCurrent(self.display, None, None, None)
        self.DestroyContext(self.display, context)


def extensions_of(egl, indexed):
    get_string = egl.procedure("glGetString", ctypes.c_char_p, ctypes.c_uint)
    if not indexed:
        return text(get_string(GL_EXTENSIONS)).split()
    get_integer = egl.procedure("glGetIntegerv", None, ctypes.c_uint, ctypes.c_void_p)
    get_indexed = egl.procedure("glGetStringi", ctypes.c_char_p, ctypes.c_uint, ctypes.c_uint)
    count = ctypes.c_int()
    get_integer(GL_NUM_EXTENSIONS, ctypes.byref(count))
    return [text(get_indexed(GL_EXTENSIONS, i)) for i in range(count.value)]


def ask(egl, name):
    made, why = egl.context(*CONTEXTS[name])
    if not made:
        say(name, "none", why)
        return
    get_string = egl.procedure("glGetString", ctypes.c_char_p, ctypes.c_uint)
    version = text(get_string(GL_VERSION))
    say(name, "version", version)
    for key, value in (("renderer", GL_RENDERER), ("vendor", GL_VENDOR), ("glsl", GL_GLSL if name != "es1" else None)):
        if value:
            say(name, key, text(get_string(value)))
    number = next((word for word in version.split() if word[:1].isdigit()), "1.0")
    say(name, "extensions", " ".join(sorted(set(extensions_of(egl, name != "es1" and number >= "3.0")))))
    egl.close(made)


def main():
    egl = Egl()
    for key, what in (("version", VERSION), ("vendor", VENDOR)):
        say("egl", key, egl.query(what))
    client = text(egl.QueryString(None, EXTENSIONS)).split()
    say("egl", "extensions", " ".join(sorted(set(client + egl.query(EXTENSIONS).split()))))
    for name in CONTEXTS:
        ask(egl, name)


if __name__ == "__main__":
    main()
