/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progressive decoder: fits a network whose parameters represent the picture to one exposure after the other by
 * Adam, while rehearsing the earlier ones. There are no training data: the training is the reconstruction.
 *
 * The rehearsal determines the result. Replay uses the measured exposures. The original program instead rehearses its
 * own earlier output, seen through the union of the apertures, which no camera records: early errors then persist.
 * Source: Ulyanov, Vedaldi, Lempitsky (2018), arXiv 1711.10925 */
#include "base/error.h"
#include "experiment/imaging/methods/decoder/fit.h"
#include "experiment/imaging/methods/decoder/schedule.h"
#include "experiment/imaging/methods/estimate-method.h"
#include "experiment/imaging/methods/k-space.h"
#include "experiment/imaging/optics/exposures.h"

#include <glib/gi18n-lib.h>

#include <math.h>

typedef struct {
  gint64 decoder_data;
  gint64 decoder_steps;
  gint64 decoder_replays;
  double decoder_rate;
  gint64 decoder_bound;
  gint64 decoder_loss;
  double decoder_weight_l1, decoder_weight_l2, decoder_weight_ssim, decoder_weight_ms_ssim;
  gint64 decoder_start;
  gint64 decoder_start_steps;
  double decoder_threshold;
  gint64 decoder_normalised;
  gint64 decoder_adaptive;
  gint64 decoder_retries;
  gint64 decoder_retry_steps;
  gint64 decoder_retry_loss;
  gint64 decoder_finish;
  gint64 decoder_latent;
  gint64 decoder_together;
} Params;

static const char *const data_names[] = {"replay", "self", "all", NULL};
static const char *const loss_names[] = {"l1", "l2", "ssim", "ms-ssim", "composite", NULL};
static const char *const start_names[] = {"none", "circle", "measurement", "synthetic-aperture",
                                          NULL};
static const char *const bound_names[] = {"auto",     "sigmoid", "scaled-sigmoid", "hard-sigmoid",
                                          "softplus", "tanh",    "relu",           "leaky-relu",
                                          "none",     NULL};

/* names of the choices above, in the same order */
static const char *const data_titles[] = {N_("Replay"), N_("Self-rehearsal"), N_("All exposures")};
static const char *const loss_titles[] = {N_("Mean absolute error (L1)"),
                                          N_("Mean squared error (L2)"), "SSIM", "MS-SSIM",
                                          N_("Weighted sum")};
static const char *const start_titles[] = {N_("No initial image"), N_("Disc"), N_("First exposure"),
                                           N_("Mean of all exposures")};
static const char *const bound_titles[] = {
  N_("Automatic"), N_("Sigmoid"), N_("Scaled sigmoid"), N_("Hard sigmoid"), "Softplus",
  "tanh",          "ReLU",        "Leaky ReLU",         N_("None")};

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, decoder_data), LAC_PARAM_CHOICE, "1", 0, 0, LAC_REHEARSAL_REPLAY, N_("Rehearsal"), N_("Decoder"), N_("Replay: measured images; self-rehearsal: the network's earlier output (about 35 dB worse)"), .choices = data_names, .titles = data_titles},
  {LAC_FIELD(Params, decoder_steps), LAC_PARAM_INTEGER, "1", 1, 100000, 300, N_("Steps per exposure"), N_("Decoder"), N_("Maximum Adam steps per exposure, even if it stays above the threshold")},
  {LAC_FIELD(Params, decoder_replays), LAC_PARAM_INTEGER, "1", 1, 64, 4, N_("Replayed per step"), N_("Decoder"), N_("Earlier exposures drawn at random for each step"), .list = "decoder_data", .entry = "replay"},
  {LAC_FIELD(Params, decoder_rate), LAC_PARAM_REAL, "1", 1e-6, 0.1, 3e-3, N_("Learning rate"), N_("Decoder"), N_("Learning rate of Adam"), LAC_PARAM_LIVE},
  {LAC_FIELD(Params, decoder_bound), LAC_PARAM_CHOICE, "1", 0, 0, 0, N_("Output"), N_("Decoder"), N_("Output activation; automatic: sigmoid with an upper bound, else softplus; without bounds the sign may flip"), LAC_PARAM_ADVANCED, .choices = bound_names, .titles = bound_titles},
  {LAC_FIELD(Params, decoder_loss), LAC_PARAM_CHOICE, "1", 0, 0, LAC_LOSS_L1, N_("Loss"), N_("Decoder"), N_("SSIM and MS-SSIM: structural dissimilarity; weighted sum: of all four"), .choices = loss_names, .titles = loss_titles},
  {LAC_FIELD(Params, decoder_weight_l1), LAC_PARAM_REAL, "1", 0, 1, 0.7, N_("Weight of L1"), N_("Decoder"), N_("Weight in the sum; the four weights add up to 1"), LAC_PARAM_ADVANCED, .list = "decoder_loss", .entry = "composite"},
  {LAC_FIELD(Params, decoder_weight_l2), LAC_PARAM_REAL, "1", 0, 1, 0, N_("Weight of L2"), N_("Decoder"), N_("Weight in the sum; the four weights add up to 1"), LAC_PARAM_ADVANCED, .list = "decoder_loss", .entry = "composite"},
  {LAC_FIELD(Params, decoder_weight_ssim), LAC_PARAM_REAL, "1", 0, 1, 0.3, N_("Weight of SSIM"), N_("Decoder"), N_("Weight in the sum; the four weights add up to 1"), LAC_PARAM_ADVANCED, .list = "decoder_loss", .entry = "composite"},
  {LAC_FIELD(Params, decoder_weight_ms_ssim), LAC_PARAM_REAL, "1", 0, 1, 0, N_("Weight of MS-SSIM"), N_("Decoder"), N_("Weight in the sum; the four weights add up to 1"), LAC_PARAM_ADVANCED, .list = "decoder_loss", .entry = "composite"},
  {LAC_FIELD(Params, decoder_start), LAC_PARAM_CHOICE, "1", 0, 0, LAC_START_NONE, N_("Initial image"), N_("Decoder"), N_("Image that the network fits before the exposures"), LAC_PARAM_ADVANCED, .choices = start_names, .titles = start_titles},
  {LAC_FIELD(Params, decoder_start_steps), LAC_PARAM_INTEGER, "1", 1, 100000, 400, N_("Initial steps"), N_("Decoder"), N_("Maximum Adam steps to fit the initial image; ends early below the threshold"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, decoder_threshold), LAC_PARAM_REAL, "1", 0, 1, 1e-3, N_("Threshold"), N_("Decoder"), N_("Stop an exposure when all losses are below this value or the noise level")},
  {LAC_FIELD(Params, decoder_normalised), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Normalised loss"), N_("Decoder"), N_("Relative to the loss of a zero prediction, so dim and bright exposures count equally"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, decoder_adaptive), LAC_PARAM_SWITCH, "1", 0, 1, 0, N_("Adaptive difficulty"), N_("Decoder"), N_("On a plateau: twice the learning rate, with warm restarts; out of steps: more at a tenth of it"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, decoder_retries), LAC_PARAM_INTEGER, "1", 0, 100, 1, N_("Retries"), N_("Decoder"), N_("Retries of exposures above the threshold, at most at a tenth of the learning rate")},
  {LAC_FIELD(Params, decoder_retry_steps), LAC_PARAM_INTEGER, "1", 1, 100000, 50, N_("Steps per retry"), N_("Decoder"), N_("Adam steps of a retried exposure")},
  {LAC_FIELD(Params, decoder_retry_loss), LAC_PARAM_SWITCH, "1", 0, 1, 0, N_("Change loss on retry"), N_("Decoder"), N_("Retries use the next of the losses L1, SSIM, L2, MS-SSIM"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, decoder_finish), LAC_PARAM_INTEGER, "1", 0, 100000, 50, N_("Final steps"), N_("Decoder"), N_("Final steps per exposure, drawing from all exposures at a falling learning rate")},
  {LAC_FIELD(Params, decoder_latent), LAC_PARAM_INTEGER, "1", 0, 65536, 0, N_("Latent size"), N_("Decoder"), N_("Length of the latent vector (0: grid size), which determines three quarters of all parameters"), LAC_PARAM_ADVANCED},
  {LAC_FIELD(Params, decoder_together), LAC_PARAM_INTEGER, "1", 1, 10000, 20, N_("Steps per report"), N_("Decoder"), N_("Adam steps reported as one step"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

enum { CURVE_PRESENT, CURVE_EARLIER, CURVE_RATE, CURVE_TIER, CURVE_FAILED, N_OWN_CURVES };

typedef struct {
  LacEstimateMethod   method;
  Params              params;
  LacDecoderFit      *fit;
  LacDecoderSchedule *schedule;
  gsize              *scan;         /* [n_positions]: of the current step */
  guint               epoch, batch; /* of the last step in this process */
} Decoder;

static LacScheduleSettings
schedule_of(const Params *params, gsize n_positions, guint64 seed)
{
  return (LacScheduleSettings){
    .data = (LacRehearsal) params->decoder_data,
    .n_positions = n_positions,
    .start_steps = params->decoder_start == LAC_START_NONE ? 0 : params->decoder_start_steps,
    .steps = params->decoder_steps,
    .replays = params->decoder_replays,
    .rate = params->decoder_rate,
    .threshold = params->decoder_threshold,
    .adaptive = params->decoder_adaptive != 0,
    .retries = params->decoder_retries,
    .retry_steps = params->decoder_retry_steps,
    .finish_steps = params->decoder_finish,
    .seed = seed,
  };
}

static LacBound
bound_of(const Params *params, gboolean bounded)
{
  static const LacBound bounds[] = {
    LAC_BOUND_SIGMOID,      LAC_BOUND_SIGMOID,    LAC_BOUND_SCALED_SIGMOID,
    LAC_BOUND_HARD_SIGMOID, LAC_BOUND_SOFTPLUS,   LAC_BOUND_TANH,
    LAC_BOUND_RELU,         LAC_BOUND_LEAKY_RELU, LAC_BOUND_NONE};

  if (params->decoder_bound == 0)
    return bounded ? LAC_BOUND_SIGMOID : LAC_BOUND_SOFTPLUS;
  return bounds[params->decoder_bound];
}

#define LEAST_DETECTOR 6 /* pixels: minimum for half a window of the structural similarity */

#define WEIGHTS_OFF 0.01 /* tolerance of their sum from 1 */

static LacDecoderFitSettings
fit_of(const Params *params, gboolean bounded)
{
  return (LacDecoderFitSettings){
    .latent = (gsize) params->decoder_latent,
    .bound = bound_of(params, bounded),
    .loss = (LacAmplitudeLossKind) params->decoder_loss,
    .weights = {[LAC_LOSS_L1] = params->decoder_weight_l1,
                [LAC_LOSS_L2] = params->decoder_weight_l2,
                [LAC_LOSS_SSIM] = params->decoder_weight_ssim,
                [LAC_LOSS_MS_SSIM] = params->decoder_weight_ms_ssim},
    .normalised = params->decoder_normalised != 0,
    .remembers = params->decoder_data == LAC_REHEARSAL_SELF,
    .changes = params->decoder_retry_loss != 0,
    .most_terms =
      params->decoder_data == LAC_REHEARSAL_ALL ? G_MAXSIZE : 1 + (gsize) params->decoder_replays,
  };
}

static gboolean
check_weights(const Params *params, GError **error)
{
  const double sum = params->decoder_weight_l1 + params->decoder_weight_l2 +
                     params->decoder_weight_ssim + params->decoder_weight_ms_ssim;

  if (params->decoder_loss != LAC_LOSS_COMPOSITE || fabs(sum - 1) <= WEIGHTS_OFF)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              "the weights of l1, l2, ssim and ms-ssim add up to %g: they must to 1, within %g",
              sum, WEIGHTS_OFF);
  return FALSE;
}

/* Returns TRUE when the loss uses SSIM windows. */
static gboolean
has_windows(const Params *params)
{
  if (params->decoder_retry_loss)
    return TRUE;
  if (params->decoder_loss == LAC_LOSS_COMPOSITE)
    return params->decoder_weight_ssim > 0 || params->decoder_weight_ms_ssim > 0;
  return params->decoder_loss == LAC_LOSS_SSIM || params->decoder_loss == LAC_LOSS_MS_SSIM;
}

static gboolean
check_exposures(const Params *params, const LacExposures *exposures, GError **error)
{
  const LacDecoderSettings settings = {.grid = exposures->grid,
                                       .output = exposures->support,
                                       .latent = (gsize) params->decoder_latent};

  if (exposures->d < LEAST_DETECTOR && has_windows(params)) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "images of %zu x %zu pixels are too small for the losses ssim and ms-ssim, which need %d: "
      "choose l1 or l2, and the same loss at a retry",
      exposures->d, exposures->d, LEAST_DETECTOR);
    return FALSE;
  }
  return lac_decoder_check(&settings, error);
}

static gboolean
check(gconstpointer values, const LacImagingProblem *problem, GError **error)
{
  if (!check_weights(values, error))
    return FALSE;
  return !problem->exposures || check_exposures(values, problem->exposures, error);
}

#define SECONDS_PER_FLOP 2e-11 /* of the network, on one thread */
#define SECONDS_PER_POINT \
  3e-8 /* of the transforms: per pixel of the grid's rows or of a detector */

/* Returns the bytes of what the structural losses of @n images need. */
static double
map_bytes(const Params *params, double n, double pixels)
{
  return has_windows(params) ? 8 * pixels * (n + LAC_WAVE_MAPS * fmin(n, 16)) : 0;
}

static void
estimate(gconstpointer values, const LacImagingSize *size, LacEstimate *result)
{
  const Params             *params = values;
  const LacScheduleSettings schedule = schedule_of(params, size->n_positions, 0);
  const LacDecoderSettings  settings = {.grid = size->grid,
                                        .output = size->support,
                                        .latent = (gsize) params->decoder_latent,
                                        .type = LAC_F32};
  const double              n_terms = params->decoder_data == LAC_REHEARSAL_ALL
                                        ? (double) size->n_positions
                                        : 1.0 + (double) params->decoder_replays;
  const double              d2 = (double) (size->detector * size->detector),
               n2 = (double) (size->grid * size->support),
               whole = (double) (size->grid * size->grid),
               rehearsed = params->decoder_data == LAC_REHEARSAL_SELF ? whole : 0;
  const double together = (double) params->decoder_together;
  const gsize  n_parameters = lac_decoder_count_parameters(&settings);
  const double adam = 4e-10 * (double) n_parameters;
  const double n_networks = size->has_phase ? 2 : 1;

  result->n_steps = (lac_decoder_schedule_count_steps(&schedule) + params->decoder_together - 1) /
                    params->decoder_together;
  result->seconds_per_step =
    together * (n_networks * (SECONDS_PER_FLOP * lac_decoder_count_flops(&settings) + adam) +
                SECONDS_PER_POINT * (4 * n2 + 4 * n_terms * d2 + 4 * rehearsed)) +
    SECONDS_PER_POINT * (double) size->n_positions * 2 * d2;
  result->n_parameters = (size->has_phase ? 2 : 1) * n_parameters;
  result->memory_bytes =
    n_networks * (double) lac_decoder_count_bytes(&settings) +
    16 * (6 * (double) (size->support * size->support) + (double) size->n_positions * d2) +
    map_bytes(params, n_terms, d2);
  if (params->decoder_data == LAC_REHEARSAL_SELF)
    result->memory_bytes += 42 * whole + map_bytes(params, 1, whole);
}

static gsize
curves(gconstpointer values G_GNUC_UNUSED, const LacImagingCommon *common, LacCurve *list)
{
  const gsize first = lac_imaging_estimate_curves(common, list);

  list[first + CURVE_PRESENT] =
    (LacCurve){"loss_new", N_("Loss of the new exposure"), "1", TRUE, FALSE, NAN};
  list[first + CURVE_EARLIER] =
    (LacCurve){"loss_old", N_("Loss of the earlier exposures"), "1", TRUE, FALSE, NAN};
  list[first + CURVE_RATE] = (LacCurve){"rate", N_("Learning rate of Adam"), "1", TRUE, FALSE, NAN};
  list[first + CURVE_TIER] =
    (LacCurve){"tier", N_("Difficulty level: normal, aggressive, rescue"), "1", FALSE, FALSE, NAN};
  list[first + CURVE_FAILED] =
    (LacCurve){"failed", N_("Exposures above the threshold"), "1", FALSE, TRUE, NAN};
  return first + N_OWN_CURVES;
}

static void
destroy(gpointer data)
{
  Decoder *decoder = data;

  lac_decoder_schedule_free(decoder->schedule);
  lac_decoder_fit_free(decoder->fit);
  lac_imaging_estimate_free(decoder->method.h);
  g_free(decoder->scan);
  g_free(decoder);
}

static gpointer
create(gconstpointer values, const LacImagingProblem *problem, GError **error)
{
  Decoder                    *decoder = g_new0(Decoder, 1);
  const Params               *params = values;
  LacScheduleSettings         schedule;
  const LacDecoderFitSettings fit_settings = fit_of(params, problem->bounded);

  decoder->params = *params;
  decoder->method.h =
    check(values, problem, error) ? lac_imaging_estimate_new(problem, error) : NULL;
  if (decoder->method.h)
    decoder->fit = lac_decoder_fit_new(decoder->method.h, &fit_settings, error);
  if (decoder->fit)
    decoder->method.h->k_space = lac_k_space_new(
      decoder->method.h, &(LacKSpaceSettings){.kind = LAC_K_SPACE_COMPARISONS}, error);
  if (!decoder->fit || !decoder->method.h->k_space) {
    destroy(decoder);
    return NULL;
  }
  schedule = schedule_of(params, decoder->method.h->n_positions, problem->context->seed);
  decoder->schedule = lac_decoder_schedule_new(&schedule);
  lac_decoder_fit_aim(decoder->fit, (LacDecoderStart) params->decoder_start);
  decoder->scan = g_new0(gsize, schedule.n_positions);
  lac_decoder_fit_look(decoder->fit);
  if (!lac_decoder_fit_is_sound(decoder->fit, error)) {
    destroy(decoder);
    return NULL;
  }
  return decoder;
}

static gint64
n_steps(gconstpointer data)
{
  const Decoder *decoder = data;

  return (lac_decoder_schedule_count_steps(&decoder->schedule->settings) +
          decoder->params.decoder_together - 1) /
         decoder->params.decoder_together;
}

/* Returns the mean losses, over the earlier exposures too, and whether all are within the noise, if there is noise
 * and the option is on. */
static LacScheduleLosses
losses_of(const Decoder *decoder)
{
  const LacDecoderFit    *fit = decoder->fit;
  const LacImagingCommon *common = decoder->method.h->problem.common;
  LacScheduleLosses       losses = {.present = fit->terms[0].loss,
                                    .within_noise = common->stop_at_noise != 0};

  for (gsize t = 0; t < fit->n_terms; t++) {
    const LacMisfit *misfit = &fit->terms[t].misfit;
    if (t > 0)
      losses.earlier += fit->terms[t].loss / (double) (fit->n_terms - 1);
    losses.within_noise &=
      misfit->expected > 0 &&
      misfit->distance <= common->noise_factor * misfit->expected + sqrt(misfit->variance);
  }
  if (fit->has_memory) {
    losses.earlier = fit->memory_loss;
    losses.within_noise = FALSE;
  }
  return losses;
}

/* Returns the loss: on retries, if enabled, the next of l1, ssim, l2, ms-ssim in rotation; after a composite loss the
 * first of them. */
static LacAmplitudeLossKind
choose_loss(const Decoder *decoder)
{
  static const LacAmplitudeLossKind circle[] = {LAC_LOSS_L1, LAC_LOSS_SSIM, LAC_LOSS_L2,
                                                LAC_LOSS_MS_SSIM};
  const gint64                      n = G_N_ELEMENTS(circle), first = decoder->params.decoder_loss;
  const gint64 retry = decoder->params.decoder_retry_loss ? decoder->schedule->stage.retry : 0;
  gint64       place = 0;

  if (retry == 0)
    return (LacAmplitudeLossKind) first;
  while (place < n && (gint64) circle[place] != first)
    place++;
  return circle[(place == n ? retry - 1 : place + retry) % n];
}

static void
learn_start(Decoder *decoder, LacScheduleLosses *losses)
{
  LacDecoderSchedule *schedule = decoder->schedule;

  lac_decoder_fit_look(decoder->fit);
  *losses = (LacScheduleLosses){.present = lac_decoder_fit_compare_start(decoder->fit)};
  if (lac_decoder_schedule_advance(schedule, losses) == LAC_SCHEDULE_LEARN)
    lac_decoder_fit_learn_start(decoder->fit, lac_decoder_schedule_get_rate(schedule));
}

static void
learn_once(Decoder *decoder, LacScheduleLosses *losses)
{
  LacDecoderFit      *fit = decoder->fit;
  LacDecoderSchedule *schedule = decoder->schedule;
  const gsize         n = lac_decoder_schedule_draw(schedule, decoder->scan);

  if (schedule->stage.phase == LAC_PHASE_START) {
    learn_start(decoder, losses);
    return;
  }
  for (gsize t = 0; t < n; t++)
    fit->terms[t].position = decoder->scan[t];
  lac_decoder_fit_set_loss(fit, choose_loss(decoder));
  lac_decoder_fit_see(fit, n);
  *losses = losses_of(decoder);
  if (lac_decoder_schedule_advance(schedule, losses) == LAC_SCHEDULE_LEARN)
    lac_decoder_fit_learn(fit, lac_decoder_schedule_get_rate(schedule));
  else if (schedule->settings.data == LAC_REHEARSAL_SELF && !schedule->ended)
    lac_decoder_fit_remember(fit,
                             (gsize) schedule->n_seen - (schedule->stage.phase == LAC_PHASE_FIRST));
}

static gboolean
step(gpointer data, LacMethodReport *report, GError **error)
{
  Decoder            *decoder = data;
  LacImagingEstimate *h = decoder->method.h;
  const gsize         first = lac_imaging_estimate_curves(h->problem.common, NULL);
  LacScheduleLosses   losses = {0};
  /* an epoch begins with each new exposure, a batch is the part of it that is reported at once */
  const guint epoch = (guint) MAX(decoder->schedule->n_seen, 1);
  decoder->batch = epoch == decoder->epoch ? decoder->batch + 1 : 1;
  decoder->epoch = epoch;

  for (gint64 i = 0; i < decoder->params.decoder_together && !decoder->schedule->ended; i++)
    learn_once(decoder, &losses);
  lac_decoder_fit_look(decoder->fit);
  lac_imaging_estimate_constrain(h, h->object); /* the output may violate some prior constraints */
  lac_estimate_method_finish_step(&decoder->method, G_MAXINT64, report);
  report->epoch = epoch;
  report->batch = decoder->batch;
  report->samples = (double) (decoder->params.decoder_together * (gint64) decoder->fit->n_terms);
  report->curves[first + CURVE_PRESENT] = losses.present;
  report->curves[first + CURVE_EARLIER] =
    decoder->fit->n_terms > 1 || decoder->fit->has_memory ? losses.earlier : (double) NAN;
  report->curves[first + CURVE_RATE] = lac_decoder_schedule_get_rate(decoder->schedule);
  report->curves[first + CURVE_TIER] = (double) decoder->schedule->stage.tier;
  report->curves[first + CURVE_FAILED] = (double) decoder->schedule->n_failed;
  if (decoder->schedule->ended && report->outcome == LAC_OUTCOME_CONTINUE) {
    report->outcome = LAC_OUTCOME_FINISHED;
    if (decoder->schedule->n_failed == 0)
      g_strlcpy(report->why, _("all exposures are below the threshold"), sizeof report->why);
  }
  return lac_k_space_is_sound(h->k_space, error) && lac_decoder_fit_is_sound(decoder->fit, error);
}

static gsize
n_visited(gconstpointer data)
{
  /* before the first exposure, it counts as the current one */
  return (gsize) MAX(1, ((const Decoder *) data)->schedule->n_seen);
}

static void
visit(gpointer data, LacVisit *visit)
{
  Decoder *decoder = data;

  lac_estimate_method_visit(data, visit);
  lac_decoder_schedule_visit(decoder->schedule, visit);
  lac_decoder_fit_visit(decoder->fit, visit);
}

static void
retune(gpointer data, gconstpointer params)
{
  ((Decoder *) data)->schedule->settings.rate = ((const Params *) params)->decoder_rate;
}

const LacImagingMethod lac_imaging_method_decoder = {
  .name = "decoder",
  .title = N_("Decoder"),
  .source = "Ulyanov, Vedaldi, Lempitsky (2018), arXiv 1711.10925",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .check = check,
  .estimate = estimate,
  .curves = curves,
  .create = create,
  .destroy = destroy,
  .n_steps = n_steps,
  .step = step,
  .object = lac_estimate_method_object,
  .predict = lac_estimate_method_predict,
  .n_visited = n_visited,
  .aberrations = lac_estimate_method_aberrations,
  .positions = lac_estimate_method_positions,
  .leaves_out = lac_estimate_method_leaves_out,
  .visit = visit,
  .retune = retune,
};
