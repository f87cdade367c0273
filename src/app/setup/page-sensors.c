/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The set-up page's row and page for manual sensor placement. */
#include "app/setup/page-private.h"
#include "app/setup/param-row.h"

#include <glib/gi18n-lib.h>

#define RESET_WIDTH 34 /* px: width of the reset button */

/* A measurement file defines the sensor positions. */
static gboolean
has_measurements(LacSetupPage *self)
{
  const LacParamTable *table = lac_draft_get_table(self->draft);
  for (gsize i = 0; i < table->n_rows; i++)
    if (g_strcmp0(table->rows[i].file_type, "measurements") == 0 &&
        lac_draft_get_file(self->draft, &table->rows[i]) != NULL)
      return TRUE;
  return FALSE;
}

gboolean
lac_setup_page_can_place(LacSetupPage *self)
{
  g_return_val_if_fail(LAC_IS_SETUP_PAGE(self), FALSE);
  return self->experiment != NULL && self->experiment->planning != NULL && self->why == NULL &&
         !has_measurements(self);
}

void
lac_setup_page_show_place(LacSetupPage *self)
{
  if (self->place == NULL)
    return;
  const LacParam *param = lac_param_find(lac_draft_get_table(self->draft), LAC_PLANNING_ROW);
  const char     *text = lac_draft_get_text(self->draft, param);
  adw_action_row_set_subtitle(
    self->place, has_measurements(self) ? _("Positions are given by the measurement file")
                 : text != NULL
                   ? _("Placed by hand; replaces number and placement")
                   : _("Drag the positions over the field; their score updates as you drag"));
  gtk_widget_set_sensitive(GTK_WIDGET(self->place), lac_setup_page_can_place(self));
}

gboolean
lac_setup_page_is_placing(LacSetupPage *self)
{
  return g_strcmp0(gtk_stack_get_visible_child_name(self->stack), "sensors") == 0;
}

void
lac_setup_page_place(LacSetupPage *self)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self));
  LacRunSettings settings;
  if (!lac_setup_page_can_place(self))
    return;
  lac_setup_page_fill(self, &settings);
  lac_setup_page_find_row(self, LAC_PLANNING_ROW); /* receives the placed positions */
  gtk_stack_set_visible_child_name(self->stack, "sensors");
  lac_sensor_page_open(self->sensors, &settings);
}

void
lac_setup_page_on_sensors_changed(LacSetupPage *self)
{
  g_autofree char *text = lac_sensor_page_dup_text(self->sensors);
  lac_param_row_enter(lac_setup_page_find_row(self, LAC_PLANNING_ROW), text);
}

void
lac_setup_page_on_sensors_closed(LacSetupPage *self)
{
  if (!gtk_widget_activate_action(GTK_WIDGET(self), "win.show-parameters", NULL))
    lac_setup_page_leave_sensors(self);
}

void
lac_setup_page_leave_sensors(LacSetupPage *self)
{
  g_return_if_fail(LAC_IS_SETUP_PAGE(self));
  if (!lac_setup_page_is_placing(self))
    return;
  gtk_stack_set_visible_child_name(self->stack, "rows");
  gtk_widget_grab_focus(GTK_WIDGET(self->place));
}

void
lac_setup_page_add_place(LacSetupPage *self, GtkWidget *group)
{
  GtkWidget *button = gtk_button_new_with_label(_("Place…"));
  GtkWidget *blank = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  self->place = ADW_ACTION_ROW(adw_action_row_new());
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(self->place), _("Place by hand"));
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.place-sensors");
  adw_action_row_add_suffix(self->place, button);
  /* aligns the button with the entries, which have a unit and a reset button to their right */
  adw_action_row_add_suffix(self->place, lac_param_row_unit_new(""));
  gtk_widget_set_size_request(blank, RESET_WIDTH, -1);
  adw_action_row_add_suffix(self->place, blank);
  adw_action_row_set_activatable_widget(self->place, button);
  adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), GTK_WIDGET(self->place));
}
