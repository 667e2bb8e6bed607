/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

import io.curtail.report.Chart;
import io.curtail.report.Figure;
import io.curtail.report.Json;
import io.curtail.report.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What a {@link StoppableRun} found. Immutable. */
public interface Report {
  /** The width of a figure in a file of its own, in CSS pixels. */
  int FIGURE_WIDTH = 840;

  /** Returns whether nothing was finished. */
  boolean isEmpty();

  /** Returns whether what was to be shown was shown, or measured by the rules. */
  boolean isSuccess();

  /** Returns tables for a terminal. */
  String toText();

  /** Returns what the file for machines has. */
  Object data();

  /** Returns the same for people. */
  Page page();

  /** Returns the name of the file for machines. */
  default String dataFile() {
    return "report.json";
  }

  /** Returns the main figures by the names of their files. */
  default Map<String, Chart> figures() {
    return Map.of();
  }

  /** Writes {@code report.html} and the file for machines into the folder. */
  default void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Json.write(folder.resolve(dataFile()), data());
    page().write(folder.resolve("report.html"));
  }

  /** Writes each of the main figures as an SVG file of its own. */
  default void writeFigures(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Map.Entry<String, Chart> figure : figures().entrySet()) {
      Figure.write(folder.resolve(figure.getKey() + ".svg"), figure.getValue(), FIGURE_WIDTH);
    }
  }

  /** Writes an HdrHistogram log of each run, unless the campaign has done so on the way. */
  default void writeHistograms(Path folder) throws IOException {}
}
