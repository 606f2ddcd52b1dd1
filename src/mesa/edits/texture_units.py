# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Edits for which texture a unit has, and what stands for an incomplete one: 0 for a shadow sampler, (0, 0, 0, 1) for another
one (OpenGL 4.6, 11.1.3.5). Which samplers are shadow samplers is a mask by their index, and it is the same whether the
program was linked or read from the disk cache."""

STATE = "src/mesa/main/texstate.c"

EDITS = [
    (STATE, "update_single_program_texture(struct gl_context *ctx, struct gl_program *prog,\n                              int unit)\n",
     "update_single_program_texture(struct gl_context *ctx, struct gl_program *prog,\n"
     "                              int unit, bool shadow)\n"),
    (STATE, "   texObj = _mesa_get_fallback_texture(ctx, target_index, !!(prog->ShadowSamplers & BITFIELD_BIT(unit)));\n",
     "   texObj = _mesa_get_fallback_texture(ctx, target_index, shadow);\n"),
    (STATE, "                                    struct gl_program *prog,\n                                    int unit,\n"
            "                                    BITSET_WORD *enabled_texture_units)\n{\n   struct gl_texture_object *texObj;\n\n"
            "   texObj = update_single_program_texture(ctx, prog, unit);\n",
     "                                    struct gl_program *prog,\n                                    int unit, bool shadow,\n"
     "                                    BITSET_WORD *enabled_texture_units)\n{\n   struct gl_texture_object *texObj;\n\n"
     "   texObj = update_single_program_texture(ctx, prog, unit, shadow);\n"),
    (STATE, "                                             prog[i]->SamplerUnits[s],\n",
     "                                             prog[i]->SamplerUnits[s],\n"
     "                                             prog[i]->ShadowSamplers & BITFIELD_BIT(s),\n"),
    (STATE, "            update_single_program_texture_state(ctx, prog[i], sampler->unit,\n",
     "            update_single_program_texture_state(ctx, prog[i], sampler->unit, false,\n"),
    ("src/mesa/main/texobj.c", "         texel[4*face + 3] = 0xff;\n", "         texel[4*face + 3] = is_depth ? 0x0 : 0xff;\n"),
    ("src/mesa/main/uniforms.c",
     "   prog->ShadowSamplers = prog->shader_program->_LinkedShaders[prog_stage]->shadow_samplers;\n", ""),
    ("src/compiler/glsl/gl_nir_link_uniforms.c", "      sh->shadow_samplers = state.shader_shadow_samplers;\n",
     "      sh->Program->ShadowSamplers = state.shader_shadow_samplers;\n"),
    # OpenGL 4.6 (compatibility), 16.2 and 8.17.2: the first target that is enabled is the unit's, or none is.
    (STATE, "      mask = fftexUnit->Enabled;\n      while (mask) {\n", "      mask = fftexUnit->Enabled & -fftexUnit->Enabled;\n      while (mask) {\n"),
    # 16.2: units are shared by the stages: the fixed function's fragments are textured by those that a vertex shader reads.
    (STATE, "      /* If a shader already dictated what texture target was used for this\n       * unit, just go along with it.\n       */\n"
            "      if (BITSET_TEST(enabled_texture_units, unit))\n         continue;\n\n", ""),
    (STATE, "                                       ctx->Const.ForceIntegerTexNearest)) {\n"
            "            _mesa_reference_texobj(&texUnit->_Current, texObj);\n            complete = true;\n",
     "                                       ctx->Const.ForceIntegerTexNearest)) {\n"
     "            /* What a shader reads of another target stays. */\n"
     "            if (BITSET_TEST(enabled_texture_units, unit) && texUnit->_Current != texObj)\n               break;\n"
     "            _mesa_reference_texobj(&texUnit->_Current, texObj);\n            complete = true;\n"),
    # Whether a texture is complete, and its swizzle, follow the parameters that glPopAttrib puts back.
    ("src/mesa/main/attrib.c", "         if (!copy_texture_attribs(texObj, savedObj, tgt))\n            continue;\n\n"
                               "         st_texture_release_all_sampler_views(",
     "         if (!copy_texture_attribs(texObj, savedObj, tgt))\n            continue;\n\n"
     "         _mesa_dirty_texobj(ctx, texObj);\n         _mesa_update_texture_object_swizzle(ctx, texObj);\n"
     "         st_texture_release_all_sampler_views("),
    ("src/mesa/main/attrib.c", "      copy_texture_attribs(dst, src, tex);\n   }\n\n   _mesa_ActiveTexture(",
     "      if (copy_texture_attribs(dst, src, tex)) {\n         _mesa_dirty_texobj(ctx, dst);\n"
     "         _mesa_update_texture_object_swizzle(ctx, dst);\n"
     "         st_texture_release_all_sampler_views(st_context(ctx), dst);\n      }\n   }\n\n   _mesa_ActiveTexture("),
    # How many levels and layers a texture has is no state that is pushed.
    ("src/mesa/main/attrib.c", "   /* Sampler fields have no effect on MSAA textures. */\n",
     "   const struct gl_texture_object_attrib own = dst->Attrib;\n\n"
     "   /* Sampler fields have no effect on MSAA textures. */\n"),
    ("src/mesa/main/attrib.c", "sizeof(src->Attrib));\n   return true;\n",
     "sizeof(src->Attrib));\n"
     "   dst->Attrib.MinLayer = own.MinLayer;\n   dst->Attrib.NumLayers = own.NumLayers;\n"
     "   dst->Attrib.ImmutableLevels = own.ImmutableLevels;\n   dst->Attrib.MinLevel = own.MinLevel;\n"
     "   dst->Attrib.NumLevels = own.NumLevels;\n   _mesa_update_texture_levels(dst);\n   return true;\n"),
]
