/*
 * Preloaded into a server process: makes the disk under one folder fail, stall, or kill the process at an exact write.
 * The test writes the control block, a file that both processes map; failing-disk.ts describes its fields.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct control {
  int32_t write_error; /* the errno of each write, sync, truncation and renaming; 0: none */
  int32_t sync_error;  /* the errno of each sync alone; 0: none */
  int32_t open_error;  /* the errno of each opening for writing; 0: none */
  int32_t fails_after; /* operations that still succeed before the errors begin */
  int32_t sync_ms;     /* how long each sync takes beside its own time */
  int32_t kill_after;  /* the operation, counted from 1, that kills the process; 0: none */
  int32_t kills_late;  /* 1: the process dies once the operation is done, 0: before it */
  int32_t operations;  /* how many there were */
};

static struct control nothing;
static struct control *control = &nothing;
static char folder[4096];
static size_t folder_length;

__attribute__((constructor)) static void map_control(void) {
  const char *path = getenv("FAILING_DISK_CONTROL");
  const char *under = getenv("FAILING_DISK_FOLDER");
  if (path == NULL || under == NULL || strlen(under) >= sizeof folder) return;
  int descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (mapped == MAP_FAILED) return;
  strcpy(folder, under);
  folder_length = strlen(folder);
  control = mapped;
}

static int is_under(const char *path) {
  return folder_length > 0 && strncmp(path, folder, folder_length) == 0 && path[folder_length] == '/';
}

static int is_ours(int descriptor) {
  if (folder_length == 0) return 0;
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_under(path);
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* Counts an operation. Returns the errno with which it fails, or 0. */
static int begin(int is_sync) {
  int number = __atomic_add_fetch(&control->operations, 1, __ATOMIC_SEQ_CST);
  if (control->kill_after == number && control->kills_late == 0) die();
  if (is_sync && control->sync_ms > 0) {
    struct timespec wait = {control->sync_ms / 1000, (control->sync_ms % 1000) * 1000000L};
    nanosleep(&wait, NULL);
  }
  if (control->write_error == 0 && control->sync_error == 0) return 0;
  if (control->fails_after > 0 && __atomic_fetch_sub(&control->fails_after, 1, __ATOMIC_SEQ_CST) > 0) return 0;
  if (control->write_error != 0) return control->write_error;
  return is_sync ? control->sync_error : 0;
}

static void end(void) {
  if (control->kills_late == 1 && control->kill_after > 0 && control->operations >= control->kill_after) die();
}

/* Declares `next`: the function of that name which this one stands in front of. */
#define NEXT(name)                \
  static __typeof__(&name) next;  \
  if (next == NULL) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define GUARDED(is_sync, call)          \
  if (!is_ours(descriptor)) return call; \
  int error = begin(is_sync);            \
  if (error != 0) {                      \
    errno = error;                       \
    return -1;                           \
  }                                      \
  __auto_type result = call;             \
  end();                                 \
  return result

ssize_t write(int descriptor, const void *bytes, size_t count) {
  NEXT(write);
  GUARDED(0, next(descriptor, bytes, count));
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  NEXT(writev);
  GUARDED(0, next(descriptor, parts, count));
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  NEXT(pwrite);
  GUARDED(0, next(descriptor, bytes, count, offset));
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  NEXT(pwrite64);
  GUARDED(0, next(descriptor, bytes, count, offset));
}

int ftruncate(int descriptor, off_t length) {
  NEXT(ftruncate);
  GUARDED(0, next(descriptor, length));
}

int ftruncate64(int descriptor, off64_t length) {
  NEXT(ftruncate64);
  GUARDED(0, next(descriptor, length));
}

int fsync(int descriptor) {
  NEXT(fsync);
  GUARDED(1, next(descriptor));
}

int fdatasync(int descriptor) {
  NEXT(fdatasync);
  GUARDED(1, next(descriptor));
}

/* By libuv, for Node's renames. */
int rename(const char *from, const char *to) {
  NEXT(rename);
  if (!is_under(from)) return next(from, to);
  int error = begin(0);
  if (error != 0) {
    errno = error;
    return -1;
  }
  int result = next(from, to);
  end();
  return result;
}

static int refuses(const char *path, int flags) {
  if (control->open_error == 0 || (flags & (O_WRONLY | O_RDWR | O_CREAT)) == 0 || !is_under(path)) return 0;
  errno = control->open_error;
  return 1;
}

#define MODE_OF(flags)                       \
  mode_t mode = 0;                           \
  if ((flags) & (O_CREAT | O_TMPFILE)) {     \
    va_list rest;                            \
    va_start(rest, flags);                   \
    mode = va_arg(rest, mode_t);             \
    va_end(rest);                            \
  }

int open(const char *path, int flags, ...) {
  NEXT(open);
  MODE_OF(flags);
  return refuses(path, flags) ? -1 : next(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  NEXT(open64);
  MODE_OF(flags);
  return refuses(path, flags) ? -1 : next(path, flags, mode);
}
