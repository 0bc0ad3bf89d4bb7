#ifndef CQRCODE_H
#define CQRCODE_H

/*
 * C because libqrencode is not linked: only a login on another device draws a QR code, and no other command should pay
 * for loading the library. It is opened when it is needed; only its header is used when this is built.
 */

/* The most modules that a QR code has in a row (version 40). */
#define CQRCODE_LARGEST 177

/* Encodes a text: modules gets, row by row, 1 for each dark and 0 for each light one, of CQRCODE_LARGEST squared at the
   most. The number of modules in a row; 0 where the library is not there or the text is too long. */
int cqrcode_encode(const char *text, unsigned char *modules);

#endif
