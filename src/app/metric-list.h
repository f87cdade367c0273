/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of a session as label and value, in the order they are declared. */
#pragma once

#include "app/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_METRIC_LIST (lac_metric_list_get_type())
G_DECLARE_FINAL_TYPE(LacMetricList, lac_metric_list, LAC, METRIC_LIST, GtkWidget)

void lac_metric_list_set_session(LacMetricList *list, LacSession *session); /* (nullable) */

G_END_DECLS
