/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import com.datastax.oss.driver.api.core.session.Session;
import io.curtail.campaign.process.ProcFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a reader must know about the machine and the software to judge the numbers. */
public final class MachineFacts {
  private MachineFacts() {}

  /** Processors, memory and system. */
  public static Map<String, String> machine() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
    facts.put("processor", line("/proc/cpuinfo", "model name"));
    facts.put("memory", line("/proc/meminfo", "MemTotal"));
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    return facts;
  }

  /**
   * Of this project, with the commit if the launcher runs in a checkout, of Cassandra as given, of
   * the driver and of Java.
   */
  public static Map<String, String> versions(String cassandra) {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("curtail", version(MachineFacts.class));
    String commit = System.getProperty("curtail.commit");
    if (commit != null) {
      versions.put("commit", commit);
    }
    versions.put("cassandra", cassandra);
    versions.put("java-driver", Session.OSS_DRIVER_COORDINATES.getVersion().toString());
    versions.put("java", System.getProperty("java.vm.version"));
    return versions;
  }

  private static String version(Class<?> type) {
    String version = type.getPackage().getImplementationVersion();
    return version == null ? "not packaged" : version;
  }

  private static String line(String file, String key) {
    try {
      return ProcFile.value(Path.of(file), key);
    } catch (IOException e) {
      return "unknown";
    }
  }
}
