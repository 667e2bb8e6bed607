/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.options;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.cassandra.config.DataStorageSpec;
import org.apache.cassandra.config.DurationSpec;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * The parameters of a memtable configuration, read one at a time; remembers which are known. What a
 * parameter cannot be is a {@link ConfigurationException} that says what it can. For one thread.
 */
public final class Parameters {
  private final Map<String, String> parameters;
  private final Set<String> known = new TreeSet<>();

  /**
   * @param parameters as Cassandra gives them; emptied by {@link #refuseTheRest}
   */
  public Parameters(Map<String, String> parameters) {
    this.parameters = parameters;
  }

  /** All that were given. */
  Map<String, String> given() {
    return new HashMap<>(parameters);
  }

  ConfigurationException refusal(String name, String why) {
    return new ConfigurationException(
        "rocksdb memtable: the parameter " + name + " " + why + " (docs/engine/configure.md)",
        false);
  }

  /** A text, without spaces around it. */
  public String text(String name, String byDefault) {
    known.add(name);
    String value = parameters.get(name);
    return value == null ? byDefault : value.trim();
  }

  boolean flag(String name, boolean byDefault) {
    String value = oneOf(name, Set.of("true", "false"), Boolean.toString(byDefault));
    return Boolean.parseBoolean(value);
  }

  /** A whole number. */
  public long number(String name, long byDefault, long least, long most) {
    return parse(name, Long.toString(byDefault), "a number", least, most, Long::parseLong);
  }

  /** A size in bytes. */
  public long size(String name, String byDefault, long least, long most) {
    return parse(
        name,
        byDefault,
        "a size such as 64MiB, in bytes",
        least,
        most,
        value -> new DataStorageSpec.LongBytesBound(value).toBytes());
  }

  long size(String name, LongSupplier byDefault, long least, long most) {
    String chosen = parameters.containsKey(name) ? "" : byDefault.getAsLong() + "B";
    return size(name, chosen, least, most);
  }

  /** A rate in bytes per second. */
  long rate(String name, String byDefault, long least, long most) {
    return parse(
        name,
        byDefault,
        "a rate such as 64MiB/s, in bytes per second",
        least,
        most,
        value -> {
          if (!value.endsWith("/s")) {
            throw new IllegalArgumentException(value);
          }
          String size = value.substring(0, value.length() - 2);
          return new DataStorageSpec.LongBytesBound(size).toBytes();
        });
  }

  /** A time in milliseconds. */
  public long duration(String name, String byDefault, long leastMillis, long mostMillis) {
    return parse(
        name,
        byDefault,
        "a time such as 100ms, in milliseconds",
        leastMillis,
        mostMillis,
        value -> new DurationSpec.LongMillisecondsBound(value).toMilliseconds());
  }

  private long parse(
      String name,
      String byDefault,
      String what,
      long least,
      long most,
      Function<String, Long> parser) {
    String value = text(name, byDefault);
    long number;
    try {
      number = parser.apply(value);
    } catch (RuntimeException e) {
      throw refusal(name, "is \"" + value + "\" but must be " + what);
    }
    if (number < least || number > most) {
      throw refusal(
          name, "is \"" + value + "\" but must be " + what + ", from " + least + " to " + most);
    }
    return number;
  }

  <E extends Enum<E>> E oneOf(String name, Class<E> type, E byDefault) {
    Map<String, E> values = new LinkedHashMap<>();
    for (E value : type.getEnumConstants()) {
      values.put(value.name().toLowerCase(Locale.ROOT), value);
    }
    String chosen = oneOf(name, values.keySet(), byDefault.name().toLowerCase(Locale.ROOT));
    return values.get(chosen);
  }

  String oneOf(String name, Set<String> values, String byDefault) {
    String value = text(name, byDefault).toLowerCase(Locale.ROOT);
    if (!values.contains(value)) {
      throw refusal(name, "is \"" + value + "\" but must be one of " + values);
    }
    return value;
  }

  /** {@code name=value;name=value}, as RocksDB writes its options. */
  Map<String, String> pairs(String name) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : text(name, "").split(";", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        pairs.put(pair.substring(0, equals).trim(), pair.substring(equals + 1).trim());
      } else if (!pair.isBlank()) {
        throw refusal(name, "has \"" + pair + "\" but must be name=value;name=value");
      }
    }
    return pairs;
  }

  /**
   * Takes all parameters out of the map, as Cassandra asks of whoever knows them.
   *
   * @throws ConfigurationException if one was not read
   */
  public void refuseTheRest() {
    for (String name : parameters.keySet()) {
      if (!known.contains(name)) {
        throw refusal(
            name, "is not known; known are " + Arrays.toString(known.toArray(new String[0])));
      }
    }
    parameters.clear();
  }
}
