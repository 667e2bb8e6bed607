/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.fuzz;

import io.curtail.engine.trials.NodeCommands;
import io.curtail.engine.trials.NodeTime;
import io.curtail.testnode.NodeProcess;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One table twice in one node: on the stock memtable and on RocksDB. Runs the steps of a script.
 */
final class TablePair {
  private static final String KEYSPACE = "fuzz";

  private static final Pattern CLUSTERING =
      Pattern.compile("\\b[cn]\\d+=.*?(?=, [a-z]\\d+=|$)", Pattern.MULTILINE);

  private static final Pattern SET_OR_MAP =
      Pattern.compile("\\b[a-z]\\d+=\\{.*?\\}(?=, |$)", Pattern.MULTILINE);

  /** Of a set, or a key of a map. */
  private static final Pattern ELEMENT = Pattern.compile("(?<=\\{|, )[^:,{}]+");

  private static final Pattern TIMESTAMP = Pattern.compile("\\$(\\d+)");

  /** In a script, a blob of so many bytes. */
  private static final Pattern LONG_BLOB = Pattern.compile("0x~(\\d+)");

  /** The same in an answer. */
  private static final Pattern LONG_BLOB_SHOWN = Pattern.compile("(?:61){300,}+");

  private static final Pattern COLUMN = Pattern.compile("column_name='?(\\w+)'?, kind='?(\\w+)'?");

  private final NodeTime time;
  private final String stock;
  private final String rocks;
  private long epochMicros;
  private int excused;

  /** Whether its rows live by their cells alone. */
  private boolean isCompact;

  /**
   * @param name not used before on this node
   */
  TablePair(NodeTime time, String name) {
    this.time = time;
    stock = name + "s";
    rocks = name + "r";
  }

  /** Creates both tables; returns what differs, else null. */
  String create(NodeProcess node, List<String> creation) throws IOException {
    for (String statement : creation) {
      isCompact |= statement.contains("COMPACT STORAGE");
      String difference = schema(node, statement);
      if (difference != null) {
        return difference;
      }
    }
    epoch(node);
    return null;
  }

  void drop(NodeProcess node) throws IOException {
    for (String table : List.of(stock, rocks)) {
      time.pass(node, 1);
      ask(node, "DROP TABLE IF EXISTS " + KEYSPACE + "." + table);
    }
  }

  /**
   * Runs a step that is not a restart.
   *
   * @return null if the tables answered alike, else what differs
   * @throws IOException if the node is gone
   */
  String run(NodeProcess node, ScriptStep step) throws IOException {
    return switch (step.kind()) {
      case SCHEMA -> schema(node, step.text());
      case WRITE -> write(node, step.text());
      case QUERY -> query(node, step.text());
      case PAGES -> query(node, "PAGES " + step.text());
      case PASS -> {
        time.pass(node, Long.parseLong(step.text()));
        yield null;
      }
      case EPOCH -> {
        epoch(node);
        yield null;
      }
      case COMPACT_STOCK -> mustWork(node, command("compactStock", stock));
      case FLUSH -> mustWork(node, command("flush", rocks));
      case COMPACT -> mustWork(node, command("compact", rocks));
      case ABSORB -> mustWork(node, command("absorb", rocks));
      case SWEEP -> mustWork(node, command("sweep", rocks));
      case MOVE -> {
        time.pass(node, 1);
        yield mustWork(
            node,
            "ALTER TABLE " + KEYSPACE + "." + rocks + " WITH memtable = '" + step.text() + "'");
      }
      default -> throw new IllegalArgumentException("not for one pair of tables: " + step);
    };
  }

  /** What was written before the restart is older than what comes. */
  void restarted(NodeProcess node) throws IOException {
    epoch(node);
  }

  private void epoch(NodeProcess node) throws IOException {
    time.pass(node, 2);
    epochMicros = time.seconds() * 1_000_000;
    time.pass(node, 2);
  }

  private String schema(NodeProcess node, String statement) throws IOException {
    time.pass(node, 1);
    String onStock = ask(node, named(statement, stock, "default"));
    time.pass(node, 1);
    String onRocks = ask(node, named(statement, rocks, "rocksdb"));
    if (statement.startsWith("CREATE INDEX")) {
      ask(node, command("awaitIndexes", stock));
      ask(node, command("awaitIndexes", rocks));
    }
    time.pass(node, 1);
    return difference(statement, onStock, onRocks);
  }

  private String write(NodeProcess node, String statement) throws IOException {
    if (!statement.contains(" IF ")) {
      return compare(node, statement);
    }
    time.pass(node, 1);
    String difference = compare(node, statement);
    time.pass(node, 1);
    return difference;
  }

  /** How many answers differed in no more than a {@link NarrowQuery} may. */
  int excused() {
    return excused;
  }

  private String query(NodeProcess node, String query) throws IOException {
    String difference = compare(node, query);
    NarrowQuery narrow = NarrowQuery.of(query);
    if (difference == null || narrow == null || isCompact) {
      return difference;
    }
    Map<String, String> kinds = columnKinds(node);
    String wide = narrow.wide(kinds.keySet());
    if (compare(node, wide) != null
        || !isPart(node, narrow, wide, kinds, stock)
        || !isPart(node, narrow, wide, kinds, rocks)) {
      return difference;
    }
    excused++;
    return null;
  }

  private boolean isPart(
      NodeProcess node, NarrowQuery narrow, String wide, Map<String, String> kinds, String table)
      throws IOException {
    return narrow.isPart(
        node.cql(named(narrow.unlimited(), table, "")), node.cql(named(wide, table, "")), kinds);
  }

  private Map<String, String> columnKinds(NodeProcess node) throws IOException {
    Map<String, String> kinds = new TreeMap<>();
    String where = " WHERE keyspace_name = '" + KEYSPACE + "' AND table_name = '" + stock + "'";
    for (String row : node.cql("SELECT column_name, kind FROM system_schema.columns" + where)) {
      Matcher column = COLUMN.matcher(row);
      if (!column.matches()) {
        throw new IllegalStateException("not a column: " + row);
      }
      kinds.put(column.group(1), column.group(2));
    }
    return kinds;
  }

  private String compare(NodeProcess node, String statement) throws IOException {
    return difference(
        statement,
        ask(node, named(statement, stock, "default")),
        ask(node, named(statement, rocks, "rocksdb")));
  }

  private String difference(String statement, String onStock, String onRocks) {
    return withOneSpelling(onStock).equals(withOneSpelling(onRocks))
        ? null
        : statement + "\n  stock:   " + onStock + "\n  rocksdb: " + onRocks;
  }

  /**
   * Clusterings that compare as equal are one row, such as 1 and 1.0, and so are elements of a set
   * or keys of a map one cell. Which of the two an answer shows depends on flushes in Cassandra, of
   * two cells if they have one timestamp.
   */
  static String withOneSpelling(String answer) {
    String rows = withOneSpelling(CLUSTERING, answer);
    return SET_OR_MAP
        .matcher(rows)
        .replaceAll(found -> Matcher.quoteReplacement(withOneSpelling(ELEMENT, found.group())));
  }

  private static String withOneSpelling(Pattern parts, String answer) {
    return parts
        .matcher(answer)
        .replaceAll(found -> Matcher.quoteReplacement(CqlTypes.withOneSpelling(found.group())));
  }

  private static String command(String name, String table) {
    return "CALL %s %s %s %s".formatted(NodeCommands.class.getName(), name, KEYSPACE, table);
  }

  private String mustWork(NodeProcess node, String command) throws IOException {
    String answer = ask(node, command);
    return answer.startsWith("error") ? command + "\n  " + answer : null;
  }

  /** The rows, or the error, with the names of both tables made the same. */
  private String ask(NodeProcess node, String statement) throws IOException {
    String answer;
    try {
      answer = String.join("\n           ", node.cql(statement));
    } catch (IllegalStateException e) {
      answer = "error " + e.getMessage();
    }
    return LONG_BLOB_SHOWN
        .matcher(answer.replace(stock, "T").replace(rocks, "T"))
        .replaceAll(blob -> "~" + blob.group().length() / 2);
  }

  private String named(String statement, String name, String memtable) {
    String named =
        statement
            .replace("'%'", "'" + memtable + "'")
            .replace("#", KEYSPACE + "." + name)
            .replace("@", name);
    String dated =
        TIMESTAMP
            .matcher(named)
            .replaceAll(found -> Long.toString(epochMicros + Long.parseLong(found.group(1))));
    return LONG_BLOB
        .matcher(dated)
        .replaceAll(blob -> "0x" + "61".repeat(Integer.parseInt(blob.group(1))));
  }
}
