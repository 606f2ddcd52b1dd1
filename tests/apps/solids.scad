// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// OpenSCAD draws this in its preview: differences and intersections are made by the GPU, in the stencil buffer.
// With -D empty=true nothing is drawn.
empty = false;
$fn = 24;

if (!empty) {
    difference() {
        color("gold") cube(20, center = true);
        color("red") sphere(13);
        for (turn = [[0, 0], [90, 0], [0, 90]])
            rotate([turn[0], turn[1], 0]) color("blue") cylinder(h = 40, r = 5, center = true);
    }
    translate([25, 0, 0]) intersection() {
        color("green") sphere(10);
        color("purple") cube(16, center = true);
    }
}
