/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verbs of the command line: each takes the arguments from its own name on and returns the exit status. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_EXIT_FINISHED    0
#define LAC_EXIT_FAILED      1
#define LAC_EXIT_USAGE       2
#define LAC_EXIT_DIVERGED    3
#define LAC_EXIT_INTERRUPTED 130

int lac_verb_list(int argc, char **argv);
int lac_verb_run(int argc, char **argv);
int lac_verb_info(int argc, char **argv);
int lac_verb_runs(int argc, char **argv);
int lac_verb_presets(int argc, char **argv);
int lac_verb_compare(int argc, char **argv);
int lac_verb_report(int argc, char **argv);
int lac_verb_figure(int argc, char **argv);
int lac_verb_profile(int argc, char **argv);
int lac_verb_trace(int argc, char **argv);
int lac_verb_devices(int argc, char **argv);
int lac_verb_export(int argc, char **argv);
int lac_verb_export_sensors(int argc, char **argv);
int lac_verb_bench(int argc, char **argv);

G_END_DECLS
