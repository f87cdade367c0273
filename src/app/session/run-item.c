/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run in the list of runs. */
#include "app/session/run-item.h"

#include "app/toolkit/format.h"
#include "base/number.h"
#include "experiment/experiment.h"
#include "run/library/best.h"
#include "run/plan/sweep.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* The value of a swept setting. */
typedef struct {
  char  *line;   /* "key=text" */
  double number; /* NaN: the text is none */
} Swept;

struct _LacRunItem {
  LacColumnRow    parent_instance;
  LacRunHeadline *headline;
  GdkTexture     *picture;
  GArray         *swept; /* (nullable): of Swept; kept from the first comparison on */
};

G_DEFINE_FINAL_TYPE(LacRunItem, lac_run_item, LAC_TYPE_COLUMN_ROW)

static void
lac_run_item_finalize(GObject *object)
{
  LacRunItem *self = LAC_RUN_ITEM(object);
  lac_run_headline_unref(self->headline);
  g_clear_object(&self->picture);
  g_clear_pointer(&self->swept, g_array_unref);
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
  g_clear_pointer(&self->swept, g_array_unref);
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

static gboolean
is_same_day(GDateTime *a, GDateTime *b)
{
  return g_date_time_get_year(a) == g_date_time_get_year(b) &&
         g_date_time_get_day_of_year(a) == g_date_time_get_day_of_year(b);
}

char *
lac_run_item_dup_day(const LacRunHeadline *headline)
{
  g_autoptr(GDateTime) then = g_date_time_new_from_unix_local(headline->started_s);
  g_autoptr(GDateTime) now = g_date_time_new_now_local();
  g_autoptr(GDateTime) yesterday = g_date_time_add_days(now, -1);
  if (headline->started_s == 0 || then == NULL)
    return g_strdup("–");
  if (is_same_day(then, now))
    return g_strdup(_("Today"));
  if (is_same_day(then, yesterday))
    return g_strdup(_("Yesterday"));
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
  if (is_same_day(then, now))
    /* a time today */
    return g_date_time_format(then, _("today %H:%M"));
  /* a date before today, with time */
  return g_date_time_format(then, _("%-d %b %Y %H:%M"));
}

/* Returns the format of at most three significant digits; of a small value three decimals, but one digit at least. */
static const char *
get_format(double magnitude)
{
  return magnitude >= 100    ? "%.1f"
         : magnitude >= 0.1  ? "%.3g"
         : magnitude >= 0.01 ? "%.2g"
                             : "%.1g";
}

char *
lac_run_item_dup_best(const LacRunHeadline *headline)
{
  const LacHeadlineMetric *best = lac_run_headline_find_best(headline);
  char                     digits[G_ASCII_DTOSTR_BUF_SIZE];
  if (best == NULL)
    return g_strdup("–");
  if (lac_headline_metric_is_share(best)) {
    g_ascii_formatd(digits, sizeof digits, "%.2g", 100 * best->value);
    return lac_format_metric(g_ascii_strtod(digits, NULL), "%");
  }
  g_ascii_formatd(digits, sizeof digits, get_format(fabs(best->value)), best->value);
  return lac_format_metric(g_ascii_strtod(digits, NULL), best->unit);
}

/* ---- what was changed ---- */

#define MOST_CHANGES    3
#define ENSEMBLE_FILTER "enkf" /* known by this acronym, which its title does not contain */

const char *
lac_run_item_get_symbol(const char *label)
{
  const char *last = strrchr(label, ' ');
  return last != NULL && g_utf8_strlen(last + 1, -1) <= 2 &&
             g_unichar_isalpha(g_utf8_get_char(last + 1))
           ? last + 1
           : label;
}

char *
lac_run_item_dup_short_title(const char *title, const char *key)
{
  const char   *translated = g_dgettext(GETTEXT_PACKAGE, title);
  g_auto(GStrv) words = g_strsplit_set(translated, " ()-", -1);
  if (g_str_equal(key, ENSEMBLE_FILTER))
    return g_strdup("EnKF");
  for (char **word = words; *word != NULL; word++)
    if (g_ascii_strcasecmp(*word, key) == 0)
      return g_strdup(*word);
  return g_strdup(translated);
}

static char *
dup_short_titles(const LacParam *row, const char *text)
{
  g_auto(GStrv) names = g_strsplit(text, ",", -1);
  for (char **name = names; *name != NULL; name++)
    for (gsize i = 0; row->choices[i] != NULL; i++)
      if (g_str_equal(*name, row->choices[i])) {
        g_free(*name);
        *name = lac_run_item_dup_short_title(row->titles[i], row->choices[i]);
        break;
      }
  return g_strjoinv(", ", names);
}

static char *
dup_value(const LacParam *row, const char *text)
{
  if (row == NULL)
    return g_strdup(text);
  if (row->kind == LAC_PARAM_FILE)
    return g_path_get_basename(text);
  if (row->kind == LAC_PARAM_LIST && row->titles != NULL)
    return dup_short_titles(row, text);
  g_autofree char *shown = lac_param_dup_shown(row, text);
  gboolean is_plain = row->unit == NULL || *row->unit == '\0' || g_str_equal(row->unit, "1");
  return is_plain || !g_str_equal(shown, text) ? g_steal_pointer(&shown)
                                               : g_strdup_printf("%s %s", text, row->unit);
}

static const LacParam *
find_row(const LacExperiment *experiment, const char *line)
{
  g_autofree char *key = g_strndup(line, strcspn(line, "="));
  return experiment != NULL ? lac_sweep_find_row(&experiment->params, key) : NULL;
}

char *
lac_run_item_dup_value(const LacRunHeadline *headline, const char *key, const char *text)
{
  return dup_value(find_row(lac_experiment_find(headline->experiment, NULL), key), text);
}

/* @line: "key=text". Returns: (transfer full): the label and the value; of a list, whose entries are names, the value. */
static char *
dup_setting(const LacExperiment *experiment, const char *line, const char *between)
{
  const LacParam  *row = find_row(experiment, line);
  const char      *text = strchr(line, '=') != NULL ? strchr(line, '=') + 1 : "";
  g_autofree char *key = g_strndup(line, strcspn(line, "="));
  g_autofree char *value = dup_value(row, text);
  const char      *label = row != NULL ? g_dgettext(GETTEXT_PACKAGE, row->label) : key;
  if (row != NULL && row->kind == LAC_PARAM_LIST && *value != '\0')
    return g_steal_pointer(&value);
  return g_strconcat(lac_run_item_get_symbol(label), *value != '\0' ? between : "", value, NULL);
}

static void
clear_swept(gpointer swept)
{
  g_free(((Swept *) swept)->line);
}

/* Returns: (transfer full): what was swept, also if it is the default. */
static GArray *
list_swept(const LacRunHeadline *headline)
{
  GArray       *list = g_array_new(FALSE, FALSE, sizeof(Swept));
  const char   *text = strchr(headline->sweep, ' ');
  g_auto(GStrv) parts = g_strsplit(text != NULL ? text + 1 : "", ";", -1);
  g_array_set_clear_func(list, clear_swept);
  for (char **part = parts; *part != NULL; part++) {
    g_autofree char *key = g_strstrip(g_strndup(*part, strcspn(*part, "=")));
    g_autofree char *value = *key != '\0' ? lac_run_headline_dup_setting(headline, key) : NULL;
    Swept            swept = {NULL, (double) NAN};
    if (value == NULL)
      continue;
    if (!lac_number_parse(value, &swept.number))
      swept.number = (double) NAN;
    swept.line = g_strdup_printf("%s=%s", key, value);
    g_array_append_val(list, swept);
  }
  return list;
}

static gboolean
is_among(const GArray *swept, const char *line)
{
  for (guint i = 0; i < swept->len; i++)
    if (g_str_equal(g_array_index(swept, Swept, i).line, line))
      return TRUE;
  return FALSE;
}

static int
compare_widths(gconstpointer a, gconstpointer b)
{
  return (int) (g_utf8_strlen(*(char *const *) a, -1) - g_utf8_strlen(*(char *const *) b, -1));
}

/* Appends the texts of the changes that are lists or are not, the shortest first: a long one would hide the others.
 * @swept: left out */
static void
add_changes(GPtrArray *texts, const LacRunHeadline *headline, const GArray *swept, gboolean lists)
{
  const LacExperiment *experiment = lac_experiment_find(headline->experiment, NULL);
  g_auto(GStrv)        changed = g_strsplit(headline->changed, "\n", -1);
  g_autoptr(GPtrArray) added = g_ptr_array_new();
  for (char **line = changed; *line != NULL; line++) {
    const LacParam *row = find_row(experiment, *line);
    if (**line != '\0' && (row != NULL && row->kind == LAC_PARAM_LIST) == lists &&
        !is_among(swept, *line))
      g_ptr_array_add(added, dup_setting(experiment, *line, " "));
  }
  g_ptr_array_sort(added, compare_widths);
  g_ptr_array_extend_and_steal(texts, g_steal_pointer(&added));
}

char *
lac_run_item_dup_swept(const LacRunHeadline *headline)
{
  const LacExperiment *experiment = lac_experiment_find(headline->experiment, NULL);
  g_autoptr(GArray)    swept = list_swept(headline);
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
  for (guint i = 0; i < swept->len; i++)
    g_ptr_array_add(texts, dup_setting(experiment, g_array_index(swept, Swept, i).line, " = "));
  g_ptr_array_add(texts, NULL);
  return g_strjoinv(", ", (GStrv) texts->pdata);
}

static const GArray *
get_swept(LacRunItem *self)
{
  if (self->swept == NULL)
    self->swept = list_swept(self->headline);
  return self->swept;
}

/* Numbers come before texts. */
static int
compare_values(const Swept *a, const Swept *b)
{
  if (isnan(a->number) || isnan(b->number))
    return isnan(a->number) && isnan(b->number) ? strcmp(a->line, b->line)
                                                : isnan(a->number) - isnan(b->number);
  return (a->number > b->number) - (a->number < b->number);
}

int
lac_run_item_compare_swept(LacRunItem *a, LacRunItem *b)
{
  const GArray *left = get_swept(a), *right = get_swept(b);
  for (guint i = 0; i < MIN(left->len, right->len); i++) {
    int order = compare_values(&g_array_index(left, Swept, i), &g_array_index(right, Swept, i));
    if (order != 0)
      return order;
  }
  return strcmp(a->headline->name, b->headline->name);
}

char *
lac_run_item_dup_caption(const LacRunHeadline *headline)
{
  const LacExperiment *experiment = lac_experiment_find(headline->experiment, NULL);
  g_autoptr(GDateTime) then = g_date_time_new_from_unix_local(headline->started_s);
  g_autoptr(GArray)    swept = list_swept(headline);
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(texts, headline->started_s != 0 && then != NULL
                           ? g_date_time_format(then, "%H:%M")
                           : g_strdup(""));
  for (guint i = 0; i < swept->len; i++)
    g_ptr_array_add(texts, dup_setting(experiment, g_array_index(swept, Swept, i).line, " "));
  add_changes(texts, headline, swept, FALSE);
  add_changes(texts, headline, swept, TRUE);
  const char *more = texts->len > 1 + MOST_CHANGES ? " …" : NULL;
  g_ptr_array_set_size(texts, (gint) MIN(texts->len, 1 + MOST_CHANGES));
  g_ptr_array_add(texts, NULL);
  g_autofree char *shown = g_strjoinv(" · ", (GStrv) texts->pdata);
  return g_strconcat(shown, more, NULL);
}
