# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""ModernGL draws this: bodies that attract each other, moved by a compute shader, with their density behind them.

    /usr/bin/python3 bodies.py PICTURE [empty]

The bodies lie in shader storage buffers, tiles of them in shared memory; each step counts in an image how many are
where, with atomics; the vertex shader reads the buffers, and how many are drawn lies in a buffer that the compute
shader wrote. PICTURE is a PNG file. With the word `empty` nothing is moved or counted. It prints the renderer and the
time that a frame takes."""
import ctypes
import struct
import sys
import time
from pathlib import Path

import moderngl

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from kobalt_cli.lib import pictures  # noqa: E402

SIZE = (320, 240)
GROUP, BODIES, STEPS, CELLS = 64, 512, 8, 32
ALL_BARRIERS = ctypes.c_uint(0xFFFFFFFF)

BODY = "struct Body { vec4 place, speed; };\n"
MOVE = """#version 430
layout(local_size_x = %d) in;
%s
layout(std430, binding = 0) readonly buffer Old { Body before[]; };
layout(std430, binding = 1) writeonly buffer New { Body after[]; };
layout(std430, binding = 2) buffer Draw { uint vertices, instances, first, base; };
layout(binding = 0, r32ui) uniform uimage2D density;
shared vec4 tile[gl_WorkGroupSize.x];
void main() {
    uint own = gl_GlobalInvocationID.x, context_slot = gl_LocalInvocationID.x;
    Body body = before[own];
    vec3 pull = vec3(0);
    for (uint group = 0u; group < gl_NumWorkGroups.x; ++group) {
        tile[context_slot] = before[group * gl_WorkGroupSize.x + context_slot].place;
        barrier();
        for (uint other = 0u; other < gl_WorkGroupSize.x; ++other) {
            vec3 way = tile[other].xyz - body.place.xyz;
            float near = dot(way, way) + 0.02;
            pull += way / (near * sqrt(near));
        }
        barrier();
    }
    body.speed.xyz += pull * 2e-6;
    body.place.xyz += body.speed.xyz;
    after[own] = body;
    ivec2 cell = ivec2((body.place.xy * 0.5 + 0.5) * vec2(imageSize(density)));
    imageAtomicAdd(density, cell, 1u);
    atomicAdd(instances, 1u);
}
""" % (GROUP, BODY)
BEHIND = ["""#version 430
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); }
""", """#version 430
layout(binding = 0, r32ui) uniform readonly uimage2D density;
uniform vec2 size;
out vec4 colour;
void main() {
    uint many = imageLoad(density, ivec2(gl_FragCoord.xy / size * vec2(imageSize(density)))).r;
    colour = vec4(vec3(0.1, 0.25, 0.5) * min(float(many) / 12.0, 1.0) + vec3(0.02), 1);
}
"""]
DOTS = ["""#version 430
%s
layout(std430, binding = 1) readonly buffer New { Body after[]; };
flat out vec3 tint;
void main() {
    Body body = after[gl_InstanceID];
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    tint = 0.5 + 0.5 * body.speed.xyz / (length(body.speed.xyz) + 1e-6);
    gl_Position = vec4(body.place.xy + corner * vec2(0.012, 0.016), 0, 1);
}
""" % BODY, """#version 430
flat in vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, 1); }
"""]


def bodies():
    """Random places in a disc, circling; the numbers are of a generator of our own, the same everywhere."""
    state, data = 1, bytearray()

    def number():
        nonlocal state
        state = (state * 1103515245 + 12345) % 2**31
        return state / 2**30 - 1

    while len(data) < BODIES * 32:
        x, y = number() * 0.8, number() * 0.8
        if x * x + y * y < 0.6:
            data += struct.pack("8f", x, y, number() * 0.1, 1, -y * 0.03, x * 0.03, 0, 0)
    return bytes(data)


def main():
    empty = "empty" in sys.argv[2:]
    gl = moderngl.create_context(standalone=True, require=430)
    print("renderer: " + gl.info["GL_RENDERER"])
    barrier = ctypes.CDLL("libGL.so.1").glMemoryBarrier  # this ModernGL has no word for it
    move = gl.compute_shader(MOVE)
    behind = gl.program(vertex_shader=BEHIND[0], fragment_shader=BEHIND[1])
    dots = gl.program(vertex_shader=DOTS[0], fragment_shader=DOTS[1])
    behind["size"].value = SIZE
    buffers = [gl.buffer(bodies()), gl.buffer(bodies())]
    command = gl.buffer(struct.pack("5I", 4, 0, 0, 0, 0))
    density = gl.texture((CELLS, CELLS), 1, dtype="u4", data=bytes(CELLS * CELLS * 4))
    target = gl.simple_framebuffer(SIZE, 3)
    target.use()
    sheet, field = gl.vertex_array(behind, []), gl.vertex_array(dots, [])
    density.bind_to_image(0)
    command.bind_to_storage_buffer(2)
    for step in range(STEPS):
        if step == 1:  # the first one compiles the shaders
            gl.finish()
            start = time.monotonic()
        if not empty:
            density.write(bytes(CELLS * CELLS * 4))
            command.write(struct.pack("5I", 4, 0, 0, 0, 0))
            buffers[0].bind_to_storage_buffer(0)
            buffers[1].bind_to_storage_buffer(1)
            move.run(BODIES // GROUP)
            barrier(ALL_BARRIERS)
        target.clear()
        sheet.render(moderngl.TRIANGLES, vertices=3)
        field.render_indirect(command, moderngl.TRIANGLE_STRIP)
        buffers.reverse()
    gl.finish()
    print("frame: %.2f ms" % (1000 * (time.monotonic() - start) / (STEPS - 1)))
    if gl.error != "GL_NO_ERROR":
        sys.exit(gl.error)
    data, stride = target.read(alignment=1), SIZE[0] * 3
    rows = [data[y * stride:(y + 1) * stride] for y in reversed(range(SIZE[1]))]
    pictures.write_png(pictures.Picture(*SIZE, rows), Path(sys.argv[1]))


main()
