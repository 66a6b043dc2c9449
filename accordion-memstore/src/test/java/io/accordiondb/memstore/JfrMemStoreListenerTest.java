// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.VersionRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JfrMemStoreListenerTest {
  private static final String PREFIX = "io.accordiondb.";

  private final List<String> passedOn = new ArrayList<>();
  private final MemStoreListener next =
      new MemStoreListener() {
        @Override
        public void onMerge(PipelineChange merge) {
          passedOn.add("merge");
        }

        @Override
        public void onFailure(Throwable failure) {
          passedOn.add("failure");
        }
      };

  private LongSupplier smallestReadPoint = () -> Long.MAX_VALUE;
  private final MemStoreEnvironment environment =
      new MemStoreEnvironment(
          Runnable::run,
          () -> 0,
          () -> smallestReadPoint.getAsLong(),
          new Random(1),
          new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30),
          new MemoryBudget(1 << 30),
          new JfrMemStoreListener("t/1/f", next));

  @TempDir private Path folder;
  private MemStore store;
  private long sequence;

  @Test
  void whatAStoreDoesIsRecorded() throws Exception {
    List<RecordedEvent> events;
    try (Recording recording = new Recording()) {
      for (String name :
          List.of(
              "InMemoryFlush",
              "Flattening",
              "Merge",
              "Compaction",
              "Abort",
              "Snapshot",
              "OldestSequence")) {
        recording.enable(PREFIX + name);
      }
      recording.enable(PREFIX + "MemStore").with("period", "endChunk");
      recording.start();
      run();
      recording.stop();
      Path file = folder.resolve("recording.jfr");
      recording.dump(file);
      events = RecordingFile.readAllEvents(file);
    }

    assertThat(events).allSatisfy(event -> assertThat(event.getString("store")).isEqualTo("t/1/f"));
    RecordedEvent flush = of(events, "InMemoryFlush").get(0);
    assertThat(flush.getLong("cells")).isEqualTo(1);
    assertThat(flush.getLong("dataBytes")).isPositive();
    assertThat(flush.getInt("pipelineSegments")).isEqualTo(1);
    List<RecordedEvent> flattenings = of(events, "Flattening");
    RecordedEvent flattening = flattenings.get(flattenings.size() - 1);
    assertThat(flattening.getLong("cellsEliminated")).isEqualTo(2);
    assertThat(flattening.getLong("bytesEliminated")).isEqualTo(30);
    RecordedEvent merge = of(events, "Merge").get(0);
    assertThat(merge.getInt("segments")).isEqualTo(2);
    assertThat(merge.getLong("cellsRead")).isEqualTo(2);
    assertThat(merge.getLong("cellsEliminated")).isZero();
    assertThat(merge.getLong("bytesEliminated")).isZero();
    assertThat(merge.getInt("pipelineSegments")).isEqualTo(1);
    assertThat(merge.getDouble("uniqueness")).isEqualTo(0.5);
    assertThat(merge.getDouble("throttle")).isPositive();
    assertThat(merge.getDuration("timeTaken")).isPositive();
    RecordedEvent compaction = of(events, "Compaction").get(0);
    assertThat(compaction.getLong("cellsEliminated")).isEqualTo(2);
    assertThat(compaction.getLong("bytesEliminated")).isPositive();
    assertThat(compaction.getLong("bytesEliminated")).isLessThan(compaction.getLong("bytesRead"));
    RecordedEvent snapshot = of(events, "Snapshot").get(0);
    assertThat(snapshot.getInt("segments")).isEqualTo(2);
    assertThat(snapshot.getLong("cells")).isEqualTo(2);
    assertThat(of(events, "Abort")).isNotEmpty();
    assertThat(of(events, "OldestSequence"))
        .extracting(event -> event.getLong("oldestSequence"))
        .containsExactly(3L, 5L);
    RecordedEvent state = of(events, "MemStore").get(0);
    assertThat(state.getLong("cells")).isEqualTo(1);
    assertThat(state.getLong("offHeapBytes")).isPositive();
    assertThat(state.getLong("heapBytes")).isPositive();
    assertThat(passedOn).containsExactly("merge", "failure");
  }

  /** Leaves the store open, so that the end of the recording finds it. */
  private void run() {
    store = new MemStore(options(Policy.BASIC), environment);
    addAndFlushInMemory();
    addAndFlushInMemory();
    store.setOptions(options(Policy.EAGER));
    addAndFlushInMemory();
    smallestReadPoint =
        () -> {
          store.snapshot();
          return Long.MAX_VALUE;
        };
    addAndFlushInMemory();
    store.clearSnapshot();
    environment.listener().onFlattening(2, 30);
    environment.listener().onFailure(new IllegalStateException("expected"));
    add();
  }

  private static MemStoreOptions options(Policy policy) {
    return new MemStoreOptions(
        MemStorePolicy.of(policy).withActiveFraction(1).withPipelineSegmentsMax(1),
        VersionRules.DEFAULT,
        1 << 20,
        SegmentLayout.DEFAULT);
  }

  private void add() {
    sequence++;
    store.add(ModelCell.put("row", "q", 1, sequence, "value").encode(), 0, 1, sequence);
  }

  private void addAndFlushInMemory() {
    add();
    store.flushInMemory();
  }

  private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals(PREFIX + name))
        .toList();
  }
}
