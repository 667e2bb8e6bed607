/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.curtail.lab.network.AddressBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeFilesTest {
  private static final AddressBlock ADDRESSES = new AddressBlock(77, 9);

  @TempDir private Path directory;

  @Test
  void should_write_where_the_node_is_and_what_it_owns() throws IOException {
    JsonNode yaml = write(ClusterSpec.builder().nodes(6), 5);
    assertThat(yaml.get("listen_address").asText()).isEqualTo("127.77.9.66");
    assertThat(yaml.get("rpc_address").asText()).isEqualTo("127.77.9.66");
    assertThat(yaml.get("initial_token").asText()).isEqualTo(Long.toString(EvenTokens.of(5, 6)));
    assertThat(Files.readString(new NodeFiles(directory, 5).rackProperties()))
        .isEqualTo("dc=dc1\nrack=b\n");
    assertThat(new NodeFiles(directory, 5).unpacked()).isEmptyDirectory();
  }

  @Test
  void should_merge_maps_and_replace_the_rest_when_settings_are_added() throws IOException {
    JsonNode yaml =
        write(
            ClusterSpec.builder()
                .addYaml("concurrent_reads", 4)
                .addYaml(
                    "memtable",
                    Map.of("configurations", Map.of("mine", Map.of("class_name", "Mine")))),
            1);
    assertThat(yaml.get("concurrent_reads").asInt()).isEqualTo(4);
    JsonNode memtables = yaml.get("memtable").get("configurations");
    assertThat(memtables.get("mine").get("class_name").asText()).isEqualTo("Mine");
    assertThat(memtables.get("trie").get("class_name").asText()).isEqualTo("TrieMemtable");
  }

  @Test
  void should_keep_logs_when_data_is_deleted() throws IOException {
    write(ClusterSpec.builder(), 1);
    NodeFiles files = new NodeFiles(directory, 1);
    Files.writeString(files.log(), "a line");
    Files.createDirectories(files.directory().resolve("data/system"));
    Files.writeString(files.directory().resolve("data/system/file"), "x");
    files.deleteData();
    assertThat(files.log()).hasContent("a line");
    assertThat(files.directory().resolve("data")).doesNotExist();
  }

  private JsonNode write(ClusterSpecBuilder builder, int index) throws IOException {
    NodeFiles files = new NodeFiles(directory, index);
    files.write(builder.directory(directory).build(), ADDRESSES, index);
    return new YAMLMapper().readTree(files.yaml().toFile());
  }
}
