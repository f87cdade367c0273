/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The application. A second launch passes its request to the first over D-Bus and exits. The renderer is chosen
 * before the window is shown. */
#include "app/shell/application.h"

#include "lacuna-resources.h"

#include "app/shell/commands.h"
#include "app/shell/window.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/main-loop.h"
#include "app/toolkit/preferences.h"
#include "base/number-display.h"

#include <epoxy/gl.h>
#include <glib/gi18n-lib.h>

#include <string.h>

/* ---- how the window is drawn where there is no graphics card ---- */

/* Software OpenGL redraws the whole window for each frame: 50 ms at 1280x800, where Cairo takes 10 ms for the changed
 * part. Without a graphics card the window is therefore drawn with Cairo, and fields and volumes are painted on the
 * CPU. A machine without a device node is never probed for OpenGL; otherwise GL_RENDERER reveals a software renderer.
 * The user's GSK_RENDERER, GDK_DEBUG and GDK_DISABLE take precedence. */

static gboolean
has_device(void)
{
  static const char *const nodes[] = {"/dev/dri", "/dev/nvidiactl", "/dev/dxg", "/dev/mali0"};
  for (gsize i = 0; i < G_N_ELEMENTS(nodes); i++)
    if (g_file_test(nodes[i], G_FILE_TEST_EXISTS))
      return TRUE;
  return FALSE;
}

static gboolean
is_chosen(void)
{
  return g_getenv("GSK_RENDERER") != NULL || g_getenv("GDK_DEBUG") != NULL ||
         g_getenv("GDK_DISABLE") != NULL;
}

/* Chooses the renderer before GTK is initialised. */
static void
choose_graphics_before_display(void)
{
  const char *always = g_getenv("LIBGL_ALWAYS_SOFTWARE");
  gboolean    is_software = always != NULL && (*always == '1' || *always == 't' || *always == 'y');
  if (!is_chosen() && (is_software || !has_device())) {
    if (gtk_get_minor_version() >= 16)
      g_setenv("GDK_DISABLE", "gl", TRUE);
    else
      g_setenv("GDK_DEBUG", "gl-disable", TRUE);
    g_setenv("GSK_RENDERER", "cairo", TRUE); /* set explicitly, so GTK tries no other renderer */
  }
}

/* Returns: TRUE for the names of Mesa's software rasterisers. */
static gboolean
is_computed(const char *renderer)
{
  static const char *const names[] = {"llvmpipe", "softpipe", "swrast", "Software Rasterizer"};
  for (gsize i = 0; renderer != NULL && i < G_N_ELEMENTS(names); i++)
    if (strstr(renderer, names[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* Chooses the renderer after GTK is initialised. */
static void
choose_graphics_for_display(void)
{
  GdkDisplay *display = gdk_display_get_default();
  if (is_chosen() || display == NULL)
    return;
  g_autoptr(GdkGLContext) context = gdk_display_create_gl_context(display, NULL);
  if (context == NULL || !gdk_gl_context_realize(context, NULL))
    return; /* without OpenGL, GTK uses Cairo anyway */
  gdk_gl_context_make_current(context);
  if (is_computed((const char *) glGetString(GL_RENDERER)))
    g_setenv("GSK_RENDERER", "cairo", TRUE);
  gdk_gl_context_clear_current();
}

/* ---- the application ---- */

struct _LacApplication {
  AdwApplication parent_instance;
};

G_DEFINE_FINAL_TYPE(LacApplication, lac_application, ADW_TYPE_APPLICATION)

static LacWindow *
get_window(LacApplication *self)
{
  GtkWindow *window = gtk_application_get_active_window(GTK_APPLICATION(self));
  for (GList *l = gtk_application_get_windows(GTK_APPLICATION(self)); l != NULL; l = l->next)
    if (LAC_IS_WINDOW(l->data))
      window = l->data;
  if (window == NULL || !LAC_IS_WINDOW(window))
    window = GTK_WINDOW(lac_window_new(GTK_APPLICATION(self)));
  return LAC_WINDOW(window);
}

static void
lac_application_activate(GApplication *application)
{
  gtk_window_present(GTK_WINDOW(get_window(LAC_APPLICATION(application))));
}

static int
lac_application_command_line(GApplication *application, GApplicationCommandLine *line)
{
  LacWindow    *window = get_window(LAC_APPLICATION(application));
  GVariantDict *options = g_application_command_line_get_options_dict(line);
  const char   *start = NULL, *path = NULL;
  double        speed = 1;
  int           n;
  g_auto(GStrv) arguments = g_application_command_line_get_arguments(line, &n);
  if (g_variant_dict_lookup(options, "record", "^&ay", &path))
    lac_window_record(window, path);
  if (g_variant_dict_lookup(options, "start", "&s", &start))
    lac_window_start(window, start);
  /* presented last, so that the window does not flash another page */
  gtk_window_present(GTK_WINDOW(window));
  if (n > 1) {
    g_autoptr(GFile) file = g_application_command_line_create_file_for_arg(line, arguments[1]);
    g_autofree char *opened = g_file_get_path(file);
    if (opened != NULL)
      lac_window_open(window, opened);
  }
  g_variant_dict_lookup(options, "speed", "d", &speed);
  if (g_variant_dict_lookup(options, "replay", "^&ay", &path))
    lac_window_replay(window, path, g_variant_dict_contains(options, "compute-again"), speed);
  return 0;
}

static void
on_quit(GSimpleAction *action, GVariant *parameter, gpointer application)
{
  GtkWindow *window = gtk_application_get_active_window(application);
  if (window != NULL)
    gtk_window_close(window);
  else
    g_application_quit(application);
}

static void
on_about(GSimpleAction *action, GVariant *parameter, gpointer application)
{
  adw_show_about_window(gtk_application_get_active_window(application), "application-name",
                        "Lacuna", "application-icon", LAC_APPLICATION_ID, "version", LAC_VERSION,
                        "comments",
                        _("Reconstructs whole fields from few sensors and images from few "
                          "apertures, and computes wavefunctions."),
                        "license-type", GTK_LICENSE_GPL_3_0, NULL);
}

static const GActionEntry entries[] = {
  {"quit", on_quit},
  {"about", on_about},
};

static void
lac_application_startup(GApplication *application)
{
  lac_main_loop_watch_start();
  G_APPLICATION_CLASS(lac_application_parent_class)->startup(application);
  choose_graphics_for_display();
  lac_accessible_name_menu_items();
  lac_register_resource();
  g_autoptr(GtkCssProvider) provider = gtk_css_provider_new();
  GdkDisplay               *display = gdk_display_get_default();
  gtk_css_provider_load_from_resource(provider, "/io/github/lacuna/Lacuna/style.css");
  gtk_style_context_add_provider_for_display(display, GTK_STYLE_PROVIDER(provider),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_icon_theme_add_resource_path(gtk_icon_theme_get_for_display(display),
                                   "/io/github/lacuna/Lacuna/icons");
  g_action_map_add_action_entries(G_ACTION_MAP(application), entries, G_N_ELEMENTS(entries),
                                  application);
  lac_commands_install(GTK_APPLICATION(application));
  lac_preferences_follow_style();
  lac_preferences_follow_units();
}

static void
lac_application_class_init(LacApplicationClass *class)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS(class);
  application_class->activate = lac_application_activate;
  application_class->command_line = lac_application_command_line;
  application_class->startup = lac_application_startup;
}

static void
lac_application_init(LacApplication *self)
{
  static const GOptionEntry options[] = {
    {"start", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, NULL,
     N_("Start an experiment immediately"), N_("NAME")},
    {"record", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, NULL,
     N_("Record the user's actions as commands, with the runs shown"), N_("FOLDER")},
    {"replay", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, NULL, N_("Replay a UI recording"),
     N_("FOLDER")},
    {"compute-again", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, NULL,
     N_("With --replay: recompute the runs instead of showing the recorded ones"), NULL},
    {"speed", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_DOUBLE, NULL,
     N_("With --replay: speed factor (0: no delays)"), N_("FACTOR")},
    {NULL},
  };
  g_application_add_main_option_entries(G_APPLICATION(self), options);
}

LacApplication *
lac_application_new(void)
{
  return g_object_new(LAC_TYPE_APPLICATION, "application-id", LAC_APPLICATION_ID, "flags",
                      G_APPLICATION_HANDLES_COMMAND_LINE, "resource-base-path",
                      "/io/github/lacuna/Lacuna", NULL);
}

int
lac_app_run(int argc, char **argv)
{
  gtk_disable_setlocale(); /* main() has set the locale: messages of the user's language, numbers of the C locale */
  lac_number_follow_language();
  choose_graphics_before_display();
  g_autoptr(LacApplication) application = lac_application_new();
  return g_application_run(G_APPLICATION(application), argc, argv);
}
