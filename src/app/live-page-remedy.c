/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that ended badly, on the live page. */
#include "app/accessible.h"
#include "app/live-page-private.h"
#include "app/remedy-task.h"

#include <glib/gi18n-lib.h>

/* Of a run that ended badly: what happened, why in all likelihood, and the button that tries what is suggested. */
static void
show(LacLivePage *self, const LacRemedy *remedy)
{
  g_autofree char *text = lac_remedy_dup_text(remedy);
  g_autofree char *change = lac_remedy_dup_change(remedy);
  gtk_widget_set_visible(self->remedy, TRUE);
  gtk_label_set_text(self->remedy_text, text);
  /* it says it too, but for a missing run.h5 */
  gtk_widget_set_visible(GTK_WIDGET(self->message),
                         lac_session_get_status(self->session)->is_unassembled);
  gtk_widget_set_visible(self->retry, change != NULL);
  if (change == NULL)
    return;
  g_autofree char *words = g_strdup_printf(_("Retry with %s"), change);
  gtk_label_set_text(self->retry_label, words);
  lac_accessible_name(self->retry, words);
}

static gboolean
is_wanted(LacLivePage *self)
{
  return self->session != NULL && !lac_session_is_active(self->session) &&
         !lac_session_is_followed(self->session) &&
         lac_remedy_is_wanted(lac_session_get_status(self->session)->outcome);
}

static void
on_found(GObject *source, GAsyncResult *result, gpointer user_data)
{
  LacLivePage         *self = LAC_LIVE_PAGE(source);
  g_autoptr(LacRemedy) remedy = lac_remedy_task_finish(result, self->session);
  if (remedy != NULL && is_wanted(self))
    show(self, remedy);
}

void
lac_live_page_show_remedy(LacLivePage *self)
{
  gtk_widget_set_visible(self->remedy, FALSE);
  if (is_wanted(self))
    lac_remedy_task_start(self->session, self, on_found);
}
