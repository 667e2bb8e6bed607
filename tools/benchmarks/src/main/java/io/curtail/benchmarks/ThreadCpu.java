/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The processor time of a benchmark's thread per operation, which holds on a busy machine where
 * wall time does not. The benchmark must call {@link #next()} once an operation. JMH adds up the
 * values of all threads.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class ThreadCpu {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Nanoseconds an operation; public for JMH. */
  public double cpuNanos;

  private int operations;
  private long startNanos;

  @Setup(Level.Iteration)
  public void start() {
    operations = 0;
    cpuNanos = 0;
    startNanos = THREADS.getCurrentThreadCpuTime();
  }

  @TearDown(Level.Iteration)
  public void stop() {
    cpuNanos = (double) (THREADS.getCurrentThreadCpuTime() - startNanos) / Math.max(1, operations);
  }

  /** Counts an operation, and returns the count as an index into prepared inputs. */
  public int next() {
    return operations++;
  }
}
