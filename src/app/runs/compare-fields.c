/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of two runs on a common scale, frame by frame. */
#include "app/runs/compare-fields.h"

#include "app/field/picture-menu.h"
#include "app/field/view-controls.h"
#include "app/runs/narrow-drop-down.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/bottom-bar.h"
#include "app/toolkit/format.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/play-button.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <string.h>

struct _LacCompareFields {
  GtkWidget     parent_instance;
  GtkStack     *content;
  GtkDropDown  *quantity_choice, *method_choice;
  GtkLabel     *reading;
  GtkWidget    *link_box;
  LacFieldView *field,
    *other; /* other: of the second run of another experiment, with its own scale */
  LacViewControls *controls;
  LacPictureMenu  *picture;
  LacBottomBar    *bar;
  GtkScale        *slider;
  LacPlayButton   *play;
  GtkWidget       *transport;
  GArray          *offered; /* gsize: fields of the chosen quantity, as in the choice of methods */
  gsize            chosen;  /* field */
  GArray          *frames;  /* gsize: frames of the first run along the slider */
  LacRunFile      *runs[2]; /* (nullable) */
  LacComparisonSource *source; /* (nullable): source of the runs */
  LacLink              link;
  LacLatestJob        *loading; /* of LacComparisonPair */
  gboolean             is_due;  /* the slider has moved since it began */
  gssize               used;    /* field of the picture shown; -1: none */
  gboolean             is_row;  /* the fields and their difference are beside each other */
  gboolean             filling;
};

G_DEFINE_FINAL_TYPE(LacCompareFields, lac_compare_fields, GTK_TYPE_WIDGET)

/* Describes the steps shown and the compute times at which the runs reached them. */
static void
describe_frames(LacCompareFields *self, const gsize frames[2])
{
  const gint64     steps[2] = {self->runs[0]->frame_step[frames[0]],
                               self->runs[1]->frame_step[frames[1]]};
  g_autofree char *first = lac_format_duration(lac_run_file_get_seconds(self->runs[0], steps[0]));
  g_autofree char *second = lac_format_duration(lac_run_file_get_seconds(self->runs[1], steps[1]));
  g_autofree char *title =
    !lac_comparison_source_is_of_one_experiment(self->source) ? g_strdup(_("last step of each"))
    : steps[0] == steps[1]
      ? g_strdup_printf(_("step %" PRId64 ", both"), steps[0])
      : g_strdup_printf(_("step %" PRId64 " and %" PRId64), steps[0], steps[1]);
  g_autofree char *caption = g_strdup_printf("a %s · b %s", first, second);
  lac_bottom_bar_set_words(self->bar, title, caption);
}

static gsize
get_place(LacCompareFields *self)
{
  double place = gtk_range_get_value(GTK_RANGE(self->slider)) + 0.5;
  return self->frames->len > 0 ? MIN((gsize) place, self->frames->len - 1) : 0;
}

/* Returns: (transfer full): one plane of a pair, with its markers. */
static LacFrame *
split(const LacFrame *pair, guint plane)
{
  const LacPlane *from = &pair->planes[plane];
  const gsize     sizes[1][2] = {{from->nx, from->ny}};
  gsize           n = 0;
  for (gsize i = 0; i < pair->n_markers; i++)
    n += pair->markers[i].owner == plane + 1;
  LacFrame *frame = lac_frame_new(1, sizes, n, 0);
  LacPlane *to = &frame->planes[0];
  memcpy(to->data, from->data, from->nx * from->ny * sizeof *to->data);
  to->x_min = from->x_min;
  to->x_max = from->x_max;
  to->y_min = from->y_min;
  to->y_max = from->y_max;
  lac_plane_measure(to);
  for (gsize i = 0, k = 0; i < pair->n_markers; i++)
    if (pair->markers[i].owner == plane + 1) {
      frame->markers[k] = pair->markers[i];
      frame->markers[k++].owner = 1;
    }
  frame->step = pair->step;
  frame->seconds = pair->seconds;
  return frame;
}

static void
show_pair(LacCompareFields *self, LacFrame *pair)
{
  if (lac_comparison_source_is_of_one_experiment(self->source)) {
    lac_field_view_set_frame(self->field, pair);
    return;
  }
  g_autoptr(LacFrame) first = split(pair, 0), second = split(pair, 1);
  lac_field_view_set_frame(self->field, first);
  lac_field_view_set_frame(self->other, second);
}

static void
clear_views(LacCompareFields *self)
{
  LacFieldView *const views[] = {self->field, self->other};
  for (gsize i = 0; i < G_N_ELEMENTS(views); i++) {
    lac_field_view_set_frame(views[i], NULL);
    lac_field_view_set_channels(views[i], NULL, 0);
  }
}

static void
use_field(LacCompareFields *self, gsize field)
{
  clear_views(self); /* releases the channels before the source reuses them */
  const LacChannel *channels = lac_comparison_source_use(self->source, field);
  const gboolean    is_one = lac_comparison_source_is_of_one_experiment(self->source);
  lac_field_view_set_channels(self->field, channels, is_one ? 2 : 1);
  if (!is_one)
    lac_field_view_set_channels(self->other, channels + 1, 1);
  self->used = (gssize) field;
}

static gpointer
load(gpointer pair, GCancellable *cancellable, GError **error)
{
  return lac_comparison_pair_load(pair, error);
}

/* Reads the frames of the slider's place; while frames are read, the newest place waits. */
static void
show_frame(LacCompareFields *self)
{
  if (self->source == NULL || self->frames->len == 0 ||
      lac_comparison_source_get_n_fields(self->source) == 0)
    return;
  self->is_due = lac_latest_job_is_busy(self->loading);
  if (!self->is_due)
    lac_latest_job_start(
      self->loading,
      lac_comparison_source_pair(self->source, self->chosen,
                                 g_array_index(self->frames, gsize, get_place(self)), self->link));
}

/* LacJobShow. Shows field and frame together: until then the last picture stays. */
static void
show_loaded(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacCompareFields        *self = owner;
  const LacComparisonPair *pair = request;
  g_autoptr(LacFrame)      frame = result;
  if (self->is_due)
    show_frame(self);
  if (frame == NULL) {
    lac_bottom_bar_set_words(self->bar, error->message, NULL);
    return;
  }
  if (self->used != (gssize) pair->field)
    use_field(self, pair->field);
  show_pair(self, frame);
  describe_frames(self, pair->frames);
  lac_view_controls_update(self->controls);
}

static const LacJobKind loading = {
  .work = load,
  .show = show_loaded,
  .free_request = (GDestroyNotify) lac_comparison_pair_free,
  .free_result = (GDestroyNotify) lac_frame_unref,
};

/* Fills the slider with the frames that the link offers. @frame: of the first run, or the next one offered */
static void
offer_frames(LacCompareFields *self, gsize frame)
{
  g_autoptr(GArray) frames = lac_comparison_source_list_frames(self->source, self->link);
  guint             at = 0;
  g_array_set_size(self->frames, 0);
  g_array_append_vals(self->frames, frames->data, frames->len);
  while (at + 1 < frames->len && g_array_index(frames, gsize, at) < frame)
    at++;
  self->filling = TRUE;
  gtk_range_set_range(GTK_RANGE(self->slider), 0, (double) MAX(frames->len, 2) - 1);
  gtk_range_set_value(GTK_RANGE(self->slider), at);
  gtk_widget_set_sensitive(GTK_WIDGET(self->slider), frames->len > 1);
  gtk_widget_set_sensitive(self->transport, frames->len > 1);
  self->filling = FALSE;
}

/* Fills the choice of methods with the fields that have the quantity of @field, which is selected. */
static void
offer_methods(LacCompareFields *self, gsize field)
{
  g_autofree char         *quantity = lac_comparison_source_dup_quantity(self->source, field);
  g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
  guint                    at = 0;
  g_array_set_size(self->offered, 0);
  for (gsize i = 0; i < lac_comparison_source_get_n_fields(self->source); i++) {
    g_autofree char *other = lac_comparison_source_dup_quantity(self->source, i);
    if (!g_str_equal(other, quantity))
      continue;
    at = i == field ? self->offered->len : at;
    g_array_append_val(self->offered, i);
    gtk_string_list_append(names, lac_comparison_source_get_label(self->source, i));
  }
  self->chosen = field;
  self->filling = TRUE;
  gtk_drop_down_set_model(self->method_choice, G_LIST_MODEL(names));
  gtk_drop_down_set_selected(self->method_choice, at);
  self->filling = FALSE;
}

/* Finds the position of a quantity among those offered. Returns: GTK_INVALID_LIST_POSITION if it is not there. */
static guint
find_quantity(GListModel *quantities, const char *quantity)
{
  for (guint i = 0; i < g_list_model_get_n_items(quantities); i++) {
    g_autoptr(GtkStringObject) item = g_list_model_get_item(quantities, i);
    if (g_str_equal(gtk_string_object_get_string(item), quantity))
      return i;
  }
  return GTK_INVALID_LIST_POSITION;
}

/* Fills both choices and selects @field. */
static void
offer_fields(LacCompareFields *self, gsize field)
{
  g_autoptr(GtkStringList) quantities = gtk_string_list_new(NULL);
  g_autofree char         *chosen = lac_comparison_source_dup_quantity(self->source, field);
  for (gsize i = 0; i < lac_comparison_source_get_n_fields(self->source); i++) {
    g_autofree char *quantity = lac_comparison_source_dup_quantity(self->source, i);
    if (find_quantity(G_LIST_MODEL(quantities), quantity) == GTK_INVALID_LIST_POSITION)
      gtk_string_list_append(quantities, quantity);
  }
  self->filling = TRUE;
  gtk_drop_down_set_model(self->quantity_choice, G_LIST_MODEL(quantities));
  gtk_drop_down_set_selected(self->quantity_choice,
                             find_quantity(G_LIST_MODEL(quantities), chosen));
  self->filling = FALSE;
  gtk_widget_set_visible(GTK_WIDGET(self->quantity_choice), *chosen != '\0');
  offer_methods(self, field);
}

/* Returns: the field of the quantity with the label of the chosen one, else the first of the quantity. */
static gsize
find_field(LacCompareFields *self, const char *quantity)
{
  const char *label = lac_comparison_source_get_label(self->source, self->chosen);
  gsize       n = lac_comparison_source_get_n_fields(self->source), first = n;
  for (gsize i = 0; i < n; i++) {
    g_autofree char *own = lac_comparison_source_dup_quantity(self->source, i);
    if (!g_str_equal(own, quantity))
      continue;
    first = MIN(first, i);
    if (g_str_equal(lac_comparison_source_get_label(self->source, i), label))
      return i;
  }
  return first;
}

static void
on_quantity(GtkDropDown *drop, GParamSpec *pspec, LacCompareFields *self)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item(drop);
  if (self->filling || self->source == NULL || item == NULL)
    return;
  offer_methods(self, find_field(self, gtk_string_object_get_string(item)));
  show_frame(self);
}

static void
on_method(GtkDropDown *drop, GParamSpec *pspec, LacCompareFields *self)
{
  guint at = gtk_drop_down_get_selected(drop);
  if (self->filling || self->source == NULL || at >= self->offered->len)
    return;
  self->chosen = g_array_index(self->offered, gsize, at);
  show_frame(self);
}

static void
on_slider(GtkRange *range, LacCompareFields *self)
{
  if (!self->filling)
    show_frame(self);
}

/* Runs of different experiments have no steps in common to go through. */
static void
show_transport(LacCompareFields *self, gboolean is_shown)
{
  gtk_widget_set_visible(self->transport, is_shown);
  gtk_widget_set_visible(GTK_WIDGET(self->slider), is_shown);
  if (!is_shown)
    lac_bottom_bar_set_words(self->bar, NULL, NULL);
}

static void
forget(LacCompareFields *self)
{
  lac_latest_job_cancel(self->loading);
  self->is_due = FALSE;
  self->used = -1;
  clear_views(self);
  g_clear_pointer(&self->source, lac_comparison_source_free);
  for (guint r = 0; r < 2; r++)
    g_clear_pointer(&self->runs[r], lac_run_file_unref);
}

void
lac_compare_fields_set_runs(LacCompareFields *self, LacRunFile *first, LacRunFile *second)
{
  g_return_if_fail(LAC_IS_COMPARE_FIELDS(self) && (first == NULL) == (second == NULL));
  forget(self);
  show_transport(self, FALSE);
  if (first == NULL)
    return;
  self->runs[0] = lac_run_file_ref(first);
  self->runs[1] = lac_run_file_ref(second);
  self->source = lac_comparison_source_new(first, second);
  self->chosen = 0;
  gsize    n_fields = lac_comparison_source_get_n_fields(self->source);
  gsize    n_frames = lac_comparison_source_get_n_frames(self->source);
  gboolean has = n_fields > 0 && n_frames > 0;
  gboolean is_one = lac_comparison_source_is_of_one_experiment(self->source);
  gtk_stack_set_visible_child_name(self->content, has ? "field" : "none");
  show_transport(self, has && is_one);
  gtk_widget_set_visible(self->link_box, is_one);
  gtk_widget_set_visible(GTK_WIDGET(self->picture), is_one);
  gtk_widget_set_visible(GTK_WIDGET(self->other), !is_one);
  if (!has)
    return;
  gsize field = lac_comparison_source_get_default(self->source);
  offer_fields(self, field);
  offer_frames(self, n_frames - 1);
  show_frame(self);
}

void
lac_compare_fields_set_mode(LacCompareFields *self, LacViewMode mode)
{
  g_return_if_fail(LAC_IS_COMPARE_FIELDS(self));
  lac_field_view_set_mode(self->field, mode);
  self->is_row = mode == LAC_VIEW_FIELDS;
  gtk_widget_queue_resize(GTK_WIDGET(self));
  lac_view_controls_update(self->controls);
}

void
lac_compare_fields_set_link(LacCompareFields *self, LacLink link)
{
  g_return_if_fail(LAC_IS_COMPARE_FIELDS(self));
  gsize frame = self->frames->len > 0 ? g_array_index(self->frames, gsize, get_place(self)) : 0;
  self->link = link;
  if (self->source == NULL)
    return;
  offer_frames(self, frame);
  show_frame(self);
}

LacLink
lac_compare_fields_get_link(LacCompareFields *self)
{
  g_return_val_if_fail(LAC_IS_COMPARE_FIELDS(self), LAC_LINK_STEP);
  return self->link;
}

LacFieldView *
lac_compare_fields_get_view(LacCompareFields *self)
{
  g_return_val_if_fail(LAC_IS_COMPARE_FIELDS(self), NULL);
  return self->field;
}

void
lac_compare_fields_get_chosen(LacCompareFields *self, guint *field, guint *frame)
{
  g_return_if_fail(LAC_IS_COMPARE_FIELDS(self) && field != NULL && frame != NULL);
  *field = (guint) self->chosen;
  *frame = self->frames->len > 0 ? (guint) g_array_index(self->frames, gsize, get_place(self)) : 0;
}

void
lac_compare_fields_choose(LacCompareFields *self, guint field, guint frame)
{
  g_return_if_fail(LAC_IS_COMPARE_FIELDS(self));
  if (self->source == NULL)
    return;
  if (field < lac_comparison_source_get_n_fields(self->source) && field != self->chosen) {
    offer_fields(self, field);
    show_frame(self);
  }
  for (guint i = 0; i < self->frames->len; i++)
    if (g_array_index(self->frames, gsize, i) == frame)
      gtk_range_set_value(GTK_RANGE(self->slider), i);
}

GtkWidget *
lac_compare_fields_get_bar(LacCompareFields *self)
{
  g_return_val_if_fail(LAC_IS_COMPARE_FIELDS(self), NULL);
  return GTK_WIDGET(self->bar);
}

void
lac_compare_fields_zoom(LacCompareFields *self, double factor)
{
  g_return_if_fail(LAC_IS_COMPARE_FIELDS(self));
  LacFieldView *const views[] = {self->field, self->other};
  for (gsize i = 0; i < G_N_ELEMENTS(views); i++) {
    if (factor == 0)
      lac_field_view_fit(views[i]);
    else
      lac_field_view_zoom(views[i], factor);
  }
}

static void
on_reading(LacCompareFields *self)
{
  g_autofree char *reading = NULL, *other = NULL;
  g_object_get(self->field, "reading", &reading, NULL);
  g_object_get(self->other, "reading", &other, NULL);
  gtk_label_set_text(self->reading, reading != NULL ? reading : other != NULL ? other : "");
}

/* ---- as high as the pictures at its width: the rest of the page is for the curves ---- */

#define BESIDE 84 /* pixels of a row of pictures that are not pictures: bars and gaps */
#define ABOVE  96 /* the controls, captions and gaps */

static int
get_height(LacCompareFields *self, int width)
{
  const int n = gtk_widget_get_visible(GTK_WIDGET(self->other)) ? 2 : self->is_row ? 3 : 1;
  return ABOVE + MAX(width - BESIDE, 0) / n;
}

static void
lac_compare_fields_measure(GtkWidget     *widget,
                           GtkOrientation orientation,
                           int            for_size,
                           int           *least,
                           int           *natural,
                           int           *least_baseline,
                           int           *natural_baseline)
{
  LacCompareFields *self = LAC_COMPARE_FIELDS(widget);
  gtk_widget_measure(GTK_WIDGET(self->content), orientation, for_size, least, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_VERTICAL && for_size > 0)
    *natural = MAX(*least, get_height(self, for_size));
}

static void
lac_compare_fields_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
  gtk_widget_allocate(GTK_WIDGET(LAC_COMPARE_FIELDS(widget)->content), width, height, baseline,
                      NULL);
}

static GtkSizeRequestMode
lac_compare_fields_get_request_mode(GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* ---- the object ---- */

static void
lac_compare_fields_dispose(GObject *object)
{
  LacCompareFields *self = LAC_COMPARE_FIELDS(object);
  if (self->field != NULL)
    forget(self);
  self->filling = TRUE;
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_COMPARE_FIELDS);
  if (self->slider != NULL)
    g_signal_handlers_disconnect_by_data(self->slider, self);
  self->slider = NULL;
  g_clear_pointer(&self->loading, lac_latest_job_free);
  g_clear_object(&self->bar);
  g_clear_pointer(&self->frames, g_array_unref);
  g_clear_pointer(&self->offered, g_array_unref);
  G_OBJECT_CLASS(lac_compare_fields_parent_class)->dispose(object);
}

static void
lac_compare_fields_class_init(LacCompareFieldsClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_compare_fields_dispose;
  g_type_ensure(LAC_TYPE_FIELD_VIEW);
  g_type_ensure(LAC_TYPE_VIEW_CONTROLS);
  g_type_ensure(LAC_TYPE_PICTURE_MENU);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/runs/compare-fields.ui");
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, content);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, quantity_choice);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, method_choice);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, reading);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, link_box);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, field);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, other);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, controls);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, picture);
  gtk_widget_class_bind_template_callback(widget_class, on_quantity);
  gtk_widget_class_bind_template_callback(widget_class, on_method);
  widget_class->measure = lac_compare_fields_measure;
  widget_class->size_allocate = lac_compare_fields_size_allocate;
  widget_class->get_request_mode = lac_compare_fields_get_request_mode;
}

static void
name_control(GtkWidget *control, const char *name)
{
  lac_accessible_name(control, name);
}

/* ---- the transport ---- */

static void
step(LacCompareFields *self, int by)
{
  gtk_range_set_value(GTK_RANGE(self->slider), gtk_range_get_value(GTK_RANGE(self->slider)) + by);
}

static void
on_back(LacCompareFields *self)
{
  step(self, -1);
}

static void
on_forward(LacCompareFields *self)
{
  step(self, 1);
}

static void
add_step(LacCompareFields *self, const char *icon, const char *name, GCallback callback)
{
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  gtk_widget_set_tooltip_text(button, name);
  lac_accessible_name(button, name);
  g_signal_connect_object(button, "clicked", callback, self, G_CONNECT_SWAPPED);
  gtk_box_append(GTK_BOX(self->transport), button);
}

static void
add_action(LacCompareFields *self, const char *label, const char *action, const char *tip)
{
  GtkWidget *button = gtk_button_new_with_label(label);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
  gtk_widget_set_tooltip_text(button, tip);
  lac_bottom_bar_add_action(self->bar, button);
}

static void
make_bar(LacCompareFields *self)
{
  self->bar = g_object_ref_sink(LAC_BOTTOM_BAR(lac_bottom_bar_new()));
  self->slider = GTK_SCALE(gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 1));
  gtk_scale_set_draw_value(self->slider, FALSE);
  gtk_widget_set_direction(GTK_WIDGET(self->slider), GTK_TEXT_DIR_LTR); /* as every axis of time */
  gtk_range_set_round_digits(GTK_RANGE(self->slider), 0);
  gtk_range_set_increments(GTK_RANGE(self->slider), 1, 10);
  g_signal_connect(self->slider, "value-changed", G_CALLBACK(on_slider), self);
  self->play = g_object_new(LAC_TYPE_PLAY_BUTTON, NULL);
  lac_play_button_set_range(self->play, GTK_RANGE(self->slider));
  self->transport = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class(self->transport, "linked");
  add_step(self, "media-skip-backward-symbolic", _("Previous frame"), G_CALLBACK(on_back));
  gtk_box_append(GTK_BOX(self->transport), GTK_WIDGET(self->play));
  add_step(self, "media-skip-forward-symbolic", _("Next frame"), G_CALLBACK(on_forward));
  lac_bottom_bar_add_start(self->bar, self->transport);
  lac_bottom_bar_set_middle(self->bar, GTK_WIDGET(self->slider));
  add_action(self, _("Figure…"), "win.compare-figure",
             _("Figure of both runs side by side, as PDF, SVG or PNG"));
  add_action(self, _("Export Report…"), "win.compare-export",
             _("This comparison and its runs as PDF, HTML, text or JSON"));
}

static void
lac_compare_fields_init(LacCompareFields *self)
{
  self->filling = TRUE;
  self->frames = g_array_new(FALSE, FALSE, sizeof(gsize));
  self->offered = g_array_new(FALSE, FALSE, sizeof(gsize));
  self->loading = lac_latest_job_new(self, &loading);
  self->used = -1;
  self->is_row = TRUE;
  gtk_widget_init_template(GTK_WIDGET(self));
  make_bar(self);
  lac_drop_down_make_narrow(self->method_choice);
  self->filling = FALSE;
  lac_field_view_set_compares(self->field, TRUE);
  lac_field_view_set_compares(self->other, TRUE);
  lac_picture_menu_attach(self->picture, self->field);
  lac_view_controls_attach(self->controls, self->field, "win.compare-view");
  g_signal_connect_object(self->field, "notify::reading", G_CALLBACK(on_reading), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->other, "notify::reading", G_CALLBACK(on_reading), self,
                          G_CONNECT_SWAPPED);
  on_reading(self);
  lac_accessible_name_drop_down(self->quantity_choice, _("Quantity"));
  lac_accessible_name_drop_down(self->method_choice, _("Method"));
  name_control(GTK_WIDGET(self->slider), _("Stored frame of the first run"));
  name_control(GTK_WIDGET(self->field), _("Fields of the two runs"));
  name_control(GTK_WIDGET(self->other), _("Field of the second run"));
}
