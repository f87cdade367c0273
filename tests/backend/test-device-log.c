/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log of a device: every copy is a span with its bytes and its step, every wait a span with the times of the steps that
 * were waited for; and nothing of that without a device or a recording. */
#include "emulated.h"

#include "backend/device-log.h"
#include "backend/readback.h"
#include "backend/recorded-step.h"
#include "backend/strict/strict.h"
#include "perf/recorder/gauges.h"

#include <string.h>

#define N       50
#define N_BYTES (N * sizeof(double))

/* Letters of the records of the lane in the order in which they began: u, d, w for upload, download and wait; a for an
 * operation of the device, which is reported within a wait. */
typedef struct {
  LacPerf *perf;
  GArray  *records; /* LacRecord */
  gint64   step;
} Found;

static char
letter_of(const char *name)
{
  static const char *const names[] = {LAC_SPAN_UPLOAD, LAC_SPAN_DOWNLOAD, LAC_SPAN_DEVICE_WAIT,
                                      "add"};

  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    if (g_str_equal(name, names[i]))
      return "udwa"[i];
  return '?';
}

static void
look(const LacRecord *records, gsize n, gpointer user_data)
{
  Found *found = user_data;

  for (gsize i = 0; i < n; i++)
    if (g_str_equal(lac_perf_get_lane_name(found->perf, records[i].lane), "compute") &&
        letter_of(lac_perf_get_name(found->perf, records[i].name)) != '?')
      g_array_append_val(found->records, records[i]);
}

static gint
compare_starts(gconstpointer a, gconstpointer b)
{
  const gint64 one = ((const LacRecord *) a)->start_ns, other = ((const LacRecord *) b)->start_ns;

  return (one > other) - (one < other);
}

/* Checks what was recorded since the last call. */
static void
assert_found(Found *found, const char *letters, double bytes)
{
  double sum = 0;

  g_array_set_size(found->records, 0);
  lac_perf_drain(found->perf, look, found);
  g_array_sort(found->records, compare_starts);
  g_assert_cmpuint(found->records->len, ==, strlen(letters));
  for (guint i = 0; i < found->records->len; i++) {
    const LacRecord *record = &g_array_index(found->records, LacRecord, i);

    g_assert_cmpint(letter_of(lac_perf_get_name(found->perf, record->name)), ==, letters[i]);
    g_assert_cmpint(record->step, ==, found->step);
    sum += letters[i] == 'u' || letters[i] == 'd' ? record->bytes : 0;
  }
  g_assert_cmpfloat(sum, ==, bytes);
}

typedef struct {
  LacDevice        device;
  double          *numbers; /* on the device */
  LacRecordedStep *step;
  guint32          name;
} Bed;

/* y <- x + y, of the same numbers */
static LacStatus
enqueue(gpointer user_data)
{
  const Bed               *bed = user_data;
  const LacDeviceOperation operation = {bed->name, N, 0, -1};
  const LacStrided         add = {.type = LAC_F64,
                                  .n_rows = 1,
                                  .n_columns = N,
                                  .alpha = 1,
                                  .beta = 1,
                                  .x = bed->numbers,
                                  .y = bed->numbers + N};

  lac_device_times_mark(lac_recorded_step_get_times(bed->step), &operation);
  return bed->device.table->strided(bed->device.self, &add);
}

static void
init(Bed *bed, LacDevice device, LacPerf *perf)
{
  const LacRecordedStepSettings settings = {.device = device,
                                            .enqueue = enqueue,
                                            .user_data = bed,
                                            .perf = perf,
                                            .lane = lac_perf_lane(perf, "compute")};
  double                        host[2 * N] = {0};
  void                         *memory = NULL;

  for (gsize i = 0; i < 2 * N; i++)
    host[i] = i < N ? 1 : 0;
  *bed = (Bed){.device = device, .name = lac_perf_name(perf, "add")};
  g_assert_cmpint(device.table->alloc(device.self, sizeof host, &memory), ==, LAC_STATUS_OK);
  bed->numbers = memory;
  g_assert_cmpint(lac_device_upload(device, memory, host, sizeof host), ==, LAC_STATUS_OK);
  bed->step = lac_recorded_step_new(&settings);
}

static void
walk(Bed *bed, guint n)
{
  for (guint i = 0; i < n; i++)
    g_assert_cmpint(lac_recorded_step_run(bed->step, 7), ==, LAC_STATUS_OK);
}

static void
assert_sums(const Bed *bed, double sum)
{
  double host[N];

  g_assert_cmpint(lac_device_download(bed->device, host, bed->numbers + N, N_BYTES), ==,
                  LAC_STATUS_OK);
  for (gsize i = 0; i < N; i++)
    g_assert_cmpfloat(host[i], ==, sum);
}

static void
clear(Bed *bed)
{
  lac_recorded_step_free(bed->step);
  bed->device.table->release(bed->device.self, bed->numbers);
}

static void
test_records(void)
{
  g_autoptr(LacPerf) perf = lac_perf_new(LAC_PERF_FULL);
  g_autoptr(GArray)  records = g_array_new(FALSE, FALSE, sizeof(LacRecord));
  Found              found = {perf, records, -1};
  LacDevice          device;
  Bed                bed;

  if (!emulated_open(&device))
    return;
  lac_device_log_open(&device, perf, lac_perf_lane(perf, "compute"));
  g_assert_nonnull(device.log);
  init(&bed, device, perf);
  assert_found(&found, "u", 2 * N_BYTES);
  found.step = 7;
  lac_device_log_set_step(device.log, 7);
  walk(&bed, 2);
  assert_sums(&bed, 2);
  assert_found(&found, "wad", N_BYTES);

  /* a readback waits too, and copies beside the host */
  g_autoptr(LacReadback) readback = lac_readback_new(device, N_BYTES, 1);
  const void            *host = NULL;
  LacPending             pending;

  walk(&bed, 1);
  g_assert_cmpint(lac_readback_put(readback, 0, bed.numbers + N, N_BYTES), ==, LAC_STATUS_OK);
  g_assert_cmpint(lac_readback_send(readback, &pending), ==, LAC_STATUS_OK);
  g_assert_true(lac_pending_finish(&pending, &host, NULL));
  g_assert_cmpfloat(((const double *) host)[N - 1], ==, 3);
  assert_found(&found, "wa", 0);

  /* a step that is gone is not asked for its times */
  clear(&bed);
  init(&bed, device, perf);
  assert_sums(&bed, 0);
  assert_found(&found, "uwd", 3 * N_BYTES);
  clear(&bed);
  g_clear_pointer(&readback, lac_readback_free);
  lac_device_close(&device);
}

/* A processor is not waited for, and a run without records has none of its device; copies are the same. */
static void
test_without(void)
{
  static const char *const   names[] = {"cpu", "strict"};
  static const LacPerfDetail details[] = {LAC_PERF_FULL, LAC_PERF_OFF};

  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    g_autoptr(LacPerf) perf = lac_perf_new(details[i]);
    g_autoptr(GArray)  records = g_array_new(FALSE, FALSE, sizeof(LacRecord));
    Found              found = {perf, records, -1};
    LacDevice          device;
    Bed                bed;

    g_assert_true(lac_device_open(&device, names[i], NULL));
    lac_device_log_open(&device, perf, lac_perf_lane(perf, "compute"));
    g_assert_null(device.log);
    init(&bed, device, perf);
    walk(&bed, 4);
    assert_sums(&bed, 4);
    assert_found(&found, "", 0);
    clear(&bed);
    lac_device_close(&device);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/device-log/copies-and-waits-are-spans", test_records);
  g_test_add_func("/device-log/a-processor-has-none", test_without);
  return g_test_run();
}
