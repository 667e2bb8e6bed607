/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.testnode;

import java.util.ArrayList;
import java.util.List;

/** The module flags that Cassandra 5.0 needs on JDK 17, as in its {@code jvm17-server.options}. */
public final class NodeFlags {
  private static final List<String> EXPORTS =
      List.of(
          "java.base/jdk.internal.misc",
          "java.base/jdk.internal.ref",
          "java.base/sun.nio.ch",
          "java.base/java.lang.ref",
          "java.management.rmi/com.sun.jmx.remote.internal.rmi",
          "java.rmi/sun.rmi.registry",
          "java.rmi/sun.rmi.server",
          "java.sql/java.sql",
          "jdk.unsupported/sun.misc");

  private static final List<String> OPENS =
      List.of(
          "java.base/java.lang.module",
          "java.base/jdk.internal.loader",
          "java.base/jdk.internal.ref",
          "java.base/jdk.internal.reflect",
          "java.base/jdk.internal.math",
          "java.base/jdk.internal.module",
          "java.base/jdk.internal.util.jar",
          "java.base/sun.nio.ch",
          "java.base/java.io",
          "java.base/java.nio",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.concurrent.atomic",
          "java.base/java.lang",
          "jdk.management/com.sun.management.internal");

  private NodeFlags() {}

  /** The flags, in the order in which a command line takes them. */
  public static List<String> all() {
    List<String> flags = new ArrayList<>();
    for (String export : EXPORTS) {
      flags.add("--add-exports=" + export + "=ALL-UNNAMED");
    }
    for (String open : OPENS) {
      flags.add("--add-opens=" + open + "=ALL-UNNAMED");
    }
    flags.add("-Djdk.attach.allowAttachSelf=true");
    flags.add("-Dio.netty.tryReflectionSetAccessible=true");
    return flags;
  }
}
