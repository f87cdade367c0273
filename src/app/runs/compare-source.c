/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of two runs, matched by the keys of their channels. */
#include "app/runs/compare-source.h"

#include "app/session/run-item.h"
#include "app/toolkit/format.h"
#include "experiment/experiment.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <float.h>
#include <math.h>
#include <string.h>

struct _LacComparisonSource {
  LacRunFile *runs[2];
  GArray     *fields; /* gsize[2]: channel of each run */
  LacChannel  channels[2];
  char       *labels[2];
  char       *captions[2];       /* what tells the runs from each other: "16:29 · K 12" */
  gboolean    is_one_experiment; /* else no difference is shown */
};

typedef struct {
  gsize at[2];
} Field;

#define SHORT 12 /* characters of a value that fits above a field */

/* Returns: (nullable): the first setting that differs, of those with short values if there are any. */
static const LacRunSetting *
find_differing(const LacRunFile *run, const LacRunFile *other)
{
  const LacRunSetting *found = NULL;
  for (gsize i = 0; i < run->n_settings; i++)
    for (gsize k = 0; k < other->n_settings; k++) {
      const LacRunSetting *own = &run->settings[i], *its = &other->settings[k];
      const gboolean       is_short = strlen(own->text) <= SHORT && strlen(its->text) <= SHORT;
      if (!g_str_equal(own->key, its->key) || g_str_equal(own->text, its->text))
        continue;
      if (is_short)
        return own;
      found = found != NULL ? found : own;
    }
  return found;
}

/* Returns: (transfer full): the time of the start, and the experiment or a setting that differs. */
static char *
dup_caption(const LacRunFile *run, const LacRunFile *other)
{
  g_autoptr(GTimeZone) local = g_time_zone_new_local();
  g_autoptr(GDateTime) start = g_date_time_new_from_iso8601(run->started, local);
  g_autofree char     *time = start != NULL ? g_date_time_format(start, "%H:%M") : g_strdup("");
  const LacRunSetting *setting = find_differing(run, other);
  if (!g_str_equal(run->experiment, other->experiment))
    return g_strdup_printf("%s · %s", time, lac_word(run->title));
  if (setting == NULL)
    return g_steal_pointer(&time);
  g_autofree char *value = lac_experiment_dup_shown(run->experiment, setting->key, setting->text);
  return g_strdup_printf("%s · %s %s", time, lac_run_item_get_symbol(lac_word(setting->label)),
                         value);
}

/* Returns: the first reconstruction, else the first field; -1: none. */
static gssize
find_first(const LacRunFile *run)
{
  gssize first = -1;
  for (gsize i = run->n_channels; i-- > 0;)
    if (run->channels[i].layers.n == 0 && run->channels[i].chart.n == 0 &&
        (first < 0 || run->channels[i].role == LAC_ROLE_RECONSTRUCTION ||
         run->channels[first].role != LAC_ROLE_RECONSTRUCTION))
      first = (gssize) i;
  return first;
}

/* Shows runs of experiments that have no field of one name. */
static void
pair_first(LacComparisonSource *source)
{
  const gssize first = find_first(source->runs[0]), second = find_first(source->runs[1]);
  const Field  field = {{(gsize) first, (gsize) second}};
  if (first >= 0 && second >= 0)
    g_array_append_val(source->fields, field);
}

LacComparisonSource *
lac_comparison_source_new(LacRunFile *first, LacRunFile *second)
{
  LacComparisonSource *source = g_new0(LacComparisonSource, 1);
  source->runs[0] = lac_run_file_ref(first);
  source->runs[1] = lac_run_file_ref(second);
  source->fields = g_array_new(FALSE, FALSE, sizeof(Field));
  source->captions[0] = dup_caption(first, second);
  source->captions[1] = dup_caption(second, first);
  source->is_one_experiment = g_str_equal(first->experiment, second->experiment);
  for (gsize i = 0; i < first->n_channels; i++) {
    gssize k = lac_run_file_find_channel(second, first->channels[i].key);
    if (k < 0 || first->channels[i].layers.n > 0 || second->channels[k].layers.n > 0)
      continue;
    Field field = {{i, (gsize) k}};
    g_array_append_val(source->fields, field);
  }
  if (!source->is_one_experiment && source->fields->len == 0)
    pair_first(source);
  return source;
}

static void
clear_labels(LacComparisonSource *source)
{
  g_clear_pointer(&source->labels[0], g_free);
  g_clear_pointer(&source->labels[1], g_free);
}

void
lac_comparison_source_free(LacComparisonSource *source)
{
  if (source == NULL)
    return;
  clear_labels(source);
  g_free(source->captions[0]);
  g_free(source->captions[1]);
  lac_run_file_unref(source->runs[0]);
  lac_run_file_unref(source->runs[1]);
  g_array_unref(source->fields);
  g_free(source);
}

gsize
lac_comparison_source_get_n_fields(const LacComparisonSource *source)
{
  return source->fields->len;
}

static const LacRunChannel *
get_channel(const LacComparisonSource *source, gsize field, guint run)
{
  const Field *at = &g_array_index(source->fields, Field, field);
  return &source->runs[run]->channels[at->at[run]];
}

char *
lac_comparison_source_dup_quantity(const LacComparisonSource *source, gsize field)
{
  const char *quantity = get_channel(source, field, 0)->quantity;
  return quantity != NULL && *quantity != '\0' ? lac_format_quantity(quantity) : g_strdup("");
}

const char *
lac_comparison_source_get_label(const LacComparisonSource *source, gsize field)
{
  return g_dgettext(GETTEXT_PACKAGE, get_channel(source, field, 0)->label);
}

gsize
lac_comparison_source_get_default(const LacComparisonSource *source)
{
  for (gsize i = 0; i < source->fields->len; i++)
    if (get_channel(source, i, 0)->role == LAC_ROLE_RECONSTRUCTION)
      return i;
  return 0;
}

const LacChannel *
lac_comparison_source_use(LacComparisonSource *source, gsize field)
{
  static const char *const letters[] = {"(a)", "(b)"};
  g_return_val_if_fail(field < source->fields->len, NULL);
  clear_labels(source);
  for (guint r = 0; r < 2; r++) {
    const LacRunChannel *from = get_channel(source, field, r);
    source->labels[r] = g_strdup_printf("%s %s", letters[r], source->captions[r]);
    source->channels[r] = (LacChannel){
      .key = from->key,
      .label = source->labels[r],
      .unit = from->unit,
      .quantity = from->quantity,
      .role = r == 0 && source->is_one_experiment ? LAC_ROLE_TRUTH : LAC_ROLE_RECONSTRUCTION,
      .colour_map = get_channel(source, field, source->is_one_experiment ? 0 : r)->colour_map,
      .axis_x = from->axis_x,
      .axis_y = from->axis_y,
      .axis_unit_x = from->axis_unit_x,
      .axis_unit_y = from->axis_unit_y,
      .periodic = from->periodic,
      .without_markers = from->without_markers,
    };
  }
  return source->channels;
}

gboolean
lac_comparison_source_is_of_one_experiment(const LacComparisonSource *source)
{
  return source->is_one_experiment;
}

gsize
lac_comparison_source_get_n_frames(const LacComparisonSource *source)
{
  return source->runs[1]->n_frames > 0 ? source->runs[0]->n_frames : 0;
}

static gsize
find_counterpart(const LacComparisonSource *source, gsize i, LacLink link)
{
  if (!source->is_one_experiment)
    return source->runs[1]->n_frames - 1;
  gint64 step = source->runs[0]->frame_step[i];
  gssize k = link == LAC_LINK_STEP
               ? lac_run_file_find_frame(source->runs[1], step)
               : lac_run_file_find_frame_at(source->runs[1],
                                            lac_run_file_get_seconds(source->runs[0], step));
  return k < 0 ? 0 : (gsize) k;
}

static void
copy_plane(LacPlane *to, const LacPlane *from)
{
  to->x_min = from->x_min;
  to->x_max = from->x_max;
  to->y_min = from->y_min;
  to->y_max = from->y_max;
  memcpy(to->data, from->data, from->nx * from->ny * sizeof(float));
  lac_plane_measure(to);
}

/* Returns the largest magnitude of the finite values. */
static double
find_magnitude(const LacPlane *plane)
{
  return fmax(fabs((double) plane->min), fabs((double) plane->max));
}

void
lac_comparison_drop_rounding(const LacPlane *first, LacPlane *second)
{
  double least = LAC_COMPARISON_ULPS * (double) FLT_EPSILON *
                 fmax(find_magnitude(first), find_magnitude(second));
  if (first->nx != second->nx || first->ny != second->ny || !isfinite(least))
    return;
  for (gsize i = 0; i < first->nx * first->ny; i++)
    if (fabs((double) second->data[i] - (double) first->data[i]) <= least)
      second->data[i] = first->data[i];
  lac_plane_measure(second);
}

/* Copies the markers of one run: positions differ between runs. */
static void
copy_markers(LacMarker *to, const LacFrame *from, guint plane)
{
  for (gsize i = 0; i < from->n_markers; i++) {
    to[i] = from->markers[i];
    to[i].owner = plane + 1;
  }
}

GArray *
lac_comparison_source_list_frames(const LacComparisonSource *source, LacLink link)
{
  GArray *frames = g_array_new(FALSE, FALSE, sizeof(gsize));
  gsize   n = lac_comparison_source_get_n_frames(source), last = n - 1;
  if (!source->is_one_experiment && n > 0) {
    g_array_append_val(frames, last);
    return frames;
  }
  for (guint wants_common = 2; wants_common-- > 0 && frames->len == 0;)
    for (gsize i = 0; i < n; i++) {
      gsize k = find_counterpart(source, i, link);
      if (!wants_common || link == LAC_LINK_TIME ||
          source->runs[1]->frame_step[k] == source->runs[0]->frame_step[i])
        g_array_append_val(frames, i);
    }
  return frames;
}

LacComparisonPair *
lac_comparison_source_pair(const LacComparisonSource *source, gsize field, gsize i, LacLink link)
{
  g_return_val_if_fail(field < source->fields->len && i < source->runs[0]->n_frames, NULL);
  g_return_val_if_fail(source->runs[1]->n_frames > 0, NULL);
  const Field       *at = &g_array_index(source->fields, Field, field);
  LacComparisonPair *pair = g_new(LacComparisonPair, 1);
  *pair = (LacComparisonPair){
    .runs = {lac_run_file_ref(source->runs[0]), lac_run_file_ref(source->runs[1])},
    .field = field,
    .channels = {at->at[0], at->at[1]},
    .frames = {i, find_counterpart(source, i, link)},
    .is_one_experiment = source->is_one_experiment,
  };
  return pair;
}

void
lac_comparison_pair_free(LacComparisonPair *pair)
{
  if (pair == NULL)
    return;
  lac_run_file_unref(pair->runs[0]);
  lac_run_file_unref(pair->runs[1]);
  g_free(pair);
}

LacFrame *
lac_comparison_pair_load(const LacComparisonPair *pair, GError **error)
{
  g_autoptr(LacFrame) first = lac_run_file_load_frame(pair->runs[0], pair->frames[0], error);
  g_autoptr(LacFrame) second =
    first != NULL ? lac_run_file_load_frame(pair->runs[1], pair->frames[1], error) : NULL;
  if (second == NULL)
    return NULL;
  const LacPlane *planes[2] = {&first->planes[pair->channels[0]],
                               &second->planes[pair->channels[1]]};
  const gsize     sizes[2][2] = {{planes[0]->nx, planes[0]->ny}, {planes[1]->nx, planes[1]->ny}};
  LacFrame       *frame = lac_frame_new(2, sizes, first->n_markers + second->n_markers, 0);
  for (guint r = 0; r < 2; r++)
    copy_plane(&frame->planes[r], planes[r]);
  if (pair->is_one_experiment)
    lac_comparison_drop_rounding(&frame->planes[0], &frame->planes[1]);
  copy_markers(frame->markers, first, 0);
  copy_markers(frame->markers + first->n_markers, second, 1);
  frame->step = first->step;
  frame->seconds = first->seconds;
  frame->sequence = pair->frames[0];
  return frame;
}
