/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages of all places are children of one stack; those of the other places are hidden from the switcher. */
#include "app/shell/shell.h"

#include "app/toolkit/accessible.h"

#include <glib/gi18n-lib.h>

#define WIDE_TABS \
  820 /* width beside the sidebar from which the words of tabs are beside their symbols */
#define LEAST 890 /* width from which the sidebar stands beside the page */

struct _LacShell {
  GtkWidget        parent_instance;
  AdwFlap         *flap;
  LacSidebar      *sidebar;
  GtkWidget       *header;
  GtkLabel        *title, *subtitle;
  AdwViewSwitcher *switcher;
  GtkMenuButton   *export_menu;
  GtkBox          *banners;
  AdwViewStack    *stack;
  GtkStack        *bars;
  GHashTable      *pages;    /* name -> const LacShellPage */
  GHashTable      *shared;   /* name -> name of the page whose bar is shown */
  GHashTable      *disabled; /* names of pages */
  LacPlace         place;
  guint            fit; /* idle source */
};

G_DEFINE_FINAL_TYPE(LacShell, lac_shell, GTK_TYPE_WIDGET)

static guint page_changed;

/* ---- tabs ---- */

/* The buttons of the switcher stand in the order of the pages. */
static void
show_tabs(LacShell *self)
{
  g_autoptr(GListModel) pages = G_LIST_MODEL(adw_view_stack_get_pages(self->stack));
  GtkWidget            *button = gtk_widget_get_first_child(GTK_WIDGET(self->switcher));
  guint                 n_visible = 0;
  for (guint i = 0; i < g_list_model_get_n_items(pages); i++) {
    g_autoptr(AdwViewStackPage) page = g_list_model_get_item(pages, i);
    n_visible += adw_view_stack_page_get_visible(page);
    if (button == NULL)
      continue;
    gtk_widget_set_sensitive(
      button, !g_hash_table_contains(self->disabled, adw_view_stack_page_get_name(page)));
    button = gtk_widget_get_next_sibling(button);
  }
  gtk_widget_set_visible(GTK_WIDGET(self->switcher), n_visible > 1);
}

static AdwViewStackPage *
page_of(LacShell *self, const char *name)
{
  GtkWidget *child = adw_view_stack_get_child_by_name(self->stack, name);
  return child != NULL ? adw_view_stack_get_page(self->stack, child) : NULL;
}

void
lac_shell_enable(LacShell *self, const char *page, gboolean enabled)
{
  g_return_if_fail(LAC_IS_SHELL(self) && page != NULL);
  if (enabled)
    g_hash_table_remove(self->disabled, page);
  else
    g_hash_table_add(self->disabled, g_strdup(page));
  show_tabs(self);
}

/* ---- pages ---- */

void
lac_shell_add_page(LacShell *self, const LacShellPage *page, GtkWidget *child, GtkWidget *bar)
{
  g_return_if_fail(LAC_IS_SHELL(self) && page != NULL && GTK_IS_WIDGET(child));
  AdwViewStackPage *added = adw_view_stack_add_titled_with_icon(
    self->stack, child, page->name, g_dgettext(GETTEXT_PACKAGE, page->title), page->icon);
  adw_view_stack_page_set_visible(added, FALSE);
  g_hash_table_insert(self->pages, g_strdup(page->name), (gpointer) page);
  if (bar != NULL)
    gtk_stack_add_named(self->bars, bar, page->name);
}

void
lac_shell_share_bar(LacShell *self, const char *page, const char *owner)
{
  g_return_if_fail(LAC_IS_SHELL(self));
  g_hash_table_insert(self->shared, g_strdup(page), g_strdup(owner));
}

/* The bar shared by the pages of a run steps through its frames, of which a trace has none. */
static void
show_bar(LacShell *self)
{
  const char *page = self->place != LAC_PLACE_TRACE ? lac_shell_get_page(self) : NULL;
  const char *owner = page != NULL ? g_hash_table_lookup(self->shared, page) : NULL;
  GtkWidget  *bar =
    page != NULL ? gtk_stack_get_child_by_name(self->bars, owner != NULL ? owner : page) : NULL;
  if (bar != NULL)
    gtk_stack_set_visible_child(self->bars, bar);
  gtk_widget_set_visible(GTK_WIDGET(self->bars), bar != NULL);
}

static void
on_page(LacShell *self)
{
  show_bar(self);
  g_signal_emit(self, page_changed, 0);
}

gboolean
lac_shell_show(LacShell *self, LacPlace place, const char *page)
{
  g_return_val_if_fail(LAC_IS_SHELL(self) && page != NULL, FALSE);
  if (page_of(self, page) == NULL)
    return FALSE;
  self->place = place;
  adw_view_stack_page_set_visible(page_of(self, page), TRUE); /* before it is chosen */
  adw_view_stack_set_visible_child_name(self->stack, page);
  GHashTableIter iter;
  gpointer       name, row;
  g_hash_table_iter_init(&iter, self->pages);
  while (g_hash_table_iter_next(&iter, &name, &row))
    adw_view_stack_page_set_visible(page_of(self, name),
                                    (((const LacShellPage *) row)->places >> place) & 1);
  show_tabs(self);
  show_bar(self);
  return TRUE;
}

LacPlace
lac_shell_get_place(LacShell *self)
{
  g_return_val_if_fail(LAC_IS_SHELL(self), LAC_PLACE_EXPERIMENTS);
  return self->place;
}

const char *
lac_shell_get_page(LacShell *self)
{
  g_return_val_if_fail(LAC_IS_SHELL(self), NULL);
  return adw_view_stack_get_visible_child_name(self->stack);
}

GtkWidget *
lac_shell_get_child(LacShell *self)
{
  g_return_val_if_fail(LAC_IS_SHELL(self), NULL);
  return adw_view_stack_get_visible_child(self->stack);
}

guint
lac_shell_get_places(LacShell *self, const char *page)
{
  g_return_val_if_fail(LAC_IS_SHELL(self) && page != NULL, 0);
  const LacShellPage *row = g_hash_table_lookup(self->pages, page);
  return row != NULL ? row->places : 0;
}

/* ---- the header ---- */

void
lac_shell_set_title(LacShell *self, const char *title, const char *subtitle)
{
  g_return_if_fail(LAC_IS_SHELL(self) && title != NULL);
  gtk_label_set_text(self->title, title);
  gtk_label_set_text(self->subtitle, subtitle != NULL ? subtitle : "");
  gtk_widget_set_visible(GTK_WIDGET(self->subtitle), subtitle != NULL);
}

void
lac_shell_add_banner(LacShell *self, GtkWidget *widget)
{
  g_return_if_fail(LAC_IS_SHELL(self) && GTK_IS_WIDGET(widget));
  gtk_box_append(self->banners, widget);
}

LacSidebar *
lac_shell_get_sidebar(LacShell *self)
{
  g_return_val_if_fail(LAC_IS_SHELL(self), NULL);
  return self->sidebar;
}

AdwFlap *
lac_shell_get_flap(LacShell *self)
{
  g_return_val_if_fail(LAC_IS_SHELL(self), NULL);
  return self->flap;
}

GtkMenuButton *
lac_shell_get_export_menu(LacShell *self)
{
  g_return_val_if_fail(LAC_IS_SHELL(self), NULL);
  return self->export_menu;
}

/* ---- panes ---- */

/* Returns: (nullable): the first flap at the end, in or below @widget. */
static AdwFlap *
find_flap(GtkWidget *widget)
{
  if (ADW_IS_FLAP(widget) && adw_flap_get_flap_position(ADW_FLAP(widget)) == GTK_PACK_END)
    return ADW_FLAP(widget);
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    AdwFlap *found = gtk_widget_get_child_visible(child) && gtk_widget_get_visible(child)
                       ? find_flap(child)
                       : NULL;
    if (found != NULL)
      return found;
  }
  return NULL;
}

AdwFlap *
lac_shell_find_details(LacShell *self)
{
  GtkWidget *page = lac_shell_get_child(self);
  return page != NULL ? find_flap(page) : NULL;
}

guint
lac_shell_list_panes(LacShell *self, GtkWidget *panes[LAC_SHELL_MOST_PANES])
{
  g_return_val_if_fail(LAC_IS_SHELL(self), 0);
  GtkWidget *page = lac_shell_get_child(self);
  AdwFlap   *details = lac_shell_find_details(self);
  guint      n = 0;
  if (adw_flap_get_reveal_flap(self->flap))
    panes[n++] = GTK_WIDGET(self->sidebar);
  panes[n++] = self->header;
  if (page != NULL)
    panes[n++] = details != NULL ? adw_flap_get_content(details) : page;
  if (details != NULL && adw_flap_get_reveal_flap(details))
    panes[n++] = adw_flap_get_flap(details);
  if (gtk_widget_get_visible(GTK_WIDGET(self->bars)))
    panes[n++] = GTK_WIDGET(self->bars);
  return n;
}

/* ---- the object ---- */

static gboolean
on_width(gpointer shell)
{
  LacShell *self = shell;
  int       width = gtk_widget_get_width(adw_flap_get_content(self->flap));
  self->fit = 0;
  adw_flap_set_fold_policy(self->flap, gtk_widget_get_width(GTK_WIDGET(self)) < LEAST
                                         ? ADW_FLAP_FOLD_POLICY_ALWAYS
                                         : ADW_FLAP_FOLD_POLICY_NEVER);
  adw_view_switcher_set_policy(self->switcher, width < WIDE_TABS ? ADW_VIEW_SWITCHER_POLICY_NARROW
                                                                 : ADW_VIEW_SWITCHER_POLICY_WIDE);
  return G_SOURCE_REMOVE;
}

/* Fits the tabs after the layout: until then the width beside the sidebar is not known. */
static void
lac_shell_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
  LacShell *self = LAC_SHELL(widget);
  gtk_widget_allocate(GTK_WIDGET(self->flap), width, height, baseline, NULL);
  if (self->fit == 0)
    self->fit = g_idle_add(on_width, self);
}

static void
lac_shell_measure(GtkWidget     *widget,
                  GtkOrientation orientation,
                  int            for_size,
                  int           *minimum,
                  int           *natural,
                  int           *minimum_baseline,
                  int           *natural_baseline)
{
  gtk_widget_measure(GTK_WIDGET(LAC_SHELL(widget)->flap), orientation, for_size, minimum, natural,
                     minimum_baseline, natural_baseline);
}

static void
lac_shell_dispose(GObject *object)
{
  LacShell *self = LAC_SHELL(object);
  g_clear_handle_id(&self->fit, g_source_remove);
  if (self->stack != NULL)
    g_signal_handlers_disconnect_by_data(self->stack, self);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_SHELL);
  G_OBJECT_CLASS(lac_shell_parent_class)->dispose(object);
}

static void
lac_shell_finalize(GObject *object)
{
  LacShell *self = LAC_SHELL(object);
  g_hash_table_unref(self->pages);
  g_hash_table_unref(self->shared);
  g_hash_table_unref(self->disabled);
  G_OBJECT_CLASS(lac_shell_parent_class)->finalize(object);
}

static void
lac_shell_class_init(LacShellClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_shell_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_shell_finalize;
  widget_class->size_allocate = lac_shell_size_allocate;
  widget_class->measure = lac_shell_measure;
  g_type_ensure(LAC_TYPE_SIDEBAR);
  page_changed = g_signal_new("page-changed", LAC_TYPE_SHELL, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                              NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/shell/shell.ui");
  gtk_widget_class_bind_template_child(widget_class, LacShell, flap);
  gtk_widget_class_bind_template_child(widget_class, LacShell, sidebar);
  gtk_widget_class_bind_template_child(widget_class, LacShell, header);
  gtk_widget_class_bind_template_child(widget_class, LacShell, title);
  gtk_widget_class_bind_template_child(widget_class, LacShell, subtitle);
  gtk_widget_class_bind_template_child(widget_class, LacShell, switcher);
  gtk_widget_class_bind_template_child(widget_class, LacShell, export_menu);
  gtk_widget_class_bind_template_child(widget_class, LacShell, banners);
  gtk_widget_class_bind_template_child(widget_class, LacShell, stack);
  gtk_widget_class_bind_template_child(widget_class, LacShell, bars);
}

static void
lac_shell_init(LacShell *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  self->pages = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  self->shared = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  self->disabled = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  lac_accessible_name(self->export_menu, _("Export"));
  g_signal_connect_object(self->stack, "notify::visible-child", G_CALLBACK(on_page), self,
                          G_CONNECT_SWAPPED);
}
