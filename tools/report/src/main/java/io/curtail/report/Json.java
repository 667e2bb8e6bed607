/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;

/**
 * Results for machines. Records become objects with their components in the order of declaration;
 * null and NaN are left out or null, never a string. Instants are ISO 8601.
 */
public final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
          .addModule(new FiniteNumbers())
          .addModule(new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance))
          .build();

  private Json() {}

  public static String of(Object value) {
    try {
      return MAPPER.writeValueAsString(value) + "\n";
    } catch (IOException e) {
      throw new IllegalArgumentException("not representable in JSON: " + e.getMessage(), e);
    }
  }

  /** The same as who reads it sees it. */
  public static JsonNode tree(Object value) {
    try {
      return MAPPER.readTree(of(value));
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Replaces a file that is there: all of it or nothing. */
  public static void write(Path file, Object value) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, of(value));
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Reads what {@link #write} wrote. */
  public static <T> T read(Path file, Class<T> type) throws IOException {
    return MAPPER.readValue(file.toFile(), type);
  }
}
