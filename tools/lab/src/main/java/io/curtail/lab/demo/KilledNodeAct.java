/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.demo;

import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.Kill;
import java.io.IOException;
import java.util.Locale;

/** A node is killed just after it acknowledged the last write; what it has is read back. */
final class KilledNodeAct implements Act {
  /** What is seen if an acknowledged row is not there. */
  static final String LOST = "ROWS WERE LOST";

  @Override
  public String name() {
    return "a table in RocksDB, kill -9";
  }

  @Override
  public String explanation() {
    return "Rows are written to a stock table and to one in RocksDB, each row on one node only, and"
        + " written again. Then a node is killed, started again, and every row is read.";
  }

  @Override
  public Scene play(Stage stage) throws IOException, InterruptedException {
    TwinTables tables = TwinTables.create(stage.testbed().session());
    stage
        .progress()
        .report(
            String.format(Locale.ROOT, "writing %,d rows twice to each table", TwinTables.ROWS));
    int last = 2;
    for (int version = 1; version <= last; version++) {
      for (TwinTables.Engine engine : TwinTables.Engine.values()) {
        tables.write(engine, version);
      }
    }
    stage.testbed().disconnect();
    LabNode node = stage.testbed().cluster().node(1);
    stage.progress().report("killing node 1, and starting it again");
    Kill.start(node).close();
    tables.awaitAllNodes();
    stage.progress().report("reading every row");
    long stock = tables.missing(TwinTables.Engine.STOCK, last);
    long rocks = tables.missing(TwinTables.Engine.ROCKSDB, last);
    return new Scene(
        name(),
        String.format(Locale.ROOT, "of %,d rows lost or old", TwinTables.ROWS),
        Long.toString(stock),
        Long.toString(rocks),
        rocks == 0 ? "nothing lost" : LOST);
  }
}
