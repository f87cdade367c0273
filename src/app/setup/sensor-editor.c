/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sensor editor: a field viewer whose markers come from a layout. */
#include "app/setup/sensor-editor.h"

#include "app/setup/sensor-editor-private.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

G_DEFINE_FINAL_TYPE(LacSensorEditor, lac_sensor_editor, GTK_TYPE_WIDGET)

enum { CHANGED, PAINTED, N_SIGNALS };
static guint signals[N_SIGNALS];

enum { PROP_WORDS = 1, N_PROPS };
static GParamSpec *props[N_PROPS];

/* ---- display ---- */

static void
show_markers(LacSensorEditor *self)
{
  if (self->field == NULL)
    return;
  const LacPlane     *from = &self->field->planes[0];
  gsize               sizes[1][2] = {{from->nx, from->ny}};
  guint               n = lac_sensor_layout_get_n(&self->layout);
  g_autoptr(LacFrame) frame = lac_frame_new(1, (const gsize(*)[2]) sizes, n, 0);
  float              *data = frame->planes[0].data;
  memcpy(data, from->data, from->nx * from->ny * sizeof *data);
  frame->planes[0] = *from;
  frame->planes[0].data = data;
  for (guint i = 0; i < n; i++) {
    const LacPlace *place = lac_sensor_layout_get(&self->layout, i);
    frame->markers[i] =
      (LacMarker){place->x, place->y,
                  g_intern_static_string(i == self->layout.selected ? "selected" : "sensor")};
  }
  lac_field_view_set_frame(self->view, frame);
}

static gboolean
are_apertures(LacSensorEditor *self)
{
  return self->field != NULL && self->field->n_markers > 0 &&
         g_strcmp0(self->field->markers[0].kind, "aperture") == 0;
}

static char *
dup_words(LacSensorEditor *self)
{
  guint n = lac_sensor_layout_get_n(&self->layout);
  if (self->layout.selected == LAC_NO_SENSOR && are_apertures(self))
    return g_strdup_printf(ngettext("%u aperture", "%u apertures", n), n);
  if (self->layout.selected == LAC_NO_SENSOR)
    return g_strdup_printf(ngettext("%u sensor", "%u sensors", n), n);
  const LacPlace  *place = lac_sensor_layout_get(&self->layout, self->layout.selected);
  g_autofree char *x = lac_format_metric(place->x, "1");
  g_autofree char *y = lac_format_metric(place->y, "1");
  if (self->layout.is_line)
    /* Translators: the first number counts from 1 to the second. */
    return g_strdup_printf(_("Sensor %u of %u at x %s"), self->layout.selected + 1, n, x);
  if (are_apertures(self))
    return g_strdup_printf(_("Aperture %u of %u at x %s, y %s"), self->layout.selected + 1, n, x,
                           y);
  return g_strdup_printf(_("Sensor %u of %u at x %s, y %s"), self->layout.selected + 1, n, x, y);
}

static void
enable(LacSensorEditor *self, const char *action, gboolean enabled)
{
  GAction *found = g_action_map_lookup_action(G_ACTION_MAP(self->actions), action);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(found), enabled);
}

static void
describe(LacSensorEditor *self)
{
  g_autofree char *text = lac_sensor_editor_dup_text(self);
  g_free(self->words);
  self->words = dup_words(self);
  enable(self, "add", self->field != NULL);
  enable(self, "add-at", self->field != NULL);
  enable(self, "remove", self->layout.selected != LAC_NO_SENSOR);
  enable(self, "reset", *text != '\0');
  enable(self, "undo", self->layout.past->len > 0);
  enable(self, "redo", self->layout.future->len > 0);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 self->words, -1);
  g_object_notify_by_pspec(G_OBJECT(self), props[PROP_WORDS]);
}

void
lac_sensor_editor_show(LacSensorEditor *self)
{
  show_markers(self);
  lac_sensor_editor_shade(self);
  describe(self);
}

/* Remembers what was announced last, so that an undo announces what it changed. */
static void
keep_texts(LacSensorEditor *self, const char *text, const char *regions)
{
  char *kept[] = {g_strdup(text), g_strdup(regions)};
  g_free(self->text);
  g_free(self->regions);
  self->text = kept[0];
  self->regions = kept[1];
}

void
lac_sensor_editor_announce(LacSensorEditor *self)
{
  lac_sensor_editor_show(self);
  g_autofree char *text = lac_sensor_layout_dup_text(&self->layout);
  g_autofree char *regions = lac_sensor_layout_dup_regions(&self->layout);
  gboolean         is_painted = g_strcmp0(regions, self->regions) != 0;
  gboolean         is_moved = g_strcmp0(text, self->text) != 0;
  keep_texts(self, text, regions);
  if (is_painted)
    g_signal_emit(self, signals[PAINTED], 0);
  if (is_moved)
    g_signal_emit(self, signals[CHANGED], 0);
}

/* ---- enabled actions ---- */

gboolean
lac_sensor_editor_find(LacSensorEditor *self, guint sensor, double point[2])
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), FALSE);
  const LacPlace *place = lac_sensor_layout_get(&self->layout, sensor);
  double          at[2] = {place->x, place->y};
  if (!lac_field_view_find_point(self->view, at, point))
    return FALSE;
  return gtk_widget_translate_coordinates(GTK_WIDGET(self->view), GTK_WIDGET(self), point[0],
                                          point[1], &point[0], &point[1]);
}

static void
add_at(LacSensorEditor *self, double x, double y)
{
  if (self->field == NULL)
    return;
  lac_sensor_layout_add(&self->layout, x, y);
  lac_sensor_editor_announce(self);
}

void
lac_sensor_editor_add_in_the_middle(LacSensorEditor *self)
{
  add_at(self, (self->layout.x_min + self->layout.x_max) / 2,
         (self->layout.y_min + self->layout.y_max) / 2);
}

void
lac_sensor_editor_remove_selected(LacSensorEditor *self)
{
  if (self->layout.selected == LAC_NO_SENSOR)
    return;
  lac_sensor_layout_remove(&self->layout, self->layout.selected);
  lac_sensor_editor_announce(self);
}

static char *
dup_chosen(LacSensorEditor *self)
{
  LacSensorLayout chosen;
  lac_sensor_layout_init(&chosen, (double[]){self->layout.x_min, self->layout.x_max,
                                             self->layout.y_min, self->layout.y_max});
  for (gsize i = 0; self->field != NULL && i < self->field->n_markers; i++)
    lac_sensor_layout_add(&chosen, self->field->markers[i].x, self->field->markers[i].y);
  char *text = lac_sensor_layout_dup_text(&chosen);
  lac_sensor_layout_clear(&chosen);
  return text;
}

/* Takes the positions that the settings choose at present, if the layout follows them. */
static void
follow_chosen(LacSensorEditor *self)
{
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(LacPlace));
  if (!self->layout.is_automatic || self->field == NULL)
    return;
  for (gsize i = 0; i < self->field->n_markers; i++) {
    LacPlace place = {self->field->markers[i].x, self->field->markers[i].y};
    g_array_append_val(places, place);
  }
  lac_sensor_layout_set_automatic(&self->layout, (const LacPlace *) (gpointer) places->data,
                                  places->len);
}

static void
reset(LacSensorEditor *self)
{
  g_autofree char *text = dup_chosen(self);
  if (!lac_sensor_layout_parse(&self->layout, text, NULL))
    return;
  self->layout.is_automatic = TRUE;
  lac_sensor_editor_announce(self);
}

/* ---- actions ---- */

static void
on_add(GSimpleAction *action, GVariant *parameter, gpointer editor)
{
  lac_sensor_editor_add_in_the_middle(editor);
}

static void
on_add_at(GSimpleAction *action, GVariant *parameter, gpointer editor)
{
  double x, y;
  g_variant_get(parameter, "(dd)", &x, &y);
  add_at(editor, x, y);
}

static void
on_remove(GSimpleAction *action, GVariant *parameter, gpointer editor)
{
  lac_sensor_editor_remove_selected(editor);
}

static void
on_reset(GSimpleAction *action, GVariant *parameter, gpointer editor)
{
  reset(editor);
}

static void
on_undo(GSimpleAction *action, GVariant *parameter, gpointer editor)
{
  LacSensorEditor *self = editor;
  if (!lac_sensor_layout_undo(&self->layout))
    return;
  follow_chosen(self);
  lac_sensor_editor_announce(self);
}

static void
on_redo(GSimpleAction *action, GVariant *parameter, gpointer editor)
{
  LacSensorEditor *self = editor;
  if (!lac_sensor_layout_redo(&self->layout))
    return;
  follow_chosen(self);
  lac_sensor_editor_announce(self);
}

static void
add_actions(LacSensorEditor *self)
{
  static const GActionEntry entries[] = {
    {"add", on_add},       {"add-at", on_add_at, "(dd)"},
    {"remove", on_remove}, {"reset", on_reset},
    {"undo", on_undo},     {"redo", on_redo},
  };
  self->actions = g_simple_action_group_new();
  g_action_map_add_action_entries(G_ACTION_MAP(self->actions), entries, G_N_ELEMENTS(entries),
                                  self);
  gtk_widget_insert_action_group(GTK_WIDGET(self), "sensors", G_ACTION_GROUP(self->actions));
}

/* ---- the object ---- */

static void
lac_sensor_editor_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string(value, LAC_SENSOR_EDITOR(object)->words);
}

static void
lac_sensor_editor_dispose(GObject *object)
{
  LacSensorEditor *self = LAC_SENSOR_EDITOR(object);
  g_clear_pointer(&self->menu, gtk_widget_unparent);
  if (self->view != NULL)
    gtk_widget_unparent(GTK_WIDGET(self->view));
  self->view = NULL;
  g_clear_object(&self->actions);
  g_clear_pointer(&self->field, lac_frame_unref);
  g_clear_pointer(&self->words, g_free);
  g_clear_pointer(&self->text, g_free);
  g_clear_pointer(&self->regions, g_free);
  g_clear_object(&self->shade);
  lac_sensor_layout_clear(&self->layout);
  G_OBJECT_CLASS(lac_sensor_editor_parent_class)->dispose(object);
}

static void
lac_sensor_editor_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  GTK_WIDGET_CLASS(lac_sensor_editor_parent_class)->snapshot(widget, snapshot);
  lac_sensor_editor_draw_regions(LAC_SENSOR_EDITOR(widget), snapshot);
}

static void
lac_sensor_editor_class_init(LacSensorEditorClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_sensor_editor_dispose;
  G_OBJECT_CLASS(class)->get_property = lac_sensor_editor_get_property;
  GTK_WIDGET_CLASS(class)->snapshot = lac_sensor_editor_snapshot;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
  props[PROP_WORDS] =
    g_param_spec_string("words", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties(G_OBJECT_CLASS(class), N_PROPS, props);
  signals[PAINTED] = g_signal_new("painted", LAC_TYPE_SENSOR_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_SENSOR_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
lac_sensor_editor_init(LacSensorEditor *self)
{
  lac_sensor_layout_init(&self->layout, (double[]){0, 1, 0, 1});
  self->brush_cost = (double) NAN;
  self->brush_size = 0.05;
  self->view = g_object_new(LAC_TYPE_FIELD_VIEW, NULL);
  g_signal_connect_swapped(self->view, "look-changed", G_CALLBACK(gtk_widget_queue_draw), self);
  lac_field_view_set_probing(self->view, FALSE);
  lac_field_view_set_bare(self->view, TRUE); /* what it shows is in the heading of its pane */
  gtk_widget_set_parent(GTK_WIDGET(self->view), GTK_WIDGET(self));
  self->menu = gtk_popover_menu_new_from_model(NULL);
  gtk_popover_set_has_arrow(GTK_POPOVER(self->menu), FALSE);
  gtk_widget_set_halign(self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent(self->menu, GTK_WIDGET(self));
  add_actions(self);
  lac_sensor_editor_add_pointer(self);
  lac_accessible_name(self->view,
                      _("Sensors: Page Down selects, arrows move, Insert adds, Delete removes"));
  describe(self);
}

/* Shows a state that cannot be undone. */
static void
settle(LacSensorEditor *self)
{
  g_autofree char *text = lac_sensor_layout_dup_text(&self->layout);
  g_autofree char *regions = lac_sensor_layout_dup_regions(&self->layout);
  lac_sensor_layout_forget(&self->layout);
  keep_texts(self, text, regions);
  lac_sensor_editor_show(self);
}

void
lac_sensor_editor_set_field(LacSensorEditor *self, const LacChannel *channel, LacFrame *frame)
{
  g_return_if_fail(LAC_IS_SENSOR_EDITOR(self) && frame->n_planes == 1);
  const LacPlane *plane = &frame->planes[0];
  lac_frame_ref(frame);
  g_clear_pointer(&self->field, lac_frame_unref);
  self->field = frame;
  self->channel = *channel;
  lac_field_view_set_channels(self->view, &self->channel, 1);
  lac_sensor_layout_clear(&self->layout);
  lac_sensor_layout_init(&self->layout, (double[]){plane->x_min, plane->x_max, plane->y_min,
                                                   plane->ny > 1 ? plane->y_max : plane->y_min});
  self->layout.is_automatic = TRUE;
  follow_chosen(self);
  settle(self);
}

void
lac_sensor_editor_use_chosen(LacSensorEditor *self)
{
  g_return_if_fail(LAC_IS_SENSOR_EDITOR(self));
  self->layout.is_automatic = TRUE;
  follow_chosen(self);
  settle(self);
}

void
lac_sensor_editor_set_chosen(LacSensorEditor *self, LacFrame *frame)
{
  g_return_if_fail(LAC_IS_SENSOR_EDITOR(self) && frame->n_planes == 1);
  lac_frame_ref(frame);
  g_clear_pointer(&self->field, lac_frame_unref);
  self->field = frame;
  follow_chosen(self);
  g_autofree char *text = lac_sensor_layout_dup_text(&self->layout);
  keep_texts(self, text, self->regions);
  lac_sensor_editor_show(self);
}

gboolean
lac_sensor_editor_set_text(LacSensorEditor *self, const char *text, GError **error)
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), FALSE);
  if (!lac_sensor_layout_parse(&self->layout, text, error))
    return FALSE;
  settle(self);
  return TRUE;
}

gboolean
lac_sensor_editor_set_regions(LacSensorEditor *self, const char *text, GError **error)
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), FALSE);
  if (!lac_sensor_layout_parse_regions(&self->layout, text, error))
    return FALSE;
  settle(self);
  return TRUE;
}

char *
lac_sensor_editor_dup_regions(LacSensorEditor *self)
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), NULL);
  return lac_sensor_layout_dup_regions(&self->layout);
}

void
lac_sensor_editor_set_brush(LacSensorEditor *self, double cost, double size)
{
  g_return_if_fail(LAC_IS_SENSOR_EDITOR(self) && size > 0);
  self->brush_cost = cost;
  self->brush_size = size;
}

char *
lac_sensor_editor_dup_text(LacSensorEditor *self)
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), NULL);
  g_autofree char *text = lac_sensor_layout_dup_text(&self->layout);
  g_autofree char *chosen = dup_chosen(self);
  return g_strdup(self->layout.is_automatic || g_str_equal(text, chosen) ? "" : text);
}

const LacSensorLayout *
lac_sensor_editor_get_layout(LacSensorEditor *self)
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), NULL);
  return &self->layout;
}

GActionGroup *
lac_sensor_editor_get_actions(LacSensorEditor *self)
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), NULL);
  return G_ACTION_GROUP(self->actions);
}
