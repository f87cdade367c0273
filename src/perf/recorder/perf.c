/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and lanes of a recorder; the lanes hold the records. */
#include "perf/recorder/perf.h"

#include "perf/recorder/lane.h"

#include <pthread.h>

/* Records in a lane's ring, a power of two, by detail. A step has few coarse records: 80 kB leave room in the cache
 * for the step's own data. */
static const gsize lane_records[] =
  {[LAC_PERF_OFF] = 0, [LAC_PERF_COARSE] = 1 << 10, [LAC_PERF_FULL] = 1 << 14};

/* A POSIX lock, because ThreadSanitizer does not recognise GLib's. */
struct _LacPerf {
  LacPerfDetail   detail;
  pthread_mutex_t lock;  /* protects the members below */
  GHashTable     *ids;   /* char * -> id + 1 */
  GPtrArray      *names; /* char *, by id */
  GPtrArray      *lanes; /* LacLane * */
  LacSink        *sink;  /* shared by all lanes; NULL: no external profiler */
};

static void
free_lane(gpointer lane)
{
  lac_lane_free(lane);
}

LacPerf *
lac_perf_new(LacPerfDetail detail)
{
  LacPerf *perf = g_new0(LacPerf, 1);
  perf->detail = detail;
  pthread_mutex_init(&perf->lock, NULL);
  perf->ids = g_hash_table_new(g_str_hash, g_str_equal);
  perf->names = g_ptr_array_new_with_free_func(g_free);
  perf->lanes = g_ptr_array_new_with_free_func(free_lane);
  perf->sink = detail != LAC_PERF_OFF ? lac_sink_new(perf, lac_perf_get_name) : NULL;
  return perf;
}

void
lac_perf_free(LacPerf *perf)
{
  if (perf == NULL)
    return;
  g_ptr_array_unref(perf->lanes);
  lac_sink_free(perf->sink);
  g_hash_table_unref(perf->ids);
  g_ptr_array_unref(perf->names);
  pthread_mutex_destroy(&perf->lock);
  g_free(perf);
}

LacPerfDetail
lac_perf_get_detail(const LacPerf *perf)
{
  g_return_val_if_fail(perf != NULL, LAC_PERF_OFF);
  return perf->detail;
}

guint32
lac_perf_name(LacPerf *perf, const char *name)
{
  g_return_val_if_fail(perf != NULL && name != NULL, 0);
  pthread_mutex_lock(&perf->lock);
  guint32 id = GPOINTER_TO_UINT(g_hash_table_lookup(perf->ids, name));
  if (id == 0) {
    char *owned = g_strdup(name);
    g_ptr_array_add(perf->names, owned);
    id = perf->names->len;
    g_hash_table_insert(perf->ids, owned, GUINT_TO_POINTER(id));
  }
  pthread_mutex_unlock(&perf->lock);
  return id - 1;
}

const char *
lac_perf_get_name(LacPerf *perf, guint32 id)
{
  g_return_val_if_fail(perf != NULL, NULL);
  pthread_mutex_lock(&perf->lock);
  const char *name = id < perf->names->len ? g_ptr_array_index(perf->names, id) : NULL;
  pthread_mutex_unlock(&perf->lock);
  g_return_val_if_fail(name != NULL, NULL);
  return name;
}

guint32
lac_perf_get_n_names(LacPerf *perf)
{
  g_return_val_if_fail(perf != NULL, 0);
  pthread_mutex_lock(&perf->lock);
  guint32 n = perf->names->len;
  pthread_mutex_unlock(&perf->lock);
  return n;
}

LacLane *
lac_perf_lane(LacPerf *perf, const char *name)
{
  g_return_val_if_fail(perf != NULL && name != NULL, NULL);
  pthread_mutex_lock(&perf->lock);
  g_assert(perf->lanes->len <= G_MAXUINT16);
  LacLane *lane = lac_lane_new(&(LacLaneSettings){
    .id = (guint16) perf->lanes->len,
    .name = name,
    .muted = perf->detail == LAC_PERF_OFF,
    .capacity = lane_records[perf->detail],
    .sink = perf->sink,
  });
  g_ptr_array_add(perf->lanes, lane);
  pthread_mutex_unlock(&perf->lock);
  return lane;
}

/* Lanes are never removed, so an index stays valid. */
static LacLane *
lane_at(LacPerf *perf, guint i)
{
  pthread_mutex_lock(&perf->lock);
  LacLane *lane = i < perf->lanes->len ? g_ptr_array_index(perf->lanes, i) : NULL;
  pthread_mutex_unlock(&perf->lock);
  return lane;
}

const char *
lac_perf_get_lane_name(LacPerf *perf, guint16 lane)
{
  g_return_val_if_fail(perf != NULL, NULL);
  LacLane *found = lane_at(perf, lane);
  g_return_val_if_fail(found != NULL, NULL);
  return lac_lane_get_name(found);
}

guint
lac_perf_get_n_lanes(LacPerf *perf)
{
  g_return_val_if_fail(perf != NULL, 0);
  pthread_mutex_lock(&perf->lock);
  guint n = perf->lanes->len;
  pthread_mutex_unlock(&perf->lock);
  return n;
}

gsize
lac_perf_drain(LacPerf *perf, LacRecordFunc func, gpointer user_data)
{
  g_return_val_if_fail(perf != NULL && func != NULL, 0);
  gsize    n = 0;
  LacLane *lane;
  for (guint i = 0; (lane = lane_at(perf, i)) != NULL; i++)
    n += lac_lane_drain(lane, func, user_data);
  return n;
}

static guint64
sum_over_lanes(LacPerf *perf, guint64 (*count)(LacLane *lane))
{
  guint64  sum = 0;
  LacLane *lane;
  for (guint i = 0; (lane = lane_at(perf, i)) != NULL; i++)
    sum += count(lane);
  return sum;
}

guint64
lac_perf_get_n_pushed(LacPerf *perf)
{
  g_return_val_if_fail(perf != NULL, 0);
  return sum_over_lanes(perf, lac_lane_get_n_pushed);
}

guint64
lac_perf_get_n_drained(LacPerf *perf)
{
  g_return_val_if_fail(perf != NULL, 0);
  return sum_over_lanes(perf, lac_lane_get_n_drained);
}

guint64
lac_perf_get_n_spilled(LacPerf *perf)
{
  g_return_val_if_fail(perf != NULL, 0);
  return sum_over_lanes(perf, lac_lane_get_n_spilled);
}
