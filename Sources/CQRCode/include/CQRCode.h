#ifndef CQRCODE_H
#define CQRCODE_H

/*
 * Written in C because libqrencode is not linked: only a login on another device draws a QR code, and no other command
 * should pay for loading the library. It is opened on first use; the build needs only its header.
 */

/* The maximum number of modules in a row of a QR code (version 40). */
#define CQRCODE_LARGEST 177

/* Encodes a text. Writes 1 for each dark and 0 for each light module to `modules`, row by row, at most CQRCODE_LARGEST
   squared. Returns the number of modules in a row; 0 if the library is not installed or the text is too long. */
int cqrcode_encode(const char *text, unsigned char *modules);

#endif
