/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of two runs on a common scale, frame by frame. */
#include "app/runs/compare-fields.h"

#include "app/field/picture-menu.h"
#include "app/field/view-controls.h"
#include "app/runs/compare-choices.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/play-button.h"
#include "report/compare/comparison.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <string.h>

/* ---- the fields of two runs as one frame ---- */

struct _LacComparisonSource {
  LacRunFile *runs[2];
  GArray     *fields; /* gsize[2]: channel of each run */
  gsize       field;  /* index of the field in use */
  LacChannel  channels[2];
  char       *labels[2];
};

typedef struct {
  gsize at[2];
} Field;

LacComparisonSource *
lac_comparison_source_new(LacRunFile *first, LacRunFile *second)
{
  LacComparisonSource *source = g_new0(LacComparisonSource, 1);
  source->runs[0] = lac_run_file_ref(first);
  source->runs[1] = lac_run_file_ref(second);
  source->fields = g_array_new(FALSE, FALSE, sizeof(Field));
  for (gsize i = 0; i < first->n_channels; i++) {
    gssize k = lac_run_file_find_channel(second, first->channels[i].key);
    if (k < 0 || first->channels[i].layers.n > 0 || second->channels[k].layers.n > 0)
      continue;
    Field field = {{i, (gsize) k}};
    g_array_append_val(source->fields, field);
  }
  return source;
}

static void
clear_labels(LacComparisonSource *source)
{
  g_clear_pointer(&source->labels[0], g_free);
  g_clear_pointer(&source->labels[1], g_free);
}

void
lac_comparison_source_free(LacComparisonSource *source)
{
  if (source == NULL)
    return;
  clear_labels(source);
  lac_run_file_unref(source->runs[0]);
  lac_run_file_unref(source->runs[1]);
  g_array_unref(source->fields);
  g_free(source);
}

gsize
lac_comparison_source_get_n_fields(const LacComparisonSource *source)
{
  return source->fields->len;
}

static const LacRunChannel *
get_channel(const LacComparisonSource *source, gsize field, guint run)
{
  const Field *at = &g_array_index(source->fields, Field, field);
  return &source->runs[run]->channels[at->at[run]];
}

/* Returns: (transfer full): "vorticity · Ensemble Kalman filter", translated. */
static char *
comparison_source_dup_label(const LacComparisonSource *source, gsize field)
{
  const LacRunChannel *channel = get_channel(source, field, 0);
  const char          *label = g_dgettext(GETTEXT_PACKAGE, channel->label);
  if (channel->quantity == NULL || *channel->quantity == '\0')
    return g_strdup(label);
  g_autofree char *quantity = lac_format_quantity(channel->quantity);
  return g_strdup_printf("%s · %s", quantity, label);
}

/* Returns: the first reconstruction, as the default field. */
static gsize
comparison_source_get_default(const LacComparisonSource *source)
{
  for (gsize i = 0; i < source->fields->len; i++)
    if (get_channel(source, i, 0)->role == LAC_ROLE_RECONSTRUCTION)
      return i;
  return 0;
}

const LacChannel *
lac_comparison_source_use(LacComparisonSource *source, gsize field)
{
  static const char *const letters[] = {"(a)", "(b)"};
  g_return_val_if_fail(field < source->fields->len, NULL);
  clear_labels(source);
  source->field = field;
  const char *names[] = {get_channel(source, field, 0)->label,
                         get_channel(source, field, 1)->label};
  gboolean    is_same =
    g_str_equal(names[0], names[1]); /* identical labels are omitted: the drop-down shows them */
  for (guint r = 0; r < 2; r++) {
    const LacRunChannel *from = get_channel(source, field, r);
    source->labels[r] =
      is_same ? g_strdup(letters[r])
              : g_strdup_printf("%s %s", letters[r], g_dgettext(GETTEXT_PACKAGE, from->label));
    source->channels[r] = (LacChannel){
      .key = from->key,
      .label = source->labels[r],
      .unit = from->unit,
      .quantity = from->quantity,
      .role = r == 0 ? LAC_ROLE_TRUTH : LAC_ROLE_RECONSTRUCTION,
      .colour_map = get_channel(source, field, 0)->colour_map,
      .axis_x = from->axis_x,
      .axis_y = from->axis_y,
      .axis_unit_x = from->axis_unit_x,
      .axis_unit_y = from->axis_unit_y,
      .periodic = from->periodic,
      .without_markers = from->without_markers,
    };
  }
  return source->channels;
}

gsize
lac_comparison_source_get_n_frames(const LacComparisonSource *source)
{
  return source->runs[1]->n_frames > 0 ? source->runs[0]->n_frames : 0;
}

static gsize
find_counterpart(const LacComparisonSource *source, gsize i, LacLink link)
{
  gint64 step = source->runs[0]->frame_step[i];
  gssize k = link == LAC_LINK_STEP
               ? lac_run_file_find_frame(source->runs[1], step)
               : lac_run_file_find_frame_at(source->runs[1],
                                            lac_run_file_get_seconds(source->runs[0], step));
  return k < 0 ? 0 : (gsize) k;
}

static void
copy_plane(LacPlane *to, const LacPlane *from)
{
  to->x_min = from->x_min;
  to->x_max = from->x_max;
  to->y_min = from->y_min;
  to->y_max = from->y_max;
  memcpy(to->data, from->data, from->nx * from->ny * sizeof(float));
  lac_plane_measure(to);
}

/* Copies the markers of one run: positions differ between runs. */
static void
copy_markers(LacMarker *to, const LacFrame *from, guint plane)
{
  for (gsize i = 0; i < from->n_markers; i++) {
    to[i] = from->markers[i];
    to[i].owner = plane + 1;
  }
}

LacFrame *
lac_comparison_source_load(const LacComparisonSource *source,
                           gsize                      i,
                           LacLink                    link,
                           gsize                      frames[2],
                           GError                   **error)
{
  g_return_val_if_fail(i < source->runs[0]->n_frames && source->runs[1]->n_frames > 0, NULL);
  const Field *field = &g_array_index(source->fields, Field, source->field);
  frames[0] = i;
  frames[1] = find_counterpart(source, i, link);
  g_autoptr(LacFrame) first = lac_run_file_load_frame(source->runs[0], frames[0], error);
  g_autoptr(LacFrame) second =
    first != NULL ? lac_run_file_load_frame(source->runs[1], frames[1], error) : NULL;
  if (second == NULL)
    return NULL;
  const LacPlane *planes[2] = {&first->planes[field->at[0]], &second->planes[field->at[1]]};
  const gsize     sizes[2][2] = {{planes[0]->nx, planes[0]->ny}, {planes[1]->nx, planes[1]->ny}};
  LacFrame       *frame = lac_frame_new(2, sizes, first->n_markers + second->n_markers, 0);
  for (guint r = 0; r < 2; r++)
    copy_plane(&frame->planes[r], planes[r]);
  copy_markers(frame->markers, first, 0);
  copy_markers(frame->markers + first->n_markers, second, 1);
  frame->step = first->step;
  frame->seconds = first->seconds;
  frame->sequence = i;
  return frame;
}

/* ---- the widget ---- */

struct _LacCompareFields {
  GtkWidget            parent_instance;
  GtkStack            *content;
  GtkDropDown         *field_choice;
  GtkLabel            *frames, *reading;
  LacFieldView        *field;
  LacViewControls     *controls;
  LacPictureMenu      *picture;
  GtkScale            *slider;
  LacPlayButton       *play;
  LacRunFile          *runs[2]; /* (nullable) */
  LacComparisonSource *source;  /* (nullable): source of the runs */
  LacLink              link;
  gboolean             filling;
};

G_DEFINE_FINAL_TYPE(LacCompareFields, lac_compare_fields, GTK_TYPE_WIDGET)

static void
describe_frames(LacCompareFields *self, const gsize frames[2])
{
  GString *text = g_string_new(NULL);
  for (guint r = 0; r < 2; r++) {
    const LacRunFile *run = self->runs[r];
    gint64            step = run->frame_step[frames[r]];
    g_autofree char  *time = lac_format_duration(lac_run_file_get_seconds(run, step));
    g_string_append_printf(text, _("%s%s step %" PRId64 ", %s"), r > 0 ? "   " : "",
                           lac_comparison_letter(r), step, time);
  }
  gtk_label_set_text(self->frames, text->str);
  g_string_free(text, TRUE);
}

static void
show_frame(LacCompareFields *self)
{
  gsize             frames[2];
  g_autoptr(GError) error = NULL;
  gsize             n = self->source == NULL ? 0 : lac_comparison_source_get_n_frames(self->source);
  if (n == 0 || lac_comparison_source_get_n_fields(self->source) == 0)
    return;
  gsize               i = MIN((gsize) (gtk_range_get_value(GTK_RANGE(self->slider)) + 0.5), n - 1);
  g_autoptr(LacFrame) frame =
    lac_comparison_source_load(self->source, i, self->link, frames, &error);
  if (frame == NULL) {
    gtk_label_set_text(self->frames, error->message);
    return;
  }
  lac_field_view_set_frame(self->field, frame);
  describe_frames(self, frames);
}

static void
use_field(LacCompareFields *self, gsize field)
{
  lac_field_view_set_frame(self->field, NULL);
  lac_field_view_set_channels(self->field, NULL,
                              0); /* releases the channels before the source reuses them */
  const LacChannel *channels = lac_comparison_source_use(self->source, field);
  lac_field_view_set_channels(self->field, channels, 2);
  show_frame(self);
  lac_view_controls_update(self->controls);
}

static void
on_field(GtkDropDown *drop, GParamSpec *pspec, LacCompareFields *self)
{
  guint field = gtk_drop_down_get_selected(drop);
  if (!self->filling && self->source != NULL &&
      field < lac_comparison_source_get_n_fields(self->source))
    use_field(self, field);
}

static void
on_slider(GtkRange *range, LacCompareFields *self)
{
  if (!self->filling)
    show_frame(self);
}

static void
forget(LacCompareFields *self)
{
  lac_field_view_set_frame(self->field, NULL);
  lac_field_view_set_channels(self->field, NULL, 0);
  g_clear_pointer(&self->source, lac_comparison_source_free);
  for (guint r = 0; r < 2; r++)
    g_clear_pointer(&self->runs[r], lac_run_file_unref);
}

void
lac_compare_fields_set_runs(LacCompareFields *self, LacRunFile *first, LacRunFile *second)
{
  g_return_if_fail(LAC_IS_COMPARE_FIELDS(self) && (first == NULL) == (second == NULL));
  forget(self);
  if (first == NULL)
    return;
  self->runs[0] = lac_run_file_ref(first);
  self->runs[1] = lac_run_file_ref(second);
  self->source = lac_comparison_source_new(first, second);
  gsize                    n_fields = lac_comparison_source_get_n_fields(self->source);
  gsize                    n_frames = lac_comparison_source_get_n_frames(self->source);
  g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
  for (gsize i = 0; i < n_fields; i++)
    gtk_string_list_take(names, comparison_source_dup_label(self->source, i));
  gboolean has = n_fields > 0 && n_frames > 0;
  gtk_stack_set_visible_child_name(self->content, has ? "field" : "none");
  if (!has)
    return;
  gsize field = comparison_source_get_default(self->source);
  self->filling = TRUE;
  gtk_drop_down_set_model(self->field_choice, G_LIST_MODEL(names));
  gtk_drop_down_set_selected(self->field_choice, (guint) field);
  gtk_range_set_range(GTK_RANGE(self->slider), 0, (double) MAX(n_frames, 2) - 1);
  gtk_range_set_value(GTK_RANGE(self->slider), (double) n_frames - 1);
  gtk_widget_set_sensitive(GTK_WIDGET(self->slider), n_frames > 1);
  gtk_widget_set_visible(GTK_WIDGET(self->play), n_frames > 1);
  self->filling = FALSE;
  use_field(self, field);
}

void
lac_compare_fields_set_mode(LacCompareFields *self, LacViewMode mode)
{
  g_return_if_fail(LAC_IS_COMPARE_FIELDS(self));
  lac_field_view_set_mode(self->field, mode);
  lac_view_controls_update(self->controls);
}

void
lac_compare_fields_set_link(LacCompareFields *self, LacLink link)
{
  g_return_if_fail(LAC_IS_COMPARE_FIELDS(self));
  self->link = link;
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
  guint selected = gtk_drop_down_get_selected(self->field_choice);
  *field = selected != GTK_INVALID_LIST_POSITION ? selected : 0;
  *frame = (guint) (gtk_range_get_value(GTK_RANGE(self->slider)) + 0.5);
}

void
lac_compare_fields_choose(LacCompareFields *self, guint field, guint frame)
{
  g_return_if_fail(LAC_IS_COMPARE_FIELDS(self));
  if (self->source == NULL)
    return;
  if (field < lac_comparison_source_get_n_fields(self->source))
    gtk_drop_down_set_selected(self->field_choice, field);
  if (frame < lac_comparison_source_get_n_frames(self->source))
    gtk_range_set_value(GTK_RANGE(self->slider), frame);
}

void
lac_compare_fields_zoom(LacCompareFields *self, double factor)
{
  g_return_if_fail(LAC_IS_COMPARE_FIELDS(self));
  if (factor == 0)
    lac_field_view_fit(self->field);
  else
    lac_field_view_zoom(self->field, factor);
}

static void
on_reading(LacCompareFields *self)
{
  g_autofree char *reading = NULL;
  g_object_get(self->field, "reading", &reading, NULL);
  gtk_label_set_text(self->reading,
                     reading != NULL ? reading : _("Point at a field to read its values."));
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
  g_type_ensure(LAC_TYPE_PLAY_BUTTON);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/runs/compare-fields.ui");
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, content);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, field_choice);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, frames);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, reading);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, field);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, controls);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, picture);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, slider);
  gtk_widget_class_bind_template_child(widget_class, LacCompareFields, play);
  gtk_widget_class_bind_template_callback(widget_class, on_field);
  gtk_widget_class_bind_template_callback(widget_class, on_slider);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
name_control(GtkWidget *control, const char *name)
{
  lac_accessible_name(control, name);
}

static void
lac_compare_fields_init(LacCompareFields *self)
{
  self->filling = TRUE;
  gtk_widget_init_template(GTK_WIDGET(self));
  lac_play_button_set_range(self->play, GTK_RANGE(self->slider));
  lac_compare_choices_shorten(self->field_choice);
  self->filling = FALSE;
  lac_field_view_set_compares(self->field, TRUE);
  lac_picture_menu_attach(self->picture, self->field);
  lac_view_controls_attach(self->controls, self->field, "win.compare-view");
  g_signal_connect_object(self->field, "notify::reading", G_CALLBACK(on_reading), self,
                          G_CONNECT_SWAPPED);
  on_reading(self);
  lac_accessible_name_drop_down(GTK_DROP_DOWN(self->field_choice), _("Field"));
  name_control(GTK_WIDGET(self->slider), _("Stored frame of the first run"));
  name_control(GTK_WIDGET(self->field), _("Fields of the two runs"));
}
