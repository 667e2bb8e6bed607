/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "perf.h"

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>

#include "symbols.h"

enum { DISABLED = 1 };

static void (*set_level)(int);
static __thread bool is_stopped;

/* Nothing if the library has no such function. */
JNIEXPORT void JNICALL Java_io_curtail_engine_NativeMerge_findPerfCounters(JNIEnv *env, jclass type,
                                                                           jstring library) {
  (void)type;
  void *rocksdb = open_loaded(env, library);
  if (rocksdb != NULL) find(rocksdb, "rocksdb_set_perf_level", &set_level);
}

void stop_perf_counters(void) {
  if (is_stopped) return;
  is_stopped = true;
  if (set_level != NULL) set_level(DISABLED);
}
