/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GSource whose prepare and check look at one atomic flag: no file descriptor, no allocation a wake. */
#include "app/wake-source.h"

#include <gdk/gdk.h>

#include <stdatomic.h>

#define PRIORITY (GDK_PRIORITY_REDRAW + 20)

struct _LacWakeSource {
  GSource    source;
  atomic_int armed; /* 1: something is there, or a wake is on its way */
};

static gboolean
prepare(GSource *source, int *timeout)
{
  *timeout = -1;
  return atomic_load_explicit(&((LacWakeSource *) source)->armed, memory_order_acquire) != 0;
}

static gboolean
check(GSource *source)
{
  return atomic_load_explicit(&((LacWakeSource *) source)->armed, memory_order_acquire) != 0;
}

/* Disarm first, then drain: the other order loses wakes. */
static gboolean
dispatch(GSource *source, GSourceFunc callback, gpointer user_data)
{
  atomic_exchange_explicit(&((LacWakeSource *) source)->armed, 0, memory_order_acq_rel);
  callback(user_data);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs functions = {prepare, check, dispatch, NULL, NULL, NULL};

LacWakeSource *
lac_wake_source_new(GSourceFunc callback, gpointer user_data)
{
  GSource       *source = g_source_new(&functions, sizeof(LacWakeSource));
  LacWakeSource *self = (LacWakeSource *) source;
  atomic_init(&self->armed, 0);
  g_source_set_priority(source, PRIORITY);
  g_source_set_static_name(source, "lacuna run");
  g_source_set_callback(source, callback, user_data, NULL);
  g_source_attach(source, NULL);
  return self;
}

void
lac_wake_source_wake(gpointer user_data)
{
  LacWakeSource *self = user_data;
  if (atomic_exchange_explicit(&self->armed, 1, memory_order_acq_rel) == 0)
    g_main_context_wakeup(NULL);
}

void
lac_wake_source_free(LacWakeSource *self)
{
  g_source_destroy(&self->source);
  g_source_unref(&self->source);
}
