/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User settings of the parts of the window as stateful actions; and the keyboard focus. */
#include "app/timeline/states.h"

#include "app/field/view.h"
#include "app/script/part-states.h"
#include "app/shell/features.h"

#include <string.h>

/* ---- a field view ---- */

static const LacFieldScene *
scene_of(gpointer view)
{
  return lac_field_view_get_scene(view);
}

static GVariant *
describe_camera(gpointer view)
{
  LacCamera camera = lac_field_view_get_camera(view);
  return g_variant_new("(ddd)", camera.u, camera.v, camera.zoom);
}

static void
apply_camera(gpointer view, GVariant *state)
{
  LacCamera camera;
  g_variant_get(state, "(ddd)", &camera.u, &camera.v, &camera.zoom);
  lac_field_view_set_camera(view, &camera);
}

static GVariant *
describe_swipe(gpointer view)
{
  return g_variant_new_double(scene_of(view)->swipe);
}

static void
apply_swipe(gpointer view, GVariant *state)
{
  lac_field_view_set_swipe(view, CLAMP(g_variant_get_double(state), 0, 1));
}

static GVariant *
describe_flicker(gpointer view)
{
  return g_variant_new_double(lac_field_view_get_flicker_rate(view));
}

static void
apply_flicker(gpointer view, GVariant *state)
{
  lac_field_view_set_flicker_rate(
    view, CLAMP(g_variant_get_double(state), LAC_FLICKER_LEAST, LAC_FLICKER_MOST));
}

static GVariant *
describe_source(gpointer view)
{
  return g_variant_new_uint32(scene_of(view)->chosen);
}

static void
apply_source(gpointer view, GVariant *state)
{
  guint32 wanted = g_variant_get_uint32(state);
  for (guint i = 0; i < LAC_MAX_PANES && scene_of(view)->chosen != wanted; i++)
    lac_field_view_choose_next(view);
}

/* From (u, v) to (u, v); all 0: none. */
static GVariant *
describe_line(gpointer view)
{
  double line[4];
  if (!lac_field_view_get_line(view, line))
    memset(line, 0, sizeof line);
  return g_variant_new("(dddd)", line[0], line[1], line[2], line[3]);
}

static void
apply_line(gpointer view, GVariant *state)
{
  double line[4];
  g_variant_get(state, "(dddd)", &line[0], &line[1], &line[2], &line[3]);
  lac_field_view_set_line(view, line[0] != line[2] || line[1] != line[3] ? line : NULL);
}

/* ---- its scales: locked limits (equal: automatic), transfer function, colour map ("": default of the field) ---- */

static const LacScaleChoice *
choice_of(gpointer view, gboolean of_errors)
{
  return lac_field_scene_get_choice(scene_of(view), of_errors);
}

static GVariant *
describe_scale(gpointer view, gboolean of_errors)
{
  const LacScaleChoice *choice = choice_of(view, of_errors);
  return g_variant_new(
    "(ddss)", choice->locked ? choice->limits.low : 0.0, choice->locked ? choice->limits.high : 0.0,
    lac_transfer_word(choice->transfer), choice->map != NULL ? choice->map->name : "");
}

static const LacColourMap *
find_map(const char *name)
{
  gsize               n;
  const LacColourMap *maps = lac_colour_maps(&n);
  for (gsize i = 0; i < n; i++)
    if (g_str_equal(maps[i].name, name))
      return &maps[i];
  return NULL;
}

static void
apply_scale(gpointer view, GVariant *state, gboolean of_errors)
{
  LacScale    limits;
  const char *transfer, *map;
  g_variant_get(state, "(dd&s&s)", &limits.low, &limits.high, &transfer, &map);
  lac_field_view_set_limits(view, of_errors, limits.low < limits.high ? &limits : NULL);
  lac_field_view_set_transfer(view, of_errors, lac_transfer_find(transfer));
  lac_field_view_set_map(view, of_errors, find_map(map));
}

static GVariant *
describe_value_scale(gpointer view)
{
  return describe_scale(view, FALSE);
}

static GVariant *
describe_error_scale(gpointer view)
{
  return describe_scale(view, TRUE);
}

static void
apply_value_scale(gpointer view, GVariant *state)
{
  apply_scale(view, state, FALSE);
}

static void
apply_error_scale(gpointer view, GVariant *state)
{
  apply_scale(view, state, TRUE);
}

/* A view has few signals for all its settings: any of them checks each state. */
static const LacPartState of_field[] = {
  {"camera", G_MAXUINT, describe_camera, apply_camera},
  {"swipe", G_MAXUINT, describe_swipe, apply_swipe},
  {"flicker", G_MAXUINT, describe_flicker, apply_flicker},
  {"source", G_MAXUINT, describe_source, apply_source},
  {"line", G_MAXUINT, describe_line, apply_line},
  {"scale", G_MAXUINT, describe_value_scale, apply_value_scale},
  {"error-scale", G_MAXUINT, describe_error_scale, apply_error_scale},
};
static const LacPartTable field_view = {of_field, G_N_ELEMENTS(of_field)};

/* ---- the comparison: field and frame ---- */

static GVariant *
describe_compared(gpointer fields)
{
  guint field, frame;
  lac_compare_fields_get_chosen(fields, &field, &frame);
  return g_variant_new("(uu)", field, frame);
}

static void
apply_compared(gpointer fields, GVariant *state)
{
  guint field, frame;
  g_variant_get(state, "(uu)", &field, &frame);
  lac_compare_fields_choose(fields, field, frame);
}

static const LacPartState frame[] = {{"frame", G_MAXUINT, describe_compared, apply_compared}};
static const LacPartTable compared = {frame, G_N_ELEMENTS(frame)};

/* ---- the list of runs: selection ---- */

static GVariant *
describe_chosen(gpointer runs)
{
  g_autoptr(GPtrArray) chosen = lac_folder_page_get_selection(runs);
  GVariantBuilder      builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < chosen->len; i++)
    g_variant_builder_add(&builder, "s", lac_run_item_get(chosen->pdata[i])->name);
  return g_variant_builder_end(&builder);
}

static void
apply_chosen(gpointer runs, GVariant *state)
{
  g_autofree const char **names = g_variant_get_strv(state, NULL);
  lac_folder_page_select(runs, names);
}

static const LacPartState selection[] = {{"chosen", G_MAXUINT, describe_chosen, apply_chosen}};
static const LacPartTable chosen = {selection, G_N_ELEMENTS(selection)};

/* ---- changes of the parts ---- */

typedef enum { FIELDS, COMPARED_FIELDS, COMPARISON, TIMELINE, RUNS, N_PARTS } Part;

typedef struct {
  gpointer       said[5]; /* borrowed: the emitters of changes */
  LacPartStates *parts[N_PARTS];
} States;

static void
on_changed(const char *action, GVariant *state, gpointer window)
{
  lac_window_note_state(window, action, state);
}

static void
look(States *self, Part part, guint what, gboolean by_person)
{
  if (self->parts[part] != NULL)
    lac_part_states_look(self->parts[part], what, by_person);
}

static void
on_field(States *self)
{
  look(self, FIELDS, G_MAXUINT, TRUE);
}

static void
on_compared(States *self)
{
  look(self, COMPARED_FIELDS, G_MAXUINT, TRUE);
  look(self, COMPARISON, G_MAXUINT, TRUE);
}

static void
on_chosen(States *self)
{
  look(self, RUNS, G_MAXUINT, TRUE);
}

/* Another recording resets the states: not a user action. */
static void
on_scope(LacTimelineScope *scope, guint what, States *self)
{
  look(self, TIMELINE, what, !(what & LAC_SCOPE_DATA));
}

static void
on_tab(States *self)
{
  look(self, TIMELINE, LAC_TIMELINE_TAB_CHANGED, TRUE);
}

static void
follow_view(States *self, LacFieldView *view, GCallback callback)
{
  static const char *const signals[] = {"picture-changed", "line-changed", "look-changed",
                                        "notify::swipe"};
  for (gsize i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_connect_swapped(view, signals[i], callback, self);
}

static void
states_free(gpointer states)
{
  States *self = states;
  for (gsize i = 0; i < G_N_ELEMENTS(self->said); i++)
    g_signal_handlers_disconnect_by_data(self->said[i], self);
  for (Part i = 0; i < N_PARTS; i++)
    lac_part_states_free(self->parts[i]);
  g_free(self);
}

void
lac_window_add_states(LacWindow       *window,
                      LacLivePage     *live,
                      LacTimelinePage *timeline,
                      LacComparePage  *compare,
                      LacFolderPage   *runs)
{
  States           *self = g_new0(States, 1);
  LacCompareFields *fields = lac_compare_page_get_fields(compare);
  const struct {
    const char         *prefix;
    gpointer            part;
    const LacPartTable *table;
  } parts[N_PARTS] = {
    [FIELDS] = {"field-", lac_live_page_get_field(live), &field_view},
    [COMPARED_FIELDS] = {"compared-", lac_compare_fields_get_view(fields), &field_view},
    [COMPARISON] = {"compared-", fields, &compared},
    [TIMELINE] = {"timeline-", timeline, lac_timeline_states()},
    [RUNS] = {"runs-", runs, &chosen},
  };
  LacTimelineScope *scope = lac_timeline_page_get_scope(timeline);
  *self = (States){{parts[FIELDS].part, parts[COMPARED_FIELDS].part, scope, timeline, runs}, {0}};
  for (Part i = 0; i < N_PARTS; i++)
    self->parts[i] = lac_part_states_new(G_ACTION_MAP(window), parts[i].prefix, parts[i].part,
                                         parts[i].table, on_changed, window);
  lac_window_keep(window, self, states_free);
  follow_view(self, parts[FIELDS].part, G_CALLBACK(on_field));
  follow_view(self, parts[COMPARED_FIELDS].part, G_CALLBACK(on_compared));
  g_signal_connect(scope, "changed", G_CALLBACK(on_scope), self);
  g_signal_connect_swapped(timeline, "tab-changed", G_CALLBACK(on_tab), self);
  g_signal_connect_swapped(runs, "selection-changed", G_CALLBACK(on_chosen), self);
}

/* ---- keyboard focus ---- */

/* Kind, name and position of the focused widget, for tests of keyboard access: focus arrives, is visible and moves
 * on. */
typedef struct {
  LacWindow *window;
  guint      settling; /* source */
} Focus;

/* Returns: (transfer none) (nullable): the text on the widget, or its accessible name. */
static const char *
name_of(GtkWidget *widget)
{
  const char *name = NULL;
  for (; widget != NULL && name == NULL; widget = gtk_widget_get_parent(widget)) {
    if (GTK_IS_BUTTON(widget))
      name = gtk_button_get_label(GTK_BUTTON(widget));
    else if (GTK_IS_MENU_BUTTON(widget))
      name = gtk_menu_button_get_label(GTK_MENU_BUTTON(widget));
    else if (ADW_IS_PREFERENCES_ROW(widget))
      name = adw_preferences_row_get_title(ADW_PREFERENCES_ROW(widget));
    else if (GTK_IS_ENTRY(widget))
      name = gtk_entry_get_placeholder_text(GTK_ENTRY(widget));
    if (name == NULL)
      name = gtk_widget_get_tooltip_text(widget);
    if (name == NULL)
      name = gtk_buildable_get_buildable_id(GTK_BUILDABLE(widget));
  }
  return name;
}

static gboolean
on_settled(gpointer focus)
{
  Focus          *self = focus;
  GtkWidget      *widget = gtk_window_get_focus(GTK_WINDOW(self->window));
  graphene_rect_t box = {0};
  self->settling = 0;
  if (widget != NULL && !gtk_widget_compute_bounds(widget, GTK_WIDGET(self->window), &box))
    box = (graphene_rect_t){0};
  lac_window_set_state(self->window, "focus",
                       g_variant_new("(ssiiii)", widget != NULL ? G_OBJECT_TYPE_NAME(widget) : "",
                                     name_of(widget) != NULL ? name_of(widget) : "",
                                     (int) box.origin.x, (int) box.origin.y, (int) box.size.width,
                                     (int) box.size.height));
  return G_SOURCE_REMOVE;
}

/* Updates the state once the focused widget was scrolled into view. */
static void
on_focus(Focus *self)
{
  if (self->settling == 0)
    self->settling = g_idle_add_full(G_PRIORITY_LOW, on_settled, self, NULL);
}

static void
focus_free(gpointer focus)
{
  Focus *self = focus;
  g_signal_handlers_disconnect_by_data(self->window, self);
  g_clear_handle_id(&self->settling, g_source_remove);
  g_free(self);
}

void
lac_window_add_focus(LacWindow *window)
{
  Focus                   *self = g_new0(Focus, 1);
  g_autoptr(GSimpleAction) focus =
    g_simple_action_new_stateful("focus", NULL, g_variant_new("(ssiiii)", "", "", 0, 0, 0, 0));
  g_simple_action_set_enabled(focus, FALSE);
  g_action_map_add_action(G_ACTION_MAP(window), G_ACTION(focus));
  self->window = window;
  lac_window_keep(window, self, focus_free);
  g_signal_connect_swapped(window, "notify::focus-widget", G_CALLBACK(on_focus), self);
}
