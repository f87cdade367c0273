/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wave kernels from the object to the detector and back: each against its definition in double precision, the
 * comparison by finite differences. */
#include "backend/waves.h"

#include "backend/contract/private.h"

#include <complex.h>
#include <float.h>
#include <math.h>

enum { GRID = 14, SUPPORT = 6, DETECTOR = 8, BOX = 5, N_ALONG = 2, N_VISITS = 4, N_SLOTS = 4 };
enum { N_FIELD = GRID * GRID, N_OBJECT = SUPPORT * SUPPORT, N_PIXELS = DETECTOR * DETECTOR };
enum { N_STOPS = N_VISITS * N_ALONG, N_BOX = BOX * BOX, N_FIELDS = N_SLOTS * N_ALONG * N_PIXELS };

/* A compared scan position, none, one without gradient, another compared one. */
static const LacWaveSlot slots[N_SLOTS] = {{2, 0}, {-1, 0}, {0, 1}, {3, 0}};

/* Wave arguments on the device, with their host copies. */
typedef struct {
  LacWaves           args;
  LacContractBuffer *field, *fields; /* pairs */
  double             picture[N_OBJECT], phase[N_OBJECT], mask[N_OBJECT], pupil[2 * N_BOX];
  double amplitudes[N_VISITS * N_PIXELS], sigma[N_VISITS * N_PIXELS], noise[LAC_WAVE_NOISE], weight;
  gint32 corners[2 * N_STOPS];
  guint8 passes[N_STOPS * N_BOX];
} Waves;

static gsize
choose(LacContract *contract, gsize n)
{
  return (gsize) ((lac_contract_random(contract) + 1) / 2 * (double) n);
}

/* Fields are large enough that some fall beyond the noise table; every tenth amplitude is missing, part of the object
 * is masked out. */
static void
fill_numbers(LacContract *contract, Waves *it)
{
  for (gsize i = 0; i < N_OBJECT; i++) {
    it->picture[i] = lac_contract_random(contract);
    it->phase[i] = 3 * lac_contract_random(contract);
    it->mask[i] = i % 5 != 2;
  }
  for (gsize i = 0; i < 2 * N_BOX; i++)
    it->pupil[i] = lac_contract_random(contract);
  for (gsize i = 0; i < N_VISITS * N_PIXELS; i++)
    it->sigma[i] = 0.3 + 0.2 * lac_contract_random(contract);
  for (gsize i = 0; i < N_VISITS * N_PIXELS; i++)
    it->amplitudes[i] = i % 10 == 3 ? -1 : 4 + 4 * lac_contract_random(contract);
  it->noise[0] = 0.01;
  it->noise[1] = 0.02;
  for (gsize i = 2; i < LAC_WAVE_NOISE; i++)
    it->noise[i] = 0.4 / (1 + (double) i / 64);
  for (gsize i = 0; i < 2 * N_STOPS; i++)
    it->corners[i] = (gint32) choose(contract, GRID - BOX + 1) - GRID / 2;
  for (gsize i = 0; i < N_STOPS * N_BOX; i++)
    it->passes[i] = choose(contract, 3) != 0;
  it->weight = 0.7;
}

static Waves *
waves_of(LacContract *contract)
{
  Waves *it = g_new0(Waves, 1);

  fill_numbers(contract, it);
  it->field = lac_contract_random_buffer(contract, 2 * N_FIELD, 1);
  it->fields = lac_contract_random_buffer(contract, 2 * N_FIELDS, 6);
  it->args = (LacWaves){
    .type = contract->type,
    .grid = GRID,
    .support = SUPPORT,
    .detector = DETECTOR,
    .box = BOX,
    .n_along = N_ALONG,
    .n_slots = N_SLOTS,
    .gain = 0.8,
    .offset = 0.3,
    .picture = lac_contract_piece(contract, sizeof it->picture, it->picture),
    .phase = lac_contract_piece(contract, sizeof it->phase, it->phase),
    .mask = lac_contract_piece(contract, sizeof it->mask, it->mask),
    .field = it->field->device,
    .slots = lac_contract_piece(contract, sizeof slots, slots),
    .corners = lac_contract_piece(contract, sizeof it->corners, it->corners),
    .passes = lac_contract_piece(contract, sizeof it->passes, it->passes),
    .pupil = lac_contract_piece(contract, sizeof it->pupil, it->pupil),
    .amplitudes = lac_contract_piece(contract, sizeof it->amplitudes, it->amplitudes),
    .noise = lac_contract_piece(contract, sizeof it->noise, it->noise),
    .fields = it->fields->device,
    .misfits = lac_contract_piece(contract, N_SLOTS * sizeof(LacWaveMisfit), it->amplitudes),
    .weight = lac_contract_piece(contract, sizeof it->weight, &it->weight),
    .picture_bar = lac_contract_doubles(contract, N_OBJECT),
    .phase_bar = lac_contract_doubles(contract, N_OBJECT),
  };
  return it;
}

static void
waves_free(LacContract *contract, Waves *it)
{
  lac_contract_clear(contract);
  g_free(it);
}

#define RUN(name, it) \
  lac_contract_ok(contract, contract->device.table->waves->name(contract->device.self, &(it)->args))

static double complex
pair(const double *pairs, gsize i)
{
  return pairs[2 * i] + pairs[2 * i + 1] * I;
}

static void
close_pair(const LacContract *contract,
           const double      *got,
           gsize              i,
           double complex     right,
           double             size)
{
  lac_contract_close(contract, got[2 * i], creal(right), size, 8);
  lac_contract_close(contract, got[2 * i + 1], cimag(right), size, 8);
}

/* ---- the object ---- */

static double complex
object_at(const Waves *it, gsize i)
{
  const double size = it->args.offset + it->args.gain * it->picture[i];

  if (it->args.mask && !(it->mask[i] > 0))
    return 0;
  return size * cexp(I * (it->args.phase ? it->phase[i] : 0));
}

static double
sign_of(gsize n)
{
  return n % 2 ? -1 : 1;
}

static void
check_object(LacContract *contract, Waves *it)
{
  const gsize start = (GRID - SUPPORT) / 2;

  RUN(object, it);
  lac_contract_fetch(contract, it->field);
  for (gsize y = 0; y < GRID; y++)
    for (gsize x = 0; x < GRID; x++) {
      const gboolean within =
        y >= start && y < start + SUPPORT && x >= start && x < start + SUPPORT;
      const gsize i = within ? (y - start) * SUPPORT + x - start : 0;
      close_pair(contract, it->field->host, y * GRID + x,
                 within ? sign_of(y + x) * object_at(it, i) : 0, 1);
    }
}

static void
run_waves_object(LacContract *contract)
{
  Waves *it = waves_of(contract);

  check_object(contract, it);
  it->args.mask = NULL;
  check_object(contract, it);
  it->args.phase = NULL;
  check_object(contract, it);
  waves_free(contract, it);
}

/* Checks the gradients of picture and phase from it->field, a derivative with respect to the field: the field is sign
 * (offset + gain picture) e^(i phase). */
static void
check_bars(LacContract *contract, Waves *it)
{
  const gsize start = (GRID - SUPPORT) / 2;
  double      picture_bar[N_OBJECT], phase_bar[N_OBJECT];

  RUN(bars, it);
  lac_contract_fetch_piece(contract, it->args.picture_bar, sizeof picture_bar, picture_bar);
  lac_contract_fetch_piece(contract, it->args.phase_bar, sizeof phase_bar, phase_bar);
  for (gsize i = 0; i < N_OBJECT; i++) {
    const gsize          y = start + i / SUPPORT, x = start + i % SUPPORT;
    const double complex g = it->weight * sign_of(y + x) * pair(it->field->host, y * GRID + x);
    const double         angle = it->args.phase ? it->phase[i] : 0;
    const double         size = it->args.offset + it->args.gain * it->picture[i];
    const gboolean       counts = !it->args.mask || it->mask[i] > 0;

    lac_contract_close(contract, picture_bar[i],
                       counts ? it->args.gain * (creal(g) * cos(angle) + cimag(g) * sin(angle)) : 0,
                       1, 8);
    if (it->args.phase)
      lac_contract_close(contract, phase_bar[i],
                         counts ? size * (cimag(g) * cos(angle) - creal(g) * sin(angle)) : 0, 1, 8);
  }
}

static void
run_waves_bars(LacContract *contract)
{
  Waves *it = waves_of(contract);

  check_bars(contract, it);
  it->args.mask = NULL;
  check_bars(contract, it);
  it->args.phase = NULL;
  check_bars(contract, it);
  waves_free(contract, it);
}

/* ---- stops ---- */

/* A pixel of a stop's box: its index in the field and in the detector's transform, and its factor; 0 if not passed. */
typedef struct {
  gsize          field, detector;
  double complex factor;
} Passed;

static gboolean
find_passed(const Waves *it, gsize stop, gsize i, Passed *passed)
{
  const gint ky = it->corners[2 * stop] + (gint) (i / BOX),
             kx = it->corners[2 * stop + 1] + (gint) (i % BOX);

  if (!it->passes[stop * N_BOX + i])
    return FALSE;
  passed->field = (gsize) (ky + GRID / 2) * GRID + (gsize) (kx + GRID / 2);
  passed->detector =
    (gsize) ((ky + 2 * DETECTOR) % DETECTOR * DETECTOR + (kx + 2 * DETECTOR) % DETECTOR);
  passed->factor = (it->args.pupil ? pair(it->pupil, i) : 1) / (GRID * DETECTOR);
  return TRUE;
}

static void
check_stops(LacContract *contract, Waves *it)
{
  g_autofree double complex *right = g_new0(double complex, N_FIELDS);

  RUN(stops, it);
  lac_contract_fetch(contract, it->fields);
  for (gsize k = 0; k < N_SLOTS * N_ALONG; k++)
    for (gsize i = 0; i < N_BOX; i++) {
      const gint visit = slots[k / N_ALONG].visit;
      Passed     passed;
      if (visit >= 0 && find_passed(it, (gsize) visit * N_ALONG + k % N_ALONG, i, &passed))
        right[k * N_PIXELS + passed.detector] = passed.factor * pair(it->field->host, passed.field);
    }
  for (gsize i = 0; i < N_FIELDS; i++)
    close_pair(contract, it->fields->host, i, right[i], 2.0 / (GRID * DETECTOR));
}

static void
run_waves_stops(LacContract *contract)
{
  Waves *it = waves_of(contract);

  check_stops(contract, it);
  it->args.pupil = NULL;
  check_stops(contract, it);
  waves_free(contract, it);
}

/* A pixel of k-space sums over the stops that pass it; the tolerance scales with the size of its terms. */
static void
check_gather(LacContract *contract, Waves *it)
{
  g_autofree double complex *right = g_new0(double complex, N_FIELD);
  g_autofree double         *size = g_new0(double, N_FIELD);

  for (gsize i = 0; i < (it->args.accumulates ? N_FIELD : 0); i++) {
    right[i] = pair(it->field->host, i);
    size[i] = cabs(right[i]);
  }
  RUN(gather, it);
  lac_contract_fetch(contract, it->field);
  for (gsize k = 0; k < N_SLOTS * N_ALONG; k++)
    for (gsize i = 0; i < N_BOX; i++) {
      const LacWaveSlot slot = slots[k / N_ALONG];
      Passed            passed;
      if (slot.visit < 0 || slot.rests ||
          !find_passed(it, (gsize) slot.visit * N_ALONG + k % N_ALONG, i, &passed))
        continue;
      const double complex term =
        conj(passed.factor) * pair(it->fields->host, k * N_PIXELS + passed.detector);
      right[passed.field] += term;
      size[passed.field] += cabs(passed.factor) * 12;
    }
  for (gsize i = 0; i < N_FIELD; i++)
    close_pair(contract, it->field->host, i, right[i], size[i]);
}

static void
run_waves_gather(LacContract *contract)
{
  Waves *it = waves_of(contract);

  check_gather(contract, it);
  it->args.pupil = NULL;
  check_gather(contract, it);
  it->args.accumulates = 1;
  check_gather(contract, it);
  waves_free(contract, it);
}

/* ---- the comparison ---- */

/* E (y - x)^2 of a noisy amplitude x, from experiment/imaging/optics/noise-level.h; for a pixel with known deviation,
 * from that. */
static double
expect_noise(const Waves *it, gsize pixel, double x)
{
  const double *noise = it->noise, known = it->sigma[pixel];
  const double  s = it->args.sigma != NULL ? known : sqrt(noise[0] + noise[1] * x * x);
  const double  r = x * x / s, at = 64 * sqrt(r);
  const gsize   i = (gsize) at;

  if (it->args.sigma != NULL && it->args.sees_amplitudes)
    return known * known;
  if (at >= LAC_WAVE_NOISE - 3)
    return s / (4 * r) * (1 + 15 / (16 * r * r));
  return s * ((1 - (at - (double) i)) * noise[2 + i] + (at - (double) i) * noise[3 + i]);
}

static double
amplitude_at(const double *fields, gsize slot, gsize i)
{
  double sum = 0;

  for (gsize a = 0; a < N_ALONG; a++) {
    const double complex u = pair(fields, (slot * N_ALONG + a) * N_PIXELS + i);

    sum += creal(u * conj(u)) / N_ALONG;
  }
  return sqrt(sum);
}

typedef struct {
  double count, size, energy, off, distance, expected, variance;
} Sums;

static Sums
sums_of(const Waves *it, const double *fields, gsize slot)
{
  Sums sums = {0};

  for (gsize i = 0; i < N_PIXELS; i++) {
    const double m = it->amplitudes[(gsize) slots[slot].visit * N_PIXELS + i];
    const double a = amplitude_at(fields, slot, i);
    const double e =
      it->args.noise ? expect_noise(it, (gsize) slots[slot].visit * N_PIXELS + i, a) : 0;
    if (m < 0)
      continue;
    sums.count += 1;
    sums.size += m;
    sums.energy += m * m;
    sums.off += fabs(a - m);
    sums.distance += (a - m) * (a - m);
    sums.expected += e;
    sums.variance += 2 * e * e;
  }
  return sums;
}

/* Weighted l1 and l2 losses of experiment/imaging/methods/decoder/fit.h: factors of a distance. */
typedef struct {
  double l1, l2;
} Scales;

static Scales
scales_of(const Waves *it, const Sums *sums)
{
  const double floor = sqrt(sums->expected / N_PIXELS);

  if (!it->args.normalised)
    return (Scales){it->args.weight_l1 / sums->count, it->args.weight_l2 / sums->count};
  return (Scales){it->args.weight_l1 / (sums->size + sums->count * (floor + 1e-8)),
                  it->args.weight_l2 / (sums->energy + sums->count * (floor * floor + 1e-8))};
}

/* Tolerance: sums of positive values in double precision, whatever the type of the fields: as many random roundings
 * as values. */
static void
check_misfit(const LacContract   *contract,
             const Waves         *it,
             const LacWaveMisfit *found,
             const Sums          *sums)
{
  const double steps = 8 * sqrt(N_PIXELS);
  const Scales scales = scales_of(it, sums);
  LacContract  exact = *contract;

  exact.epsilon = DBL_EPSILON;
  lac_contract_close(&exact, found->distance, sums->distance, 0, steps);
  lac_contract_close(&exact, found->expected, sums->expected, 0, steps);
  lac_contract_close(&exact, found->variance, sums->variance, 0, steps);
  lac_contract_close(&exact, found->energy, sums->energy, 0, steps);
  lac_contract_close(&exact, found->loss, scales.l1 * sums->off + scales.l2 * sums->distance, 0,
                     2 * steps);
}

static void
check_compare(LacContract *contract, Waves *it)
{
  g_autofree double *fields = g_memdup2(it->fields->host, 2 * N_FIELDS * sizeof(double));
  LacWaveMisfit      found[N_SLOTS];

  RUN(compare, it);
  lac_contract_fetch(contract, it->fields);
  lac_contract_fetch_piece(contract, it->args.misfits, sizeof found, found);
  for (gsize slot = 0; slot < N_SLOTS; slot++) {
    if (slots[slot].visit < 0) {
      lac_contract_same(contract, found[slot].loss, 0);
      continue;
    }
    const Sums   sums = sums_of(it, fields, slot);
    const Scales scales = scales_of(it, &sums);
    check_misfit(contract, it, &found[slot], &sums);
    for (gsize i = 0; i < N_ALONG * N_PIXELS; i++) {
      const gsize  at = slot * N_ALONG * N_PIXELS + i;
      const double m = it->amplitudes[(gsize) slots[slot].visit * N_PIXELS + i % N_PIXELS];
      const double a = amplitude_at(fields, slot, i % N_PIXELS), off = m < 0 ? 0 : a - m;
      const double slope = scales.l1 * ((off > 0) - (off < 0)) + scales.l2 * 2 * off;
      const double factor = slope / (N_ALONG * a);
      /* an amplitude near its measurement: the difference has the rounding of the amplitude */
      close_pair(contract, it->fields->host, at, factor * pair(fields, at),
                 (fabs(factor) + 2 * scales.l2 / N_ALONG) * cabs(pair(fields, at)));
    }
  }
}

static void
run_waves_compare(LacContract *contract)
{
  static const double weights[][2] = {{1, 0}, {0, 1}, {0.3, 0.6}};

  for (gsize w = 0; w < G_N_ELEMENTS(weights); w++)
    for (int kind = 0; kind < 8; kind++) {
      Waves *it = waves_of(contract);

      it->args.weight_l1 = weights[w][0];
      it->args.weight_l2 = weights[w][1];
      it->args.normalised = kind & 1;
      it->args.sees_amplitudes = kind & 2;
      it->args.sigma = kind & 4 ? lac_contract_piece(contract, sizeof it->sigma, it->sigma) : NULL;
      if (kind == 0)
        it->args.noise = NULL;
      check_compare(contract, it);
      waves_free(contract, it);
    }
}

/* Losses of fields moved along a direction, without the floor, which the derivative treats as constant. */
static double
moved_loss(LacContract *contract, Waves *it, const double *from, const double *direction, double t)
{
  LacWaveMisfit found[N_SLOTS];
  double        sum = 0;

  for (gsize i = 0; i < 2 * N_FIELDS; i++)
    it->fields->host[i] = from[i] + t * direction[i];
  lac_contract_upload(contract, it->fields);
  RUN(compare, it);
  lac_contract_fetch_piece(contract, it->args.misfits, sizeof found, found);
  for (gsize slot = 0; slot < N_SLOTS; slot++)
    sum += found[slot].loss;
  return sum;
}

/* Only in double precision: single-precision differences are too noisy. An amplitude crossing its measurement, where
 * the l1 loss has its kink, is as unlikely as two nearly equal doubles. */
static void
run_waves_compare_differences(LacContract *contract)
{
  const double t = 1e-6;

  for (int is_l1 = 0; is_l1 < 2 && contract->type == LAC_F64; is_l1++) {
    Waves             *it = waves_of(contract);
    g_autofree double *from = g_memdup2(it->fields->host, 2 * N_FIELDS * sizeof(double));
    g_autofree double *direction = g_new(double, 2 * N_FIELDS);
    double             slope = 0, size = 0, difference;

    it->args.weight_l1 = is_l1;
    it->args.weight_l2 = !is_l1;
    for (gsize i = 0; i < 2 * N_FIELDS; i++)
      direction[i] = lac_contract_random(contract);
    RUN(compare, it);
    lac_contract_fetch(contract, it->fields);
    for (gsize i = 0; i < 2 * N_FIELDS; i++)
      if (slots[i / (2 * N_ALONG * N_PIXELS)].visit >= 0) {
        slope += it->fields->host[i] * direction[i];
        size += fabs(it->fields->host[i] * direction[i]);
      }
    difference = moved_loss(contract, it, from, direction, t);
    difference = (difference - moved_loss(contract, it, from, direction, -t)) / (2 * t);
    lac_contract_within(contract, difference, slope, 1e-7 * size + 1e-8);
    waves_free(contract, it);
  }
}

/* ---- transforms ---- */

/* X[q] = sum over j of x[j] exp(-+2 pi i q . j / n): the error is in roundings of the input's norm, about the square
 * root of the number of terms summed here. */
static void
check_transform(LacContract *contract, gsize n, gsize n_batch, gboolean inverse)
{
  const gsize            n_all = n * n;
  LacContractBuffer     *data = lac_contract_random_buffer(contract, 2 * n_batch * n_all, 1);
  g_autofree double     *from = g_memdup2(data->host, 2 * n_batch * n_all * sizeof(double));
  const LacWaveTransform args = {contract->type, n, n_batch, inverse, data->device};
  const LacWaveKernels  *waves = contract->device.table->waves;
  const double           turn = (inverse ? 2 : -2) * G_PI / (double) n;

  lac_contract_ok(contract, waves->prepare(contract->device.self, &args));
  lac_contract_ok(contract, waves->transform(contract->device.self, &args));
  lac_contract_fetch(contract, data);
  for (gsize k = 0; k < n_batch; k++)
    for (gsize q = 0; q < n_all; q++) {
      double complex sum = 0;
      double         squares = 0;
      for (gsize j = 0; j < n_all; j++) {
        const double complex x = pair(from, k * n_all + j);
        sum += x * cexp(I * turn * (double) ((q / n * (j / n) + q % n * (j % n)) % n));
        squares += creal(x * conj(x));
      }
      lac_contract_close(contract, data->host[2 * (k * n_all + q)], creal(sum), sqrt(squares),
                         2 * (double) n);
      lac_contract_close(contract, data->host[2 * (k * n_all + q) + 1], cimag(sum), sqrt(squares),
                         2 * (double) n);
    }
  lac_contract_clear(contract);
}

static void
run_waves_transform(LacContract *contract)
{
  static const struct {
    gsize n, n_batch;
  } rows[] = {{8, 5}, {14, 1}, {18, 2}};

  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    check_transform(contract, rows[i].n, rows[i].n_batch, FALSE);
    check_transform(contract, rows[i].n, rows[i].n_batch, TRUE);
  }
}

static gboolean
is_known(const LacBackend *table)
{
  return table->waves != NULL;
}

const LacContractRow lac_contract_wave_rows[] = {
  {"waves-object", run_waves_object, is_known},
  {"waves-stops", run_waves_stops, is_known},
  {"waves-compare", run_waves_compare, is_known},
  {"waves-compare-is-its-loss's-derivative", run_waves_compare_differences, is_known},
  {"waves-gather", run_waves_gather, is_known},
  {"waves-bars", run_waves_bars, is_known},
  {"waves-transform", run_waves_transform, is_known},
  {NULL},
};
