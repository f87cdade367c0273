/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/toolkit/answer-label.h"

GtkWidget *
lac_answer_label_new(void)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_selectable(GTK_LABEL(label), TRUE);
  gtk_widget_set_can_focus(label, FALSE);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_widget_add_css_class(label, "answer");
  gtk_widget_add_css_class(label, "numeric");
  gtk_widget_set_visible(label, FALSE);
  return label;
}

void
lac_answer_label_set(GtkLabel *label, const char *sentence)
{
  g_return_if_fail(GTK_IS_LABEL(label));
  if (g_strcmp0(gtk_label_get_text(label), sentence) != 0)
    gtk_label_set_text(label, sentence != NULL ? sentence : "");
  gtk_widget_set_visible(GTK_WIDGET(label), sentence != NULL);
}
