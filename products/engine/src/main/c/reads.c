/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Reads the record of one key, through the C API that RocksDB exports. The classes of rocksdbjni
 * throw an exception of C++ for each key that is not there.
 */
#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "perf.h"
#include "symbols.h"

/* As in RocksDB's c.cc: the C API's database and column family begin with a pointer to those of
 * C++, Java's handles; its options are those of C++. */
typedef struct {
  void *database;
} rocksdb_t;
typedef struct {
  void *family;
  unsigned char is_immortal;
} rocksdb_column_family_handle_t;
typedef struct rocksdb_readoptions_t rocksdb_readoptions_t;
typedef struct rocksdb_pinnableslice_t rocksdb_pinnableslice_t;

static rocksdb_pinnableslice_t *(*get)(rocksdb_t *, const rocksdb_readoptions_t *,
                                       rocksdb_column_family_handle_t *, const char *, size_t,
                                       char **);
static const char *(*get_value)(const rocksdb_pinnableslice_t *, size_t *);
static void (*destroy)(rocksdb_pinnableslice_t *);
static void (*free_error)(void *);

enum { KEY_BYTES_ON_STACK = 512 };

/* False if the library is not loaded, or does not export the C API. */
JNIEXPORT jboolean JNICALL Java_io_curtail_engine_NativeMerge_findReads(JNIEnv *env, jclass type,
                                                                        jstring library) {
  (void)type;
  void *rocksdb = open_loaded(env, library);
  return rocksdb != NULL && find(rocksdb, "rocksdb_get_pinned_cf", &get) &&
         find(rocksdb, "rocksdb_pinnableslice_value", &get_value) &&
         find(rocksdb, "rocksdb_pinnableslice_destroy", &destroy) &&
         find(rocksdb, "rocksdb_free", &free_error);
}

/* NULL if there is no such key, or no memory for its value, which is an exception then; what is
 * given for a failure if it failed. */
JNIEXPORT jbyteArray JNICALL Java_io_curtail_engine_NativeMerge_get(JNIEnv *env, jclass type,
                                                                    jlong handle, jlong options,
                                                                    jlong family, jbyteArray key,
                                                                    jbyteArray failed) {
  (void)type;
  stop_perf_counters();
  jbyte stack[KEY_BYTES_ON_STACK];
  jsize length = (*env)->GetArrayLength(env, key);
  jbyte *bytes = (size_t)length <= sizeof(stack) ? stack : malloc((size_t)length);
  if (bytes == NULL) return failed;
  (*env)->GetByteArrayRegion(env, key, 0, length, bytes);
  rocksdb_t database = {(void *)(intptr_t)handle};
  rocksdb_column_family_handle_t of = {(void *)(intptr_t)family, 1};
  char *error = NULL;
  rocksdb_pinnableslice_t *found =
      get(&database, (const rocksdb_readoptions_t *)(intptr_t)options, &of, (const char *)bytes,
          (size_t)length, &error);
  if (bytes != stack) free(bytes);
  if (error != NULL) {
    free_error(error);
    return failed;
  }
  if (found == NULL) return NULL;
  size_t size;
  const char *value = get_value(found, &size);
  jbyteArray result = (*env)->NewByteArray(env, (jsize)size);
  if (result != NULL) {
    (*env)->SetByteArrayRegion(env, result, 0, (jsize)size, (const jbyte *)value);
  }
  destroy(found);
  return result;
}
