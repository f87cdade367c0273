/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of lanes and counters, and of the span that every run on a GPU has; recordings store them in English. */
#include "report/timeline/words.h"

#include <glib/gi18n-lib.h>

static const char *const words[] = {
  N_("compute"),
  N_("profiler"),
  N_("window"),
  N_("main loop"),
  N_("resident memory"),
  N_("live heap"),
  N_("device memory"),
  N_("device memory reserved"),
  N_("device memory, most so far"),
  N_("CPU utilisation"),
  N_("GPU utilisation"),
  N_("content cache hit rate"),
  N_("FFT plan cache hit rate"),
  N_("samples per second"),
  N_("wait for the device"),
};

const char *
lac_timeline_word(const char *name)
{
  g_return_val_if_fail(name != NULL, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
    if (g_str_equal(words[i], name))
      return _(words[i]);
  return name;
}
