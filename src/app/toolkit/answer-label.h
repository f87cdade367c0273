/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sentence at the top of an analysis page that answers its question. At most one on a page. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *lac_answer_label_new(void);

/* @sentence: (nullable): NULL hides the label: no rule gives an answer. */
void lac_answer_label_set(GtkLabel *label, const char *sentence);

G_END_DECLS
