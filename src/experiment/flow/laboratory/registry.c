/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenes and the engines there are; the lists are made by the build. */
#include "experiment/flow/engine.h"
#include "experiment/flow/scene.h"

#define LAC_SCENE(id) extern const LacScene lac_scene_##id;
#include "experiment/scene-list.h"
#undef LAC_SCENE
#define LAC_ENGINE(id) extern const LacEngine lac_engine_##id;
#include "experiment/engine-list.h"
#undef LAC_ENGINE

static const LacScene *const scenes[] = {
#define LAC_SCENE(id) &lac_scene_##id,
#include "experiment/scene-list.h"
#undef LAC_SCENE
};

static const LacEngine *const engines[] = {
#define LAC_ENGINE(id) &lac_engine_##id,
#include "experiment/engine-list.h"
#undef LAC_ENGINE
};

const LacScene *const *
lac_scenes(gsize *n_scenes)
{
  *n_scenes = G_N_ELEMENTS(scenes);
  return scenes;
}

const LacEngine *const *
lac_engines(gsize *n_engines)
{
  *n_engines = G_N_ELEMENTS(engines);
  return engines;
}
