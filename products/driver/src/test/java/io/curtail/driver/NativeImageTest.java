/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.loadbalancing.LoadBalancingPolicy;
import com.datastax.oss.driver.api.core.session.throttling.RequestThrottler;
import com.datastax.oss.driver.api.core.specex.SpeculativeExecutionPolicy;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the jar tells GraalVM's native image, which sees no class that is loaded by its name. */
class NativeImageTest {
  private static final String METADATA = "META-INF/native-image/io.curtail/curtail-driver/";

  /** What the driver's configuration names classes of; it makes them by their constructors. */
  private static final List<Class<?>> NAMED_IN_CONFIGURATION =
      List.of(LoadBalancingPolicy.class, SpeculativeExecutionPolicy.class, RequestThrottler.class);

  @Test
  void should_name_each_class_that_configuration_names_with_the_constructor_the_driver_calls()
      throws Exception {
    Map<String, List<List<String>>> expected = new LinkedHashMap<>();
    for (Class<?> named : configurable()) {
      expected.put(named.getName(), List.of(constructor(named)));
    }
    assertThat(expected.keySet())
        .contains(AdaptivePolicy.class.getName(), AdaptiveThrottler.class.getName());
    assertThat(constructorsInMetadata()).isEqualTo(expected);
  }

  @Test
  void should_name_only_what_there_is() throws Exception {
    for (Map.Entry<String, List<List<String>>> named : constructorsInMetadata().entrySet()) {
      Class<?> type = Class.forName(named.getKey());
      for (List<String> parameters : named.getValue()) {
        Class<?>[] types = new Class<?>[parameters.size()];
        for (int i = 0; i < types.length; i++) {
          types[i] = Class.forName(parameters.get(i));
        }
        assertThat(type.getConstructor(types).getParameterTypes()).isEqualTo(types);
      }
    }
    for (JsonNode resource : read("resource-config.json").at("/resources/includes")) {
      String name = resource.get("pattern").asText().replace("\\Q", "").replace("\\E", "");
      assertThat(new File(classes(), name)).exists();
    }
  }

  /** A policy belongs to a profile, the throttler to the session. */
  private static List<String> constructor(Class<?> named) {
    return RequestThrottler.class.isAssignableFrom(named)
        ? List.of(DriverContext.class.getName())
        : List.of(DriverContext.class.getName(), String.class.getName());
  }

  private static List<Class<?>> configurable() throws Exception {
    List<Class<?>> found = new ArrayList<>();
    String folder = NativeImageTest.class.getPackageName().replace('.', '/');
    File[] files = new File(classes(), folder).listFiles((in, name) -> name.endsWith(".class"));
    for (File file : Stream.of(files).sorted().collect(Collectors.toList())) {
      String simpleName = file.getName().replace(".class", "");
      Class<?> type = Class.forName(NativeImageTest.class.getPackageName() + "." + simpleName);
      if (!Modifier.isAbstract(type.getModifiers())
          && NAMED_IN_CONFIGURATION.stream().anyMatch(kind -> kind.isAssignableFrom(type))) {
        found.add(type);
      }
    }
    return found;
  }

  private static File classes() throws Exception {
    return new File(
        AdaptivePolicy.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** The parameters of each class's constructors. */
  private static Map<String, List<List<String>>> constructorsInMetadata() throws IOException {
    Map<String, List<List<String>>> classes = new LinkedHashMap<>();
    for (JsonNode named : read("reflect-config.json")) {
      List<List<String>> constructors = new ArrayList<>();
      for (JsonNode method : named.get("methods")) {
        assertThat(method.get("name").asText()).isEqualTo("<init>");
        List<String> parameters = new ArrayList<>();
        method.get("parameterTypes").forEach(type -> parameters.add(type.asText()));
        constructors.add(parameters);
      }
      classes.put(named.get("name").asText(), constructors);
    }
    return classes;
  }

  private static JsonNode read(String file) throws IOException {
    try (InputStream in =
        NativeImageTest.class.getClassLoader().getResourceAsStream(METADATA + file)) {
      return new ObjectMapper().readTree(in);
    }
  }
}
