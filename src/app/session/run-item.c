/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run in the list of runs. */
#include "app/session/run-item.h"

#include "app/toolkit/format.h"

#include <glib/gi18n-lib.h>

struct _LacRunItem {
  LacColumnRow    parent_instance;
  LacRunHeadline *headline;
  GdkTexture     *picture;
};

G_DEFINE_FINAL_TYPE(LacRunItem, lac_run_item, LAC_TYPE_COLUMN_ROW)

static void
lac_run_item_finalize(GObject *object)
{
  LacRunItem *self = LAC_RUN_ITEM(object);
  lac_run_headline_unref(self->headline);
  g_clear_object(&self->picture);
  G_OBJECT_CLASS(lac_run_item_parent_class)->finalize(object);
}

static void
lac_run_item_class_init(LacRunItemClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_run_item_finalize;
}

static void
lac_run_item_init(LacRunItem *self)
{
}

LacRunItem *
lac_run_item_new(LacRunHeadline *headline)
{
  LacRunItem *self = g_object_new(LAC_TYPE_RUN_ITEM, NULL);
  self->headline = lac_run_headline_ref(headline);
  return self;
}

void
lac_run_item_update(LacRunItem *self, LacRunHeadline *headline)
{
  g_return_if_fail(LAC_IS_RUN_ITEM(self));
  LacRunHeadline *before = self->headline;
  self->headline = lac_run_headline_ref(headline);
  if (before->stamp.journal_ns != headline->stamp.journal_ns &&
      !g_str_equal(headline->outcome, "running"))
    g_clear_object(&self->picture);
  lac_run_headline_unref(before);
  lac_column_row_updated(LAC_COLUMN_ROW(self));
}

const LacRunHeadline *
lac_run_item_get(LacRunItem *self)
{
  g_return_val_if_fail(LAC_IS_RUN_ITEM(self), NULL);
  return self->headline;
}

GdkTexture *
lac_run_item_get_picture(LacRunItem *self)
{
  g_return_val_if_fail(LAC_IS_RUN_ITEM(self), NULL);
  return self->picture;
}

void
lac_run_item_set_picture(LacRunItem *self, GdkTexture *picture)
{
  g_return_if_fail(LAC_IS_RUN_ITEM(self));
  if (g_set_object(&self->picture, picture))
    lac_column_row_updated(LAC_COLUMN_ROW(self));
}

static const struct {
  const char *outcome, *words, *style;
} outcomes[] = {
  {"finished", N_("Finished"), NULL},        {"stopped", N_("Stopped"), "dim-label"},
  {"diverged", N_("Diverged"), "warning"},   {"failed", N_("Failed"), "error"},
  {"running", N_("Running"), "accent"},      {"interrupted", N_("Interrupted"), "warning"},
  {"unreadable", N_("Unreadable"), "error"},
};

char *
lac_run_item_dup_outcome(const LacRunHeadline *headline)
{
  for (gsize i = 0; i < G_N_ELEMENTS(outcomes); i++)
    if (g_str_equal(outcomes[i].outcome, headline->outcome))
      return g_strdup(_(outcomes[i].words));
  return g_strdup(headline->outcome);
}

const char *
lac_run_item_get_style(const LacRunHeadline *headline)
{
  for (gsize i = 0; i < G_N_ELEMENTS(outcomes); i++)
    if (g_str_equal(outcomes[i].outcome, headline->outcome))
      return outcomes[i].style;
  return NULL;
}

char *
lac_run_item_dup_laboratory(const LacRunHeadline *headline)
{
  static const struct {
    const char *name, *words;
  } names[] = {{"flow", N_("Flow")}, {"imaging", N_("Imaging")}, {"quantum", N_("Quantum")}};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    if (g_str_equal(names[i].name, headline->laboratory))
      return g_strdup(_(names[i].words));
  return g_strdup("–");
}

char *
lac_run_item_dup_day(const LacRunHeadline *headline)
{
  g_autoptr(GDateTime) then = g_date_time_new_from_unix_local(headline->started_s);
  if (headline->started_s == 0 || then == NULL)
    return g_strdup("–");
  /* the heading for all runs of a day */
  return g_date_time_format(then, _("%A, %-d %b %Y"));
}

char *
lac_run_item_dup_started(const LacRunHeadline *headline)
{
  g_autoptr(GDateTime) then = g_date_time_new_from_unix_local(headline->started_s);
  g_autoptr(GDateTime) now = g_date_time_new_now_local();
  if (headline->started_s == 0 || then == NULL)
    return g_strdup("–");
  if (g_date_time_get_year(then) == g_date_time_get_year(now) &&
      g_date_time_get_day_of_year(then) == g_date_time_get_day_of_year(now))
    /* a time today */
    return g_date_time_format(then, _("today %H:%M"));
  /* a date before today, with time */
  return g_date_time_format(then, _("%-d %b %Y %H:%M"));
}

char *
lac_run_item_dup_metric(const LacRunHeadline *headline)
{
  const LacHeadlineMetric *result = lac_run_headline_get_result(headline);
  return result != NULL ? lac_format_metric(result->value, result->unit) : g_strdup("–");
}
