/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Manual sensor placement: the list of positions, and pointer and key input in a window. LACUNA_SCREENSHOTS: folder
 * for a screenshot. */
#include "app/field/screenshot.h"
#include "app/helpers/display.h"
#include "app/setup/page.h"
#include "app/setup/sensor-editor.h"
#include "app/setup/sensor-pane.h"
#include "base/error.h"

#include <math.h>

static const double box[4] = {-1, 3, 0, 2};

static void
assert_text(const LacSensorLayout *layout, const char *expected)
{
  g_autofree char *text = lac_sensor_layout_dup_text(layout);
  g_assert_cmpstr(text, ==, expected);
}

static void
test_text(void)
{
  g_autoptr(GError) error = NULL;
  LacSensorLayout   layout, again;
  lac_sensor_layout_init(&layout, box);
  lac_sensor_layout_init(&again, box);
  assert_text(&layout, "");
  g_assert_true(lac_sensor_layout_parse(&layout, " 0.5   1; -1 2e0 ;3 0;", &error));
  g_assert_no_error(error);
  assert_text(&layout, "0.5 1; -1 2; 3 0");
  lac_sensor_layout_add(&layout, 1.0 / 3, 0.123456789);
  assert_text(&layout,
              "0.5 1; -1 2; 3 0; 0.3333 0.1235"); /* rounded to 1e-4 of a span of 4 and of 2 */
  g_autofree char *text = lac_sensor_layout_dup_text(&layout);
  g_assert_true(lac_sensor_layout_parse(&again, text, &error));
  assert_text(&again, text);
  lac_sensor_layout_clear(&layout);
  lac_sensor_layout_clear(&again);
}

static void
test_refused(void)
{
  static const char *const wrong[] = {"1", "a b", "1 2 3", "0,5 1", "nan 1", "4 1", "0 -0.1"};
  LacSensorLayout          layout;
  lac_sensor_layout_init(&layout, box);
  g_assert_true(lac_sensor_layout_parse(&layout, "1 1", NULL));
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_false(lac_sensor_layout_parse(&layout, wrong[i], &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
    g_assert_nonnull(strstr(error->message, wrong[i]));
    assert_text(&layout, "1 1");
  }
  lac_sensor_layout_clear(&layout);
}

static void
test_edits(void)
{
  LacSensorLayout layout;
  lac_sensor_layout_init(&layout, box);
  lac_sensor_layout_step(&layout, 1); /* none to select */
  g_assert_cmpuint(layout.selected, ==, LAC_NO_SENSOR);
  for (int i = 0; i < 3; i++)
    lac_sensor_layout_add(&layout, i, 1);
  g_assert_cmpuint(layout.selected, ==, 2);
  lac_sensor_layout_step(&layout, 1);
  g_assert_cmpuint(layout.selected, ==, 0);
  lac_sensor_layout_step(&layout, -1);
  g_assert_cmpuint(layout.selected, ==, 2);
  lac_sensor_layout_move(&layout, 1, 99, -99, 0); /* stays on the field */
  assert_text(&layout, "0 1; 3 0; 2 1");
  lac_sensor_layout_remove(&layout, 2);
  g_assert_cmpuint(layout.selected, ==, 1);
  lac_sensor_layout_remove(&layout, 0);
  lac_sensor_layout_remove(&layout, 0);
  g_assert_cmpuint(layout.selected, ==, LAC_NO_SENSOR);
  assert_text(&layout, "");
  lac_sensor_layout_clear(&layout);
}

static void
test_undo(void)
{
  LacSensorLayout layout;
  lac_sensor_layout_init(&layout, box);
  g_assert_false(lac_sensor_layout_undo(&layout));
  lac_sensor_layout_add(&layout, 0, 1);
  for (int i = 1; i <= 5; i++) /* one drag with five moves */
    lac_sensor_layout_move(&layout, 0, 0.1 * i, 1, 7);
  lac_sensor_layout_move(&layout, 0, 1, 1, 8);
  lac_sensor_layout_remove(&layout, 0);
  const char *const back[] = {"1 1", "0.5 1", "0 1", ""};
  for (gsize i = 0; i < G_N_ELEMENTS(back); i++) {
    g_assert_true(lac_sensor_layout_undo(&layout));
    assert_text(&layout, back[i]);
  }
  g_assert_false(lac_sensor_layout_undo(&layout));
  g_assert_true(lac_sensor_layout_redo(&layout));
  g_assert_true(lac_sensor_layout_redo(&layout));
  assert_text(&layout, "0.5 1");
  lac_sensor_layout_add(&layout, 3, 2); /* a new edit clears the redo history */
  g_assert_false(lac_sensor_layout_redo(&layout));
  lac_sensor_layout_forget(&layout);
  g_assert_false(lac_sensor_layout_undo(&layout));
  lac_sensor_layout_clear(&layout);
}

static void
test_line(void)
{
  g_autoptr(GError) error = NULL;
  LacSensorLayout   layout;
  lac_sensor_layout_init(&layout, (double[]){-1, 1, 0, 0});
  g_assert_true(lac_sensor_layout_parse(&layout, "-0.5; 0.25", &error));
  g_assert_no_error(error);
  lac_sensor_layout_move(&layout, 0, -2, 5, 0);
  assert_text(&layout, "-1; 0.25");
  g_assert_false(lac_sensor_layout_parse(&layout, "0 0", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  lac_sensor_layout_clear(&layout);
}

/* Painted regions are text, each stroke is one edit, and undo takes back what came last, sensor or stroke. */
static void
test_painting(void)
{
  g_autoptr(GError) error = NULL;
  LacSensorLayout   layout;
  const LacRegion   stroke[] = {{0, 1, 0.5, 40}, {0.3, 1, 0.5, 40}}, rubber = {0, 1, 3, 0};
  lac_sensor_layout_init(&layout, box);
  lac_sensor_layout_paint(&layout, &stroke[0], 3);
  lac_sensor_layout_paint(&layout, &stroke[1], 3);
  lac_sensor_layout_add(&layout, 1, 1);
  g_autofree char *painted = lac_sensor_layout_dup_regions(&layout);
  g_assert_cmpstr(painted, ==, "0 1 0.5 40; 0.3 1 0.5 40");
  g_assert_true(lac_sensor_layout_undo(&layout));
  assert_text(&layout, "");
  g_autofree char *kept = lac_sensor_layout_dup_regions(&layout);
  g_assert_cmpstr(kept, ==, painted);
  g_assert_true(lac_sensor_layout_undo(&layout));
  g_assert_cmpuint(layout.regions->len, ==, 0);
  g_assert_true(lac_sensor_layout_redo(&layout));
  lac_sensor_layout_paint(&layout, &rubber, 4); /* erases everything, and itself */
  g_assert_cmpuint(layout.regions->len, ==, 0);
  g_assert_true(lac_sensor_layout_parse_regions(&layout, painted, &error));
  g_assert_false(lac_sensor_layout_parse_regions(&layout, "1 1", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_assert_cmpuint(layout.regions->len, ==, 2);
  lac_sensor_layout_clear(&layout);
}

/* ---- the widget ---- */

static LacFrame *
make_frame(void)
{
  gsize     sizes[1][2] = {{41, 21}};
  LacFrame *frame = lac_frame_new(1, (const gsize(*)[2]) sizes, 2, 0);
  LacPlane *plane = &frame->planes[0];
  plane->x_min = box[0];
  plane->x_max = box[1];
  plane->y_min = box[2];
  plane->y_max = box[3];
  for (gsize j = 0; j < 21; j++)
    for (gsize i = 0; i < 41; i++)
      plane->data[j * 41 + i] = (float) (sin(0.3 * (double) i) * cos(0.4 * (double) j));
  lac_plane_measure(plane);
  frame->markers[0] = (LacMarker){0, 1, "sensor"};
  frame->markers[1] = (LacMarker){2, 0.5, "sensor"};
  return frame;
}

static gboolean
on_timeout(gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
let_draw(guint ms)
{
  gboolean over = FALSE;
  g_timeout_add(ms, on_timeout, &over);
  while (!over)
    g_main_context_iteration(NULL, TRUE);
}

static void
take_picture(GtkWidget *widget, const char *name)
{
  const char *folder = g_getenv("LACUNA_SCREENSHOTS");
  if (folder == NULL)
    return;
  g_autofree char *path = g_build_filename(folder, name, NULL);
  g_mkdir_with_parents(folder, 0755);
  let_draw(300);
  lac_screenshot_take(widget, path);
  let_draw(300);
}

static void
count(LacSensorEditor *editor, guint *n)
{
  (*n)++;
}

static void
use_pointer(LacSensorEditor *editor)
{
  double point[2], other[2];
  g_assert_true(lac_sensor_editor_find(editor, 0, point));
  g_assert_false(lac_sensor_editor_press(editor, point[0] + 60, point[1] + 30, 1));
  g_assert_false(lac_sensor_editor_drag(editor, 5, 5)); /* no sensor is held: pans the field */
  g_assert_true(lac_sensor_editor_press(editor, point[0] + 3, point[1] - 3, 1));
  g_assert_true(lac_sensor_editor_drag(editor, 40, -20));
  g_assert_true(lac_sensor_editor_find(editor, 0, other));
  /* The sensor moves by the pointer's offset: up to rounding of values below 1000. */
  g_assert_cmpfloat_with_epsilon(other[0], point[0] + 40, 1e-6);
  g_assert_cmpfloat_with_epsilon(other[1], point[1] - 20, 1e-6);
  g_assert_true(lac_sensor_editor_press(editor, point[0] - 40, point[1], 2));
  g_assert_cmpuint(lac_sensor_layout_get_n(lac_sensor_editor_get_layout(editor)), ==, 3);
  g_assert_true(lac_sensor_editor_find(editor, 2, other));
  g_assert_cmpfloat_with_epsilon(other[0], point[0] - 40, 1e-6);
}

static void
use_keys(LacSensorEditor *editor)
{
  const LacSensorLayout *layout = lac_sensor_editor_get_layout(editor);
  g_assert_true(lac_sensor_editor_key(editor, GDK_KEY_Page_Down, 0));
  g_assert_cmpuint(layout->selected, ==, 0);
  LacPlace before = *lac_sensor_layout_get(layout, 0);
  g_assert_true(lac_sensor_editor_key(editor, GDK_KEY_Right, 0));
  g_assert_true(lac_sensor_editor_key(editor, GDK_KEY_Down, GDK_SHIFT_MASK));
  g_assert_cmpfloat_with_epsilon(lac_sensor_layout_get(layout, 0)->x, before.x + 0.1, 1e-12);
  g_assert_cmpfloat_with_epsilon(lac_sensor_layout_get(layout, 0)->y, MAX(before.y - 1, 0), 1e-12);
  g_assert_true(lac_sensor_editor_key(editor, GDK_KEY_Delete, 0));
  g_assert_cmpuint(lac_sensor_layout_get_n(layout), ==, 2);
  g_assert_true(lac_sensor_editor_key(editor, GDK_KEY_Insert, 0));
  g_assert_cmpfloat(lac_sensor_layout_get(layout, 2)->x, ==, 1);
  g_assert_true(lac_sensor_editor_key(editor, GDK_KEY_Escape, 0));
  g_assert_false(lac_sensor_editor_key(editor, GDK_KEY_Left, 0)); /* pans */
}

static void
test_editor(void)
{
  static const LacChannel channel = {"u",    "Truth", "m/s", "u", LAC_ROLE_OTHER,
                                     "dusk", "x",     "y",   "m", "m"};
  if (!display_open())
    return;
  g_autoptr(LacFrame) frame = make_frame();
  g_autoptr(GError)   error = NULL;
  guint               n_changes = 0;
  GtkWidget          *window = gtk_window_new();
  LacSensorEditor    *editor = g_object_new(LAC_TYPE_SENSOR_EDITOR, NULL);
  GActionGroup       *actions = lac_sensor_editor_get_actions(editor);
  gtk_window_set_default_size(GTK_WINDOW(window), 700, 480);
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(editor));
  gtk_window_present(GTK_WINDOW(window));
  g_signal_connect(editor, "changed", G_CALLBACK(count), &n_changes);
  g_assert_false(g_action_group_get_action_enabled(actions, "add"));
  lac_sensor_editor_set_field(editor, &channel, frame);
  let_draw(100);
  assert_text(lac_sensor_editor_get_layout(editor), "0 1; 2 0.5"); /* the positions of the run */
  g_autofree char *nothing = lac_sensor_editor_dup_text(editor);
  g_assert_cmpstr(nothing, ==, "");
  g_assert_cmpuint(n_changes, ==, 0);
  g_assert_false(g_action_group_get_action_enabled(actions, "undo"));
  use_pointer(editor);
  take_picture(window, "sensors.png");
  use_keys(editor);
  g_assert_cmpuint(n_changes, ==, 6);
  for (int i = 0; i < 5; i++) /* two consecutive nudges are one edit */
    g_action_group_activate_action(actions, "undo", NULL);
  assert_text(lac_sensor_editor_get_layout(editor), "0 1; 2 0.5");
  g_assert_false(g_action_group_get_action_enabled(actions, "undo"));
  g_action_group_activate_action(actions, "redo", NULL);
  g_autofree char *moved = lac_sensor_editor_dup_text(editor);
  g_assert_cmpstr(moved, !=, "");
  g_action_group_activate_action(actions, "reset", NULL);
  g_autofree char *again = lac_sensor_editor_dup_text(editor);
  g_assert_cmpstr(again, ==, "");
  g_assert_false(lac_sensor_editor_set_text(editor, "9 9", &error));
  g_clear_error(&error);
  g_assert_true(lac_sensor_editor_set_text(editor, "1 1", &error));
  gtk_window_destroy(GTK_WINDOW(window));
  let_draw(20);
}

/* With a brush the pointer paints, and moves no sensor; a stroke is announced once, when it ends. */
static void
test_brush(void)
{
  static const LacChannel channel = {"u",    "Truth", "m/s", "u", LAC_ROLE_OTHER,
                                     "dusk", "x",     "y",   "m", "m"};
  if (!display_open())
    return;
  g_autoptr(LacFrame) frame = make_frame();
  double              point[2];
  guint               n_changes = 0, n_painted = 0;
  GtkWidget          *window = gtk_window_new();
  LacSensorEditor    *editor = g_object_new(LAC_TYPE_SENSOR_EDITOR, NULL);
  GActionGroup       *actions = lac_sensor_editor_get_actions(editor);
  gtk_window_set_default_size(GTK_WINDOW(window), 700, 480);
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(editor));
  gtk_window_present(GTK_WINDOW(window));
  g_signal_connect(editor, "changed", G_CALLBACK(count), &n_changes);
  g_signal_connect(editor, "painted", G_CALLBACK(count), &n_painted);
  lac_sensor_editor_set_field(editor, &channel, frame);
  let_draw(100);
  lac_sensor_editor_set_brush(editor, (double) INFINITY, 0.05);
  g_assert_true(lac_sensor_editor_find(editor, 0, point));
  g_assert_true(lac_sensor_editor_press(editor, point[0], point[1], 1));
  for (double dx = 4; dx <= 80; dx += 4)
    g_assert_true(lac_sensor_editor_drag(editor, dx, 0));
  g_assert_cmpuint(n_painted, ==, 0);
  lac_sensor_editor_release(editor);
  g_assert_cmpuint(n_painted, ==, 1);
  g_assert_cmpuint(n_changes, ==, 0);
  take_picture(window, "sensors-brush.png");
  const LacSensorLayout *layout = lac_sensor_editor_get_layout(editor);
  const LacRegion       *regions = (const LacRegion *) (gpointer) layout->regions->data;
  const double           middle[2] = {0, 1}, no_period[2] = {0, 0};
  g_assert_true(isinf(lac_regions_get_cost(regions, layout->regions->len, middle, no_period)));
  assert_text(layout, "0 1; 2 0.5");
  g_autofree char *text = lac_sensor_editor_dup_text(editor);
  g_assert_cmpstr(text, ==, ""); /* the positions are still the automatic ones */
  g_action_group_activate_action(actions, "undo", NULL);
  g_assert_cmpuint(n_painted, ==, 2);
  g_autofree char *nothing = lac_sensor_editor_dup_regions(editor);
  g_assert_cmpstr(nothing, ==, "");
  gtk_window_destroy(GTK_WINDOW(window));
  let_draw(20);
}

/* ---- with a plan ---- */

static const char *const small[][2] = {
  {"grid", "16"},         {"forcing", "2"}, {"snapshots", "60"},
  {"observations", "20"}, {"spin_up", "5"}, {"sensors", "4"},
};

static LacSetupPage *
make_setup(GtkWidget *window)
{
  LacSetupPage *page = g_object_new(LAC_TYPE_SETUP_PAGE, NULL);
  gtk_window_set_default_size(GTK_WINDOW(window), 1024, 600);
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(page));
  gtk_window_present(GTK_WINDOW(window));
  lac_setup_page_set_experiment(page, lac_experiment_find("kolmogorov", NULL));
  for (gsize i = 0; i < G_N_ELEMENTS(small); i++)
    g_assert_true(lac_setup_page_enter(page, small[i][0], small[i][1]));
  g_assert_null(lac_setup_page_get_reason(page));
  return page;
}

static GtkWidget *
find_type(GtkWidget *root, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE(root, type))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_type(child, type);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static char *
dup_row(LacSetupPage *page)
{
  LacRunSettings settings;
  lac_setup_page_fill(page, &settings);
  const LacParam *row = lac_param_find(lac_draft_get_table(settings.draft), LAC_PLANNING_ROW);
  return g_strdup(lac_draft_get_text(settings.draft, row));
}

/* Waits until the label differs from @before. */
static char *
wait_for_label(GtkLabel *label, const char *before)
{
  guint late = display_limit_wait();
  while (g_str_equal(gtk_label_get_text(label), before))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  return g_strdup(gtk_label_get_text(label));
}

static void
test_plan(void)
{
  if (!display_open())
    return;
  GtkWidget       *window = gtk_window_new();
  LacSetupPage    *page = make_setup(window);
  LacSensorPane   *sensors = LAC_SENSOR_PANE(find_type(window, LAC_TYPE_SENSOR_PANE));
  LacSensorEditor *editor = LAC_SENSOR_EDITOR(find_type(window, LAC_TYPE_SENSOR_EDITOR));
  GtkLabel        *error =
    GTK_LABEL(gtk_widget_get_template_child(GTK_WIDGET(sensors), LAC_TYPE_SENSOR_PANE, "first"));
  lac_setup_page_place(page);
  g_autofree char *chosen = wait_for_label(error, "");
  let_draw(300);
  g_assert_cmpuint(lac_sensor_layout_get_n(lac_sensor_editor_get_layout(editor)), ==, 4);
  g_autofree char *untouched = dup_row(page);
  g_assert_null(untouched); /* opening it changes nothing */
  take_picture(window, "sensors-plan.png");
  g_assert_true(lac_sensor_editor_key(editor, GDK_KEY_Page_Down, 0));
  g_assert_true(lac_sensor_editor_key(editor, GDK_KEY_Delete, 0));
  g_autofree char *fewer = wait_for_label(error, chosen);
  g_assert_cmpfloat(g_ascii_strtod(fewer, NULL), >, g_ascii_strtod(chosen, NULL));
  g_autofree char *row = dup_row(page);
  g_assert_nonnull(row);
  g_action_group_activate_action(lac_sensor_editor_get_actions(editor), "undo", NULL);
  g_autofree char *undone = wait_for_label(error, fewer);
  g_assert_cmpstr(undone, ==, chosen);
  g_autofree char *empty = dup_row(page);
  g_assert_null(empty);
  gtk_window_destroy(GTK_WINDOW(window));
  let_draw(20);
}

/* Painting over a sensor moves the automatic ones away; the row takes the regions, not the positions. */
static void
test_painted_plan(void)
{
  if (!display_open())
    return;
  GtkWidget       *window = gtk_window_new();
  LacSetupPage    *page = make_setup(window);
  LacSensorPane   *pane = LAC_SENSOR_PANE(find_type(window, LAC_TYPE_SENSOR_PANE));
  LacSensorEditor *editor = LAC_SENSOR_EDITOR(find_type(window, LAC_TYPE_SENSOR_EDITOR));
  GtkLabel        *error =
    GTK_LABEL(gtk_widget_get_template_child(GTK_WIDGET(pane), LAC_TYPE_SENSOR_PANE, "first"));
  double point[2];
  lac_setup_page_place(page);
  g_autofree char *before = wait_for_label(error, "");
  let_draw(300);
  const LacSensorLayout *layout = lac_sensor_editor_get_layout(editor);
  const LacPlace         place = *lac_sensor_layout_get(layout, 0);
  lac_sensor_editor_set_brush(editor, (double) INFINITY, 0.1);
  g_assert_true(lac_sensor_editor_find(editor, 0, point));
  g_assert_true(lac_sensor_editor_press(editor, point[0], point[1], 1));
  lac_sensor_editor_release(editor);
  g_autofree char *after = wait_for_label(error, before);
  for (guint i = 0; i < lac_sensor_layout_get_n(layout); i++) {
    const LacPlace *now = lac_sensor_layout_get(layout, i);
    g_assert_cmpfloat(hypot(now->x - place.x, now->y - place.y), >,
                      0.1 * (layout->x_max - layout->x_min));
  }
  g_autofree char *row = dup_row(page);
  g_assert_null(row);
  g_autofree char *regions = lac_sensor_pane_dup_regions(pane);
  g_assert_nonnull(strstr(regions, "never"));
  g_action_group_activate_action(lac_sensor_editor_get_actions(editor), "undo", NULL);
  g_autofree char *undone = wait_for_label(error, after);
  g_assert_cmpstr(undone, ==, before);
  g_autofree char *still = dup_row(page);
  g_assert_null(still);
  gtk_window_destroy(GTK_WINDOW(window));
  let_draw(20);
}

/* The window closes while the plan is being computed: no hang, no later callback. */
static void
test_leave(void)
{
  if (!display_open())
    return;
  for (guint wait_ms = 1; wait_ms < 100; wait_ms *= 4) {
    GtkWidget    *window = gtk_window_new();
    LacSetupPage *page = make_setup(window);
    lac_setup_page_enter(page, "snapshots", "5000");
    lac_setup_page_place(page);
    let_draw(wait_ms);
    lac_setup_page_place(page); /* again, while the first is in progress */
    gtk_window_destroy(GTK_WINDOW(window));
    let_draw(20);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/sensors/places-read-back", test_text);
  g_test_add_func("/app/sensors/a-place-off-the-field-is-refused", test_refused);
  g_test_add_func("/app/sensors/edits-keep-the-selection-and-the-field", test_edits);
  g_test_add_func("/app/sensors/edits-are-undone-one-by-one", test_undo);
  g_test_add_func("/app/sensors/on-a-line-there-is-no-y", test_line);
  g_test_add_func("/app/sensors/pointer-and-keys-move-add-and-remove", test_editor);
  g_test_add_func("/app/sensors/strokes-are-undone-like-moves", test_painting);
  g_test_add_func("/app/sensors/a-brush-paints-and-moves-no-sensor", test_brush);
  g_test_add_func("/app/sensors/a-painted-region-moves-the-automatic-ones", test_painted_plan);
  g_test_add_func("/app/sensors/their-worth-follows-and-the-row-takes-them", test_plan);
  g_test_add_func("/app/sensors/leaving-early-ends-the-plan", test_leave);
  return g_test_run();
}
