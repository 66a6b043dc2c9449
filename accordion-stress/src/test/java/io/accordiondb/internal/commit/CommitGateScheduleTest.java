// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import static io.accordiondb.schedules.Schedules.check;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.accordiondb.Compression;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.LogWriting;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.internal.storage.HeapStorage;
import io.accordiondb.internal.wal.KnownLog;
import io.accordiondb.internal.wal.LogRegister;
import io.accordiondb.internal.wal.WriteAheadLog;
import io.accordiondb.memstore.MemStore;
import io.accordiondb.memstore.MemStoreEnvironment;
import io.accordiondb.memstore.MemStoreListener;
import io.accordiondb.memstore.MemStoreOptions;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.RangeTombstones;
import io.accordiondb.retention.VersionRules;
import io.accordiondb.schedules.Schedules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Writes go through the gate in shared mode; flushes and closing keep them out.
 *
 * <p>By default few schedules are tried, which may not be enough to find a defect: the tests that
 * show how it is found need up to thousands, and are among the long ones.
 */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class CommitGateScheduleTest {
  private static final int SCHEDULES = 2;
  private static final String WHOLE = "what has a number is in memory";
  private static final String REFUSED = "no write succeeds that began after closing";
  private static final String STILL = "nothing enters memory after closing";
  private static final long MEMORY_BYTES = 1 << 20;

  /** Not appended to by the writes, which skip it, so every schedule begins alike. */
  private WriteAheadLog log;

  @BeforeEach
  void openLog() throws IOException {
    // Lincheck supports no channels.
    HeapStorage storage = new HeapStorage();
    storage.createDirectories(WriteAheadLog.DIRECTORY);
    log =
        new WriteAheadLog(
            storage,
            new NoRegister(),
            1 << 20,
            LogWriting.PLAIN,
            ByteBuffer::allocateDirect,
            List.of(),
            0);
  }

  @AfterEach
  void closeLog() throws IOException {
    log.close();
  }

  /** Writers of one cell each, and what keeps them out. */
  private static final class Scene {
    private final Visibility visibility = new Visibility();
    private final Store store = newStore();
    private final CommitPipeline pipeline;
    private final long firstSequence;
    private volatile boolean closed;
    private volatile long cellsAtClosing = -1;

    /** Writes a cell, so that the log reserves the numbers of those that follow. */
    Scene(WriteAheadLog log) throws IOException {
      this.pipeline =
          new CommitPipeline(
              log,
              visibility,
              new FailureState(() -> null),
              log.lastSequence(),
              Telemetry.silent().operations());
      write();
      this.firstSequence = visibility.visible();
    }

    private long cells() {
      return store.memStore().flushableCells().cells();
    }

    private long numbers() {
      return 1 + visibility.visible() - firstSequence;
    }

    void write() throws IOException {
      pipeline.commit(batch(store), Durability.SKIP);
    }

    /** As a flush does: what has a number is in memory and visible, or neither. */
    private void look() {
      long cells = cells();
      check(cells == numbers(), WHOLE);
    }

    void lookExclusively() {
      pipeline.exclusively(this::look);
    }

    /** Defect: does not keep writes out. */
    void lookBesideWrites() {
      look();
    }

    void close() {
      pipeline.close();
      closed = true;
      cellsAtClosing = cells();
    }

    /** Defect: waits for the writes under way, but refuses none. */
    void closeWithoutRefusing() {
      pipeline.exclusively(() -> {});
      closed = true;
    }

    void writeUnlessClosed() throws IOException {
      boolean late = closed;
      try {
        write();
        check(!late, REFUSED);
      } catch (StoreClosedException e) {
        // As it should be if it came late.
      }
    }

    void end() {
      check(numbers() >= cells(), "what is in memory is visible");
      check(cellsAtClosing < 0 || cellsAtClosing == cells(), STILL);
    }
  }

  @Test
  void noWriteIsBetweenItsNumberAndMemoryWhileTheGateIsHeld() {
    Schedules.assertHolds(
        SCHEDULES,
        this::newScene,
        List.of(Scene::write, Scene::write, Scene::lookExclusively),
        Scene::end);
  }

  @Test
  void noWriteSucceedsAfterClosing() {
    Schedules.assertHolds(
        SCHEDULES, this::newScene, List.of(Scene::writeUnlessClosed, Scene::close), Scene::end);
  }

  @Test
  @Tag("long")
  void lookingBesideWritesIsFound() {
    Schedules.assertBreaks(
        WHOLE, this::newScene, List.of(Scene::write, Scene::lookBesideWrites), Scene::end);
  }

  @Test
  @Tag("long")
  void closingWithoutRefusingIsFound() {
    Schedules.assertBreaks(
        REFUSED,
        this::newScene,
        List.of(Scene::writeUnlessClosed, Scene::closeWithoutRefusing),
        Scene::end);
  }

  private Scene newScene() {
    try {
      return new Scene(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Batch batch(Store store) {
    byte[] row = "row".getBytes(US_ASCII);
    BatchBuilder builder = new BatchBuilder(16, 1 << 10);
    builder.addRow(row);
    builder.add(store, row, row, 7, CellType.PUT, row, CellTags.NONE);
    return builder.build(Compression.NONE);
  }

  private static Store newStore() {
    MemStoreEnvironment environment =
        new MemStoreEnvironment(
            Runnable::run,
            () -> 0,
            () -> 0,
            new SplittableRandom(1),
            new ChunkPool(64 << 10, MEMORY_BYTES),
            new MemoryBudget(MEMORY_BYTES),
            MemStoreListener.NONE);
    MemStoreOptions options =
        new MemStoreOptions(
            MemStorePolicy.of(Policy.BASIC),
            VersionRules.DEFAULT,
            MEMORY_BYTES,
            SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.CHUNK));
    return new Store(
        new StoreId(1, 1),
        "t",
        new RegionRecord(1, 1, new byte[0], new byte[0]),
        FamilyDescriptor.of("f"),
        new MemStore(options, environment),
        null,
        0,
        List.of(),
        RangeTombstones.NONE,
        () -> 1 << 20);
  }

  /** Of a log of one file. */
  private static final class NoRegister implements LogRegister {
    @Override
    public long nextNumber() {
      return 1;
    }

    @Override
    public void begin(Collection<KnownLog> kept, Collection<Long> leftOut) {}

    @Override
    public void add(Collection<KnownLog> files) {}

    @Override
    public void remove(Collection<Long> fileNumbers) {}

    @Override
    public RecordMark mark() {
      return RecordMark.NONE;
    }

    @Override
    public void upkeepIsDue() {}
  }
}
