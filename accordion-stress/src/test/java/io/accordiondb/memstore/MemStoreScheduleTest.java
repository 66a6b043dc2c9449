// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static io.accordiondb.schedules.Schedules.check;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.active.SkipListSegment;
import io.accordiondb.retention.RangeTombstones;
import io.accordiondb.retention.VersionRules;
import io.accordiondb.schedules.Schedules;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** The active segment is sealed, and a snapshot is taken and let go, while writers add cells. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("long")
class MemStoreScheduleTest {
  private static final int SCHEDULES = 25;
  private static final String KEPT = "no cell is lost or counted twice";
  private static final String FIXED = "nothing is added to what is in the snapshot";
  private static final String COVERED = "the oldest sequence number covers what is in memory";
  private static final String RETURNED = "a closed store uses no memory";
  private static final int CHUNK_BYTES = 1 << 20;
  private static final long MEMORY_BYTES = 16 << 20;
  private static final byte[] BYTES = {'a'};

  /** Writers, readers, and threads that flush. Cells are numbered from 1. */
  private static final class Scene {
    private final MemStore store;
    private int numbered;

    /** The last cell that was added. */
    private volatile long added;

    /** Set before its cells leave memory. */
    private volatile @Nullable FlushSnapshot written;

    Scene(Executor executor) {
      this.store = newStore(executor);
    }

    private synchronized int nextSequence() {
      return ++numbered;
    }

    private long add() {
      int sequence = nextSequence();
      store.add(cell(), 0, 1, sequence);
      added = sequence;
      return sequence;
    }

    void addAndAsk() {
      long sequence = add();
      checkCovered(sequence, store.oldestSequence());
    }

    /** Defect: passes over a segment that enters the pipeline after it was looked at. */
    void addAndAskPartByPart() {
      long sequence = add();
      SegmentList first = store.segments().retain();
      long oldest = Long.MAX_VALUE;
      for (Segment segment : first.pipeline()) {
        oldest = Math.min(oldest, segment.minSequence());
      }
      first.release();
      SegmentList second = store.segments().retain();
      oldest = Math.min(oldest, second.active().minSequence());
      second.release();
      checkCovered(sequence, oldest);
    }

    void flushInMemory() {
      store.flushInMemory();
    }

    void addAndFlushInMemory() {
      add();
      store.flushInMemory();
    }

    void addTwiceAndFlushBetween() {
      addAndFlushInMemory();
      add();
    }

    private void checkCovered(long sequence, long oldest) {
      check(isWritten(sequence) || oldest <= sequence, COVERED);
    }

    /** Returns whether a cell has left memory; there are no more than three. */
    private boolean isWritten(long sequence) {
      FlushSnapshot written = this.written;
      return written != null
          && (sequence == written.minSequence()
              || sequence == written.maxSequence()
              || written.cellCount() > 2);
    }

    void read() {
      store.view().close();
    }

    /** Defect: does not close the view if a cell was added since. */
    void readAndForget() {
      long before = added;
      MemStoreView view = store.view();
      if (added == before) {
        view.close();
      }
    }

    void flushToDisk() {
      written = store.snapshot();
      store.clearSnapshot();
    }

    /** Defect: takes the counts while a writer may be inside. */
    void flushToDiskWithoutWaiting() {
      store.segments().change(new ToSnapshot(store));
      SegmentList list = store.segments().retain();
      written = new FlushSnapshot(list.snapshot(), RangeTombstones.NONE, 0, store.keyPrefix());
      list.release();
      store.clearSnapshot();
    }

    /** Defect: edits a list that may have been replaced. */
    void flushStaleListInMemory() {
      SegmentList stale = store.segments().retain();
      SegmentList edited = newList(store, List.of(stale.active()), stale.snapshot());
      store.segments().change(old -> edited);
      stale.release();
    }

    void end() {
      FlushSnapshot written = this.written;
      long cells = store.flushableCells().cells();
      long left = 0;
      if (written != null) {
        cells += written.cellCount();
        for (CellSource source : written.sources()) {
          left += source.cellCount();
        }
        check(left == written.cellCount(), FIXED);
      }
      check(cells == numbered, KEPT);
      for (int sequence = 1; sequence <= numbered; sequence++) {
        checkCovered(sequence, store.oldestSequence());
      }
      store.close();
      check(store.usedBytes() == 0, RETURNED);
    }
  }

  /** What {@link MemStore#snapshot} does, of a store that holds a cell in its active segment. */
  private static final class ToSnapshot implements UnaryOperator<SegmentList> {
    private final MemStore store;

    ToSnapshot(MemStore store) {
      this.store = store;
    }

    @Override
    public SegmentList apply(SegmentList old) {
      List<Segment> segments = new ArrayList<>(old.pipeline());
      segments.add(0, old.active());
      return newList(store, List.of(), segments);
    }
  }

  private static SegmentList newList(
      MemStore store, List<Segment> pipeline, List<Segment> snapshot) {
    MutableSegment next =
        new SkipListSegment(store.factory().memory(), KeyPrefix.UNANCHORED, MEMORY_BYTES);
    SegmentList list =
        new SegmentList(next, pipeline, snapshot, RangeTombstones.NONE, RangeTombstones.NONE);
    next.release();
    return list;
  }

  @Test
  void noCellIsLostWhileSegmentsAreSealed() {
    Schedules.assertHolds(
        SCHEDULES,
        MemStoreScheduleTest::withoutBackground,
        List.of(Scene::addAndAsk, Scene::addAndFlushInMemory, Scene::flushInMemory),
        Scene::end);
  }

  @Test
  void aSnapshotStaysAsItIs() {
    Schedules.assertHolds(
        SCHEDULES,
        MemStoreScheduleTest::withoutBackground,
        List.of(Scene::addAndFlushInMemory, Scene::addAndAsk, Scene::flushToDisk),
        Scene::end);
  }

  @Test
  void memoryComesBackWhileSegmentsAreFlattenedAndRead() {
    Schedules.assertHolds(
        SCHEDULES,
        MemStoreScheduleTest::withBackground,
        List.of(Scene::addAndFlushInMemory, Scene::read, Scene::flushToDisk),
        Scene::end);
  }

  @Test
  void editingAStaleListIsFound() {
    Schedules.assertBreaks(
        KEPT,
        MemStoreScheduleTest::withoutBackground,
        List.of(Scene::addTwiceAndFlushBetween, Scene::flushStaleListInMemory),
        Scene::end);
  }

  @Test
  void countingBesideWritersIsFound() {
    Schedules.assertBreaks(
        FIXED,
        MemStoreScheduleTest::withoutBackground,
        List.of(Scene::addAndAsk, Scene::flushToDiskWithoutWaiting),
        Scene::end);
  }

  @Test
  void askingPartByPartIsFound() {
    Schedules.assertBreaks(
        COVERED,
        MemStoreScheduleTest::withoutBackground,
        List.of(Scene::flushInMemory, Scene::addAndAskPartByPart),
        Scene::end);
  }

  @Test
  void aViewThatIsForgottenIsFound() {
    Schedules.assertBreaks(
        RETURNED,
        MemStoreScheduleTest::withoutBackground,
        List.of(Scene::addAndFlushInMemory, Scene::readAndForget),
        Scene::end);
  }

  private static Scene withoutBackground() {
    return new Scene(new Nobody());
  }

  private static Scene withBackground() {
    return new Scene(new SameThread());
  }

  private static MemStore newStore(Executor executor) {
    return new MemStore(
        new MemStoreOptions(
            MemStorePolicy.of(Policy.BASIC),
            VersionRules.DEFAULT,
            MEMORY_BYTES,
            SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.CHUNK)),
        new MemStoreEnvironment(
            executor,
            () -> 0,
            () -> 0,
            new SplittableRandom(1),
            new ChunkPool(CHUNK_BYTES, MEMORY_BYTES),
            new MemoryBudget(MEMORY_BYTES),
            MemStoreListener.NONE));
  }

  private static ByteBuffer cell() {
    ByteBuffer cell = ByteBuffer.allocate(KeyValueLayout.length(1, 0, 1, 1));
    KeyValueLayout.write(cell, 0, BYTES, new byte[0], BYTES, 0, CellType.PUT.code(), BYTES);
    return cell;
  }

  /** Flattens in the thread that has sealed. Not a lambda, in which Lincheck sees nothing. */
  private static final class SameThread implements Executor {
    @Override
    public void execute(Runnable task) {
      task.run();
    }
  }

  /** Runs nothing, as long as the background has not come to it. */
  private static final class Nobody implements Executor {
    @Override
    public void execute(Runnable task) {}
  }
}
