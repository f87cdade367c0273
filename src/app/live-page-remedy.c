/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that ended badly, on the live page. */
#include "app/live-page-private.h"
#include "run/remedy.h"

#include <glib/gi18n-lib.h>

/* Of a run that ended badly: what happened, why in all likelihood, and the button that tries what is suggested. */
void
lac_live_page_show_remedy(LacLivePage *self)
{
  const gboolean ended =
    !lac_session_is_active(self->session) && !lac_session_is_followed(self->session);
  const LacRunStatus  *status = lac_session_get_status(self->session);
  g_autoptr(LacRemedy) remedy = ended && lac_remedy_is_wanted(status->outcome)
                                  ? lac_remedy_find(lac_session_get_folder(self->session))
                                  : NULL;
  gtk_widget_set_visible(self->remedy, remedy != NULL);
  if (remedy == NULL)
    return;
  g_autofree char *text = lac_remedy_dup_text(remedy);
  g_autofree char *change = lac_remedy_dup_change(remedy);
  gtk_label_set_text(self->remedy_text, text);
  gtk_widget_set_visible(GTK_WIDGET(self->message), FALSE); /* it says it too */
  gtk_widget_set_visible(self->retry, change != NULL);
  if (change == NULL)
    return;
  g_autofree char *words = g_strdup_printf(_("Retry with %s"), change);
  gtk_label_set_text(self->retry_label, words);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->retry), GTK_ACCESSIBLE_PROPERTY_LABEL, words,
                                 -1);
}
