/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a flow run need not compute again: costly truths, modes, places of sensors. With a memory or without one the result
 * is the same bit for bit. */
#pragma once

#include "experiment/flow/scene.h"
#include "experiment/flow/sensors/synthetic.h"
#include "sensor/placement.h"
#include "sensor/pod.h"

G_BEGIN_DECLS

/* As LacScene.truth; kept where the scene says that it can be (keeps_truth) and it reads no file. One that was made at run
 * time never is: another may have its name. */
LacTruth *lac_cached_truth(const LacScene   *scene,
                           gconstpointer     params,
                           const LacCase    *subject,
                           const LacContext *context,
                           GError          **error);

/* The modes of the training part, by the method of snapshots. Returns: %NULL with an error when it is not numbers, or cannot be
 * read from its file. */
LacPod *
lac_cached_pod(const LacTruth *truth, gsize n_modes, const LacContext *context, GError **error);

/* As LacPlacementMethod.choose. @rng: made of the seed of @settings. */
gboolean lac_cached_positions(const LacPlacementMethod   *method,
                              const LacPlacementProblem  *problem,
                              LacRng                     *rng,
                              const LacSyntheticSettings *settings,
                              gsize                      *places,
                              GError                    **error);

G_END_DECLS
