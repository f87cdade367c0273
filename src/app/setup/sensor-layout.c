/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of positions of the sensor editor. An undo step is a copy of the list, which is short. */
#include "app/setup/sensor-layout.h"

#include "base/error.h"
#include "base/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* One undo step. */
typedef struct {
  GArray  *places, *regions;
  gboolean is_automatic;
} Step;

static void
step_free(gpointer data)
{
  Step *step = data;
  g_array_unref(step->places);
  g_array_unref(step->regions);
  g_free(step);
}

void
lac_sensor_layout_init(LacSensorLayout *layout, const double box[4])
{
  *layout = (LacSensorLayout){
    .x_min = box[0],
    .x_max = box[1],
    .y_min = box[2],
    .y_max = box[3],
    .is_line = !(box[3] > box[2]),
    .places = g_array_new(FALSE, FALSE, sizeof(LacPlace)),
    .regions = g_array_new(FALSE, FALSE, sizeof(LacRegion)),
    .selected = LAC_NO_SENSOR,
    .past = g_ptr_array_new_with_free_func(step_free),
    .future = g_ptr_array_new_with_free_func(step_free),
  };
}

void
lac_sensor_layout_clear(LacSensorLayout *layout)
{
  g_clear_pointer(&layout->places, g_array_unref);
  g_clear_pointer(&layout->regions, g_array_unref);
  g_clear_pointer(&layout->past, g_ptr_array_unref);
  g_clear_pointer(&layout->future, g_ptr_array_unref);
}

/* ---- undo ---- */

/* Saves an undo step; call before an edit. */
static void
remember(LacSensorLayout *layout, guint edit)
{
  if (edit == 0 || edit != layout->edit) {
    Step *step = g_new(Step, 1);
    *step =
      (Step){g_array_copy(layout->places), g_array_copy(layout->regions), layout->is_automatic};
    g_ptr_array_add(layout->past, step);
  }
  layout->edit = edit;
  g_ptr_array_set_size(layout->future, 0);
}

static gboolean
go(LacSensorLayout *layout, GPtrArray *from, GPtrArray *to)
{
  if (from->len == 0)
    return FALSE;
  Step *now = g_new(Step, 1), *then = g_ptr_array_steal_index(from, from->len - 1);
  *now = (Step){layout->places, layout->regions, layout->is_automatic};
  g_ptr_array_add(to, now);
  layout->places = then->places;
  layout->regions = then->regions;
  layout->is_automatic = then->is_automatic;
  g_free(then);
  layout->edit = 0;
  if (layout->selected != LAC_NO_SENSOR && layout->selected >= layout->places->len)
    layout->selected = LAC_NO_SENSOR;
  return TRUE;
}

gboolean
lac_sensor_layout_undo(LacSensorLayout *layout)
{
  return go(layout, layout->past, layout->future);
}

gboolean
lac_sensor_layout_redo(LacSensorLayout *layout)
{
  return go(layout, layout->future, layout->past);
}

void
lac_sensor_layout_forget(LacSensorLayout *layout)
{
  g_ptr_array_set_size(layout->past, 0);
  g_ptr_array_set_size(layout->future, 0);
  layout->edit = 0;
}

/* ---- text ---- */

static gboolean
is_within(const LacSensorLayout *layout, const LacPlace *place)
{
  return place->x >= layout->x_min && place->x <= layout->x_max && place->y >= layout->y_min &&
         place->y <= layout->y_max;
}

static gboolean
refuse_outside(const LacSensorLayout *layout, const char *text, GError **error)
{
  g_autofree char *x_min = lac_number_dup_text(layout->x_min);
  g_autofree char *x_max = lac_number_dup_text(layout->x_max);
  g_autofree char *y_min = lac_number_dup_text(layout->y_min);
  g_autofree char *y_max = lac_number_dup_text(layout->y_max);
  if (layout->is_line)
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                _("position %s is outside the line: x must be from %s to %s"), text, x_min, x_max);
  else
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                _("position %s is outside the field: x must be from %s to %s, y from %s to %s"),
                text, x_min, x_max, y_min, y_max);
  return FALSE;
}

static gboolean
parse_place(const LacSensorLayout *layout, const char *text, LacPlace *place, GError **error)
{
  g_autofree char *trimmed = g_strstrip(g_strdelimit(g_strdup(text), "\t", ' '));
  char            *gap = strchr(trimmed, ' ');
  gboolean         is_right;
  place->y = layout->y_min;
  if (gap != NULL)
    *gap++ = '\0';
  is_right = lac_number_parse(trimmed, &place->x) && (gap == NULL) == layout->is_line &&
             (gap == NULL || lac_number_parse(g_strstrip(gap), &place->y));
  if (is_right)
    return is_within(layout, place) || refuse_outside(layout, text, error);
  g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
              layout->is_line ? _("“%s” is not a position: write x; x; ...")
                              : _("“%s” is not a position: write x y; x y; ..."),
              text);
  return FALSE;
}

gboolean
lac_sensor_layout_parse(LacSensorLayout *layout, const char *text, GError **error)
{
  g_return_val_if_fail(layout != NULL && text != NULL, FALSE);
  g_auto(GStrv)     parts = g_strsplit(text, ";", -1);
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(LacPlace));
  for (gsize i = 0; parts[i] != NULL; i++) {
    LacPlace place;
    if (*g_strstrip(parts[i]) == '\0')
      continue;
    if (!parse_place(layout, parts[i], &place, error))
      return FALSE;
    g_array_append_val(places, place);
  }
  remember(layout, 0);
  layout->is_automatic = FALSE;
  g_array_unref(layout->places);
  layout->places = g_steal_pointer(&places);
  layout->selected = LAC_NO_SENSOR;
  return TRUE;
}

/* Rounds to a decimal step of about a ten-thousandth of the span, within the limits. */
static char *
dup_rounded(double value, double low, double high)
{
  double           unit = pow(10, floor(log10(MAX(high - low, 1e-300))) - 4);
  double           rounded = round(value / unit) * unit;
  g_autofree char *text = NULL;
  char             buffer[G_ASCII_DTOSTR_BUF_SIZE];
  if (rounded < low || rounded > high)
    return lac_number_dup_text(value);
  g_ascii_formatd(buffer, sizeof buffer, "%.10g", rounded);
  return g_strdup(buffer);
}

char *
lac_sensor_layout_dup_text(const LacSensorLayout *layout)
{
  GString *text = g_string_new(NULL);
  for (guint i = 0; i < layout->places->len; i++) {
    const LacPlace  *place = lac_sensor_layout_get(layout, i);
    g_autofree char *x = dup_rounded(place->x, layout->x_min, layout->x_max);
    g_string_append_printf(text, "%s%s", i > 0 ? "; " : "", x);
    if (layout->is_line)
      continue;
    g_autofree char *y = dup_rounded(place->y, layout->y_min, layout->y_max);
    g_string_append_printf(text, " %s", y);
  }
  return g_string_free(text, FALSE);
}

/* ---- regions ---- */

static guint
count_axes(const LacSensorLayout *layout)
{
  return layout->is_line ? 1 : 2;
}

gboolean
lac_sensor_layout_parse_regions(LacSensorLayout *layout, const char *text, GError **error)
{
  g_return_val_if_fail(layout != NULL && text != NULL, FALSE);
  gsize                 n;
  g_autofree LacRegion *regions = lac_regions_parse(text, count_axes(layout), &n, error);
  if (regions == NULL)
    return FALSE;
  remember(layout, 0);
  g_array_set_size(layout->regions, 0);
  g_array_append_vals(layout->regions, regions, (guint) n);
  return TRUE;
}

char *
lac_sensor_layout_dup_regions(const LacSensorLayout *layout)
{
  return lac_regions_dup_text((const LacRegion *) (gpointer) layout->regions->data,
                              layout->regions->len, count_axes(layout),
                              layout->x_max - layout->x_min);
}

void
lac_sensor_layout_paint(LacSensorLayout *layout, const LacRegion *region, guint edit)
{
  LacRegion painted = *region;
  if (layout->is_line)
    painted.y = 0;
  remember(layout, edit);
  g_array_append_val(layout->regions, painted);
  g_array_set_size(layout->regions,
                   (guint) lac_regions_simplify((LacRegion *) (gpointer) layout->regions->data,
                                                layout->regions->len));
}

void
lac_sensor_layout_set_automatic(LacSensorLayout *layout, const LacPlace *places, guint n)
{
  layout->is_automatic = TRUE;
  g_array_set_size(layout->places, 0);
  g_array_append_vals(layout->places, places, n);
  if (layout->selected != LAC_NO_SENSOR && layout->selected >= n)
    layout->selected = LAC_NO_SENSOR;
}

guint
lac_sensor_layout_get_n(const LacSensorLayout *layout)
{
  return layout->places->len;
}

const LacPlace *
lac_sensor_layout_get(const LacSensorLayout *layout, guint i)
{
  g_return_val_if_fail(i < layout->places->len, NULL);
  return &g_array_index(layout->places, LacPlace, i);
}

static LacPlace
nearest_within(const LacSensorLayout *layout, double x, double y)
{
  return (LacPlace){CLAMP(x, layout->x_min, layout->x_max), CLAMP(y, layout->y_min, layout->y_max)};
}

void
lac_sensor_layout_add(LacSensorLayout *layout, double x, double y)
{
  LacPlace place = nearest_within(layout, x, y);
  remember(layout, 0);
  layout->is_automatic = FALSE;
  layout->selected = layout->places->len;
  g_array_append_val(layout->places, place);
}

void
lac_sensor_layout_move(LacSensorLayout *layout, guint i, double x, double y, guint edit)
{
  g_return_if_fail(i < layout->places->len);
  remember(layout, edit);
  layout->is_automatic = FALSE;
  g_array_index(layout->places, LacPlace, i) = nearest_within(layout, x, y);
}

void
lac_sensor_layout_remove(LacSensorLayout *layout, guint i)
{
  g_return_if_fail(i < layout->places->len);
  remember(layout, 0);
  layout->is_automatic = FALSE;
  g_array_remove_index(layout->places, i);
  if (layout->selected != LAC_NO_SENSOR && layout->selected >= layout->places->len)
    layout->selected = layout->places->len > 0 ? layout->places->len - 1 : LAC_NO_SENSOR;
}

void
lac_sensor_layout_step(LacSensorLayout *layout, int step)
{
  guint n = layout->places->len;
  if (n == 0)
    layout->selected = LAC_NO_SENSOR;
  else if (layout->selected == LAC_NO_SENSOR)
    layout->selected = step > 0 ? 0 : n - 1;
  else
    layout->selected = (layout->selected + (step > 0 ? 1 : n - 1)) % n;
}
