/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameter rows of the network, their checks, and the cost estimate. */
#include "experiment/flow/methods/pinn/params.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define MOST_DENSE 20000 /* largest number of parameters for which a square matrix is stored */

static const LacOptimiserKind first_kinds[] = {LAC_OPTIMISER_ADAM, LAC_OPTIMISER_SOAP};
static const char *const      first_names[] = {"adam", "soap", NULL};
static const LacOptimiserKind quasi_kinds[] = {LAC_OPTIMISER_SSBROYDEN, LAC_OPTIMISER_SSBROYDEN1,
                                               LAC_OPTIMISER_SSBFGS, LAC_OPTIMISER_BFGS,
                                               LAC_OPTIMISER_LBFGS};
static const char *const      quasi_names[] = {"ssbroyden", "ssbroyden1", "ssbfgs",
                                               "bfgs",      "lbfgs",      NULL};
static const char *const      transform_names[] = {"none", "root", "logarithm",
                                                   NULL}; /* in the order of LacTransform */
static const char *const      rule_names[] = {"rad", "rar", "uniform", "fixed", NULL};
static const char *const      fourier_names[] = {"none", "random", "axes", NULL};
/* must equal lac_architecture_name(), checked by a test */
static const char *const architecture_names[] = {"mlp",   "modified-mlp", "piratenet",
                                                 "siren", "resnet",       NULL};
static const char *const sampling_names[] = {"uniform", "latin", "sobol", NULL};

/* names of the choices above, in the same order */
static const char *const first_titles[] = {"Adam", "SOAP"};
static const char *const quasi_titles[] = {N_("Self-scaled Broyden"),
                                           N_("Self-scaled Broyden, first variant"),
                                           N_("Self-scaled BFGS"), "BFGS", "L-BFGS"};
static const char *const transform_titles[] = {N_("None"), N_("Square root"), N_("Logarithm")};
static const char *const rule_titles[] = {N_("Residual-based resampling (RAD)"),
                                          N_("Residual-based refinement (RAR)"),
                                          N_("Uniform resampling"), N_("Fixed set of points")};
static const char *const fourier_titles[] = {N_("None"), N_("Random Fourier features"),
                                             N_("Harmonics of the axes")};
static const char *const architecture_titles[] = {"MLP", N_("Modified MLP"), "PirateNet", "SIREN",
                                                  "ResNet"};
static const char *const sampling_titles[] = {N_("Uniform"), N_("Latin hypercube"),
                                              N_("Sobol sequence")};

#define PINN(member) LAC_FIELD(LacPinnParams, member)

/* clang-format off */
const LacParam lac_pinn_rows[] = {
  {PINN(architecture), LAC_PARAM_CHOICE, "1", 0, 0, LAC_NETWORK_MLP, N_("Architecture"), N_("Network"), N_("Modified MLP: gated by two encoders; PirateNet: initially the identity; SIREN: sine activations"), LAC_PARAM_ADVANCED, .choices = architecture_names, .titles = architecture_titles},
  {PINN(depth), LAC_PARAM_INTEGER, "1", 1, 12, 3, N_("Hidden layers"), N_("Network"), N_("Layers between coordinates and fields")},
  {PINN(width), LAC_PARAM_INTEGER, "1", 2, 512, 20, N_("Neurons per layer"), N_("Network"), N_("Dense quasi-Newton methods store a square matrix over all parameters")},
  {PINN(fourier), LAC_PARAM_CHOICE, "1", 0, 0, LAC_PINN_FOURIER_NONE, N_("Fourier features"), N_("Network"), N_("Random frequencies over all axes, or harmonics 1, 2, 4, ... of each space coordinate"), LAC_PARAM_ADVANCED, .choices = fourier_names, .titles = fourier_titles},
  {PINN(frequencies), LAC_PARAM_INTEGER, "1", 1, 512, 32, N_("Random frequencies"), N_("Network"), N_("Each one adds a sine and a cosine input"), LAC_PARAM_ADVANCED},
  {PINN(fourier_scale), LAC_PARAM_REAL, "1", 0.01, 100, 1, N_("Frequency spread"), N_("Network"), N_("Standard deviation; 1 to 2 for smooth fields, 5 to 10 for rough ones"), LAC_PARAM_ADVANCED},
  {PINN(harmonics), LAC_PARAM_INTEGER, "1", 0, LAC_NETWORK_MAX_HARMONICS, 4, N_("Harmonics"), N_("Network"), N_("Number of harmonics of periodic axes and of Fourier features “axes”; 0: plain coordinates"), LAC_PARAM_ADVANCED},
  {PINN(anneal), LAC_PARAM_SWITCH, "1", 0, 1, 0, N_("Enable harmonics gradually"), N_("Network"), N_("Low frequencies first, all of them after three fifths of the first stage"), LAC_PARAM_ADVANCED},
  {PINN(mirror), LAC_PARAM_SWITCH, "1", 0, 1, 0, N_("Mirror symmetry"), N_("Network"), N_("Enforces the scene's mirror symmetry exactly; each point costs twice as much"), LAC_PARAM_ADVANCED},
  {PINN(rwf), LAC_PARAM_SWITCH, "1", 0, 1, 0, N_("Factorised weights"), N_("Network"), N_("Each neuron's weights are a direction times the exponential of a trained scale"), LAC_PARAM_ADVANCED},
  {PINN(last_layer), LAC_PARAM_SWITCH, "1", 0, 1, 0, N_("Fit the output layer first"), N_("Network"), N_("Starts from the least-squares fit of the output layer to measurements and conditions; needs either"), LAC_PARAM_ADVANCED},
  {PINN(scale_t), LAC_PARAM_REAL, "1", 0.01, 100, 1, N_("Scaling of time"), N_("Network"), N_("VS-PINN: time is scaled to [-N, N]; larger for fast changes"), LAC_PARAM_ADVANCED},
  {PINN(scale_x), LAC_PARAM_REAL, "1", 0.01, 100, 1, N_("Scaling of x"), N_("Network"), N_("VS-PINN: N is roughly the inverse thickness of the thinnest layer"), LAC_PARAM_ADVANCED},
  {PINN(scale_y), LAC_PARAM_REAL, "1", 0.01, 100, 1, N_("Scaling of y"), N_("Network"), N_("VS-PINN: N is roughly the inverse thickness of the thinnest layer"), LAC_PARAM_ADVANCED},
  {PINN(learn_scaling), LAC_PARAM_SWITCH, "1", 0, 1, 0, N_("Learn the scaling"), N_("Network"), N_("VS-PINN: trains the scaling of every axis that is not periodic, from the values above"), LAC_PARAM_ADVANCED},
  {PINN(points), LAC_PARAM_INTEGER, "1", 64, 500000, 4000, N_("Collocation points"), N_("Points"), N_("Points at which the residual is minimised")},
  {PINN(condition_points), LAC_PARAM_INTEGER, "1", 16, 50000, 400, N_("Condition points"), N_("Points"), N_("Points per condition that is not enforced exactly"), LAC_PARAM_ADVANCED},
  {PINN(refresh), LAC_PARAM_INTEGER, "1", 1, 100000, 500, N_("Resampling interval"), N_("Points"), N_("Iterations between selections of points"), LAC_PARAM_ADVANCED},
  {PINN(pool), LAC_PARAM_INTEGER, "1", 1, 100, 20, N_("Candidates per point"), N_("Points"), N_("Number of candidates per point, from which points are drawn by residual"), LAC_PARAM_ADVANCED},
  {PINN(rule), LAC_PARAM_CHOICE, "1", 0, 0, LAC_PINN_POINTS_RAD, N_("Point selection"), N_("Points"), N_("RAD draws all points anew, by residual; RAR adds points where the residual is large"), LAC_PARAM_ADVANCED, .choices = rule_names, .titles = rule_titles},
  {PINN(sampling), LAC_PARAM_CHOICE, "1", 0, 0, LAC_SAMPLING_UNIFORM, N_("Sampling"), N_("Points"), N_("Distribution of the candidate points"), LAC_PARAM_ADVANCED, .choices = sampling_names, .titles = sampling_titles},
  {PINN(rad_power), LAC_PARAM_REAL, "1", 0, 4, 1, N_("Residual exponent"), N_("Points"), N_("k in the probability |r|^k / mean |r|^k + c"), LAC_PARAM_ADVANCED},
  {PINN(rad_offset), LAC_PARAM_REAL, "1", 0, 100, 1, N_("Uniform share"), N_("Points"), N_("c in the probability |r|^k / mean |r|^k + c"), LAC_PARAM_ADVANCED},
  {PINN(windows), LAC_PARAM_INTEGER, "1", 1, 20, 1, N_("Time windows"), N_("Points"), N_("Windows through which the first stage advances in time"), LAC_PARAM_ADVANCED},
  {PINN(term_weights), LAC_PARAM_CHOICE, "1", 0, 0, LAC_TERMS_FIXED, N_("Term weights"), N_("Weights"), N_("Fixed: the factors below; otherwise equal gradient norms or traces of the neural tangent kernel"), .choices = lac_term_rule_names, .titles = lac_term_rule_titles},
  {PINN(point_weights), LAC_PARAM_CHOICE, "1", 0, 0, 0, N_("Point weights"), N_("Weights"), N_("RBA and vRBA: by residual; self-adaptive: by gradient ascent, with a fixed set of points"), .choices = lac_point_rule_names, .titles = lac_point_rule_titles},
  {PINN(weigh_every), LAC_PARAM_INTEGER, "1", 1, 100000, 100, N_("Quasi-Newton weight interval"), N_("Weights"), N_("Iterations between point weight updates after the first stage, which updates them every iteration"), LAC_PARAM_ADVANCED},
  {PINN(balance_every), LAC_PARAM_INTEGER, "1", 1, 100000, 500, N_("Term balance interval"), N_("Weights"), N_("Iterations between term weight updates"), LAC_PARAM_ADVANCED},
  {PINN(causal), LAC_PARAM_REAL, "1", 0, 1e4, 0, N_("Causal weights"), N_("Weights"), N_("Decay rate of the weights of later times while earlier ones are unsolved; 0: off"), LAC_PARAM_ADVANCED},
  {PINN(residual_weight), LAC_PARAM_REAL, "1", 0, 1e6, 1, N_("Weight of the equations"), N_("Weights"), N_("Factor of every residual in the loss"), LAC_PARAM_ADVANCED},
  {PINN(condition_weight), LAC_PARAM_REAL, "1", 0, 1e6, 10, N_("Weight of the conditions"), N_("Weights"), N_("Factor of every condition that is not enforced exactly"), LAC_PARAM_ADVANCED},
  {PINN(data_weight), LAC_PARAM_REAL, "1", 0, 1e6, 10, N_("Weight of the measurements"), N_("Weights"), N_("Factor of the misfit at the sensors, in units of the measurements' standard deviation"), LAC_PARAM_ADVANCED},
  {PINN(adam_steps), LAC_PARAM_INTEGER, "1", 0, 1000000, 2000, N_("Adam iterations"), N_("Optimiser"), N_("Iterations of the first stage")},
  {PINN(first), LAC_PARAM_CHOICE, "1", 0, 0, 0, N_("First optimiser"), N_("Optimiser"), N_("SOAP: Adam in the gradients' eigenbasis, more accurate but slower"), LAC_PARAM_ADVANCED, .choices = first_names, .titles = first_titles},
  {PINN(rate), LAC_PARAM_REAL, "1", 1e-6, 1, 5e-3, N_("Adam learning rate"), N_("Optimiser"), N_("Initial learning rate"), LAC_PARAM_ADVANCED | LAC_PARAM_LIVE},
  {PINN(decay), LAC_PARAM_REAL, "1", 0.01, 1, 0.9, N_("Learning rate decay"), N_("Optimiser"), N_("Factor applied to the learning rate every 500 iterations"), LAC_PARAM_ADVANCED},
  {PINN(coefficient_rate), LAC_PARAM_REAL, "1", 0.01, 1000, 3, N_("Coefficient learning rate"), N_("Optimiser"), N_("Learning rate of unknown coefficients, relative to the network's weights"), LAC_PARAM_ADVANCED},
  {PINN(quasi_steps), LAC_PARAM_INTEGER, "1", 0, 1000000, 4000, N_("Quasi-Newton iterations"), N_("Optimiser"), N_("Iterations of the second stage")},
  {PINN(quasi), LAC_PARAM_CHOICE, "1", 0, 0, 0, N_("Quasi-Newton method"), N_("Optimiser"), N_("Self-scaled Broyden is the most accurate; L-BFGS needs the least memory"), .choices = quasi_names, .titles = quasi_titles},
  {PINN(transform), LAC_PARAM_CHOICE, "1", 0, 0, 0, N_("Loss transform"), N_("Optimiser"), N_("Function of the loss that the quasi-Newton method minimises"), LAC_PARAM_ADVANCED, .choices = transform_names, .titles = transform_titles},
  {PINN(target_loss), LAC_PARAM_REAL, "1", 0, 1e6, 0, N_("Target loss"), N_("Optimiser"), N_("Ends the run when the loss is below this value; 0: never"), LAC_PARAM_ADVANCED},
  {PINN(patience), LAC_PARAM_INTEGER, "1", 0, 1000000, 0, N_("Patience"), N_("Optimiser"), N_("Ends a stage after this many iterations without an improvement of one hundredth; 0: never"), LAC_PARAM_ADVANCED},
  {PINN(watch), LAC_PARAM_INTEGER, "1", 1, 100000, 100, N_("Coefficient probe interval"), N_("Optimiser"), N_("Iterations between uncertainty estimates of the unknown coefficients"), LAC_PARAM_ADVANCED},
  {PINN(ensemble), LAC_PARAM_INTEGER, "1", 1, 32, 1, N_("Networks"), N_("Uncertainty"), N_("Number of networks trained from different initial weights; their mean and standard deviation are shown")},
  {PINN(held_out), LAC_PARAM_INTEGER, "%", 0, 50, 0, N_("Held-out positions"), N_("Uncertainty"), N_("Fraction of sensor positions withheld from training to calibrate the standard deviation"), LAC_PARAM_ADVANCED},
  {PINN(coefficient_errors), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Standard errors of coefficients"), N_("Uncertainty"), N_("From the sensitivity of the trained network to the stated noise, at the end of the run; needs a quasi-Newton method other than L-BFGS"), LAC_PARAM_ADVANCED | LAC_PARAM_LATER},
};
/* clang-format on */

G_STATIC_ASSERT(G_N_ELEMENTS(lac_pinn_rows) == LAC_PINN_N_ROWS);

/* Uses harmonics 1, 2, 3 ... instead of a periodic coordinate; 1, 2, 4 ... in addition to a space coordinate with
 * Fourier features by axis. The network's input is [-N, N] on every axis. */
static void
fill_axis(const LacPinnParams *params, const LacPinnModel *model, guint i, LacNetworkAxis *axis)
{
  const LacCase *subject = model->subject;
  const gboolean is_place = subject->steady || i > 0;

  *axis = (LacNetworkAxis){.period = 2 * model->scaling[i], .periodic = subject->periodic[i]};
  if (subject->periodic[i] || (is_place && params->fourier == LAC_PINN_FOURIER_AXES))
    axis->n_harmonics = (guint) params->harmonics;
  for (guint k = 0; k < axis->n_harmonics; k++)
    axis->harmonics[k] = subject->periodic[i] ? k + 1 : pow(2, k);
}

void
lac_pinn_params_fill_model(const LacPinnParams *params, LacPinnModel *model)
{
  const LacCase *subject = model->subject;
  const double   scales[] = {params->scale_t, params->scale_x, params->scale_y, params->scale_y};
  const guint    first = subject->steady ? 1 : 0;
  double         largest = 0;

  model->network = (LacNetwork){
    .n_in = subject->pde->n_axes,
    .n_out = subject->pde->n_fields,
    .depth = (gsize) params->depth,
    .width = (gsize) params->width,
    .activation = LAC_SCALAR_TANH,
    .architecture = (LacArchitecture) params->architecture,
    .omega = params->fourier == LAC_PINN_FOURIER_NONE ? 0 : 1,
    .factorised = params->rwf != 0,
    .factor_mean = 0.5,
    .factor_deviation = 0.1,
    .masked = params->anneal != 0 && params->harmonics > 0,
  };
  if (params->fourier == LAC_PINN_FOURIER_RANDOM) {
    model->network.n_random = (gsize) params->frequencies;
    model->network.deviation = params->fourier_scale;
  }
  for (guint i = 0; i < subject->pde->n_axes; i++) {
    model->scaling[i] = scales[MIN(first + i, 3)];
    largest = MAX(largest, model->scaling[i]);
    fill_axis(params, model, i, &model->network.axes[i]);
  }
  model->residual_scale = 1 / largest;
  model->mirrored = params->mirror != 0;
  model->coefficient_rate = params->coefficient_rate;
  model->learns_scaling = params->learn_scaling != 0;
}

LacPinnStages
lac_pinn_params_get_stages(const LacPinnParams *params)
{
  return (LacPinnStages){
    .n_stages = 2,
    .list = {{first_kinds[params->first], TRUE, params->adam_steps},
             {quasi_kinds[params->quasi], FALSE, params->quasi_steps}},
    .target = params->target_loss,
    .patience = params->patience,
  };
}

static gsize
count_parameters(const LacPinnParams *params, const LacCase *subject)
{
  LacPinnModel model;

  lac_pinn_model_init(&model, subject);
  lac_pinn_params_fill_model(params, &model);
  return lac_pinn_model_get_n_parameters(&model);
}

static gboolean
is_dense(const LacPinnParams *params)
{
  return params->quasi_steps > 0 && quasi_kinds[params->quasi] != LAC_OPTIMISER_LBFGS;
}

/* Returns TRUE when any axis has harmonics. */
static gboolean
has_waves(const LacPinnParams *params, const LacCase *subject)
{
  LacPinnModel model;
  guint        n = 0;

  lac_pinn_model_init(&model, subject);
  lac_pinn_params_fill_model(params, &model);
  for (guint i = 0; i < subject->pde->n_axes; i++)
    n += model.network.axes[i].n_harmonics;
  return n > 0;
}

gboolean
lac_pinn_params_check(gconstpointer values, const LacCase *subject, GError **error)
{
  const LacPinnParams *params = values;
  const gsize          n = count_parameters(params, subject);

  if (params->adam_steps + params->quasi_steps == 0)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "adam_steps and quasi_steps are both 0; at least one iteration is needed");
  else if (is_dense(params) && n > MOST_DENSE)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "the network has %" G_GSIZE_FORMAT
                " parameters; %s stores a square matrix of them and allows at most %d: lower width "
                "or depth, or set quasi = lbfgs",
                n, quasi_names[params->quasi], MOST_DENSE);
  else if (lac_point_rule((guint) params->point_weights)->keeps_points &&
           params->rule != LAC_PINN_POINTS_FIXED)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "point_weights = %s needs fixed points: set rule = fixed",
                lac_point_rule_names[params->point_weights]);
  else if (params->held_out > 0 && params->ensemble < 2)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "held_out = %d calibrates the deviation of an ensemble: set ensemble to 2 or more",
                (int) params->held_out);
  else if (subject->steady && (params->causal > 0 || params->windows > 1))
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "causal = %g and windows = %d need an unsteady scene, but this one is steady: set "
                "causal = 0 and windows = 1",
                params->causal, (int) params->windows);
  else if (params->mirror && subject->parity[0] == 0)
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
      "mirror = yes needs a mirror-symmetric scene, which this one is not: set mirror = no");
  else if ((params->anneal || params->fourier == LAC_PINN_FOURIER_AXES) &&
           !has_waves(params, subject))
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "anneal and fourier = axes need harmonics, but the network has none: raise "
                "harmonics above 0 and set fourier = axes");
  else
    return TRUE;
  return FALSE;
}

/* Estimate: three products of every stream and point with all weights, at the rate of small layers on one thread. */
void
lac_pinn_params_estimate(gconstpointer  values,
                         const LacCase *subject,
                         gsize          n_values,
                         LacEstimate   *result)
{
  static const double  flops_per_second = 3.5e10, bytes_per_second = 2e10;
  const LacPinnParams *params = values;
  const LacJet         jet = lac_pde_get_jet(subject->pde);
  const double         n = (double) count_parameters(params, subject);
  const double         n_points = (double) params->points, streams = jet.n_streams;
  const double         n_plain =
    (double) n_values + (double) params->condition_points * (double) subject->n_conditions;
  const double members = (double) params->ensemble;
  const double evaluation =
    (params->mirror ? 2 : 1) * 6 * n * (streams * n_points + n_plain) / flops_per_second;
  const double matrix = is_dense(params) ? 8 * n * n : 0;
  const double n_adam = (double) params->adam_steps, n_quasi = (double) params->quasi_steps;

  result->n_steps = params->adam_steps + params->quasi_steps;
  result->seconds_per_step =
    members * (n_adam * evaluation + n_quasi * (1.5 * evaluation + 3 * matrix / bytes_per_second)) /
    MAX(n_adam + n_quasi, 1);
  result->seconds_setup = 0.1 * members;
  result->n_parameters = (gsize) (members * n);
  result->memory_bytes = members * (matrix + 20e6 + n_points * 8 * 20) +
                         n_points * (double) params->pool * 8 * (subject->pde->n_axes + 8.0);
}
