/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.curtail.engine.trials.Directories;
import io.curtail.lab.network.AddressBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** The directory of one node: its configuration, data and logs. */
final class NodeFiles {
  private final Path directory;

  NodeFiles(Path labDirectory, int index) {
    directory = labDirectory.resolve("node" + index);
  }

  Path directory() {
    return directory;
  }

  Path log() {
    return directory.resolve("logs/system.log");
  }

  Path data() {
    return directory.resolve("data");
  }

  /** What the JVM itself prints, such as why it could not start. */
  Path output() {
    return directory.resolve("logs/output.log");
  }

  Path jvmArguments() {
    return directory.resolve("conf/jvm.options");
  }

  Path yaml() {
    return directory.resolve("conf/cassandra.yaml");
  }

  Path rackProperties() {
    return directory.resolve("conf/cassandra-rackdc.properties");
  }

  Path logback() {
    return directory.resolve("conf/logback.xml");
  }

  /** Eight bytes that a running node maps: how long each local read waits, in nanoseconds. */
  Path readDelay() {
    return directory.resolve("conf/read-delay");
  }

  /**
   * What its libraries unpack: one that is killed deletes nothing, so that it goes with the lab.
   */
  Path unpacked() {
    return directory.resolve("tmp");
  }

  void write(ClusterSpec spec, AddressBlock addresses, int index) throws IOException {
    Directories.delete(directory);
    Files.createDirectories(directory.resolve("conf"));
    Files.createDirectories(directory.resolve("logs"));
    Files.createDirectories(unpacked());
    new YAMLMapper().writeValue(yaml().toFile(), settings(spec, addresses, index));
    Files.writeString(
        rackProperties(),
        "dc=%s\nrack=%s\n"
            .formatted(Cluster.DATACENTER, Cluster.rack(AddressBlock.zoneOf(index, spec.zones()))));
    Files.writeString(logback(), logbackXml());
    Files.write(readDelay(), new byte[Long.BYTES]);
  }

  Map<String, Object> settings(ClusterSpec spec, AddressBlock addresses, int index) {
    String address = addresses.node(index, spec.zones());
    List<String> all =
        IntStream.rangeClosed(1, spec.allNodes())
            .mapToObj(node -> addresses.node(node, spec.zones()))
            .toList();
    Map<String, Object> yaml = new LinkedHashMap<>();
    yaml.put("cluster_name", "curtail-lab " + spec.name());
    yaml.put("num_tokens", 1);
    if (index <= spec.nodes()) {
      yaml.put("initial_token", Long.toString(EvenTokens.of(index, spec.nodes())));
    }
    yaml.put("auto_bootstrap", false);
    yaml.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
    yaml.put("endpoint_snitch", "GossipingPropertyFileSnitch");
    yaml.put("listen_address", address);
    yaml.put("rpc_address", address);
    yaml.put("storage_port", AddressBlock.STORAGE_PORT);
    yaml.put("native_transport_port", AddressBlock.NATIVE_PORT);
    // All start at the same time, so that each may be the first that another one meets.
    yaml.put("seed_provider", seeds(String.join(",", all)));
    yaml.put("data_file_directories", List.of(data().toString()));
    yaml.put("commitlog_directory", directory.resolve("commitlog").toString());
    yaml.put("saved_caches_directory", directory.resolve("saved_caches").toString());
    yaml.put("hints_directory", directory.resolve("hints").toString());
    yaml.put("cdc_raw_directory", directory.resolve("cdc_raw").toString());
    yaml.put("commitlog_sync", "periodic");
    yaml.put("commitlog_sync_period", "10000ms");
    yaml.put("commitlog_segment_size", "8MiB");
    yaml.put("commitlog_total_space", "64MiB");
    yaml.put("storage_compatibility_mode", "NONE");
    yaml.put("sstable", Map.of("selected_format", "bti"));
    // 5.0.0 takes them in this order: what one inherits from must stand before it.
    Map<String, Object> memtables = new LinkedHashMap<>();
    memtables.put("skiplist", Map.of("class_name", "SkipListMemtable"));
    memtables.put("trie", Map.of("class_name", "TrieMemtable"));
    memtables.put("default", Map.of("inherits", "trie"));
    yaml.put("memtable", Map.of("configurations", memtables));
    yaml.put("memtable_heap_space", "48MiB");
    yaml.put("memtable_offheap_space", "48MiB");
    yaml.put("memtable_allocation_type", "offheap_objects");
    yaml.put("memtable_flush_writers", 1);
    yaml.put("concurrent_compactors", 1);
    yaml.put("concurrent_reads", 32);
    yaml.put("concurrent_writes", 16);
    yaml.put("native_transport_max_threads", 32);
    yaml.put("file_cache_size", "16MiB");
    yaml.put("networking_cache_size", "16MiB");
    yaml.put("key_cache_size", "4MiB");
    yaml.put("counter_cache_size", "0MiB");
    yaml.put("prepared_statements_cache_size", "2MiB");
    yaml.put("auto_snapshot", false);
    // A node that was not there yet is tried again after half the shortest of all timeouts.
    yaml.put("counter_write_request_timeout", "1s");
    merge(yaml, spec.timeouts());
    merge(yaml, spec.yaml());
    merge(yaml, spec.yaml(index));
    return yaml;
  }

  /**
   * Makes it a node without data that asks for its part of the rows when it starts.
   *
   * @param seed the address of a node that is up
   * @param token its own, or empty for those of the node that it replaces
   */
  void joinNextTime(String seed, OptionalLong token) throws IOException {
    deleteData();
    YAMLMapper mapper = new YAMLMapper();
    Map<String, Object> settings = mapper.readValue(yaml().toFile(), new TypeReference<>() {});
    settings.put("auto_bootstrap", true);
    settings.remove("initial_token");
    token.ifPresent(value -> settings.put("initial_token", Long.toString(value)));
    settings.put("seed_provider", seeds(seed));
    mapper.writeValue(yaml().toFile(), settings);
  }

  private static List<Map<String, Object>> seeds(String addresses) {
    return List.of(
        Map.of(
            "class_name",
            "org.apache.cassandra.locator.SimpleSeedProvider",
            "parameters",
            List.of(Map.of("seeds", addresses))));
  }

  /** Maps are merged, everything else is replaced. */
  private static void merge(Map<String, Object> into, Map<?, ?> from) {
    from.forEach(
        (key, value) -> {
          Object old = into.get(key.toString());
          if (old instanceof Map<?, ?> oldMap && value instanceof Map<?, ?> newMap) {
            Map<String, Object> both = new LinkedHashMap<>();
            merge(both, oldMap);
            merge(both, newMap);
            into.put(key.toString(), both);
          } else {
            into.put(key.toString(), value);
          }
        });
  }

  /** {@link NodeLog} needs what the ring's keeper says of its peers' tokens. */
  private String logbackXml() {
    return """
        <configuration scan="false">
          <appender name="FILE" class="ch.qos.logback.core.FileAppender">
            <file>%s</file>
            <encoder><pattern>%%-5level [%%thread] %%date{ISO8601} %%F:%%L - %%msg%%n</pattern></encoder>
          </appender>
          <logger name="org.apache.cassandra.service.StorageService" level="DEBUG"/>
          <root level="INFO"><appender-ref ref="FILE"/></root>
        </configuration>
        """
        .formatted(log());
  }

  /** Gives the disk back and keeps what explains a run: configuration and logs. */
  void deleteData() throws IOException {
    for (String name : List.of("data", "commitlog", "saved_caches", "hints", "cdc_raw")) {
      Directories.delete(directory.resolve(name));
    }
  }
}
