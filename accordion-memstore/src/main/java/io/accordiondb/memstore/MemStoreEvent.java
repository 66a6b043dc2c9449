// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * The fields that all events of {@link JfrMemStoreListener} have in common. JFR reads the fields.
 */
@Category({"Accordion", "Memory store"})
@StackTrace(false)
abstract class MemStoreEvent extends Event {
  @Label("Store")
  String store = "";

  @Name("io.accordiondb.InMemoryFlush")
  @Label("In-Memory Flush")
  static final class InMemoryFlush extends MemStoreEvent {
    @Label("Cells")
    long cells;

    @Label("Cell Bytes")
    @DataAmount
    long dataBytes;

    @Label("Pipeline Segments")
    int pipelineSegments;
  }

  @Name("io.accordiondb.Flattening")
  @Label("Sealed Segment Became Flat")
  static final class Flattening extends MemStoreEvent {
    @Label("Cells Eliminated")
    long cellsEliminated;

    @Label("Bytes Eliminated")
    @DataAmount
    long bytesEliminated;
  }

  /** A merge or a compaction. */
  abstract static class Change extends MemStoreEvent {
    @Label("Segments")
    @Description("Segments that became one, or none")
    int segments;

    @Label("Cells Read")
    long cellsRead;

    @Label("Cells Eliminated")
    long cellsEliminated;

    @Label("Bytes Read")
    @DataAmount
    long bytesRead;

    @Label("Bytes Eliminated")
    @DataAmount
    long bytesEliminated;

    @Label("Time Taken")
    @Timespan(Timespan.NANOSECONDS)
    long timeTaken;

    @Label("Pipeline Segments")
    int pipelineSegments;

    @Label("Uniqueness u")
    @Percentage
    double uniqueness;

    @Label("Throttle t")
    @Percentage
    double throttle;

    void set(PipelineChange change) {
      segments = change.segments();
      cellsRead = change.cellsRead();
      cellsEliminated = change.cellsRead() - change.cellsKept();
      bytesRead = change.bytesRead();
      bytesEliminated = change.bytesRead() - change.bytesKept();
      timeTaken = change.nanos();
      pipelineSegments = change.pipelineSegments();
      uniqueness = change.uniqueness();
      throttle = change.throttle();
    }
  }

  @Name("io.accordiondb.Merge")
  @Label("Merge of Segments")
  static final class Merge extends Change {}

  @Name("io.accordiondb.Compaction")
  @Label("In-Memory Compaction")
  static final class Compaction extends Change {}

  @Name("io.accordiondb.Abort")
  @Label("Abort of a Merge or Compaction")
  static final class Abort extends MemStoreEvent {}

  @Name("io.accordiondb.Snapshot")
  @Label("Snapshot for a Disk Flush")
  static final class Snapshot extends MemStoreEvent {
    @Label("Segments")
    int segments;

    @Label("Cells")
    long cells;

    @Label("Cell Bytes")
    @DataAmount
    long dataBytes;
  }

  @Name("io.accordiondb.OldestSequence")
  @Label("Oldest Sequence Number in Memory Risen")
  static final class OldestSequence extends MemStoreEvent {
    @Label("Oldest Sequence Number")
    long oldestSequence;
  }

  /** The state of a memory store. */
  @Name("io.accordiondb.MemStore")
  @Label("Memory Store")
  @Period("1 s")
  static final class State extends MemStoreEvent {
    @Label("Cells")
    long cells;

    @Label("Heap Bytes")
    @DataAmount
    long heapBytes;

    @Label("Off-Heap Bytes")
    @DataAmount
    long offHeapBytes;

    @Label("Pipeline Segments")
    int pipelineSegments;

    @Label("Uniqueness u")
    @Percentage
    double uniqueness;

    @Label("Throttle t")
    @Percentage
    double throttle;

    void set(MemStoreStatistics statistics) {
      cells = statistics.cells();
      heapBytes = statistics.heapBytes();
      offHeapBytes = statistics.offHeapBytes();
      pipelineSegments = statistics.pipelineSegments();
      uniqueness = statistics.uniqueness();
      throttle = statistics.throttle();
    }
  }
}
