#define _GNU_SOURCE

#include "CAuthPixbuf.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * What is used of gdk-pixbuf 2 and GLib 2, whose binary interfaces have stayed the same for twenty years. It is stated
 * here since only pkg-config knows where the headers are, and it would have the library linked as well.
 */
typedef struct GdkPixbuf GdkPixbuf;
typedef struct {
  uint32_t domain;
  int code;
  char *message;
} GError;
enum { INTERPOLATION_NEAREST = 0, INTERPOLATION_BILINEAR = 2 };

/* Name, result and parameters of each function. */
#define FUNCTIONS(each)                                                                                                \
  each(gdk_pixbuf_loader_new_with_type, void *, (const char *, GError **))                                             \
  each(gdk_pixbuf_loader_close, int, (void *, GError **))                                                              \
  each(gdk_pixbuf_get_file_info, void *, (const char *, int *, int *))                                                 \
  each(gdk_pixbuf_new_from_file, GdkPixbuf *, (const char *, GError **))                                               \
  each(gdk_pixbuf_apply_embedded_orientation, GdkPixbuf *, (GdkPixbuf *))                                              \
  each(gdk_pixbuf_get_width, int, (const GdkPixbuf *))                                                                 \
  each(gdk_pixbuf_get_height, int, (const GdkPixbuf *))                                                                \
  each(gdk_pixbuf_get_has_alpha, int, (const GdkPixbuf *))                                                             \
  each(gdk_pixbuf_composite_color_simple, GdkPixbuf *,                                                                 \
       (const GdkPixbuf *, int, int, int, int, int, uint32_t, uint32_t))                                               \
  each(gdk_pixbuf_scale_simple, GdkPixbuf *, (const GdkPixbuf *, int, int, int))                                       \
  each(gdk_pixbuf_save_to_bufferv, int,                                                                                \
       (GdkPixbuf *, char **, size_t *, const char *, char **, char **, GError **))                                    \
  each(g_object_unref, void, (void *))                                                                                 \
  each(g_error_free, void, (GError *))                                                                                 \
  each(g_free, void, (void *))

#define DECLARE(name, result, parameters) result(*name) parameters;
static struct { FUNCTIONS(DECLARE) } lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char load_failure[256];

static void load(void) {
  void *handle = dlopen("libgdk_pixbuf-2.0.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (handle == NULL) {
    snprintf(load_failure, sizeof load_failure, "gdk-pixbuf can't be loaded: %s", dlerror());
    return;
  }
#define RESOLVE(name, result, parameters)                                                                              \
  lib.name = (result(*) parameters)dlsym(handle, #name);                                                               \
  if (lib.name == NULL) {                                                                                             \
    snprintf(load_failure, sizeof load_failure, "gdk-pixbuf is too old: it has no " #name);                            \
    return;                                                                                                            \
  }
  FUNCTIONS(RESOLVE)
}

struct cpixbuf_picture {
  GdkPixbuf *pixels;
};

static void explain(GError *error, char *failure, size_t room) {
  const char *words = error != NULL ? error->message : "gdk-pixbuf does not say why";
  /* Some messages begin with the name of the file, which has none, in quotation marks. */
  const char *after = strstr(words, "\xe2\x80\x9d: ");
  snprintf(failure, room, "%s", after != NULL ? after + 5 : words);
  if (error != NULL) lib.g_error_free(error);
}

/*
 * A file without a name that holds the bytes; -1 where there can't be one. A file, since only that way does gdk-pixbuf
 * notice that a picture has been cut off.
 */
static int nameless(const uint8_t *bytes, size_t count) {
  int file = memfd_create("picture", MFD_CLOEXEC);
  while (file >= 0 && count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      close(file);
      return -1;
    }
    bytes += written;
    count -= (size_t)written;
  }
  return file;
}

void cpixbuf_load(void) {
  pthread_once(&once, load);
  if (load_failure[0] != '\0') return;
  /* What photos and drawings come in; the decoder of each may be a library of its own. */
  static const char *const formats[] = {"jpeg", "png",  "gif", "webp", "avif", "heif/avif",
                                        "jxl",  "tiff", "bmp", "ico",  "pnm"};
  for (size_t index = 0; index < sizeof formats / sizeof *formats; index++) {
    void *loader = lib.gdk_pixbuf_loader_new_with_type(formats[index], NULL);
    if (loader == NULL) continue;
    lib.gdk_pixbuf_loader_close(loader, NULL);
    lib.g_object_unref(loader);
  }
  /* The system's list of file types, which it reads for the first picture: a GIF of one pixel. */
  static const uint8_t pixel[] = "GIF89a\1\0\1\0\200\0\0\377\377\377\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;";
  char reason[256];
  cpixbuf_free(cpixbuf_read(pixel, sizeof pixel - 1, 0, 0, reason, sizeof reason));
}

/* The pixels as they are meant to be seen; NULL with a reason. */
static GdkPixbuf *decoded(const char *path, char *failure, size_t room) {
  int width = 0, height = 0;
  /* Before memory is taken for the pixels. */
  if (lib.gdk_pixbuf_get_file_info(path, &width, &height) == NULL) {
    snprintf(failure, room, "it is no picture of a known format");
    return NULL;
  }
  if ((int64_t)width * height > CPIXBUF_PIXEL_LIMIT) {
    snprintf(failure, room, "it has more than %d million pixels", CPIXBUF_PIXEL_LIMIT / 1000000);
    return NULL;
  }
  GError *error = NULL;
  GdkPixbuf *raw = lib.gdk_pixbuf_new_from_file(path, &error);
  if (raw == NULL) {
    explain(error, failure, room);
    return NULL;
  }
  GdkPixbuf *pixels = lib.gdk_pixbuf_apply_embedded_orientation(raw);
  lib.g_object_unref(raw);
  if (pixels == NULL) snprintf(failure, room, "there is not enough memory for it");
  return pixels;
}

/* Replaces the pixels by others that were made of them. */
static bool replace(GdkPixbuf **pixels, GdkPixbuf *other) {
  lib.g_object_unref(*pixels);
  *pixels = other;
  return other != NULL;
}

static bool fit(GdkPixbuf **pixels, int width, int height) {
  int from_width = lib.gdk_pixbuf_get_width(*pixels), from_height = lib.gdk_pixbuf_get_height(*pixels);
  double across = width > 0 ? (double)width / from_width : 1, down = height > 0 ? (double)height / from_height : 1;
  double scale = across < down ? across : down;
  int to_width = from_width, to_height = from_height;
  if (scale < 1) {
    to_width = (int)(from_width * scale + 0.5);
    to_height = (int)(from_height * scale + 0.5);
    if (to_width < 1) to_width = 1;
    if (to_height < 1) to_height = 1;
    if (!replace(pixels, lib.gdk_pixbuf_scale_simple(*pixels, to_width, to_height, INTERPOLATION_BILINEAR))) return false;
  }
  /* JPEG knows no transparency. */
  if (!lib.gdk_pixbuf_get_has_alpha(*pixels)) return true;
  return replace(
      pixels, lib.gdk_pixbuf_composite_color_simple(
                  *pixels, to_width, to_height, INTERPOLATION_NEAREST, 255, 8, 0xffffff, 0xffffff));
}

cpixbuf_picture *cpixbuf_read(const uint8_t *bytes, size_t count, int width, int height, char *failure, size_t room) {
  pthread_once(&once, load);
  if (load_failure[0] != '\0') {
    snprintf(failure, room, "%s", load_failure);
    return NULL;
  }
  int file = nameless(bytes, count);
  if (file < 0) {
    snprintf(failure, room, "there is not enough memory for it");
    return NULL;
  }
  char path[40];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  GdkPixbuf *pixels = decoded(path, failure, room);
  close(file);
  if (pixels == NULL) return NULL;
  cpixbuf_picture *picture = malloc(sizeof *picture);
  if (picture == NULL || !fit(&pixels, width, height)) {
    snprintf(failure, room, "there is not enough memory for it");
    if (pixels != NULL) lib.g_object_unref(pixels);
    free(picture);
    return NULL;
  }
  picture->pixels = pixels;
  return picture;
}

uint8_t *cpixbuf_jpeg(cpixbuf_picture *picture, int quality, size_t *count, char *failure, size_t room) {
  char text[16];
  snprintf(text, sizeof text, "%d", quality);
  char *keys[] = {"quality", NULL}, *values[] = {text, NULL};
  char *bytes = NULL;
  size_t size = 0;
  GError *error = NULL;
  if (!lib.gdk_pixbuf_save_to_bufferv(picture->pixels, &bytes, &size, "jpeg", keys, values, &error)) {
    explain(error, failure, room);
    return NULL;
  }
  *count = size;
  return (uint8_t *)bytes;
}

void cpixbuf_release(uint8_t *bytes) { lib.g_free(bytes); }

void cpixbuf_free(cpixbuf_picture *picture) {
  if (picture == NULL) return;
  lib.g_object_unref(picture->pixels);
  free(picture);
}
