/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Curtail.class.getPackage().getImplementationVersion();
    return new String[] {"curtail " + (version == null ? "(not packaged)" : version)};
  }
}
