// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TaggedCellsTest {
  private final ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30);
  private final MemStoreEnvironment environment =
      new MemStoreEnvironment(
          Runnable::run,
          () -> 0,
          () -> Long.MAX_VALUE,
          new Random(1),
          pool,
          new MemoryBudget(1 << 30),
          MemStoreListener.NONE);

  private static MemStoreOptions options(Policy policy) {
    MemStorePolicy parameters =
        MemStorePolicy.of(policy).withActiveFraction(1).withPipelineSegmentsMax(1);
    return new MemStoreOptions(parameters, VersionRules.DEFAULT, 1 << 20);
  }

  @Test
  void tagsComeBackWithTheirCells() throws IOException {
    MemStore store = new MemStore(options(Policy.BASIC), environment);
    ByteBuffer cells = ByteBuffer.allocate(1000);
    int end = append(cells, 0, ModelCell.put("a", "q", 1, 0, "x"), "tag");
    append(cells, end, ModelCell.put("b", "q", 1, 0, "y"), "");
    store.add(cells, 0, 2, 7, BatchFormat.TAGGED);
    for (int round = 0; round < 2; round++) {
      try (MemStoreView view = store.view()) {
        assertThat(read(view)).containsExactly("a=x/tag@7", "b=y/@7");
      }
      store.flushInMemory();
    }
    store.close();
    assertThat(pool.chunksInUse()).isZero();
  }

  @Test
  void ofEqualCellsTheOneAddedLastComesFirst() throws IOException {
    MemStore store = new MemStore(options(Policy.BASIC), environment);
    for (int i = 0; i < 6; i++) {
      ByteBuffer cells = ByteBuffer.allocate(100);
      append(cells, 0, ModelCell.put("a", "q", 1, 0, "" + i), "");
      store.add(cells, 0, 1, 7, BatchFormat.TAGGED);
      if (i % 2 == 1) {
        store.flushInMemory();
      }
    }
    try (MemStoreView view = store.view()) {
      assertThat(read(view))
          .containsExactly("a=5/@7", "a=4/@7", "a=3/@7", "a=2/@7", "a=1/@7", "a=0/@7");
    }
    store.close();
  }

  @Test
  void ofEqualObjectsTheOneAddedLastIsKept() throws IOException {
    MemStoreOptions objects =
        new MemStoreOptions(
            MemStorePolicy.of(Policy.BASIC),
            VersionRules.DEFAULT,
            1 << 20,
            SegmentLayout.of(CellMemory.OBJECTS, IndexKind.ARRAY));
    MemStore store = new MemStore(objects, environment);
    for (String value : List.of("old", "newer", "new")) {
      ByteBuffer cells = ByteBuffer.allocate(100);
      append(cells, 0, ModelCell.put("a", "q", 1, 0, value), "");
      store.add(cells, 0, 1, 7, BatchFormat.TAGGED);
    }
    for (int round = 0; round < 2; round++) {
      try (MemStoreView view = store.view()) {
        assertThat(read(view)).containsExactly("a=new/@7");
      }
      assertThat(store.flushableCells().cells()).isEqualTo(1);
      store.flushInMemory();
    }
    store.close();
    assertThat(store.usedBytes()).isZero();
  }

  @Test
  void rulesOfTheHostDecideWhatIsDropped() throws IOException {
    MemStore store =
        new MemStore(
            options(Policy.EAGER), environment, unseen -> (buffer, offset, length, seq) -> seq > 1);
    add(store, "a", 1);
    add(store, "b", 2);
    store.flushInMemory();
    try (MemStoreView view = store.view()) {
      assertThat(read(view)).containsExactly("b=v/@2");
    }
    FlushableCells left = store.flushableCells();
    assertThat(left.cells()).isEqualTo(1);
    assertThat(left.heapBytes()).isLessThanOrEqualTo(left.heldBytes());
    store.close();
  }

  @ParameterizedTest
  @EnumSource(Policy.class)
  void aCellThatGetsATimeToLiveCountsAsAMarker(Policy policy) {
    MemStore store = new MemStore(options(policy), environment);
    for (byte[] tags : List.of(CellTags.NONE, CellTags.ofTtl(100))) {
      ByteBuffer cells = ByteBuffer.allocate(100);
      append(cells, 0, ModelCell.put("a", "q", 1, 0, "v"), new String(tags, ISO_8859_1));
      store.add(cells, 0, 1, 7, BatchFormat.TAGGED);
    }
    try (MemStoreView view = store.view()) {
      long markers = view.sources().stream().mapToLong(CellSource::deleteMarkerCount).sum();
      assertThat(markers).isEqualTo(1);
    }
    store.close();
  }

  @Test
  void withoutAFilterSegmentsAreMerged() throws IOException {
    MemStore store = new MemStore(options(Policy.EAGER), environment, unseen -> null);
    for (int i = 1; i <= 3; i++) {
      add(store, "a", i);
      store.flushInMemory();
    }
    assertThat(store.statistics().cells()).isEqualTo(3);
    assertThat(store.statistics().merges()).isPositive();
    assertThat(store.statistics().pipelineSegments()).isEqualTo(1);
    store.close();
  }

  private static void add(MemStore store, String row, long sequence) {
    ByteBuffer cells = ByteBuffer.allocate(100);
    append(cells, 0, ModelCell.put(row, "q", 1, 0, "v"), "");
    store.add(cells, 0, 1, sequence, BatchFormat.TAGGED);
  }

  private static int append(ByteBuffer target, int at, ModelCell cell, String tags) {
    ByteBuffer bytes = cell.encode();
    int length = KeyValueLayout.length(bytes, 0);
    target.put(at, bytes, 0, length);
    target.putShort(at + length, (short) tags.length());
    target.put(at + length + 2, tags.getBytes(ISO_8859_1));
    return at + length + 2 + tags.length();
  }

  private static List<String> read(MemStoreView view) throws IOException {
    List<String> cells = new ArrayList<>();
    for (CellSource source : view.sources()) {
      try (CellCursor cursor = source.cursor()) {
        for (boolean more = cursor.seekToFirst(); more; more = cursor.next()) {
          cells.add(text(cursor));
        }
      }
    }
    return cells;
  }

  private static String text(CellCursor cursor) {
    ByteBuffer buffer = cursor.buffer();
    int at = cursor.offset();
    int length = KeyValueLayout.length(buffer, at);
    return string(buffer, KeyValueLayout.rowOffset(at), KeyValueLayout.rowLength(buffer, at))
        + "="
        + string(
            buffer, KeyValueLayout.valueOffset(buffer, at), KeyValueLayout.valueLength(buffer, at))
        + "/"
        + (cursor.length() == length
            ? ""
            : string(buffer, at + length + 2, cursor.length() - length - 2))
        + "@"
        + cursor.sequenceNumber();
  }

  private static String string(ByteBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.get(offset, bytes);
    return new String(bytes, ISO_8859_1);
  }
}
