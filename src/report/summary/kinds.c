/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of the own time by kind of work. */
#include "report/summary/kinds.h"

#include "perf/analysis/time-parts.h"

#include <glib/gi18n-lib.h>

LacKindTimes
lac_kinds_of_capture(const LacCapture *capture)
{
  g_auto(LacCallTree)      tree = lac_call_tree_make(capture, 0, 0);
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  gsize                    n;
  lac_aggregates_add_capture(aggregates, capture);
  const LacAggregate *rows = lac_aggregates_get(aggregates, &n);
  g_autoptr(GArray)   own = lac_own_times(&tree, rows, n);
  return lac_kind_times_of(capture, own);
}

char *
lac_kinds_dup_text(const LacKindTimes *times)
{
  guint              shares[LAC_N_KINDS], sum = 0;
  g_autoptr(GString) text = g_string_new(NULL);
  lac_kind_times_round(times, shares);
  for (guint i = 0; i < LAC_N_KINDS; i++) {
    sum += shares[i];
    /* Translators: kind of work, its share of the time */
    g_string_append_printf(text, _("%s%s %u %%"), i > 0 ? ", " : "", _(lac_operation_kind_key(i)),
                           shares[i]);
  }
  return sum > 0 ? g_strdup(text->str) : NULL;
}

void
lac_kinds_add_json(const LacKindTimes *times, JsonBuilder *builder)
{
  json_builder_set_member_name(builder, "kinds");
  json_builder_begin_object(builder);
  for (guint i = 0; i < LAC_N_KINDS; i++) {
    g_autofree char *key = g_strconcat(lac_operation_kind_key(i), "_seconds", NULL);
    lac_json_add_number(builder, key, times->ns[i] * 1e-9);
  }
  json_builder_end_object(builder);
}
