/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/* Records that Java keeps outside of its heap, and what they take of the memory of blocks. */
#include <jni.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "merge.h"
#include "symbols.h"

enum { BYTES_ON_STACK = 8 << 10 };

/* The new length; -1 if the value stays as it is: no room, no memory, or one of them is damaged. */
JNIEXPORT jint JNICALL Java_io_curtail_engine_NativeMerge_mergeInto(
    JNIEnv *env, jclass type, jlong value, jint length, jint room, jbyteArray fragments, jint from,
    jint size) {
  (void)type;
  jbyte stack[BYTES_ON_STACK];
  jbyte *fragment = (size_t)size <= sizeof(stack) ? stack : malloc((size_t)size);
  if (fragment == NULL) return -1;
  (*env)->GetByteArrayRegion(env, fragments, from, size, fragment);
  const char *values[] = {(const char *)(intptr_t)value, (const char *)fragment};
  size_t lengths[] = {(size_t)length, (size_t)size};
  size_t merged_length = 0;
  char *merged = curtail_merge(values, lengths, 2, &merged_length);
  jint written = -1;
  if (merged != NULL && merged_length <= (size_t)room) {
    memcpy((char *)(intptr_t)value, merged, merged_length);
    written = (jint)merged_length;
  }
  free(merged);
  if (fragment != stack) free(fragment);
  return written;
}

/* As in RocksDB's c.cc: the C API's cache begins with the std::shared_ptr that Java's handle is
 * the address of. */
typedef struct rocksdb_cache_t rocksdb_cache_t;

/* False if the library has no such function. */
JNIEXPORT jboolean JNICALL Java_io_curtail_engine_NativeMerge_setCapacity(
    JNIEnv *env, jclass type, jstring library, jlong cache, jlong bytes) {
  (void)type;
  void *rocksdb = open_loaded(env, library);
  void (*set_capacity)(rocksdb_cache_t *, size_t);
  bool found = rocksdb != NULL && find(rocksdb, "rocksdb_cache_set_capacity", &set_capacity);
  if (found) set_capacity((rocksdb_cache_t *)(intptr_t)cache, (size_t)bytes);
  return found;
}
