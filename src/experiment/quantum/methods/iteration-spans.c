/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of an iteration in the records: as spans where it is computed within the call, as times of the device elsewhere. */
#include "experiment/quantum/methods/iteration-private.h"

/* Outside of iterations, the same operations are spans of their own. */
static guint32
name_on_device(LacPerf *perf, guint32 name)
{
  g_autofree char *text = g_strdup_printf("%s, on the device", lac_perf_get_name(perf, name));

  return lac_perf_name(perf, text);
}

static void
name_device_times(LacIteration *self)
{
  LacIterationSpans     *spans = &self->spans;
  const LacWavefunction *wave = self->settings.wave;

  for (guint i = 0; i < LAC_ITERATION_N_SPANS; i++)
    spans->of_device[i] = name_on_device(spans->perf, spans->names[i]);
  for (guint i = 0; wave->lane && i < LAC_WAVEFUNCTION_N_OPERATIONS; i++)
    spans->psi_of_device[i] = name_on_device(spans->perf, wave->names[i]);
}

void
lac_iteration_record(LacIteration *self, LacPerf *perf, LacLane *lane)
{
  static const char *const names[LAC_ITERATION_N_SPANS] = {
    [LAC_ITERATION_NO_SPAN] = "clip and copy",
    [LAC_ITERATION_MOVE] = "move the walkers",
    [LAC_ITERATION_ENERGY] = "local energies",
    [LAC_ITERATION_IMPROVE] = "improve psi",
    [LAC_ITERATION_GRAM] = "derivatives and their Gram matrix",
    [LAC_ITERATION_SOLVE] = "solve for walkers",
    [LAC_ITERATION_PULL] = "pull back to parameters",
  };

  self->spans.perf = lane ? perf : NULL;
  self->spans.lane = perf && !self->readback ? lane : NULL;
  for (guint i = 0; self->spans.perf && i < LAC_ITERATION_N_SPANS; i++)
    self->spans.names[i] = lac_perf_name(perf, names[i]);
  if (!self->readback || !self->spans.perf)
    return;
  name_device_times(self);
  for (LacIterationPart part = 0; part < LAC_ITERATION_PARTS; part++) {
    self->running = self->steps[part];
    if (self->running)
      lac_recorded_step_record_times(self->running, self->spans.perf, lane);
  }
  self->running = NULL;
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

  spans->span = span;
  if (!spans->lane)
    return;
  if (spans->inner != inner || spans->outer != outer)
    change_span(self, 1, &spans->inner, LAC_ITERATION_NO_SPAN);
  change_span(self, 0, &spans->outer, outer);
  change_span(self, 1, &spans->inner, inner);
}

void
lac_iteration_mark(LacIteration *self)
{
  const LacDeviceOperation operation = {.name = self->spans.of_device[self->spans.span],
                                        .memory = -1};

  lac_device_times_mark(lac_recorded_step_get_times(self->running), &operation);
}
