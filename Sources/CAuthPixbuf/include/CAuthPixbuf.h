#ifndef CPIXBUF_H
#define CPIXBUF_H

#include <stddef.h>
#include <stdint.h>

/*
 * Written in C because gdk-pixbuf is not linked: it is opened when an image has to be fitted, so that no other command
 * pays for it. The build needs only its headers.
 */

/* The maximum number of pixels of an image; a profile picture has a few million. */
#define CPIXBUF_PIXEL_LIMIT 100000000

/* Loads gdk-pixbuf, and its decoders of the formats that pictures of people come in. */
void cpixbuf_load(void);

/*
 * Loads them, and leaves the process nothing but its memory, of at most 2 GiB, and its open files: no other file, no
 * program, no process, no network. As far as the kernel has Landlock and seccomp; a gdk-pixbuf that decodes in confined
 * processes of its own (glycin) keeps what it needs for that. Call it in a process that does nothing but decode a
 * picture, before it reads one.
 */
void cpixbuf_confine(void);

/* A picture in memory. */
typedef struct cpixbuf_picture cpixbuf_picture;

/*
 * Reads a picture of any format that gdk-pixbuf supports. Turns it according to its EXIF orientation, draws it on white
 * if it is transparent, and scales it down in proportion to fit width times height; 0 means no limit. It is never
 * enlarged. Returns NULL on failure, with the reason in `failure`.
 */
cpixbuf_picture *cpixbuf_read(const uint8_t *bytes, size_t count, int width, int height, char *failure, size_t room);

/*
 * Returns the picture as a JPEG of a quality from 0 to 100, in memory that cpixbuf_release() frees. Returns NULL on
 * failure, with the reason in `failure`.
 */
uint8_t *cpixbuf_jpeg(cpixbuf_picture *picture, int quality, size_t *count, char *failure, size_t room);

void cpixbuf_release(uint8_t *bytes);
void cpixbuf_free(cpixbuf_picture *picture);

#endif
