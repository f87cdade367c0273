/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phases, writes, counters and the overhead of recording. Reading memory takes microseconds: all readings together
 * have a share of the time, divided among their kinds, so that short steps are measured occasionally and long ones
 * always. */
#include "run/core/recorder.h"

#include "backend/fft.h"
#include "base/clock.h"
#include "perf/recorder/heap.h"
#include "perf/recorder/record-store.h"
#include "perf/trace/trace.h"
#include "run/machine/machine.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define MS G_GINT64_CONSTANT(1000000)

/* Fraction of the time for all readings, by detail. Coarse recording stays below 0.3 % in total, full below 2 %. */
static const double shares[] =
  {[LAC_PERF_OFF] = 0, [LAC_PERF_COARSE] = 0.0003, [LAC_PERF_FULL] = 0.006};
enum { N_RATIONS = 6 }; /* number of LacTimeBudget in a LacRunRecorder, without that of the heap */
#define HEAP_SHARE \
  10 /* times the share of the others: a hundred microseconds each, for leaks of few bytes a step */
#define FIRST_COST_NS (MS / 5)
#define GAUGES_NS     (50 * MS) /* minimum interval over which utilisation is averaged */

static gboolean
is_due(const LacTimeBudget *time_budget, gint64 now_ns)
{
  return now_ns >= time_budget->next_ns;
}

/* Updates the assumed cost: it falls at once and rises by doubling, from FIRST_COST_NS at most: one interrupted reading
 * does not prove a high cost, while many slow ones do. */
static void
spend(LacTimeBudget *time_budget, double share, gint64 begin_ns, gint64 end_ns)
{
  const gint64 took_ns = MAX(end_ns - begin_ns, 1);

  time_budget->cost_ns =
    MIN(took_ns, time_budget->cost_ns > 0 ? 2 * time_budget->cost_ns : FIRST_COST_NS);
  time_budget->next_ns = end_ns + (gint64) ((double) time_budget->cost_ns / share);
}

/* Records the recorder's own work. */
static void
push_own(LacRunRecorder *recorder, guint32 name, gint64 begin_ns, gint64 end_ns)
{
  lac_lane_push(recorder->profiler, (LacRecord){
                                      .start_ns = begin_ns,
                                      .duration_ns = end_ns - begin_ns,
                                      .step = recorder->progress->step,
                                      .count = 1,
                                      .memory = -1,
                                      .name = name,
                                      .kind = LAC_RECORD_SPAN,
                                    });
}

static void
push_counter_of(LacRunRecorder *recorder, gint64 step, guint32 name, gint64 now_ns, double value)
{
  lac_lane_push(recorder->compute, (LacRecord){
                                     .start_ns = now_ns,
                                     .step = step,
                                     .count = 1,
                                     .value = value,
                                     .memory = -1,
                                     .name = name,
                                     .kind = LAC_RECORD_COUNTER,
                                   });
}

static void
push_counter(LacRunRecorder *recorder, guint32 name, gint64 now_ns, double value)
{
  push_counter_of(recorder, recorder->progress->step, name, now_ns, value);
}

/* ---- beginning and end ---- */

static void
intern_names(LacRunRecorder *recorder, const LacOutline *outline)
{
  LacRunNames *names = &recorder->names;
  const struct {
    guint32    *id;
    const char *name;
  } rows[] = {
    {&names->setup, N_("set-up")},
    {&names->create, N_("create the experiment")},
    {&names->restore, N_("restore a checkpoint")},
    {&names->frames, N_("prepare frames")},
    {&names->planning, N_("plan Fourier transforms")},
    {&names->plans, N_("keep FFT plans")},
    {&names->readings, N_("keep readings")},
    {&names->step, N_("step")},
    {&names->snapshot, N_("snapshot")},
    {&names->checkpoint, N_("checkpoint")},
    {&names->journal, N_("journal")},
    {&names->write_frame, LAC_SPAN_FRAME},
    {&names->write_checkpoint, "write a checkpoint"},
    {&names->write_journal, "write the journal"},
    {&names->drain, "collect records"},
    {&names->read_memory, "read memory"},
    {&names->sample, "sample counters"},
    {&names->draw, "draw"},
    {&names->upload, "upload"},
    {&names->stall, "stall"},
    {&names->stop, "command: stop"},
    {&names->resumed, "resumed from a checkpoint"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
    *rows[i].id = lac_perf_name(recorder->perf, rows[i].name);
  for (gsize i = 0; i < LAC_N_GAUGES; i++)
    recorder->gauge_names[i] = lac_perf_name(recorder->perf, lac_gauge_name((LacGauge) i));
  recorder->metric_names = g_new(guint32, outline->n_metrics + 1);
  for (gsize i = 0; i < outline->n_metrics; i++)
    recorder->metric_names[i] = lac_perf_name(recorder->perf, outline->metrics[i].key);
}

static void
begin_gauges(LacRunRecorder *recorder)
{
  lac_fft_get_plan_counts(&recorder->plans_known, &recorder->plans_measured);
  if (recorder->cache != NULL)
    lac_content_cache_get_counts(recorder->cache, &recorder->cache_asked, &recorder->cache_found);
  recorder->n_processors = lac_pool_available(); /* takes tens of microseconds */
  recorder->last_rates[0] = recorder->last_rates[1] = -1;
  recorder->gauges_ns = lac_clock_ns();
  recorder->gauges_cpu_ns = lac_clock_cpu_ns();
}

static void
push_peak(LacRunRecorder *recorder, const char *name, double value)
{
  push_counter(recorder, lac_perf_name(recorder->perf, name), lac_clock_ns(), value);
}

static void
record_processor(LacRunRecorder *recorder, const LacPeak *peak)
{
  static const char *const caches[LAC_N_PEAK_CACHES] = LAC_COUNTERS_PEAK_CACHES;

  for (gsize i = 0; i < LAC_N_PEAK_CACHES; i++)
    push_peak(recorder, caches[i], peak->caches[i]);
  push_peak(recorder, LAC_COUNTER_PEAK_FLOPS, peak->flops);
  push_peak(recorder, LAC_COUNTER_PEAK_BYTES, peak->bytes);
}

/* Records the peak of the GPU of the run, or that of a thread of the processor. */
static void
record_peak(LacRunRecorder *recorder, const LacRunComputer *computer, LacRunMemory *memory)
{
  const LacType type = g_str_equal(computer->precision, "f64") ? LAC_F64 : LAC_F32;

  if (recorder->share <= 0)
    return;
  if (computer->part != NULL && computer->part->device.bandwidth > 0) {
    const double link = lac_device_load_find_link(recorder->load);

    if (link > 0)
      push_peak(recorder, LAC_COUNTER_GPU_LINK, link);
    push_peak(recorder, LAC_COUNTER_GPU_FLOPS, computer->part->device.flops[type]);
    push_peak(recorder, LAC_COUNTER_GPU_BYTES, computer->part->device.bandwidth);
  } else if (memory != NULL && g_str_equal(computer->device.table->name, "cpu")) {
    const LacPeak peak =
      lac_machine_peak(&memory->memory, type, lac_pool_get_n_threads(computer->pool));
    record_processor(recorder, &peak);
  }
}

void
lac_run_recorder_init(LacRunRecorder       *recorder,
                      LacPerfDetail         detail,
                      const LacRunProgress *progress,
                      const LacRunRows     *rows)
{
  pthread_mutex_init(&recorder->window_lock, NULL);
  recorder->perf = lac_perf_new(detail);
  recorder->progress = progress;
  recorder->rows = rows;
}

void
lac_run_recorder_begin(LacRunRecorder       *recorder,
                       const LacRunComputer *computer,
                       LacRunMemory         *memory,
                       const LacOutline     *outline)
{
  LacPerf            *perf = recorder->perf;
  const LacPerfDetail detail = lac_perf_get_detail(perf);

  recorder->cache = memory != NULL ? memory->cache : NULL;
  recorder->compute = lac_perf_lane(perf, LAC_LANE_COMPUTE);
  recorder->io = lac_perf_lane(perf, "I/O");
  recorder->profiler = lac_perf_lane(perf, "profiler");
  recorder->has_probe = lac_device_memory_probe(&computer->device, &recorder->probe);
  if (detail != LAC_PERF_OFF)
    recorder->load = lac_device_load_new(&computer->device);
  recorder->share = shares[detail] / N_RATIONS;
  intern_names(recorder, outline);
  record_peak(recorder, computer, memory);
  begin_gauges(recorder);
  pthread_mutex_lock(&recorder->window_lock);
  recorder->window = lac_perf_lane(perf, "window");
  recorder->main_loop = lac_perf_lane(perf, "main loop");
  recorder->window_open = detail != LAC_PERF_OFF;
  pthread_mutex_unlock(&recorder->window_lock);
}

/* Drops the device's counters. */
void
lac_run_recorder_leave_device(LacRunRecorder *recorder)
{
  recorder->has_probe = FALSE;
  g_clear_pointer(&recorder->load, lac_device_load_free);
}

/* Closes the recorder; the next drain is the last. */
void
lac_run_recorder_end(LacRunRecorder *recorder)
{
  pthread_mutex_lock(&recorder->window_lock);
  recorder->window_open = FALSE;
  pthread_mutex_unlock(&recorder->window_lock);
}

void
lac_run_recorder_clear(LacRunRecorder *recorder)
{
  lac_device_load_free(recorder->load);
  g_free(recorder->metric_names);
  lac_perf_free(recorder->perf);
  pthread_mutex_destroy(&recorder->window_lock);
}

/* ---- phases ---- */

static const LacMemoryProbe *
get_probe(const LacRunRecorder *recorder)
{
  return recorder->has_probe ? &recorder->probe : NULL;
}

void
lac_run_phase_begin(LacRunRecorder *recorder,
                    LacRunPhase    *phase,
                    guint32         name,
                    LacTimeBudget  *time_budget)
{
  gint64 begin_ns;

  *phase = (LacRunPhase){.time_budget = time_budget};
  if (recorder->share <= 0)
    return;
  begin_ns = lac_clock_ns();
  phase->has_memory = time_budget == NULL || is_due(time_budget, begin_ns);
  if (!phase->has_memory) {
    phase->span.span = lac_span_begin(recorder->compute, name);
    return;
  }
  if (time_budget == NULL)
    lac_memory_span_begin(&phase->span, recorder->compute, name, get_probe(recorder));
  else
    lac_memory_span_begin_light(&phase->span, recorder->compute, name, get_probe(recorder));
  if (time_budget != NULL) /* the spans within the phase, too */
    lac_lane_read_memory(recorder->compute, TRUE);
  push_own(recorder, recorder->names.read_memory, begin_ns, phase->span.span.start_ns);
}

void
lac_run_phase_end(LacRunRecorder *recorder, LacRunPhase *phase, gint64 step)
{
  if (recorder->share <= 0)
    return;
  if (!phase->has_memory) {
    lac_span_end(recorder->compute, phase->span.span, step);
    return;
  }
  const gint64 within_ns = lac_lane_read_memory(recorder->compute, FALSE);
  const gint64 begin_ns = lac_clock_ns();
  lac_memory_span_end(&phase->span, recorder->compute, step);
  const gint64 end_ns = lac_clock_ns();
  push_own(recorder, recorder->names.read_memory, begin_ns, end_ns);
  if (phase->time_budget != NULL)
    spend(phase->time_budget, recorder->share, begin_ns - (end_ns - begin_ns) - within_ns,
          end_ns); /* two readings, and those within */
}

LacSpan
lac_run_write_begin(LacRunRecorder *recorder, guint32 name)
{
  return lac_span_begin(recorder->io, name);
}

void
lac_run_write_end(LacRunRecorder *recorder, LacSpan span, guint64 n_bytes)
{
  span.bytes = (double) n_bytes;
  lac_span_end(recorder->io, span, recorder->progress->step);
}

/* ---- counters ---- */

static void
push_gauge(LacRunRecorder *recorder, LacGauge gauge, gint64 now_ns, double value)
{
  if (isfinite(value))
    push_counter(recorder, recorder->gauge_names[gauge], now_ns, value);
}

/* Records a hit rate if it has changed, which is rare. */
static void
push_rate(LacRunRecorder *recorder, LacGauge gauge, gint64 now_ns, guint64 n_hits, guint64 n_asked)
{
  double *last = &recorder->last_rates[gauge == LAC_GAUGE_CACHE_HITS ? 0 : 1];
  double  rate = n_asked > 0 ? (double) n_hits / (double) n_asked : (double) NAN;

  if (isnan(rate) || rate == *last)
    return;
  *last = rate;
  push_gauge(recorder, gauge, now_ns, rate);
}

static void
push_caches(LacRunRecorder *recorder, gint64 now_ns)
{
  guint64 asked = 0, found = 0, known, measured;

  if (recorder->cache != NULL)
    lac_content_cache_get_counts(recorder->cache, &asked, &found);
  push_rate(recorder, LAC_GAUGE_CACHE_HITS, now_ns, found - recorder->cache_found,
            asked - recorder->cache_asked);
  lac_fft_get_plan_counts(&known, &measured);
  known -= recorder->plans_known;
  measured -= recorder->plans_measured;
  push_rate(recorder, LAC_GAUGE_PLAN_HITS, now_ns, known, known + measured);
}

/* Records what the buffers of the process hold, where it has changed, which is rare. */
static void
push_memory_parts(LacRunRecorder *recorder, gint64 now_ns)
{
  for (guint i = 0; i < LAC_N_MEMORY_PARTS; i++) {
    const gsize n_bytes = lac_memory_part_get_bytes((LacMemoryPart) i);

    if (n_bytes != recorder->last_parts[i])
      push_gauge(recorder, lac_gauge_of_memory((LacMemoryPart) i), now_ns, (double) n_bytes);
    recorder->last_parts[i] = n_bytes;
  }
}

void
lac_run_recorder_end_setup(LacRunRecorder *recorder)
{
  const gint64 now_ns = lac_clock_ns();

  if (recorder->share <= 0)
    return;
  push_caches(recorder, now_ns);
  push_memory_parts(recorder, now_ns);
}

static void
push_gauges(LacRunRecorder *recorder, gint64 now_ns)
{
  const gint64 cpu_ns = lac_clock_cpu_ns();
  const double wall = (double) (now_ns - recorder->gauges_ns);

  push_gauge(recorder, LAC_GAUGE_CPU_UTILISATION, now_ns,
             (double) (cpu_ns - recorder->gauges_cpu_ns) / wall / recorder->n_processors);
  push_gauge(recorder, LAC_GAUGE_GPU_UTILISATION, now_ns, lac_device_load_read(recorder->load));
  if (recorder->samples > 0)
    push_gauge(recorder, LAC_GAUGE_SAMPLES, now_ns, recorder->samples / (wall * 1e-9));
  push_caches(recorder, now_ns);
  push_memory_parts(recorder, now_ns);
  recorder->gauges_ns = now_ns;
  recorder->gauges_cpu_ns = cpu_ns;
  recorder->samples = 0;
}

gboolean
lac_run_recorder_read_memory(LacRunRecorder *recorder, LacDeviceMemory *memory)
{
  if (!recorder->has_probe)
    return FALSE;
  recorder->probe.read(memory, recorder->probe.user_data);
  recorder->device_peak =
    MAX(recorder->device_peak, memory->peak); /* phases reset the device's own peak */
  memory->peak = recorder->device_peak;
  return TRUE;
}

static void
push_memory(LacRunRecorder *recorder, gint64 now_ns)
{
  const gsize     resident = lac_heap_get_resident();
  LacDeviceMemory memory;

  if (resident > 0)
    push_gauge(recorder, LAC_GAUGE_RESIDENT, now_ns, (double) resident);
  if (lac_run_recorder_read_memory(recorder, &memory)) {
    push_gauge(recorder, LAC_GAUGE_DEVICE_MEMORY, now_ns, (double) memory.used);
    push_gauge(recorder, LAC_GAUGE_DEVICE_RESERVED, now_ns, (double) memory.reserved);
    push_gauge(recorder, LAC_GAUGE_DEVICE_PEAK, now_ns, (double) memory.peak);
  }
}

static void
push_heap(LacRunRecorder *recorder, gint64 now_ns)
{
  const gsize heap = lac_heap_in_use(), records = lac_record_store_get_all_bytes();

  if (heap > records) /* else unknown to a replaced allocator; a window keeps all records */
    push_gauge(recorder, LAC_GAUGE_HEAP, now_ns, (double) (heap - records));
}

/* Records metrics as counters for the time axis; metric rows hold every value in any case. */
static void
push_metrics(LacRunRecorder *recorder, gint64 now_ns)
{
  const LacRunRows *rows = recorder->rows;

  for (gsize m = 0; m < rows->n_metrics && rows->step > 0; m++) {
    if (isfinite(rows->newest[m]))
      push_counter_of(recorder, rows->step, recorder->metric_names[m], now_ns, rows->newest[m]);
  }
}

static void
sample(LacRunRecorder *recorder,
       LacTimeBudget  *time_budget,
       double          share,
       void (*push)(LacRunRecorder *recorder, gint64 now_ns))
{
  const gint64 begin_ns = lac_clock_ns();

  if (!is_due(time_budget, begin_ns))
    return;
  const gint64 before_ns = lac_clock_thread_ns();
  push(recorder, begin_ns);
  const gint64 took_ns = lac_clock_thread_ns() - before_ns, end_ns = lac_clock_ns();
  spend(time_budget, share, end_ns - took_ns,
        end_ns); /* other programs may have held the processor meanwhile */
  push_own(recorder, recorder->names.sample, begin_ns, end_ns);
}

void
lac_run_recorder_sample(LacRunRecorder *recorder)
{
  if (recorder->share <= 0)
    return;
  const double share = recorder->share;

  sample(recorder, &recorder->resident, share, push_memory);
  sample(recorder, &recorder->heap, HEAP_SHARE * share, push_heap);
  sample(recorder, &recorder->metrics, share, push_metrics);
  if (lac_clock_ns() >= recorder->gauges_ns + GAUGES_NS)
    sample(recorder, &recorder->gauges, share, push_gauges);
}

void
lac_run_recorder_mark(LacRunRecorder *recorder, guint32 name)
{
  lac_lane_push(recorder->compute, (LacRecord){
                                     .start_ns = lac_clock_ns(),
                                     .step = recorder->progress->step,
                                     .count = 1,
                                     .memory = -1,
                                     .name = name,
                                     .kind = LAC_RECORD_MARK,
                                   });
}

/* ---- the window ---- */

static void
push_span(LacLane *lane, guint32 name, guint8 depth, gint64 begin_ns, gint64 ns)
{
  lac_lane_push(lane, (LacRecord){
                        .start_ns = begin_ns,
                        .duration_ns = ns,
                        .step = -1,
                        .count = 1,
                        .memory = -1,
                        .name = name,
                        .kind = LAC_RECORD_SPAN,
                        .depth = depth,
                      });
}

/* Uploads are spread over the panes of a picture; they are recorded as one span at its start. */
void
lac_run_recorder_draw(LacRunRecorder *recorder, gint64 begin_ns, gint64 upload_ns, gint64 end_ns)
{
  pthread_mutex_lock(&recorder->window_lock);
  if (recorder->window_open) {
    if (upload_ns > 0)
      push_span(recorder->window, recorder->names.upload, 1, begin_ns, upload_ns);
    push_span(recorder->window, recorder->names.draw, 0, begin_ns, end_ns - begin_ns);
  }
  pthread_mutex_unlock(&recorder->window_lock);
}

void
lac_run_recorder_stall(LacRunRecorder *recorder, gint64 begin_ns, gint64 end_ns)
{
  pthread_mutex_lock(&recorder->window_lock);
  if (recorder->window_open)
    push_span(recorder->main_loop, recorder->names.stall, 0, begin_ns, end_ns - begin_ns);
  pthread_mutex_unlock(&recorder->window_lock);
}
