/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Delays IPv4 packets by where they come from and go to, for kernels without netem.
 *
 *   zone-delay TABLE STATISTICS
 *
 * The kernel queues each forwarded packet to this process (NFQUEUE 0), which answers "accept" when
 * its time has come. TABLE holds 256 x 256 delays in microseconds (int32, native byte order), by
 * the last byte of the source and of the destination address; it is mapped, so that a change holds
 * from the next packet on. STATISTICS is mapped as well and counts how late the answers were.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_queue.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { QUEUE = 0, IP_HEADER = 20, SOURCE_LAST = 15, DESTINATION_LAST = 19 };
enum { BUCKETS = 101, BUCKET_NANOS = 10000 }; /* the last one holds a millisecond and more */

struct statistics {
  uint64_t packets;
  uint64_t late_nanos;
  uint64_t bucket[BUCKETS];
};

struct held {
  int64_t due;
  uint32_t order; /* of arrival: packets of one connection keep theirs */
  uint32_t packet;
};

static const int32_t *delay_micros;
static struct statistics *statistics;
static int netlink;
static struct held *heap;
static size_t held, capacity;

static void die(const char *what) {
  fprintf(stderr, "zone-delay: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void *map(const char *file, size_t bytes, int protection) {
  int fd = open(file, O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, (off_t)bytes) < 0) die(file);
  void *memory = mmap(NULL, bytes, protection, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) die(file);
  close(fd);
  return memory;
}

/* A binary heap, the earliest first. */
static int before(const struct held *a, const struct held *b) {
  return a->due != b->due ? a->due < b->due : (int32_t)(a->order - b->order) < 0;
}

static void push(struct held packet) {
  if (held == capacity) {
    capacity = capacity ? 2 * capacity : 4096;
    heap = realloc(heap, capacity * sizeof *heap);
    if (!heap) die("memory");
  }
  size_t i = held++;
  for (; i > 0 && before(&packet, &heap[(i - 1) / 2]); i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
  heap[i] = packet;
}

static struct held pop(void) {
  struct held first = heap[0], last = heap[--held];
  size_t i = 0;
  for (size_t child; (child = 2 * i + 1) < held; i = child) {
    if (child + 1 < held && before(&heap[child + 1], &heap[child])) child++;
    if (!before(&heap[child], &last)) break;
    heap[i] = heap[child];
  }
  heap[i] = last;
  return first;
}

static struct nlmsghdr *message(char *at, int type, int flags) {
  struct nlmsghdr *header = (struct nlmsghdr *)at;
  memset(header, 0, NLMSG_LENGTH(sizeof(struct nfgenmsg)));
  header->nlmsg_type = (NFNL_SUBSYS_QUEUE << 8) | type;
  header->nlmsg_flags = NLM_F_REQUEST | flags;
  header->nlmsg_len = NLMSG_LENGTH(sizeof(struct nfgenmsg));
  ((struct nfgenmsg *)NLMSG_DATA(header))->res_id = htons(QUEUE);
  return header;
}

static void attribute(struct nlmsghdr *header, int type, const void *value, size_t bytes) {
  struct nlattr *attribute = (struct nlattr *)((char *)header + header->nlmsg_len);
  attribute->nla_type = type;
  attribute->nla_len = NLA_HDRLEN + bytes;
  memcpy((char *)attribute + NLA_HDRLEN, value, bytes);
  header->nlmsg_len += NLA_ALIGN(attribute->nla_len);
}

/* Sends a configuration message and waits for the kernel's yes. */
static void configure(struct nlmsghdr *header, const char *what) {
  char reply[4096];
  if (send(netlink, header, header->nlmsg_len, 0) < 0) die(what);
  if (recv(netlink, reply, sizeof reply, 0) < 0) die(what);
  struct nlmsghdr *answer = (struct nlmsghdr *)reply;
  if (answer->nlmsg_type == NLMSG_ERROR) {
    errno = -((struct nlmsgerr *)NLMSG_DATA(answer))->error;
    if (errno) die(what);
  }
}

static void open_queue(void) {
  char buffer[256];
  struct sockaddr_nl address = {.nl_family = AF_NETLINK};
  int bytes = 32 << 20, on = 1;
  netlink = socket(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER);
  if (netlink < 0 || bind(netlink, (struct sockaddr *)&address, sizeof address) < 0) die("netlink");
  setsockopt(netlink, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes);
  setsockopt(netlink, SOL_NETLINK, NETLINK_NO_ENOBUFS, &on, sizeof on);

  struct nfqnl_msg_config_cmd bind_queue = {.command = NFQNL_CFG_CMD_BIND, .pf = htons(AF_INET)};
  struct nlmsghdr *header = message(buffer, NFQNL_MSG_CONFIG, NLM_F_ACK);
  attribute(header, NFQA_CFG_CMD, &bind_queue, sizeof bind_queue);
  configure(header, "bind to the queue");

  struct nfqnl_msg_config_params copy = {
      .copy_range = htonl(IP_HEADER), .copy_mode = NFQNL_COPY_PACKET};
  uint32_t length = htonl(100000);
  /* Large packets as they are, and if this process cannot keep up, packets without delay. */
  uint32_t flags = htonl(NFQA_CFG_F_GSO | NFQA_CFG_F_FAIL_OPEN);
  header = message(buffer, NFQNL_MSG_CONFIG, NLM_F_ACK);
  attribute(header, NFQA_CFG_PARAMS, &copy, sizeof copy);
  attribute(header, NFQA_CFG_QUEUE_MAXLEN, &length, sizeof length);
  attribute(header, NFQA_CFG_FLAGS, &flags, sizeof flags);
  attribute(header, NFQA_CFG_MASK, &flags, sizeof flags);
  configure(header, "set up the queue");
}

static void hold(struct nlmsghdr *header, int64_t arrival) {
  static uint32_t order;
  struct held packet = {.order = order++};
  const uint8_t *ip = NULL;
  int left = header->nlmsg_len - NLMSG_LENGTH(sizeof(struct nfgenmsg));
  char *at = (char *)NLMSG_DATA(header) + NLMSG_ALIGN(sizeof(struct nfgenmsg));
  while (left >= (int)NLA_HDRLEN) {
    struct nlattr *attribute = (struct nlattr *)at;
    int type = attribute->nla_type & NLA_TYPE_MASK, step = NLA_ALIGN(attribute->nla_len);
    if (attribute->nla_len < NLA_HDRLEN) break;
    if (type == NFQA_PACKET_HDR) {
      packet.packet = ((struct nfqnl_msg_packet_hdr *)(at + NLA_HDRLEN))->packet_id;
    } else if (type == NFQA_PAYLOAD && attribute->nla_len >= NLA_HDRLEN + IP_HEADER) {
      ip = (uint8_t *)at + NLA_HDRLEN;
    }
    left -= step;
    at += step;
  }
  int32_t micros = ip ? delay_micros[ip[SOURCE_LAST] * 256 + ip[DESTINATION_LAST]] : 0;
  packet.due = arrival + micros * 1000LL;
  push(packet);
}

static void count(int64_t late) {
  int64_t bucket = late / BUCKET_NANOS;
  statistics->bucket[bucket < BUCKETS ? bucket : BUCKETS - 1]++;
  statistics->late_nanos += late;
  statistics->packets++;
}

/* Accepts all packets whose time has come, in one system call. */
static void release(int64_t time) {
  static char buffer[1 << 16];
  size_t used = 0;
  while (held && heap[0].due <= time && used < sizeof buffer - 64) {
    struct held packet = pop();
    struct nfqnl_msg_verdict_hdr verdict = {.verdict = htonl(NF_ACCEPT), .id = packet.packet};
    struct nlmsghdr *header = message(buffer + used, NFQNL_MSG_VERDICT, 0);
    attribute(header, NFQA_VERDICT_HDR, &verdict, sizeof verdict);
    used += NLMSG_ALIGN(header->nlmsg_len);
    count(time - packet.due);
  }
  if (used && send(netlink, buffer, used, 0) < 0) perror("zone-delay: verdict");
}

static void receive(void) {
  static char buffer[1 << 17];
  ssize_t bytes;
  while ((bytes = recv(netlink, buffer, sizeof buffer, MSG_DONTWAIT)) > 0) {
    int64_t arrival = now();
    struct nlmsghdr *header = (struct nlmsghdr *)buffer;
    for (unsigned left = bytes; NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
      if (header->nlmsg_type == ((NFNL_SUBSYS_QUEUE << 8) | NFQNL_MSG_PACKET)) hold(header, arrival);
    }
    if (held && heap[0].due <= arrival) return;
  }
}

int main(int count_of_arguments, char **arguments) {
  if (count_of_arguments != 3) {
    fprintf(stderr, "usage: zone-delay TABLE STATISTICS\n");
    return 2;
  }
  delay_micros = map(arguments[1], 256 * 256 * sizeof(int32_t), PROT_READ);
  statistics = map(arguments[2], sizeof *statistics, PROT_READ | PROT_WRITE);
  struct sched_param priority = {.sched_priority = 10};
  if (sched_setscheduler(0, SCHED_FIFO, &priority) < 0) {
    fprintf(stderr, "zone-delay: no real-time priority: %s\n", strerror(errno));
  }
  prctl(PR_SET_TIMERSLACK, 1);
  mlockall(MCL_CURRENT | MCL_FUTURE);
  open_queue();
  puts("ready");
  fflush(stdout);
  for (;;) {
    int64_t time = now();
    release(time);
    struct pollfd readable = {.fd = netlink, .events = POLLIN};
    struct timespec timeout, *wait = NULL;
    if (held) {
      int64_t left = heap[0].due - now();
      left = left > 0 ? left : 0;
      timeout = (struct timespec){.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
      wait = &timeout;
    }
    if (ppoll(&readable, 1, wait, NULL) > 0) receive();
  }
}
