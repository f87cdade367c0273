/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands for the picture of a field, acting on the fields of the page shown, with their states. */
#include "app/field/picture-menu.h"
#include "app/shell/features.h"

typedef struct {
  LacWindow       *window;
  LacLivePage     *live;
  LacTimelinePage *timeline;
  LacComparePage  *compare;
} Picture;

static gboolean
shows_comparison(Picture *self)
{
  return g_strcmp0(lac_window_get_page(self->window), "compare") == 0;
}

static LacFieldView *
get_shown_view(Picture *self)
{
  return shows_comparison(self)
           ? lac_compare_fields_get_view(lac_compare_page_get_fields(self->compare))
           : lac_live_page_get_field(self->live);
}

/* ---- switches ---- */

/* The actions, and the offset of each flag in the scene; "smooth" is not an overlay. */
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
on_overlay(GSimpleAction *action, GVariant *state, gpointer picture)
{
  LacFieldView *view = get_shown_view(picture);
  LacOverlays   shown = lac_field_view_get_scene(view)->overlays;
  for (gsize i = 0; i < G_N_ELEMENTS(overlays); i++)
    if (g_str_equal(g_action_get_name(G_ACTION(action)), overlays[i].action))
      G_STRUCT_MEMBER(gboolean, &shown, overlays[i].offset) = g_variant_get_boolean(state);
  g_simple_action_set_state(action, state);
  lac_field_view_set_overlays(view, &shown);
}

static void
on_smooth(GSimpleAction *action, GVariant *state, gpointer picture)
{
  g_simple_action_set_state(action, state);
  lac_field_view_set_smooth(get_shown_view(picture), g_variant_get_boolean(state));
}

/* Updates the states after another page was opened. */
static void
show_states(Picture *self)
{
  const LacFieldScene *scene = lac_field_view_get_scene(get_shown_view(self));
  for (gsize i = 0; i < G_N_ELEMENTS(overlays); i++)
    lac_window_set_state(
      self->window, overlays[i].action,
      g_variant_new_boolean(G_STRUCT_MEMBER(gboolean, &scene->overlays, overlays[i].offset)));
  lac_window_set_state(self->window, "smooth", g_variant_new_boolean(scene->smooth));
  lac_window_set_state(self->window, "errors-as",
                       g_variant_new_string(lac_error_form_word(scene->errors)));
}

/* ---- scales and lines ---- */

static void
on_limits_action(GSimpleAction *action, GVariant *parameter, gpointer picture)
{
  LacFieldView *view = get_shown_view(picture);
  for (guint errors = 0; errors < 2; errors++)
    lac_field_view_set_limits_by_word(view, errors > 0, g_variant_get_string(parameter, NULL));
}

static void
on_errors(GSimpleAction *action, GVariant *state, gpointer picture)
{
  LacErrorForm form = lac_error_form_find(g_variant_get_string(state, NULL));
  g_simple_action_set_state(action, g_variant_new_string(lac_error_form_word(form)));
  lac_field_view_set_errors(get_shown_view(picture), form);
}

static void
on_transfer_action(GSimpleAction *action, GVariant *parameter, gpointer picture)
{
  lac_field_view_set_transfer(get_shown_view(picture), FALSE,
                              lac_transfer_find(g_variant_get_string(parameter, NULL)));
}

static void
on_line(GSimpleAction *action, GVariant *parameter, gpointer picture)
{
  Picture *self = picture;
  lac_field_view_next_line(get_shown_view(self));
  if (shows_comparison(self))
    g_action_group_change_action_state(G_ACTION_GROUP(self->window), "compare-tab",
                                       g_variant_new_string("profile"));
  else
    lac_live_page_show_curves(self->live, "profile");
}

/* Colour vision belongs to the user: it is shared by all pages. */
static void
on_vision(GSimpleAction *action, GVariant *state, gpointer picture)
{
  Picture          *self = picture;
  LacVision         vision = lac_vision_find(g_variant_get_string(state, NULL));
  LacCompareFields *fields = lac_compare_page_get_fields(self->compare);
  g_simple_action_set_state(action, g_variant_new_string(lac_vision_word(vision)));
  lac_live_page_set_vision(self->live, vision);
  lac_field_view_set_vision(lac_compare_fields_get_view(fields), vision);
}

static void
on_zoom(GSimpleAction *action, GVariant *parameter, gpointer picture)
{
  Picture    *self = picture;
  const char *name = g_action_get_name(G_ACTION(action));
  double factor = g_str_equal(name, "zoom-in") ? 1.25 : g_str_equal(name, "zoom-out") ? 0.8 : 0;
  if (shows_comparison(self))
    lac_compare_page_zoom(self->compare, factor);
  else
    lac_live_page_zoom(self->live, factor);
  if (factor == 0)
    lac_timeline_page_fit(self->timeline);
}

static const LacActionRow actions[] = {
  {{"smooth", NULL, NULL, "false", on_smooth}},
  {{"isolines", NULL, NULL, "false", on_overlay}},
  {{"arrows", NULL, NULL, "false", on_overlay}},
  {{"streamlines", NULL, NULL, "false", on_overlay}},
  {{"flow-texture", NULL, NULL, "false", on_overlay}},
  {{"axes", NULL, NULL, "false", on_overlay}},
  {{"limits", on_limits_action, "s"}},
  {{"errors-as", NULL, "s", "'signed'", on_errors}},
  {{"transfer", on_transfer_action, "s"}},
  {{"line", on_line}},
  {{"see-as", NULL, "s", "'all'", on_vision}},
  {{"zoom-in", on_zoom}},
  {{"zoom-out", on_zoom}},
  {{"zoom-fit", on_zoom}},
};

static void
picture_free(gpointer picture)
{
  Picture *self = picture;
  g_signal_handlers_disconnect_by_data(self->window, self);
  g_free(self);
}

void
lac_window_add_picture(LacWindow       *window,
                       LacLivePage     *live,
                       LacTimelinePage *timeline,
                       LacComparePage  *compare)
{
  Picture *self = g_new(Picture, 1);
  *self = (Picture){window, live, timeline, compare};
  lac_window_keep(window, self, picture_free);
  lac_window_add_rows(window, actions, G_N_ELEMENTS(actions), self);
  g_signal_connect_swapped(window, "page-changed", G_CALLBACK(show_states), self);
}
