/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * The merge in three steps: every cell and every complex deletion of all fragments becomes an entry
 * of one array; the array is sorted by column and path, so that what competes is adjacent; the
 * winners that no deletion shadows are written as one fragment.
 */
#include "merge.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  LIVENESS = 0x01,
  EXPIRING_LIVENESS = 0x02,
  ROW_DELETION = 0x04,
  SHADOWABLE = 0x08,
  PARTITION_DELETION = 0x10,
  RANGES = 0x20,
  CLUSTERING = 0x40,
  DAMAGED = 0x80
};

enum { CELL_EXPIRES = 0x01, CELL_DELETED = 0x02, CELL_TIMESTAMP = 0x04, CELL_VALUE = 0x08 };

/* The time to live that marks the liveness of an expired view row in Cassandra. */
enum { EXPIRED_LIVENESS_TTL = INT32_MAX };

enum { ENTRIES_ON_STACK = 48, MOST_VARINT = 10 };

typedef struct {
  const uint8_t *at;
  const uint8_t *end;
  bool damaged;
} reader;

typedef struct {
  int64_t timestamp;
  uint64_t local_time;
  bool set;
} deletion;

typedef struct {
  int64_t timestamp;
  uint64_t ttl;
  uint64_t expiration;
  bool expires;
  bool set;
} liveness;

typedef struct {
  uint64_t column; /* id * 2 + complex */
  bool is_deletion; /* of the complex column; has no path and no value */
  uint8_t flags;
  int64_t timestamp;
  uint64_t ttl;
  uint64_t local_time;
  const uint8_t *path;
  size_t path_length;
  const uint8_t *value;
  size_t value_length;
} entry;

typedef struct {
  uint8_t flags;
  liveness live;
  deletion row;
  deletion partition;
  const uint8_t *clustering;
  size_t clustering_length;
  entry *entries;
  entry stack[ENTRIES_ON_STACK];
  size_t count;
  size_t capacity;
} record;

/* ---- reading ---- */

static uint8_t read_byte(reader *in) {
  if (in->at >= in->end) {
    in->damaged = true;
    return 0;
  }
  return *in->at++;
}

static uint64_t read_unsigned(reader *in) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    uint8_t b = read_byte(in);
    value |= (uint64_t)(b & 0x7F) << shift;
    if (b < 0x80) return value;
  }
  in->damaged = true;
  return 0;
}

static int64_t read_signed(reader *in) {
  uint64_t value = read_unsigned(in);
  return (int64_t)((value >> 1) ^ (~(value & 1) + 1));
}

static int64_t read_long(reader *in) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value = value << 8 | read_byte(in);
  return (int64_t)value;
}

static const uint8_t *read_bytes(reader *in, size_t *length) {
  uint64_t size = read_unsigned(in);
  if (in->damaged || size > (uint64_t)(in->end - in->at)) {
    in->damaged = true;
    *length = 0;
    return in->at;
  }
  const uint8_t *bytes = in->at;
  in->at += size;
  *length = (size_t)size;
  return bytes;
}

/* Java's arithmetic on timestamps wraps. */
static int64_t plus(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }

static int64_t minus(int64_t a, int64_t b) { return (int64_t)((uint64_t)a - (uint64_t)b); }

static deletion read_deletion(reader *in, int64_t base) {
  deletion time = {.set = true};
  time.timestamp = plus(base, read_signed(in));
  time.local_time = read_unsigned(in);
  return time;
}

/* ---- what wins ---- */

static bool deletion_supersedes(const deletion *a, const deletion *b) {
  if (!a->set || !b->set) return a->set;
  return a->timestamp > b->timestamp ||
         (a->timestamp == b->timestamp && a->local_time > b->local_time);
}

static void add_deletion(deletion *kept, const deletion *other) {
  if (deletion_supersedes(other, kept)) *kept = *other;
}

/* LivenessInfo.supersedes */
static bool liveness_supersedes(const liveness *a, const liveness *b) {
  if (a->timestamp != b->timestamp) return a->timestamp > b->timestamp;
  bool a_expired = a->expires && a->ttl == EXPIRED_LIVENESS_TTL;
  bool b_expired = b->expires && b->ttl == EXPIRED_LIVENESS_TTL;
  if (a_expired != b_expired) return a_expired;
  if (a->expires != b->expires) return a->expires;
  if (!a->expires) return false;
  if (a->expiration != b->expiration) return a->expiration > b->expiration;
  return a->ttl < b->ttl;
}

static int compare_bytes(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length) {
  size_t shared = a_length < b_length ? a_length : b_length;
  int order = shared == 0 ? 0 : memcmp(a, b, shared);
  return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

/* Cells.resolveRegular: greater wins. */
static int compare_cells(const entry *a, const entry *b) {
  if (a->timestamp != b->timestamp) return a->timestamp > b->timestamp ? 1 : -1;
  bool a_ends = a->flags & (CELL_EXPIRES | CELL_DELETED);
  bool b_ends = b->flags & (CELL_EXPIRES | CELL_DELETED);
  if (a_ends != b_ends) return a_ends ? 1 : -1;
  if (a_ends) {
    bool a_deleted = a->flags & CELL_DELETED;
    bool b_deleted = b->flags & CELL_DELETED;
    if (a_deleted != b_deleted) return a_deleted ? 1 : -1;
    if (a->local_time != b->local_time) return a->local_time > b->local_time ? 1 : -1;
    if (!a_deleted && a->ttl != b->ttl) return a->ttl < b->ttl ? 1 : -1;
  }
  return compare_bytes(a->value, a->value_length, b->value, b->value_length);
}

/* ---- collecting ---- */

static entry *new_entry(record *all) {
  if (all->count == all->capacity) {
    size_t capacity = all->capacity * 2;
    bool on_stack = all->entries == all->stack;
    entry *grown = realloc(on_stack ? NULL : all->entries, capacity * sizeof(entry));
    if (grown == NULL) return NULL;
    if (on_stack) memcpy(grown, all->stack, sizeof(all->stack));
    all->entries = grown;
    all->capacity = capacity;
  }
  entry *added = &all->entries[all->count++];
  memset(added, 0, sizeof(*added));
  return added;
}

static bool collect_cell(
    record *all, reader *in, int64_t base, uint64_t column, const uint8_t *path, size_t path_length) {
  entry *cell = new_entry(all);
  if (cell == NULL) return false;
  cell->column = column;
  cell->path = path;
  cell->path_length = path_length;
  cell->flags = read_byte(in);
  cell->timestamp = cell->flags & CELL_TIMESTAMP ? plus(base, read_signed(in)) : base;
  if (cell->flags & CELL_EXPIRES) cell->ttl = read_unsigned(in);
  if (cell->flags & (CELL_EXPIRES | CELL_DELETED)) cell->local_time = read_unsigned(in);
  if (cell->flags & CELL_VALUE) cell->value = read_bytes(in, &cell->value_length);
  return !in->damaged;
}

static bool collect_column(record *all, reader *in, int64_t base) {
  uint64_t column = read_unsigned(in);
  if (!(column & 1)) return collect_cell(all, in, base, column, NULL, 0);
  if (read_byte(in)) {
    deletion time = read_deletion(in, base);
    entry *added = new_entry(all);
    if (added == NULL) return false;
    added->column = column;
    added->is_deletion = true;
    added->timestamp = time.timestamp;
    added->local_time = time.local_time;
  }
  uint64_t cells = read_unsigned(in);
  for (uint64_t i = 0; i < cells && !in->damaged; i++) {
    size_t path_length;
    const uint8_t *path = read_bytes(in, &path_length);
    if (!collect_cell(all, in, base, column, path, path_length)) return false;
  }
  return !in->damaged;
}

static bool collect_fragment(record *all, reader *in) {
  uint8_t flags = read_byte(in);
  int64_t base = read_long(in);
  all->flags |= flags & RANGES;
  if (flags & DAMAGED) return false;
  if (flags & SHADOWABLE) return false; /* views are not merged here */
  if (flags & LIVENESS) {
    liveness live = {.set = true};
    live.timestamp = plus(base, read_signed(in));
    if (flags & EXPIRING_LIVENESS) {
      live.expires = true;
      live.ttl = read_unsigned(in);
      live.expiration = read_unsigned(in);
    }
    if (!all->live.set || !liveness_supersedes(&all->live, &live)) all->live = live;
  }
  if (flags & ROW_DELETION) {
    deletion time = read_deletion(in, base);
    add_deletion(&all->row, &time);
  }
  if (flags & PARTITION_DELETION) {
    deletion time = read_deletion(in, base);
    add_deletion(&all->partition, &time);
  }
  if (flags & CLUSTERING) {
    size_t length;
    const uint8_t *clustering = read_bytes(in, &length);
    if (all->clustering == NULL) {
      all->clustering = clustering;
      all->clustering_length = length;
    }
  }
  while (in->at < in->end && !in->damaged) {
    if (!collect_column(all, in, base)) return false;
  }
  return !in->damaged;
}

static bool collect_value(record *all, const char *value, size_t length) {
  reader in = {(const uint8_t *)value, (const uint8_t *)value + length, false};
  while (in.at < in.end) {
    size_t size;
    const uint8_t *body = read_bytes(&in, &size);
    if (in.damaged) return false;
    reader fragment = {body, body + size, false};
    if (!collect_fragment(all, &fragment)) return false;
  }
  return true;
}

/* ---- reducing ---- */

/* By column, a deletion of the column first, then by path; the winner of a contest first. */
static int compare_entries(const void *left, const void *right) {
  const entry *a = left;
  const entry *b = right;
  if (a->column != b->column) return a->column > b->column ? 1 : -1;
  if (a->is_deletion != b->is_deletion) return a->is_deletion ? -1 : 1;
  if (a->is_deletion) {
    if (a->timestamp != b->timestamp) return a->timestamp < b->timestamp ? 1 : -1;
    return (a->local_time < b->local_time) - (a->local_time > b->local_time);
  }
  int order = compare_bytes(a->path, a->path_length, b->path, b->path_length);
  return order != 0 ? order : -compare_cells(a, b);
}

static bool same_place(const entry *a, const entry *b) {
  return a->column == b->column && a->is_deletion == b->is_deletion &&
         compare_bytes(a->path, a->path_length, b->path, b->path_length) == 0;
}

/* Keeps the winners that are not shadowed, in place. */
static void reduce(record *all) {
  if (all->row.set && all->live.set && all->live.timestamp <= all->row.timestamp) {
    all->live.set = false;
  }
  if (all->count > 1) qsort(all->entries, all->count, sizeof(entry), compare_entries);
  size_t kept = 0;
  const entry *previous = NULL;
  entry last;
  deletion shadow = all->row;
  for (size_t i = 0; i < all->count; i++) {
    entry current = all->entries[i];
    bool beaten = previous != NULL && same_place(previous, &current);
    if (previous == NULL || previous->column != current.column) shadow = all->row;
    last = current;
    previous = &last;
    if (beaten) continue;
    if (current.is_deletion) {
      deletion time = {current.timestamp, current.local_time, true};
      if (deletion_supersedes(&shadow, &time)) continue;
      shadow = time;
    } else if (shadow.set && current.timestamp <= shadow.timestamp) {
      continue;
    }
    all->entries[kept++] = current;
  }
  all->count = kept;
}

/* ---- writing ---- */

static uint8_t *write_unsigned(uint8_t *out, uint64_t value) {
  while (value > 0x7F) {
    *out++ = (uint8_t)(value | 0x80);
    value >>= 7;
  }
  *out++ = (uint8_t)value;
  return out;
}

static uint8_t *write_signed(uint8_t *out, int64_t value) {
  return write_unsigned(out, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}

static uint8_t *write_bytes(uint8_t *out, const uint8_t *bytes, size_t length) {
  out = write_unsigned(out, length);
  if (length > 0) memcpy(out, bytes, length);
  return out + length;
}

static uint8_t *write_deletion(uint8_t *out, const deletion *time, int64_t base) {
  out = write_signed(out, minus(time->timestamp, base));
  return write_unsigned(out, time->local_time);
}

static uint8_t *write_cell(uint8_t *out, const entry *cell, int64_t base) {
  uint8_t flags = cell->flags & (CELL_EXPIRES | CELL_DELETED | CELL_VALUE);
  if (cell->timestamp != base) flags |= CELL_TIMESTAMP;
  *out++ = flags;
  if (flags & CELL_TIMESTAMP) out = write_signed(out, minus(cell->timestamp, base));
  if (flags & CELL_EXPIRES) out = write_unsigned(out, cell->ttl);
  if (flags & (CELL_EXPIRES | CELL_DELETED)) out = write_unsigned(out, cell->local_time);
  if (flags & CELL_VALUE) out = write_bytes(out, cell->value, cell->value_length);
  return out;
}

/* One complex column from its first entry; returns how many entries it has. */
static size_t write_complex(uint8_t **out, const record *all, size_t first, int64_t base) {
  size_t next = first;
  if (all->entries[first].is_deletion) {
    deletion time = {all->entries[first].timestamp, all->entries[first].local_time, true};
    *(*out)++ = 1;
    *out = write_deletion(*out, &time, base);
    next++;
  } else {
    *(*out)++ = 0;
  }
  size_t end = next;
  while (end < all->count && all->entries[end].column == all->entries[first].column) end++;
  *out = write_unsigned(*out, end - next);
  for (; next < end; next++) {
    const entry *cell = &all->entries[next];
    *out = write_bytes(*out, cell->path, cell->path_length);
    *out = write_cell(*out, cell, base);
  }
  return end - first;
}

static uint8_t *write_body(uint8_t *out, const record *all) {
  int64_t base = all->live.set    ? all->live.timestamp
                 : all->count > 0 ? all->entries[0].timestamp
                 : all->row.set   ? all->row.timestamp
                                  : all->partition.timestamp;
  uint8_t flags = all->flags & RANGES;
  if (all->live.set) flags |= all->live.expires ? LIVENESS | EXPIRING_LIVENESS : LIVENESS;
  if (all->row.set) flags |= ROW_DELETION;
  if (all->partition.set) flags |= PARTITION_DELETION;
  if (all->clustering != NULL) flags |= CLUSTERING;
  *out++ = flags;
  for (int shift = 56; shift >= 0; shift -= 8) *out++ = (uint8_t)((uint64_t)base >> shift);
  if (all->live.set) {
    out = write_signed(out, minus(all->live.timestamp, base));
    if (all->live.expires) {
      out = write_unsigned(out, all->live.ttl);
      out = write_unsigned(out, all->live.expiration);
    }
  }
  if (all->row.set) out = write_deletion(out, &all->row, base);
  if (all->partition.set) out = write_deletion(out, &all->partition, base);
  if (all->clustering != NULL) out = write_bytes(out, all->clustering, all->clustering_length);
  for (size_t i = 0; i < all->count;) {
    out = write_unsigned(out, all->entries[i].column);
    if (all->entries[i].column & 1) {
      i += write_complex(&out, all, i, base);
    } else {
      out = write_cell(out, &all->entries[i], base);
      i++;
    }
  }
  return out;
}

static char *write_record(const record *all, size_t *length) {
  size_t most = 16 * MOST_VARINT + all->clustering_length;
  for (size_t i = 0; i < all->count; i++) {
    most += 9 * MOST_VARINT + all->entries[i].path_length + all->entries[i].value_length;
  }
  uint8_t *buffer = malloc(most);
  if (buffer == NULL) return NULL;
  /* The body goes behind room for the longest length, then moves up to its real one. */
  uint8_t *body = buffer + MOST_VARINT;
  size_t size = (size_t)(write_body(body, all) - body);
  uint8_t *start = write_unsigned(buffer, size);
  memmove(start, body, size);
  *length = (size_t)(start - buffer) + size;
  return (char *)buffer;
}

static char *copy(const char *value, size_t length) {
  char *copied = malloc(length);
  if (copied != NULL) memcpy(copied, value, length);
  return copied;
}

/* Whether a value is one fragment, by its length alone: nothing to merge then. */
static bool is_one_fragment(const char *value, size_t length) {
  reader in = {(const uint8_t *)value, (const uint8_t *)value + length, false};
  uint64_t size = read_unsigned(&in);
  return !in.damaged && size == (uint64_t)(in.end - in.at);
}

char *curtail_merge(const char *const *values, const size_t *lengths, int count, size_t *length) {
  if (count == 1 && is_one_fragment(values[0], lengths[0])) {
    *length = lengths[0];
    return copy(values[0], lengths[0]);
  }
  record all;
  memset(&all, 0, offsetof(record, stack));
  all.entries = all.stack;
  all.count = 0;
  all.capacity = ENTRIES_ON_STACK;
  char *merged = NULL;
  bool whole = true;
  for (int i = 0; i < count && whole; i++) whole = collect_value(&all, values[i], lengths[i]);
  if (whole) {
    reduce(&all);
    merged = write_record(&all, length);
  }
  if (all.entries != all.stack) free(all.entries);
  return merged;
}

char *curtail_keep_damaged(
    const char *const *values, const size_t *lengths, int count, size_t *length) {
  size_t size = 1;
  for (int i = 0; i < count; i++) size += MOST_VARINT + lengths[i];
  uint8_t *kept = malloc(MOST_VARINT + size);
  if (kept == NULL) return NULL;
  uint8_t *body = kept + MOST_VARINT;
  uint8_t *end = body;
  *end++ = DAMAGED;
  for (int i = 0; i < count; i++) end = write_bytes(end, (const uint8_t *)values[i], lengths[i]);
  size_t body_length = (size_t)(end - body);
  uint8_t *start = write_unsigned(kept, body_length);
  memmove(start, body, body_length);
  *length = (size_t)(start - kept) + body_length;
  return (char *)kept;
}
