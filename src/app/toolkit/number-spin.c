/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of spin buttons. */
#include "app/toolkit/number-spin.h"

#include "base/number-display.h"
#include "base/number.h"

static gboolean
on_output(GtkSpinButton *spin)
{
  g_autofree char *text =
    lac_number_dup_fixed(gtk_spin_button_get_value(spin), gtk_spin_button_get_digits(spin));
  if (g_strcmp0(text, gtk_editable_get_text(GTK_EDITABLE(spin))) != 0)
    gtk_editable_set_text(GTK_EDITABLE(spin), text);
  return TRUE;
}

static int
on_input(GtkSpinButton *spin, double *value)
{
  g_autofree char *text =
    lac_number_delocalise(g_strdup(gtk_editable_get_text(GTK_EDITABLE(spin))));
  return lac_number_parse(text, value) ? TRUE : GTK_INPUT_ERROR;
}

void
lac_number_spin_localise(GtkSpinButton *spin)
{
  g_return_if_fail(GTK_IS_SPIN_BUTTON(spin));
  g_signal_connect(spin, "output", G_CALLBACK(on_output), NULL);
  g_signal_connect(spin, "input", G_CALLBACK(on_input), NULL);
  gtk_spin_button_update(spin);
}
