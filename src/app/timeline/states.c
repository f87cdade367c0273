/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States of the timeline page. A span is identified by its operation, its step and, if there are several, its start:
 * these exist also in a recomputed run. */
#include "app/timeline/states.h"

#include "app/timeline/page.h"

static LacTimelineScope *
scope_of(gpointer page)
{
  return lac_timeline_page_get_scope(page);
}

static gint64
get_first(LacTimelineScope *scope)
{
  gint64        first = 0, last;
  LacRecording *recording = lac_timeline_scope_get_recording(scope);
  if (recording != NULL)
    lac_timeline_get_extent(lac_recording_get_timeline(recording), &first, &last);
  return first;
}

static double
to_seconds(LacTimelineScope *scope, gint64 time_ns)
{
  return (double) (time_ns - get_first(scope)) * 1e-9;
}

static gint64
to_time(LacTimelineScope *scope, double seconds)
{
  return get_first(scope) + (gint64) (CLAMP(seconds, -1e9, 1e9) * 1e9 + (seconds < 0 ? -0.5 : 0.5));
}

/* ---- the visible time and rows ---- */

static GVariant *
describe_view(gpointer page)
{
  gint64 begin = 0, end = 0;
  if (!lac_timeline_scope_has_view(scope_of(page)))
    return g_variant_new("(dd)", 0.0, 0.0);
  lac_timeline_scope_get_view(scope_of(page), &begin, &end);
  return g_variant_new("(dd)", to_seconds(scope_of(page), begin), to_seconds(scope_of(page), end));
}

static void
apply_view(gpointer page, GVariant *state)
{
  double begin, end;
  g_variant_get(state, "(dd)", &begin, &end);
  if (begin < end)
    lac_timeline_scope_show(scope_of(page), (double) to_time(scope_of(page), begin),
                            (double) to_time(scope_of(page), end));
  else
    lac_timeline_scope_fit(scope_of(page));
}

static GVariant *
describe_rows(gpointer page)
{
  return g_variant_new("(dd)", lac_timeline_scope_get_offset(scope_of(page)),
                       lac_timeline_scope_get_track_offset(scope_of(page)));
}

static void
apply_rows(gpointer page, GVariant *state)
{
  double lanes, tracks;
  g_variant_get(state, "(dd)", &lanes, &tracks);
  lac_timeline_scope_scroll(scope_of(page), lanes, 0);
  lac_timeline_scope_scroll_tracks(scope_of(page), tracks);
}

/* ---- the range, and following the last part ---- */

static GVariant *
describe_range(gpointer page)
{
  double n;
  gint64 begin, end;
  if (!lac_timeline_scope_get_range(scope_of(page), &begin, &end) ||
      lac_timeline_scope_get_kept(scope_of(page), &n) != LAC_KEEP_ALL)
    return g_variant_new("(dd)", 0.0, 0.0);
  return g_variant_new("(dd)", to_seconds(scope_of(page), begin), to_seconds(scope_of(page), end));
}

static void
apply_range(gpointer page, GVariant *state)
{
  double begin, end;
  g_variant_get(state, "(dd)", &begin, &end);
  lac_timeline_scope_set_range(scope_of(page), to_time(scope_of(page), begin),
                               to_time(scope_of(page), end));
}

static const char *const keeps[] =
  {[LAC_KEEP_ALL] = "all", [LAC_KEEP_ITERATIONS] = "iterations", [LAC_KEEP_SECONDS] = "seconds"};

static GVariant *
describe_keep(gpointer page)
{
  double  n;
  LacKeep keep = lac_timeline_scope_get_kept(scope_of(page), &n);
  return g_variant_new("(sd)", keeps[keep], keep == LAC_KEEP_ALL ? 0 : n);
}

static void
apply_keep(gpointer page, GVariant *state)
{
  const char *word;
  double      n;
  g_variant_get(state, "(&sd)", &word, &n);
  for (gsize i = 0; i < G_N_ELEMENTS(keeps); i++)
    if (g_str_equal(word, keeps[i]))
      lac_timeline_scope_keep_last(scope_of(page), (LacKeep) i, n);
}

/* ---- the selected span ---- */

static const LacCapture *
capture_of(LacTimelineScope *scope)
{
  return lac_recording_get_capture(lac_timeline_scope_get_recording(scope));
}

static GVariant *
describe_selected(gpointer page)
{
  const LacTimelineBar *bar = lac_timeline_scope_get_selected(scope_of(page));
  if (bar == NULL)
    return g_variant_new("(sxd)", "", (gint64) -1, 0.0);
  const LacRecord *record = lac_capture_at(capture_of(scope_of(page)), bar->record);
  return g_variant_new("(sxd)", lac_capture_get_name(capture_of(scope_of(page)), bar->name),
                       record->step, to_seconds(scope_of(page), record->start_ns));
}

/* Finds the span nearest in time: among those of the step, or among all if timer-driven spans fell into another step.
 * Returns: FALSE if the recording has no such span. */
static gboolean
find_span(LacTimelineScope *scope, gint64 name, gint64 step, gint64 time_ns, LacTimelineBar *bar)
{
  const LacCapture *capture = capture_of(scope);
  gsize             found = G_MAXSIZE, n;
  guint64           nearest = G_MAXUINT64;
  gboolean          has_step = FALSE;
  for (gsize first = 0; name >= 0; first += n) {
    const LacRecord *records = lac_capture_get(capture, first, (n = G_MAXSIZE, &n));
    if (n == 0)
      break;
    for (gsize i = 0; i < n; i++) {
      guint64  away = (guint64) ABS(records[i].start_ns - time_ns);
      gboolean is_of_step = records[i].step == step;
      if (records[i].kind > LAC_RECORD_AGGREGATE || records[i].name != name ||
          has_step > is_of_step || (has_step == is_of_step && away >= nearest))
        continue;
      has_step = is_of_step;
      nearest = away;
      found = first + i;
    }
  }
  return found != G_MAXSIZE &&
         lac_timeline_find(lac_recording_get_timeline(lac_timeline_scope_get_recording(scope)),
                           found, bar);
}

static void
apply_selected(gpointer page, GVariant *state)
{
  LacTimelineScope *scope = scope_of(page);
  LacTimelineBar    bar;
  const char       *name;
  gint64            step;
  double            seconds;
  g_variant_get(state, "(&sxd)", &name, &step, &seconds);
  if (lac_timeline_scope_is_empty(scope))
    return;
  if (*name == '\0')
    lac_timeline_scope_select(scope, NULL);
  else if (find_span(scope, lac_capture_find_name(capture_of(scope), name), step,
                     to_time(scope, seconds), &bar))
    lac_timeline_scope_select(scope, &bar);
}

/* ---- the chosen name, and the path that limits what is shown ---- */

static GVariant *
describe_chosen(gpointer page)
{
  LacTimelineScope *scope = scope_of(page);
  const guint32     name = lac_timeline_scope_get_chosen(scope);
  gsize             n;
  const guint32    *path = lac_timeline_scope_get_limit(scope, &n);
  GVariantBuilder   names;
  g_variant_builder_init(&names, G_VARIANT_TYPE_STRING_ARRAY);
  for (gsize i = 0; i < n; i++)
    g_variant_builder_add(&names, "s", lac_capture_get_name(capture_of(scope), path[i]));
  return g_variant_new(
    "(sas)", name != LAC_NO_NAME ? lac_capture_get_name(capture_of(scope), name) : "", &names);
}

static void
apply_chosen(gpointer page, GVariant *state)
{
  LacTimelineScope       *scope = scope_of(page);
  const char             *name;
  g_autofree const char **path = NULL;
  g_variant_get(state, "(&s^a&s)", &name, &path);
  if (lac_timeline_scope_is_empty(scope))
    return;
  const gint64 chosen = lac_capture_find_name(capture_of(scope), name);
  lac_timeline_scope_choose(scope, chosen >= 0 ? (guint32) chosen : LAC_NO_NAME);
  if (path[0] != NULL)
    lac_timeline_page_limit(page, path);
}

/* ---- durations ---- */

static GVariant *
describe_durations(gpointer page)
{
  LacDurationChoice choice;
  const char       *watched = lac_timeline_scope_get_watched(scope_of(page));
  if (watched == NULL || !lac_timeline_scope_get_brush(scope_of(page), &choice))
    return g_variant_new("(sdd)", watched != NULL ? watched : "", 0.0, 0.0);
  return g_variant_new("(sdd)", watched, choice.low_ns * 1e-9, choice.high_ns * 1e-9);
}

static void
apply_durations(gpointer page, GVariant *state)
{
  LacTimelineScope *scope = scope_of(page);
  const char       *name;
  double            low, high;
  g_variant_get(state, "(&sdd)", &name, &low, &high);
  if (lac_timeline_scope_is_empty(scope))
    return;
  gint64 watched = lac_capture_find_name(capture_of(scope), name);
  if (watched < 0)
    return;
  lac_timeline_scope_watch(scope, (guint32) watched);
  lac_timeline_scope_brush(scope, low * 1e9, high * 1e9);
}

static GVariant *
describe_target(gpointer page)
{
  return g_variant_new_double((double) lac_timeline_scope_get_target(scope_of(page)) * 1e-9);
}

static void
apply_target(gpointer page, GVariant *state)
{
  lac_timeline_scope_set_target(scope_of(page),
                                (gint64) (CLAMP(g_variant_get_double(state), 0, 1e9) * 1e9));
}

/* ---- search, marks, the table ---- */

static GVariant *
describe_search(gpointer page)
{
  return g_variant_new_string(lac_timeline_scope_get_search(scope_of(page)));
}

static void
apply_search(gpointer page, GVariant *state)
{
  lac_timeline_page_search(page, g_variant_get_string(state, NULL));
}

static GVariant *
describe_marks(gpointer page)
{
  gsize             n;
  const LacRunMark *marks = lac_timeline_scope_get_marks(scope_of(page), &n);
  GVariantBuilder   builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("a(ds)"));
  for (gsize i = 0; i < n; i++)
    g_variant_builder_add(&builder, "(ds)", to_seconds(scope_of(page), marks[i].time_ns),
                          marks[i].words);
  return g_variant_builder_end(&builder);
}

static void
apply_marks(gpointer page, GVariant *state)
{
  GArray      *marks = lac_run_marks_new();
  GVariantIter iter;
  const char  *words;
  double       seconds;
  g_variant_iter_init(&iter, state);
  while (g_variant_iter_next(&iter, "(d&s)", &seconds, &words))
    lac_run_marks_add(marks, to_time(scope_of(page), seconds), words);
  lac_timeline_scope_show_marks(scope_of(page), marks);
}

static GVariant *
describe_tab(gpointer page)
{
  return g_variant_new_string(lac_timeline_page_get_tab(page));
}

static void
apply_tab(gpointer page, GVariant *state)
{
  lac_timeline_page_set_tab(page, g_variant_get_string(state, NULL));
}

static const LacPartState states[] = {
  {"keep", LAC_SCOPE_KEEP, describe_keep, apply_keep},
  {"range", LAC_SCOPE_RANGE | LAC_SCOPE_KEEP, describe_range, apply_range},
  {"view", LAC_SCOPE_VIEW | LAC_SCOPE_KEEP, describe_view, apply_view},
  {"rows", LAC_SCOPE_VIEW, describe_rows, apply_rows},
  {"target", LAC_SCOPE_TARGET, describe_target, apply_target},
  {"search", LAC_SCOPE_SEARCH, describe_search, apply_search},
  {"selected", LAC_SCOPE_SELECTED, describe_selected, apply_selected},
  {"chosen", LAC_SCOPE_CHOSEN, describe_chosen, apply_chosen},
  {"durations", LAC_SCOPE_DURATIONS, describe_durations, apply_durations},
  {"marks", LAC_SCOPE_MARKS, describe_marks, apply_marks},
  {"tab", LAC_TIMELINE_TAB_CHANGED, describe_tab, apply_tab},
};

const LacPartTable *
lac_timeline_states(void)
{
  static const LacPartTable table = {states, G_N_ELEMENTS(states)};
  return &table;
}
