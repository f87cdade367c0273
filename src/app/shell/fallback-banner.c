/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The banner after a fallback to another device. */
#include "app/shell/fallback-banner.h"

struct _LacFallbackBanner {
  GtkWidget    parent_instance;
  GtkRevealer *revealer;
  GtkLabel    *sentence;
  LacSession  *session;
  char        *put_away; /* (nullable): the dismissed message */
};

G_DEFINE_FINAL_TYPE(LacFallbackBanner, lac_fallback_banner, GTK_TYPE_WIDGET)

static void
show_fallback(LacFallbackBanner *self)
{
  const char *sentence =
    self->session != NULL ? lac_session_get_status(self->session)->fallback : "";
  gboolean    is_news = *sentence != '\0' && g_strcmp0(sentence, self->put_away) != 0;
  const char *shown = is_news ? sentence : ""; /* hidden text is not announced either */
  if (g_strcmp0(gtk_label_get_text(self->sentence), shown) != 0)
    gtk_label_set_text(self->sentence, shown);
  gtk_widget_set_visible(GTK_WIDGET(self), is_news);
  gtk_revealer_set_reveal_child(self->revealer, is_news);
}

static void
on_put_away(LacFallbackBanner *self)
{
  g_free(self->put_away);
  self->put_away = g_strdup(gtk_label_get_text(self->sentence));
  show_fallback(self);
}

static void
disconnect_banner(LacFallbackBanner *self)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
}

static void
lac_fallback_banner_dispose(GObject *object)
{
  LacFallbackBanner *self = LAC_FALLBACK_BANNER(object);
  disconnect_banner(self);
  g_clear_object(&self->session);
  g_clear_pointer(&self->put_away, g_free);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_FALLBACK_BANNER);
  G_OBJECT_CLASS(lac_fallback_banner_parent_class)->dispose(object);
}

static void
lac_fallback_banner_class_init(LacFallbackBannerClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_fallback_banner_dispose;
  gtk_widget_class_set_template_from_resource(
    widget_class, "/io/github/lacuna/Lacuna/ui/shell/fallback-banner.ui");
  gtk_widget_class_bind_template_child(widget_class, LacFallbackBanner, revealer);
  gtk_widget_class_bind_template_child(widget_class, LacFallbackBanner, sentence);
  gtk_widget_class_bind_template_callback(widget_class, on_put_away);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_ALERT);
}

static void
lac_fallback_banner_init(LacFallbackBanner *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  show_fallback(self);
}

void
lac_fallback_banner_set_session(LacFallbackBanner *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_FALLBACK_BANNER(self));
  disconnect_banner(self);
  g_set_object(&self->session, session);
  g_clear_pointer(&self->put_away, g_free);
  if (session != NULL)
    g_signal_connect_object(session, "status-changed", G_CALLBACK(show_fallback), self,
                            G_CONNECT_SWAPPED);
  show_fallback(self);
}
