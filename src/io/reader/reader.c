/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna-reader: forks a process for each file whose library may crash or hang. It is single-threaded and opens
 * nothing, so that a fork inherits no held locks or files. Started by Lacuna (io/input/apart.h); ends when Lacuna
 * does. */
#define _GNU_SOURCE /* setrlimit, passing of descriptors */
#include "io/input/apart.h"
#include "io/input/block.h"
#include "io/runfile/run-file-private.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define CPU_SECONDS      5
#define BYTES_PER_SECOND (10 << 20) /* one more second of CPU time for each of these bytes */
#define WAIT_SECONDS     20         /* wall-clock time, */
#define WAIT_FACTOR      10         /* and this many times the CPU time: the machine may be busy */
#define SPARE_MEMORY     (G_GUINT64_CONSTANT(2) << 30)
#define MEMORY_PER_BYTE  64        /* maximum expansion of a compressed byte */
#define MOST_REQUEST     (1 << 28) /* bytes */

static const struct {
  const char  *name;
  LacApartFunc act;
} jobs[] = {
  {"file", lac_input_serve_file},
  {"block", lac_input_serve_block},
  {"run", lac_run_file_serve},
};

/* ---- a process for one file ---- */

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
limit(const char *path)
{
  struct stat   about = {0};
  struct rlimit no_core = {0, 0};

  if (stat(path, &about) != 0)
    _exit(1);
  rlim_t        seconds = CPU_SECONDS + (rlim_t) about.st_size / BYTES_PER_SECOND;
  struct rlimit processor = {seconds, seconds};
  setrlimit(RLIMIT_CPU, &processor);
  alarm((unsigned) MIN(WAIT_SECONDS + WAIT_FACTOR * seconds, G_MAXINT));
  setrlimit(RLIMIT_CORE, &no_core);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  rlim_t most = get_address_space() + SPARE_MEMORY + MEMORY_PER_BYTE * (guint64) about.st_size;
  struct rlimit memory = {most, most};
  setrlimit(RLIMIT_AS, &memory);
#endif
}

/* Silences the libraries: Lacuna reports damage with its own message. */
static void
fall_silent(void)
{
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

  if (nowhere < 0)
    _exit(1);
  dup2(
    nowhere,
    STDIN_FILENO); /* also closes the request socket, so that the next request is not held up by it */
  dup2(nowhere, STDERR_FILENO);
}

/* Returns: (transfer full): the request. */
static GVariant *
listen_to(int from)
{
  guint64 n_bytes;

  if (!lac_apart_get(from, &n_bytes, sizeof n_bytes) || n_bytes > MOST_REQUEST)
    _exit(1);
  gpointer bytes = g_malloc(n_bytes);
  if (!lac_apart_get(from, bytes, n_bytes))
    _exit(1);
  return g_variant_ref_sink(g_variant_new_from_data(G_VARIANT_TYPE(LAC_APART_REQUEST), bytes,
                                                    n_bytes, FALSE, g_free, bytes));
}

/* @to: socket to the requester */
static G_GNUC_NORETURN void
serve(int to)
{
  const char *name, *folder, *path;
  GVariant   *what;

  fall_silent();
  lac_apart_put(to, "", 1); /* reports that the process runs */
  GVariant *request = listen_to(to);
  g_variant_get(request, "(&s^&ay^&ayv)", &name, &folder, &path, &what);
  if (chdir(folder) != 0 && !g_path_is_absolute(path))
    _exit(1);
  limit(path);
  for (gsize i = 0; i < G_N_ELEMENTS(jobs); i++)
    if (g_str_equal(jobs[i].name, name))
      _exit(jobs[i].act(path, what, to) ? 0 : 1);
  _exit(1);
}

/* ---- the reader ---- */

/* Returns: the socket of the next request; negative when Lacuna has ended. */
static int
take_socket(void)
{
  char         byte;
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
  int           taken;

  do
    n = recvmsg(STDIN_FILENO, &message, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  const struct cmsghdr *head = n == 1 ? CMSG_FIRSTHDR(&message) : NULL;
  if (head == NULL || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
    return -1;
  memcpy(&taken, CMSG_DATA(head), sizeof taken);
  return taken;
}

int
main(void)
{
  struct stat about;
  int         to;

  if (fstat(STDIN_FILENO, &about) != 0 || !S_ISSOCK(about.st_mode)) {
    g_printerr("lacuna-reader is started by Lacuna; do not run it directly\n");
    return 2;
  }
  setlocale(LC_ALL, "");
  setlocale(LC_NUMERIC, "C"); /* locale-independent numbers */
  signal(SIGCHLD, SIG_IGN);   /* child processes are reaped automatically */
  while ((to = take_socket()) >= 0) {
    if (fork() == 0) {
      signal(SIGCHLD, SIG_DFL);
      serve(to);
    }
    close(to);
  }
  return 0;
}
