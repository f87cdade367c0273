/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cache keys with all inputs of a result, and serialisation of results: their parts one after another. */
#include "experiment/flow/sensors/cache.h"

#include "base/hash.h"

#include <math.h>
#include <string.h>

enum { MOST_PARTS = 16, N_POWERS = 2 };

typedef struct {
  gconstpointer data;
  gsize         n_bytes;
} Part;

typedef struct {
  gsize n;
  Part  parts[MOST_PARTS];
} Parts;

static void
add(Parts *parts, gconstpointer data, gsize n_bytes)
{
  g_assert(parts->n < MOST_PARTS);
  if (data)
    parts->parts[parts->n++] = (Part){data, n_bytes};
}

static GBytes *
join(const Parts *parts)
{
  gsize n_bytes = 0;
  char *whole, *at;

  for (gsize i = 0; i < parts->n; i++)
    n_bytes += parts->parts[i].n_bytes;
  at = whole = g_malloc(MAX(n_bytes, 1));
  for (gsize i = 0; i < parts->n; i++) {
    memcpy(at, parts->parts[i].data, parts->parts[i].n_bytes);
    at += parts->parts[i].n_bytes;
  }
  return g_bytes_new_take(whole, n_bytes);
}

/* Restores the parts. Returns: FALSE if the length differs: the parts must then not be used. */
static gboolean
take_apart(GBytes *bytes, const Parts *parts)
{
  gsize       left;
  const char *at = g_bytes_get_data(bytes, &left);

  for (gsize i = 0; i < parts->n; i++) {
    const Part *part = &parts->parts[i];

    if (part->n_bytes > left)
      return FALSE;
    memcpy((gpointer) part->data, at, part->n_bytes);
    at += part->n_bytes;
    left -= part->n_bytes;
  }
  return left == 0;
}

static char *
make_key(const char *what, const Parts *content)
{
  guint64 sum[2] = {0, 0};

  for (gsize i = 0; i < content->n; i++)
    lac_hash128_add(sum, content->parts[i].data, content->parts[i].n_bytes);
  return g_strdup_printf("%s %016" G_GINT64_MODIFIER "x%016" G_GINT64_MODIFIER "x", what, sum[0],
                         sum[1]);
}

static GBytes *
recall(const LacMemory *memory, const char *key)
{
  return memory ? memory->recall(key, memory->user_data) : NULL;
}

static void
remember(const LacMemory *memory, const char *key, const Parts *parts)
{
  g_autoptr(GBytes) bytes = NULL;

  if (!memory)
    return;
  bytes = join(parts);
  memory->remember(key, bytes, memory->user_data);
}

/* ---- truth ---- */

/* The shape needed to allocate the arrays. */
typedef struct {
  guint64 n_fields, nx, ny, n_training, n_times, has_mask;
  double  lower[2], upper[2];
  gint32  periodic[2];
  char    names[LAC_TRUTH_MAX_FIELDS][32];
} TruthShape;

static Parts
truth_parts(const LacTruth *truth)
{
  const gsize n = lac_truth_get_length(truth) * sizeof(double);
  Parts       parts = {0};

  add(&parts, truth->times, truth->n_times * sizeof(double));
  add(&parts, truth->training, truth->n_training * n);
  add(&parts, truth->observed, truth->n_times * n);
  add(&parts, truth->mask, truth->nx * truth->ny);
  return parts;
}

static void
remember_truth(const LacMemory *memory, const char *key, const LacTruth *truth)
{
  TruthShape  shape = {truth->n_fields,   truth->nx,      truth->ny,
                       truth->n_training, truth->n_times, truth->mask != NULL};
  const Parts arrays = truth_parts(truth);
  Parts       parts = {0};

  memcpy(shape.lower, truth->lower, sizeof shape.lower);
  memcpy(shape.upper, truth->upper, sizeof shape.upper);
  for (guint i = 0; i < 2; i++)
    shape.periodic[i] = truth->periodic[i];
  for (guint f = 0; f < truth->n_fields; f++)
    g_strlcpy(shape.names[f], truth->fields[f], sizeof shape.names[f]);
  add(&parts, &shape, sizeof shape);
  for (gsize i = 0; i < arrays.n; i++)
    add(&parts, arrays.parts[i].data, arrays.parts[i].n_bytes);
  remember(memory, key, &parts);
}

/* Returns TRUE when arrays of that shape fit the remaining bytes. */
static gboolean
is_possible(const TruthShape *shape, gsize n_bytes)
{
  gsize cells, numbers;

  return shape->n_fields >= 1 && shape->n_fields <= LAC_TRUTH_MAX_FIELDS && shape->n_times >= 1 &&
         g_size_checked_mul(&cells, shape->nx, shape->ny) &&
         g_size_checked_mul(&numbers, cells, shape->n_fields * sizeof(double)) && numbers > 0 &&
         shape->n_training <= n_bytes / numbers && shape->n_times <= n_bytes / numbers;
}

static LacTruth *
recall_truth(const LacMemory *memory, const char *key)
{
  const char         *names[LAC_TRUTH_MAX_FIELDS];
  g_autoptr(GBytes)   bytes = recall(memory, key), arrays = NULL;
  g_autoptr(LacTruth) truth = NULL;
  TruthShape          shape;
  Parts               parts;

  if (!bytes || g_bytes_get_size(bytes) < sizeof shape)
    return NULL;
  memcpy(&shape, g_bytes_get_data(bytes, NULL), sizeof shape);
  if (!is_possible(&shape, g_bytes_get_size(bytes)))
    return NULL;
  for (guint f = 0; f < shape.n_fields; f++) {
    shape.names[f][sizeof shape.names[f] - 1] = '\0';
    names[f] = g_intern_string(shape.names[f]);
  }
  truth = lac_truth_new((guint) shape.n_fields, names, shape.nx, shape.ny, shape.n_training,
                        shape.n_times);
  memcpy(truth->lower, shape.lower, sizeof shape.lower);
  memcpy(truth->upper, shape.upper, sizeof shape.upper);
  for (guint i = 0; i < 2; i++)
    truth->periodic[i] = shape.periodic[i];
  if (shape.has_mask)
    truth->mask = g_new(guint8, shape.nx * shape.ny);
  parts = truth_parts(truth);
  arrays = g_bytes_new_from_bytes(bytes, sizeof shape, g_bytes_get_size(bytes) - sizeof shape);
  return take_apart(arrays, &parts) ? g_steal_pointer(&truth) : NULL;
}

/* Returns: (transfer full): the key; NULL if the truth depends on a file, which may change. */
static char *
key_of_truth(const LacScene *scene, gconstpointer params, const LacContext *context)
{
  g_autofree char *what =
    g_strdup_printf("truth of %s, %s on %s, seed %" G_GUINT64_FORMAT, scene->name,
                    context->precision, context->device.table->name, context->seed);
  guint64 sum[2] = {0, 0};

  for (gsize i = 0; i < scene->params.n_rows; i++) {
    const LacParam *row = &scene->params.rows[i];
    const char     *value = (const char *) params + row->offset;
    const char     *text = NULL;

    if (row->kind == LAC_PARAM_FILE || row->kind == LAC_PARAM_TEXT)
      memcpy(&text, value, sizeof text);
    if (row->kind == LAC_PARAM_FILE && text)
      return NULL;
    lac_hash128_add(sum, row->key, strlen(row->key));
    if (row->kind == LAC_PARAM_FILE || row->kind == LAC_PARAM_TEXT)
      lac_hash128_add(sum, text ? text : "", text ? strlen(text) : 0);
    else
      lac_hash128_add(sum, value, 8);
  }
  return g_strdup_printf("%s, %016" G_GINT64_MODIFIER "x%016" G_GINT64_MODIFIER "x", what, sum[0],
                         sum[1]);
}

LacTruth *
lac_cached_truth(const LacScene   *scene,
                 gconstpointer     params,
                 const LacCase    *subject,
                 const LacContext *context,
                 GError          **error)
{
  g_autofree char *key =
    context->memory && !scene->data && (scene->keeps_truth || context->memory->is_brief)
      ? key_of_truth(scene, params, context)
      : NULL;
  LacTruth *truth = key ? recall_truth(context->memory, key) : NULL;

  if (truth)
    return truth;
  truth = scene->truth(params, subject, context, error);
  if (truth && key && !lac_context_is_cancelled(context, NULL))
    remember_truth(context->memory, key, truth);
  return truth;
}

/* ---- modes ---- */

static Parts
pod_parts(LacPod *pod)
{
  Parts parts = {0};

  add(&parts, &pod->rms, sizeof pod->rms);
  add(&parts, pod->mean, pod->n * sizeof(double));
  add(&parts, pod->deviations, pod->n_modes * sizeof(double));
  add(&parts, pod->truncation, pod->n * sizeof(double));
  add(&parts, pod->modes, pod->n_modes * pod->n * sizeof(double));
  return parts;
}

/* The number of modes follows from the length. */
static LacPod *
recall_pod(const LacMemory *memory, const char *key, gsize n, gsize most)
{
  g_autoptr(GBytes) bytes = recall(memory, key);
  const gsize       length = bytes ? g_bytes_get_size(bytes) / sizeof(double) : 0;
  g_autoptr(LacPod) pod = NULL;
  Parts             parts;

  if (length < 2 * n + 1 || (length - 2 * n - 1) / (n + 1) > most)
    return NULL;
  pod = g_new0(LacPod, 1);
  pod->n = n;
  pod->n_modes = (length - 2 * n - 1) / (n + 1);
  pod->mean = g_new(double, n);
  pod->truncation = g_new(double, n);
  pod->modes = g_new(double, MAX(pod->n_modes, 1) * n);
  pod->deviations = g_new(double, MAX(pod->n_modes, 1));
  parts = pod_parts(pod);
  return take_apart(bytes, &parts) ? g_steal_pointer(&pod) : NULL;
}

LacPod *
lac_cached_pod(const LacTruth   *truth,
               gsize             n_modes,
               LacPodMethod      method,
               const LacContext *context,
               GError          **error)
{
  const gboolean       is_random = method == LAC_POD_RANDOMISED;
  const guint64        sizes[] = {truth->n_training, lac_truth_get_length(truth), n_modes, method,
                           is_random ? context->seed : 0};
  const LacPodSettings settings = {
    .n_snapshots = sizes[0],
    .n = sizes[1],
    .n_modes = n_modes,
    .snapshots = truth->training,
    .read = truth->file ? truth->file->read : NULL,
    .user_data = truth->file ? truth->file->self : NULL,
    .method = method,
    .n_powers = is_random ? N_POWERS : 0,
    .seed = is_random ? context->seed : 0,
    .pool = context->pool,
    .device = &context->device,
  };
  g_autofree char *key = NULL;
  LacPod          *pod = NULL;
  Parts            content = {0}, parts;

  if (!context->memory)
    return lac_pod_new_with(&settings, error);
  add(&content, sizes, sizeof sizes);
  if (context->device.table && context->device.table->memory_use) /* other rounding */
    add(&content, context->device.table->name, strlen(context->device.table->name));
  if (truth->file)
    add(&content, truth->file->name, strlen(truth->file->name));
  add(&content, truth->training, sizes[0] * sizes[1] * sizeof(double));
  key = make_key("modes", &content);
  pod = recall_pod(context->memory, key, settings.n, n_modes);
  if (pod)
    return pod;
  pod = lac_pod_new_with(&settings, error);
  if (pod) {
    parts = pod_parts(pod);
    remember(context->memory, key, &parts);
  }
  return pod;
}

/* ---- places ---- */

/* Sizes and scalars that determine the array lengths, so that no two problems serialise to the same bytes. */
typedef struct {
  guint64 seed, n_places, n_modes, n_components, n_points, given;
  double  noise, minimum_distance, period[2];
} PlacesShape;

static char *
key_of_places(const LacPlacementMethod   *method,
              const LacPlacementProblem  *problem,
              const LacSyntheticSettings *settings)
{
  const gsize       n = problem->n_points;
  const PlacesShape shape = {
    .seed = settings->seed,
    .n_places = settings->n_stations,
    .n_modes = problem->n_modes,
    .n_components = problem->n_components,
    .n_points = n,
    .given = (problem->deviations ? 1u : 0) | (problem->cost ? 2u : 0) |
             (problem->allowed ? 4u : 0) | (problem->positions ? 8u : 0),
    .noise = problem->noise,
    .minimum_distance = problem->minimum_distance,
    .period = {problem->period[0], problem->period[1]},
  };
  g_autofree char *what = g_strdup_printf("places by %s", method->name);
  Parts            content = {0};

  add(&content, &shape, sizeof shape);
  add(&content, problem->modes, problem->n_modes * problem->n_components * n * sizeof(double));
  add(&content, problem->deviations, problem->n_modes * sizeof(double));
  add(&content, problem->cost, n * sizeof(double));
  add(&content, problem->allowed, n);
  add(&content, problem->positions, 2 * n * sizeof(double));
  return make_key(what, &content);
}

static gboolean
recall_places(const LacMemory *memory, const char *key, gsize n_points, gsize *places, gsize n)
{
  g_autoptr(GBytes) bytes = recall(memory, key);
  Parts             parts = {0};

  add(&parts, places, n * sizeof *places);
  if (!bytes || !take_apart(bytes, &parts))
    return FALSE;
  for (gsize k = 0; k < n; k++)
    if (places[k] >= n_points)
      return FALSE;
  return TRUE;
}

gboolean
lac_cached_positions(const LacPlacementMethod   *method,
                     const LacPlacementProblem  *problem,
                     LacRng                     *rng,
                     const LacSyntheticSettings *settings,
                     gsize                      *places,
                     GError                    **error)
{
  const gsize      n = settings->n_stations;
  g_autofree char *key = settings->memory ? key_of_places(method, problem, settings) : NULL;
  Parts            parts = {0};

  if (key && recall_places(settings->memory, key, problem->n_points, places, n))
    return TRUE;
  if (!method->choose(problem, rng, places, n, error))
    return FALSE;
  add(&parts, places, n * sizeof *places);
  remember(settings->memory, key, &parts);
  return TRUE;
}

/* ---- numbers ---- */

double
lac_cached_number(const LacContext    *context,
                  const char          *what,
                  const LacCacheInput *inputs,
                  gsize                n_inputs,
                  double (*compute)(gpointer user_data),
                  gpointer user_data)
{
  g_autofree char  *key = NULL;
  g_autoptr(GBytes) bytes = NULL;
  Parts             content = {0}, kept = {0};
  double            number;

  for (gsize i = 0; i < n_inputs; i++) {
    add(&content, &inputs[i].n_bytes, sizeof inputs[i].n_bytes);
    add(&content, inputs[i].data, inputs[i].n_bytes);
  }
  add(&kept, &number, sizeof number);
  key = make_key(what, &content);
  bytes = recall(context->memory, key);
  if (bytes && take_apart(bytes, &kept))
    return number;
  number = compute(user_data);
  if (!isnan(number))
    remember(context->memory, key, &kept);
  return number;
}
