/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorder: interned names and lanes. */
#include "perf/perf.h"

#include "base/clock.h"
#include "perf/lane.h"

#include <pthread.h>

#define LANE_CAPACITY (1u << 14) /* 1.3 MB a lane */

struct _LacPerf {
  LacPerfDetail   detail;
  pthread_mutex_t lock; /* of names and lanes */
  GPtrArray      *names;
  GHashTable     *ids; /* name -> id + 1 */
  GPtrArray      *lanes;
  guint64         n_drained; /* consumer's */
};

LacPerf *
lac_perf_new(LacPerfDetail detail)
{
  LacPerf *perf = g_new0(LacPerf, 1);

  perf->detail = detail;
  perf->names = g_ptr_array_new_with_free_func(g_free);
  perf->ids = g_hash_table_new(g_str_hash, g_str_equal);
  perf->lanes = g_ptr_array_new_with_free_func((GDestroyNotify) lac_lane_free);
  pthread_mutex_init(&perf->lock, NULL);
  return perf;
}

void
lac_perf_free(LacPerf *perf)
{
  if (!perf)
    return;
  g_ptr_array_unref(perf->lanes);
  g_hash_table_unref(perf->ids);
  g_ptr_array_unref(perf->names);
  pthread_mutex_destroy(&perf->lock);
  g_free(perf);
}

LacPerfDetail
lac_perf_get_detail(const LacPerf *perf)
{
  return perf->detail;
}

guint32
lac_perf_name(LacPerf *perf, const char *name)
{
  guint id;

  pthread_mutex_lock(&perf->lock);
  id = GPOINTER_TO_UINT(g_hash_table_lookup(perf->ids, name));
  if (!id) {
    char *copy = g_strdup(name);

    g_ptr_array_add(perf->names, copy);
    id = perf->names->len;
    g_hash_table_insert(perf->ids, copy, GUINT_TO_POINTER(id));
  }
  pthread_mutex_unlock(&perf->lock);
  return id - 1;
}

const char *
lac_perf_get_name(LacPerf *perf, guint32 id)
{
  const char *name = NULL;

  pthread_mutex_lock(&perf->lock);
  if (id < perf->names->len)
    name = g_ptr_array_index(perf->names, id);
  pthread_mutex_unlock(&perf->lock);
  return name;
}

guint32
lac_perf_get_n_names(LacPerf *perf)
{
  guint32 n;

  pthread_mutex_lock(&perf->lock);
  n = perf->names->len;
  pthread_mutex_unlock(&perf->lock);
  return n;
}

LacLane *
lac_perf_lane(LacPerf *perf, const char *name)
{
  LacLane *lane;

  pthread_mutex_lock(&perf->lock);
  g_assert(perf->lanes->len < G_MAXUINT16);
  lane = lac_lane_new(&(LacLaneSettings){
    .id = (guint16) perf->lanes->len,
    .name = name,
    .capacity = perf->detail == LAC_PERF_OFF ? 1 : LANE_CAPACITY,
    .muted = perf->detail == LAC_PERF_OFF,
  });
  g_ptr_array_add(perf->lanes, lane);
  pthread_mutex_unlock(&perf->lock);
  return lane;
}

static LacLane *
lane_at(LacPerf *perf, guint i)
{
  LacLane *lane = NULL;

  pthread_mutex_lock(&perf->lock);
  if (i < perf->lanes->len)
    lane = g_ptr_array_index(perf->lanes, i);
  pthread_mutex_unlock(&perf->lock);
  return lane;
}

const char *
lac_perf_get_lane_name(LacPerf *perf, guint16 lane)
{
  LacLane *found = lane_at(perf, lane);

  return found ? lac_lane_get_name(found) : NULL;
}

guint
lac_perf_get_n_lanes(LacPerf *perf)
{
  guint n;

  pthread_mutex_lock(&perf->lock);
  n = perf->lanes->len;
  pthread_mutex_unlock(&perf->lock);
  return n;
}

LacSpan
lac_span_begin(LacLane *lane, guint32 name)
{
  lac_lane_enter(lane);
  return (LacSpan){.start_ns = lac_clock_ns(), .name = name};
}

void
lac_span_end(LacLane *lane, LacSpan span, gint64 step)
{
  const guint8 depth = lac_lane_leave(lane);

  lac_lane_push(lane, (LacRecord){
                        .start_ns = span.start_ns,
                        .duration_ns = lac_clock_ns() - span.start_ns,
                        .step = step,
                        .count = 1,
                        .memory = -1,
                        .name = span.name,
                        .kind = LAC_RECORD_SPAN,
                        .depth = depth,
                      });
}

gsize
lac_perf_drain(LacPerf *perf, LacRecordFunc func, gpointer user_data)
{
  gsize    total = 0;
  LacLane *lane;

  for (guint i = 0; (lane = lane_at(perf, i)); i++)
    total += lac_lane_drain(lane, func, user_data);
  perf->n_drained += total;
  return total;
}

guint64
lac_perf_get_n_pushed(LacPerf *perf)
{
  guint64  total = 0;
  LacLane *lane;

  for (guint i = 0; (lane = lane_at(perf, i)); i++)
    total += lac_lane_get_n_pushed(lane);
  return total;
}

guint64
lac_perf_get_n_drained(LacPerf *perf)
{
  return perf->n_drained;
}
