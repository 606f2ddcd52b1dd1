# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
#
# Godot 3 runs this: solids, two lights with shadows, a sky, ambient occlusion and glow, turned by a fixed step a frame.
# The last frame goes to the PNG file KOBALT_PICTURE names. With KOBALT_EMPTY the solids are left out.
extends Spatial

const FRAMES = 4
var solids = []
var frames = 0
var start = 0

func solid(mesh, colour, metal, place, turn):
	var node = MeshInstance.new()
	node.mesh = mesh
	node.material_override = SpatialMaterial.new()
	node.material_override.albedo_color = colour
	node.material_override.metallic = metal
	node.material_override.roughness = 0.3
	node.translation = place
	node.rotation_degrees = turn
	add_child(node)
	return node

func build_solids():
	solids = [
		solid(CubeMesh.new(), Color(0.8, 0.2, 0.1), 0.1, Vector3(-2, 0, 0), Vector3(20, 30, 0)),
		solid(SphereMesh.new(), Color(0.1, 0.6, 0.2), 0.8, Vector3(0, 0, 0), Vector3(0, 0, 0)),
		solid(PrismMesh.new(), Color(0.2, 0.2, 0.9), 0.0, Vector3(2, 0, 0), Vector3(0, 40, 0))]
	var ground = PlaneMesh.new()
	ground.size = Vector2(20, 20)
	solid(ground, Color(0.6, 0.6, 0.6), 0.0, Vector3(0, -1, 0), Vector3(0, 0, 0))

func build_lights():
	var sun = DirectionalLight.new()
	sun.rotation_degrees = Vector3(-50, 40, 0)
	sun.shadow_enabled = true
	add_child(sun)
	var lamp = OmniLight.new()
	lamp.translation = Vector3(0, 2, 2)
	lamp.light_energy = 2
	lamp.shadow_enabled = true
	add_child(lamp)

func build_view():
	var camera = Camera.new()
	camera.translation = Vector3(0, 2.5, 6)
	camera.rotation_degrees = Vector3(-18, 0, 0)
	add_child(camera)
	var world = WorldEnvironment.new()
	world.environment = Environment.new()
	world.environment.background_mode = Environment.BG_SKY
	var sky = ProceduralSky.new()
	sky.texture_size = ProceduralSky.TEXTURE_SIZE_256
	sky.radiance_size = Sky.RADIANCE_SIZE_32
	world.environment.background_sky = sky
	world.environment.ssao_enabled = true
	world.environment.glow_enabled = true
	world.environment.tonemap_mode = Environment.TONE_MAPPER_ACES
	add_child(world)

func _ready():
	print("renderer: ", VisualServer.get_video_adapter_name())
	if OS.get_environment("KOBALT_EMPTY") == "":
		build_solids()
	build_lights()
	build_view()

func _process(_delta):
	frames += 1
	for node in solids:
		node.rotate_y(0.1)
	if frames == 2:  # the first one compiles the shaders
		start = OS.get_ticks_usec()
	if frames == FRAMES:
		print("frame: ", (OS.get_ticks_usec() - start) / 1000.0 / (FRAMES - 2), " ms")
		var picture = get_viewport().get_texture().get_data()
		picture.flip_y()
		picture.convert(Image.FORMAT_RGB8)
		if picture.save_png(OS.get_environment("KOBALT_PICTURE")) != OK:
			OS.exit_code = 1
		get_tree().quit()
