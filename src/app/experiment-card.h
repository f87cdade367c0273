/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One experiment of the gallery: picture, name, one sentence, what it needs, how long it takes here. */
#pragma once

#include "experiment/experiment.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_EXPERIMENT_CARD (lac_experiment_card_get_type())
G_DECLARE_FINAL_TYPE(LacExperimentCard, lac_experiment_card, LAC, EXPERIMENT_CARD, GtkWidget)

GtkWidget *lac_experiment_card_new(const LacExperiment *experiment);

/* Whether it is drawn: what is far from where one looks keeps its place, and costs nothing. */
void     lac_experiment_card_set_near(LacExperimentCard *card, gboolean is_near);
gboolean lac_experiment_card_is_near(LacExperimentCard *card);

/* Whether name, title or summary hold @text, letter case apart. */
gboolean lac_experiment_card_matches(LacExperimentCard *card, const char *text);

G_END_DECLS
