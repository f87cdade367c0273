/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/helpers/cut-readers.h"

#include "io/format/table-columns.h"
#include "io/input/block.h"
#include "io/input/exposures-h5.h"
#include "io/input/measurements-table.h"
#include "io/input/molecule-file.h"
#include "io/trace/trace-file.h"

#include <math.h>
#include <string.h>

static gpointer
load_arrays(const char *path, GError **error)
{
  return lac_input_file_read(path, LAC_INPUT_WHOLE, error);
}

/* Loads arrays that stay in the file, block by block. */
static gpointer
load_blocks(const char *path, GError **error)
{
  g_autoptr(LacInputFile) file = lac_input_file_read(path, LAC_INPUT_HEADS, error);

  for (guint i = 0; file != NULL && i < file->arrays->len; i++) {
    LacInputArray *array = file->arrays->pdata[i];
    const gsize    start[LAC_INPUT_MAX_RANK] = {0};

    if (!array->is_left)
      continue;
    LacInputBlock *block = lac_input_block_new(path, file, array);
    array->data = g_new(double, lac_input_array_get_length(array));
    const gboolean done = lac_input_block_read(block, start, array->sizes, array->data, error);
    lac_input_block_free(block);
    if (!done)
      return NULL;
  }
  return g_steal_pointer(&file);
}

const LacInputArray *
cut_find_array(const LacInputFile *file, const char *name)
{
  for (guint i = 0; i < file->arrays->len; i++)
    if (g_str_equal(((const LacInputArray *) file->arrays->pdata[i])->name, name))
      return file->arrays->pdata[i];
  g_error("there is no array %s in the sound file", name);
}

static void
compare_arrays(gconstpointer sound, gconstpointer part)
{
  const LacInputFile *file = part;

  for (guint i = 0; i < file->arrays->len; i++) {
    const LacInputArray *array = file->arrays->pdata[i];
    const LacInputArray *whole = cut_find_array(sound, array->name);
    const gsize          n = lac_input_array_get_length(array) * sizeof(double);

    g_assert_cmpuint(lac_input_array_get_length(whole) * sizeof(double), ==, n);
    g_assert_true((array->data == NULL) == (whole->data == NULL));
    if (array->data != NULL)
      g_assert_cmpmem(array->data, n, whole->data, n);
  }
}

static void
free_arrays(gpointer file)
{
  lac_input_file_free(file);
}

static gpointer
load_columns(const char *path, GError **error)
{
  return lac_table_columns_read(path, error);
}

/* The part must consist of the first rows, complete. */
static void
compare_columns(gconstpointer sound, gconstpointer part)
{
  const LacTableColumns *whole = sound, *columns = part;
  const gsize            n = columns->n_rows * columns->n_columns * sizeof(double);

  g_assert_cmpuint(columns->n_columns, ==, whole->n_columns);
  g_assert_cmpuint(columns->n_rows, <=, whole->n_rows);
  g_assert_cmpmem(columns->numbers, n, whole->numbers, n);
}

static void
free_columns(gpointer columns)
{
  lac_table_columns_free(columns);
}

static gpointer
load_measurements(const char *path, GError **error)
{
  return lac_measurements_read(path, error);
}

static void
compare_measurements(gconstpointer sound, gconstpointer part)
{
  const LacMeasurements *whole = sound, *measurements = part;

  g_assert_cmpuint(measurements->n, <=, whole->n);
  for (gsize i = 0; i < measurements->n; i++) {
    const LacMeasurement *a = &measurements->rows[i], *b = &whole->rows[i];
    const double          here[] = {a->x, a->y, a->t, a->value, a->sigma};
    const double          there[] = {b->x, b->y, b->t, b->value, b->sigma};

    g_assert_cmpmem(here, sizeof here, there, sizeof there);
    g_assert_cmpstr(measurements->quantities[a->quantity], ==, whole->quantities[b->quantity]);
  }
}

static void
free_measurements(gpointer measurements)
{
  lac_measurements_free(measurements);
}

static gpointer
load_molecule(const char *path, GError **error)
{
  return lac_molecule_file_read(path, error);
}

static void
compare_molecules(gconstpointer sound, gconstpointer part)
{
  const LacMolecule *whole = sound, *molecule = part;

  g_assert_cmpuint(molecule->n_nuclei, ==, whole->n_nuclei);
  for (guint i = 0; i < whole->n_nuclei; i++) {
    g_assert_cmpuint(molecule->nuclei[i].charge, ==, whole->nuclei[i].charge);
    for (guint k = 0; k < 3; k++)
      g_assert_cmpfloat(molecule->nuclei[i].position[k], ==, whole->nuclei[i].position[k]);
  }
}

static void
free_molecule(gpointer molecule)
{
  lac_molecule_unref(molecule);
}

typedef struct {
  LacCapture   *capture;
  LacTraceFacts facts;
} Trace;

static void
free_trace(gpointer data)
{
  Trace *trace = data;

  g_clear_pointer(&trace->capture, lac_capture_unref);
  lac_trace_facts_clear(&trace->facts);
  g_free(trace);
}

static gpointer
load_trace(const char *path, GError **error)
{
  Trace *trace = g_new0(Trace, 1);

  trace->capture = lac_trace_open(path, &trace->facts, error);
  if (trace->capture == NULL)
    g_clear_pointer(&trace, free_trace);
  return trace;
}

/* A killed program leaves a truncated trace: the caution reports it, or only whole events are missing. */
static void
compare_traces(gconstpointer sound, gconstpointer part)
{
  const Trace *whole = sound, *trace = part;
  const gsize  n = lac_capture_get_n_records(trace->capture);

  g_assert_cmpuint(n, <=, lac_capture_get_n_records(whole->capture));
  g_assert_cmpuint(trace->facts.n_events, <=, whole->facts.n_events);
  for (gsize i = 0; trace->facts.caution[0] == '\0' && i < n; i++) {
    const LacRecord *here = lac_capture_at(trace->capture, i);
    const LacRecord *there = lac_capture_at(whole->capture, i);

    g_assert_cmpint(here->start_ns, ==, there->start_ns);
    g_assert_cmpint(here->duration_ns, ==, there->duration_ns);
    g_assert_cmpfloat(here->value, ==, there->value);
  }
}

static gpointer
load_exposures(const char *path, GError **error)
{
  return lac_exposures_h5_read(path, error);
}

static void
compare_exposures(gconstpointer sound, gconstpointer part)
{
  const LacEntry *whole = lac_exposures_find(sound, "stack");
  const LacEntry *stack = lac_exposures_find(part, "stack");
  const gsize     n = whole->n_rows * whole->n_columns * sizeof(double);

  g_assert_cmpmem(stack->data, stack->n_rows * stack->n_columns * sizeof(double), whole->data, n);
}

static void
free_exposures(gpointer store)
{
  lac_store_free(store);
}

/* In a compressed file, every missing event is reported. */
static void
assert_cautioned(gconstpointer sound, gconstpointer part)
{
  const Trace *whole = sound, *trace = part;

  if (trace->facts.caution[0] == '\0')
    g_assert_cmpuint(trace->facts.n_events, ==, whole->facts.n_events);
}

const CutReader cut_as_arrays = {load_arrays, compare_arrays, free_arrays};
const CutReader cut_as_blocks = {load_blocks, compare_arrays, free_arrays};
const CutReader cut_as_grid = {load_arrays, NULL,
                               free_arrays}; /* as_columns compares the same data */
const CutReader cut_as_columns = {load_columns, compare_columns, free_columns};
const CutReader cut_as_measurements = {load_measurements, compare_measurements, free_measurements};
const CutReader cut_as_molecule = {load_molecule, compare_molecules, free_molecule};
const CutReader cut_as_trace = {load_trace, compare_traces, free_trace};
const CutReader cut_as_exposures = {load_exposures, compare_exposures, free_exposures};
const CutReader cut_as_packed_trace = {load_trace, assert_cautioned, free_trace};
