/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.store.NativeCalls;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The library in C, which a build without a compiler leaves out: nodes then merge in Java. */
final class MergeLibrary {
  private MergeLibrary() {}

  /** Whether this build has it for this platform. */
  static boolean isBuilt() {
    return NativeMerge.class.getResource(NativeMerge.resource()) != null;
  }

  /** For tests of what nothing else does: where it is not built, that it is refused is tested. */
  static boolean isMissing() throws IOException {
    return !isBuilt() && load(Path.of("nowhere")).isEmpty();
  }

  /** Loads it; where it is not built, checks that who asks for it is told. */
  static Optional<NativeCalls> load(Path folder) throws IOException {
    if (isBuilt()) {
      return Optional.of(NativeMerge.load(folder));
    }
    assertThatThrownBy(() -> NativeMerge.load(folder))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageStartingWith("this jar has no library for ");
    return Optional.empty();
  }
}
