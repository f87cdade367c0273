/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the analysis: each adds what it finds. */
#pragma once

#include "perf/analysis/analysis.h"

G_BEGIN_DECLS

typedef struct {
  const LacCapture    *capture;
  const LacIterations *iterations;
  LacAggregates       *aggregates;
  GArray              *findings; /* LacFinding */
  GArray              *outliers; /* LacFinding, the longest first */
} LacInquiry;

void lac_inquire_growth(const LacInquiry *inquiry);

G_END_DECLS
