// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.LogWriting;
import io.accordiondb.fixtures.TestThread;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.commit.Visibility;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.wal.TestLogRegister;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Notes in the log. */
class HistoryNotesTest {
  /** A copy that ended with such a note would look as if it had the files. */
  @Test
  void noNoteOfTheTimeComesBetweenThatOfAnIngestionAndItsFiles() throws Exception {
    MemoryStorage disk = new MemoryStorage();
    disk.createDirectories(WriteAheadLog.DIRECTORY);
    WriteAheadLog log =
        new WriteAheadLog(
            disk,
            new TestLogRegister(new AtomicLong()::incrementAndGet),
            1 << 20,
            LogWriting.PLAIN,
            ByteBuffer::allocateDirect,
            List.of(),
            0);
    Visibility visibility = new Visibility();
    CommitPipeline pipeline =
        new CommitPipeline(
            log, visibility, new FailureState(() -> null), 0, Telemetry.silent().operations());
    HistoryNotes notes = new HistoryNotes(pipeline, visibility, () -> true, () -> 0);
    notes.tick();
    AtomicReference<TestThread> ticking = new AtomicReference<>();
    notes.ingest(
        "t",
        () -> {
          long ofAnotherWrite = pipeline.skipSequence();
          ticking.set(TestThread.start("tick", notes::tick));
          ticking.get().awaitBlockedIn("tick");
          assertThat(visibility.visible()).isEqualTo(ofAnotherWrite);
        });
    ticking.get().join();
    // The notes of the tables, of the ingestion and of the time, and the other write.
    assertThat(visibility.visible()).isEqualTo(4);
    pipeline.closeLog();
  }
}
