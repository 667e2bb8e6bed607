/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Copies the records that an iterator of RocksDB meets, many in one call of Java, through the C API
 * that rocksdbjni exports.
 */
#include <jni.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbols.h"

/* As in RocksDB's c.cc: the C API's objects hold a pointer to those of C++, Java's handles; its
 * options begin with those of C++. */
typedef struct {
  void *iterator;
} rocksdb_iterator_t;
typedef struct {
  void *database;
} rocksdb_t;
typedef struct {
  void *family;
} rocksdb_column_family_handle_t;
typedef struct rocksdb_readoptions_t rocksdb_readoptions_t;

static rocksdb_iterator_t *(*create)(rocksdb_t *, const rocksdb_readoptions_t *,
                                     rocksdb_column_family_handle_t *);
static void (*destroy)(rocksdb_iterator_t *);
static void (*seek)(rocksdb_iterator_t *, const char *, size_t);
static void (*seek_for_previous)(rocksdb_iterator_t *, const char *, size_t);
static void (*get_error)(const rocksdb_iterator_t *, char **);
static void (*free_error)(void *);
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
  return rocksdb != NULL && find(rocksdb, "rocksdb_create_iterator_cf", &create) &&
         find(rocksdb, "rocksdb_iter_destroy", &destroy) &&
         find(rocksdb, "rocksdb_iter_seek", &seek) &&
         find(rocksdb, "rocksdb_iter_seek_for_prev", &seek_for_previous) &&
         find(rocksdb, "rocksdb_iter_get_error", &get_error) &&
         find(rocksdb, "rocksdb_free", &free_error) &&
         find(rocksdb, "rocksdb_iter_valid", &is_valid) &&
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

/* Bytes of an array of Java, which stay on the stack if they are few. */
typedef struct {
  char few[256];
  char *bytes;
  size_t length;
} bytes;

/* False if memory is short. */
static bool get_bytes(JNIEnv *env, jbyteArray array, bytes *out) {
  out->length = (size_t)(*env)->GetArrayLength(env, array);
  out->bytes = out->length <= sizeof(out->few) ? out->few : malloc(out->length);
  if (out->bytes == NULL) return false;
  (*env)->GetByteArrayRegion(env, array, 0, (jsize)out->length, (jbyte *)out->bytes);
  return true;
}

static void free_bytes(bytes *copied) {
  if (copied->bytes != copied->few) free(copied->bytes);
}

static int compare(const char *a, size_t a_length, const bytes *b) {
  int order = memcmp(a, b->bytes, a_length < b->length ? a_length : b->length);
  return order != 0 ? order : (a_length > b->length) - (a_length < b->length);
}

static bool append_record(const rocksdb_iterator_t *records, buffer *out) {
  size_t key_length;
  size_t value_length;
  const char *key = get_key(records, &key_length);
  const char *value = get_value(records, &value_length);
  return append(out, key, key_length, value, value_length);
}

/*
 * Appends records from where the iterator stands, and moves it behind them. Sets whether it stopped
 * for their number or size. False if memory is short.
 */
static bool take(rocksdb_iterator_t *records, const bytes *bound, bool reversed, jint most_records,
                 jint most_bytes, buffer *out, bool *more) {
  *more = false;
  for (jint count = 0; is_valid(records); count++) {
    if (bound != NULL) {
      size_t key_length;
      const char *key = get_key(records, &key_length);
      int order = compare(key, key_length, bound);
      if (reversed ? order <= 0 : order >= 0) break;
    }
    *more = count == most_records || out->size > (size_t)most_bytes;
    if (*more) break;
    if (!append_record(records, out)) return false;
    if (reversed) {
      previous(records);
    } else {
      next(records);
    }
  }
  return true;
}

/* What was taken, behind a byte that says whether there is more; NULL if memory is short. */
static jbyteArray to_array(JNIEnv *env, bool whole, bool more, buffer *out) {
  jbyteArray result = whole ? (*env)->NewByteArray(env, (jsize)out->size) : NULL;
  if (result != NULL) {
    out->bytes[0] = more;
    (*env)->SetByteArrayRegion(env, result, 0, (jsize)out->size, (const jbyte *)out->bytes);
  }
  if (out->bytes != out->stack) free(out->bytes);
  return result;
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
  rocksdb_iterator_t records = {(void *)(intptr_t)handle};
  bytes end;
  if (bound != NULL && !get_bytes(env, bound, &end)) return NULL;
  uint8_t stack[BYTES_ON_STACK];
  buffer out = {stack, stack, 1, sizeof(stack)};
  bool more;
  bool whole = take(&records, bound == NULL ? NULL : &end, reversed, most_records, most_bytes, &out,
                    &more);
  if (bound != NULL) free_bytes(&end);
  return to_array(env, whole, more, &out);
}

static bool has_failed(const rocksdb_iterator_t *records) {
  char *error = NULL;
  if (!is_valid(records)) get_error(records, &error);
  if (error == NULL) return false;
  free_error(error);
  return true;
}

/*
 * Appends the record of a key if there is one, and moves the iterator behind it. Sets whether other
 * records of its partition come before those of the kind of the key `from`. False if memory is
 * short.
 */
static bool take_header(rocksdb_iterator_t *records, const bytes *header, const bytes *from,
                        buffer *out, bool *others) {
  *others = false;
  seek(records, header->bytes, header->length);
  size_t length;
  const char *key = is_valid(records) ? get_key(records, &length) : NULL;
  if (key == NULL || compare(key, length, header) != 0) return true;
  if (!append_record(records, out)) return false;
  next(records);
  if (is_valid(records)) {
    key = get_key(records, &length);
    size_t kind = header->length - 1;
    *others = length > kind && memcmp(key, header->bytes, kind) == 0 &&
              (uint8_t)key[kind] < (uint8_t)from->bytes[kind];
  }
  return true;
}

/*
 * Opens an iterator and returns what `records` does from a key on, behind the record of another key
 * of the partition, if that is asked for and there is one. Nothing is behind it if records of other
 * kinds lie between, and then there is more. The iterator is closed, unless there is more, it shall
 * be kept or has failed: `left` gets it.
 */
JNIEXPORT jbyteArray JNICALL Java_io_curtail_engine_NativeMerge_open(
    JNIEnv *env, jclass type, jlong database, jlong options, jlong family, jbyteArray header,
    jbyteArray start, jbyteArray bound, jboolean reversed, jboolean keep, jint most_records,
    jint most_bytes, jlongArray left) {
  (void)type;
  bytes first;
  bytes from;
  bytes end;
  if (header != NULL && !get_bytes(env, header, &first)) return NULL;
  bool whole = get_bytes(env, start, &from);
  bool has_end = whole && get_bytes(env, bound, &end);
  rocksdb_t opened = {(void *)(intptr_t)database};
  rocksdb_column_family_handle_t table = {(void *)(intptr_t)family};
  rocksdb_iterator_t *records =
      has_end ? create(&opened, (const rocksdb_readoptions_t *)(intptr_t)options, &table) : NULL;
  uint8_t stack[BYTES_ON_STACK];
  buffer out = {stack, stack, 1, sizeof(stack)};
  bool more = false;
  if (records != NULL) {
    whole = header == NULL || take_header(records, &first, &from, &out, &more);
    if (whole && !more && !has_failed(records)) {
      size_t length;
      if (reversed) {
        seek_for_previous(records, from.bytes, from.length);
      } else if (header == NULL ||
                 (is_valid(records) &&
                  compare(get_key(records, &length), length, &from) < 0)) {
        seek(records, from.bytes, from.length);
      }
      whole = take(records, &end, reversed, most_records, most_bytes, &out, &more);
    }
  }
  if (header != NULL) free_bytes(&first);
  free_bytes(&from);
  if (has_end) free_bytes(&end);
  jbyteArray result = to_array(env, whole && records != NULL, more, &out);
  if (records == NULL) return result;
  if (result != NULL && (more || keep || has_failed(records))) {
    jlong handle = (jlong)(intptr_t)records->iterator;
    (*env)->SetLongArrayRegion(env, left, 0, 1, &handle);
    records->iterator = NULL;
  }
  destroy(records);
  return result;
}
