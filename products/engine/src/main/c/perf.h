/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/* RocksDB's counters of what a thread does, which nobody reads: each comparison of keys is one. */
#ifndef CURTAIL_PERF_H
#define CURTAIL_PERF_H

/* Has RocksDB count no more in this thread, from the first call of this on. */
void stop_perf_counters(void);

#endif
