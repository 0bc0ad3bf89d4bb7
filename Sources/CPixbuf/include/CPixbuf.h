#ifndef CPIXBUF_H
#define CPIXBUF_H

#include <stddef.h>
#include <stdint.h>

/*
 * C since gdk-pixbuf is not linked: it is opened when an image has to be fitted, so that nothing else pays for it. Only
 * its headers are used when this is built.
 */

/* The most pixels that an image may have: what is sent as a profile's picture has a few million. */
#define CPIXBUF_PIXEL_LIMIT 100000000

/* A picture in memory. */
typedef struct cpixbuf_picture cpixbuf_picture;

/*
 * Reads a picture of any format that gdk-pixbuf knows, turns it as its EXIF orientation says, lays it on white where it
 * is transparent, and makes it fit into width times height, proportions kept; never larger than it was; 0 for no limit.
 * NULL, with the reason in `failure`, where that can't be done.
 */
cpixbuf_picture *cpixbuf_read(const uint8_t *bytes, size_t count, int width, int height, char *failure, size_t room);

/*
 * The picture as a JPEG of a quality of 0 to 100, in memory that cpixbuf_release() frees. NULL, with the reason in
 * `failure`, where that can't be done.
 */
uint8_t *cpixbuf_jpeg(cpixbuf_picture *picture, int quality, size_t *count, char *failure, size_t room);

void cpixbuf_release(uint8_t *bytes);
void cpixbuf_free(cpixbuf_picture *picture);

#endif
