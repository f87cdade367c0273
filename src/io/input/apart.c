/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a file in a process of its own. The child is a fork: it owns a copy of this thread and of the heap, holds
 * the HDF5 lock, and ends without running anything of the program. */
#define _DEFAULT_SOURCE /* setrlimit */
#include "io/input/apart.h"

#include "base/error.h"
#include "io/format/h5.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CPU_SECONDS      5
#define BYTES_PER_SECOND (10 << 20) /* and so many more seconds for a large file */
#define WAIT_SECONDS     20         /* by the clock on the wall, */
#define WAIT_FACTOR      10         /* and so many times the processor's: others are busy too */
#define SPARE_MEMORY     (G_GUINT64_CONSTANT(2) << 30)
#define MEMORY_PER_BYTE  64 /* a compressed byte unfolds into so many at most */
#define MAX_TEXT         4096

/* What a message on the pipe is. */
typedef enum { MESSAGE_ARRAY = 'a', MESSAGE_ERROR = 'e', MESSAGE_END = 'z' } Message;

typedef struct {
  guint64 kind, n_name, n_unit, n_odd, n_axes, rank, has_data, is_left;
  guint64 sizes[LAC_INPUT_MAX_RANK];
} Head;

/* ---- child ---- */

static void
put(int to, gconstpointer data, gsize n_bytes)
{
  while (n_bytes > 0) {
    ssize_t n = write(to, data, n_bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      _exit(1);
    data = (const guint8 *) data + n;
    n_bytes -= (gsize) n;
  }
}

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
  put(to, &head, sizeof head);
  put(to, array->name, head.n_name);
  put(to, array->unit, head.n_unit);
  put(to, odd, head.n_odd);
  put(to, axes, head.n_axes);
  if (head.has_data)
    put(to, array->data, lac_input_array_get_length(array) * sizeof(double));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
static guint64
get_address_space(void)
{
  char    text[64] = "";
  int     file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ssize_t n = file >= 0 ? read(file, text, sizeof text - 1) : 0;

  if (file >= 0)
    close(file);
  return n > 0 ? strtoull(text, NULL, 10) * (guint64) sysconf(_SC_PAGESIZE) : 0;
}
#endif

static void
limit_child(const char *path)
{
  struct stat   about = {0};
  struct rlimit no_core = {0, 0};
  int           nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

  if (nowhere >= 0)
    dup2(nowhere,
         STDERR_FILENO); /* what the libraries say about damage is said in one sentence here */
  if (stat(path, &about) != 0)
    _exit(1);
  rlim_t        seconds = CPU_SECONDS + (rlim_t) about.st_size / BYTES_PER_SECOND;
  struct rlimit processor = {seconds, seconds};
  setrlimit(RLIMIT_CPU, &processor);
  /* a lock that another thread held while this one was forked is never opened here: waiting for it costs no time */
  signal(SIGALRM, SIG_DFL);
  alarm((unsigned) MIN(WAIT_SECONDS + WAIT_FACTOR * seconds, G_MAXINT));
  setrlimit(RLIMIT_CORE, &no_core);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  rlim_t most = get_address_space() + SPARE_MEMORY + MEMORY_PER_BYTE * (guint64) about.st_size;
  struct rlimit memory = {most, most};
  setrlimit(RLIMIT_AS, &memory);
#endif
}

static G_GNUC_NORETURN void
run_child(int to, LacInputFile *file, const char *path, LacInputReadFunc reader)
{
  GError *error = NULL;
  Head    end = {MESSAGE_END};

  lac_h5_forked();
  limit_child(path);
  if (!reader(file, path, &error)) {
    Head head = {MESSAGE_ERROR, MIN(strlen(error->message), MAX_TEXT)};
    put(to, &head, sizeof head);
    put(to, error->message, head.n_name);
    _exit(0);
  }
  for (guint i = 0; i < file->arrays->len; i++)
    put_array(to, file->arrays->pdata[i]);
  /* a reader may know the format better than the first bytes did */
  end.n_name = strlen(file->format);
  put(to, &end, sizeof end);
  put(to, file->format, end.n_name);
  _exit(0);
}

/* ---- parent: trusts nothing that comes ---- */

static gboolean
get(int from, gpointer data, gsize n_bytes)
{
  while (n_bytes > 0) {
    ssize_t n = read(from, data, n_bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    data = (guint8 *) data + n;
    n_bytes -= (gsize) n;
  }
  return TRUE;
}

static char *
get_text(int from, guint64 length)
{
  if (length > MAX_TEXT)
    return NULL;
  char *text = g_malloc0(length + 1);
  if (!get(from, text, length))
    g_clear_pointer(&text, g_free);
  return text;
}

/* Returns: (transfer full) (nullable): one name for each axis. */
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
  return array->data != NULL && get(from, array->data, n * sizeof(double));
}

/* Returns: whether the child got to an end, good or bad. */
static gboolean
listen_to_child(int from, LacInputFile *file, GError **error)
{
  Head head;

  while (get(from, &head, sizeof head)) {
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
lac_input_read_apart(LacInputFile *file, const char *path, LacInputReadFunc reader, GError **error)
{
  g_autoptr(GError) why = NULL;
  int               ends[2];

  if (pipe(ends) != 0)
    return lac_input_set_damaged(error, path, file->format);
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  lac_h5_lock();
  pid_t child = fork();
  if (child == 0)
    run_child(ends[1], file, path, reader);
  lac_h5_unlock();
  close(ends[1]);

  gboolean ended = child > 0 && listen_to_child(ends[0], file, &why);
  close(ends[0]); /* a child that is still writing ends by SIGPIPE */
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
    continue;
  if (ended && why == NULL)
    return TRUE;
  if (!ended)
    return lac_input_set_damaged(error, path, file->format);
  g_propagate_error(error, g_steal_pointer(&why));
  return FALSE;
}

gboolean
lac_input_numbers_apart(const char  *path,
                        LacApartFunc func,
                        gpointer     user_data,
                        gpointer     data,
                        gsize        n_bytes)
{
  int ends[2];

  if (pipe(ends) != 0)
    return FALSE;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  lac_h5_lock();
  pid_t child = fork();
  if (child == 0) {
    lac_h5_forked();
    limit_child(path);
    _exit(func(user_data, put, ends[1]) ? 0 : 1);
  }
  lac_h5_unlock();
  close(ends[1]);

  gboolean whole = child > 0 && get(ends[0], data, n_bytes);
  close(ends[0]);
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
    continue;
  return whole;
}

gboolean
lac_try_apart(const char *path, gboolean (*act)(const char *path))
{
  int status = 1;

  lac_h5_lock();
  pid_t child = fork();
  if (child == 0) {
    lac_h5_forked();
    limit_child(path);
    _exit(act(path) ? 0 : 1);
  }
  lac_h5_unlock();
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
