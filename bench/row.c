/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows as JSON objects with commas between them; the list's brackets are the program's. */
#include "row.h"

#include "clocks.h"

#include <stdlib.h>

static gboolean all_passed = TRUE, any_printed;

char *
bench_number(double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup(g_ascii_formatd(text, sizeof text, "%.6g", value));
}

void
bench_print_row(const BenchRow *row, BenchFigure figure)
{
  g_autofree char *value = bench_number(figure.value);
  g_autofree char *spread = bench_number(figure.highest - figure.lowest);
  g_autofree char *limit = bench_number(row->limit);
  gboolean         passed = row->at_most ? figure.value <= row->limit : figure.value >= row->limit;

  g_print("%s  {\"name\": \"%s\", \"metric\": \"%s\", \"threads\": %u, \"value\": %s, \"unit\": "
          "\"%s\", \"spread\": %s",
          any_printed ? ",\n" : "", row->name, row->metric, row->n_threads, value, row->unit,
          spread);
  if (row->limit > 0) {
    g_print(", \"limit\": %s, \"passed\": %s", limit, passed ? "true" : "false");
    all_passed &= passed;
  }
  g_print("}");
  any_printed = TRUE;
}

gboolean
bench_all_passed(void)
{
  return all_passed;
}

BenchFigure
bench_figure_of(double *numbers, gsize n)
{
  double median = bench_median(numbers, n);

  return (BenchFigure){median, numbers[0], numbers[n - 1]};
}

void
bench_parse(const GOptionEntry *entries, const char *what, int *argc, char ***argv)
{
  g_autoptr(GOptionContext) context = g_option_context_new(what);
  g_autoptr(GError)         error = NULL;

  g_option_context_add_main_entries(context, entries, NULL);
  if (g_option_context_parse(context, argc, argv, &error))
    return;
  g_printerr("%s\n", error->message);
  exit(2);
}
