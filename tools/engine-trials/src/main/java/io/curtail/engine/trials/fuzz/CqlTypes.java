/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.fuzz;

import io.curtail.engine.trials.fuzz.CqlType.Form;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Every type of CQL, with few values each, so that writes meet, and with those at the edges. */
final class CqlTypes {
  private static final int DEEPEST = 2;

  /** The types whose value may be zero bytes long and is then none of their other values. */
  private static final Set<String> HAVE_EMPTY_VALUE =
      Set.of(
          "bigint", "boolean", "decimal", "double", "int", "inet", "timestamp", "uuid", "varint");

  private static final List<CqlType> SIMPLE =
      List.of(
          of("ascii", "''", "'a'", "'ab'", "'b'", "'a~'"),
          of("bigint", "0", "-1", "9223372036854775807", "-9223372036854775808", "255", "-256"),
          of(
              "blob",
              "0x",
              "0x00",
              "0x0000",
              "0x00ff",
              "0xff",
              "0xff00",
              "0x61",
              "0x~600",
              "0x~20000"),
          of("boolean", "true", "false"),
          of("date", "'1970-01-01'", "0", "4294967295", "'2038-01-19'", "2147483647"),
          of("decimal", "1", "1.0", "1.00", "-1.0", "0", "0.00", "1e300", "-1e-300", "99.9"),
          of("double", "0.0", "-0.0", "NaN", "Infinity", "-Infinity", "1.5", "-1.5"),
          of("float", "0.0", "-0.0", "NaN", "Infinity", "-Infinity", "1.5", "-1.5"),
          of("inet", "'1.2.3.4'", "'::1'", "'255.255.255.255'", "'2001:db8::ff00:42:8329'"),
          of("int", "0", "1", "-1", "2147483647", "-2147483648", "256"),
          of("smallint", "0", "-1", "32767", "-32768"),
          of("text", "''", "'a'", "'ab'", "'b'", "'it''s'", "'\u00e9'", "'\uffff'", "'zz z'"),
          of("time", "'00:00:00'", "'08:12:54.123456789'", "86399999999999"),
          of("timestamp", "0", "-1", "1700000000000", "9223372036854775807"),
          of(
              "timeuuid",
              "50554d6e-29bb-11e5-b345-feff819cdc9f",
              "50554d6e-29bb-11e5-8000-000000000000",
              "00000000-0000-1000-ffff-ffffffffffff",
              "ffffffff-ffff-1fff-8080-808080808080"),
          of("tinyint", "0", "-1", "127", "-128"),
          of(
              "uuid",
              "50554d6e-29bb-11e5-b345-feff819cdc9f",
              "f0000000-0000-4000-8000-000000000000",
              "00000000-0000-0000-0000-000000000000",
              "ffffffff-ffff-ffff-ffff-ffffffffffff"),
          of("varint", "0", "-1", "128", "-129", "255", "123456789012345678901234567890"));

  private static final CqlType DURATION =
      simple("duration", false, "1d", "24h", "1mo2d3ns", "0s", "-5m");

  private final Random random;

  CqlTypes(Random random) {
    this.random = random;
  }

  /** Whether a value, or one in it, may be zero bytes long where no other of its type is. */
  static boolean mayBeEmpty(CqlType type) {
    return HAVE_EMPTY_VALUE.stream().anyMatch(type::has);
  }

  private static CqlType of(String name, String... literals) {
    return simple(name, true, literals);
  }

  private static CqlType simple(String name, boolean comparable, String... literals) {
    String empty = HAVE_EMPTY_VALUE.contains(name) ? "blob_as_" + name + "(0x)" : null;
    return new CqlType(
        name,
        Form.SINGLE,
        comparable,
        List.of(),
        random ->
            empty != null && random.nextInt(40) == 0
                ? empty
                : literals[random.nextInt(literals.length)]);
  }

  /** A type that a partition or clustering key may have. */
  CqlType key() {
    return random.nextInt(4) > 0 ? comparable(0) : frozen(0, true);
  }

  /** A type of one cell. */
  CqlType single() {
    return random.nextInt(3) > 0 ? any(0) : frozen(0, false);
  }

  /** A type of many cells. */
  CqlType multiCell(String userType) {
    CqlType element = element();
    return switch (random.nextInt(4)) {
      case 0 -> listOf("list<" + element.cql() + ">", Form.LIST, element, "[", "]", false);
      case 1 -> {
        CqlType item = comparable(1);
        yield listOf("set<" + item.cql() + ">", Form.SET, item, "{", "}", false);
      }
      case 2 -> {
        CqlType key = comparable(1);
        yield map("map<" + key.cql() + ", " + element.cql() + ">", Form.MAP, key, element, false);
      }
      default -> user(userType, Form.USER, List.of(any(1), frozen(1, false), any(1)), false);
    };
  }

  /** The fields of a user type, as {@code CREATE TYPE} lists them. */
  static String fields(CqlType user) {
    return IntStream.range(0, user.parts().size())
        .mapToObj(i -> "f" + i + " " + user.parts().get(i).cql())
        .collect(Collectors.joining(", "));
  }

  private CqlType element() {
    return random.nextInt(3) > 0 ? any(1) : frozen(1, false);
  }

  private CqlType comparable(int depth) {
    return depth < DEEPEST && random.nextInt(8) == 0
        ? frozen(depth, true)
        : SIMPLE.get(random.nextInt(SIMPLE.size()));
  }

  private CqlType any(int depth) {
    return random.nextInt(12) == 0 ? DURATION : comparable(depth);
  }

  private CqlType frozen(int depth, boolean mustCompare) {
    Supplier<CqlType> part = () -> mustCompare ? comparable(depth + 1) : any(depth + 1);
    return switch (random.nextInt(5)) {
      case 0 -> {
        CqlType element = part.get();
        yield listOf(
            "frozen<list<" + element.cql() + ">>", Form.SINGLE, element, "[", "]", mustCompare);
      }
      case 1 -> {
        CqlType item = comparable(depth + 1);
        yield listOf("frozen<set<" + item.cql() + ">>", Form.SINGLE, item, "{", "}", mustCompare);
      }
      case 2 -> {
        CqlType key = comparable(depth + 1);
        CqlType value = part.get();
        yield map(
            "frozen<map<" + key.cql() + ", " + value.cql() + ">>",
            Form.SINGLE,
            key,
            value,
            mustCompare);
      }
      case 3 -> tuple(List.of(part.get(), part.get()), mustCompare);
      default -> vector(part.get(), 1 + random.nextInt(3), mustCompare);
    };
  }

  private static CqlType listOf(
      String cql, Form form, CqlType element, String open, String close, boolean comparable) {
    return new CqlType(
        cql,
        form,
        comparable,
        List.of(element),
        random -> {
          Map<String, String> items = new LinkedHashMap<>();
          for (int i = random.nextInt(4); i > 0; i--) {
            String item = element.literal(random);
            items.putIfAbsent(equality(item), item);
          }
          return open + String.join(", ", items.values()) + close;
        });
  }

  private static CqlType map(
      String cql, Form form, CqlType key, CqlType value, boolean comparable) {
    return new CqlType(
        cql,
        form,
        comparable,
        List.of(key, value),
        random -> {
          Map<String, String> keys = new LinkedHashMap<>();
          for (int i = random.nextInt(4); i > 0; i--) {
            String literal = key.literal(random);
            keys.putIfAbsent(equality(literal), literal);
          }
          return keys.values().stream()
              .map(item -> item + ": " + value.literal(random))
              .collect(Collectors.joining(", ", "{", "}"));
        });
  }

  /**
   * The same for literals whose values compare as equal, such as 1 and 1.0, or a set in two orders.
   * Cassandra keeps one of two equal keys of a literal, and which is chance: it depends on where
   * objects lie in memory.
   */
  private static String equality(String literal) {
    char[] characters = withOneSpelling(literal).toCharArray();
    Arrays.sort(characters);
    return new String(characters);
  }

  /** One for 1, 1.0 and 1.00, and one for 0 and 0.00. */
  static String withOneSpelling(String literal) {
    return literal.replaceAll("\\b1\\.00?\\b", "1").replaceAll("\\b0\\.00\\b", "0");
  }

  private static CqlType tuple(List<CqlType> parts, boolean comparable) {
    String cql = parts.stream().map(CqlType::cql).collect(Collectors.joining(", "));
    return new CqlType(
        "frozen<tuple<" + cql + ">>",
        Form.SINGLE,
        comparable,
        parts,
        random ->
            parts.stream()
                .map(part -> random.nextInt(6) == 0 ? "null" : part.literal(random))
                .collect(Collectors.joining(", ", "(", ")")));
  }

  private static CqlType vector(CqlType element, int dimension, boolean comparable) {
    return new CqlType(
        "vector<" + element.cql() + ", " + dimension + ">",
        Form.SINGLE,
        comparable,
        List.of(element),
        random ->
            Stream.generate(() -> element.literal(random))
                .limit(dimension)
                .collect(Collectors.joining(", ", "[", "]")));
  }

  private static CqlType user(String name, Form form, List<CqlType> fields, boolean comparable) {
    return new CqlType(
        name,
        form,
        comparable,
        fields,
        random -> {
          List<String> items = new ArrayList<>();
          for (int i = 0; i < fields.size(); i++) {
            if (random.nextInt(4) > 0) {
              items.add("f" + i + ": " + fields.get(i).literal(random));
            }
          }
          return items.isEmpty() ? "{f0: null}" : "{" + String.join(", ", items) + "}";
        });
  }
}
