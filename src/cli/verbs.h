/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verbs of the command line, one file each. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_EXIT_FINISHED    0
#define LAC_EXIT_FAILED      1
#define LAC_EXIT_USAGE       2
#define LAC_EXIT_DIVERGED    3
#define LAC_EXIT_INTERRUPTED 130

typedef struct {
  const char *name, *usage, *summary; /* as listed by `lacuna --help` */
  int (*run)(int argc, char **argv);  /* @argv: from the verb's name on. Returns: the exit status */
} LacVerb;

extern const LacVerb lac_verb_list, lac_verb_run, lac_verb_info, lac_verb_runs, lac_verb_presets,
  lac_verb_compare, lac_verb_report, lac_verb_figure, lac_verb_profile, lac_verb_trace,
  lac_verb_export, lac_verb_export_sensors, lac_verb_devices, lac_verb_bench;

G_END_DECLS
