/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.eventually;
import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.fasterxml.jackson.databind.JsonNode;
import io.curtail.campaign.Progress;
import io.curtail.cli.Terminal;
import io.curtail.cli.option.EngineJars;
import io.curtail.engine.EngineMXBean;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.NodeManagement;
import io.curtail.lab.load.SchemaChange;
import io.curtail.testnode.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What operators ask of nodes with the engine: two real ones, the tests that end nodes last. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EngineNodeCommandTest {
  private static final int PARTITIONS = 200;

  @TempDir private static Path directory;
  private static Cluster cluster;
  private static CqlSession session;

  private final Terminal terminal = new Terminal();

  @BeforeAll
  static void start() throws IOException {
    ClusterSpecBuilder spec =
        ClusterSpec.builder()
            .name("operated")
            .directory(directory.resolve("lab"))
            .nodes(2)
            .zones(1)
            .requestTimeout(Duration.ofSeconds(20))
            // A node waits for that long before it leaves: else twice as long as for a write.
            .addJvmOptions("-Dcassandra.batchlog.replay_timeout_in_ms=15000")
            .addYaml(LiveNodes.engineYaml().entrySet())
            .addYaml("materialized_views_enabled", true)
            // A node that has heard of no schema by then joins with none, and asks for no rows.
            .addJvmOptions("-Dcassandra.ring_delay_ms=10000")
            .addJvmOptions("-Dcassandra.gossip_quarantine_delay_ms=4000");
    spec.addClassPath(EngineJars.engine());
    cluster = Cluster.start(spec.build(), Progress.NONE);
    session = LiveNodes.connect(cluster);
    SchemaChange.execute(
        session,
        "CREATE KEYSPACE op WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1}");
    SchemaChange.execute(
        session,
        "CREATE TABLE op.rows (p int, c int, v text, s int STATIC, PRIMARY KEY (p, c)) WITH memtable"
            + " = 'rocksdb'");
    for (int p = 0; p < PARTITIONS; p++) {
      session.execute("INSERT INTO op.rows (p, s) VALUES (" + p + ", 1)");
      session.execute("INSERT INTO op.rows (p, c, v) VALUES (" + p + ", 1, 'one')");
      session.execute("INSERT INTO op.rows (p, c, v) VALUES (" + p + ", 2, 'two')");
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (session != null) {
      session.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private JsonNode ask(String command) throws IOException {
    int code = terminal.run("engine " + command + " --json");
    // A node that has just joined is still on its way for a moment.
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (code != 0 && isRingMoving() && System.nanoTime() < deadline) {
      code = terminal.run("engine " + command + " --json");
    }
    assertThat(code).as(terminal.err()).isZero();
    return terminal.json();
  }

  private boolean isRingMoving() {
    return (terminal.out() + terminal.err()).contains("nodes join, leave or move now");
  }

  private static long pid(int node) {
    return cluster.node(node).pid();
  }

  @Test
  @Order(0)
  void should_absorb_data_files_and_refuse_a_table_that_is_copied() throws IOException {
    SchemaChange.execute(
        session, "CREATE TABLE op.moved (p int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    SchemaChange.execute(
        session, "CREATE INDEX moved_v ON op.moved (v) USING 'legacy_local_table'");
    SchemaChange.execute(session, "ALTER TABLE op.moved WITH memtable = 'default'");
    for (int p = 0; p < PARTITIONS; p++) {
      session.execute("INSERT INTO op.moved (p, v) VALUES (" + p + ", 1)");
    }
    SchemaChange.execute(session, "ALTER TABLE op.moved WITH memtable = 'rocksdb'");
    assertThat(ask("absorb " + pid(1) + " op.moved").at("/op.moved/files").asLong()).isEqualTo(2);
    JsonNode tables = ask("status " + pid(1)).get("tables");
    assertThat(tables.at("/op.moved/cassandra_data_files").asInt()).isZero();
    assertThat(tables.at("/op.moved.moved_v/cassandra_data_files").asInt()).isZero();
    assertThat(session.execute("SELECT p FROM op.moved WHERE v = 1").all()).hasSize(PARTITIONS);
    assertThat(ask("absorb " + pid(1)).at("/op.moved/files").asLong()).isZero();
    try (NodeManagement management = new NodeManagement(cluster.node(1))) {
      management
          .server()
          .invoke(
              new ObjectName(EngineMXBean.NAME),
              "copyOut",
              new Object[] {"op", "moved"},
              new String[] {String.class.getName(), String.class.getName()});
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
    assertThat(terminal.run("engine absorb " + pid(1) + " op.moved")).isEqualTo(1);
    assertThat(terminal.out()).contains("op.moved: op.moved is copied to Cassandra's data files");
  }

  @Test
  @Order(0)
  void should_have_the_rows_that_sstableloader_sends() throws Exception {
    SchemaChange.execute(
        session, "CREATE TABLE op.loaded (p int, c int, v text, PRIMARY KEY (p, c))");
    for (int p = 0; p < PARTITIONS; p++) {
      session.execute("INSERT INTO op.loaded (p, c, v) VALUES (" + p + ", 1, 'one')");
      session.execute("INSERT INTO op.loaded (p, c, v) VALUES (" + p + ", 2, 'two')");
    }
    session.execute("DELETE FROM op.loaded WHERE p = 3");
    session.execute("DELETE FROM op.loaded WHERE p = 4 AND c > 1");
    List<Path> copies = List.of(copyFiles(1, "loaded"), copyFiles(2, "loaded"));
    session.execute("TRUNCATE op.loaded");
    SchemaChange.execute(session, "ALTER TABLE op.loaded WITH memtable = 'rocksdb'");
    for (Path copy : copies) {
      load(copy);
    }
    assertThat(session.execute("SELECT p, c FROM op.loaded").all()).hasSize(2 * PARTITIONS - 3);
    JsonNode loaded = ask("status " + pid(1)).at("/tables/op.loaded");
    assertThat(loaded.get("cassandra_data_files").asInt()).isZero();
    assertThat(loaded.get("write_buffer_bytes").asLong()).isPositive();
  }

  /** The data files of a table as {@code sstableloader} wants them. */
  private static Path copyFiles(int node, String table) throws Exception {
    try (NodeManagement management = new NodeManagement(cluster.node(node))) {
      management.invoke(
          NodeManagement.STORAGE_SERVICE, "forceKeyspaceFlush", "op", new String[] {table});
    }
    Path copy = directory.resolve("files" + node).resolve("op").resolve(table);
    Files.createDirectories(copy);
    Path data = home(node).resolve("data/op");
    try (Stream<Path> files = Files.walk(data, 2)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (file.getParent().getFileName().toString().startsWith(table + "-")) {
          Files.copy(file, copy.resolve(file.getFileName()));
        }
      }
    }
    return copy;
  }

  private static Path home(int node) {
    return cluster.node(node).logFile().getParent().getParent();
  }

  /**
   * Runs {@code sstableloader} as its script does, with the jars and the configuration of a node.
   */
  private static void load(Path files) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(ChildJvm.java());
    List<String> options =
        Files.readAllLines(home(1).resolve("conf/jvm.options")).stream()
            .map(line -> line.replaceAll("^\"|\"$", ""))
            .toList();
    options.stream().filter(option -> option.startsWith("--add-")).forEach(command::add);
    options.stream()
        .filter(option -> option.startsWith("-Dcassandra.config="))
        .forEach(command::add);
    options.stream()
        .filter(option -> option.startsWith("-XX:") || option.startsWith("-Xshare"))
        .forEach(command::add);
    command.addAll(List.of("-cp", options.get(options.indexOf("-cp") + 1)));
    String host = cluster.node(1).host();
    command.addAll(List.of("org.apache.cassandra.tools.BulkLoader", "-d", host, "-p"));
    command.add(Integer.toString(cluster.node(1).address().getPort()));
    command.addAll(List.of("-f", home(1).resolve("conf/cassandra.yaml").toString()));
    command.add(files.toString());
    Path output = directory.resolve("sstableloader.log");
    Process loader =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(loader.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(loader.exitValue()).as(Files.readString(output)).isZero();
    } finally {
      loader.destroyForcibly();
    }
  }

  @Test
  @Order(1)
  void should_show_compact_and_verify_what_is_in_rocksdb() throws IOException {
    assertThat(ask("status " + pid(1)).at("/tables/op.rows/state").asText()).isEqualTo("SERVING");
    ask("compact " + pid(1));
    JsonNode rows = ask("status " + pid(1)).at("/tables/op.rows");
    assertThat(rows.get("level0_files").asInt()).isZero();
    assertThat(rows.get("file_bytes").asLong()).isPositive();
    assertThat(ask("verify " + pid(1) + " op.rows").at("/op.rows/bytes").asLong())
        .isEqualTo(rows.get("file_bytes").asLong());
    assertThat(ask("sweep " + pid(1)).at("/op.rows/records").asLong()).isZero();
    assertThat(terminal.run("engine status " + pid(1))).isZero();
    assertThat(terminal.out()).contains("op.rows", "serving");
    assertThat(ask("status " + pid(1)).get("unknownTables")).isEmpty();
    assertThat(terminal.run("engine drop-unknown " + pid(1) + " op/rows/0")).isEqualTo(2);
    assertThat(terminal.err()).contains("op/rows/0");
  }

  @Test
  @Order(2)
  void should_remove_nothing_when_a_node_has_a_part_in_all_that_it_has() throws IOException {
    assertThat(ask("cleanup " + pid(1)).at("/op.rows/partitions").asLong()).isZero();
    checkRows();
  }

  @Test
  @Order(2)
  void should_dump_a_partition_with_its_deletions() throws IOException {
    SchemaChange.execute(
        session,
        "CREATE TABLE op.dumped (p text, q int, c int, v int, PRIMARY KEY ((p, q), c))"
            + " WITH memtable = 'rocksdb'");
    for (int c = 0; c < 5; c++) {
      session.execute("INSERT INTO op.dumped (p, q, c, v) VALUES ('a', 1, " + c + ", 7)");
    }
    session.execute("DELETE FROM op.dumped WHERE p = 'a' AND q = 1 AND c = 3");
    int replica = ask("dump " + pid(1) + " op.dumped a:1").isEmpty() ? 2 : 1;
    JsonNode partition = ask("dump " + pid(replica) + " op.dumped a:1").get(0);
    assertThat(partition.at("/partition/key")).hasSize(2);
    assertThat(partition.get("rows")).hasSize(5);
    assertThat(partition.at("/rows/3/deletion_info").has("marked_deleted")).isTrue();
    assertThat(partition.at("/rows/4/cells/0/value").asInt()).isEqualTo(7);
    assertThat(ask("dump " + pid(replica) + " op.dumped a:1 --rows 2").at("/0/rows")).hasSize(2);
    assertThat(terminal.err()).contains("--rows for more");
    assertThat(ask("dump " + pid(replica) + " op.dumped b:1")).isEmpty();
    assertThat(terminal.run("engine dump " + pid(replica) + " op.dumped a:x")).isEqualTo(2);
    assertThat(terminal.err()).contains("a:x is no partition key of op.dumped");
    SchemaChange.execute(session, "DROP TABLE op.dumped");
  }

  @Test
  @Order(2)
  void should_compare_a_table_of_cassandra_with_rocksdb() throws IOException {
    SchemaChange.execute(
        session, "CREATE TABLE op.stock (p int PRIMARY KEY, v int) WITH memtable = 'compared'");
    await(() -> terminal.run("engine compare " + pid(1) + " op.stock") == 0);
    eventually(
        () -> {
          for (int p = 0; p < PARTITIONS; p++) {
            session.execute("INSERT INTO op.stock (p, v) VALUES (" + p + ", 1)");
          }
          JsonNode stock = ask("compare " + pid(1)).at("/op.stock");
          assertThat(stock.get("compared").asLong()).isPositive();
          assertThat(stock.get("written").asLong()).isPositive();
          assertThat(stock.get("differences").asLong(1)).isZero();
        });
    assertThat(terminal.run("engine compare " + pid(1))).isZero();
    assertThat(terminal.out()).contains("op.stock: 0 differences in");
    SchemaChange.execute(session, "DROP TABLE op.stock");
  }

  @Test
  @Order(3)
  void should_say_in_one_line_what_is_wrong() {
    assertThat(terminal.run("engine verify " + pid(1) + " op.none")).isEqualTo(2);
    assertThat(terminal.err()).contains("op.none is not stored in RocksDB");
    assertThat(terminal.run("engine compact " + pid(1) + " rows")).isEqualTo(2);
    assertThat(terminal.err()).contains("name tables as keyspace.table, not rows");
    assertThat(terminal.run("engine copy-out " + pid(1))).isEqualTo(2);
    assertThat(terminal.err()).contains("Missing required parameter: 'KEYSPACE.TABLE'");
    assertThat(terminal.run("engine copy-out " + pid(1) + " op.none")).isEqualTo(2);
    assertThat(terminal.err()).contains("op.none is not stored in RocksDB");
    assertThat(terminal.run("engine compare " + pid(1) + " op.rows")).isEqualTo(2);
    assertThat(terminal.err()).contains("op.rows has no memtable that compares it with RocksDB");
    assertThat(terminal.run("engine status 127.0.0.1 -p 1")).isEqualTo(1);
    assertThat(terminal.err()).contains("no JMX answers at 127.0.0.1:1");
  }

  @Test
  @Order(3)
  void should_have_all_rows_of_a_view_when_the_node_that_has_them_was_down() throws Exception {
    SchemaChange.execute(
        session, "CREATE TABLE op.viewed (p int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    for (int p = 0; p < PARTITIONS; p++) {
      session.execute("INSERT INTO op.viewed (p, v) VALUES (" + p + ", " + -p + ")");
    }
    cluster.node(2).kill();
    patiently()
        .until(
            () ->
                session.getMetadata().getNodes().values().stream()
                    .anyMatch(node -> node.getState() == NodeState.DOWN));
    SchemaChange.execute(
        session,
        "CREATE MATERIALIZED VIEW op.by_v AS SELECT p, v FROM op.viewed WHERE v IS NOT NULL AND p"
            + " IS NOT NULL PRIMARY KEY (v, p) WITH memtable = 'rocksdb'");
    cluster.node(2).restart();
    patiently()
        .ignoreExceptions()
        .until(() -> session.execute("SELECT p FROM op.by_v").all().size() == PARTITIONS);
  }

  @Test
  @Order(4)
  void should_refuse_to_remove_anything_while_a_node_leaves() throws Exception {
    FutureTask<Void> leaving = new FutureTask<>(() -> decommission(cluster.node(2)), null);
    new Thread(leaving).start();
    patiently().ignoreExceptions().until(() -> !leavingNodes().isEmpty());
    assertThat(terminal.run("engine cleanup " + pid(1) + " op.rows")).isEqualTo(1);
    assertThat(terminal.out()).contains("op.rows: nodes join, leave or move now");
    leaving.get(10, TimeUnit.MINUTES);
    cluster.node(2).stop();
    checkRows();
  }

  @Test
  @Order(5)
  void should_remove_what_another_node_has_now_and_keep_all_else() throws Exception {
    LabNode second = cluster.node(2);
    second.join(cluster.node(1), LabNode.token(2, 2), Optional.empty());
    session.execute("DELETE FROM op.rows WHERE p = 7");
    long removed = ask("cleanup " + pid(1)).at("/op.rows/partitions").asLong();
    assertThat(removed).isBetween(1L, PARTITIONS - 1L);
    assertThat(ask("cleanup " + pid(1)).at("/op.rows/partitions").asLong()).isZero();
    session.execute("INSERT INTO op.rows (p, c, v) VALUES (7, 1, 'one')");
    session.execute("INSERT INTO op.rows (p, c, v) VALUES (7, 2, 'two')");
    session.execute("INSERT INTO op.rows (p, s) VALUES (7, 1)");
    checkRows();
    cluster.node(1).kill();
    cluster.node(1).restart();
    checkRows();
    assertThat(ask("cleanup " + pid(1)).at("/op.rows/partitions").asLong())
        .as("what was removed is back after a kill")
        .isZero();
  }

  @Test
  @Order(6)
  void should_copy_a_table_and_then_what_changed_and_forget_it_at_a_restart() throws Exception {
    JsonNode first = ask("copy-out " + pid(1) + " op.rows").at("/op.rows/partitions");
    assertThat(first.asLong()).isBetween(1L, PARTITIONS - 1L);
    // One is always copied again: it tells when a move that follows has ended.
    assertThat(ask("copy-out " + pid(1) + " op.rows").at("/op.rows/partitions").asLong()).isOne();
    assertThat(ask("status " + pid(1)).at("/tables/op.rows").path("cassandra_data_files").asLong())
        .isPositive();
    assertThat(terminal.run("engine copy-out " + pid(1) + " op.rows")).isZero();
    assertThat(terminal.out()).contains("op.rows: 1 partitions copied");
    checkRows();
    cluster.node(1).kill();
    cluster.node(1).restart();
    checkRows();
    assertThat(ask("copy-out " + pid(1) + " op.rows").at("/op.rows/partitions").asLong())
        .isEqualTo(first.asLong());
    checkRows();
  }

  @Test
  @Order(7)
  void should_start_from_a_checkpoint_in_place_of_what_it_had() throws Exception {
    LabNode first = cluster.node(1);
    Path data = first.dataDirectory();
    Path copy = data.resolve("copy");
    ask("checkpoint " + pid(1) + " " + copy);
    assertThat(terminal.run("engine checkpoint " + pid(1) + " " + copy)).isEqualTo(1);
    assertThat(terminal.run("engine checkpoint " + pid(1) + " relative")).isEqualTo(2);
    assertThat(terminal.err()).contains("relative is not an absolute path");
    first.kill();
    Files.move(data.resolve("curtail-rocksdb"), data.resolve("damaged"));
    Files.move(copy, data.resolve("curtail-rocksdb"));
    first.restart();
    checkRows();
  }

  @Test
  @Order(8)
  void should_name_the_damaged_file() throws Exception {
    Path rocks = cluster.node(1).logFile().getParent().resolveSibling("data/curtail-rocksdb");
    ask("compact " + pid(1));
    Path file;
    try (Stream<Path> files = Files.list(rocks)) {
      file =
          files
              .filter(each -> each.toString().endsWith(".sst"))
              .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
              .orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 0; i < 16; i++) {
      bytes[10 + i] ^= 0x55;
    }
    Files.write(file, bytes);
    assertThat(terminal.run("engine verify " + pid(1) + " op.rows")).isEqualTo(1);
    assertThat(terminal.out()).contains(file.getFileName() + " is damaged");
  }

  @Test
  @Order(9)
  void should_say_that_the_node_went_away() {
    EngineNode node = CommandLine.populateCommand(new EngineNode(), Long.toString(pid(1)));
    assertThatThrownBy(
            () ->
                node.ask(
                    engine -> {
                      cluster.node(1).kill();
                      return engine.verify("op", "rows");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("what was asked may go on there");
    assertThat(terminal.run("engine status " + pid(1))).isEqualTo(1);
    assertThat(terminal.err()).contains("no JMX answers at " + pid(1));
  }

  private static void decommission(LabNode node) {
    try (NodeManagement management = new NodeManagement(node)) {
      management.invoke(NodeManagement.STORAGE_SERVICE, "decommission", true);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<?> leavingNodes() throws IOException {
    try (NodeManagement management = new NodeManagement(cluster.node(1))) {
      return (List<?>) management.attribute(NodeManagement.STORAGE_SERVICE, "LeavingNodes");
    }
  }

  private static void checkRows() {
    patiently()
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(session.execute("SELECT p, c, v, s FROM op.rows").all())
                    .hasSize(2 * PARTITIONS)
                    .allMatch(row -> row.getInt("s") == 1)
                    .allMatch(
                        row -> row.getString("v").equals(row.getInt("c") == 1 ? "one" : "two")));
  }
}
