/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/setup/number-step.h"

#include "app/toolkit/accessible.h"
#include "base/number-display.h"

#include <glib/gi18n-lib.h>

#include <math.h>

static double
find_step(const LacParam *param, double value, int direction)
{
  double size = fabs(value);
  if (param->kind == LAC_PARAM_INTEGER)
    return 1;
  if (!(size > 0))
    return param->fallback != 0 ? fabs(param->fallback) / 10 : 0.1;
  double   unit = pow(10, floor(log10(size) + 1e-9));
  gboolean falls = (direction < 0) == (value > 0);
  return falls && size < unit * 1.000001 ? unit / 10 : unit;
}

char *
lac_number_step_dup(const LacDraft *draft, const LacParam *param, int direction)
{
  g_return_val_if_fail(draft != NULL && param != NULL, NULL);
  double value = lac_draft_get_number(draft, param);
  double step = find_step(param, value, direction);
  double next = CLAMP((round(value / step) + direction) * step, param->min, param->max);
  char   buffer[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(buffer, sizeof buffer, "%.12g", next);
  return lac_number_localise(g_strdup(buffer));
}

typedef struct {
  LacNumberStepped stepped;
  gpointer         data;
} Stepper;

static void
on_less(Stepper *stepper)
{
  stepper->stepped(stepper->data, -1);
}

static void
on_more(Stepper *stepper)
{
  stepper->stepped(stepper->data, 1);
}

static gboolean
on_key(GtkEventControllerKey *keys,
       guint                  key,
       guint                  code,
       GdkModifierType        state,
       const Stepper         *stepper)
{
  if (key != GDK_KEY_Up && key != GDK_KEY_Down)
    return FALSE;
  stepper->stepped(stepper->data, key == GDK_KEY_Up ? 1 : -1);
  return TRUE;
}

static void
add_button(GtkWidget *box, const char *icon, char *name, GCallback on_clicked, Stepper *stepper)
{
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  lac_accessible_name(button, name);
  gtk_widget_set_focusable(button, FALSE); /* the arrow keys do the same in the entry */
  g_signal_connect_swapped(button, "clicked", on_clicked, stepper);
  gtk_box_append(GTK_BOX(box), button);
  g_free(name);
}

GtkWidget *
lac_number_step_box_new(GtkWidget       *entry,
                        const char      *label,
                        LacNumberStepped stepped,
                        gpointer         data)
{
  g_return_val_if_fail(entry != NULL && label != NULL && stepped != NULL, NULL);
  GtkWidget          *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkEventController *keys = gtk_event_controller_key_new();
  Stepper            *stepper = g_new(Stepper, 1);
  *stepper = (Stepper){stepped, data};
  g_object_set_data_full(G_OBJECT(box), "stepper", stepper, g_free);
  gtk_widget_add_css_class(box, "linked");
  gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), stepper);
  gtk_widget_add_controller(entry, keys);
  gtk_box_append(GTK_BOX(box), entry);
  add_button(box, "list-remove-symbolic", g_strdup_printf(_("Decrease %s"), label),
             G_CALLBACK(on_less), stepper);
  add_button(box, "list-add-symbolic", g_strdup_printf(_("Increase %s"), label),
             G_CALLBACK(on_more), stepper);
  return box;
}
