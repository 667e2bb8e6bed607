/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoppableRunTest {
  private final List<String> told = new ArrayList<>();

  @Test
  void should_not_be_stopped_after_its_end() throws IOException {
    Measured run = new Measured(() -> {});
    run.run();
    assertThat(run.stopped()).isFalse();
    assertThat(told).isEmpty();
  }

  @Test
  void should_return_when_interrupted_and_tell_so() throws IOException {
    Measured run =
        new Measured(
            () -> {
              throw new InterruptedException();
            });
    run.run();
    assertThat(run.stopped()).isTrue();
    assertThat(told).containsExactly("interrupted: what was finished is reported");
  }

  @Test
  void should_be_stopped_by_what_goes_wrong() {
    Measured run =
        new Measured(
            () -> {
              throw new IllegalStateException("a node does not start");
            });
    assertThatIllegalStateException().isThrownBy(run::run).withMessage("a node does not start");
    assertThat(run.stopped()).isTrue();
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private final class Measured extends StoppableRun {
    private final Work work;

    Measured(Work work) {
      super(told::add);
      this.work = work;
    }

    @Override
    protected void measure() throws InterruptedException {
      work.run();
    }

    boolean stopped() {
      return isStopped();
    }

    @Override
    public Report report() {
      throw new UnsupportedOperationException();
    }
  }
}
