/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a plan; the list is rebuilt whenever its order changes. */
#include "app/output/report-form.h"

#include "app/runs/note-editor.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/tip.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#define MOST_RUNS    12 /* maximum of a report */
#define MOST_OFFERED 40

struct _LacReportForm {
  GtkWidget          parent_instance;
  GtkScrolledWindow *content;
  GtkEditable       *title;
  AdwComboRow       *paper, *more;
  GtkListBox        *list;
  GtkWidget         *note_group;
  GtkTextView       *note;
  GPtrArray         *labels;   /* GtkLabel, borrowed: what each entry holds */
  GStrv              contents; /* (nullable): [run * LAC_N_PARTS + part] */
  LacReportPlan     *plan;
  GPtrArray         *offered; /* folders of the items after "Choose…" */
  gboolean           filling;
};

G_DEFINE_FINAL_TYPE(LacReportForm, lac_report_form, GTK_TYPE_WIDGET)

static guint changed_signal;

static void make_rows(LacReportForm *self);

static void
emit_changed(LacReportForm *self)
{
  if (!self->filling)
    g_signal_emit(self, changed_signal, 0);
}

static LacReportEntry *
get_entry(LacReportForm *self, guint i)
{
  return &g_array_index(self->plan->entries, LacReportEntry, i);
}

static guint
row_of(GtkWidget *part)
{
  GtkWidget *row = gtk_widget_get_ancestor(part, GTK_TYPE_LIST_BOX_ROW);

  return (guint) gtk_list_box_row_get_index(GTK_LIST_BOX_ROW(row));
}

/* ---- one row ---- */

static void
on_included(GtkCheckButton *check, GParamSpec *pspec, LacReportForm *self)
{
  get_entry(self, row_of(GTK_WIDGET(check)))->is_left_out = !gtk_check_button_get_active(check);
  emit_changed(self);
}

static void
move(LacReportForm *self, GtkWidget *button, int direction)
{
  guint from = row_of(button);
  gint  to = (gint) from + direction;

  if (to < 0 || to >= (gint) self->plan->entries->len)
    return;
  lac_report_plan_move(self->plan, from, (guint) to);
  make_rows(self);
  GtkListBoxRow *moved = gtk_list_box_get_row_at_index(self->list, to);
  gtk_widget_child_focus(GTK_WIDGET(moved), GTK_DIR_TAB_FORWARD);
  emit_changed(self);
}

static void
on_earlier(GtkWidget *button, LacReportForm *self)
{
  move(self, button, -1);
}

static void
on_later(GtkWidget *button, LacReportForm *self)
{
  move(self, button, 1);
}

static void
on_remove(GtkWidget *button, LacReportForm *self)
{
  lac_report_plan_remove(self->plan, row_of(button));
  make_rows(self);
  emit_changed(self);
}

static void
on_words(GtkTextBuffer *buffer, LacReportForm *self)
{
  GtkWidget      *view = g_object_get_data(G_OBJECT(buffer), "view");
  LacReportEntry *entry = get_entry(self, row_of(view));
  GtkTextIter     begin, end;

  gtk_text_buffer_get_bounds(buffer, &begin, &end);
  g_free(entry->text);
  entry->text = gtk_text_buffer_get_text(buffer, &begin, &end, FALSE);
  emit_changed(self);
}

static GtkWidget *
make_button(const char    *icon,
            const char    *words,
            const char    *what,
            GCallback      callback,
            LacReportForm *self)
{
  GtkWidget       *button = gtk_button_new_from_icon_name(icon);
  g_autofree char *name = g_strdup_printf("%s: %s", words, what);

  gtk_widget_add_css_class(button, "flat");
  gtk_widget_add_css_class(button, "small");
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  lac_tip_set(button, words);
  lac_accessible_name(button, name);
  g_signal_connect(button, "clicked", callback, self);
  return button;
}

static GtkWidget *
make_words(LacReportForm *self, const LacReportEntry *entry)
{
  GtkWidget     *view = gtk_text_view_new(), *frame = gtk_frame_new(NULL);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer(GTK_TEXT_VIEW(view));

  gtk_text_buffer_set_text(buffer, entry->text, -1);
  gtk_text_view_set_wrap_mode(GTK_TEXT_VIEW(view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab(GTK_TEXT_VIEW(view), FALSE);
  gtk_text_view_set_left_margin(GTK_TEXT_VIEW(view), 6);
  gtk_text_view_set_right_margin(GTK_TEXT_VIEW(view), 6);
  gtk_text_view_set_top_margin(GTK_TEXT_VIEW(view), 6);
  gtk_text_view_set_bottom_margin(GTK_TEXT_VIEW(view), 6);
  gtk_widget_set_size_request(view, -1, 90);
  lac_tip_set(view, _("Separate paragraphs by an empty line; start headings with “# ”"));
  lac_accessible_name(view, _("Your text"));
  g_object_set_data(G_OBJECT(buffer), "view", view);
  g_signal_connect_object(buffer, "changed", G_CALLBACK(on_words), self, 0);
  gtk_frame_set_child(GTK_FRAME(frame), view);
  return frame;
}

/* ---- what the sections hold ---- */

static void
show_contents(LacReportForm *self)
{
  for (guint i = 0; i < self->labels->len; i++) {
    const LacReportEntry *entry = get_entry(self, i);
    gboolean              has = self->contents != NULL && entry->part >= LAC_PART_HEAD &&
                   entry->run * LAC_N_PARTS + entry->part < g_strv_length(self->contents);
    gtk_label_set_text(self->labels->pdata[i],
                       has ? self->contents[entry->run * LAC_N_PARTS + entry->part] : "");
  }
}

void
lac_report_form_set_contents(LacReportForm *self, const char *const *contents)
{
  g_return_if_fail(LAC_IS_REPORT_FORM(self));
  g_strfreev(self->contents);
  self->contents = g_strdupv((GStrv) contents);
  show_contents(self);
}

/* Returns "Curves", with several runs "Curves · kolmogorov-…". */
static char *
dup_name(LacReportForm *self, const LacReportEntry *entry)
{
  const char *title = g_dgettext(GETTEXT_PACKAGE, lac_report_part_title(entry->part));

  if (entry->part < LAC_PART_HEAD || self->plan->runs->len < 2)
    return g_strdup(title);
  g_autofree char *run = g_path_get_basename(self->plan->runs->pdata[entry->run]);
  return g_strdup_printf("%s · %s", title, run);
}

/* Adds what stands at the right of a row: what the section holds, and in its place, under the pointer or the focus, the
 * buttons that move it. */
static void
add_end(LacReportForm *self, GtkWidget *head, const char *name)
{
  GtkWidget *overlay = gtk_overlay_new(), *label = gtk_label_new(NULL);
  GtkWidget *moves = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class(label, "caption");
  gtk_widget_add_css_class(label, "dim-label");
  gtk_widget_add_css_class(label, "content");
  gtk_label_set_xalign(GTK_LABEL(label), 1);
  gtk_widget_set_margin_end(label, 6);
  gtk_widget_add_css_class(moves, "moves");
  gtk_widget_set_halign(moves, GTK_ALIGN_END);
  gtk_box_append(GTK_BOX(moves),
                 make_button("go-up-symbolic", _("Move Up"), name, G_CALLBACK(on_earlier), self));
  gtk_box_append(GTK_BOX(moves),
                 make_button("go-down-symbolic", _("Move Down"), name, G_CALLBACK(on_later), self));
  gtk_overlay_set_child(GTK_OVERLAY(overlay), label);
  gtk_overlay_add_overlay(GTK_OVERLAY(overlay), moves);
  gtk_overlay_set_measure_overlay(GTK_OVERLAY(overlay), moves, TRUE);
  gtk_box_append(GTK_BOX(head), overlay);
  g_ptr_array_add(self->labels, label);
}

static GtkWidget *
make_row(LacReportForm *self, guint i)
{
  const LacReportEntry *entry = get_entry(self, i);
  g_autofree char      *name = dup_name(self, entry);
  GtkWidget *row = gtk_list_box_row_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), *check = gtk_check_button_new();
  GtkWidget *label = gtk_label_new(name);

  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_widget_set_margin_start(label, 6);
  gtk_check_button_set_active(GTK_CHECK_BUTTON(check), !entry->is_left_out);
  lac_accessible_name(check, name);
  g_signal_connect(check, "notify::active", G_CALLBACK(on_included), self);
  gtk_box_append(GTK_BOX(head), check);
  gtk_box_append(GTK_BOX(head), label);
  if (entry->part == LAC_PART_TEXT)
    gtk_box_append(GTK_BOX(head), make_button("user-trash-symbolic", _("Remove"), name,
                                              G_CALLBACK(on_remove), self));
  add_end(self, head, name);
  gtk_widget_set_margin_start(box, 9);
  gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(box), head);
  if (entry->part == LAC_PART_TEXT) {
    gtk_box_append(GTK_BOX(box), make_words(self, entry));
    gtk_widget_set_margin_end(box, 9);
    gtk_widget_set_margin_bottom(box, 9);
  }
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), FALSE);
  gtk_widget_set_focusable(row, FALSE);
  gtk_widget_add_css_class(row, "section");
  return row;
}

static void
make_rows(LacReportForm *self)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child(GTK_WIDGET(self->list))) != NULL)
    gtk_list_box_remove(self->list, row);
  g_ptr_array_set_size(self->labels, 0);
  for (guint i = 0; i < self->plan->entries->len; i++)
    gtk_list_box_append(self->list, make_row(self, i));
  show_contents(self);
}

/* ---- the list ---- */

static void
on_title(LacReportForm *self)
{
  if (self->filling)
    return;
  g_free(self->plan->title);
  self->plan->title = g_strdup(gtk_editable_get_text(self->title));
  emit_changed(self);
}

/* Adds a text part at the front and focuses it. */
static void
on_add_words(LacReportForm *self)
{
  lac_report_plan_add_text(self->plan, 0, "");
  make_rows(self);
  GtkWidget *row = gtk_widget_get_first_child(GTK_WIDGET(self->list));
  GtkWidget *frame = gtk_widget_get_last_child(gtk_widget_get_first_child(row));
  gtk_widget_grab_focus(gtk_frame_get_child(GTK_FRAME(frame)));
  emit_changed(self);
}

static void
on_paper(LacReportForm *self)
{
  if (self->filling)
    return;
  self->plan->paper = adw_combo_row_get_selected(self->paper);
  emit_changed(self);
}

static void
on_more(LacReportForm *self)
{
  guint selected = adw_combo_row_get_selected(self->more);

  if (self->filling || selected == 0 || selected > self->offered->len ||
      self->plan->runs->len >= MOST_RUNS)
    return;
  lac_report_plan_add_run(self->plan, self->offered->pdata[selected - 1]);
  adw_combo_row_set_selected(self->more, 0);
  make_rows(self);
  emit_changed(self);
}

static void
offer_runs(LacReportForm *self, LacRunStore *store)
{
  g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
  GListModel              *model = store != NULL ? lac_run_store_get_model(store) : NULL;

  gtk_string_list_append(names, _("Choose…"));
  for (guint i = 0;
       model != NULL && i < g_list_model_get_n_items(model) && self->offered->len < MOST_OFFERED;
       i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(model, i);
    const LacRunHeadline *run = lac_run_item_get(item);

    g_ptr_array_add(self->offered, g_strdup(run->path));
    gtk_string_list_append(names, run->name);
  }
  adw_combo_row_set_model(self->more, G_LIST_MODEL(names));
  gtk_widget_set_sensitive(GTK_WIDGET(self->more), self->offered->len > 0);
}

/* Shows the note of the run of a report on one run. */
static void
show_note(LacReportForm *self, LacRunStore *store)
{
  LacRunItem *item = store != NULL && self->plan->runs->len == 1
                       ? lac_run_store_find(store, self->plan->runs->pdata[0])
                       : NULL;
  gtk_widget_set_visible(self->note_group, item != NULL);
  lac_note_editor_set_item(self->note, item);
}

void
lac_report_form_begin(LacReportForm *self, LacReportPlan *plan, LacRunStore *store)
{
  g_return_if_fail(LAC_IS_REPORT_FORM(self) && plan != NULL);
  self->filling = TRUE;
  g_clear_pointer(&self->plan, lac_report_plan_free);
  self->plan = plan;
  g_clear_pointer(&self->contents, g_strfreev);
  show_note(self, store);
  gtk_editable_set_text(self->title, plan->title != NULL ? plan->title : "");
  adw_combo_row_set_selected(self->paper, plan->paper);
  offer_runs(self, store);
  make_rows(self);
  self->filling = FALSE;
  gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(self->content), 0);
}

const LacReportPlan *
lac_report_form_get_plan(LacReportForm *self)
{
  g_return_val_if_fail(LAC_IS_REPORT_FORM(self), NULL);
  return self->plan;
}

static void
lac_report_form_dispose(GObject *object)
{
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_REPORT_FORM);
  G_OBJECT_CLASS(lac_report_form_parent_class)->dispose(object);
}

static void
lac_report_form_finalize(GObject *object)
{
  LacReportForm *self = LAC_REPORT_FORM(object);
  g_clear_pointer(&self->plan, lac_report_plan_free);
  g_ptr_array_unref(self->offered);
  g_ptr_array_unref(self->labels);
  g_strfreev(self->contents);
  G_OBJECT_CLASS(lac_report_form_parent_class)->finalize(object);
}

static void
lac_report_form_class_init(LacReportFormClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_report_form_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_report_form_finalize;
  changed_signal = g_signal_new("changed", LAC_TYPE_REPORT_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/output/report-form.ui");
  gtk_widget_class_bind_template_child(widget_class, LacReportForm, content);
  gtk_widget_class_bind_template_child(widget_class, LacReportForm, title);
  gtk_widget_class_bind_template_child(widget_class, LacReportForm, paper);
  gtk_widget_class_bind_template_child(widget_class, LacReportForm, more);
  gtk_widget_class_bind_template_child(widget_class, LacReportForm, list);
  gtk_widget_class_bind_template_child(widget_class, LacReportForm, note_group);
  gtk_widget_class_bind_template_child(widget_class, LacReportForm, note);
  gtk_widget_class_bind_template_callback(widget_class, on_title);
  gtk_widget_class_bind_template_callback(widget_class, on_add_words);
  gtk_widget_class_bind_template_callback(widget_class, on_paper);
  gtk_widget_class_bind_template_callback(widget_class, on_more);
}

static void
offer_papers(LacReportForm *self)
{
  g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
  for (LacReportPaper paper = 0; paper < LAC_N_PAPERS; paper++)
    gtk_string_list_append(names, lac_report_paper_name(paper));
  adw_combo_row_set_model(self->paper, G_LIST_MODEL(names));
}

static void
lac_report_form_init(LacReportForm *self)
{
  self->filling = TRUE;
  self->offered = g_ptr_array_new_with_free_func(g_free);
  self->labels = g_ptr_array_new();
  gtk_widget_init_template(GTK_WIDGET(self));
  lac_note_editor_attach(self->note);
  offer_papers(self);
  self->filling = FALSE;
}
