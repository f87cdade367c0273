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

/* A name is an operation when the recording has aggregates of it. */
gboolean *lac_inquiry_dup_operations(const LacInquiry *inquiry, gboolean *has_any);

void lac_inquire_shares(const LacInquiry *inquiry);
void lac_inquire_variance(const LacInquiry *inquiry);
void lac_inquire_outliers(const LacInquiry *inquiry);
void lac_inquire_first_calls(const LacInquiry *inquiry);
void lac_inquire_growth(const LacInquiry *inquiry);

G_END_DECLS
