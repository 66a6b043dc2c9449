// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.engine.AccordionEngine;
import io.accordiondb.bench.engine.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real runs, too small to say anything of speed. */
@Tag("slow")
class PaperRunnerTest {
  private static final long WRITES = 30_000;

  private static final PaperSetting SETTING =
      new PaperSetting(
          Host.EMBEDDED,
          // Two regions, the least memory there is: it is flushed a few times.
          new WorkSize(5_000, WRITES, 2 << 20, 1 << 20, 0, 2, 2),
          List.of(Disk.SSD));

  @TempDir Path folder;

  private RunFigures run(PaperRun.Workload workload) throws IOException {
    return run(runOf(workload));
  }

  private static PaperRun runOf(PaperRun.Workload workload) {
    return SETTING.run(Host.EMBEDDED.adaptive(), workload, Distribution.ZIPFIAN, Disk.SSD);
  }

  private RunFigures run(PaperRun run) throws IOException {
    AtomicLong progress = new AtomicLong();
    RunFigures figures =
        new PaperRunner(run, progress::addAndGet).run(folder.resolve(run.workload().name()));
    assertThat(progress.get()).isGreaterThanOrEqualTo(PaperRunner.effort(run));
    return figures;
  }

  @Test
  void writesAreCounted() throws IOException {
    RunFigures figures = run(PaperRun.Workload.WRITE);
    assertThat(figures.rows()).isEqualTo(WRITES);
    assertThat(figures.latency()).isNull();
    assertThat(figures.latencyOverTime()).as("of batches").isNotEmpty();
    assertThat(figures.engine().flushes()).isPositive();
    assertThat(figures.engine().bytesFlushed()).isPositive();
    assertThat(figures.engine().bytesLogged())
        .as("each row has four cells of 25 bytes and a key of 23")
        .isGreaterThan(WRITES * 4 * (25 + 23));
    assertThat(figures.allocatedBytes()).isPositive();
    assertThat(figures.settings()).contains("ADAPTIVE");
  }

  @Test
  void getsAreTimedWhileOthersWrite() throws IOException {
    RunFigures figures = run(PaperRun.Workload.READ_WRITE);
    assertThat(figures.rows()).as("of those after the load").isEqualTo(WRITES * 2 / 5);
    RunFigures.Latency latency = Objects.requireNonNull(figures.latency());
    assertThat(latency.count()).isPositive();
    assertThat(latency.percentiles()).isSorted().hasSize(5);
    assertThat(latency.at(99)).isPositive();
    assertThat(figures.latencyOverTime()).isNotEmpty();
  }

  @Test
  void scansAreTimedAndSomeOperationsPut() throws IOException {
    RunFigures figures = run(PaperRun.Workload.SCAN_WRITE);
    assertThat(figures.rows()).isEqualTo(WRITES / 20);
    RunFigures.Latency latency = Objects.requireNonNull(figures.latency());
    assertThat(latency.count()).isBetween(1L, WRITES / 20 - 1);
    assertThat(figures.latencyOverTime()).isNotEmpty();
  }

  @Test
  void scansBeginWithOneFileForEachRegion() throws IOException {
    PaperRun scanning = runOf(PaperRun.Workload.SCAN_WRITE);
    AtomicReference<Engine> engine = new AtomicReference<>();
    AtomicLong written = new AtomicLong();
    AtomicLong files = new AtomicLong();
    new PaperRunner(
            scanning,
            rows -> {
              // The last rows of the load stay in memory. Those of the scans may be flushed.
              if (written.addAndGet(rows) == WRITES) {
                files.set(fileCount(engine.get()));
              }
            },
            opened -> {
              written.set(0);
              engine.set(opened);
            })
        .run(folder);
    assertThat(files).hasValue(2);
  }

  private static long fileCount(Engine engine) {
    try {
      return ((AccordionEngine) engine).statistics().files().count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void clientsKeepToTheirPace() throws IOException {
    PaperRun writing = runOf(PaperRun.Workload.READ_WRITE).paced();
    RunFigures written = run(writing);
    assertThat(written.rows()).isEqualTo(WRITES * 2 / 5);
    assertThat(written.rowsPerSecond())
        .as("with what the last batch of each client is early")
        .isLessThan(1.1 * writing.pace());
    PaperRun scanning = runOf(PaperRun.Workload.SCAN_WRITE).paced();
    assertThat(run(scanning).rowsPerSecond()).isLessThan(1.1 * scanning.pace());
  }
}
