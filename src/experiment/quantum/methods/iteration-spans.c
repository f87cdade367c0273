/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spans of the parts of an iteration that is computed within the call. */
#include "experiment/quantum/methods/iteration-private.h"

void
lac_iteration_record(LacIteration *self, LacPerf *perf, LacLane *lane)
{
  static const char *const names[LAC_ITERATION_N_SPANS] = {
    [LAC_ITERATION_MOVE] = "move the walkers",
    [LAC_ITERATION_ENERGY] = "local energies",
    [LAC_ITERATION_IMPROVE] = "improve psi",
    [LAC_ITERATION_GRAM] = "derivatives and their Gram matrix",
    [LAC_ITERATION_SOLVE] = "solve for walkers",
    [LAC_ITERATION_PULL] = "pull back to parameters",
  };

  self->spans.lane = perf && !self->readback ? lane : NULL;
  for (guint i = 1; self->spans.lane && i < LAC_ITERATION_N_SPANS; i++)
    self->spans.names[i] = lac_perf_name(perf, names[i]);
}

/* Changes the open span of one level, of which @open is to be @span. */
static void
change_span(LacIteration *self, guint level, LacIterationSpan *open, LacIterationSpan span)
{
  LacIterationSpans *spans = &self->spans;

  if (*open == span)
    return;
  if (*open)
    lac_span_end(spans->lane, spans->open[level], self->tunables.step);
  if (span)
    spans->open[level] = lac_span_begin(spans->lane, spans->names[span]);
  *open = span;
}

void
lac_iteration_enter_span(LacIteration *self, LacIterationSpan span)
{
  LacIterationSpans     *spans = &self->spans;
  const LacIterationSpan outer = MIN(span, LAC_ITERATION_IMPROVE);
  const LacIterationSpan inner = span > outer ? span : LAC_ITERATION_NO_SPAN;

  if (!spans->lane)
    return;
  if (spans->inner != inner || spans->outer != outer)
    change_span(self, 1, &spans->inner, LAC_ITERATION_NO_SPAN);
  change_span(self, 0, &spans->outer, outer);
  change_span(self, 1, &spans->inner, inner);
}
