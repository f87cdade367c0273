/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPU status as text. */
#include "app/toolkit/device-note.h"

#include "app/toolkit/format.h"
#include "app/toolkit/latest-job.h"
#include "base/error.h"

#include <glib/gi18n-lib.h>

struct _LacDeviceNote {
  GObject parent_instance;
  GPtrArray *
    parts; /* (nullable) (element-type LacMachinePart): the CPU, then devices; NULL: query pending */
  LacContentCache *cache;
  gboolean         is_asking;
};

G_DEFINE_FINAL_TYPE(LacDeviceNote, lac_device_note, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
lac_device_note_finalize(GObject *object)
{
  LacDeviceNote *self = LAC_DEVICE_NOTE(object);
  g_clear_pointer(&self->parts, g_ptr_array_unref);
  lac_content_cache_unref(self->cache);
  G_OBJECT_CLASS(lac_device_note_parent_class)->finalize(object);
}

static void
lac_device_note_class_init(LacDeviceNoteClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_device_note_finalize;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_DEVICE_NOTE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
}

static void
lac_device_note_init(LacDeviceNote *self)
{
  self->cache = lac_content_cache_new(NULL, 0);
}

LacDeviceNote *
lac_device_note_new(void)
{
  return g_object_new(LAC_TYPE_DEVICE_NOTE, NULL);
}

static gpointer
ask(gpointer request, GCancellable *cancellable, GError **error)
{
  return lac_machine_query();
}

static void
on_answer(gpointer owner, gpointer request, gpointer parts, const GError *error)
{
  LacDeviceNote *self = owner;
  self->is_asking = FALSE;
  g_clear_pointer(&self->parts, g_ptr_array_unref);
  self->parts = parts;
  g_signal_emit(self, signals[CHANGED], 0);
}

void
lac_device_note_query(LacDeviceNote *self)
{
  g_return_if_fail(LAC_IS_DEVICE_NOTE(self));
  if (self->is_asking)
    return;
  self->is_asking = TRUE;
  lac_job_run(self, &(LacJobKind){.work = ask, .show = on_answer}, NULL);
}

/* ---- what is said ---- */

static gboolean
asks_for_device(const LacDeviceSetting *wanted)
{
  return g_str_equal(wanted->backend, "auto") || g_str_has_prefix(wanted->backend, "cuda");
}

/* Returns: (nullable): the device of this name; auto means the first. NULL while the query is pending. */
static const LacMachinePart *
find_part(LacDeviceNote *self, const char *name)
{
  const char *backend;
  guint       number;
  if (self->parts == NULL)
    return NULL;
  lac_device_parse_name(name, &backend, &number);
  /* an index out of range returns the last part; is_there() checks the range */
  return g_ptr_array_index(self->parts, MIN(number + 1, self->parts->len - 1));
}

static gboolean
is_there(LacDeviceNote *self, const char *name)
{
  const LacMachinePart *part = find_part(self, name);
  const char           *backend;
  guint                 number;
  lac_device_parse_name(name, &backend, &number);
  return part != NULL && part->why == NULL && number + 1 < self->parts->len;
}

static char *
dup_part_words(const LacMachinePart *part)
{
  const LacDeviceFacts *facts = &part->device;
  g_autofree char      *whole = lac_format_bytes((double) facts->memory);
  g_autofree char      *available = lac_format_bytes((double) facts->memory_free);
  if (part->why != NULL)
    return g_strdup(part->why);
  /* Translators: name of a GPU, its memory, free memory, compute capability. */
  return g_strdup_printf(_("%s: %s of memory, %s free, compute capability %d.%d"), facts->name,
                         whole, available, facts->major, facts->minor);
}

static char *
dup_words_of(LacDeviceNote *self, const char *name)
{
  const LacMachinePart *part = find_part(self, name);
  return part != NULL ? dup_part_words(part) : g_strdup(_("Looking for a GPU…"));
}

char *
lac_device_note_dup_words(LacDeviceNote *self)
{
  g_return_val_if_fail(LAC_IS_DEVICE_NOTE(self), NULL);
  return dup_words_of(self, "auto");
}

/* Looks up the measured choice between CPU and GPU for a run that leaves it open. Returns: FALSE: not measured yet */
static gboolean
recall(LacDeviceNote *self, const LacDeviceSetting *wanted, LacDeviceChoice *choice)
{
  const char *precision =
    g_str_equal(wanted->precision, "auto") ? wanted->experiment->precision : wanted->precision;
  const LacDeviceQuestion question = {
    .subject = {.experiment = wanted->experiment, .draft = wanted->draft, .precision = precision},
    .device = find_part(self, "auto"),
    .threads = wanted->threads,
    .cache = self->cache,
  };
  return lac_device_choice_recall(&question, choice);
}

/* Returns: TRUE if a timed step decides, like in lac_run_open_device(). */
static gboolean
is_open(const LacDeviceSetting *wanted)
{
  return g_str_equal(wanted->backend, "auto") &&
         (g_str_equal(wanted->precision, "auto") ||
          g_str_equal(lac_precision_storage(wanted->precision), wanted->precision));
}

static gboolean
uses_device(const LacDeviceSetting *wanted, GString *apart)
{
  return lac_experiment_uses_device(wanted->experiment, lac_draft_get_values(wanted->draft), apart);
}

const LacDeviceFacts *
lac_device_note_get_facts(LacDeviceNote *self, const LacDeviceSetting *wanted)
{
  g_return_val_if_fail(LAC_IS_DEVICE_NOTE(self) && wanted != NULL, NULL);
  LacDeviceChoice choice;
  if (!asks_for_device(wanted) || !is_there(self, wanted->backend) || !uses_device(wanted, NULL))
    return NULL;
  if (is_open(wanted) && recall(self, wanted, &choice) && !choice.takes_device)
    return NULL;
  return &find_part(self, wanted->backend)->device;
}

/* Returns: the name of the parts without device code, or of the experiment if it names no parts. */
static const char *
name_apart(const LacDeviceSetting *wanted, const GString *apart)
{
  return apart->len > 0 ? apart->str : g_dgettext(GETTEXT_PACKAGE, wanted->experiment->title);
}

/* Returns: (transfer full): the device description and which of the two will compute */
static char *
dup_open_choice(LacDeviceNote *self, const LacDeviceSetting *wanted, const char *words)
{
  LacDeviceChoice choice;
  if (recall(self, wanted, &choice))
    return g_strdup_printf("%s. %s", words, choice.reason);
  /* Translators: a GPU with its memory. */
  return g_strdup_printf(
    _("%s. A timed step decides between GPU and processor when the run starts"), words);
}

char *
lac_device_note_dup_choice(LacDeviceNote *self, const LacDeviceSetting *wanted)
{
  g_return_val_if_fail(LAC_IS_DEVICE_NOTE(self) && wanted != NULL, NULL);
  if (!asks_for_device(wanted))
    return NULL;
  g_autofree char   *words = dup_words_of(self, wanted->backend);
  g_autoptr(GString) apart = g_string_new(NULL);
  gboolean           uses = uses_device(wanted, apart);
  if (self->parts == NULL)
    return g_steal_pointer(&words);
  if (lac_device_is_lost() && uses)
    return g_strdup(
      _("The GPU no longer responds to this process; the run will use a separate process"));
  if (!is_there(self, wanted->backend))
    /* Translators: a sentence that explains why there is no GPU. */
    return g_strdup_printf(_("%s; the run uses the processor"), words);
  if (!uses)
    /* Translators: a GPU; an experiment, or a list of methods. */
    return g_strdup_printf(_("%s is not used: no GPU version of %s"),
                           find_part(self, wanted->backend)->device.name,
                           name_apart(wanted, apart));
  if (apart->len > 0) {
    /* Translators: a GPU with its memory; a list of methods. */
    char *more = g_strdup_printf(_("%s; on the processor: %s"), words, apart->str);
    g_free(words);
    words = more;
  }
  return is_open(wanted) ? dup_open_choice(self, wanted, words) : g_steal_pointer(&words);
}

gboolean
lac_device_note_check(LacDeviceNote *self, const LacDeviceSetting *wanted, GError **error)
{
  g_return_val_if_fail(LAC_IS_DEVICE_NOTE(self) && wanted != NULL, FALSE);
  if (!g_str_has_prefix(wanted->backend, "cuda") || self->parts == NULL ||
      is_there(self, wanted->backend) || lac_device_is_lost() || !uses_device(wanted, NULL))
    return TRUE;
  g_autofree char *words = dup_words_of(self, wanted->backend);
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, _("%s; choose auto or cpu as the backend"),
              words);
  return FALSE;
}
