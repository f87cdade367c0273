/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The live page with a run of many channels: quantities, modes and scales. LACUNA_SCREENSHOTS: folder for
 * screenshots. */
#include "app/field/screenshot.h"
#include "app/helpers/display.h"
#include "app/helpers/run-folder.h"
#include "app/helpers/vortices.h"
#include "app/live/column.h"
#include "app/live/page.h"
#include "app/plot/spectrum-view.h"
#include "app/session/words.h"
#include "field/derived-planes.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

typedef struct {
  char       *folder;
  LacSession *session;
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  fixture->folder = g_dir_make_tmp("lacuna-live-XXXXXX", &error);
  g_assert_no_error(error);
  g_autoptr(LacRun)     run = vortices_run(fixture->folder);
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);
  g_assert_no_error(error);
  fixture->session = lac_session_new_file(file);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  g_clear_object(&fixture->session);
  remove_all(fixture->folder);
  g_free(fixture->folder);
}

static LacFieldScene
make_scene(Fixture *fixture)
{
  gsize             n;
  const LacChannel *channels = lac_session_get_channels(fixture->session, &n);
  LacFieldScene     scene;
  lac_field_scene_init(&scene, channels, n);
  lac_field_scene_set_frame(&scene, lac_session_get_frame(fixture->session));
  return scene;
}

static double
largest_error(const LacFieldScene *scene, const LacPane *pane)
{
  const LacPlane *plane = &scene->frame->planes[pane->plane];
  double          largest = 0;
  for (gsize k = 0; k < plane->nx * plane->ny; k++)
    largest = MAX(
      largest, fabs((double) plane->data[k] - (double) scene->frame->planes[pane->other].data[k]));
  return largest;
}

static void
test_one_scale(Fixture *fixture, gconstpointer data)
{
  LacFieldScene scene = make_scene(fixture);
  g_assert_cmpuint(scene.n_panes, ==, 5); /* the true field and four sources */
  g_assert_cmpuint(scene.panes[0].plane, ==, 0);
  for (guint i = 0; i < scene.n_panes; i++) {
    g_assert_false(scene.panes[i].difference);
    g_assert_cmpfloat(scene.panes[i].scale.low, ==, scene.panes[0].scale.low);
    g_assert_cmpfloat(scene.panes[i].scale.high, ==, scene.panes[0].scale.high);
  }
  /* The scale comes from the true field alone: sin x cos y at the outermost cells. */
  g_assert_cmpfloat((float) scene.panes[0].scale.high, >=, scene.frame->planes[0].max);
  g_assert_cmpfloat(scene.panes[0].scale.high, <, 1.1);
  g_assert_cmpuint(scene.n_below, ==, 4);
  double most = 0;
  for (guint i = 0; i < 4;
       i++) { /* the four errors in the order of the sources, each on its own scale */
    const LacPane *below = &scene.panes[scene.n_panes + i];
    g_assert_true(below->difference);
    g_assert_cmpuint(below->plane, ==, scene.panes[1 + i].plane);
    g_assert_cmpuint(below->other, ==, scene.panes[0].plane);
    g_assert_cmpfloat(below->scale.low, ==, -below->scale.high);
    g_assert_cmpfloat(below->scale.high, >=, largest_error(&scene, below));
    g_assert_cmpfloat(below->scale.high, <=, 1.6 * largest_error(&scene, below));
    most = MAX(most, below->scale.high);
  }
  lac_field_scene_set_one_scale(&scene, TRUE);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat(scene.panes[scene.n_panes + i].scale.high, ==, most);
  lac_field_scene_clear(&scene);
}

static void
test_errors(Fixture *fixture, gconstpointer data)
{
  LacFieldScene scene = make_scene(fixture);
  g_assert_true(lac_field_scene_has_mode(&scene, LAC_VIEW_ERRORS));
  lac_field_scene_set_mode(&scene, LAC_VIEW_ERRORS);
  g_assert_cmpuint(scene.n_panes, ==, 5);
  g_assert_cmpuint(scene.n_below, ==, 0); /* they are above */
  for (guint i = 1; i < scene.n_panes; i++) {
    const LacPane *pane = &scene.panes[i];
    g_assert_true(pane->difference);
    g_assert_cmpfloat(pane->scale.low, ==, -pane->scale.high);
    g_assert_cmpfloat(pane->scale.high, >=, largest_error(&scene, pane));
  }
  lac_field_scene_clear(&scene);
}

/* Sources are shown by rank; equal ranks keep the order of the channels, and the truth stays first. */
static void
test_ranks(Fixture *fixture, gconstpointer data)
{
  LacFieldScene     scene = make_scene(fixture);
  g_autofree guint *ranks = g_new0(guint, scene.n_channels);
  gsize             before[4];
  for (guint i = 0; i < 4; i++)
    before[i] = scene.panes[1 + i].plane;
  g_assert_true(lac_field_scene_set_ranks(&scene, ranks));
  g_assert_false(lac_field_scene_set_ranks(&scene, ranks));
  for (guint i = 0; i < 4; i++) {
    g_assert_cmpuint(scene.panes[1 + i].plane, ==, before[i]);
    ranks[before[i]] = 3 - i;
  }
  g_assert_true(lac_field_scene_set_ranks(&scene, ranks));
  g_assert_cmpuint(scene.panes[0].plane, ==, 0);
  for (guint i = 0; i < 4; i++) {
    g_assert_cmpuint(scene.panes[1 + i].plane, ==, before[3 - i]);
    g_assert_cmpuint(scene.panes[scene.n_panes + i].plane, ==, before[3 - i]);
  }
  lac_field_scene_clear(&scene);
}

static void
test_quantities(Fixture *fixture, gconstpointer data)
{
  LacFieldScene scene = make_scene(fixture);
  LacScale      before = scene.panes[0].scale;
  g_assert_cmpstr(scene.quantities[0], ==, "u");
  g_assert_cmpstr(scene.quantities[2], ==, "vorticity");
  g_assert_false(lac_field_scene_has_mode(&scene, LAC_VIEW_DEVIATION));
  lac_field_scene_set_quantity(&scene, 2);
  g_assert_true(lac_field_scene_has_mode(&scene, LAC_VIEW_DEVIATION));
  g_assert_cmpfloat(scene.panes[0].scale.high, >, 1.5 * before.high);
  lac_field_scene_set_mode(&scene, LAC_VIEW_DEVIATION);
  g_assert_cmpuint(scene.n_panes, ==, 1);
  g_assert_cmpfloat(scene.panes[0].scale.low, ==, 0);
  /* Without the uncertainty: the fields, with the previous scale. */
  lac_field_scene_set_quantity(&scene, 0);
  g_assert_cmpuint(scene.n_panes, ==, 5);
  g_assert_cmpfloat(scene.panes[0].scale.high, ==, before.high);
  lac_field_scene_clear(&scene);
}

/* All sources are divergence-free, also discretely: u_x = -v_y term by term for differences of equal order. */
static void
test_derived(Fixture *fixture, gconstpointer data)
{
  gsize                       n, n_whole;
  const LacChannel           *channels = lac_session_get_channels(fixture->session, &n);
  g_autoptr(LacDerivedPlanes) derived = lac_derived_planes_new(channels, n);
  const LacChannel           *whole = lac_derived_planes_get_channels(derived, &n_whole);
  g_assert_cmpuint(n_whole, ==, n + 3 * 5); /* all but the vorticity, which exists already */
  g_assert_false(lac_derived_planes_has(derived, "vorticity"));
  g_assert_true(lac_derived_planes_has(derived, "divergence"));
  g_assert_cmpstr(whole[n].key, ==, "speed.truth");

  g_autoptr(LacFrame) frame =
    lac_derived_planes_extend(derived, lac_session_get_frame(fixture->session), "divergence");
  for (gsize i = n; i < n_whole; i++) {
    const LacPlane *plane = &frame->planes[i];
    if (g_str_equal(whole[i].quantity, "divergence"))
      g_assert_cmpfloat(MAX(fabsf(plane->min), fabsf(plane->max)), <, 1e-5F); /* of every source */
    else
      g_assert_cmpuint(plane->n_not_finite, ==, plane->nx * plane->ny);
  }
}

/* ---- with a window ---- */

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
  let_draw(400);
  lac_screenshot_take(widget, path);
  let_draw(400);
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

/* Returns TRUE when the panes fill the field view, and the part below reaches the end of the page. */
static gboolean
is_filled(LacLivePage *page)
{
  GtkWidget      *column = find_type(GTK_WIDGET(page), LAC_TYPE_LIVE_COLUMN);
  LacFieldView   *field = LAC_FIELD_VIEW(find_type(column, LAC_TYPE_FIELD_VIEW));
  GtkWidget      *last = gtk_widget_get_last_child(column);
  int             width = gtk_widget_get_width(GTK_WIDGET(field));
  int             height = gtk_widget_get_height(GTK_WIDGET(field));
  float           whole = (float) gtk_widget_get_height(column);
  graphene_rect_t bounds;
  if (height == 0 || !gtk_widget_compute_bounds(last, column, &bounds))
    return FALSE;
  float end = bounds.origin.y + bounds.size.height + (float) gtk_widget_get_margin_bottom(last);
  return lac_field_view_fit_height(field, width, height) >= height - 1 && fabsf(end - whole) <= 1 &&
         bounds.size.height >= 0.15F * whole;
}

/* Waits, since a loaded machine draws late. */
static void
assert_filled(LacLivePage *page)
{
  for (int i = 0; i < 200 && !is_filled(page); i++)
    let_draw(50);
  g_assert_true(is_filled(page));
}

/* A thread computes the spectra of the fields shown: the true field and its sources. */
static void
assert_spectrum(LacLivePage *page)
{
  LacSpectrumView *spectrum =
    LAC_SPECTRUM_VIEW(find_type(GTK_WIDGET(page), LAC_TYPE_SPECTRUM_VIEW));
  for (int i = 0; i < 200 && lac_spectrum_view_get_source(spectrum, 1) == NULL; i++)
    let_draw(50);
  g_assert_cmpstr(lac_spectrum_view_get_source(spectrum, 0), ==, "Truth");
  g_assert_nonnull(lac_spectrum_view_get_source(spectrum, 1));
  g_assert_null(lac_spectrum_view_get_source(spectrum, 5));
}

static void
show_page(Fixture *fixture, int width, int height, const char *name)
{
  GtkWidget   *window = gtk_window_new();
  LacLivePage *page = g_object_new(LAC_TYPE_LIVE_PAGE, NULL);
  gtk_window_set_default_size(GTK_WINDOW(window), width, height);
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(page));
  gtk_window_present(GTK_WINDOW(window));
  lac_live_page_set_session(page, fixture->session, NULL);
  let_draw(50);
  g_assert_cmpint(gtk_widget_get_width(GTK_WIDGET(page)), <=, width);
  g_assert_cmpint(gtk_widget_get_height(GTK_WIDGET(page)), <=, height);
  g_assert_true(lac_live_page_set_quantity(page, "vorticity"));
  g_assert_false(lac_live_page_set_quantity(page, "temperature"));
  g_autofree char *fields = g_strdup_printf("%s-fields.png", name);
  take_picture(window, fields);
  assert_filled(page);
  lac_live_page_set_mode(page, LAC_VIEW_ERRORS);
  g_autofree char *errors = g_strdup_printf("%s-errors.png", name);
  take_picture(window, errors);
  assert_filled(page);
  g_assert_true(lac_live_page_show_curves(page, "losses"));
  lac_live_page_set_mode(page, LAC_VIEW_DEVIATION);
  g_autofree char *deviation = g_strdup_printf("%s-deviation.png", name);
  take_picture(window, deviation);
  lac_live_page_set_mode(page, LAC_VIEW_BOTH);
  g_assert_true(lac_live_page_set_quantity(page, "q_criterion")); /* derived from u and v */
  g_assert_true(lac_live_page_show_curves(page, "coefficients"));
  g_autofree char *coefficients = g_strdup_printf("%s-coefficients.png", name);
  take_picture(window, coefficients);
  g_assert_true(lac_live_page_set_quantity(page, "speed"));
  g_assert_true(lac_live_page_set_quantity(page, "u"));
  g_assert_true(lac_live_page_show_curves(page, "spectrum"));
  g_assert_false(lac_live_page_show_curves(page, "others")); /* no curve is of this kind */
  assert_spectrum(page);
  g_autofree char *spectrum = g_strdup_printf("%s-spectrum.png", name);
  take_picture(window, spectrum);
  lac_live_page_set_session(page, NULL, NULL);
  gtk_window_destroy(GTK_WINDOW(window));
}

static void
test_page(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  show_page(fixture, 1280, 750, "wide");
  adw_style_manager_set_color_scheme(adw_style_manager_get_default(), ADW_COLOR_SCHEME_FORCE_DARK);
  show_page(fixture, 1024, 550, "narrow");
  adw_style_manager_set_color_scheme(adw_style_manager_get_default(), ADW_COLOR_SCHEME_DEFAULT);
}

/* With large text, drawn text too, the page needs no more room than it has. */
static void
test_large_text(Fixture *fixture, gconstpointer data)
{
  int usual;
  if (!display_open())
    return;
  GtkSettings *settings = gtk_settings_get_default();
  g_object_get(settings, "gtk-xft-dpi", &usual, NULL);
  const double before = LAC_DRAWING_FONT;
  g_object_set(settings, "gtk-xft-dpi", 144 * PANGO_SCALE, NULL);
  g_assert_cmpfloat_with_epsilon(LAC_DRAWING_FONT, 11 * 1.5, 1e-9);
  show_page(fixture, 1280, 750, "large-text");
  show_page(fixture, 1024, 550, "large-text-narrow");
  g_object_set(settings, "gtk-xft-dpi", usual, NULL);
  g_assert_cmpfloat(LAC_DRAWING_FONT, ==, before);
}

/* ---- a run without disk space for run.h5 ---- */

static LacSession *
run_unassembled(const char *out)
{
  g_autoptr(GError)    error = NULL;
  g_autoptr(LacDraft)  draft = lac_draft_new(&vortices.params);
  const LacRunSettings settings = {
    .experiment = &vortices,
    .draft = draft,
    .backend = "cpu",
    .precision = "f64",
    .threads = 1,
    .out = out,
  };
  struct rlimit before, small;

  signal(SIGXFSZ, SIG_IGN);
  g_assert_cmpint(getrlimit(RLIMIT_FSIZE, &before), ==, 0);
  small = before;
  small.rlim_cur = 1000000; /* run.h5 is expected to exceed this */
  g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &small), ==, 0);
  LacSession *session = lac_session_new_run(&settings, &error);
  g_assert_no_error(error);
  const guint limit = display_limit_wait();
  while (lac_session_is_active(session))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(limit);
  g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &before), ==, 0);
  return session;
}

static gboolean
has_sentence_of_failure(GtkWidget *root)
{
  if (GTK_IS_LABEL(root) && gtk_widget_get_mapped(root) && gtk_widget_has_css_class(root, "error"))
    return strstr(gtk_label_get_text(GTK_LABEL(root)), "run.h5") != NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    if (has_sentence_of_failure(child))
      return TRUE;
  return FALSE;
}

static void
test_unassembled(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  g_autoptr(LacSession) session = run_unassembled(fixture->folder);
  g_autofree char      *words = lac_session_dup_words(session);
  GtkWidget            *window = gtk_window_new();
  LacLivePage          *page = g_object_new(LAC_TYPE_LIVE_PAGE, NULL);

  g_assert_nonnull(strstr(words, "run.h5"));
  gtk_window_set_default_size(GTK_WINDOW(window), 1280, 750);
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(page));
  gtk_window_present(GTK_WINDOW(window));
  lac_live_page_set_session(page, session, NULL);
  for (int i = 0; i < 200 && !has_sentence_of_failure(GTK_WIDGET(page)); i++)
    let_draw(50);
  take_picture(window, "without-run-h5.png");
  g_assert_true(has_sentence_of_failure(GTK_WIDGET(page)));
  lac_live_page_set_session(page, NULL, NULL);
  gtk_window_destroy(GTK_WINDOW(window));
}

static void
note_frame(LacSession *session, LacFrame *frame, gpointer reported)
{
  g_assert_true(frame == lac_session_get_frame(session));
  g_ptr_array_add(reported, frame);
}

/* Returns TRUE when a label below @root has this text. */
static gboolean
has_label(GtkWidget *root, const char *text)
{
  if (GTK_IS_LABEL(root) && g_str_equal(gtk_label_get_text(GTK_LABEL(root)), text))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    if (has_label(child, text))
      return TRUE;
  return FALSE;
}

/* Only the live page listens for frames, and forwards each to its parts. */
static void
test_one_message(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  const guint          id = g_signal_lookup("frame-changed", LAC_TYPE_SESSION);
  g_autoptr(GPtrArray) reported = g_ptr_array_new();
  LacLivePage         *page = g_object_ref_sink(g_object_new(LAC_TYPE_LIVE_PAGE, NULL));

  lac_live_page_set_session(page, fixture->session, NULL);
  const gulong handler =
    g_signal_handler_find(fixture->session, G_SIGNAL_MATCH_ID, id, 0, NULL, NULL, NULL);
  g_assert_cmpuint(handler, !=, 0);
  g_signal_handler_block(fixture->session, handler);
  g_assert_false(g_signal_has_handler_pending(fixture->session, id, 0, FALSE)); /* no other */
  g_signal_handler_unblock(fixture->session, handler);
  g_signal_connect(fixture->session, "frame-changed", G_CALLBACK(note_frame), reported);
  for (gsize i = 0; i < 2; i++) {
    guint late = display_limit_wait();
    lac_session_show_frame(fixture->session, i);
    while (reported->len < i + 1)
      g_main_context_iteration(NULL, TRUE);
    g_source_remove(late);
    g_assert_cmpuint(reported->len, ==, i + 1);
    g_autofree char *step =
      g_strdup_printf("step %" PRId64 " of %" PRId64, lac_session_get_frame(fixture->session)->step,
                      lac_session_get_status(fixture->session)->n_steps);
    g_assert_true(has_label(lac_live_page_get_bar(page), step));
  }
  lac_live_page_set_session(page, NULL, NULL);
  g_assert_cmpuint(g_signal_handlers_disconnect_by_data(fixture->session, reported), ==, 1);
  g_assert_false(g_signal_has_handler_pending(fixture->session, id, 0, TRUE));
  g_object_unref(page);
}

#define ADD(path, test) g_test_add(path, Fixture, NULL, set_up, test, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  ADD("/app/scene/truth-and-sources-share-one-scale", test_one_scale);
  ADD("/app/scene/errors-of-all-sources-have-symmetric-scales", test_errors);
  ADD("/app/scene/sources-are-shown-by-rank", test_ranks);
  ADD("/app/scene/to-look-at-another-quantity-changes-no-scale", test_quantities);
  ADD("/app/derived/every-source-has-its-planes", test_derived);
  ADD("/app/live/a-run-of-many-channels-fits-the-smallest-window", test_page);
  ADD("/app/live/large-text-has-room", test_large_text);
  ADD("/app/live/a-frame-is-told-once", test_one_message);
  ADD("/app/live/a-run-that-could-not-be-assembled-does-not-look-finished", test_unassembled);
  return g_test_run();
}
