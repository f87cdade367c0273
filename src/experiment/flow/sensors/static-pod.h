/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The static reconstruction from POD modes for the sensors of a run. Source: Everson, Sirovich (1995),
 * doi:10.1364/JOSAA.12.001657. */
#pragma once

#include "experiment/flow/observations.h"
#include "sensor/gappy.h"

G_BEGIN_DECLS

/* @noise: factor of the stated standard deviations of the readings. Returns: (transfer full): %NULL with an error if
 * the system has no solution. */
LacGappy *lac_static_pod_new(const LacPod          *pod,
                             const LacObservations *observations,
                             double                 noise,
                             LacGappyMethod         method,
                             GError               **error);

G_END_DECLS
