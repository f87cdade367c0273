/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cache of true solutions, POD modes and sensor placements, keyed by the settings that produced them. Results are
 * bitwise equal with and without the cache. */
#pragma once

#include "experiment/flow/scene.h"
#include "experiment/flow/sensors/synthetic.h"
#include "sensor/placement.h"
#include "sensor/pod.h"

G_BEGIN_DECLS

/* Returns the truth as LacScene.truth does. The cache is used if the scene (keeps_truth) or the cache itself
 * (is_brief) allows it and no file is read. Scenes made at run time are not cached because another scene may have the
 * same name. */
LacTruth *lac_cached_truth(const LacScene   *scene,
                           gconstpointer     params,
                           const LacCase    *subject,
                           const LacContext *context,
                           GError          **error);

/* Returns the modes of the training part by @method, randomised ones with two power iterations; %NULL with an error if the training part is not
 * finite or cannot be read from its file. */
LacPod *lac_cached_pod(const LacTruth   *truth,
                       gsize             n_modes,
                       LacPodMethod      method,
                       const LacContext *context,
                       GError          **error);

/* Chooses positions as LacPlacementMethod.choose does, or takes them from the cache. @rng: made from the seed of
 * @settings */
gboolean lac_cached_positions(const LacPlacementMethod   *method,
                              const LacPlacementProblem  *problem,
                              LacRng                     *rng,
                              const LacSyntheticSettings *settings,
                              gsize                      *places,
                              GError                    **error);

/* Bytes that determine a result. */
typedef struct {
  gconstpointer data; /* (nullable) */
  gsize         n_bytes;
} LacCacheInput;

/* Returns a number that follows from @what and @inputs alone, from the cache or else by @compute. NaN is not kept. */
double lac_cached_number(const LacContext    *context,
                         const char          *what,
                         const LacCacheInput *inputs,
                         gsize                n_inputs,
                         double (*compute)(gpointer user_data),
                         gpointer user_data);

G_END_DECLS
