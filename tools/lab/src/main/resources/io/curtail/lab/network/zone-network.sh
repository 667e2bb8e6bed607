#!/bin/sh
# Copyright the Curtail authors. SPDX-License-Identifier: Apache-2.0
#
# One network namespace a node, joined by a router's namespace in which every packet is queued to a
# program that delays it. The addresses are loopback addresses of this machine: its own clients
# reach the nodes through one more link, and nothing can leave the machine.
#
#   zone-network.sh up LABEL PREFIX NODES CLIENTS    PREFIX such as 127.77.1, NODES and CLIENTS
#   zone-network.sh down LABEL                       the last figures of their addresses: "33 65 97"
set -e
label=$2
router=curtail-$label-router
host=ct$label

quiet() { "$@" >/dev/null 2>&1 || true; }

down() {
  for namespace in $(ip netns list | cut -d' ' -f1 | grep "^curtail-$label-" || true); do
    quiet ip netns del "$namespace"
  done
  quiet ip link del "$host"
}

mac() { ip netns exec "$1" cat "/sys/class/net/$2/address"; }

# Loopback addresses are to be routed like any others.
make_namespace() {
  ip netns add "$1"
  ip -n "$1" link set lo up
  quiet ip -n "$1" route del local 127.0.0.0/8 dev lo table local
  ip -n "$1" route replace local 127.0.0.1/32 dev lo table local src 127.0.0.1
  ip netns exec "$1" sysctl -qw net.ipv4.conf.all.route_localnet=1 net.ipv4.conf.default.route_localnet=1 \
    net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0
}

up() {
  prefix=$1 nodes=$2 clients=$3
  down
  make_namespace "$router"
  ip netns exec "$router" sysctl -qw net.ipv4.ip_forward=1
  first_client=${clients%% *}

  ip link add "$host" type veth peer name host netns "$router"
  sysctl -qw "net.ipv4.conf.$host.route_localnet=1" "net.ipv4.conf.$host.rp_filter=0"
  ip link set "$host" up
  ip -n "$router" link set host up
  host_mac=$(cat "/sys/class/net/$host/address")
  router_mac=$(mac "$router" host)
  for client in $clients; do
    ip addr add "$prefix.$client/32" dev "$host"
    ip -n "$router" route add "$prefix.$client/32" dev host
    ip -n "$router" neigh add "$prefix.$client" lladdr "$host_mac" dev host
  done
  ip route add "$prefix.0/24" dev "$host" table local scope link src "$prefix.$first_client"

  for node in $nodes; do
    namespace=curtail-$label-$node
    make_namespace "$namespace"
    ip link add "node$node" netns "$router" type veth peer name eth0 netns "$namespace"
    # An idle connection must not start slowly again, and not every namespace may choose the host's
    # congestion control.
    quiet ip netns exec "$namespace" sysctl -qw net.ipv4.tcp_slow_start_after_idle=0
    quiet ip netns exec "$namespace" sysctl -qw net.ipv4.tcp_congestion_control=reno
    ip -n "$namespace" link set eth0 up
    ip -n "$router" link set "node$node" up
    ip -n "$namespace" addr add "$prefix.$node/32" dev eth0
    ip -n "$namespace" neigh add "$prefix.254" lladdr "$(mac "$router" "node$node")" dev eth0
    ip -n "$namespace" route add "$prefix.0/24" via "$prefix.254" dev eth0 onlink src "$prefix.$node"
    ip -n "$router" route add "$prefix.$node/32" dev "node$node"
    ip -n "$router" neigh add "$prefix.$node" lladdr "$(mac "$namespace" eth0)" dev "node$node"
    ip neigh add "$prefix.$node" lladdr "$router_mac" dev "$host"
  done
  ip netns exec "$router" iptables -t mangle -A FORWARD -j NFQUEUE --queue-num 0 --queue-bypass
}

case $1 in
  up)
    # not "up || down", which would not stop at what fails within
    trap down EXIT
    up "$3" "$4" "$5"
    trap - EXIT
    ;;
  down) down ;;
  *) echo "zone-network.sh: up or down" >&2; exit 2 ;;
esac
