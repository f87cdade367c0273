/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The preview of a set-up: a job for the present parameters; the previous pictures stay until it is done. */
#include "app/setup/preview.h"

#include "app/toolkit/latest-job.h"
#include "app/toolkit/texture.h"
#include "report/canvas/colour-map.h"
#include "run/plan/preview.h"

#include <glib/gi18n-lib.h>

#define SIDE 120 /* pixels of a picture */
#define LEAST_PIXELS \
  240 /* of its texture: smaller pictures are magnified by pixel repetition, without blur */
#define DELAY_MS 120 /* after the last change: the user may still be typing */

typedef struct {
  LacDraft      *draft;
  LacRunSettings settings; /* @draft in it; its strings are static */
} Job;

struct _LacSetupPreview {
  GtkWidget            parent_instance;
  GtkStack            *stack;
  GtkBox              *pictures;
  GtkLabel            *why;
  const LacExperiment *experiment; /* experiment of the pictures shown */
  LacLatestJob        *drawing;
};

G_DEFINE_FINAL_TYPE(LacSetupPreview, lac_setup_preview, GTK_TYPE_WIDGET)

/* ---- the job ---- */

static void
job_free(gpointer data)
{
  Job *job = data;
  lac_draft_free(job->draft);
  g_free(job);
}

static gboolean
is_cancelled(gpointer cancellable)
{
  return g_cancellable_is_cancelled(cancellable);
}

static gpointer
work(gpointer data, GCancellable *cancellable, GError **error)
{
  const Job *job = data;
  return lac_run_preview(&job->settings, is_cancelled, cancellable, error);
}

/* ---- pictures ---- */

/* Shows a message instead of pictures. @is_refusal: they could not be drawn */
static void
describe(LacSetupPreview *self, const char *why, gboolean is_refusal)
{
  gtk_label_set_text(self->why, why);
  (is_refusal ? gtk_widget_add_css_class : gtk_widget_remove_css_class)(GTK_WIDGET(self->why),
                                                                        "error");
}

/* Rows of a plane run upwards. The scale starts at 0 if no value is negative. */
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
on_drawn(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacSetupPreview    *self = owner;
  g_autoptr(LacFrame) frame = result;
  if (frame == NULL) {
    gtk_stack_set_visible_child_name(self->stack, "refused");
    describe(self, error->message, TRUE);
    return;
  }
  GtkWidget *place = gtk_widget_get_first_child(GTK_WIDGET(self->pictures));
  for (gsize i = 0; i < frame->n_planes && place != NULL; i++) {
    show_plane(place, &self->experiment->preview->channels[i], &frame->planes[i]);
    place = gtk_widget_get_next_sibling(place);
  }
  gtk_stack_set_visible_child_name(self->stack, "pictures");
}

/* Returns an empty picture with its caption. */
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
  lac_latest_job_cancel(self->drawing);
  gtk_widget_set_visible(GTK_WIDGET(self), settings->experiment->preview != NULL);
  if (settings->experiment->preview == NULL)
    return;
  if (self->experiment != settings->experiment)
    make_places(self, settings->experiment);
  Job *job = g_new0(Job, 1);
  job->draft = lac_draft_copy(settings->draft);
  job->settings = *settings;
  job->settings.draft = job->draft;
  lac_latest_job_start(self->drawing, job);
}

void
lac_setup_preview_hold(LacSetupPreview *self)
{
  g_return_if_fail(LAC_IS_SETUP_PREVIEW(self));
  lac_latest_job_cancel(self->drawing);
  describe(self, _("The preview appears once all values are valid"), FALSE);
}

/* ---- the object ---- */

static void
lac_setup_preview_dispose(GObject *object)
{
  LacSetupPreview *self = LAC_SETUP_PREVIEW(object);
  g_clear_pointer(&self->drawing, lac_latest_job_free);
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
  self->drawing =
    lac_latest_job_new(self, &(LacJobKind){work, on_drawn, job_free,
                                           (GDestroyNotify) lac_frame_unref, .delay_ms = DELAY_MS});
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
