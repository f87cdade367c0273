/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts of the live page: step and age of the frame, compute time, device and its memory; and the list of metrics. */
#pragma once

#include "app/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* ---- the facts ---- */

#define LAC_TYPE_LIVE_FACTS (lac_live_facts_get_type())
G_DECLARE_FINAL_TYPE(LacLiveFacts, lac_live_facts, LAC, LIVE_FACTS, GtkWidget)

void lac_live_facts_set_session(LacLiveFacts *facts, LacSession *session); /* (nullable) */
/* @frame: the frame shown, one of the session's */
void lac_live_facts_set_frame(LacLiveFacts *facts, const LacFrame *frame);

/* ---- the metrics of a session as label and value, in the order they are declared ---- */

#define LAC_TYPE_METRIC_LIST (lac_metric_list_get_type())
G_DECLARE_FINAL_TYPE(LacMetricList, lac_metric_list, LAC, METRIC_LIST, GtkWidget)

void lac_metric_list_set_session(LacMetricList *list, LacSession *session); /* (nullable) */

G_END_DECLS
