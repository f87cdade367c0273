/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summary of a run for reports and comparisons. */
#pragma once

#include "io/runfile/run-file.h"
#include "perf/analysis/aggregate.h"
#include "perf/recorder/gauges.h"
#include "report/text/pages-private.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct {
  const LacRunFile   *run;
  LacAggregates      *aggregates;
  const LacAggregate *operations; /* largest total first */
  gsize               n_operations;
  double              seconds_per_step; /* NaN without steps */
  double peak_memory; /* peak bytes in use in any operation, from the memory plan; NaN unknown */
  double
    peak_resident; /* peak resident bytes of the process, in any phase or sample; NaN unknown */
  double cache_hits,
    plan_hits; /* 0...1: shares of results and of FFT plans known before; NaN unknown */
  double memory_parts[LAC_N_MEMORY_PARTS]; /* peak bytes, by what they hold; 0: none */
  double cpu_utilisation, gpu_utilisation; /* 0...1: means over the run; NaN unknown */
  double samples_per_second;               /* mean; NaN unknown */
} LacSummary;

void lac_summary_init(LacSummary *summary, const LacRunFile *run);
void lac_summary_clear(LacSummary *summary);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacSummary, lac_summary_clear)

const char *lac_summary_operation_name(const LacSummary *summary, gsize i);
/* Returns the first metric that is a result; -1 without one. */
gssize lac_summary_key_metric(const LacRunFile *run);
/* Formats the start of the run, as "2026-11-21 05:56", local time. */
char *lac_summary_started(const LacRunFile *run);
/* Formats the memory use, as "4.2 MB in an operation, 150 MB resident"; "" if unknown. */
char *lac_summary_memory_text(const LacSummary *summary);
/* Formats metric @m with unit and standard error. */
char *lac_summary_metric_text(const LacRunFile *run, gsize m);

/* Fill the tables of a report; the caller clears them. Results are those that the table of methods does not show;
 * events are those that changed no setting. */
void lac_summary_results(const LacSummary *summary, LacTable *table);
void lac_summary_gates(const LacSummary *summary, LacTable *table);
void lac_summary_settings(const LacSummary *summary, LacTable *table);
void lac_summary_operations(const LacSummary *summary, LacTable *table);
void lac_summary_events(const LacSummary *summary, LacTable *table);
void lac_summary_marks(const LacSummary *summary, LacTable *table);
void lac_summary_facts(const LacSummary *summary, LacTable *table);

/* Adds the member "marks": [{"seconds", "step", "words"}]. */
void lac_summary_add_marks(const LacRunFile *run, JsonBuilder *builder);

G_END_DECLS
