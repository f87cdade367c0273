/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The GPU in words. */
#include "app/device-note.h"

#include "app/owned-task.h"
#include "app/phrase.h"
#include "base/error.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

struct _LacDeviceNote {
  GObject        parent_instance;
  LacDeviceFacts facts;
  LacStatus      status;
  char          *why; /* (nullable): why it cannot be used */
  gboolean       has_answered, is_asking;
};

G_DEFINE_FINAL_TYPE(LacDeviceNote, lac_device_note, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

typedef struct {
  LacDeviceFacts facts;
  LacStatus      status;
  char          *why;
} Answer;

static void
answer_free(gpointer data)
{
  Answer *answer = data;
  g_free(answer->why);
  g_free(answer);
}

static void
lac_device_note_finalize(GObject *object)
{
  g_free(LAC_DEVICE_NOTE(object)->why);
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
}

LacDeviceNote *
lac_device_note_new(void)
{
  return g_object_new(LAC_TYPE_DEVICE_NOTE, NULL);
}

static void
ask(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Answer *answer = g_new0(Answer, 1);
  answer->status = lac_device_ask(&answer->facts, &answer->why);
  g_task_return_pointer(task, answer, answer_free);
}

static void
on_answer(GObject *source, GAsyncResult *result, gpointer user_data)
{
  LacDeviceNote *self = LAC_DEVICE_NOTE(source);
  Answer        *answer = g_task_propagate_pointer(G_TASK(result), NULL);
  self->is_asking = FALSE;
  self->has_answered = TRUE;
  self->facts = answer->facts;
  self->status = answer->status;
  g_free(self->why);
  self->why = g_steal_pointer(&answer->why);
  answer_free(answer);
  g_signal_emit(self, signals[CHANGED], 0);
}

void
lac_device_note_ask(LacDeviceNote *self)
{
  g_return_if_fail(LAC_IS_DEVICE_NOTE(self));
  if (self->is_asking)
    return;
  self->is_asking = TRUE;
  g_autoptr(GTask) task = lac_owned_task_new(self, NULL, on_answer);
  g_task_run_in_thread(task, ask);
}

const LacDeviceFacts *
lac_device_note_get_facts(LacDeviceNote *self)
{
  g_return_val_if_fail(LAC_IS_DEVICE_NOTE(self), NULL);
  return self->has_answered && self->status == LAC_STATUS_OK ? &self->facts : NULL;
}

char *
lac_device_note_dup_words(LacDeviceNote *self)
{
  g_return_val_if_fail(LAC_IS_DEVICE_NOTE(self), NULL);
  if (!self->has_answered)
    return g_strdup(_("Looking for a GPU…"));
  if (self->status != LAC_STATUS_OK)
    return g_strdup(self->why);
  g_autofree char *whole = lac_phrase_bytes((double) self->facts.memory);
  g_autofree char *available = lac_phrase_bytes((double) self->facts.memory_free);
  /* Translators: name of a GPU, its memory, what of it is free, its compute capability. */
  return g_strdup_printf(_("%s: %s of memory, %s free, compute capability %d.%d"), self->facts.name,
                         whole, available, self->facts.major, self->facts.minor);
}

static gboolean
asks_for_device(const LacDeviceWish *wish)
{
  return g_str_equal(wish->backend, "auto") || g_str_equal(wish->backend, "cuda");
}

gboolean
lac_device_note_is_used(LacDeviceNote *self, const LacDeviceWish *wish)
{
  return lac_device_note_get_facts(self) != NULL && asks_for_device(wish) &&
         lac_experiment_uses_device(wish->experiment, wish->values, NULL);
}

/* What has nothing to do for a device, by its name: of the experiment where it names no parts. */
static const char *
name_apart(const LacDeviceWish *wish, const GString *apart)
{
  return apart->len > 0 ? apart->str : g_dgettext(GETTEXT_PACKAGE, wish->experiment->title);
}

char *
lac_device_note_dup_choice(LacDeviceNote *self, const LacDeviceWish *wish)
{
  g_return_val_if_fail(LAC_IS_DEVICE_NOTE(self) && wish != NULL, NULL);
  if (!asks_for_device(wish))
    return NULL;
  g_autofree char   *words = lac_device_note_dup_words(self);
  g_autoptr(GString) apart = g_string_new(NULL);
  gboolean           uses = lac_experiment_uses_device(wish->experiment, wish->values, apart);
  if (!self->has_answered)
    return g_steal_pointer(&words);
  if (self->status == LAC_STATUS_DEVICE_LOST && uses)
    return g_strdup(_("The GPU stopped answering this process: the run gets one of its own"));
  if (self->status != LAC_STATUS_OK)
    /* Translators: a sentence why there is no GPU. */
    return g_strdup_printf(_("%s; the processor computes"), words);
  if (!uses)
    /* Translators: a GPU; an experiment, or a list of solvers. */
    return g_strdup_printf(_("%s has nothing to do: the processor alone computes %s"),
                           self->facts.name, name_apart(wish, apart));
  if (apart->len > 0)
    /* Translators: a GPU with its memory; a list of solvers. */
    return g_strdup_printf(_("%s; the processor computes %s"), words, apart->str);
  return g_steal_pointer(&words);
}

gboolean
lac_device_note_check(LacDeviceNote *self, const LacDeviceWish *wish, GError **error)
{
  g_return_val_if_fail(LAC_IS_DEVICE_NOTE(self) && wish != NULL, FALSE);
  g_autoptr(GString) apart = g_string_new(NULL);
  if (!g_str_equal(wish->backend, "cuda") || !self->has_answered)
    return TRUE;
  if (self->status != LAC_STATUS_OK && self->status != LAC_STATUS_DEVICE_LOST) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, _("%s; choose auto or cpu as the backend"),
                self->why);
    return FALSE;
  }
  if (lac_experiment_uses_device(wish->experiment, wish->values, apart))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE,
              _("The processor alone computes %s: choose auto or cpu as the backend"),
              name_apart(wish, apart));
  return FALSE;
}
