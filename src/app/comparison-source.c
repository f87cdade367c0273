/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of two runs side by side. */
#include "app/comparison-source.h"

#include "app/phrase.h"

#include <glib/gi18n-lib.h>

#include <string.h>

struct _LacComparisonSource {
  LacRunFile *runs[2];
  GArray     *fields; /* gsize[2]: channels of either run */
  gsize       field;  /* in use */
  LacChannel  channels[2];
  char       *labels[2];
};

typedef struct {
  gsize at[2];
} Field;

LacComparisonSource *
lac_comparison_source_new(LacRunFile *first, LacRunFile *second)
{
  LacComparisonSource *source = g_new0(LacComparisonSource, 1);
  source->runs[0] = lac_run_file_ref(first);
  source->runs[1] = lac_run_file_ref(second);
  source->fields = g_array_new(FALSE, FALSE, sizeof(Field));
  for (gsize i = 0; i < first->n_channels; i++) {
    gssize k = lac_run_file_find_channel(second, first->channels[i].key);
    if (k < 0 || first->channels[i].layers.n > 0 || second->channels[k].layers.n > 0)
      continue;
    Field field = {{i, (gsize) k}};
    g_array_append_val(source->fields, field);
  }
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
lac_comparison_source_dup_label(const LacComparisonSource *source, gsize field)
{
  const LacRunChannel *channel = get_channel(source, field, 0);
  const char          *label = g_dgettext(GETTEXT_PACKAGE, channel->label);
  if (channel->quantity == NULL || *channel->quantity == '\0')
    return g_strdup(label);
  g_autofree char *quantity = lac_phrase_quantity(channel->quantity);
  return g_strdup_printf("%s · %s", quantity, label);
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
  source->field = field;
  const char *names[] = {get_channel(source, field, 0)->label,
                         get_channel(source, field, 1)->label};
  gboolean    is_same = g_str_equal(names[0], names[1]); /* who chose it knows its name */
  for (guint r = 0; r < 2; r++) {
    const LacRunChannel *from = get_channel(source, field, r);
    source->labels[r] =
      is_same ? g_strdup(letters[r])
              : g_strdup_printf("%s %s", letters[r], g_dgettext(GETTEXT_PACKAGE, from->label));
    source->channels[r] = (LacChannel){
      .key = from->key,
      .label = source->labels[r],
      .unit = from->unit,
      .quantity = from->quantity,
      .role = r == 0 ? LAC_ROLE_TRUTH : LAC_ROLE_RECONSTRUCTION,
      .colour_map = get_channel(source, field, 0)->colour_map,
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

gsize
lac_comparison_source_get_n_frames(const LacComparisonSource *source)
{
  return source->runs[1]->n_frames > 0 ? source->runs[0]->n_frames : 0;
}

static gsize
find_counterpart(const LacComparisonSource *source, gsize i, LacLink link)
{
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

/* Each run has its own, at their own places. */
static void
copy_markers(LacMarker *to, const LacFrame *from, guint plane)
{
  for (gsize i = 0; i < from->n_markers; i++) {
    to[i] = from->markers[i];
    to[i].owner = plane + 1;
  }
}

LacFrame *
lac_comparison_source_load(const LacComparisonSource *source,
                           gsize                      i,
                           LacLink                    link,
                           gsize                      frames[2],
                           GError                   **error)
{
  g_return_val_if_fail(i < source->runs[0]->n_frames && source->runs[1]->n_frames > 0, NULL);
  const Field *field = &g_array_index(source->fields, Field, source->field);
  frames[0] = i;
  frames[1] = find_counterpart(source, i, link);
  g_autoptr(LacFrame) first = lac_run_file_load_frame(source->runs[0], frames[0], error);
  g_autoptr(LacFrame) second =
    first != NULL ? lac_run_file_load_frame(source->runs[1], frames[1], error) : NULL;
  if (second == NULL)
    return NULL;
  const LacPlane *planes[2] = {&first->planes[field->at[0]], &second->planes[field->at[1]]};
  const gsize     sizes[2][2] = {{planes[0]->nx, planes[0]->ny}, {planes[1]->nx, planes[1]->ny}};
  LacFrame       *frame = lac_frame_new(2, sizes, first->n_markers + second->n_markers, 0);
  for (guint r = 0; r < 2; r++)
    copy_plane(&frame->planes[r], planes[r]);
  copy_markers(frame->markers, first, 0);
  copy_markers(frame->markers + first->n_markers, second, 1);
  frame->step = first->step;
  frame->seconds = first->seconds;
  frame->sequence = i;
  return frame;
}
