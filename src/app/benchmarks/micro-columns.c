/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/benchmarks/micro-columns.h"

#include "app/benchmarks/table.h"
#include "report/bench/names.h"

#include <glib/gi18n-lib.h>

/* Returns: (transfer full): "EnKF analysis · grid" */
static char *
text_operation(gpointer row, gconstpointer data)
{
  const LacBenchLine *line = row;
  g_autofree char    *over = lac_bench_dup_item(line->name);
  char               *text = g_strconcat(line->tier, " · ", over, NULL);

  *text = g_ascii_toupper(*text);
  return text;
}

static char *
tip_operation(gpointer row, gconstpointer data)
{
  const LacGrowthLine *growth = &((const LacBenchLine *) row)->growth;

  return g_strdup_printf(_("By theory: %s"), growth->note);
}

static char *
text_sizes(gpointer row, gconstpointer data)
{
  return g_strdup(((const LacBenchLine *) row)->growth.sizes);
}

static char *
text_time(gpointer row, gconstpointer data)
{
  return g_strdup(((const LacBenchLine *) row)->growth.time);
}

static char *
text_memory(gpointer row, gconstpointer data)
{
  const LacGrowthLine *growth = &((const LacBenchLine *) row)->growth;

  return g_strdup(growth->has_memory ? growth->memory : "–");
}

static char *
text_rates(gpointer row, gconstpointer data)
{
  return g_strdup(((const LacBenchLine *) row)->growth.rates);
}

/* The worse of time and memory. */
static LacGrowthVerdict
get_growth(gpointer row)
{
  const LacGrowthLine *growth = &((const LacBenchLine *) row)->growth;

  return MAX(growth->time_verdict, growth->memory_verdict);
}

static char *
text_growth(gpointer row, gconstpointer data)
{
  static const char *const words[] = {
    [LAC_GROWTH_AGREES] = N_("agrees"),
    [LAC_GROWTH_BELOW] = N_("below"),
    [LAC_GROWTH_EXPLAINED] = N_("explained"),
    [LAC_GROWTH_ABOVE] = N_("above"),
  };

  return g_strdup(_(words[get_growth(row)]));
}

static const char *
accent_growth(gpointer row, gconstpointer data)
{
  return get_growth(row) == LAC_GROWTH_ABOVE ? "error" : "success";
}

/* clang-format off */
const LacTableColumn lac_bench_micro_columns[LAC_N_BENCH_MICRO_COLUMNS] = {
  {N_("Operation"), NULL, .width = 200, .expands = TRUE, .style = "heading", .text = text_operation, .tip = tip_operation},
  {N_("Sizes"), "sizes", .width = 110, .text = text_sizes},
  {N_("Time (theory)"), "time", .is_important = TRUE, .width = 130, .xalign = 1, .style = "numeric", .text = text_time},
  {N_("Memory (theory)"), "memory", .is_important = TRUE, .width = 130, .xalign = 1, .style = "numeric", .text = text_memory},
  {N_("Rate"), "rate", .width = 160, .xalign = 1, .style = "numeric", .text = text_rates},
  {N_("Growth"), "growth", .is_important = TRUE, .width = 80, .xalign = 1, .text = text_growth, .tip = tip_operation, .accent = accent_growth},
};
/* clang-format on */
