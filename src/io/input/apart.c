/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader process, its sockets and the messages through them. It is started on first use or before, by exec, so that nothing
 * of this process is copied; it ends with this process, whose end of the socket closes. */
#define _GNU_SOURCE /* environ, closing inherited descriptors */
#include "io/input/apart.h"

#include "base/error.h"
#include "io/reader-dir.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define READER      "lacuna-reader"
#define MOST_LEVELS 4 /* build folders above a test */
#define MAX_TEXT    4096

/* Kinds of messages. */
typedef enum { MESSAGE_ARRAY = 'a', MESSAGE_ERROR = 'e', MESSAGE_END = 'z' } Message;

typedef struct {
  guint64 kind, n_name, n_unit, n_odd, n_axes, rank, has_data, is_left;
  guint64 sizes[LAC_INPUT_MAX_RANK];
} Head;

static GMutex lock;
static int    control = -1; /* socket to the reader; protected by the lock */
static pid_t  reader;

/* ---- starting it ---- */

/* Returns: (transfer full): the reader next to the installed program, wherever that is, else in the build folder
 * above it. */
static char *
find_reader(void)
{
  g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname(program != NULL ? program : "");
  char            *installed = g_path_is_absolute(LAC_READER_DIR)
                                 ? g_build_filename(LAC_READER_DIR, READER, NULL)
                                 : g_build_filename(folder, "..", LAC_READER_DIR, READER, NULL);

  if (g_file_test(installed, G_FILE_TEST_IS_EXECUTABLE))
    return installed;
  for (guint i = 0; i < MOST_LEVELS; i++) {
    g_autofree char *build = g_build_filename(folder, "build.ninja", NULL);
    g_autofree char *below = g_steal_pointer(&folder);

    if (g_file_test(build, G_FILE_TEST_EXISTS)) {
      g_free(installed);
      return g_build_filename(below, READER, NULL);
    }
    folder = g_path_get_dirname(below);
  }
  return installed;
}

/* Starts the reader in its own process group, without terminal signals, and with default signal handling. Returns: an
 * errno. */
static int
spawn(char *path, int end)
{
  posix_spawn_file_actions_t files;
  posix_spawnattr_t          about;
  sigset_t                   signals;
  char                      *words[] = {path, NULL};

  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, end, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  posix_spawnattr_init(&about);
  posix_spawnattr_setflags(&about,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&about, &signals);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&about, &signals);
  const int failure = posix_spawn(&reader, path, &files, &about, words, environ);
  posix_spawnattr_destroy(&about);
  posix_spawn_file_actions_destroy(&files);
  return failure;
}

static gboolean
start(GError **error)
{
  g_autofree char *path = find_reader();
  int              ends[2], failure;

  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    failure = errno;
  } else {
    failure = spawn(path, ends[1]);
    close(ends[1]);
    control = ends[0];
    if (failure == 0)
      return TRUE;
    close(control);
    control = -1;
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED,
              "the file reader %s cannot be started (%s): reinstall Lacuna", path,
              g_strerror(failure));
  return FALSE;
}

static void
stop(void)
{
  if (control < 0)
    return;
  close(control);
  control = -1;
  while (waitpid(reader, NULL, 0) < 0 && errno == EINTR)
    continue;
}

void
lac_apart_prepare(void)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);

  if (control < 0)
    start(NULL); /* a request reports the failure */
}

/* ---- asking it ---- */

/* Sends the descriptor @end to the reader. Returns: FALSE when the reader is gone. */
static gboolean
hand_over(int end)
{
  char         byte = 0;
  struct iovec part = {&byte, 1};
  union {
    struct cmsghdr head;
    char           bytes[CMSG_SPACE(sizeof(int))];
  } extra = {0};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = extra.bytes,
                           .msg_controllen = sizeof extra.bytes};
  ssize_t       n;

  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  *head = (struct cmsghdr){CMSG_LEN(sizeof end), SOL_SOCKET, SCM_RIGHTS};
  memcpy(CMSG_DATA(head), &end, sizeof end);
  do
    n = sendmsg(control, &message, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n == 1;
}

/* Returns: FALSE when the receiver does not take it all. */
static gboolean
send_all(int to, gconstpointer data, gsize n_bytes)
{
  while (n_bytes > 0) {
    const ssize_t n = send(to, data, n_bytes, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    data = (const guint8 *) data + n;
    n_bytes -= (gsize) n;
  }
  return TRUE;
}

gboolean
lac_apart_get(int from, gpointer data, gsize n_bytes)
{
  while (n_bytes > 0) {
    const ssize_t n = read(from, data, n_bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    data = (guint8 *) data + n;
    n_bytes -= (gsize) n;
  }
  return TRUE;
}

void
lac_apart_put(int to, gconstpointer data, gsize n_bytes)
{
  if (!send_all(to, data, n_bytes))
    _exit(1);
}

/* Returns: a socket on which a new process of the reader has reported; -1 when none did, though the reader was
 * started. */
static int
open_socket(void)
{
  int      ends[2];
  gboolean done;
  char     greeting;

  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return -1;
  done = hand_over(ends[1]);
  close(ends[1]);
  if (done && lac_apart_get(ends[0], &greeting, 1))
    return ends[0];
  close(ends[0]);
  return -1;
}

/* Returns a socket to a reader process. A reader that was killed is restarted once. */
static int
reach(GError **error)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
  int                     socket = control >= 0 ? open_socket() : -1;

  if (socket >= 0)
    return socket;
  stop();
  if (!start(error))
    return -1;
  socket = open_socket();
  if (socket < 0)
    g_set_error(error, LAC_ERROR, LAC_ERROR_FAILED,
                "%s, which reads files, does not answer: close programs that need much memory, or "
                "install Lacuna again",
                READER);
  return socket;
}

int
lac_apart_request(const char *job, const char *path, GVariant *what, GError **error)
{
  g_autofree char    *folder = g_get_current_dir(); /* may differ from that of the reader's start */
  g_autoptr(GVariant) request = g_variant_ref_sink(g_variant_new(
    "(s@ay@ayv)", job, g_variant_new_bytestring(folder), g_variant_new_bytestring(path), what));
  const guint64       n_bytes = g_variant_get_size(request);
  const int           socket = reach(error);

  /* if the process has ended already, the caller notices when reading the answer */
  if (socket >= 0 && send_all(socket, &n_bytes, sizeof n_bytes))
    send_all(socket, g_variant_get_data(request), n_bytes);
  return socket;
}

gboolean
lac_apart_try(const char *job, const char *path, GVariant *what)
{
  g_autoptr(GError) error = NULL;
  const int         socket = lac_apart_request(job, path, what, &error);
  guint8            is_done = 0;

  if (socket < 0) { /* not the file's fault */
    g_warning("%s", error->message);
    return TRUE;
  }
  const gboolean came = lac_apart_get(socket, &is_done, 1);
  close(socket);
  return came && is_done == 1;
}

/* ---- the arrays of a file, sent ---- */

static void
put_array(int to, const LacInputArray *array)
{
  const char      *odd = array->odd != NULL ? array->odd : "";
  g_autofree char *axes = array->axes != NULL ? g_strjoinv("\n", array->axes) : g_strdup("");
  Head             head = {
                MESSAGE_ARRAY,
                MIN(strlen(array->name), MAX_TEXT),
                MIN(strlen(array->unit), MAX_TEXT),
                MIN(strlen(odd), MAX_TEXT),
                MIN(strlen(axes), MAX_TEXT),
                array->rank,
                array->data != NULL,
                array->is_left,
  };

  memcpy(head.sizes, array->sizes, sizeof head.sizes);
  lac_apart_put(to, &head, sizeof head);
  lac_apart_put(to, array->name, head.n_name);
  lac_apart_put(to, array->unit, head.n_unit);
  lac_apart_put(to, odd, head.n_odd);
  lac_apart_put(to, axes, head.n_axes);
  if (head.has_data)
    lac_apart_put(to, array->data, lac_input_array_get_length(array) * sizeof(double));
}

gboolean
lac_input_serve_file(const char *path, GVariant *what, int to)
{
  g_autoptr(LacInputFile) file = lac_input_file_new();
  g_autoptr(GError)       error = NULL;
  Head                    end = {MESSAGE_END};
  const char             *format;

  g_variant_get(what, "(&sb)", &format, &file->leaves);
  file->format = format;
  if (!lac_input_file_read_here(file, path, &error)) {
    end = (Head){MESSAGE_ERROR, MIN(strlen(error->message), MAX_TEXT)};
    lac_apart_put(to, &end, sizeof end);
    lac_apart_put(to, error->message, end.n_name);
    return TRUE;
  }
  for (guint i = 0; i < file->arrays->len; i++)
    put_array(to, file->arrays->pdata[i]);
  /* the reader may determine the format more precisely than the first bytes do */
  end.n_name = strlen(file->format);
  lac_apart_put(to, &end, sizeof end);
  lac_apart_put(to, file->format, end.n_name);
  return TRUE;
}

/* ---- and received: nothing that comes is trusted ---- */

static char *
get_text(int from, guint64 length)
{
  if (length > MAX_TEXT)
    return NULL;
  char *text = g_malloc0(length + 1);
  if (!lac_apart_get(from, text, length))
    g_clear_pointer(&text, g_free);
  return text;
}

/* Returns: (transfer full) (nullable): one name per axis. */
static char **
get_axes(const LacInputArray *array, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  char           **names = *text != '\0' ? g_strsplit(valid, "\n", -1) : NULL;

  if (names != NULL && g_strv_length(names) != array->rank)
    g_clear_pointer(&names, g_strfreev);
  return names;
}

static gboolean
get_array(int from, const Head *head, LacInputFile *file)
{
  gsize sizes[LAC_INPUT_MAX_RANK];

  if (head->rank > LAC_INPUT_MAX_RANK)
    return FALSE;
  for (guint i = 0; i < head->rank; i++)
    sizes[i] = head->sizes[i];
  g_autofree char *name = get_text(from, head->n_name);
  g_autofree char *unit = name != NULL ? get_text(from, head->n_unit) : NULL;
  g_autofree char *odd = unit != NULL ? get_text(from, head->n_odd) : NULL;
  g_autofree char *axes = odd != NULL ? get_text(from, head->n_axes) : NULL;
  if (axes == NULL)
    return FALSE;
  LacInputArray *array = lac_input_file_add(file, name, (guint) head->rank, sizes);
  g_free(array->unit);
  array->unit = g_utf8_make_valid(unit, -1);
  array->odd = odd[0] != '\0' ? g_utf8_make_valid(odd, -1) : NULL;
  array->axes = get_axes(array, axes);
  array->is_left = head->is_left != 0;
  if (!head->has_data)
    return TRUE;
  gsize n = lac_input_array_get_length(array);
  array->data = n < G_MAXSIZE / 16 ? lac_input_numbers_new(n) : NULL;
  return array->data != NULL && lac_apart_get(from, array->data, n * sizeof(double));
}

/* Returns: TRUE when the reader finished, with success or an error. */
static gboolean
get_arrays(int from, LacInputFile *file, GError **error)
{
  Head head;

  while (lac_apart_get(from, &head, sizeof head)) {
    if (head.kind == MESSAGE_END) {
      g_autofree char *format = get_text(from, head.n_name);
      if (format != NULL)
        file->format = g_intern_string(format);
      return format != NULL;
    }
    if (head.kind == MESSAGE_ERROR) {
      g_autofree char *text = get_text(from, head.n_name);
      if (text == NULL)
        return FALSE;
      g_set_error_literal(error, LAC_ERROR, LAC_ERROR_BAD_FILE, text);
      return TRUE;
    }
    if (head.kind != MESSAGE_ARRAY || !get_array(from, &head, file))
      return FALSE;
  }
  return FALSE;
}

gboolean
lac_input_read_apart(LacInputFile *file, const char *path, GError **error)
{
  g_autoptr(GError) why = NULL;
  const int         from =
    lac_apart_request("file", path, g_variant_new("(sb)", file->format, file->leaves), error);

  if (from < 0)
    return FALSE;
  const gboolean ended = get_arrays(from, file, &why);
  close(from); /* ends a process that is still writing */
  if (!ended)
    return lac_input_set_damaged(error, path, file->format);
  if (why == NULL)
    return TRUE;
  g_propagate_error(error, g_steal_pointer(&why));
  return FALSE;
}
