/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.curtail.selection.RandomSource;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RateControlTest {
  private static final long MILLI = 1_000_000;
  private static final long WINDOW = 20 * MILLI;

  /** The paper's rule, in milliseconds and requests per window, written a second time. */
  private static final class Paper {
    double srate = 10;
    double r0 = 10;
    double tInc;
    double tDec;
    double rrate;
    long window;
    int inWindow;

    void response(double nowMillis) {
      long current = (long) Math.floor(nowMillis / 20);
      while (window < current) {
        rrate = 0.1 * inWindow + 0.9 * rrate;
        inWindow = 0;
        window++;
      }
      inWindow++;
      if (rrate > 0 && srate < rrate) {
        tInc = nowMillis;
        double curve =
            4e-6 * Math.pow(nowMillis - tDec - Math.pow(0.2 * r0 / 4e-6, 1 / 3.0), 3) + r0;
        srate = Math.max(0.01, srate + 10 < curve ? srate + 10 : curve);
      } else if (rrate > 0 && srate > rrate && nowMillis - tInc > 40) {
        r0 = srate;
        srate = Math.max(0.01, srate * 0.2);
        tDec = nowMillis;
      }
    }
  }

  @Property(tries = 100)
  void should_follow_the_papers_rule(@ForAll long seed) {
    CubicRateControl control = new CubicRateControl(CubicSettings.AUTHORS, 0);
    Paper paper = new Paper();
    RandomSource random = RandomSource.seeded(seed);
    long now = 0;
    for (int i = 0; i < 300; i++) {
      now += random.nextInt((i / 100 + 1) * 8_000_000);
      control.onResponse(MILLI, now);
      paper.response(now / (double) MILLI);
      assertThat(control.limit() / 50).isCloseTo(paper.srate, within(1e-6 * (1 + paper.srate)));
    }
  }

  @Property(tries = 100)
  void should_decide_alike_where_all_takes_longer(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 100) int longer) {
    CubicRateControl control = new CubicRateControl(CubicSettings.AUTHORS, 0);
    CubicRateControl slow =
        new CubicRateControl(CubicSettings.AUTHORS.withWindow(longer * WINDOW), 0);
    RandomSource random = RandomSource.seeded(seed);
    long now = 0;
    for (int i = 0; i < 300; i++) {
      now += random.nextInt((i / 100 + 1) * 8_000_000);
      control.onResponse(MILLI, now);
      slow.onResponse(longer * MILLI, longer * now);
      assertThat(slow.limit() * longer).isCloseTo(control.limit(), within(1e-6 * control.limit()));
    }
  }

  @Property(tries = 100)
  void should_never_fall_under_the_floor(@ForAll long seed) {
    RandomSource random = RandomSource.seeded(seed);
    CubicSettings settings = CubicSettings.AUTHORS.withRates(10, 10, 0.5);
    RateControl[] controls = {
      new CubicRateControl(settings, 0), new AimdRateControl(settings, 0), new GradientLimit(8)
    };
    double[] floors = {25, 25, 2};
    long now = 0;
    for (int i = 0; i < 500; i++) {
      now += random.nextInt((int) WINDOW);
      for (int c = 0; c < controls.length; c++) {
        controls[c].acquire(now);
        if (random.nextInt(10) == 0) {
          controls[c].onFailure(now);
        } else {
          controls[c].onResponse(random.nextInt(500) * MILLI, now);
        }
        assertThat(controls[c].limit()).isGreaterThanOrEqualTo(floors[c] - 1e-9).isFinite();
      }
    }
  }

  @Test
  void should_lower_the_gradient_limit_when_responses_slow_down() {
    GradientLimit control = new GradientLimit(20);
    for (int i = 0; i < 1_000; i++) {
      keepInFlight(control, 12);
      control.onResponse(2 * MILLI, i);
    }
    double before = control.limit();
    for (int i = 0; i < 50; i++) {
      keepInFlight(control, 12);
      control.onResponse(40 * MILLI, i);
    }
    assertThat(control.limit()).isLessThan(before / 2);
  }

  private static void keepInFlight(GradientLimit control, int wanted) {
    control.acquire(0);
    for (int i = 0; i < wanted && control.tryAcquire(0) == 0; i++) {
      control.onAbandoned();
    }
  }

  @Test
  void should_let_only_so_many_be_in_flight() {
    InFlightLimit control = new InFlightLimit(2);
    assertThat(control.tryAcquire(0)).isZero();
    assertThat(control.tryAcquire(0)).isZero();
    assertThat(control.tryAcquire(0)).isEqualTo(RateControl.UNTIL_A_RESPONSE);
    control.onFailure(0);
    assertThat(control.tryAcquire(0)).isZero();
  }
}
