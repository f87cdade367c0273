/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of file rows to sensors and back. */
#include "experiment/flow/sensors/own-measurements.h"

#include "base/error.h"
#include "base/number.h"
#include "experiment/flow/sensors/positions.h"
#include "experiment/flow/sensors/synthetic.h"

#include <math.h>

/* Identity of a sensor; @turn: how many rows before it have the same position, field and time. */
typedef struct {
  double  x, y;
  guint64 time;
  guint64 field, turn;
} Key;

G_STATIC_ASSERT(sizeof(Key) == 5 * 8);

static guint
key_hash(gconstpointer data)
{
  const guint64 *words = data;
  guint64        hash = 0;

  for (gsize i = 0; i < sizeof(Key) / 8; i++)
    hash = (hash ^ words[i]) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
  return (guint) (hash >> 32);
}

static gboolean
key_equal(gconstpointer a, gconstpointer b)
{
  const Key *first = a, *second = b;

  return first->x == second->x && first->y == second->y && first->time == second->time &&
         first->field == second->field && first->turn == second->turn;
}

/* Returns: the value stored under @key, or @fallback if the key is new, which is then stored. */
static gsize
find_or_add(GHashTable *table, const Key *key, gsize fallback)
{
  gpointer value;

  if (g_hash_table_lookup_extended(table, key, NULL, &value))
    return GPOINTER_TO_SIZE(value);
  g_hash_table_insert(table, g_memdup2(key, sizeof *key), GSIZE_TO_POINTER(fallback));
  return fallback;
}

/* A row of the file, located on the grid. */
typedef struct {
  gsize time, station;
  guint field;
} Sight;

typedef struct {
  const LacOwnSettings *settings;
  int
    fields[LAC_MEASUREMENTS_MAX_QUANTITIES]; /* grid field of each quantity of the file; -1: none */
  GHashTable *occurrences;                   /* Key without turn -> number of occurrences */
  GHashTable *stations;                      /* Key of position and turn only -> station */
  GArray     *places;                        /* x, y, x, y ... of the stations */
  Sight      *sights;                        /* [n rows] */
} Builder;

G_GNUC_PRINTF(3, 4)
static gboolean
set_refusal(GError **error, guint line, const char *format, ...)
{
  va_list list;

  va_start(list, format);
  g_autofree char *text = g_strdup_vprintf(format, list);
  va_end(list);
  g_autofree char *place = line > 0 ? g_strdup_printf(", line %u", line) : g_strdup("");
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE, "measurements%s: %s", place, text);
  return FALSE;
}

static void
find_fields(Builder *builder)
{
  const LacMeasurements *measurements = builder->settings->measurements;
  const LacTruth        *grid = builder->settings->grid;

  for (guint q = 0; q < measurements->n_quantities; q++) {
    builder->fields[q] = -1;
    for (guint f = 0; f < grid->n_fields; f++)
      if (g_str_equal(grid->fields[f], measurements->quantities[q]))
        builder->fields[q] = (int) f;
  }
}

static gboolean
look_up_field(const Builder *builder, const LacMeasurement *row, Sight *sight, GError **error)
{
  const LacTruth    *grid = builder->settings->grid;
  g_autoptr(GString) known = g_string_new(NULL);

  if (builder->fields[row->quantity] >= 0) {
    sight->field = (guint) builder->fields[row->quantity];
    return TRUE;
  }
  for (guint f = 0; f < grid->n_fields; f++)
    g_string_append_printf(known, "%s%s", f ? ", " : "", grid->fields[f]);
  return set_refusal(error, row->line, "quantity = %s does not exist in this scene; use %s",
                     builder->settings->measurements->quantities[row->quantity], known->str);
}

/* Returns the observation nearest to @at; the grid's times are ascending. */
static gsize
nearest_time(const LacTruth *grid, double at)
{
  gsize low = 0, high = grid->n_times - 1;

  while (high - low > 1) {
    const gsize middle = low + (high - low) / 2;

    if (grid->times[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  return fabs(at - grid->times[low]) <= fabs(grid->times[high] - at) ? low : high;
}

static gboolean
look_up_time(const Builder *builder, const LacMeasurement *row, Sight *sight, GError **error)
{
  const LacTruth *grid = builder->settings->grid;
  const gsize     k = builder->settings->steady ? 0 : nearest_time(grid, row->t);
  const gsize     other = k + 1 < grid->n_times ? k + 1 : k > 0 ? k - 1 : k;
  const double    slack = LAC_MEASUREMENTS_TIME_SLACK * fabs(grid->times[other] - grid->times[k]);

  sight->time = k;
  if (builder->settings->steady || fabs(row->t - grid->times[k]) <= slack)
    return TRUE;
  g_autofree char *at = lac_number_dup_text(row->t), *near = lac_number_dup_text(grid->times[k]);
  g_autofree char *first = lac_number_dup_text(grid->times[0]);
  g_autofree char *last = lac_number_dup_text(grid->times[grid->n_times - 1]);
  return set_refusal(error, row->line,
                     "t = %s is not an observation time of this scene, which has %" G_GSIZE_FORMAT
                     " from %s to %s; the nearest is %s",
                     at, grid->n_times, first, last, near);
}

static void
look_up_station(Builder *builder, const LacMeasurement *row, Sight *sight)
{
  /* adding 0 turns -0 into +0 */
  Key key = {.x = row->x + 0.0, .y = row->y + 0.0, .time = sight->time, .field = sight->field};
  const gsize turn = find_or_add(builder->occurrences, &key, 0);
  const gsize n_stations = builder->places->len / 2;

  g_hash_table_insert(builder->occurrences, g_memdup2(&key, sizeof key),
                      GSIZE_TO_POINTER(turn + 1));
  key.time = key.field = 0;
  key.turn = turn;
  sight->station = find_or_add(builder->stations, &key, n_stations);
  if (sight->station == n_stations) {
    g_array_append_val(builder->places, key.x);
    g_array_append_val(builder->places, key.y);
  }
}

static gboolean
look_at_rows(Builder *builder, GError **error)
{
  const LacMeasurements *measurements = builder->settings->measurements;
  const LacTruth        *grid = builder->settings->grid;

  if (!measurements->has_t && !builder->settings->steady && grid->n_times > 1)
    return set_refusal(error, 1, "there is no column t, but this scene is unsteady");
  if (!measurements->has_y && grid->ny > 1)
    return set_refusal(error, 1, "there is no column y, but this scene is a plane");
  for (gsize i = 0; i < measurements->n; i++) {
    const LacMeasurement *row = &measurements->rows[i];

    if (grid->ny == 1 && row->y != 0)
      return set_refusal(error, row->line, "y is not 0, but this scene is one-dimensional");
    if (!look_up_field(builder, row, &builder->sights[i], error) ||
        !look_up_time(builder, row, &builder->sights[i], error))
      return FALSE;
    look_up_station(builder, row, &builder->sights[i]);
    if (builder->places->len / 2 > LAC_PLACES_MOST)
      return set_refusal(
        error, row->line,
        "too many sensor positions; measurements can have at most %d: of a file of "
        "arrays, FILE#points=%d takes so many",
        LAC_PLACES_MOST, LAC_PLACES_MOST);
  }
  return TRUE;
}

/* Numbers the sensors field by field, station by station. @numbers: [n_fields][n_stations]: 1 where a sensor exists;
 * replaced by its index. Returns: the number of sensors. */
static gsize
number_sensors(const Builder *builder, gsize *numbers)
{
  const gsize n_stations = builder->places->len / 2;
  gsize       n = 0;

  for (gsize i = 0; i < builder->settings->measurements->n; i++)
    numbers[builder->sights[i].field * n_stations + builder->sights[i].station] = 1;
  for (gsize i = 0; i < builder->settings->grid->n_fields * n_stations; i++)
    numbers[i] = numbers[i] ? n++ : 0;
  return n;
}

static gboolean
put_sensor(const Builder   *builder,
           LacObservations *observations,
           gsize            i,
           gsize            number,
           GError         **error)
{
  const LacMeasurement *row = &builder->settings->measurements->rows[i];
  const Sight          *sight = &builder->sights[i];
  LacSensor            *sensor = &observations->sensors[number];
  g_autoptr(GError)     why = NULL;

  sensor->x = observations->stations[2 * sight->station];
  sensor->y = observations->stations[2 * sight->station + 1];
  sensor->field = sight->field;
  sensor->station = sight->station;
  if (lac_positions_stencil(builder->settings->grid, sensor, &why))
    return TRUE;
  return set_refusal(error, row->line, "%s", why->message);
}

/* Returns the RMS of a quantity's values in the file around their mean. */
static double
own_rms(const Builder *builder, guint field)
{
  const LacMeasurements *measurements = builder->settings->measurements;
  double                 sum = 0, squares = 0, n = 0;

  for (gsize i = 0; i < measurements->n; i++) {
    const double value = measurements->rows[i].value;

    if (builder->sights[i].field != field || isnan(value))
      continue;
    sum += value;
    squares += value * value;
    n++;
  }
  return n > 0 ? sqrt(MAX(squares / n - sum / n * sum / n, 0)) : 0;
}

static void
find_sigma(const Builder *builder, double *sigma)
{
  const LacOwnSettings *settings = builder->settings;

  for (guint f = 0; f < settings->grid->n_fields; f++)
    sigma[f] = lac_synthetic_sigma(settings->noise,
                                   settings->rms[f] > 0 ? settings->rms[f] : own_rms(builder, f));
}

/* Sets the deviation at missing values to the sensor's first one, because methods may use it. */
static void
fill_gaps(LacObservations *observations)
{
  const gsize m = observations->n_sensors;

  for (gsize i = 0; i < m; i++) {
    double first = 0;

    for (gsize k = 0; k < observations->n_times && first == 0; k++)
      first = observations->sigma[k * m + i];
    for (gsize k = 0; k < observations->n_times; k++)
      if (observations->sigma[k * m + i] == 0)
        observations->sigma[k * m + i] = first;
  }
}

static LacObservations *
make_observations(const Builder *builder, GError **error)
{
  const LacMeasurements     *measurements = builder->settings->measurements;
  const LacTruth            *grid = builder->settings->grid;
  const gsize                n_stations = builder->places->len / 2;
  g_autofree gsize          *numbers = g_new0(gsize, grid->n_fields * n_stations);
  g_autoptr(LacObservations) observations =
    lac_observations_new(number_sensors(builder, numbers), n_stations, grid->n_times);
  const gsize m = observations->n_sensors;
  double      sigma[LAC_TRUTH_MAX_FIELDS];

  find_sigma(builder, sigma);
  for (gsize i = 0; i < 2 * n_stations; i++)
    observations->stations[i] = g_array_index(builder->places, double, i);
  for (gsize k = 0; k < grid->n_times; k++) {
    observations->times[k] = grid->times[k];
    for (gsize i = 0; i < m; i++)
      observations->values[k * m + i] = NAN;
  }
  for (gsize i = 0; i < measurements->n; i++) {
    const LacMeasurement *row = &measurements->rows[i];
    const Sight          *sight = &builder->sights[i];
    const gsize           number = numbers[sight->field * n_stations + sight->station];
    const gsize           at = sight->time * m + number;

    if (!put_sensor(builder, observations, i, number, error))
      return NULL;
    observations->values[at] = row->value;
    observations->sigma[at] = isfinite(row->sigma) ? row->sigma : sigma[sight->field];
  }
  fill_gaps(observations);
  return g_steal_pointer(&observations);
}

LacObservations *
lac_own_observations_new(const LacOwnSettings *settings, GError **error)
{
  Builder builder = {
    .settings = settings,
    .occurrences = g_hash_table_new_full(key_hash, key_equal, g_free, NULL),
    .stations = g_hash_table_new_full(key_hash, key_equal, g_free, NULL),
    .places = g_array_new(FALSE, FALSE, sizeof(double)),
    .sights = g_new0(Sight, settings->measurements->n),
  };
  LacObservations *observations = NULL;

  find_fields(&builder);
  if (look_at_rows(&builder, error))
    observations = make_observations(&builder, error);
  g_hash_table_unref(builder.occurrences);
  g_hash_table_unref(builder.stations);
  g_array_unref(builder.places);
  g_free(builder.sights);
  return observations;
}

LacMeasurements *
lac_own_measurements_new(const LacObservations *observations,
                         const LacTruth        *grid,
                         guint                  n_axes,
                         gboolean               steady)
{
  const gsize      m = observations->n_sensors;
  LacMeasurements *measurements = lac_measurements_new("sensors", observations->n_times * m);

  measurements->has_y = n_axes > 1;
  measurements->has_t = !steady;
  for (gsize k = 0; k < observations->n_times; k++)
    for (gsize i = 0; i < m; i++) {
      const LacSensor *sensor = &observations->sensors[i];
      const gsize      at = k * m + i;

      measurements->rows[at] = (LacMeasurement){
        .x = sensor->x,
        .y = sensor->y,
        .t = steady ? 0 : observations->times[k],
        .value = observations->values[at],
        .sigma = observations->sigma[at],
        .quantity = (guint) lac_measurements_quantity(measurements, grid->fields[sensor->field]),
      };
    }
  return measurements;
}
