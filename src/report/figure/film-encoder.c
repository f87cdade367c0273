/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A single video stream: pictures are converted to YUV 4:2:0, encoded with constant quality and interleaved into the
 * file. */
#include "report/figure/film-encoder.h"

#include "base/error.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>
#include <math.h>

#define QUALITY "18" /* VP9's constant quality, 0 best ... 63; text stays readable */
#define SPEED   "5"  /* of the encoder, 0 slowest ... 8 fastest */

struct _LacEncoder {
  AVFormatContext   *format;
  AVCodecContext    *codec;
  AVStream          *stream; /* owned by the format */
  AVFrame           *frame;
  AVPacket          *packet;
  struct SwsContext *colours;
  char              *path;
};

static gboolean
refuse(GError **error, const char *path, int code)
{
  const gboolean is_full = code == AVERROR(ENOSPC) || code == AVERROR(EDQUOT);
  char           why[AV_ERROR_MAX_STRING_SIZE] = "";

  av_strerror(code, why, sizeof why);
  g_set_error(error, LAC_ERROR, is_full ? LAC_ERROR_DISK_FULL : LAC_ERROR_UNWRITABLE,
              "cannot write %s: %s; choose another path with -o", path, why);
  return FALSE;
}

void
lac_encoder_free(LacEncoder *encoder)
{
  if (!encoder)
    return;
  if (encoder->format)
    avio_closep(&encoder->format->pb);
  avformat_free_context(encoder->format);
  avcodec_free_context(&encoder->codec);
  av_frame_free(&encoder->frame);
  av_packet_free(&encoder->packet);
  sws_freeContext(encoder->colours);
  g_free(encoder->path);
  g_free(encoder);
}

static int
open_codec(LacEncoder *encoder, const AVCodec *codec, const LacEncoderSettings *settings)
{
  AVCodecContext *context = avcodec_alloc_context3(codec);
  AVDictionary   *options = NULL;
  int             code;

  encoder->codec = context;
  context->width = settings->width;
  context->height = settings->height;
  context->pix_fmt = AV_PIX_FMT_YUV420P;
  context->time_base = av_inv_q(av_d2q(settings->frames_per_second, 1000));
  context->colorspace = AVCOL_SPC_BT709;
  context->color_range = AVCOL_RANGE_MPEG;
  context->bit_rate = 0;
  context->thread_count = 2;
  av_dict_set(&options, "crf", QUALITY, 0);
  av_dict_set(&options, "deadline", "good", 0);
  av_dict_set(&options, "cpu-used", SPEED, 0);
  code = avcodec_open2(context, codec, &options);
  av_dict_free(&options);
  return code;
}

static int
open_file(LacEncoder *encoder, const LacEncoderSettings *settings)
{
  int code;

  encoder->stream = avformat_new_stream(encoder->format, NULL);
  encoder->stream->time_base = encoder->codec->time_base;
  encoder->stream->avg_frame_rate = av_inv_q(encoder->codec->time_base);
  code = avcodec_parameters_from_context(encoder->stream->codecpar, encoder->codec);
  if (code < 0)
    return code;
  av_dict_set(&encoder->format->metadata, "title", settings->title, 0);
  av_dict_set(&encoder->format->metadata, "comment", settings->comment, 0);
  code = avio_open(&encoder->format->pb, encoder->path, AVIO_FLAG_WRITE);
  return code < 0 ? code : avformat_write_header(encoder->format, NULL);
}

static int
open_frame(LacEncoder *encoder, const LacEncoderSettings *settings)
{
  const int *matrix = sws_getCoefficients(SWS_CS_ITU709);

  encoder->packet = av_packet_alloc();
  encoder->frame = av_frame_alloc();
  encoder->frame->format = AV_PIX_FMT_YUV420P;
  encoder->frame->width = settings->width;
  encoder->frame->height = settings->height;
  encoder->colours =
    sws_getContext(settings->width, settings->height, AV_PIX_FMT_BGR0, settings->width,
                   settings->height, AV_PIX_FMT_YUV420P, SWS_BILINEAR, NULL, NULL, NULL);
  sws_setColorspaceDetails(encoder->colours, matrix, 1, matrix, 0, 0, 1 << 16, 1 << 16);
  return av_frame_get_buffer(encoder->frame, 0);
}

LacEncoder *
lac_encoder_new(const char *path, const LacEncoderSettings *settings, GError **error)
{
  g_autoptr(LacEncoder) encoder = g_new0(LacEncoder, 1);
  const AVCodec        *codec = avcodec_find_encoder(AV_CODEC_ID_VP9);
  int                   code;

  encoder->path = g_strdup(path);
  av_log_set_level(AV_LOG_QUIET);
  if (!codec) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_NOT_IN_VERSION,
      "the installed libavcodec has no VP9 encoder; write pictures with -o FOLDER/ instead");
    return NULL;
  }
  code = avformat_alloc_output_context2(&encoder->format, NULL, "webm", NULL);
  if (code >= 0)
    code = open_codec(encoder, codec, settings);
  if (code >= 0)
    code = open_file(encoder, settings);
  if (code >= 0)
    code = open_frame(encoder, settings);
  if (code >= 0)
    return g_steal_pointer(&encoder);
  refuse(error, path, code);
  return NULL;
}

/* @frame: NULL flushes the encoder. Returns: an error of libav, or 0. */
static int
encode(LacEncoder *encoder, const AVFrame *frame)
{
  int code = avcodec_send_frame(encoder->codec, frame);

  while (code >= 0) {
    code = avcodec_receive_packet(encoder->codec, encoder->packet);
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF)
      return 0;
    if (code >= 0) {
      av_packet_rescale_ts(encoder->packet, encoder->codec->time_base, encoder->stream->time_base);
      encoder->packet->duration =
        av_rescale_q(1, encoder->codec->time_base, encoder->stream->time_base);
      code = av_interleaved_write_frame(encoder->format, encoder->packet);
    }
  }
  return code;
}

gboolean
lac_encoder_add(LacEncoder *encoder, cairo_surface_t *picture, GError **error)
{
  const guint8 *rows[1];
  const int     stride[1] = {cairo_image_surface_get_stride(picture)};
  int           code = av_frame_make_writable(encoder->frame);

  cairo_surface_flush(picture);
  rows[0] = cairo_image_surface_get_data(picture);
  if (code >= 0)
    code = sws_scale(encoder->colours, rows, stride, 0, encoder->frame->height,
                     encoder->frame->data, encoder->frame->linesize);
  if (code >= 0)
    code = encode(encoder, encoder->frame);
  encoder->frame->pts++;
  return code >= 0 || refuse(error, encoder->path, code);
}

gboolean
lac_encoder_finish(LacEncoder *encoder, GError **error)
{
  int code = encode(encoder, NULL);

  if (code >= 0)
    code = av_write_trailer(encoder->format);
  if (code >= 0) {
    avio_flush(encoder->format->pb);
    code = encoder->format->pb->error;
  }
  return code >= 0 || refuse(error, encoder->path, code);
}
