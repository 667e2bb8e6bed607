/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/* Functions of the RocksDB that rocksdbjni has loaded. */
#ifndef CURTAIL_SYMBOLS_H
#define CURTAIL_SYMBOLS_H

#include <dlfcn.h>
#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The oldest glibc that rocksdbjni runs on is newer than these versions of the symbols. */
#if defined(__GLIBC__) && defined(__x86_64__)
__asm__(".symver dlopen,dlopen@GLIBC_2.2.5");
__asm__(".symver dlsym,dlsym@GLIBC_2.2.5");
#endif

/* A library of this path that is loaded; NULL if it is not. */
static inline void *open_loaded(JNIEnv *env, jstring library) {
  const char *path = (*env)->GetStringUTFChars(env, library, NULL);
  void *loaded = path == NULL ? NULL : dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (path != NULL) (*env)->ReleaseStringUTFChars(env, library, path);
  return loaded;
}

/* Sets a pointer to a function; false if the library does not export it. */
static inline bool find(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof(symbol));
  return symbol != NULL;
}

#endif
