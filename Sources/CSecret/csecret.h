#ifndef CSECRET_H
#define CSECRET_H
/* The calls that work on D-Bus object paths stand in a part of libsecret that asks for this consent. */
#define SECRET_API_SUBJECT_TO_CHANGE 1
#include <libsecret/secret.h>
#endif
