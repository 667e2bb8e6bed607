/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Hands curtail_merge to the RocksDB that rocksdbjni has loaded, through the C API that it exports
 * (rocksdb/c.h): no header, no C++ and no version of RocksDB is built in.
 */
#include <errno.h>
#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "merge.h"
#include "symbols.h"

typedef struct rocksdb_mergeoperator_t rocksdb_mergeoperator_t;

typedef char *(*full_merge)(void *, const char *, size_t, const char *, size_t, const char *const *,
                            const size_t *, int, unsigned char *, size_t *);
typedef char *(*partial_merge)(void *, const char *, size_t, const char *const *, const size_t *,
                               int, unsigned char *, size_t *);
typedef rocksdb_mergeoperator_t *(*create_operator)(void *, void (*)(void *), full_merge,
                                                    partial_merge,
                                                    void (*)(void *, const char *, size_t),
                                                    const char *(*)(void *));

enum { OPERANDS_ON_STACK = 64 };

static void destroy(void *state) { (void)state; }

static void delete_value(void *state, const char *value, size_t length) {
  (void)state;
  (void)length;
  free((void *)value);
}

static const char *name(void *state) {
  (void)state;
  return "curtail.fragments.1";
}

/* What a merge of damaged values leaves must fail its reader, and nobody else: RocksDB would stop
 * all writes if a compaction failed. */
static char *merge_or_keep(const char *const *values, const size_t *lengths, int count,
                           size_t *length) {
  *length = 0; /* RocksDB reads it after a failure, too */
  errno = 0;
  char *merged = curtail_merge(values, lengths, count, length);
  /* Sound values for which there is no memory are not damaged: then the merge fails. */
  if (merged != NULL || errno == ENOMEM) return merged;
  return curtail_keep_damaged(values, lengths, count, length);
}

static char *merge_partially(void *state, const char *key, size_t key_length,
                             const char *const *operands, const size_t *lengths, int count,
                             unsigned char *success, size_t *length) {
  (void)state;
  (void)key;
  (void)key_length;
  char *merged = merge_or_keep(operands, lengths, count, length);
  *success = merged != NULL;
  return merged;
}

static char *merge_fully(void *state, const char *key, size_t key_length, const char *existing,
                         size_t existing_length, const char *const *operands,
                         const size_t *lengths, int count, unsigned char *success,
                         size_t *length) {
  if (existing == NULL) {
    return merge_partially(state, key, key_length, operands, lengths, count, success, length);
  }
  const char *few[OPERANDS_ON_STACK];
  size_t few_lengths[OPERANDS_ON_STACK];
  size_t all = (size_t)count + 1;
  const char **values = all <= OPERANDS_ON_STACK ? few : malloc(all * sizeof(*values));
  size_t *sizes = all <= OPERANDS_ON_STACK ? few_lengths : malloc(all * sizeof(*sizes));
  char *merged = NULL;
  *length = 0;
  if (values != NULL && sizes != NULL) {
    values[0] = existing;
    sizes[0] = existing_length;
    memcpy(values + 1, operands, (size_t)count * sizeof(*values));
    memcpy(sizes + 1, lengths, (size_t)count * sizeof(*sizes));
    merged = merge_or_keep(values, sizes, count + 1, length);
  }
  if (values != few) free(values);
  if (sizes != few_lengths) free(sizes);
  *success = merged != NULL;
  return merged;
}

/*
 * Returns a std::shared_ptr to the operator, which is what rocksdbjni takes for a handle: two
 * words, the object and no owner, since the operator lives as long as the process. 0 if the library
 * does not export the C API.
 */
JNIEXPORT jlong JNICALL Java_io_curtail_engine_NativeMerge_create(JNIEnv *env, jclass type,
                                                                  jstring library) {
  (void)type;
  void *rocksdb = open_loaded(env, library);
  create_operator create;
  bool found = rocksdb != NULL && find(rocksdb, "rocksdb_mergeoperator_create", &create);
  void **shared = found ? calloc(2, sizeof(void *)) : NULL;
  if (shared == NULL) return 0;
  shared[0] = create(NULL, destroy, merge_fully, merge_partially, delete_value, name);
  return (jlong)(intptr_t)shared;
}

/* The merge itself, for the tests that compare it with Cassandra's. NULL if a value is damaged. */
JNIEXPORT jbyteArray JNICALL Java_io_curtail_engine_NativeMerge_merge(JNIEnv *env, jclass type,
                                                                      jobjectArray values) {
  (void)type;
  jsize count = (*env)->GetArrayLength(env, values);
  char **bytes = calloc((size_t)count + 1, sizeof(*bytes));
  size_t *lengths = calloc((size_t)count + 1, sizeof(*lengths));
  jbyteArray result = NULL;
  for (jsize i = 0; i < count; i++) {
    jbyteArray value = (*env)->GetObjectArrayElement(env, values, i);
    lengths[i] = (size_t)(*env)->GetArrayLength(env, value);
    bytes[i] = malloc(lengths[i] + 1);
    (*env)->GetByteArrayRegion(env, value, 0, (jsize)lengths[i], (jbyte *)bytes[i]);
    (*env)->DeleteLocalRef(env, value);
  }
  size_t length = 0;
  char *merged = curtail_merge((const char *const *)bytes, lengths, count, &length);
  if (merged != NULL) {
    result = (*env)->NewByteArray(env, (jsize)length);
    if (result != NULL) {
      (*env)->SetByteArrayRegion(env, result, 0, (jsize)length, (const jbyte *)merged);
    }
    free(merged);
  }
  for (jsize i = 0; i < count; i++) free(bytes[i]);
  free(bytes);
  free(lengths);
  return result;
}
