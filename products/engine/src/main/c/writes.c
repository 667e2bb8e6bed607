/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Writes a batch to the RocksDB that rocksdbjni has opened, in one call of Java, through the C API
 * that RocksDB exports.
 */
#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "perf.h"
#include "symbols.h"

/* As in RocksDB's c.cc: the C API's database holds a pointer to that of C++, Java's handle; its
 * options are those of C++. */
typedef struct {
  void *database;
} rocksdb_t;
typedef struct rocksdb_writeoptions_t rocksdb_writeoptions_t;
typedef struct rocksdb_writebatch_t rocksdb_writebatch_t;

static rocksdb_writebatch_t *(*create_batch)(const char *, size_t);
static void (*destroy_batch)(rocksdb_writebatch_t *);
static void (*write_batch)(rocksdb_t *, const rocksdb_writeoptions_t *, rocksdb_writebatch_t *,
                           char **);
static void (*free_error)(void *);

enum { BYTES_ON_STACK = 8 << 10 };

/* False if the library is not loaded, or does not export the C API. */
JNIEXPORT jboolean JNICALL Java_io_curtail_engine_NativeMerge_findWrites(JNIEnv *env, jclass type,
                                                                         jstring library) {
  (void)type;
  void *rocksdb = open_loaded(env, library);
  return rocksdb != NULL && find(rocksdb, "rocksdb_writebatch_create_from", &create_batch) &&
         find(rocksdb, "rocksdb_writebatch_destroy", &destroy_batch) &&
         find(rocksdb, "rocksdb_write", &write_batch) && find(rocksdb, "rocksdb_free", &free_error);
}

/* False if it failed. */
JNIEXPORT jboolean JNICALL Java_io_curtail_engine_NativeMerge_write(
    JNIEnv *env, jclass type, jlong handle, jlong options, jbyteArray bytes, jint size) {
  (void)type;
  stop_perf_counters();
  jbyte stack[BYTES_ON_STACK];
  jbyte *copy = (size_t)size <= sizeof(stack) ? stack : malloc((size_t)size);
  if (copy == NULL) return false;
  (*env)->GetByteArrayRegion(env, bytes, 0, size, copy);
  rocksdb_writebatch_t *batch = create_batch((const char *)copy, (size_t)size);
  if (copy != stack) free(copy);
  rocksdb_t database = {(void *)(intptr_t)handle};
  char *error = NULL;
  write_batch(&database, (const rocksdb_writeoptions_t *)(intptr_t)options, batch, &error);
  destroy_batch(batch);
  if (error != NULL) free_error(error);
  return error == NULL;
}
