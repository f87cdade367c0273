/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The preview of a set-up: a job for the parameters as they are; while it works the pictures before it stay. */
#include "app/setup-preview.h"

#include "app/owned-task.h"
#include "app/texture.h"
#include "report/canvas/colour-map.h"
#include "run/plan/preview.h"

#include <glib/gi18n-lib.h>

#include <stdatomic.h>

#define SIDE         120 /* pixels of a picture */
#define LEAST_PIXELS 240 /* of its texture: what is smaller is repeated, not blurred */
#define DELAY_MS     120 /* of the last change: somebody may still be typing */

typedef struct {
  atomic_int     cancelled;
  LacDraft      *draft;
  LacRunSettings settings; /* @draft in it; its strings are static */
} Job;

struct _LacSetupPreview {
  GtkWidget            parent_instance;
  GtkStack            *stack;
  GtkBox              *pictures;
  GtkLabel            *why;
  const LacExperiment *experiment; /* whose pictures there are */
  Job                 *job;        /* counted; the newest */
  guint                timer;
};

G_DEFINE_FINAL_TYPE(LacSetupPreview, lac_setup_preview, GTK_TYPE_WIDGET)

/* ---- the job ---- */

static void
job_clear(gpointer data)
{
  g_clear_pointer(&((Job *) data)->draft, lac_draft_free);
}

static void
job_unref(gpointer job)
{
  g_atomic_rc_box_release_full(job, job_clear);
}

static gboolean
job_is_cancelled(gpointer data)
{
  return atomic_load(&((Job *) data)->cancelled) != 0;
}

static void
work(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job      *job = data;
  GError   *error = NULL;
  LacFrame *frame = lac_run_preview(&job->settings, job_is_cancelled, job, &error);
  if (frame != NULL)
    g_task_return_pointer(task, frame, (GDestroyNotify) lac_frame_unref);
  else
    g_task_return_error(task, error);
}

static void
cancel(LacSetupPreview *self)
{
  g_clear_handle_id(&self->timer, g_source_remove);
  if (self->job != NULL)
    atomic_store(&self->job->cancelled, 1);
  g_clear_pointer(&self->job, job_unref);
}

/* ---- pictures ---- */

/* Where there are no pictures. @is_refusal: of what was to be drawn. */
static void
say(LacSetupPreview *self, const char *why, gboolean is_refusal)
{
  gtk_label_set_text(self->why, why);
  (is_refusal ? gtk_widget_add_css_class : gtk_widget_remove_css_class)(GTK_WIDGET(self->why),
                                                                        "error");
}

/* Rows of a plane go upwards. From 0, where nothing is below it. */
static GdkTexture *
make_texture(const LacChannel *channel, const LacPlane *plane)
{
  const LacColourMap *map = lac_colour_map_find(channel->colour_map);
  const gsize         times = MAX(1, LEAST_PIXELS / MAX(plane->nx, plane->ny));
  const gsize         width = times * plane->nx, height = times * plane->ny;
  const double low = MIN(0, (double) plane->min), high = MAX((double) plane->max, low + 1e-9);
  guint8      *rgba = g_malloc(4 * width * height);
  for (gsize y = 0; y < height; y++)
    for (gsize x = 0; x < width; x++) {
      const float value = plane->data[(plane->ny - 1 - y / times) * plane->nx + x / times];
      memcpy(rgba + 4 * (y * width + x), lac_colour_map_at(map, value, low, high), 4);
    }
  return lac_texture_new_opaque(rgba, width, height);
}

static void
show_plane(GtkWidget *place, const LacChannel *channel, const LacPlane *plane)
{
  GtkWidget            *picture = gtk_widget_get_first_child(place);
  g_autoptr(GdkTexture) texture = make_texture(channel, plane);
  /* Translators: a picture of the set-up and its size in pixels. */
  g_autofree char *caption = g_strdup_printf(
    _("%s, %zu × %zu"), g_dgettext(GETTEXT_PACKAGE, channel->label), plane->nx, plane->ny);
  gtk_picture_set_paintable(GTK_PICTURE(picture), GDK_PAINTABLE(texture));
  gtk_picture_set_alternative_text(GTK_PICTURE(picture), caption);
  gtk_label_set_text(GTK_LABEL(gtk_widget_get_next_sibling(picture)), caption);
}

static void
on_drawn(GObject *source, GAsyncResult *result, gpointer user_data)
{
  LacSetupPreview    *self = LAC_SETUP_PREVIEW(source);
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacFrame) frame = g_task_propagate_pointer(G_TASK(result), &error);
  if (self->job == NULL || self->job != g_task_get_task_data(G_TASK(result)))
    return; /* other parameters are being drawn, or none */
  if (frame == NULL) {
    gtk_stack_set_visible_child_name(self->stack, "refused");
    say(self, error->message, TRUE);
    return;
  }
  GtkWidget *place = gtk_widget_get_first_child(GTK_WIDGET(self->pictures));
  for (gsize i = 0; i < frame->n_planes && place != NULL; i++) {
    show_plane(place, &self->experiment->preview->channels[i], &frame->planes[i]);
    place = gtk_widget_get_next_sibling(place);
  }
  gtk_stack_set_visible_child_name(self->stack, "pictures");
}

static gboolean
on_timer(gpointer user_data)
{
  LacSetupPreview *self = user_data;
  g_autoptr(GTask) task = lac_owned_task_new(self, NULL, on_drawn);
  g_task_set_task_data(task, g_atomic_rc_box_acquire(self->job), job_unref);
  g_task_run_in_thread(task, work);
  self->timer = 0;
  return G_SOURCE_REMOVE;
}

/* A picture with its caption, empty. */
static GtkWidget *
new_place(void)
{
  GtkWidget *place = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *picture = gtk_picture_new();
  GtkWidget *caption = gtk_label_new("");
  gtk_widget_set_size_request(picture, SIDE, SIDE);
  gtk_label_set_wrap(GTK_LABEL(caption), TRUE);
  gtk_label_set_max_width_chars(GTK_LABEL(caption), 14);
  gtk_label_set_xalign(GTK_LABEL(caption), 0);
  gtk_widget_add_css_class(caption, "caption");
  gtk_widget_add_css_class(caption, "numeric");
  gtk_box_append(GTK_BOX(place), picture);
  gtk_box_append(GTK_BOX(place), caption);
  return place;
}

static void
make_places(LacSetupPreview *self, const LacExperiment *experiment)
{
  GtkWidget *child;
  self->experiment = experiment;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->pictures))) != NULL)
    gtk_box_remove(self->pictures, child);
  for (gsize i = 0; i < experiment->preview->n_channels; i++)
    gtk_box_append(self->pictures, new_place());
  gtk_stack_set_visible_child_name(self->stack, "pictures");
}

void
lac_setup_preview_show(LacSetupPreview *self, const LacRunSettings *settings)
{
  g_return_if_fail(LAC_IS_SETUP_PREVIEW(self) && settings->draft != NULL);
  cancel(self);
  gtk_widget_set_visible(GTK_WIDGET(self), settings->experiment->preview != NULL);
  if (settings->experiment->preview == NULL)
    return;
  if (self->experiment != settings->experiment)
    make_places(self, settings->experiment);
  self->job = g_atomic_rc_box_new0(Job);
  self->job->draft = lac_draft_copy(settings->draft);
  self->job->settings = *settings;
  self->job->settings.draft = self->job->draft;
  self->timer = g_timeout_add(DELAY_MS, on_timer, self);
}

void
lac_setup_preview_hold(LacSetupPreview *self)
{
  g_return_if_fail(LAC_IS_SETUP_PREVIEW(self));
  cancel(self);
  say(self, _("The picture comes when every row can be taken"), FALSE);
}

/* ---- the object ---- */

static void
lac_setup_preview_dispose(GObject *object)
{
  LacSetupPreview *self = LAC_SETUP_PREVIEW(object);
  cancel(self);
  if (self->stack != NULL)
    gtk_widget_unparent(GTK_WIDGET(self->stack));
  self->stack = NULL;
  G_OBJECT_CLASS(lac_setup_preview_parent_class)->dispose(object);
}

static void
lac_setup_preview_class_init(LacSetupPreviewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_setup_preview_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_setup_preview_init(LacSetupPreview *self)
{
  self->stack = GTK_STACK(gtk_stack_new());
  self->pictures = GTK_BOX(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12));
  self->why = GTK_LABEL(gtk_label_new(""));
  gtk_box_set_homogeneous(self->pictures, TRUE);
  gtk_label_set_wrap(self->why, TRUE);
  gtk_label_set_wrap_mode(self->why, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars(self->why, 26);
  gtk_label_set_lines(self->why, 8);
  gtk_label_set_ellipsize(self->why, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign(self->why, 0);
  gtk_widget_add_css_class(GTK_WIDGET(self->why), "error");
  gtk_stack_add_named(self->stack, GTK_WIDGET(self->pictures), "pictures");
  gtk_stack_add_named(self->stack, GTK_WIDGET(self->why), "refused");
  gtk_widget_set_parent(GTK_WIDGET(self->stack), GTK_WIDGET(self));
}
