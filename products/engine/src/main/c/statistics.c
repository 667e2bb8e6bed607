/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Leaves of RocksDB's statistics the counters, for which the classes of rocksdbjni have no level:
 * without one, some histograms are kept even if all are left out.
 */
#include <jni.h>
#include <stdint.h>

#include "symbols.h"

/* As in RocksDB's c.cc: options begin with those of C++, Java's handle. */
typedef struct rocksdb_options_t rocksdb_options_t;

enum { EXCEPT_HISTOGRAM_OR_TIMERS = 1 };

/* Of the statistics that these options have; nothing if the library has no such function. */
JNIEXPORT void JNICALL Java_io_curtail_engine_NativeMerge_countOnly(JNIEnv *env, jclass type,
                                                                    jstring library,
                                                                    jlong options) {
  (void)type;
  void *rocksdb = open_loaded(env, library);
  void (*set_level)(rocksdb_options_t *, int);
  if (rocksdb != NULL && find(rocksdb, "rocksdb_options_set_statistics_level", &set_level)) {
    set_level((rocksdb_options_t *)(intptr_t)options, EXCEPT_HISTOGRAM_OR_TIMERS);
  }
}
