/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds and groups of metrics, from their declarations. */
#include "report/text/metric-group.h"

#include "report/text/metric-text.h"

#include <string.h>

#define N_COLOURS 6
#define N_DASHES  3

LacCurveKind
lac_metric_kind(const LacMetric *metric)
{
  const char *point = strrchr(metric->key, '.');
  if (metric->has_reference)
    return LAC_CURVES_COEFFICIENTS;
  const char *own = point != NULL ? point + 1 : metric->key;
  if (g_str_has_prefix(own, "loss") || g_str_has_prefix(own, "gradient"))
    return LAC_CURVES_LOSSES;
  return metric->log_axis ? LAC_CURVES_ERRORS : LAC_CURVES_OTHERS;
}

const char *
lac_metric_group(const LacMetric *metric)
{
  const char *point = strchr(metric->key, '.');
  if (point == NULL)
    return "";
  g_autofree char *group = g_strndup(metric->key, (gsize) (point - metric->key));
  return g_intern_string(group);
}

const char *
lac_metric_group_label(const char       *group,
                       const LacMetric  *metrics,
                       gsize             n_metrics,
                       const LacChannel *channels,
                       gsize             n_channels)
{
  g_autofree char *error = g_strconcat(group, ".error", NULL);
  g_autofree char *ending = g_strconcat(".", group, NULL);
  for (gsize i = 0; i < n_metrics; i++)
    if (g_str_equal(metrics[i].key, error))
      return metrics[i].label;
  for (gsize i = 0; i < n_channels; i++)
    if (g_str_has_suffix(channels[i].key, ending))
      return channels[i].label;
  return group;
}

gboolean
lac_metric_is_drawn(const LacMetric *metrics, gsize n_metrics, gsize m)
{
  const char *first = "";
  gboolean    are_several = FALSE;

  for (gsize i = 0; i < n_metrics; i++) {
    const char *group = lac_metric_group(&metrics[i]);

    are_several |= *group != '\0' && *first != '\0' && group != first;
    first = *first == '\0' ? group : first;
  }
  if (lac_metric_is_error(metrics, n_metrics, m))
    return FALSE;
  return !are_several || !metrics[m].is_result || metrics[m].has_reference;
}

static guint
find_or_add(GPtrArray *groups, const char *group)
{
  guint at;
  if (!g_ptr_array_find(groups, group, &at)) {
    at = groups->len;
    g_ptr_array_add(groups, (gpointer) group);
  }
  return at;
}

/* Returns: (transfer full): the groups with curves of a kind, in the order of their colours: the methods, then the run
 * itself. */
static GPtrArray *
list_groups(LacCurveKind kind, const LacMetric *metrics, gsize n_metrics)
{
  GPtrArray *groups = g_ptr_array_new();
  for (int own = 0; own <= 1; own++)
    for (gsize i = 0; i < n_metrics; i++) {
      const char *group = lac_metric_group(&metrics[i]);
      if (lac_metric_kind(&metrics[i]) == kind && (*group == '\0') == own)
        find_or_add(groups, group);
    }
  return groups;
}

void
lac_metric_looks(LacCurveKind kind, const LacMetric *metrics, gsize n_metrics, guint *looks)
{
  g_autoptr(GPtrArray) groups = list_groups(kind, metrics, n_metrics);
  g_autofree guint    *members = g_new0(guint, groups->len + 1);
  for (gsize i = 0; i < n_metrics; i++) {
    looks[i] = 0;
    if (lac_metric_kind(&metrics[i]) != kind)
      continue;
    guint group = find_or_add(groups, lac_metric_group(&metrics[i])), member = members[group]++;
    looks[i] = groups->len == 1
                 ? 1 + member
                 : 1 + group % N_COLOURS + N_COLOURS * ((group / N_COLOURS + member) % N_DASHES);
  }
}
