/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames are read back during the computation: unchanged since they were put, and nothing waits for them. */
#include "emulated.h"

#include <string.h>

#define N 3000

typedef struct {
  LacDevice device;
  void     *memory, *staging;
  float     host[N];
} Bed;

static gboolean
set_up(Bed *bed, gboolean (*open)(LacDevice *device))
{
  memset(bed, 0, sizeof *bed);
  if (!open(&bed->device))
    return FALSE;
  g_assert_cmpint(bed->device.table->alloc(bed->device.self, sizeof bed->host, &bed->memory), ==,
                  LAC_STATUS_OK);
  g_assert_cmpint(
    bed->device.table->staging_new(bed->device.self, 2 * sizeof bed->host, &bed->staging), ==,
    LAC_STATUS_OK);
  return TRUE;
}

static void
clear(Bed *bed)
{
  bed->device.table->staging_free(bed->device.self, bed->staging);
  bed->device.table->release(bed->device.self, bed->memory);
  lac_device_close(&bed->device);
}

static void
fill(const Bed *bed, double value)
{
  g_assert_cmpint(bed->device.table->fill(bed->device.self, LAC_F32, bed->memory, value, N), ==,
                  LAC_STATUS_OK);
}

static void
put(const Bed *bed, gsize at)
{
  g_assert_cmpint(bed->device.table->staging_put(bed->device.self, bed->staging, at, bed->memory,
                                                 sizeof bed->host),
                  ==, LAC_STATUS_OK);
}

static void
send_it(const Bed *bed)
{
  g_assert_cmpint(bed->device.table->staging_send(bed->device.self, bed->staging), ==,
                  LAC_STATUS_OK);
}

static void
assert_holds(const Bed *bed, const float *host, float first, float second)
{
  g_assert_nonnull(host);
  for (gsize i = 0; i < N; i++) {
    g_assert_cmpfloat(host[i], ==, first);
    g_assert_cmpfloat(host[N + i], ==, second);
  }
}

static void
it_holds_what_was_put_in(gconstpointer order)
{
  Bed         bed;
  const void *host;

  if (!set_up(&bed, emulated_open))
    return;
  emulated_set_order((EmulatedOrder) GPOINTER_TO_UINT(order), 3);
  for (int round = 0; round < 3; round++) {
    fill(&bed, round + 1);
    put(&bed, 0);
    fill(&bed, round + 2);
    put(&bed, sizeof bed.host);
    send_it(&bed);
    fill(&bed, -1); /* the next step overwrites it */
    g_assert_cmpint(bed.device.table->staging_open(bed.device.self, bed.staging, 1, &host), ==,
                    LAC_STATUS_OK);
    assert_holds(&bed, host, (float) (round + 1), (float) (round + 2));
  }
  clear(&bed);
}

/* Repeated polling eventually returns the data, while later steps have not been executed. */
static void
nothing_waits_for_it(void)
{
  EmulatedCounts before, after;
  Bed            bed;
  const void    *host = NULL;
  guint          n_asked = 0;

  if (!set_up(&bed, emulated_open_counted))
    return;
  emulated_set_order(EMULATED_FORWARD, 0);
  fill(&bed, 1);
  put(&bed, 0);
  put(&bed, sizeof bed.host);
  before = emulated_get_counts();
  send_it(&bed);
  for (int step = 0; step < 5; step++)
    fill(&bed, 2);
  while (!host) {
    g_assert_cmpuint(n_asked++, <, 100);
    g_assert_cmpint(bed.device.table->staging_open(bed.device.self, bed.staging, 0, &host), ==,
                    LAC_STATUS_OK);
  }
  after = emulated_get_counts();
  g_assert_cmpuint(n_asked, >, 1);
  assert_holds(&bed, host, 1, 1);
  g_assert_cmpuint(after.waits, ==, before.waits);
  g_assert_cmpuint(after.drains, ==, before.drains);
  g_assert_cmpuint(after.allocations, ==, before.allocations);
  clear(&bed);
}

static void
more_than_it_holds_is_refused(void)
{
  Bed bed;

  if (!set_up(&bed, emulated_open))
    return;
  g_assert_cmpint(bed.device.table->staging_put(bed.device.self, bed.staging, sizeof bed.host + 1,
                                                bed.memory, sizeof bed.host),
                  ==, LAC_STATUS_BAD_POINTER);
  clear(&bed);
}

/* The next put does not overwrite data in flight. */
static void
it_is_sent_before_it_is_filled_anew(void)
{
  Bed         bed;
  const void *host;

  if (!set_up(&bed, emulated_open))
    return;
  emulated_set_order(EMULATED_FORWARD, 0);
  fill(&bed, 1);
  put(&bed, 0);
  put(&bed, sizeof bed.host);
  send_it(&bed);
  fill(&bed, 2);
  put(&bed, 0);
  g_assert_cmpint(bed.device.table->synchronise(bed.device.self), ==, LAC_STATUS_OK);
  g_assert_cmpint(bed.device.table->staging_open(bed.device.self, bed.staging, 1, &host), ==,
                  LAC_STATUS_OK);
  assert_holds(&bed, host, 1, 1);
  clear(&bed);
}

/* The device fills the next part while the host copies one: it is idle only after the last. */
static void
downloads_do_not_wait_for_each_part(void)
{
  enum { N_LARGE = 5 << 20 };
  g_autofree float *host = g_new(float, N_LARGE);
  EmulatedCounts    before, after;
  LacDevice         device;
  void             *memory;

  if (!emulated_open_counted(&device))
    return;
  emulated_set_order(EMULATED_FORWARD, 0);
  g_assert_cmpint(device.table->alloc(device.self, N_LARGE * sizeof *host, &memory), ==,
                  LAC_STATUS_OK);
  for (gsize i = 0; i < N_LARGE; i++)
    host[i] = (float) i;
  g_assert_cmpint(device.table->upload(device.self, memory, host, N_LARGE * sizeof *host), ==,
                  LAC_STATUS_OK);
  memset(host, 0, N_LARGE * sizeof *host);
  g_assert_cmpint(device.table->synchronise(device.self), ==, LAC_STATUS_OK);
  before = emulated_get_counts();
  g_assert_cmpint(device.table->download(device.self, host, memory, N_LARGE * sizeof *host), ==,
                  LAC_STATUS_OK);
  after = emulated_get_counts();
  for (gsize i = 0; i < N_LARGE; i++)
    g_assert_cmpfloat(host[i], ==, (float) i);
  g_assert_cmpuint(after.waits - before.waits, >, 4);
  g_assert_cmpuint(after.drains - before.drains, ==, 1);
  device.table->release(device.self, memory);
  lac_device_close(&device);
}

/* Uploads use the parts of the stage in turn: the second does not wait for the first. */
static void
uploads_do_not_wait_for_each_other(void)
{
  EmulatedCounts before, after;
  Bed            bed;

  if (!set_up(&bed, emulated_open_counted))
    return;
  emulated_set_order(EMULATED_FORWARD, 0);
  before = emulated_get_counts();
  for (int i = 0; i < 8; i++)
    g_assert_cmpint(
      bed.device.table->upload(bed.device.self, bed.memory, bed.host, sizeof bed.host), ==,
      LAC_STATUS_OK);
  after = emulated_get_counts();
  g_assert_cmpuint(after.waits, ==, before.waits);
  clear(&bed);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  for (guint order = EMULATED_FORWARD; order <= EMULATED_RANDOM; order++) {
    g_autofree char *name = g_strdup_printf("/cuda/staging/holds-what-was-put-in/%u", order);

    g_test_add_data_func(name, GUINT_TO_POINTER(order), it_holds_what_was_put_in);
  }
  g_test_add_func("/cuda/staging/nothing-waits-for-it", nothing_waits_for_it);
  g_test_add_func("/cuda/staging/more-than-it-holds-is-refused", more_than_it_holds_is_refused);
  g_test_add_func("/cuda/staging/is-sent-before-it-is-filled-anew",
                  it_is_sent_before_it_is_filled_anew);
  g_test_add_func("/cuda/staging/downloads-do-not-wait-for-each-part",
                  downloads_do_not_wait_for_each_part);
  g_test_add_func("/cuda/staging/uploads-do-not-wait-for-each-other",
                  uploads_do_not_wait_for_each_other);
  return g_test_run();
}
