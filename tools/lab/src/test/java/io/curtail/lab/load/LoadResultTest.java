/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadResultTest {
  @Test
  void should_put_a_request_into_the_second_of_its_intended_start() {
    ClientRecording recording = new ClientRecording("B", 5_000_000_000L, Duration.ofSeconds(2));
    String node = "127.0.0.1";
    recording.success(4_999_999_999L, 1_000_000, true, node);
    recording.success(5_000_000_000L, 3_000_000_000L, true, node);
    recording.success(6_500_000_000L, 1_000_000, true, node);
    recording.success(7_000_000_000L, 1_000_000, true, node);
    LoadResult result = new LoadResult(List.of(recording));
    assertThat(result.requests()).isEqualTo(2);
    assertThat(result.seconds().get(0).getMaxValue()).isBetween(3_000_000L, 3_002_000L);
    assertThat(result.requestsByNode().get("127.0.0.1")).containsExactly(1, 1);
    assertThat(result.requestsPerSecond()).isEqualTo(1);
  }

  @Test
  void should_count_failures_as_latencies() {
    ClientRecording recording = new ClientRecording("A", 0, Duration.ofSeconds(1));
    recording.failure(0, 1_000_000, 30_000_000_000L, true, new TimeoutException());
    LoadResult result = new LoadResult(List.of(recording));
    assertThat(result.errors()).containsEntry("TimeoutException", 1L);
    assertThat(result.slowerThan(29_000_000)).isEqualTo(1);
  }

  /**
   * Two of one zone, as coordinators beside a cluster are; a refusal at once waited for nothing.
   */
  @Test
  void should_count_for_each_client_what_was_in_flight() {
    ClientRecording first = new ClientRecording("A", 0, Duration.ofSeconds(2));
    ClientRecording second = new ClientRecording("A", 0, Duration.ofSeconds(2));
    first.success(0, 3_000_000_000L, true, "127.0.0.1");
    second.success(0, 1_000_000_000L, true, "127.0.0.1");
    second.failure(0, 0, 30_000_000_000L, true, new IllegalStateException());
    LoadResult result = new LoadResult(List.of(first, second));
    assertThat(result.clients()).isEqualTo(2);
    assertThat(result.inFlightPerClient()).isEqualTo(1);
  }

  @Test
  void should_write_a_log_that_histogram_tools_read(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("run.hlog");
    LoadResults.of(3, n -> 500 + n).writeIntervalLog(file);
    int intervals = 0;
    try (HistogramLogReader reader = new HistogramLogReader(Files.newInputStream(file))) {
      while (reader.nextIntervalHistogram() instanceof Histogram interval) {
        assertThat(interval.getTotalCount()).isEqualTo(100);
        intervals++;
      }
    }
    assertThat(intervals).isEqualTo(3);
  }

  @Test
  void should_tell_reads_from_writes() {
    ClientRecording recording = new ClientRecording("A", 0, Duration.ofSeconds(1));
    recording.success(0, 1_000_000, true, "127.0.0.1");
    recording.success(0, 1_000_000, true, "127.0.0.1");
    recording.failure(0, 1_000_000, 9_000_000, false, new TimeoutException());
    LoadResult result = new LoadResult(List.of(recording));
    assertThat(result.reads().getTotalCount()).isEqualTo(2);
    assertThat(result.reads().getValueAtPercentile(100)).isEqualTo(1_000);
    assertThat(result.writes().getTotalCount()).isEqualTo(1);
    assertThat(result.writes().getValueAtPercentile(100)).isBetween(8_990L, 9_010L);
  }

  @Test
  void should_take_the_copies_that_the_policy_counts_by_the_second() {
    ClientRecording recording = new ClientRecording("A", 0, Duration.ofSeconds(2));
    recording.copies(0, 1, false);
    recording.copies().sampled(0, sample(10, 3, 5));
    recording.copies().sampled(1, sample(14, 4, 7));
    recording.copies().sampled(2, sample(20, 9, 100));
    LoadResult result = new LoadResult(List.of(recording, recording));
    assertThat(result.copies()).isEqualTo(new CopyTotals(20, 12, 0, 8, 0, 0, 0));
    assertThat(result.copies(1, 2)).isEqualTo(new CopyTotals(12, 10, 0, 2, 0, 0, 0));
    assertThat(result.copyDelayMillis(0, 2)).isEqualTo(6);
  }

  @Test
  void should_take_the_copies_that_the_driver_reports_when_the_policy_counts_none() {
    ClientRecording recording = new ClientRecording("A", 0, Duration.ofSeconds(2));
    recording.copies(100, 1, true);
    recording.copies(1_000_000_000L, 1, false);
    recording.copies(2_000_000_000L, 1, false);
    LoadResult result = new LoadResult(List.of(recording));
    assertThat(result.copies()).isEqualTo(new CopyTotals(2, 2, 1, 0, 0, 0, 0));
    assertThat(result.copyDelayMillis(0, 2)).isNaN();
  }

  private static CopyRecording.Sample sample(long asked, long sent, double delayMillis) {
    CopyTotals counts = new CopyTotals(asked, sent, 0, asked - sent, 0, 0, 0);
    return new CopyRecording.Sample(counts, delayMillis);
  }
}
