/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CURTAIL_MERGE_H
#define CURTAIL_MERGE_H

#include <stddef.h>

/*
 * Reconciles values, each one or more fragments (Fragments.java has the layout), into one fragment,
 * as Cassandra's Rows.merge does: the result is the same in any order and grouping.
 *
 * Returns memory of malloc and its length, or NULL if a value is damaged or memory is short, which
 * errno == ENOMEM tells.
 */
char *curtail_merge(const char *const *values, const size_t *lengths, int count, size_t *length);

/*
 * Keeps values that cannot be reconciled as one fragment that no reader takes for a row, so that
 * what is wrong with one row is told to who reads it. NULL if memory is short.
 */
char *curtail_keep_damaged(
    const char *const *values, const size_t *lengths, int count, size_t *length);

#endif
