/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A fault that changes by itself, in a thread, until it is closed. */
public final class FaultThread implements Fault {
  /** What a fault does over time. */
  public interface Course {
    /** Returns soon after {@link FaultThread#isClosedWithin} returned true. */
    void run(FaultThread thread) throws IOException, InterruptedException;
  }

  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile IOException failure;

  private FaultThread(String name, Course course) {
    thread = new Thread(() -> run(course), name);
    thread.setDaemon(true);
  }

  public static FaultThread start(String name, Course course) {
    FaultThread started = new FaultThread(name, course);
    started.thread.start();
    return started;
  }

  private void run(Course course) {
    try {
      course.run(this);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      failure = e;
    } catch (RuntimeException e) {
      failure = new IOException(e);
    }
  }

  /** Waits for so long, or until it is closed; returns whether it is. */
  public boolean isClosedWithin(Duration time) throws InterruptedException {
    return closing.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Waits for the end of the course, also when interrupted: it may be about to start a node.
   *
   * @throws IOException what the course failed with, once: closing twice does nothing
   */
  @Override
  public void close() throws IOException {
    closing.countDown();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    IOException thrown = failure;
    failure = null;
    if (thrown != null) {
      throw thrown;
    }
  }
}
