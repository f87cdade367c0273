/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sensor editor: a field viewer whose markers are a layout's. */
#include "app/sensor-editor.h"

#include "app/field-view.h"
#include "app/phrase.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define REACH 10.0 /* pixels around a sensor that still mean it */

struct _LacSensorEditor {
  GtkWidget           parent_instance;
  LacFieldView       *view;
  GtkWidget          *menu; /* at the pointer */
  LacChannel          channel;
  LacFrame           *field; /* its markers are the layout to reset to */
  LacSensorLayout     layout;
  LacPlace            drag_from; /* of the selected sensor */
  gboolean            dragging;
  guint               edit; /* number of the last drag or run of nudges */
  GSimpleActionGroup *actions;
  char               *words;
};

G_DEFINE_FINAL_TYPE(LacSensorEditor, lac_sensor_editor, GTK_TYPE_WIDGET)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

enum { PROP_WORDS = 1, N_PROPS };
static GParamSpec *props[N_PROPS];

/* ---- what is shown ---- */

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

static char *
dup_words(LacSensorEditor *self)
{
  guint n = lac_sensor_layout_get_n(&self->layout);
  if (self->layout.selected == LAC_NO_SENSOR)
    return g_strdup_printf(ngettext("%u sensor", "%u sensors", n), n);
  const LacPlace  *place = lac_sensor_layout_get(&self->layout, self->layout.selected);
  g_autofree char *x = lac_phrase_metric(place->x, "1");
  g_autofree char *y = lac_phrase_metric(place->y, "1");
  if (self->layout.is_line)
    /* Translators: the first number counts from 1 to the second. */
    return g_strdup_printf(_("Sensor %u of %u at x %s"), self->layout.selected + 1, n, x);
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

static void
show(LacSensorEditor *self)
{
  show_markers(self);
  describe(self);
}

static void
announce(LacSensorEditor *self)
{
  show(self);
  g_signal_emit(self, signals[CHANGED], 0);
}

/* ---- what may be done ---- */

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

static gboolean
find_place(LacSensorEditor *self, double x, double y, double at[2])
{
  double inner[2];
  return gtk_widget_translate_coordinates(GTK_WIDGET(self), GTK_WIDGET(self->view), x, y, &inner[0],
                                          &inner[1]) &&
         lac_field_view_find_place(self->view, inner, at);
}

static guint
find_sensor(LacSensorEditor *self, double x, double y)
{
  guint  nearest = LAC_NO_SENSOR;
  double least = REACH;
  for (guint i = 0; i < lac_sensor_layout_get_n(&self->layout); i++) {
    double point[2];
    if (!lac_sensor_editor_find(self, i, point) || hypot(point[0] - x, point[1] - y) > least)
      continue;
    least = hypot(point[0] - x, point[1] - y);
    nearest = i;
  }
  return nearest;
}

gboolean
lac_sensor_editor_press(LacSensorEditor *self, double x, double y, int n_press)
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), FALSE);
  double at[2];
  guint  sensor = find_sensor(self, x, y);
  self->dragging = sensor != LAC_NO_SENSOR;
  if (sensor != LAC_NO_SENSOR) {
    self->layout.selected = sensor;
    self->edit++;
    self->drag_from = *lac_sensor_layout_get(&self->layout, sensor);
    show(self);
    return TRUE;
  }
  if (n_press < 2 || !find_place(self, x, y, at))
    return FALSE;
  lac_sensor_layout_add(&self->layout, at[0], at[1]);
  announce(self);
  return TRUE;
}

gboolean
lac_sensor_editor_drag(LacSensorEditor *self, double dx, double dy)
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), FALSE);
  if (!self->dragging || self->layout.selected == LAC_NO_SENSOR)
    return FALSE;
  double from[2] = {self->drag_from.x, self->drag_from.y}, point[2], at[2];
  if (!lac_field_view_find_point(self->view, from, point))
    return FALSE;
  point[0] += dx;
  point[1] += dy;
  lac_field_view_unproject(self->view, point, at);
  lac_sensor_layout_move(&self->layout, self->layout.selected, at[0], at[1], self->edit);
  announce(self);
  return TRUE;
}

static void
add_at(LacSensorEditor *self, double x, double y)
{
  if (self->field == NULL)
    return;
  lac_sensor_layout_add(&self->layout, x, y);
  announce(self);
}

static void
add_in_the_middle(LacSensorEditor *self)
{
  add_at(self, (self->layout.x_min + self->layout.x_max) / 2,
         (self->layout.y_min + self->layout.y_max) / 2);
}

static void
remove_selected(LacSensorEditor *self)
{
  if (self->layout.selected == LAC_NO_SENSOR)
    return;
  lac_sensor_layout_remove(&self->layout, self->layout.selected);
  announce(self);
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

static void
reset(LacSensorEditor *self)
{
  g_autofree char *text = dup_chosen(self);
  if (lac_sensor_layout_parse(&self->layout, text, NULL))
    announce(self);
}

/* By cells of the field: one, or ten with Shift. */
static void
nudge(LacSensorEditor *self, int columns, int rows, GdkModifierType state)
{
  const LacPlane *plane = &self->field->planes[0];
  const LacPlace *place = lac_sensor_layout_get(&self->layout, self->layout.selected);
  double          cells = state & GDK_SHIFT_MASK ? 10 : 1;
  double          dx = (plane->x_max - plane->x_min) / (double) MAX(plane->nx - 1, 1);
  double          dy = (plane->y_max - plane->y_min) / (double) MAX(plane->ny - 1, 1);
  lac_sensor_layout_move(&self->layout, self->layout.selected, place->x + cells * columns * dx,
                         place->y + cells * rows * dy, self->edit);
  announce(self);
}

static gboolean
key_of_selected(LacSensorEditor *self, guint key, GdkModifierType state)
{
  if (self->layout.selected == LAC_NO_SENSOR)
    return FALSE;
  switch (key) {
  case GDK_KEY_Delete:
  case GDK_KEY_BackSpace: remove_selected(self); return TRUE;
  case GDK_KEY_Left: nudge(self, -1, 0, state); return TRUE;
  case GDK_KEY_Right: nudge(self, 1, 0, state); return TRUE;
  case GDK_KEY_Up: nudge(self, 0, 1, state); return TRUE;
  case GDK_KEY_Down: nudge(self, 0, -1, state); return TRUE;
  case GDK_KEY_Escape:
    self->layout.selected = LAC_NO_SENSOR;
    show(self);
    return TRUE;
  default: return FALSE;
  }
}

gboolean
lac_sensor_editor_key(LacSensorEditor *self, guint key, GdkModifierType state)
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), FALSE);
  if (self->field == NULL)
    return FALSE;
  switch (key) {
  case GDK_KEY_Insert: add_in_the_middle(self); return TRUE;
  case GDK_KEY_Page_Down:
  case GDK_KEY_Page_Up:
    lac_sensor_layout_step(&self->layout, key == GDK_KEY_Page_Down ? 1 : -1);
    self->edit++;
    show(self);
    return TRUE;
  default: return key_of_selected(self, key, state);
  }
}

/* ---- controllers: before the viewer's own, which pan and fit ---- */

static void
on_drag_begin(GtkGestureDrag *drag, double x, double y, LacSensorEditor *self)
{
  gboolean taken = lac_sensor_editor_press(self, x, y, 1);
  gtk_widget_grab_focus(GTK_WIDGET(self->view));
  gtk_gesture_set_state(GTK_GESTURE(drag),
                        taken ? GTK_EVENT_SEQUENCE_CLAIMED : GTK_EVENT_SEQUENCE_DENIED);
}

static void
on_drag_update(GtkGestureDrag *drag, double dx, double dy, LacSensorEditor *self)
{
  lac_sensor_editor_drag(self, dx, dy);
}

static void
on_pressed(GtkGestureClick *click, int n_press, double x, double y, LacSensorEditor *self)
{
  if (n_press == 2 && lac_sensor_editor_press(self, x, y, 2))
    gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
}

static GMenu *
make_menu(double x, double y)
{
  GMenu               *menu = g_menu_new();
  g_autoptr(GMenu)     edits = g_menu_new();
  g_autoptr(GMenuItem) item = g_menu_item_new(_("Add Sensor Here"), NULL);
  g_menu_item_set_action_and_target(item, "sensors.add-at", "(dd)", x, y);
  g_menu_append_item(menu, item);
  g_menu_append(menu, _("Remove Sensor"), "sensors.remove");
  g_menu_append(edits, _("Undo"), "sensors.undo");
  g_menu_append(edits, _("Redo"), "sensors.redo");
  g_menu_append(edits, _("Back to the Chosen Layout"), "sensors.reset");
  g_menu_append_section(menu, NULL, G_MENU_MODEL(edits));
  return menu;
}

static void
on_secondary(GtkGestureClick *click, int n_press, double x, double y, LacSensorEditor *self)
{
  double at[2];
  if (!find_place(self, x, y, at))
    return;
  if (!lac_sensor_editor_press(self, x, y, 1)) {
    self->layout.selected = LAC_NO_SENSOR;
    show(self);
  }
  self->dragging = FALSE;
  gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
  g_autoptr(GMenu) menu = make_menu(at[0], at[1]);
  gtk_popover_menu_set_menu_model(GTK_POPOVER_MENU(self->menu), G_MENU_MODEL(menu));
  gtk_popover_set_pointing_to(GTK_POPOVER(self->menu), &(GdkRectangle){(int) x, (int) y, 1, 1});
  gtk_popover_popup(GTK_POPOVER(self->menu));
}

static void
on_motion(GtkEventControllerMotion *motion, double x, double y, LacSensorEditor *self)
{
  gboolean over = find_sensor(self, x, y) != LAC_NO_SENSOR;
  gtk_widget_set_cursor_from_name(GTK_WIDGET(self), over ? "grab" : NULL);
}

static gboolean
on_key(GtkEventControllerKey *keys,
       guint                  key,
       guint                  code,
       GdkModifierType        state,
       LacSensorEditor       *self)
{
  return lac_sensor_editor_key(self, key, state);
}

static void
add_controllers(LacSensorEditor *self)
{
  GtkEventController *controllers[] = {
    GTK_EVENT_CONTROLLER(gtk_gesture_drag_new()),
    GTK_EVENT_CONTROLLER(gtk_gesture_click_new()),
    GTK_EVENT_CONTROLLER(gtk_gesture_click_new()),
    gtk_event_controller_key_new(),
    gtk_event_controller_motion_new(),
  };
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(controllers[2]), GDK_BUTTON_SECONDARY);
  g_signal_connect(controllers[0], "drag-begin", G_CALLBACK(on_drag_begin), self);
  g_signal_connect(controllers[0], "drag-update", G_CALLBACK(on_drag_update), self);
  g_signal_connect(controllers[1], "pressed", G_CALLBACK(on_pressed), self);
  g_signal_connect(controllers[2], "pressed", G_CALLBACK(on_secondary), self);
  g_signal_connect(controllers[3], "key-pressed", G_CALLBACK(on_key), self);
  g_signal_connect(controllers[4], "motion", G_CALLBACK(on_motion), self);
  for (gsize i = 0; i < G_N_ELEMENTS(controllers); i++) {
    gtk_event_controller_set_propagation_phase(controllers[i], GTK_PHASE_CAPTURE);
    gtk_widget_add_controller(GTK_WIDGET(self), controllers[i]);
  }
}

/* ---- actions ---- */

static void
on_add(GSimpleAction *action, GVariant *parameter, gpointer editor)
{
  add_in_the_middle(editor);
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
  remove_selected(editor);
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
  if (lac_sensor_layout_undo(&self->layout))
    announce(self);
}

static void
on_redo(GSimpleAction *action, GVariant *parameter, gpointer editor)
{
  LacSensorEditor *self = editor;
  if (lac_sensor_layout_redo(&self->layout))
    announce(self);
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
  lac_sensor_layout_clear(&self->layout);
  G_OBJECT_CLASS(lac_sensor_editor_parent_class)->dispose(object);
}

static void
lac_sensor_editor_class_init(LacSensorEditorClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_sensor_editor_dispose;
  G_OBJECT_CLASS(class)->get_property = lac_sensor_editor_get_property;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
  props[PROP_WORDS] =
    g_param_spec_string("words", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties(G_OBJECT_CLASS(class), N_PROPS, props);
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_SENSOR_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
lac_sensor_editor_init(LacSensorEditor *self)
{
  lac_sensor_layout_init(&self->layout, (double[]){0, 1, 0, 1});
  self->view = g_object_new(LAC_TYPE_FIELD_VIEW, NULL);
  lac_field_view_set_probing(self->view, FALSE);
  gtk_widget_set_parent(GTK_WIDGET(self->view), GTK_WIDGET(self));
  self->menu = gtk_popover_menu_new_from_model(NULL);
  gtk_popover_set_has_arrow(GTK_POPOVER(self->menu), FALSE);
  gtk_widget_set_halign(self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent(self->menu, GTK_WIDGET(self));
  add_actions(self);
  add_controllers(self);
  gtk_accessible_update_property(
    GTK_ACCESSIBLE(self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
    _("Sensors: Page Down chooses one, arrows move it, Insert adds, Delete removes"), -1);
  describe(self);
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
  g_autofree char *text = dup_chosen(self);
  lac_sensor_editor_set_text(self, text, NULL);
}

gboolean
lac_sensor_editor_set_text(LacSensorEditor *self, const char *text, GError **error)
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), FALSE);
  if (!lac_sensor_layout_parse(&self->layout, text, error))
    return FALSE;
  lac_sensor_layout_forget(&self->layout);
  show(self);
  return TRUE;
}

char *
lac_sensor_editor_dup_text(LacSensorEditor *self)
{
  g_return_val_if_fail(LAC_IS_SENSOR_EDITOR(self), NULL);
  g_autofree char *text = lac_sensor_layout_dup_text(&self->layout);
  g_autofree char *chosen = dup_chosen(self);
  return g_strdup(g_str_equal(text, chosen) ? "" : text);
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
