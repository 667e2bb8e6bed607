/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.Locale;
import java.util.Random;

/** Random writes of every kind to a table {@code #} of few rows, so that they compete. */
final class ComparedWrites {
  private ComparedWrites() {}

  /** One statement. */
  static String next(Random random) {
    String p = "p = " + random.nextInt(8);
    int c = random.nextInt(6);
    String row = p + " AND c = " + c + " AND d = '" + "x".repeat(random.nextInt(3)) + "'";
    int v = random.nextInt(4);
    String using = using(random);
    switch (random.nextInt(19)) {
      case 0:
      case 1:
      case 2:
        return insert(random, row, v) + using;
      case 3:
        return insert(random, row, v) + " USING TTL " + (1 + random.nextInt(2));
      case 4:
        return insert(random, row, v) + " IF NOT EXISTS";
      case 5:
        return "UPDATE # " + using + " SET v = " + v + " WHERE " + row;
      case 6:
        return "UPDATE # SET v = " + v + " WHERE " + row + " IF v = " + (v + 1);
      case 7:
        return "UPDATE # SET s = " + v + ", t = t + {" + v + "} WHERE " + p;
      case 8:
        return "UPDATE # " + using + " SET m[" + v + "] = 'y' WHERE " + row;
      case 9:
        return "UPDATE # SET m = m - {" + v + "}, l = l + [" + v + "] WHERE " + row;
      case 10:
        return "UPDATE # SET m = {1: 'z'}, f = [1, " + v + "] WHERE " + row;
      case 11:
        return "DELETE v, m FROM # " + using + " WHERE " + row;
      case 12:
        return "DELETE m[" + v + "] FROM # WHERE " + row;
      case 13:
        return "DELETE FROM # " + using + " WHERE " + row;
      case 14:
        return "DELETE FROM # WHERE " + p + " AND c >= " + c + " AND c < " + (c + 2);
      case 15:
        return "DELETE FROM # " + using + " WHERE " + p + " AND c = " + c;
      case 16:
        return random.nextInt(3) == 0
            ? "DELETE FROM # WHERE " + p
            : "DELETE s, t FROM # WHERE " + p;
      case 17:
        return "BEGIN UNLOGGED BATCH UPDATE # SET s = 9 WHERE "
            + p
            + "; "
            + insert(random, row, v)
            + "; DELETE FROM # WHERE "
            + p
            + " AND c > "
            + c
            + "; APPLY BATCH";
      default:
        return "BEGIN BATCH "
            + insert(random, row, v)
            + "; UPDATE # SET v = 8 WHERE p = 9 AND c = 1 AND d = ''; APPLY BATCH";
    }
  }

  private static String insert(Random random, String row, int v) {
    String[] parts =
        row.replace("p = ", "").replace("c = ", "").replace("d = ", "").split(" AND ", -1);
    return String.format(
        Locale.ROOT,
        "INSERT INTO # (p, c, d, v, m, l) VALUES (%s, %s, %s, %d, {%d: 'a'}, [%d])",
        parts[0],
        parts[1],
        parts[2],
        v,
        random.nextInt(3),
        v);
  }

  /** A timestamp of few, or none. */
  private static String using(Random random) {
    return random.nextBoolean()
        ? ""
        : " USING TIMESTAMP " + (1_700_000_000_000_000L + random.nextInt(5));
  }
}
