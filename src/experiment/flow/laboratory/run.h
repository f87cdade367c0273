/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lifecycle functions of a flow run, shared by the descriptors of all scenes. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

gpointer lac_laboratory_create(const LacExperiment *self,
                               gconstpointer        params,
                               const LacContext    *context,
                               GError             **error);
void     lac_laboratory_destroy(gpointer state);
gboolean lac_laboratory_step(gpointer state, LacStepReport *report, GError **error);
gboolean lac_laboratory_flush(gpointer state, LacStepReport *report, GError **error);
gint64   lac_laboratory_n_steps(gconstpointer state);
void     lac_laboratory_save(gpointer state, LacStore *store);
gboolean lac_laboratory_load(gpointer state, const LacStore *store, GError **error);
void     lac_laboratory_retune(gpointer state, gconstpointer params);

LacMeasurements *lac_laboratory_readings(gconstpointer state);

G_END_DECLS
