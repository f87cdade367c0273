/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of other programs. torch.profiler names each of its steps anew, ProfilerStep#7: here they become spans of one name with a
 * number, as those of JAX are. What a step's span encloses on its thread belongs to that step. */
#include "io/trace/trace-private.h"

#include <string.h>

#define TORCH_STEP "ProfilerStep"

typedef struct {
  gint64 begin_ns, end_ns, step;
} Step;

/* Returns: -1: it is no step's name */
static gint64
read_step(const char *name)
{
  const gsize n = strlen(TORCH_STEP "#");
  guint64     step;

  if (strncmp(name, TORCH_STEP "#", n) != 0 ||
      !g_ascii_string_to_unsigned(name + n, 10, 0, G_MAXINT64, &step, NULL))
    return -1;
  return (gint64) step;
}

/* Of texts: their step. Returns: (transfer full) (nullable): NULL: none is a step's name */
static gint64 *
read_names(const LacTraceBuilder *builder)
{
  g_autofree gint64 *steps = g_new(gint64, builder->texts->len + 1);
  gboolean           any = FALSE;

  for (guint32 i = 0; i < builder->texts->len; i++) {
    steps[i] = read_step(lac_trace_builder_get_text(builder, i));
    any |= steps[i] >= 0;
  }
  return any ? g_steal_pointer(&steps) : NULL;
}

/* Of the first thread that has them: a device shows the same steps once more, when it came to them. */
static void
take_names(LacTraceBuilder *builder)
{
  g_autofree gint64 *steps = read_names(builder);
  const guint32      n_texts = builder->texts->len;
  gint               thread = -1;

  if (steps == NULL)
    return;
  const guint32 name = lac_trace_builder_intern(builder, TORCH_STEP, strlen(TORCH_STEP));
  for (gsize i = 0; i < builder->n_records; i++) {
    LacRecord *record = &builder->records[i];

    if (record->kind != LAC_RECORD_SPAN || record->name >= n_texts || steps[record->name] < 0)
      continue;
    if (thread < 0)
      thread = record->lane;
    if (record->lane != thread)
      continue;
    record->step = steps[record->name];
    record->name = name;
  }
}

static gint
compare(gconstpointer a, gconstpointer b)
{
  const Step *x = a, *y = b;

  return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

/* By thread: its steps in the order of time; NULL where it has none. */
static GPtrArray *
list_steps(const LacTraceBuilder *builder)
{
  GPtrArray *lists = g_ptr_array_new();

  g_ptr_array_set_size(lists, (gint) builder->threads->len);
  for (gsize i = 0; i < builder->n_records; i++) {
    const LacRecord *record = &builder->records[i];
    Step step = {record->start_ns, record->start_ns + record->duration_ns, record->step};

    if (record->kind != LAC_RECORD_SPAN || record->step < 0)
      continue;
    gpointer *list = &g_ptr_array_index(lists, record->lane);
    if (*list == NULL)
      *list = g_array_new(FALSE, FALSE, sizeof(Step));
    g_array_append_vals(*list, &step, 1);
  }
  for (guint i = 0; i < lists->len; i++) {
    if (g_ptr_array_index(lists, i) != NULL)
      g_array_sort(g_ptr_array_index(lists, i), compare);
  }
  return lists;
}

/* The last step that begins at or before @time_ns. Returns: (nullable) */
static const Step *
find_step(const GArray *steps, gint64 time_ns)
{
  guint low = 0, high = steps->len;

  while (low < high) {
    const guint middle = (low + high) / 2;

    if (g_array_index(steps, Step, middle).begin_ns <= time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? &g_array_index(steps, Step, low - 1) : NULL;
}

void
lac_trace_number_steps(LacTraceBuilder *builder)
{
  take_names(builder);
  GPtrArray *lists = list_steps(builder);

  for (gsize i = 0; i < builder->n_records; i++) {
    LacRecord    *record = &builder->records[i];
    const GArray *steps = g_ptr_array_index(lists, record->lane);

    if (record->kind != LAC_RECORD_SPAN || record->step >= 0 || steps == NULL)
      continue;
    const Step *step = find_step(steps, record->start_ns);
    if (step != NULL && record->start_ns + record->duration_ns <= step->end_ns)
      record->step = step->step;
  }
  for (guint i = 0; i < lists->len; i++)
    g_clear_pointer(&g_ptr_array_index(lists, i), g_array_unref);
  g_ptr_array_unref(lists);
}
