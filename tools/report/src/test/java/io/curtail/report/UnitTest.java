/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitTest {
  @ParameterizedTest
  @CsvSource({
    "MILLISECONDS, 0.25, 250 µs",
    "MILLISECONDS, 0, 0 ms",
    "MILLISECONDS, 0.9999, 1 ms",
    "MILLISECONDS, 1.5, 1.5 ms",
    "MILLISECONDS, 12.345, 12.3 ms",
    "MILLISECONDS, 999.6, 1 s",
    "MILLISECONDS, 2000, 2 s",
    "SHARE, 0.0833, 8.33 %",
    "SHARE, 0.00012, 0.012 %",
    "PERCENTILE, 99.99, p99.99",
    "COUNT, 9994, 9994",
    "COUNT, 12300, 12.3k",
    "COUNT, 1230000, 1.23M",
    "RATE, 300, 300/s",
    "BYTES, 1536, 1.5 KiB",
    "RATIO, 0.5249, ×0.525",
    "RATIO, NaN, –",
    "SECONDS, NaN, – s",
    "PLAIN, 0.1000000001, 0.1",
  })
  void should_write_a_number_as_a_reader_expects_it(Unit unit, double value, String text) {
    assertThat(unit.format(value)).isEqualTo(text);
  }
}
