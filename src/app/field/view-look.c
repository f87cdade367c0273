/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display settings of the field viewer: scales, overlays, the profile line. */
#include "app/field/scale.h"
#include "app/field/scene-private.h"
#include "app/field/view-private.h"

void
lac_field_view_set_overlays(LacFieldView *self, const LacOverlays *overlays)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self) && overlays != NULL);
  gboolean axes = overlays->axes != self->scene.overlays.axes;
  self->scene.overlays = *overlays;
  if (axes) {
    lac_field_view_place(self);
    gtk_widget_queue_resize(GTK_WIDGET(self));
  }
  lac_field_view_show_change(self);
}

void
lac_field_view_set_limits(LacFieldView *self, gboolean of_errors, const LacScale *limits)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  lac_field_scene_set_limits(&self->scene, of_errors, limits);
  lac_field_view_show_change(self);
}

void
lac_field_view_set_errors(LacFieldView *self, LacErrorForm form)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  lac_field_scene_set_errors(&self->scene, form);
  lac_field_view_show_change(self);
}

void
lac_field_view_restart_scales(LacFieldView *self)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  lac_field_scene_restart_scales(&self->scene);
  lac_field_view_show_change(self);
}

void
lac_field_view_set_one_scale(LacFieldView *self, gboolean one_scale)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  lac_field_scene_set_one_scale(&self->scene, one_scale);
  lac_field_view_show_change(self);
}

void
lac_field_view_set_transfer(LacFieldView *self, gboolean of_errors, LacTransfer transfer)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  lac_field_scene_set_transfer(&self->scene, of_errors, transfer);
  lac_field_view_show_change(self);
}

void
lac_field_view_set_map(LacFieldView *self, gboolean of_errors, const LacColourMap *map)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  lac_field_scene_set_map(&self->scene, of_errors, map);
  lac_field_view_show_change(self);
}

/* ---- scales that stay ---- */

/* Returns: a key with the unit: two experiments may use one name for different quantities. */
static char *
dup_key(const LacFieldScene *scene, guint quantity)
{
  const char *unit = NULL;
  for (gsize i = 0; i < scene->n_channels && unit == NULL; i++)
    if (g_str_equal(lac_field_scene_quantity_of(&scene->channels[i]), scene->quantities[quantity]))
      unit = scene->channels[i].unit;
  return g_strdup_printf("%s %s", scene->quantities[quantity], unit != NULL ? unit : "");
}

typedef struct {
  LacScaleChoice values, errors[LAC_N_ERROR_FORMS];
} Kept;

void
lac_field_view_keep_scales(LacFieldView *self)
{
  const LacFieldScene *scene = &self->scene;
  for (guint q = 0; scene->compares && q < scene->n_quantities; q++) {
    Kept *kept = g_new(Kept, 1);
    kept->values = scene->choices[q];
    memcpy(kept->errors, scene->error_choices, sizeof kept->errors);
    g_hash_table_insert(self->kept, dup_key(scene, q), kept);
  }
}

void
lac_field_view_restore_scales(LacFieldView *self)
{
  LacFieldScene *scene = &self->scene;
  for (guint q = 0; scene->compares && q < scene->n_quantities; q++) {
    g_autofree char *key = dup_key(scene, q);
    const Kept      *kept = g_hash_table_lookup(self->kept, key);
    if (kept == NULL)
      continue;
    scene->choices[q] = kept->values;
    memcpy(scene->error_choices, kept->errors, sizeof kept->errors);
  }
}

/* ---- lines ---- */

void
lac_field_view_set_line(LacFieldView *self, const double line[4])
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  self->line.shown = line != NULL;
  if (line != NULL)
    self->line = (LacFieldLine){TRUE, {line[0], line[1]}, {line[2], line[3]}};
  gtk_widget_queue_draw(self->overlay);
  g_signal_emit_by_name(self, "line-changed");
}

gboolean
lac_field_view_get_line(LacFieldView *self, double line[4])
{
  g_return_val_if_fail(LAC_IS_FIELD_VIEW(self), FALSE);
  for (gsize i = 0; i < 2; i++) {
    line[i] = self->line.from[i];
    line[2 + i] = self->line.to[i];
  }
  return self->line.shown;
}

void
lac_field_view_set_draws_line(LacFieldView *self, gboolean draws)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  self->draws_line = draws;
}

void
lac_field_view_next_line(LacFieldView *self)
{
  static const double lines[][4] = {{0, 0.5, 1, 0.5}, {0.5, 0, 0.5, 1}, {0, 0, 1, 1}};
  double              line[4];
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  gsize next = 0;
  if (lac_field_view_get_line(self, line)) {
    next = G_N_ELEMENTS(lines);
    for (gsize i = 0; i < G_N_ELEMENTS(lines); i++)
      if (memcmp(line, lines[i], sizeof line) == 0)
        next = i + 1;
  }
  lac_field_view_set_line(self, next < G_N_ELEMENTS(lines) ? lines[next] : NULL);
}

void
lac_field_view_set_marker_radius(LacFieldView *self, double radius)
{
  g_return_if_fail(LAC_IS_FIELD_VIEW(self));
  self->scene.marker_radius = radius;
  lac_field_view_redraw(self);
}
