/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the picture: they are for the fields of the page that is shown, and say how it stands with these. */
#include "app/picture-menu.h"
#include "app/window-private.h"

static gboolean
shows_comparison(LacWindow *self)
{
  return adw_view_stack_get_visible_child(self->stack) == GTK_WIDGET(self->compare);
}

LacFieldView *
lac_window_get_shown_view(LacWindow *self)
{
  return shows_comparison(self)
           ? lac_compare_fields_get_view(lac_compare_page_get_fields(self->compare))
           : lac_live_page_get_field(self->live);
}

/* ---- what is on or off ---- */

/* The actions, and where each stands in the scene; "smooth" is none of the overlays. */
static const struct {
  const char *action;
  gsize       offset;
} overlays[] = {
  {"isolines", G_STRUCT_OFFSET(LacOverlays, isolines)},
  {"arrows", G_STRUCT_OFFSET(LacOverlays, flow.arrows)},
  {"streamlines", G_STRUCT_OFFSET(LacOverlays, flow.streamlines)},
  {"flow-texture", G_STRUCT_OFFSET(LacOverlays, flow.texture)},
  {"axes", G_STRUCT_OFFSET(LacOverlays, axes)},
};

static void
on_overlay(GSimpleAction *action, GVariant *state, gpointer window)
{
  LacFieldView *view = lac_window_get_shown_view(window);
  LacOverlays   shown = lac_field_view_get_scene(view)->overlays;
  for (gsize i = 0; i < G_N_ELEMENTS(overlays); i++)
    if (g_str_equal(g_action_get_name(G_ACTION(action)), overlays[i].action))
      G_STRUCT_MEMBER(gboolean, &shown, overlays[i].offset) = g_variant_get_boolean(state);
  g_simple_action_set_state(action, state);
  lac_field_view_set_overlays(view, &shown);
}

static void
on_smooth(GSimpleAction *action, GVariant *state, gpointer window)
{
  g_simple_action_set_state(action, state);
  lac_field_view_set_smooth(lac_window_get_shown_view(window), g_variant_get_boolean(state));
}

static void
set_flag(LacWindow *self, const char *name, gboolean flag)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self), name);
  g_simple_action_set_state(G_SIMPLE_ACTION(action), g_variant_new_boolean(flag));
}

/* After another page has come. */
static void
show_states(LacWindow *self)
{
  const LacFieldScene *scene = lac_field_view_get_scene(lac_window_get_shown_view(self));
  GAction             *errors = g_action_map_lookup_action(G_ACTION_MAP(self), "errors-as");
  for (gsize i = 0; i < G_N_ELEMENTS(overlays); i++)
    set_flag(self, overlays[i].action,
             G_STRUCT_MEMBER(gboolean, &scene->overlays, overlays[i].offset));
  set_flag(self, "smooth", scene->smooth);
  g_simple_action_set_state(G_SIMPLE_ACTION(errors),
                            g_variant_new_string(lac_error_form_word(scene->errors)));
}

/* ---- scales and lines ---- */

static void
on_limits(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacFieldView *view = lac_window_get_shown_view(window);
  for (guint errors = 0; errors < 2; errors++)
    lac_picture_set_limits(view, errors > 0, g_variant_get_string(parameter, NULL));
}

static void
on_errors(GSimpleAction *action, GVariant *state, gpointer window)
{
  LacErrorForm form = lac_error_form_find(g_variant_get_string(state, NULL));
  g_simple_action_set_state(action, g_variant_new_string(lac_error_form_word(form)));
  lac_field_view_set_errors(lac_window_get_shown_view(window), form);
}

static void
on_transfer(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  lac_field_view_set_transfer(lac_window_get_shown_view(window), FALSE,
                              lac_transfer_find(g_variant_get_string(parameter, NULL)));
}

static void
on_line(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow *self = window;
  lac_field_view_next_line(lac_window_get_shown_view(self));
  if (shows_comparison(self))
    g_action_group_change_action_state(G_ACTION_GROUP(self), "compare-tab",
                                       g_variant_new_string("profile"));
  else
    lac_live_page_show_curves(self->live, "profile");
}

/* The eyes are the person's: the same for all pages. */
static void
on_vision(GSimpleAction *action, GVariant *state, gpointer window)
{
  LacWindow        *self = window;
  LacVision         vision = lac_vision_find(g_variant_get_string(state, NULL));
  LacCompareFields *fields = lac_compare_page_get_fields(self->compare);
  g_simple_action_set_state(action, g_variant_new_string(lac_vision_word(vision)));
  lac_live_page_set_vision(self->live, vision);
  lac_field_view_set_vision(lac_compare_fields_get_view(fields), vision);
}

static void
on_zoom(GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LacWindow  *self = window;
  const char *name = g_action_get_name(G_ACTION(action));
  double factor = g_str_equal(name, "zoom-in") ? 1.25 : g_str_equal(name, "zoom-out") ? 0.8 : 0;
  if (shows_comparison(self))
    lac_compare_page_zoom(self->compare, factor);
  else
    lac_live_page_zoom(self->live, factor);
  if (factor == 0)
    lac_timeline_page_fit(self->timeline);
}

static const GActionEntry entries[] = {
  {"smooth", NULL, NULL, "false", on_smooth},
  {"isolines", NULL, NULL, "false", on_overlay},
  {"arrows", NULL, NULL, "false", on_overlay},
  {"streamlines", NULL, NULL, "false", on_overlay},
  {"flow-texture", NULL, NULL, "false", on_overlay},
  {"axes", NULL, NULL, "false", on_overlay},
  {"limits", on_limits, "s"},
  {"errors-as", NULL, "s", "'signed'", on_errors},
  {"transfer", on_transfer, "s"},
  {"line", on_line},
  {"see-as", NULL, "s", "'all'", on_vision},
  {"zoom-in", on_zoom},
  {"zoom-out", on_zoom},
  {"zoom-fit", on_zoom},
};

void
lac_window_add_picture_actions(LacWindow *self)
{
  g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect_object(self->stack, "notify::visible-child", G_CALLBACK(show_states), self,
                          G_CONNECT_SWAPPED);
}
