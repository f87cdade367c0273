/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reconstruction quality of the decoder on a USAF chart of 128 x 128 seen through 25 apertures of a Fermat spiral,
 * without noise: PSNR and structural similarity over the whole field, unaligned, for several seeds. Prints JSON. */
#include "bench/harness/program.h"
#include "experiment/imaging/methods/method.h"
#include "experiment/imaging/metrics/metrics.h"
#include "experiment/imaging/objects/object.h"
#include "experiment/imaging/optics/exposures.h"
#include "experiment/imaging/optics/pattern.h"

#include <math.h>
#include <string.h>

#define SIDE        128
#define N_POSITIONS 25
#define RADIUS      15.13 /* of an aperture, in k-space pixels */
#define REACH       39.87 /* of the spiral */
#define LEAST_BAR   3     /* minimum bar width in pixels */
#define MOST_SEEDS  16

typedef struct {
  LacPool        *pool;
  double complex *object;
  double         *truth;
  LacExposures   *exposures;
} Scene;

/* Draws the elements with bars of at least LEAST_BAR, edges on whole pixels; finer ones are beyond the apertures'
 * resolution. */
static void
draw_chart(Scene *scene)
{
  const LacObjectScene   *usaf = lac_object_scene_find("usaf");
  g_autoptr(LacDraft)     draft = lac_draft_new(&usaf->params);
  const LacObjectSettings settings = {.seed = 1};

  lac_draft_set(draft, "finest_bar", G_STRINGIFY(LEAST_BAR), NULL);
  lac_draft_set(draft, "whole_pixels", "yes", NULL);
  scene->object = g_new(double complex, SIDE *SIDE);
  scene->truth = g_new(double, SIDE *SIDE);
  lac_object_make(usaf, lac_draft_get_values(draft), &settings, SIDE, scene->object, NULL);
  for (gsize i = 0; i < SIDE * SIDE; i++)
    scene->truth[i] = creal(scene->object[i]);
}

static Scene
scene_new(void)
{
  gsize                  n_positions;
  g_autofree LacScanBox *scan = lac_pattern_make(
    lac_pattern_find("fermat"), &(LacPatternSettings){.n = N_POSITIONS, .extent = 2 * REACH},
    &n_positions, NULL);
  g_autoptr(LacOptics) optics = NULL;
  Scene                scene = {.pool = lac_pool_new(0)};

  draw_chart(&scene);
  optics = lac_optics_new(&(LacOpticsSettings){.grid = SIDE,
                                               .support = SIDE,
                                               .aperture = {.radius = RADIUS},
                                               .n_positions = n_positions,
                                               .scan = scan},
                          scene.pool, NULL);
  scene.exposures = lac_exposures_simulate(optics, scene.object, &LAC_NOISE_NONE, scene.pool);
  return scene;
}

static const LacImagingMethod *
find(const char *name)
{
  gsize                          n;
  const LacImagingMethod *const *all = lac_imaging_methods(&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal(all[i]->name, name))
      return all[i];
  g_assert_not_reached();
}

typedef struct {
  double psnr, ssim, seconds;
} Quality;

static Quality
quality_of(const Scene *scene, const LacImagingMethod *method, gpointer running)
{
  g_autofree double complex *object = g_new(double complex, SIDE *SIDE);
  g_autofree double         *image = g_new(double, SIDE *SIDE);

  method->object(running, object);
  for (gsize i = 0; i < SIDE * SIDE; i++)
    image[i] = creal(object[i]);
  return (Quality){lac_image_psnr(image, scene->truth, SIDE * SIDE, 1),
                   lac_image_ssim(LAC_SSIM_WHOLE, image, scene->truth, SIDE, 1), 0};
}

/* @every: prints intermediate results at this interval in steps; 0: never */
static Quality
reconstruct(const Scene            *scene,
            const LacImagingMethod *method,
            gconstpointer           params,
            guint64                 seed,
            int                     every)
{
  g_autoptr(LacDraft)     common = lac_draft_new(&lac_imaging_method_common);
  const LacContext        context = {.pool = scene->pool, .seed = seed, .precision = "f32"};
  const LacImagingProblem problem = {
    .context = &context,
    .exposures = scene->exposures,
    .common = lac_draft_get_values(common),
    .is_real = TRUE,
    .bounded = TRUE,
    .high = 1,
  };
  gpointer        running = method->create(params, &problem, NULL);
  LacMethodReport report = {0};
  const double    begin = lac_bench_cpu_seconds();
  Quality         quality;

  for (gint64 k = 1; report.outcome == LAC_OUTCOME_CONTINUE; k++) {
    method->step(running, &report, NULL);
    if (every > 0 && k % every == 0) {
      quality = quality_of(scene, method, running);
      g_printerr("step %d: misfit %.5f, %.2f dB, ssim %.5f\n", (int) k, report.curves[0],
                 quality.psnr, quality.ssim);
    }
  }
  quality = quality_of(scene, method, running);
  quality.seconds = lac_bench_cpu_seconds() - begin;
  method->destroy(running);
  return quality;
}

static gboolean
set_all(LacDraft *draft, char **settings, GError **error)
{
  for (; settings && *settings; settings++) {
    g_auto(GStrv) pair = g_strsplit(*settings, "=", 2);
    if (!lac_draft_set(draft, pair[0], pair[1] ? pair[1] : "", error))
      return FALSE;
  }
  return TRUE;
}

static void
print_quality(const char    *name,
              const Quality *qualities,
              gsize          n,
              double         psnr_limit,
              double         ssim_limit)
{
  double psnr[MOST_SEEDS], ssim[MOST_SEEDS], seconds[MOST_SEEDS];

  for (gsize i = 0; i < n; i++) {
    psnr[i] = qualities[i].psnr;
    ssim[i] = qualities[i].ssim;
    seconds[i] = qualities[i].seconds;
  }
  bench_print(bench_row(name, "psnr", "dB", LAC_BENCH_MERIT, psnr_limit), psnr, n);
  bench_print(bench_row(name, "ssim", "1", LAC_BENCH_MERIT, ssim_limit), ssim, n);
  bench_print(bench_row(name, "cpu_seconds", "s", LAC_BENCH_TIME, 0), seconds, n);
}

int
main(int argc, char **argv)
{
  int                n_seeds = 5, every = 0;
  g_autofree char   *method_name = NULL;
  g_auto(GStrv)      settings = NULL;
  const GOptionEntry entries[] = {
    {"seeds", 0, 0, G_OPTION_ARG_INT, &n_seeds, "how many", "N"},
    {"every", 0, 0, G_OPTION_ARG_INT, &every, "print intermediate results every N steps", "N"},
    {"method", 0, 0, G_OPTION_ARG_STRING, &method_name, "another solver", "NAME"},
    {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &settings, "a parameter of the method", "KEY=VALUE"},
    {NULL},
  };
  g_autoptr(GError) error = NULL;
  Quality           qualities[MOST_SEEDS];

  bench_parse(entries, NULL, &argc, &argv);
  const LacImagingMethod *method = find(method_name ? method_name : "decoder");
  g_autoptr(LacDraft)     draft = lac_draft_new(&method->params);
  const gboolean          plain = !method_name && !settings;
  const Scene             scene = scene_new();

  n_seeds = CLAMP(n_seeds, 1, MOST_SEEDS);
  if (!set_all(draft, settings, &error)) {
    g_printerr("%s\n", error->message);
    return 2;
  }
  bench_begin(lac_pool_get_n_threads(scene.pool), NULL);
  for (int i = 0; i < n_seeds; i++)
    qualities[i] = reconstruct(&scene, method, lac_draft_get_values(draft), (guint64) i, every);
  g_autofree char *name = g_strconcat("imaging/usaf-128-", method->name, NULL);
  print_quality(name, qualities, (gsize) n_seeds, plain ? 50 : 0, plain ? 0.99 : 0);
  if (plain) {
    lac_draft_set(draft, "decoder_data", "self", NULL);
    qualities[0] = reconstruct(&scene, method, lac_draft_get_values(draft), 0, every);
    print_quality("imaging/usaf-128-decoder-self", qualities, 1, 0, 0);
  }
  return bench_end();
}
