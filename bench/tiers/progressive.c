/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The comparison of omriwen/PRISM's "phase 5": an object of 128 pixels on a grid of 512, 100 apertures of radius 20
 * on a Fermat spiral, one Adam step each on the new exposure and a randomly drawn earlier one, then the metrics of
 * the image against the true object. Uses the laboratory's network, optics and metrics; the unoptimised variants are
 * defined here. */
#include "base/rng.h"
#include "bench/tiers/bench-private.h"
#include "bench/tiers/ways.h"
#include "experiment/imaging/methods/decoder/fit.h"
#include "experiment/imaging/metrics/metrics.h"
#include "experiment/imaging/objects/object.h"
#include "experiment/imaging/optics/pattern.h"
#include "perf/analysis/ratio.h"

#include <math.h>
#include <string.h>

#define N_SAMPLES   100
#define N_WARM      5 /* samples */
#define N_MEASURED  ((N_SAMPLES - N_WARM) / LAC_BENCH_N_PAIRS)
#define OBJECT_MOST 128
#define RATE        1e-3
#define SEED        1
#define DB_MAY      1.0 /* allowed difference, from PRISM's own check */
#define N_TERMS     2   /* exposures per step */

/* Sizes of a workload, in pixels. */
typedef struct {
  gsize  grid, side; /* of k-space, and of the object */
  double radius;     /* of an aperture */
  double extent;     /* of the pattern */
  gsize  n_samples;
} Sizes;

typedef struct {
  const LacBenchPairTask *task;
  const LacBenchWay      *way;
  Sizes                   sizes;
  LacPool                *pool;
  LacOptics              *optics;
  LacDecoder             *network;
  LacRng                  rng;
  gsize                   side, n, n_positions, n_done;
  double complex         *truth, *object;                           /* [side^2] */
  double complex         *spectrum, *truth_spectrum, *spectrum_bar; /* [band] */
  double complex         *fields;                                   /* [d^2] */
  double                 *modulus, *picture, *picture_bar;          /* [side^2] */
  double                 *predicted, *bar;                          /* [d^2] */
  double                 *measured;         /* [n_positions][d^2] when cached, else [d^2] */
  guint8                 *is_kept;          /* [n_positions] */
  gsize                   n_asked, n_found; /* exposures, and those of them that were kept */
  LacImageQualities       found;            /* after the last sample */
} Progressive;

/* The sizes of phase 5, smaller in the small tier. */
static Sizes
find_sizes(const LacBenchPairTask *task)
{
  const gsize  side = MIN(4 * task->tier->side, OBJECT_MOST);
  const double scale = (double) side / OBJECT_MOST;

  return (Sizes){4 * side, side, 20 * scale, 2.5 * (double) side, N_SAMPLES};
}

static LacScanBox *
new_scan(const Sizes *sizes, gsize *n_positions, GError **error)
{
  const LacPatternSettings settings = {.n = sizes->n_samples, .extent = sizes->extent};

  return lac_pattern_make(lac_pattern_find("fermat"), &settings, n_positions, error);
}

static LacOptics *
new_optics(Progressive *p, GError **error)
{
  const Sizes           *sizes = &p->sizes;
  const gboolean         is_whole = (p->way->plain & LAC_PLAIN_DETECTOR) != 0;
  g_autofree LacScanBox *scan = new_scan(sizes, &p->n_positions, error);

  return scan
           ? lac_optics_new(&(LacOpticsSettings){.grid = sizes->grid,
                                                 .support = sizes->side,
                                                 .aperture.radius = sizes->radius,
                                                 .patch = is_whole ? sizes->grid : 0,
                                                 .n_positions = p->n_positions,
                                                 .scan = scan,
                                                 .plans_every_call = p->way->cpu.plans_every_call},
                            p->pool, error)
           : NULL;
}

static gboolean
make_truth(Progressive *p, GError **error)
{
  const LacObjectScene *moon = lac_object_scene_find("moon");
  LacDraft             *draft = lac_draft_new(&moon->params);
  gboolean              made;

  p->truth = g_new0(double complex, p->n);
  p->modulus = g_new0(double, p->n);
  made = lac_object_make(moon, lac_draft_get_values(draft), &(LacObjectSettings){.seed = SEED},
                         p->side, p->truth, error);
  lac_draft_free(draft);
  for (gsize i = 0; i < p->n; i++)
    p->modulus[i] = cabs(p->truth[i]);
  return made;
}

static void
make_memory(Progressive *p)
{
  const LacBand  band = lac_optics_get_band(p->optics);
  const gsize    n_band = band.height * band.width, d = lac_optics_get_detector(p->optics);
  const gboolean keeps = !(p->way->plain & LAC_PLAIN_MEASUREMENTS);

  p->object = g_new0(double complex, p->n);
  p->spectrum = g_new0(double complex, n_band);
  p->truth_spectrum = g_new0(double complex, n_band);
  p->spectrum_bar = g_new0(double complex, n_band);
  p->fields = g_new0(double complex, d *d);
  p->picture = g_new0(double, p->n);
  p->picture_bar = g_new0(double, p->n);
  p->predicted = g_new0(double, d *d);
  p->bar = g_new0(double, d *d);
  p->measured = g_new0(double, (keeps ? p->n_positions : 1) * d * d);
  p->is_kept = g_new0(guint8, p->n_positions);
}

static gboolean
open_progressive(Progressive *p, GError **error)
{
  LacDecoderSettings settings;

  p->side = p->sizes.side;
  p->n = p->side * p->side;
  p->pool = lac_pool_new(p->way->n_threads);
  p->rng = lac_rng(SEED, 1);
  p->optics = make_truth(p, error) ? new_optics(p, error) : NULL;
  if (!p->optics)
    return FALSE;
  settings = (LacDecoderSettings){
    .grid = p->sizes.grid,
    .output = p->side,
    .bound = LAC_BOUND_SIGMOID,
    .type = g_str_equal(p->way->precision, "f64") ? LAC_F64 : LAC_F32,
  };
  p->network = lac_decoder_new(&settings, &(LacDecoderMeans){.pool = p->pool}, error);
  if (!p->network)
    return FALSE;
  lac_decoder_init(p->network, SEED);
  make_memory(p);
  return TRUE;
}

static void
close_progressive(Progressive *p)
{
  lac_decoder_free(p->network);
  lac_optics_free(p->optics);
  if (p->pool)
    lac_pool_free(p->pool);
  g_free(p->truth);
  g_free(p->object);
  g_free(p->spectrum);
  g_free(p->truth_spectrum);
  g_free(p->spectrum_bar);
  g_free(p->fields);
  g_free(p->modulus);
  g_free(p->picture);
  g_free(p->picture_bar);
  g_free(p->predicted);
  g_free(p->bar);
  g_free(p->measured);
  g_free(p->is_kept);
}

/* Moves the aperture to @position, even where it already is: this recomputes its pixels. */
static void
use_aperture(Progressive *p, gsize position)
{
  const LacScanBox *scan = lac_optics_get_settings(p->optics)->scan;

  if (p->way->plain & LAC_PLAIN_MASKS)
    lac_optics_move(p->optics, position, scan[position].y, scan[position].x);
}

/* Returns the measured exposure. */
static const double *
measure(Progressive *p, gsize position)
{
  const gsize    d = lac_optics_get_detector(p->optics);
  const gboolean keeps = !(p->way->plain & LAC_PLAIN_MEASUREMENTS);
  double        *image = p->measured + (keeps ? position * d * d : 0);

  p->n_asked++;
  if (keeps && p->is_kept[position]) {
    p->n_found++;
    return image;
  }
  use_aperture(p, position);
  lac_optics_scan_spectrum(p->optics, position, p->truth, p->truth_spectrum);
  lac_optics_measure(p->optics, position, p->truth_spectrum, p->fields, image);
  p->is_kept[position] = keeps;
  return image;
}

static void
compare(Progressive *p, gsize position)
{
  const gsize   d = lac_optics_get_detector(p->optics);
  const double *measured = measure(p, position);

  use_aperture(p, position);
  lac_optics_measure(p->optics, position, p->spectrum, p->fields, p->predicted);
  lac_decoder_compare_l1(p->predicted, measured, d * d, p->bar);
  for (gsize i = 0; i < d * d; i++) /* da = Re(u* du) / a */
    p->fields[i] *= p->predicted[i] > 0 ? p->bar[i] / p->predicted[i] : 0;
  lac_optics_field_adjoint(p->optics, position, 0, p->fields, p->spectrum_bar);
}

static void
learn(Progressive *p, const gsize *scan, gsize n_positions)
{
  const LacBand band = lac_optics_get_band(p->optics);

  lac_decoder_forward(p->network, p->picture);
  for (gsize i = 0; i < p->n; i++)
    p->object[i] = p->picture[i];
  lac_optics_spectrum(p->optics, p->object, p->spectrum);
  memset(p->spectrum_bar, 0, band.height * band.width * sizeof *p->spectrum_bar);
  for (gsize t = 0; t < n_positions; t++)
    compare(p, scan[t]);
  lac_optics_object(p->optics, p->spectrum_bar, p->object);
  for (gsize i = 0; i < p->n; i++)
    p->picture_bar[i] = creal(p->object[i]);
  lac_decoder_reverse(p->network, p->picture_bar);
  lac_decoder_step(p->network, RATE);
}

static void
score_plainly(const Progressive *p, LacImageQualities *found)
{
  found->psnr = lac_image_psnr(p->picture, p->modulus, p->n, 1);
  found->rmse = lac_image_rmse(p->picture, p->modulus, p->n);
  found->correlation = lac_image_correlation(p->picture, p->modulus, p->n);
  for (int flavour = 0; flavour < LAC_SSIM_N_FLAVOURS; flavour++)
    found->ssim[flavour] =
      lac_image_ssim((LacSsimFlavour) flavour, p->picture, p->modulus, p->side, 1);
  found->ms_ssim = lac_image_ms_ssim(p->picture, p->modulus, p->side, 1);
}

/* A step on an exposure and an earlier one. */
static void
learn_from(Progressive *p, gsize sample)
{
  const gsize earlier = sample > 0 ? lac_rng_below(&p->rng, sample) : 0;
  const gsize scan[N_TERMS] = {sample, earlier};

  learn(p, scan, sample > 0 ? N_TERMS : 1);
}

static void
take_sample(Progressive *p)
{
  learn_from(p, p->n_done++ % p->n_positions);
  if (p->way->plain & LAC_PLAIN_METRICS)
    score_plainly(p, &p->found);
  else
    lac_image_qualities(p->picture, p->modulus, p->side, 1, &p->found);
}

static gboolean
take_samples(gpointer way, double *seconds, GError **error G_GNUC_UNUSED)
{
  Progressive         *p = way;
  const LacBenchClocks begin = lac_bench_pair_begin(p->task);

  for (gsize i = 0; i < N_MEASURED; i++)
    take_sample(p);
  *seconds = lac_bench_pair_seconds(p->task, begin) / N_MEASURED;
  return TRUE;
}

gboolean
lac_bench_pair_progressive(const LacBenchPairTask *task, LacBenchPairResult *result, GError **error)
{
  const Sizes sizes = find_sizes(task);
  Progressive with = {.task = task, .way = &task->with, .sizes = sizes};
  Progressive without = {.task = task, .way = &task->without, .sizes = sizes};
  gboolean    done = open_progressive(&with, error) && open_progressive(&without, error);

  for (gsize i = 0; i < N_WARM && done; i++) {
    take_sample(&with);
    take_sample(&without);
  }
  done = done && lac_bench_pair_measure(take_samples, &with, &without, result, error);
  if (done) {
    result->difference = fabs(without.found.psnr - with.found.psnr);
    result->may_differ = DB_MAY;
    result->of = "PSNR of the image after 100 exposures, in dB";
    result->unit = "dB";
  }
  close_progressive(&with);
  close_progressive(&without);
  return done;
}

/* ---- the verdict: the stated workload, some passes over all exposures ---- */

#define N_PASSES 3

/* Takes one pass. Returns: seconds. */
static double
take_pass(Progressive *p)
{
  const LacBenchClocks begin = lac_bench_pair_begin(p->task);

  for (gsize i = 0; i < p->n_positions; i++)
    take_sample(p);
  return lac_bench_pair_seconds(p->task, begin);
}

static gsize
count_kept(const Progressive *p)
{
  gsize n = 0;

  for (gsize i = 0; i < p->n_positions; i++)
    n += p->is_kept[i];
  return n;
}

/* The results of one variant. @seconds: of a pass */
static void
add_side(const LacBenchTask *task,
         LacBenchFile       *rows,
         const Progressive  *p,
         const char         *which,
         double              seconds)
{
  const struct {
    const char  *metric, *unit;
    LacBenchKind kind;
    double       value, tolerance;
  } of[] = {
    {"samples_per_second", "1/s", LAC_BENCH_MERIT, (double) p->n_positions / seconds, 0},
    {"entries", "1", LAC_BENCH_MERIT, (double) count_kept(p), 0},
    {"psnr_db", "dB", LAC_BENCH_MERIT, p->found.psnr, 0},
    {"mse", "1", LAC_BENCH_QUALITY, pow(10, -p->found.psnr / 10), 0.05}, /* of values in [0, 1] */
    {"correlation", "1", LAC_BENCH_MERIT, p->found.correlation, 0},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(of); i++) {
    g_autofree char *metric = g_strconcat("prism_", which, of[i].metric, NULL);

    lac_bench_print(
      task, rows,
      (LacBenchRow){
        .metric = metric, .unit = of[i].unit, .kind = of[i].kind, .tolerance = of[i].tolerance},
      of[i].value, NAN);
  }
}

/* The checks of PRISM's phase 5, with their limits. */
static void
add_verdict(const LacBenchTask *task,
            LacBenchFile       *rows,
            const Progressive  *with,
            const Progressive  *without,
            double              speedup,
            double              peak)
{
  const struct {
    LacBenchRow row;
    double      value;
  } checks[] = {
    {{.metric = "prism_speedup",
      .unit = "1",
      .kind = LAC_BENCH_MERIT,
      .limit = 3,
      .note = "everything optimised against nothing, three passes over 100 exposures"},
     speedup},
    {{.metric = "prism_hit_rate",
      .unit = "1",
      .kind = LAC_BENCH_MERIT,
      .limit = 0.8,
      .note = "exposures that had been kept, first pass included"},
     (double) with->n_found / (double) with->n_asked},
    {{.metric = "prism_peak_bytes",
      .unit = "B",
      .kind = LAC_BENCH_MEMORY,
      .limit = 2e9,
      .note = "of the process in the first optimised pass"},
     peak},
    {{.metric = "prism_psnr_difference_db",
      .unit = "dB",
      .kind = LAC_BENCH_QUALITY,
      .limit = DB_MAY,
      .tolerance = 1,
      .note = "between both images"},
     fabs(with->found.psnr - without->found.psnr)},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(checks); i++)
    lac_bench_print(task, rows, checks[i].row, checks[i].value, NAN);
}

gboolean
lac_bench_prism(const LacBenchTask *task, LacBenchFile *rows, GError **error)
{
  LacBenchPairTask pair = {.tier = task->tier, .with = lac_bench_way(lac_pool_available(), "f32")};
  double           seconds[2][N_PASSES], ratios[N_PASSES], grown, peak = NAN;

  pair.without = lac_bench_way(1, "f64");
  pair.without.plain =
    LAC_PLAIN_MEASUREMENTS | LAC_PLAIN_MASKS | LAC_PLAIN_DETECTOR | LAC_PLAIN_METRICS;
  pair.without.cpu.plans_every_call = TRUE;
  const LacBenchMemory memory = lac_bench_memory_begin();
  const Sizes          sizes = find_sizes(&pair);
  Progressive          with = {.task = &pair, .way = &pair.with, .sizes = sizes};
  Progressive          without = {.task = &pair, .way = &pair.without, .sizes = sizes};
  gboolean             done = open_progressive(&with, error);

  for (gsize i = 0; i < N_PASSES && done; i++) {
    seconds[0][i] = take_pass(&with);
    if (i == 0) {
      peak = lac_bench_memory_end(memory, &grown);
      done = open_progressive(&without, error);
    }
    seconds[1][i] = done ? take_pass(&without) : 1;
    ratios[i] = seconds[1][i] / seconds[0][i];
  }
  if (done) {
    add_verdict(task, rows, &with, &without, lac_median(ratios, N_PASSES), peak);
    add_side(task, rows, &with, "", lac_median(seconds[0], N_PASSES));
    add_side(task, rows, &without, "plain_", lac_median(seconds[1], N_PASSES));
  }
  close_progressive(&with);
  close_progressive(&without);
  return done;
}

/* ---- training at any size ---- */

#define LEAST_RADIUS 1.0 /* a smaller aperture may miss every pixel */

struct _LacBenchProgressive {
  LacBenchWay way;
  Progressive progressive;
};

LacBenchProgressive *
lac_bench_progressive_new(gsize size, gsize n_samples, guint n_threads, GError **error)
{
  LacBenchProgressive *self = g_new0(LacBenchProgressive, 1);

  self->way = lac_bench_way(n_threads, "f32");
  self->progressive.way = &self->way;
  self->progressive.sizes = (Sizes){size, size / 2, MAX(8.5 / 1024 * (double) size, LEAST_RADIUS),
                                    (double) size, n_samples};
  if (open_progressive(&self->progressive, error))
    return self;
  lac_bench_progressive_free(self);
  return NULL;
}

void
lac_bench_progressive_free(LacBenchProgressive *self)
{
  close_progressive(&self->progressive);
  g_free(self);
}

void
lac_bench_progressive_step(LacBenchProgressive *self, gsize sample)
{
  learn_from(&self->progressive, sample);
}

double
lac_bench_progressive_psnr(LacBenchProgressive *self)
{
  const Progressive *p = &self->progressive;

  lac_image_qualities(p->picture, p->modulus, p->side, 1, &self->progressive.found);
  return p->found.psnr;
}
