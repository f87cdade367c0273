/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Point-weight rules, causal weights, factors of the terms, and their transfer to the loss. Point weights are divided
 * by their mean: a rule redistributes weight within a term without changing its magnitude. */
#include "experiment/flow/methods/pinn/weights.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

static double
find_largest(const double *misfits, gsize n)
{
  double largest = 0;

  for (gsize i = 0; i < n; i++)
    largest = MAX(largest, fabs(misfits[i]));
  return largest;
}

static void
update_none(const double *misfits G_GNUC_UNUSED,
            gsize n               G_GNUC_UNUSED,
            gint64 n_updates      G_GNUC_UNUSED,
            guint times           G_GNUC_UNUSED,
            double *lambda        G_GNUC_UNUSED)
{
}

/* Applies lambda <- gamma lambda + eta q @times times with the same q. */
static double
follow(double lambda, double gamma, double eta, guint times, double q)
{
  const double left = pow(gamma, times);

  return left * lambda + eta * q * (1 - left) / (1 - gamma);
}

/* q = |r| / max |r| */
static void
update_rba(const double    *misfits,
           gsize            n,
           gint64 n_updates G_GNUC_UNUSED,
           guint            times,
           double          *lambda)
{
  const double largest = find_largest(misfits, n);

  for (gsize i = 0; i < n && largest > 0; i++)
    lambda[i] = follow(lambda[i], 0.999, 0.01, times, fabs(misfits[i]) / largest);
}

/* q = exp(|r| / epsilon) divided by its maximum, with epsilon = T max |r| and T decreasing from 1 to 0.1. */
static void
update_vrba(const double *misfits, gsize n, gint64 n_updates, guint times, double *lambda)
{
  const double largest = find_largest(misfits, n);
  const double temperature = 0.1 + 0.9 * exp(-(double) n_updates / 1000);

  for (gsize i = 0; i < n && largest > 0; i++)
    lambda[i] =
      follow(lambda[i], 0.999, 0.01, times, exp((fabs(misfits[i]) / largest - 1) / temperature));
}

/* q = |r| divided by its running maximum: the quadratic potential. */
static void
update_quadratic(const double    *misfits,
                 gsize            n,
                 gint64 n_updates G_GNUC_UNUSED,
                 guint            times,
                 double          *lambda)
{
  const double largest = find_largest(misfits, n);

  for (gsize i = 0; i < n && largest > 0; i++)
    lambda[i] = follow(lambda[i], 0.9, 0.1, times, fabs(misfits[i]) / largest);
}

/* Gradient ascent of mean m(lambda) r^2 / 2 with m = lambda^2, in units of the mean square. */
static void
update_sa(const double    *misfits,
          gsize            n,
          gint64 n_updates G_GNUC_UNUSED,
          guint            times,
          double          *lambda)
{
  const double rate = 5e-3 * times;
  double       mean = 0;

  for (gsize i = 0; i < n; i++)
    mean += misfits[i] * misfits[i] / (double) n;
  for (gsize i = 0; i < n && mean > 0; i++)
    lambda[i] += rate * lambda[i] * misfits[i] * misfits[i] / mean;
}

static double
weigh_same(double lambda)
{
  return lambda;
}

static double
weigh_square(double lambda)
{
  return lambda * lambda;
}

/* clang-format off */
static const LacPointRule rules[] = {
  {"none", 1, FALSE, update_none, weigh_same, ""},
  {"rba", 1, FALSE, update_rba, weigh_same, "Anagnostopoulos et al. (2024), doi:10.1016/j.cma.2024.116805, eq. 8"},
  {"vrba", 1, FALSE, update_vrba, weigh_same, "Toscano et al. (2025), arXiv 2509.14198, exponential potential"},
  {"vrba-quadratic", 1, FALSE, update_quadratic, weigh_same, "Toscano et al. (2025), arXiv 2509.14198, quadratic potential"},
  {"sa", 1, TRUE, update_sa, weigh_square, "McClenny, Braga-Neto (2023), doi:10.1016/j.jcp.2022.111722"},
};
/* clang-format on */

const char *const lac_point_rule_names[] = {"none", "rba", "vrba", "vrba-quadratic", "sa", NULL};
const char *const lac_term_rule_names[] = {"fixed", "gradient", "ntk", NULL};
const char *const lac_point_rule_titles[] = {N_("None"), "RBA", "vRBA", N_("vRBA, quadratic"),
                                             N_("Self-adaptive")};
const char *const lac_term_rule_titles[] = {N_("Fixed"), N_("Equal gradient norms"),
                                            N_("Neural tangent kernel")};

const LacPointRule *
lac_point_rule(guint i)
{
  g_return_val_if_fail(i < G_N_ELEMENTS(rules), NULL);
  return &rules[i];
}

void
lac_causal_weights(const double *losses, guint n_chunks, double epsilon, double *weights)
{
  double before = 0;

  for (guint i = 0; i < n_chunks; i++) {
    weights[i] = exp(-epsilon * before);
    before += losses[i];
  }
}

LacPinnWeights *
lac_pinn_weights_new(const LacPinnLoss  *loss,
                     const LacPointRule *rule,
                     LacTermRule         terms,
                     double              causal)
{
  LacPinnWeights *weights = g_new0(LacPinnWeights, 1);

  weights->rule = rule;
  weights->terms = terms;
  weights->epsilon = weights->first_epsilon = causal;
  for (guint i = 0; i < loss->n_terms; i++) {
    weights->fixed[i] = loss->terms[i].factor;
    weights->adapted[i] = 1;
  }
  for (guint i = 0; i < loss->n_parts; i++)
    weights->lambda[i] = g_new(double, loss->parts[i].n);
  for (guint i = 0; i < LAC_CAUSAL_CHUNKS; i++)
    weights->chunks[i] = 1;
  if (terms != LAC_TERMS_FIXED)
    weights->gradient = g_new0(double, lac_program_get_n_parameters(loss->program));
  lac_pinn_weights_restart(weights, loss);
  return weights;
}

void
lac_pinn_weights_free(LacPinnWeights *weights)
{
  if (!weights)
    return;
  for (guint i = 0; i < LAC_PINN_MAX_PARTS; i++)
    g_free(weights->lambda[i]);
  g_free(weights->gradient);
  g_free(weights);
}

gboolean
lac_pinn_weights_are_live(const LacPinnWeights *weights)
{
  return weights->rule->update != update_none || weights->epsilon > 0;
}

void
lac_pinn_weights_restart(LacPinnWeights *weights, const LacPinnLoss *loss)
{
  for (guint p = 0; p < loss->n_parts; p++)
    for (gsize i = 0; i < loss->parts[p].n; i++)
      weights->lambda[p][i] = weights->rule->start;
}

/* Returns the time chunk of collocation point @i. */
static guint
find_chunk(const LacPinnLoss *loss, gsize i)
{
  const LacCase *subject = loss->model.subject;
  const double   t = loss->x[0][i * subject->pde->n_axes];
  const double   at = (t - subject->lower[0]) / (subject->upper[0] - subject->lower[0]);

  return (guint) CLAMP(at * LAC_CAUSAL_CHUNKS, 0, LAC_CAUSAL_CHUNKS - 1);
}

/* Multiplies epsilon by ten, up to a hundredfold, when the last chunk has gained full weight. */
static void
update_causal(LacPinnWeights *weights, const LacPinnLoss *loss)
{
  double losses[LAC_CAUSAL_CHUNKS] = {0};
  gsize  numbers[LAC_CAUSAL_CHUNKS] = {0};

  for (gsize i = 0; i < loss->sets[0].n; i++) {
    const guint chunk = find_chunk(loss, i);

    for (guint p = 0; p < loss->n_parts; p++)
      if (loss->terms[loss->parts[p].term].kind == LAC_PINN_RESIDUAL)
        losses[chunk] += loss->parts[p].misfits[i] * loss->parts[p].misfits[i];
    numbers[chunk]++;
  }
  for (guint i = 0; i < LAC_CAUSAL_CHUNKS; i++)
    losses[i] /= (double) MAX(numbers[i], 1);
  lac_causal_weights(losses, LAC_CAUSAL_CHUNKS, weights->epsilon, weights->chunks);
  if (weights->chunks[LAC_CAUSAL_CHUNKS - 1] > 0.99)
    weights->epsilon = MIN(10 * weights->epsilon, 100 * weights->first_epsilon);
}

void
lac_pinn_weights_apply(const LacPinnWeights *weights, LacPinnLoss *loss)
{
  for (guint t = 0; t < loss->n_terms; t++)
    loss->terms[t].factor = weights->n_term_updates > 0 ? weights->adapted[t] : weights->fixed[t];
  for (guint p = 0; p < loss->n_parts; p++) {
    LacPinnPart *part = &loss->parts[p];
    double       mean = 0;

    for (gsize i = 0; i < part->n; i++) {
      part->points[i] = weights->rule->weight(weights->lambda[p][i]);
      mean += part->points[i] / (double) part->n;
    }
    for (gsize i = 0; i < part->n; i++)
      part->points[i] /= mean;
    if (weights->epsilon > 0 && loss->terms[part->term].kind == LAC_PINN_RESIDUAL)
      for (gsize i = 0; i < part->n; i++)
        part->points[i] *= weights->chunks[find_chunk(loss, i)];
  }
  lac_pinn_loss_feed_weights(loss);
}

void
lac_pinn_weights_update(LacPinnWeights *weights, LacPinnLoss *loss, guint times)
{
  for (guint p = 0; p < loss->n_parts; p++)
    if (loss->terms[loss->parts[p].term].kind != LAC_PINN_DATA)
      weights->rule->update(loss->parts[p].misfits, loss->parts[p].n, weights->n_updates, times,
                            weights->lambda[p]);
  if (weights->epsilon > 0)
    update_causal(weights, loss);
  weights->n_updates += times;
  lac_pinn_weights_apply(weights, loss);
}

/* ---- factors of the terms, from gradients of one term at a time ---- */

/* Points of the term have their weights, all others 0. */

#define KEPT     0.9 /* fraction of the previous factors */
#define SMALLEST 1e-3
#define LARGEST  1e3

/* @gradient: scratch. A failed readback is reported by the next replay. */
static double
get_square(LacProgram *program, double *gradient)
{
  double sum = 0;

  lac_program_dup_gradient(program, gradient);
  for (gsize i = 0; i < lac_program_get_n_parameters(program); i++)
    sum += gradient[i] * gradient[i];
  return sum;
}

/* Feeds weights that give the gradient of one term, or, with signs v, that of sum v r / sqrt(n). */
static void
feed_term(LacPinnLoss *loss, LacTermRule rule, guint index, LacRng *rng)
{
  for (guint p = 0; p < loss->n_parts; p++) {
    const LacPinnPart *part = &loss->parts[p];

    for (gsize i = 0; i < part->n; i++) {
      const double r = part->misfits[i], base = part->base[i];

      if (part->term != index)
        loss->scratch[i] = 0;
      else if (rule == LAC_TERMS_GRADIENT)
        loss->scratch[i] = base * part->points[i];
      else {
        /* d mean(w r^2) = 2 / n sum w r dr: w = v sqrt(n base) / (2 r) */
        const double v = lac_rng_word(rng) & 1 ? 1 : -1;

        loss->scratch[i] = fabs(r) > 1e-30 ? v * sqrt((double) part->n * base) / (2 * r) : 0;
      }
    }
    lac_pinn_loss_feed_part(loss, p, loss->scratch);
  }
}

gboolean
lac_pinn_weights_balance(LacPinnWeights *weights,
                         LacPinnLoss    *loss,
                         gconstpointer   theta,
                         LacRng         *rng,
                         gint64          step,
                         GError        **error)
{
  double sizes[LAC_PINN_MAX_TERMS], sum = 0;

  if (weights->terms == LAC_TERMS_FIXED || loss->n_terms < 2)
    return TRUE;
  if (!lac_program_run(loss->program, theta, step, NULL, error))
    return FALSE;
  lac_pinn_loss_read(loss); /* the signs require the misfits at this theta */
  for (guint t = 0; t < loss->n_terms; t++) {
    feed_term(loss, weights->terms, t, rng);
    if (!lac_program_run(loss->program, theta, step, NULL, error))
      return FALSE;
    sizes[t] = get_square(loss->program, weights->gradient);
    if (weights->terms == LAC_TERMS_GRADIENT)
      sizes[t] = sqrt(sizes[t]);
    sum += sizes[t];
  }
  for (guint t = 0; t < loss->n_terms; t++) {
    const double whole = weights->terms == LAC_TERMS_GRADIENT ? sum / loss->n_terms : sum;
    const double wanted = sizes[t] > 0 ? CLAMP(whole / sizes[t], SMALLEST, LARGEST) : LARGEST;

    if (isfinite(wanted))
      weights->adapted[t] =
        weights->n_term_updates == 0 ? wanted : KEPT * weights->adapted[t] + (1 - KEPT) * wanted;
  }
  weights->n_term_updates++;
  lac_pinn_weights_apply(weights, loss);
  return TRUE;
}
