/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The canvas, the slice, and their controls. The slice is a separate widget: rotating the volume does not redraw it. */
#include "app/field/volume-viewer.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/drawing-view.h"
#include "app/toolkit/style.h"
#include "app/toolkit/tip.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define LAC_TYPE_VOLUME_CUT (lac_volume_cut_get_type())
G_DECLARE_FINAL_TYPE(LacVolumeCut, lac_volume_cut, LAC, VOLUME_CUT, LacDrawingView)

struct _LacVolumeCut {
  LacDrawingView        parent_instance;
  const LacVolumeScene *scene;
};

G_DEFINE_FINAL_TYPE(LacVolumeCut, lac_volume_cut, LAC_TYPE_DRAWING_VIEW)

struct _LacVolumeViewer {
  GtkWidget        parent_instance;
  GtkWidget       *content, *controls;
  LacVolumeCanvas *canvas;
  LacVolumeCut    *cut;
  GtkDropDown     *kind;
  GtkScale        *offset, *share;
  GtkLabel        *level;
  LacVolumeScene   scene;
  LacVolumeView    volume_view;
  LacVision        vision;
  gboolean         has_volume;
};

G_DEFINE_FINAL_TYPE(LacVolumeViewer, lac_volume_viewer, GTK_TYPE_WIDGET)

/* ---- the slice ---- */

static void
lac_volume_cut_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  const LacVolumeScene *scene = LAC_VOLUME_CUT(view)->scene;
  height -= LAC_VOLUME_TOP + LAC_VOLUME_BOTTOM;
  double side = MAX(MIN(width, height), 1);
  if (scene == NULL || scene->frame == NULL)
    return;
  LacVolumePlace place = {
    (width - side) / 2, LAC_VOLUME_TOP + (height - side) / 2, side, side, LAC_DRAWING_FONT, FALSE};
  g_autofree char *title = lac_text_dup_fitted(_("Slice"), LAC_DRAWING_FONT + 1, TRUE, side);
  lac_draw_text_bold(drawing, place.x, place.y - 9, LAC_ALIGN_LEFT, LAC_DRAWING_FONT + 1,
                     lac_style_palette()->foreground, title);
  lac_volume_scene_draw_cut(drawing, scene, &place);
  LacVolumePlace bar = {place.x + LAC_VOLUME_BAR_INSET,
                        place.y + side + 8,
                        MAX(side - 2 * LAC_VOLUME_BAR_INSET, 1),
                        0,
                        LAC_DRAWING_FONT - 1,
                        FALSE};
  lac_volume_scene_draw_bar(drawing, scene, LAC_VOLUME_VALUES, &bar, lac_style_palette());
}

static void
lac_volume_cut_class_init(LacVolumeCutClass *class)
{
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_volume_cut_draw;
}

static void
lac_volume_cut_init(LacVolumeCut *self)
{
  lac_accessible_name(self, _("Slice through the volume"));
}

/* ---- controls ---- */

static void
show_level(LacVolumeViewer *self)
{
  g_autofree char *number = lac_number_text(self->scene.level);
  g_autofree char *text = self->volume_view.share > 0
                            ? g_strdup_printf("%.0f %%", 100 * self->volume_view.share)
                            : g_strdup(C_("surface", "none"));
  g_autofree char *words =
    self->volume_view.share > 0
      ? g_strdup_printf(_("%.0f %% above %s %s"), 100 * self->volume_view.share, number,
                        self->scene.channel.unit)
      : g_strdup(_("No surface"));
  if (g_strcmp0(gtk_label_get_text(self->level), text) != 0)
    gtk_label_set_text(self->level, text);
  lac_tip_set(GTK_WIDGET(self->level), words);
}

static void
follow(LacVolumeViewer *self)
{
  if (self->scene.frame == NULL)
    return;
  lac_volume_scene_follow(&self->scene, &self->volume_view);
  gtk_widget_queue_draw(GTK_WIDGET(self->cut));
  lac_volume_canvas_redraw(self->canvas);
  show_level(self);
}

static void
on_kind(GtkDropDown *drop, GParamSpec *pspec, LacVolumeViewer *self)
{
  self->volume_view.cut = (LacCutKind) MIN(gtk_drop_down_get_selected(drop), LAC_N_CUTS - 1);
  follow(self);
}

static void
on_offset(GtkRange *range, LacVolumeViewer *self)
{
  self->volume_view.offset = gtk_range_get_value(range);
  follow(self);
}

static void
on_share(GtkRange *range, LacVolumeViewer *self)
{
  self->volume_view.share = gtk_range_get_value(range) / 100;
  follow(self);
}

static void
on_electrons(GtkToggleButton *button, LacVolumeViewer *self)
{
  lac_volume_canvas_set_electrons(self->canvas, gtk_toggle_button_get_active(button));
}

/* ---- the object ---- */

static void
lac_volume_viewer_dispose(GObject *object)
{
  LacVolumeViewer *self = LAC_VOLUME_VIEWER(object);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_VOLUME_VIEWER);
  lac_volume_scene_clear(&self->scene);
  G_OBJECT_CLASS(lac_volume_viewer_parent_class)->dispose(object);
}

static void
lac_volume_viewer_class_init(LacVolumeViewerClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_volume_viewer_dispose;
  g_type_ensure(LAC_TYPE_VOLUME_CANVAS);
  g_type_ensure(LAC_TYPE_VOLUME_CUT);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/field/volume-viewer.ui");
  gtk_widget_class_bind_template_child(widget_class, LacVolumeViewer, content);
  gtk_widget_class_bind_template_child(widget_class, LacVolumeViewer, controls);
  gtk_widget_class_bind_template_child(widget_class, LacVolumeViewer, canvas);
  gtk_widget_class_bind_template_child(widget_class, LacVolumeViewer, cut);
  gtk_widget_class_bind_template_child(widget_class, LacVolumeViewer, kind);
  gtk_widget_class_bind_template_child(widget_class, LacVolumeViewer, offset);
  gtk_widget_class_bind_template_child(widget_class, LacVolumeViewer, share);
  gtk_widget_class_bind_template_child(widget_class, LacVolumeViewer, level);
  gtk_widget_class_bind_template_callback(widget_class, on_kind);
  gtk_widget_class_bind_template_callback(widget_class, on_offset);
  gtk_widget_class_bind_template_callback(widget_class, on_share);
  gtk_widget_class_bind_template_callback(widget_class, on_electrons);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
lac_volume_viewer_init(LacVolumeViewer *self)
{
  self->volume_view = LAC_VOLUME_VIEW_START;
  gtk_widget_init_template(GTK_WIDGET(self));
  lac_volume_canvas_set_scene(self->canvas, &self->scene, &self->volume_view);
  self->cut->scene = &self->scene;
  lac_accessible_name_drop_down(GTK_DROP_DOWN(self->kind), _("Slice plane"));
  lac_accessible_name(self->offset, _("Offset of the slice"));
  lac_accessible_name(self->share, _("Share within the surface"));
}

gboolean
lac_volume_viewer_set_channels(LacVolumeViewer *self, const LacChannel *channels, gsize n_channels)
{
  g_return_val_if_fail(LAC_IS_VOLUME_VIEWER(self), FALSE);
  lac_volume_scene_clear(&self->scene);
  self->has_volume = FALSE;
  for (gsize i = 0; i < n_channels && !self->has_volume; i++)
    if (channels[i].layers.n > 0) {
      lac_volume_scene_init(&self->scene, &channels[i], i);
      lac_volume_scene_set_vision(&self->scene, self->vision);
      self->has_volume = TRUE;
    }
  return self->has_volume;
}

void
lac_volume_viewer_set_frame(LacVolumeViewer *self, LacFrame *frame)
{
  g_return_if_fail(LAC_IS_VOLUME_VIEWER(self));
  gboolean is_first = self->scene.frame == NULL;
  if (!self->has_volume || frame == self->scene.frame)
    return;
  if (lac_volume_scene_set_frame(&self->scene, frame, &self->volume_view)) {
    double reach = lac_cut_get_reach(&self->scene.volume);
    if (is_first)
      gtk_range_set_range(GTK_RANGE(self->offset), -reach, reach);
    show_level(self);
  }
  gtk_widget_queue_draw(GTK_WIDGET(self->cut));
  lac_volume_canvas_redraw(self->canvas);
}

void
lac_volume_viewer_set_vision(LacVolumeViewer *self, LacVision vision)
{
  g_return_if_fail(LAC_IS_VOLUME_VIEWER(self));
  self->vision = vision;
  if (!self->has_volume)
    return;
  lac_volume_scene_set_vision(&self->scene, vision);
  gtk_widget_queue_draw(GTK_WIDGET(self->cut));
  lac_volume_canvas_redraw(self->canvas);
}

void
lac_volume_viewer_zoom(LacVolumeViewer *self, double factor)
{
  g_return_if_fail(LAC_IS_VOLUME_VIEWER(self));
  lac_orbit_zoom(&self->volume_view.orbit, factor);
  lac_volume_canvas_redraw(self->canvas);
}

void
lac_volume_viewer_fit(LacVolumeViewer *self)
{
  g_return_if_fail(LAC_IS_VOLUME_VIEWER(self));
  self->volume_view.orbit = LAC_ORBIT_START;
  lac_volume_canvas_redraw(self->canvas);
}

const LacVolumeView *
lac_volume_viewer_get_view(LacVolumeViewer *self)
{
  g_return_val_if_fail(LAC_IS_VOLUME_VIEWER(self), NULL);
  return &self->volume_view;
}

const char *
lac_volume_viewer_get_channel(LacVolumeViewer *self)
{
  g_return_val_if_fail(LAC_IS_VOLUME_VIEWER(self), NULL);
  return self->has_volume ? self->scene.channel.key : NULL;
}

LacVolumeCanvas *
lac_volume_viewer_get_canvas(LacVolumeViewer *self)
{
  g_return_val_if_fail(LAC_IS_VOLUME_VIEWER(self), NULL);
  return self->canvas;
}

GtkWidget *
lac_volume_viewer_take_controls(LacVolumeViewer *self)
{
  g_return_val_if_fail(LAC_IS_VOLUME_VIEWER(self), NULL);
  g_object_ref(self->controls);
  gtk_box_remove(GTK_BOX(self->content), self->controls);
  return self->controls;
}
