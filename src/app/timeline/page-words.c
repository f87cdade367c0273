/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of the page: the answer, the caption of the timeline, numbers of records, matches and findings. */
#include "app/timeline/page-private.h"
#include "app/toolkit/answer-label.h"
#include "app/toolkit/format.h"

#include <glib/gi18n-lib.h>

static LacRecording *
get_recording(LacTimelinePage *self)
{
  return lac_timeline_scope_get_recording(self->scope);
}

static void
describe_records(LacTimelinePage *self)
{
  if (lac_timeline_scope_is_empty(self->scope)) {
    gtk_stack_set_visible_child_name(self->stack, "empty");
    return;
  }
  g_autofree char *records = lac_format_count(lac_recording_get_n_records(get_recording(self)));
  g_autofree char *lost = lac_format_count(lac_recording_get_n_lost(get_recording(self)));
  /* Translators: numbers of records in a recording, and of those lost */
  g_autofree char *text = g_strdup_printf(_("%s records · %s lost"), records, lost);
  gtk_label_set_text(self->counters, text);
  gtk_stack_set_visible_child_name(self->stack, "records");
}

/* ---- the caption: the reading of the pointer or of the selected span, else the range, else the iterations ---- */

/* Returns the number of iterations over the target, or of outliers without a target, as text. */
static char *
count_marked(const LacIterations *iterations, gint64 target_ns, gsize *n)
{
  if (target_ns == 0) {
    *n = iterations->n_outliers;
    g_autofree char *outliers = lac_format_count(*n);
    return g_strdup_printf(ngettext("%s outlier", "%s outliers", (gulong) *n), outliers);
  }
  *n = lac_iterations_count_over(iterations, target_ns);
  g_autofree char *over = lac_format_count(*n), *target = lac_format_span((double) target_ns);
  return g_strdup_printf(_("over %s: %s"), target, over);
}

/* Returns: (transfer full) (nullable): "150 iterations · median 856 ms · 3 outliers"; NULL without iterations */
static char *
dup_iterations(LacTimelinePage *self, gsize *n_marked)
{
  *n_marked = 0;
  if (lac_timeline_scope_is_empty(self->scope))
    return NULL;
  const LacIterations *iterations = lac_recording_get_iterations(get_recording(self));
  g_autofree char     *n = lac_format_count(iterations->n);
  if (iterations->n > 0 && iterations->median_ns <= 0) /* too few */
    return g_strdup_printf(ngettext("%s iteration", "%s iterations", (gulong) iterations->n), n);
  g_autofree char *marked =
    count_marked(iterations, lac_timeline_scope_get_target(self->scope), n_marked);
  g_autofree char *median = lac_format_span(iterations->median_ns);
  return iterations->median_ns > 0
           ? g_strdup_printf(_("%s iterations · median %s · %s"), n, median, marked)
           : NULL;
}

/* Returns: (transfer full) (nullable): NULL without a range */
static char *
dup_range(LacTimelinePage *self)
{
  gint64 begin, end, first, last;
  if (!lac_timeline_scope_get_range(self->scope, &begin, &end))
    return NULL;
  LacTimeline *timeline = lac_recording_get_timeline(get_recording(self));
  lac_timeline_get_extent(timeline, &first, &last);
  g_autofree char *from = lac_format_span((double) (begin - first));
  g_autofree char *to = lac_format_span((double) (end - first));
  g_autofree char *width = lac_format_span((double) (end - begin));
  g_autofree char *n = lac_format_count(lac_timeline_count_range(timeline, begin, end));
  return g_strdup_printf(_("Range %s … %s, %s long, %s records"), from, to, width, n);
}

static gboolean
is_complete(LacTimelinePage *self)
{
  return get_recording(self) != NULL && lac_recording_is_closed(get_recording(self));
}

void
lac_timeline_page_describe_caption(LacTimelinePage *self)
{
  gsize            n_marked;
  g_autofree char *reading = NULL, *range = dup_range(self);
  g_autofree char *iterations = dup_iterations(self, &n_marked);
  g_object_get(self->timeline, "reading", &reading, NULL);
  const char *words = reading != NULL      ? reading
                      : range != NULL      ? range
                      : iterations != NULL ? iterations
                      : is_complete(self)  ? _("no iterations: no record belongs to a step")
                                           : "";
  gtk_label_set_text(self->caption, words);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->caption), words);
  gtk_widget_set_visible(self->clear_range, range != NULL);
  gtk_widget_set_sensitive(self->outlier_before, n_marked > 0);
  gtk_widget_set_sensitive(self->outlier_after, n_marked > 0);
}

static void
describe_matches(LacTimelinePage *self)
{
  gboolean         any = lac_timeline_scope_get_match(self->scope) != NULL;
  guint64          n = lac_timeline_scope_count_matches(self->scope);
  g_autofree char *count = lac_format_count(n);
  g_autofree char *text =
    !any
      ? g_strdup("")
      : g_strdup_printf(g_dngettext(GETTEXT_PACKAGE, "%s match", "%s matches", (gulong) n), count);
  gtk_label_set_text(self->matches, text);
  gtk_widget_set_visible(self->match_box, any);
  gtk_widget_set_sensitive(self->match_before, n > 0);
  gtk_widget_set_sensitive(self->match_after, n > 0);
  if (any && n == 0)
    gtk_widget_add_css_class(GTK_WIDGET(self->search), "error");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self->search), "error");
}

void
lac_timeline_page_describe(LacTimelinePage *self, guint what)
{
  if (what & LAC_SCOPE_DATA)
    describe_records(self);
  if (what & (LAC_SCOPE_DATA | LAC_SCOPE_TARGET | LAC_SCOPE_RANGE))
    lac_timeline_page_describe_caption(self);
  if (what & (LAC_SCOPE_DATA | LAC_SCOPE_SEARCH))
    describe_matches(self);
}

/* ---- computed in the background ---- */

void
lac_timeline_page_describe_times(LacTimelinePage *self)
{
  g_autofree char *answer = lac_timeline_times_dup_answer(self->times);
  lac_answer_label_set(self->answer, answer);
}

void
lac_timeline_page_describe_findings(LacTimelinePage *self)
{
  const LacAnalysis *found = lac_timeline_analysis_get(self->analysis);
  g_autofree char   *n = found != NULL ? lac_format_count(found->n) : NULL;
  /* Translators: number of findings of the analysis */
  g_autofree char *label = n != NULL ? g_strdup_printf(_("Findings %s"), n) : NULL;
  adw_button_content_set_label(self->findings_content, label != NULL ? label : _("Findings"));
  gtk_widget_set_sensitive(self->findings_button, found == NULL || found->n > 0);
}
