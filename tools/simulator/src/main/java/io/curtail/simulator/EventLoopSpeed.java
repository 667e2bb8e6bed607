/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.campaign.Turns;
import io.curtail.selection.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.IntToDoubleFunction;

/**
 * How many events a second the event loop does beside {@link PriorityQueue}: each event that
 * happens schedules the next one at a random time, so that as many are pending all the time. One
 * thread; the two take {@link Turns}.
 *
 * @param pending events at any time, at least 1
 * @param events in a turn, at least 1
 */
public record EventLoopSpeed(int pending, int events) {
  private static final long MEAN_DELAY_NANOS = 1_000_000;

  /**
   * One turn of both.
   *
   * @param eventsPerSecond of the event loop
   * @param priorityQueueEventsPerSecond of {@link PriorityQueue}
   */
  public record Turn(double eventsPerSecond, double priorityQueueEventsPerSecond) {}

  public EventLoopSpeed {
    if (pending < 1 || events < 1) {
      throw new IllegalArgumentException("there must be at least one event");
    }
  }

  /** Takes turns; the first two of them only warm up and are not returned. */
  public List<Turn> run(int turns) {
    return run(
        turns,
        seed -> {
          EventLoop loop = new EventLoop();
          return eventsPerSecond(seed, loop::after, loop::step);
        },
        seed -> {
          PriorityQueueLoop queue = new PriorityQueueLoop();
          return eventsPerSecond(seed, queue::after, queue::step);
        });
  }

  static List<Turn> run(int turns, IntToDoubleFunction loop, IntToDoubleFunction priorityQueue) {
    List<IntToDoubleFunction> sides = List.of(loop, priorityQueue);
    List<Turn> measured = new ArrayList<>();
    for (int turn = -2; turn < turns; turn++) {
      double[] taken = new double[sides.size()];
      for (int side : Turns.order(List.of(0, 1), turn)) {
        taken[side] = sides.get(side).applyAsDouble(turn);
      }
      if (turn >= 0) {
        measured.add(new Turn(taken[0], taken[1]));
      }
    }
    return measured;
  }

  private static long delay(RandomSource random) {
    return (random.nextLong() >>> 1) % (2 * MEAN_DELAY_NANOS);
  }

  private record Pending(long timeNanos, long order, Actor actor, int event, Object subject)
      implements Comparable<Pending> {
    @Override
    public int compareTo(Pending other) {
      int byTime = Long.compare(timeNanos, other.timeNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private static final class PriorityQueueLoop {
    final PriorityQueue<Pending> queue = new PriorityQueue<>();
    long nowNanos;
    long scheduled;
    long traceHash;

    void after(long delayNanos, Actor actor, int event, Object subject) {
      queue.add(new Pending(nowNanos + delayNanos, scheduled++, actor, event, subject));
    }

    void step() {
      Pending next = queue.remove();
      nowNanos = next.timeNanos;
      traceHash = (traceHash ^ (nowNanos + next.event)) * 0x9E3779B97F4A7C15L;
      next.actor.on(next.event, next.subject);
    }
  }

  /** How a loop is told of an event to come, and made to take the next one. */
  private interface Schedule {
    void after(long delayNanos, Actor actor, int event, Object subject);
  }

  private double eventsPerSecond(int seed, Schedule schedule, Runnable step) {
    RandomSource random = RandomSource.seeded(seed);
    Actor next =
        new Actor() {
          @Override
          public void on(int event, Object subject) {
            schedule.after(delay(random), this, event, subject);
          }
        };
    for (int i = 0; i < pending; i++) {
      schedule.after(delay(random), next, i, next);
    }
    long start = System.nanoTime();
    for (int i = 0; i < events; i++) {
      step.run();
    }
    return events / ((System.nanoTime() - start) * 1e-9);
  }
}
