/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The waves of the strict backend, over a device that has kernels for them: each says what it reads and writes. */
#include "backend/strict/see.h"

static size_t
n_object(const LacWaves *a)
{
  return a->support * a->support;
}

static size_t
n_detector(const LacWaves *a)
{
  return a->detector * a->detector;
}

static void
leave_out_all(LacWaves *a)
{
  a->picture = a->phase = a->mask = a->pupil = a->weight = NULL;
  a->amplitudes = a->noise = a->sigma = NULL;
  a->slots = NULL;
  a->corners = NULL;
  a->passes = NULL;
  a->field = a->fields = NULL;
  a->misfits = NULL;
  a->picture_bar = a->phase_bar = NULL;
}

/* Up to the last that a slot names. A visit of nobody is -1 with a `rests` that is 0 or 1: both -1 are memory that nobody has
 * written. */
static size_t
see_slots(LacStrictCheck *check, LacWaves *a)
{
  const LacWaveSlot *slots = lac_strict_look(check, a->slots, a->n_slots * sizeof *slots);
  size_t             n_visits = 0;

  for (size_t i = 0; slots && i < a->n_slots; i++)
    if (slots[i].visit >= 0)
      n_visits = MAX(n_visits, (size_t) slots[i].visit + 1);
  a->slots =
    lac_strict_see(check, a->slots, a->n_slots * sizeof *slots, sizeof *slots, LAC_STRICT_READS);
  return n_visits;
}

/* Of the pupil and of every stop that may be asked for. A corner may be (-1, -1), which looks like memory that nobody has written. */
static void
see_apertures(LacStrictCheck *check, LacWaves *a, const LacWaves *all, size_t n_visits)
{
  const size_t n_stops = n_visits * a->n_along, n_box = a->box * a->box;

  a->corners = lac_strict_see(check, all->corners, 2 * n_stops * sizeof *a->corners,
                              sizeof *a->corners, LAC_STRICT_PASSES_BY);
  a->passes = lac_strict_see(check, all->passes, n_stops * n_box, 1, LAC_STRICT_READS);
  a->pupil = all->pupil;
  MAY_DOUBLES(pupil, 2 * n_box, READS);
}

#define FIELD(use)                                                                               \
  a->field = lac_strict_see(check, all.field, all.grid * all.grid * 2 * lac_type_size(all.type), \
                            lac_type_size(all.type), LAC_STRICT_##use)
#define FIELDS(use)                                                                                \
  a->fields = lac_strict_see(                                                                      \
    check, all.fields, all.n_slots * all.n_along * n_detector(&all) * 2 * lac_type_size(all.type), \
    lac_type_size(all.type), LAC_STRICT_##use)

static void
see_object(LacStrictCheck *check, LacWaves *a)
{
  const LacWaves all = *a;

  leave_out_all(a);
  a->picture = all.picture;
  a->phase = all.phase;
  a->mask = all.mask;
  DOUBLES(picture, n_object(a), READS);
  MAY_DOUBLES(phase, n_object(a), READS);
  MAY_DOUBLES(mask, n_object(a), READS);
  FIELD(WRITES);
}

static void
see_stops(LacStrictCheck *check, LacWaves *a)
{
  const LacWaves all = *a;

  leave_out_all(a);
  a->slots = all.slots;
  see_apertures(check, a, &all, see_slots(check, a));
  FIELD(READS);
  FIELDS(WRITES);
}

static void
see_compare(LacStrictCheck *check, LacWaves *a)
{
  const LacWaves all = *a;

  leave_out_all(a);
  a->slots = all.slots;
  a->amplitudes = all.amplitudes;
  a->noise = all.noise;
  a->sigma = all.sigma;
  const size_t n_pixels = see_slots(check, a) * n_detector(a);
  DOUBLES(amplitudes, n_pixels, READS);
  MAY_DOUBLES(sigma, n_pixels, READS);
  DOUBLES(noise, LAC_WAVE_NOISE, READS);
  FIELDS(UPDATES);
  a->misfits = lac_strict_see(check, all.misfits, all.n_slots * sizeof *all.misfits, sizeof(double),
                              LAC_STRICT_WRITES);
}

static void
see_gather(LacStrictCheck *check, LacWaves *a)
{
  const LacWaves all = *a;

  leave_out_all(a);
  a->slots = all.slots;
  see_apertures(check, a, &all, see_slots(check, a));
  FIELDS(READS);
  FIELD(WRITES);
}

static void
see_bars(LacStrictCheck *check, LacWaves *a)
{
  const LacWaves all = *a;

  leave_out_all(a);
  a->mask = all.mask;
  MAY_DOUBLES(mask, n_object(a), READS);
  if (all.phase) {
    a->picture = all.picture;
    a->phase = all.phase;
    a->phase_bar = all.phase_bar;
    DOUBLES(picture, n_object(a), READS);
    DOUBLES(phase, n_object(a), READS);
    DOUBLES(phase_bar, n_object(a), WRITES);
  }
  a->weight = all.weight;
  a->picture_bar = all.picture_bar;
  DOUBLES(weight, 1, READS);
  DOUBLES(picture_bar, n_object(a), WRITES);
  FIELD(READS);
}

static void
see_transform(LacStrictCheck *check, LacWaveTransform *a)
{
  SEE(data, a->n_batch * a->n * a->n * 2, UPDATES);
}

#define K(name, Args) LAC_STRICT_PART(name, Args, waves->)
K(object, LacWaves)
K(stops, LacWaves)
K(compare, LacWaves)
K(gather, LacWaves)
K(bars, LacWaves)
K(transform, LacWaveTransform)
#undef K

static LacStatus
strict_prepare(void *self, const LacWaveTransform *args)
{
  const LacStrict *strict = self;
  LacWaveTransform real = *args;

  real.data = NULL; /* a plan is of the shape alone */
  return strict->recording ? LAC_STATUS_RECORDING
                           : strict->below.table->waves->prepare(strict->below.self, &real);
}

const LacWaveKernels lac_strict_waves = {
#define K(name, Args) .name = strict_##name,
  LAC_WAVE_KERNELS(K)
#undef K
};
