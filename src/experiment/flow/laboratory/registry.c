/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registry of scenes and methods; the build generates the lists. */
#include "experiment/flow/method.h"
#include "experiment/flow/scene.h"

#define LAC_SCENE(id) extern const LacScene lac_scene_##id;
#include "experiment/scene-list.h"
#undef LAC_SCENE
#define LAC_FLOW_METHOD(id) extern const LacFlowMethod lac_flow_method_##id;
#include "experiment/flow-method-list.h"
#undef LAC_FLOW_METHOD

static const LacScene *const scenes[] = {
#define LAC_SCENE(id) &lac_scene_##id,
#include "experiment/scene-list.h"
#undef LAC_SCENE
};

static const LacFlowMethod *const methods[] = {
#define LAC_FLOW_METHOD(id) &lac_flow_method_##id,
#include "experiment/flow-method-list.h"
#undef LAC_FLOW_METHOD
};

const LacScene *const *
lac_scenes(gsize *n_scenes)
{
  *n_scenes = G_N_ELEMENTS(scenes);
  return scenes;
}

const LacFlowMethod *const *
lac_flow_methods(gsize *n_methods)
{
  *n_methods = G_N_ELEMENTS(methods);
  return methods;
}
