/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refusals of the strict backend for layers over planes, waves and walkers of electrons: each operand of each kernel
 * is made invalid in every way. */
#include "contract/helpers/idle-device.h"
#include "contract/helpers/strict-calls.h"

#include <string.h>

static void
point(Call *call, const Operand *operand, gconstpointer to)
{
  memcpy((guint8 *) call + operand->offset, &to, sizeof to);
}

static guint8 *
take(const LacDevice *device, gsize n_bytes)
{
  void *memory = NULL;

  g_assert_cmpint(device->table->alloc(device->self, n_bytes, &memory), ==, LAC_STATUS_OK);
  return memory;
}

static guint8 *
take_zeros(const LacDevice *device, gsize n_bytes)
{
  g_autofree guint8 *zeros = g_malloc0(n_bytes);
  guint8            *memory = take(device, n_bytes);

  g_assert_cmpint(device->table->upload(device->self, memory, zeros, n_bytes), ==, LAC_STATUS_OK);
  return memory;
}

static void
call_open(Call *call, const LacDevice *device, const StrictKind *kind)
{
  *call = (Call){.ask = kind->ask};
  kind->set(call, device);
  for (guint i = 0; i < call->n; i++) {
    Operand *operand = &call->operands[i];

    operand->memory = take_zeros(device, operand->n_bytes);
    point(call, operand, operand->memory + operand->before);
  }
}

static void
call_close(Call *call, const LacDevice *device)
{
  for (guint i = 0; i < call->n; i++)
    device->table->release(device->self, call->operands[i].memory);
}

/* Uses @memory for one operand in a single call. */
static void
expect(Call            *call,
       const LacDevice *device,
       const Operand   *operand,
       guint8          *memory,
       LacStatus        status)
{
  point(call, operand, memory + operand->before);
  g_assert_cmpint(call->ask(device, call), ==, status);
  point(call, operand, operand->memory + operand->before);
}

/* Byte pieces are checked in words of eight. */
static void
check_unwritten(Call *call, const LacDevice *device, const Operand *operand)
{
  const gsize n_words = operand->n_bytes / operand->word, n_last = operand->word == 1 ? 16 : 1;
  guint8     *nothing = take(device, operand->n_bytes);
  g_autofree guint8 *zeros = g_malloc0(operand->n_bytes);

  if (operand->may_look_unwritten || !(operand->use & IN)) {
    expect(call, device, operand, nothing, LAC_STATUS_OK);
  } else {
    expect(call, device, operand, nothing, LAC_STATUS_UNWRITTEN);
    g_assert_cmpint(
      device->table->upload(device->self, nothing, zeros, (n_words - n_last) * operand->word), ==,
      LAC_STATUS_OK);
    expect(call, device, operand, nothing, LAC_STATUS_UNWRITTEN);
  }
  device->table->release(device->self, nothing);
}

static void
check_beyond(Call *call, const LacDevice *device, const Operand *operand)
{
  g_autofree guint8 *host = g_malloc0(operand->n_bytes);
  guint8            *shorter = take_zeros(device, operand->n_bytes - 1);

  expect(call, device, operand, host, LAC_STATUS_BAD_POINTER);
  expect(call, device, operand, shorter, LAC_STATUS_BAD_POINTER);
  expect(call, device, operand, operand->memory + operand->word, LAC_STATUS_BAD_POINTER);
  device->table->release(device->self, shorter);
}

/* One operand's last element is the other's first: refused if either is written. */
static void
check_overlap(Call *call, const LacDevice *device, const Operand *one, const Operand *other)
{
  const gsize before = (one->n_bytes - one->word) / 8 * 8;
  guint8     *both = take_zeros(device, one->n_bytes + other->n_bytes + 8);

  point(call, one, both + one->before);
  expect(call, device, other, both + before,
         (one->use | other->use) & OUT ? LAC_STATUS_OVERLAP : LAC_STATUS_OK);
  expect(call, device, other, both + (one->n_bytes + 7) / 8 * 8, LAC_STATUS_OK);
  point(call, one, one->memory + one->before);
  device->table->release(device->self, both);
}

static void
test_operands(gconstpointer data)
{
  LacDevice device;
  Call      call;

  idle_device_open(&device);
  call_open(&call, &device, data);
  g_assert_cmpint(call.ask(&device, &call), ==, LAC_STATUS_OK);
  for (guint i = 0; i < call.n; i++) {
    check_beyond(&call, &device, &call.operands[i]);
    check_unwritten(&call, &device, &call.operands[i]);
    for (guint k = 0; k < call.n; k++)
      if (k != i)
        check_overlap(&call, &device, &call.operands[i], &call.operands[k]);
  }
  g_assert_cmpint(call.ask(&device, &call), ==, LAC_STATUS_OK);
  call_close(&call, &device);
  lac_device_close(&device);
}

/* ---- two threads ---- */

typedef struct {
  LacDevice device;
  Call     *call;
} Other;

static gpointer
ask_beside(gpointer data)
{
  const Other *other = data;

  return GINT_TO_POINTER(other->call->ask(&other->device, other->call));
}

/* While the kernel runs in another thread: calls on its written memory, or of an exclusive kind, are refused; memory
 * that it only reads may be read, and other memory is free. */
static void
test_threads(gconstpointer data)
{
  const StrictKind *kind = data;
  LacDevice         device;
  Call              running, own;
  Other             other = {.call = &running};
  GThread          *thread;
  float            *free_memory;

  idle_device_open(&device);
  other.device = device;
  call_open(&running, &device, kind);
  call_open(&own, &device, kind);
  free_memory = (float *) take(&device, 64);
  idle_device_hold();
  thread = g_thread_new("beside", ask_beside, &other);
  idle_device_wait();
  for (guint i = 0; i < running.n; i++)
    if (running.operands[i].n_bytes >= sizeof *free_memory)
      g_assert_cmpint(device.table->fill(device.self, LAC_F32, running.operands[i].memory, 0, 1),
                      ==, LAC_STATUS_OVERLAP);
  g_assert_cmpint(device.table->fill(device.self, LAC_F32, free_memory, 0, 16), ==, LAC_STATUS_OK);
  g_assert_cmpint(own.ask(&device, &own), ==, LAC_STATUS_OVERLAP);
  idle_device_let_go();
  g_assert_cmpint(GPOINTER_TO_INT(g_thread_join(thread)), ==, LAC_STATUS_OK);
  g_assert_cmpint(own.ask(&device, &own), ==, LAC_STATUS_OK);
  device.table->release(device.self, free_memory);
  call_close(&running, &device);
  call_close(&own, &device);
  lac_device_close(&device);
}

/* Recorded with its arguments, checked on replay. */
static void
test_recorded(gconstpointer data)
{
  const StrictKind *kind = data;
  LacDevice         device;
  Call              call;
  void             *recording = NULL;

  idle_device_open(&device);
  call_open(&call, &device, data);
  g_assert_cmpint(device.table->record_begin(device.self), ==, LAC_STATUS_OK);
  g_assert_cmpint(call.ask(&device, &call), ==, kind->waits ? LAC_STATUS_RECORDING : LAC_STATUS_OK);
  g_assert_cmpint(device.table->record_end(device.self, &recording), ==, LAC_STATUS_OK);
  g_assert_cmpint(device.table->replay(device.self, recording), ==, LAC_STATUS_OK);
  call_close(&call, &device);
  g_assert_cmpint(device.table->replay(device.self, recording), ==,
                  kind->waits ? LAC_STATUS_OK : LAC_STATUS_BAD_POINTER);
  device.table->recording_free(device.self, recording);
  lac_device_close(&device);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  for (const StrictKind *kind = strict_kinds; kind->name; kind++) {
    g_autofree char *operands =
      g_strdup_printf("/strict/%s/each-operand-wrong-in-each-way-is-refused", kind->name);
    g_autofree char *threads = g_strdup_printf("/strict/%s/two-threads-are-refused", kind->name);
    g_autofree char *recorded =
      g_strdup_printf("/strict/%s/recorded-is-checked-at-the-replay", kind->name);

    g_test_add_data_func(operands, kind, test_operands);
    g_test_add_data_func(threads, kind, test_threads);
    g_test_add_data_func(recorded, kind, test_recorded);
  }
  return g_test_run();
}
