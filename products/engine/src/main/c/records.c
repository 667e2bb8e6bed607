/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Copies the records that an iterator of rocksdbjni meets, many in one call of Java, through the C
 * API that RocksDB exports.
 */
#include <jni.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "perf.h"
#include "symbols.h"

/* As in RocksDB's c.cc: the C API's iterator holds a pointer to that of C++, Java's handle. */
typedef struct {
  void *iterator;
} rocksdb_iterator_t;

static unsigned char (*is_valid)(const rocksdb_iterator_t *);
static void (*next)(rocksdb_iterator_t *);
static void (*previous)(rocksdb_iterator_t *);
static const char *(*get_key)(const rocksdb_iterator_t *, size_t *);
static const char *(*get_value)(const rocksdb_iterator_t *, size_t *);

enum { LENGTHS = 2 * sizeof(int32_t), BYTES_ON_STACK = 16 << 10 };

/* A growing buffer that starts on the stack. */
typedef struct {
  uint8_t *bytes;
  uint8_t *stack;
  size_t size;
  size_t capacity;
} buffer;

/* False if the library is not loaded, or does not export the C API. */
JNIEXPORT jboolean JNICALL Java_io_curtail_engine_NativeMerge_findIterators(JNIEnv *env,
                                                                            jclass type,
                                                                            jstring library) {
  (void)type;
  void *rocksdb = open_loaded(env, library);
  return rocksdb != NULL && find(rocksdb, "rocksdb_iter_valid", &is_valid) &&
         find(rocksdb, "rocksdb_iter_next", &next) &&
         find(rocksdb, "rocksdb_iter_prev", &previous) &&
         find(rocksdb, "rocksdb_iter_key", &get_key) &&
         find(rocksdb, "rocksdb_iter_value", &get_value);
}

static bool reserve(buffer *out, size_t more) {
  if (out->capacity - out->size >= more) return true;
  size_t capacity = out->capacity * 2 > out->size + more ? out->capacity * 2 : out->size + more;
  bool on_stack = out->bytes == out->stack;
  uint8_t *grown = realloc(on_stack ? NULL : out->bytes, capacity);
  if (grown == NULL) return false;
  if (on_stack) memcpy(grown, out->stack, out->size);
  out->bytes = grown;
  out->capacity = capacity;
  return true;
}

static bool append(buffer *out, const char *key, size_t key_length, const char *value,
                   size_t value_length) {
  if (!reserve(out, LENGTHS + key_length + value_length)) return false;
  const uint32_t lengths[] = {(uint32_t)key_length, (uint32_t)value_length};
  for (int i = 0; i < 2; i++) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      out->bytes[out->size++] = (uint8_t)(lengths[i] >> shift);
    }
  }
  memcpy(out->bytes + out->size, key, key_length);
  out->size += key_length;
  if (value_length > 0) memcpy(out->bytes + out->size, value, value_length);
  out->size += value_length;
  return true;
}

static int compare(const char *a, size_t a_length, const jbyte *b, size_t b_length) {
  int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
  return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

/*
 * Returns records from where the iterator stands, each with the lengths of key and value before it,
 * and moves it behind them; the first byte is 1 if it stopped for their number or size, 0 if the
 * next is not before the bound, which may be null. NULL if memory is short.
 */
JNIEXPORT jbyteArray JNICALL Java_io_curtail_engine_NativeMerge_records(
    JNIEnv *env, jclass type, jlong handle, jbyteArray bound, jboolean reversed, jint most_records,
    jint most_bytes) {
  (void)type;
  stop_perf_counters();
  rocksdb_iterator_t records = {(void *)(intptr_t)handle};
  jbyte bound_on_stack[256];
  size_t bound_length = bound == NULL ? 0 : (size_t)(*env)->GetArrayLength(env, bound);
  jbyte *end = bound_length <= sizeof(bound_on_stack) ? bound_on_stack : malloc(bound_length);
  if (end == NULL) return NULL;
  if (bound != NULL) (*env)->GetByteArrayRegion(env, bound, 0, (jsize)bound_length, end);
  uint8_t stack[BYTES_ON_STACK];
  buffer out = {stack, stack, 1, sizeof(stack)};
  bool whole = true;
  bool more = false;
  for (jint count = 0; whole && is_valid(&records); count++) {
    size_t key_length;
    const char *key = get_key(&records, &key_length);
    int order = bound == NULL ? 0 : compare(key, key_length, end, bound_length);
    if (bound != NULL && (reversed ? order <= 0 : order >= 0)) break;
    more = count == most_records || out.size > (size_t)most_bytes;
    if (more) break;
    size_t value_length;
    const char *value = get_value(&records, &value_length);
    whole = append(&out, key, key_length, value, value_length);
    if (reversed) {
      previous(&records);
    } else {
      next(&records);
    }
  }
  jbyteArray result = whole ? (*env)->NewByteArray(env, (jsize)out.size) : NULL;
  if (result != NULL) {
    out.bytes[0] = more;
    (*env)->SetByteArrayRegion(env, result, 0, (jsize)out.size, (const jbyte *)out.bytes);
  }
  if (out.bytes != stack) free(out.bytes);
  if (end != bound_on_stack) free(end);
  return result;
}
