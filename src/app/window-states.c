/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a person changes in the parts of the window, as states that are actions. */
#include "app/field-states.h"
#include "app/timeline-states.h"
#include "app/window-private.h"

typedef enum { FIELDS, COMPARED_FIELDS, COMPARISON, TIMELINE, RUNS, N_PARTS } Part;

struct _LacWindowStates {
  LacWindow     *window;
  LacPartStates *parts[N_PARTS];
};

static void
on_changed(const char *action, GVariant *state, gpointer window)
{
  lac_window_note_state(window, action, state);
}

static void
look(LacWindowStates *self, Part part, guint what, gboolean by_person)
{
  if (self->parts[part] != NULL)
    lac_part_states_look(self->parts[part], what, by_person);
}

/* ---- the comparison: which field, which frame ---- */

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

/* ---- the list of runs: which are chosen ---- */

static GVariant *
describe_chosen(gpointer runs)
{
  g_autoptr(GPtrArray) chosen = lac_runs_page_get_selection(runs);
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
  lac_runs_page_select(runs, names);
}

static const LacPartState selection[] = {{"chosen", G_MAXUINT, describe_chosen, apply_chosen}};
static const LacPartTable chosen = {selection, G_N_ELEMENTS(selection)};

/* ---- what the parts say ---- */

static void
on_field(LacWindowStates *self)
{
  look(self, FIELDS, G_MAXUINT, TRUE);
}

static void
on_compared(LacWindowStates *self)
{
  look(self, COMPARED_FIELDS, G_MAXUINT, TRUE);
  look(self, COMPARISON, G_MAXUINT, TRUE);
}

static void
on_chosen(LacWindowStates *self)
{
  look(self, RUNS, G_MAXUINT, TRUE);
}

/* With other records everything begins anew: that is nobody's doing. */
static void
on_scope(LacTimelineScope *scope, guint what, LacWindowStates *self)
{
  look(self, TIMELINE, what, !(what & LAC_SCOPE_DATA));
}

static void
on_tab(LacWindowStates *self)
{
  look(self, TIMELINE, LAC_TIMELINE_TAB_CHANGED, TRUE);
}

static void
follow_view(LacWindowStates *self, LacFieldView *view, GCallback callback)
{
  static const char *const signals[] = {"picture-changed", "line-changed", "look-changed",
                                        "notify::swipe"};
  for (gsize i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_connect_swapped(view, signals[i], callback, self);
}

void
lac_window_add_states(LacWindow *window)
{
  LacWindowStates  *self = g_new0(LacWindowStates, 1);
  LacCompareFields *fields = lac_compare_page_get_fields(window->compare);
  const struct {
    const char         *prefix;
    gpointer            part;
    const LacPartTable *table;
  } parts[N_PARTS] = {
    [FIELDS] = {"field-", lac_live_page_get_field(window->live), lac_field_states()},
    [COMPARED_FIELDS] = {"compared-", lac_compare_fields_get_view(fields), lac_field_states()},
    [COMPARISON] = {"compared-", fields, &compared},
    [TIMELINE] = {"timeline-", window->timeline, lac_timeline_states()},
    [RUNS] = {"runs-", window->runs, &chosen},
  };
  window->states = self;
  self->window = window;
  for (Part i = 0; i < N_PARTS; i++)
    self->parts[i] = lac_part_states_new(G_ACTION_MAP(window), parts[i].prefix, parts[i].part,
                                         parts[i].table, on_changed, window);
  follow_view(self, parts[FIELDS].part, G_CALLBACK(on_field));
  follow_view(self, parts[COMPARED_FIELDS].part, G_CALLBACK(on_compared));
  g_signal_connect(lac_timeline_page_get_scope(window->timeline), "changed", G_CALLBACK(on_scope),
                   self);
  g_signal_connect_swapped(window->timeline, "tab-changed", G_CALLBACK(on_tab), self);
  g_signal_connect_swapped(window->runs, "selection-changed", G_CALLBACK(on_chosen), self);
}

void
lac_window_end_states(LacWindow *window)
{
  LacWindowStates *self = g_steal_pointer(&window->states);
  if (self == NULL)
    return;
  LacCompareFields *fields = lac_compare_page_get_fields(window->compare);
  gpointer said[] = {lac_live_page_get_field(window->live), lac_compare_fields_get_view(fields),
                     lac_timeline_page_get_scope(window->timeline), window->timeline, window->runs};
  for (gsize i = 0; i < G_N_ELEMENTS(said); i++)
    g_signal_handlers_disconnect_by_data(said[i], self);
  for (Part i = 0; i < N_PARTS; i++)
    lac_part_states_free(self->parts[i]);
  g_free(self);
}
