# To be sourced: one stock node with curtail-server and curtail-engine, on the sample configuration.

# the part of a sample cassandra.yaml that the lab's --yaml takes, on one line
engine_memtable='{configurations: {trie: {class_name: TrieMemtable}, default: {class_name: io.curtail.engine.GuardedMemtable, parameters: {configuration: trie}}, rocksdb: {class_name: io.curtail.engine.RocksMemtable, parameters: {block_cache: 64MiB, write_buffers: 64MiB, write_buffer: 16MiB}}}}'

# start_node NAME CASSANDRA_VERSION JAR...: prints its address
start_node() {
  local name=$1 cassandra=$2 jar jars=()
  shift 2
  for jar in "$@"; do
    jars+=(--class-path "$jar")
  done
  # Long timeouts: the machine may be busy, and only what is answered counts.
  "$home/curtail" lab start "$name" --nodes 1 --cassandra-version "$cassandra" "${jars[@]}" \
    --jvm-option "-Dcurtail.config=$home/packaging/conf/curtail.properties" \
    ${query_handler:+--jvm-option "-Dcassandra.custom_query_handler_class=$query_handler"} \
    ${server_snitch---yaml endpoint_snitch=io.curtail.server.CurtailSnitch --yaml dynamic_snitch=false} \
    --yaml "memtable=$engine_memtable" --yaml write_request_timeout=30s --yaml read_request_timeout=30s --yaml range_request_timeout=30s --json | grep -oE '127\.[0-9.]+:9042' | head -n 1 | cut -d : -f 1
}

stop_node() { "$home/curtail" lab stop "$1" >/dev/null; }
