/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scales of the field viewer: automatic or set by the user. */
#include "app/field/scale.h"

#include "app/field/scene-private.h"
#include "report/plot/plot.h"

#include <math.h>
#include <string.h>

#define SHRINK_AFTER_NS \
  (2 * G_GINT64_CONSTANT(1000000000)) /* error scales shrink after 2 s of small errors */

static double
largest_difference(const LacFieldScene *scene, const LacPane *pane)
{
  const LacPlane *a = &scene->frame->planes[pane->plane];
  const LacPlane *b = &scene->frame->planes[pane->other];
  if (a->nx != b->nx || a->ny != b->ny)
    return 0;
  double largest = 0;
  for (gsize i = 0; i < a->nx * a->ny; i++) {
    double difference = fabs((double) a->data[i] - (double) b->data[i]);
    if (isfinite(difference) && difference > largest)
      largest = difference;
  }
  return largest;
}

/* Rounds up to one of a few steps per power of ten, so that limits change rarely. */
static double
round_up(double value)
{
  if (!(value > 0))
    return 1e-12;
  double decade = pow(10, floor(log10(value)));
  double steps[] = {1, 1.5, 2, 3, 4, 5, 7, 10};
  for (gsize i = 0; i < G_N_ELEMENTS(steps); i++)
    if (value <= steps[i] * decade * (1 + 1e-9))
      return steps[i] * decade;
  return 10 * decade;
}

static LacScale
scale_of_errors(LacErrorForm form, double largest)
{
  double high =
    form == LAC_ERRORS_LOG ? ceil(log10(MAX(largest, 1e-12)) - 1e-9) : round_up(largest);
  return form == LAC_ERRORS_SIGNED ? (LacScale){-high, high}
         : form == LAC_ERRORS_LOG  ? (LacScale){high - LAC_ERROR_DECADES, high}
                                   : (LacScale){0, high};
}

/* Sets the factors of relative errors from the current frame. */
static void
set_factors(LacFieldScene *scene)
{
  for (guint i = 0; i < scene->n_panes + scene->n_below; i++) {
    const LacPlane *truth = &scene->frame->planes[scene->panes[i].other];
    scene->panes[i].factor = lac_error_form_factor(truth->min, truth->max);
  }
}

/* Updates the error scale of a pane: it grows immediately and shrinks with a delay. */
static void
follow_error(LacFieldScene *scene, guint pane, double largest)
{
  LacScale *scale = &scene->errors_of[pane], wanted = scale_of_errors(scene->errors, largest);
  gint64   *shrink_ns = &scene->shrink_ns[pane], now = scene->frame->made_ns;
  gboolean  first = !(scale->high > scale->low);
  if (!first && wanted.high < scale->high && *shrink_ns == 0) {
    *shrink_ns = now;
    return;
  }
  if (!first && wanted.high < scale->high && now - *shrink_ns <= SHRINK_AFTER_NS)
    return;
  *scale = wanted;
  *shrink_ns = 0;
}

/* Logarithms always share their scale: a good and a bad source fit on one. */
static void
follow_errors(LacFieldScene *scene)
{
  const gboolean together = scene->one_scale || scene->errors == LAC_ERRORS_LOG;
  const guint    n = scene->n_panes + scene->n_below;
  double         largest[2 * LAC_MAX_PANES], most = -1;
  for (guint i = 0; i < n; i++) {
    const LacPane *pane = &scene->panes[i];
    double         factor = scene->errors == LAC_ERRORS_RELATIVE ? (double) pane->factor : 1;
    largest[i] = pane->difference ? factor * largest_difference(scene, pane) : -1;
    most = MAX(most, largest[i]);
  }
  for (guint i = 0; i < n; i++)
    if (scene->panes[i].difference)
      follow_error(scene, i, together ? most : largest[i]);
}

static void
grow_deviation(LacFieldScene *scene)
{
  for (guint i = 0; i < scene->n_panes; i++) {
    double high = (double) scene->frame->planes[scene->panes[i].plane].max;
    if (isfinite(high) && high > scene->deviation.high)
      scene->deviation = (LacScale){0, round_up(high)};
  }
}

static void
grow(LacScale *scale, double low, double high)
{
  gboolean first = scale->low == scale->high;
  scale->low = first ? low : MIN(low, scale->low);
  scale->high = first ? high : MAX(high, scale->high);
}

static void
grow_to(LacFieldScene *scene, guint quantity, gsize channel)
{
  if (channel >= scene->frame->n_planes || !isfinite(scene->frame->planes[channel].max))
    return;
  const LacPlane *plane = &scene->frame->planes[channel];
  gboolean        was_one_signed = lac_field_scene_is_one_signed(scene, quantity);
  gboolean        is_diverging =
    lac_colour_map_is_diverging(lac_colour_map_find(scene->channels[channel].colour_map));
  double low, high;
  grow(&scene->seen[quantity], (double) plane->min, (double) plane->max);
  gboolean is_one_signed = lac_field_scene_is_one_signed(scene, quantity);
  lac_scale_of(plane, is_diverging && !is_one_signed, &low, &high);
  if (is_one_signed && scene->seen[quantity].low >= 0)
    low = MAX(low, 0);
  grow(&scene->locked[quantity], low, high);
  if (was_one_signed && !is_one_signed && is_diverging) {
    double most = MAX(fabs(scene->locked[quantity].low), fabs(scene->locked[quantity].high));
    scene->locked[quantity] = (LacScale){-most, most};
  }
}

/* Grows the scale of a quantity. Called for every quantity of every frame, so that scales do not depend on what is
 * displayed. Two runs share a scale that covers both. */
static void
grow_locked(LacFieldScene *scene, guint quantity)
{
  gssize truth = lac_field_scene_find_truth(scene, scene->quantities[quantity]);
  for (gsize i = 0; scene->compares && i < scene->n_channels; i++)
    if (g_str_equal(lac_field_scene_quantity_of(&scene->channels[i]), scene->quantities[quantity]))
      grow_to(scene, quantity, i);
  for (gsize i = 0; i < scene->n_channels && truth < 0; i++)
    if (g_str_equal(lac_field_scene_quantity_of(&scene->channels[i]), scene->quantities[quantity]))
      truth = (gssize) i;
  if (truth >= 0)
    grow_to(scene, quantity, (gsize) truth);
}

static void
set_scale(LacFieldScene *scene, guint index)
{
  LacPane              *pane = &scene->panes[index];
  const LacScaleChoice *choice = lac_field_scene_get_choice(scene, pane->difference);
  pane->scale = choice->locked                           ? choice->limits
                : pane->difference                       ? scene->errors_of[index]
                : lac_field_scene_shows_deviation(scene) ? scene->deviation
                                                         : scene->locked[scene->quantity];
  pane->warp = lac_warp_new(choice->transfer, pane->scale.low, pane->scale.high);
  pane->n_levels = (guint) lac_scale_levels(&pane->warp, pane->levels);
}

void
lac_field_scene_update_scales(LacFieldScene *scene)
{
  if (scene->frame == NULL || scene->n_panes == 0)
    return;
  for (guint q = 0; q < scene->n_quantities; q++)
    grow_locked(scene, q);
  set_factors(scene);
  follow_errors(scene);
  if (lac_field_scene_shows_deviation(scene))
    grow_deviation(scene);
  for (guint i = 0; i < scene->n_panes + scene->n_below; i++)
    set_scale(scene, i);
  lac_field_scene_choose_maps(scene);
}

void
lac_field_scene_restart_scales(LacFieldScene *scene)
{
  memset(scene->seen, 0, sizeof scene->seen);
  memset(scene->locked, 0, sizeof scene->locked);
  memset(scene->errors_of, 0, sizeof scene->errors_of);
  memset(scene->shrink_ns, 0, sizeof scene->shrink_ns);
  scene->deviation = (LacScale){0, 0};
  lac_field_scene_update_scales(scene);
}

/* ---- actions of the user ---- */

const LacScaleChoice *
lac_field_scene_get_choice(const LacFieldScene *scene, gboolean of_errors)
{
  return of_errors ? &scene->error_choices[scene->errors] : &scene->choices[scene->quantity];
}

static LacScaleChoice *
get_choice(LacFieldScene *scene, gboolean of_errors)
{
  return (LacScaleChoice *) lac_field_scene_get_choice(scene, of_errors);
}

static gboolean
is_symmetric(const LacFieldScene *scene, gboolean of_errors)
{
  return of_errors && scene->errors == LAC_ERRORS_SIGNED;
}

/* Returns: the first pane of a value or of an error; NULL if there is none. */
static LacPane *
find_pane(const LacFieldScene *scene, gboolean of_errors)
{
  for (guint i = 0; i < scene->n_panes + scene->n_below; i++)
    if (scene->panes[i].difference == of_errors)
      return (LacPane *) &scene->panes[i];
  return NULL;
}

gboolean
lac_field_scene_get_scale(const LacFieldScene *scene, gboolean of_errors, LacScaleView *view)
{
  const LacPane *pane = find_pane(scene, of_errors);
  if (pane == NULL || scene->frame == NULL)
    return FALSE;
  const LacScaleChoice *choice = lac_field_scene_get_choice(scene, of_errors);
  *view = (LacScaleView){pane->scale, choice->transfer, pane->map, choice->locked,
                         is_symmetric(scene, of_errors)};
  return TRUE;
}

void
lac_field_scene_set_limits(LacFieldScene *scene, gboolean of_errors, const LacScale *limits)
{
  LacScaleChoice *choice = get_choice(scene, of_errors);
  choice->locked = limits != NULL;
  if (limits != NULL) {
    double most = MAX(fabs(limits->low), fabs(limits->high));
    choice->limits = is_symmetric(scene, of_errors) ? (LacScale){-most, most} : *limits;
    if (!(choice->limits.high > choice->limits.low))
      choice->limits.high = choice->limits.low + MAX(fabs(choice->limits.low) * 1e-6, 1e-12);
  }
  lac_field_scene_update_scales(scene);
}

void
lac_field_scene_set_transfer(LacFieldScene *scene, gboolean of_errors, LacTransfer transfer)
{
  LacScaleChoice *choice = get_choice(scene, of_errors);
  choice->transfer = transfer;
  lac_field_scene_update_scales(scene);
}

void
lac_field_scene_set_map(LacFieldScene *scene, gboolean of_errors, const LacColourMap *map)
{
  LacScaleChoice *choice = get_choice(scene, of_errors);
  choice->map = map;
  lac_field_scene_set_vision(scene, scene->vision);
}

/* ---- what is shown, counted ---- */

typedef struct {
  const float *values, *minus;
  gsize        n;
  float       *own; /* (nullable): owner of @values */
} Shown;

static void
shown_clear(Shown *shown)
{
  g_clear_pointer(&shown->own, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Shown, shown_clear)

static gboolean
get_shown(const LacFieldScene *scene, const LacPane *pane, Shown *shown)
{
  const LacPlane *plane = &scene->frame->planes[pane->plane];
  const LacPlane *other = &scene->frame->planes[pane->other];
  *shown = (Shown){plane->data, NULL, plane->nx * plane->ny, NULL};
  if (!pane->difference)
    return TRUE;
  if (other->nx != plane->nx || other->ny != plane->ny)
    return FALSE;
  shown->minus = other->data;
  if (scene->errors == LAC_ERRORS_SIGNED)
    return TRUE;
  shown->own = g_new(float, shown->n);
  for (gsize i = 0; i < shown->n; i++)
    shown->own[i] =
      lac_error_form_apply(scene->errors, pane->factor, plane->data[i] - other->data[i]);
  shown->values = shown->own;
  shown->minus = NULL;
  return TRUE;
}

gboolean
lac_field_scene_find_limits(const LacFieldScene *scene,
                            gboolean             of_errors,
                            double               share,
                            LacScale            *limits)
{
  const double shares[2] = {share, 1 - share};
  gboolean     any = FALSE;
  for (guint i = 0; scene->frame != NULL && i < scene->n_panes + scene->n_below; i++) {
    g_auto(Shown) shown = {0};
    double        found[2];
    if (scene->panes[i].difference != of_errors || !get_shown(scene, &scene->panes[i], &shown) ||
        !lac_quantiles(shown.values, shown.minus, shown.n, shares, 2, found))
      continue;
    limits->low = any ? MIN(limits->low, found[0]) : found[0];
    limits->high = any ? MAX(limits->high, found[1]) : found[1];
    any = TRUE;
  }
  return any;
}

LacDistribution *
lac_field_scene_count(const LacFieldScene *scene, guint index, const LacWarp *warp, gsize n_bins)
{
  g_return_val_if_fail(index < scene->n_panes + scene->n_below && scene->frame != NULL, NULL);
  LacDistribution *counted = lac_distribution_new(warp, n_bins);
  g_auto(Shown)    shown = {0};
  if (get_shown(scene, &scene->panes[index], &shown))
    lac_distribution_add(counted, shown.values, shown.minus, shown.n);
  return counted;
}

LacClipped
lac_field_scene_count_clipped(const LacFieldScene *scene, gboolean of_errors)
{
  LacClipped clipped = {0};
  for (guint i = 0; scene->frame != NULL && i < scene->n_panes + scene->n_below; i++) {
    const LacPane *pane = &scene->panes[i];
    if (pane->difference != of_errors)
      continue;
    /* one bin: only the counts outside are used */
    LacWarp warp = lac_warp_new(LAC_TRANSFER_LINEAR, pane->warp.low, pane->warp.high);
    g_autoptr(LacDistribution) counted = lac_field_scene_count(scene, i, &warp, 1);
    clipped.n += counted->n;
    clipped.n_below += counted->n_below;
    clipped.n_above += counted->n_above;
    clipped.n_not_finite += counted->n_not_finite;
  }
  return clipped;
}
