// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.memstore.MemStore;
import io.accordiondb.memstore.MemStoreEnvironment;
import io.accordiondb.memstore.MemStoreListener;
import io.accordiondb.memstore.MemStoreOptions;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.AdditionalAnswers;
import org.mockito.Mockito;

/** A scanner of a segment of which a newer one has some cells, too, as in a table without a log. */
class NewerSegmentTest {
  private static final int ROWS = 300;
  private static final int COLUMNS = 3;
  private static final int STEPS = 5000;

  private final ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 22);
  private final MemStore olderStore = store();
  private final MemStore newerStore = store();
  private final TreeSet<Cell> left = new TreeSet<>(MemStoreFixture.ORDER);
  private final Random random = new Random(11);

  private MemStore store() {
    return new MemStore(
        new MemStoreOptions(MemStorePolicy.of(Policy.BASIC), VersionRules.DEFAULT, 1 << 22),
        new MemStoreEnvironment(
            task -> {},
            () -> 0,
            () -> 0,
            new Random(1),
            pool,
            new MemoryBudget(1 << 22),
            MemStoreListener.NONE));
  }

  @AfterEach
  void close() {
    newerStore.close();
    olderStore.close();
    assertThat(pool.chunksInUse()).isZero();
  }

  private static KeyValue cell(int row, int column) {
    return cell(row, column, 0);
  }

  private static KeyValue cell(int row, int column, long sequence) {
    return MemStoreFixture.cell(String.format("%03d", row), "q" + column, 1, sequence, "v");
  }

  private static void add(MemStore store, KeyValue cell) {
    CellBatch.ofThread().addTo(store, List.<Cell>of(cell).iterator(), new RegionAccess(null));
  }

  private void fill() {
    for (int row = 0; row < ROWS; row++) {
      for (int column = 0; column < COLUMNS; column++) {
        boolean isOld = random.nextBoolean();
        boolean isNew = random.nextInt(4) == 0;
        if (isOld) {
          add(olderStore, cell(row, column));
        }
        if (isNew) {
          add(newerStore, cell(row, column));
        }
        if (isOld && !isNew) {
          left.add(cell(row, column));
        }
      }
    }
  }

  private interface Reading {
    void read(KeyValueScanner older, CellSource newer) throws IOException;
  }

  private void read(Reading reading) throws IOException {
    SharedView newerView = new SharedView(newerStore, null);
    SharedView view = new SharedView(olderStore, null);
    CellSource newer =
        Mockito.mock(CellSource.class, AdditionalAnswers.delegatesTo(newerView.sources().get(0)));
    List<KeyValueScanner> scanners =
        SourceScanner.ofEach(List.of(newer, view.sources().get(0)), 0, view);
    try {
      reading.read(scanners.get(1), newer);
    } finally {
      scanners.forEach(KeyValueScanner::close);
      view.release();
      newerView.release();
    }
  }

  @Test
  void oneCursorServesAWholeScan() throws IOException {
    fill();
    read(
        (older, newer) -> {
          for (Cell expected : left) {
            assertThat(MemStoreFixture.text(older.next()))
                .isEqualTo(MemStoreFixture.text(expected));
          }
          assertThat(older.next()).isNull();
          // One is that of the segment's own scanner.
          Mockito.verify(newer, Mockito.times(2)).cursor();
        });
  }

  @Test
  void movesInAnyOrderFindWhatIsNotInTheNewerSegment() throws IOException {
    fill();
    read(
        (older, newer) -> {
          for (int step = 0; step < STEPS; step++) {
            KeyValue target = cell(random.nextInt(ROWS), random.nextInt(COLUMNS));
            Cell expected = left.ceiling(target);
            older.seek(target);
            for (int next = random.nextInt(20); next > 0 && expected != null; next--) {
              older.next();
              expected = left.higher(expected);
            }
            assertThat(text(older.peek())).as("step " + step).isEqualTo(text(expected));
            if (random.nextBoolean()) {
              Cell before = left.lower(cell(row(target), 0));
              older.seekToPreviousRow(target);
              Cell first = before == null ? null : left.ceiling(cell(row(before), 0));
              assertThat(text(older.peek())).as("step " + step).isEqualTo(text(first));
            }
          }
        });
  }

  @Test
  void aKeyIsFoundWithEachOfItsNumbers() throws IOException {
    add(olderStore, cell(0, 0, 3));
    add(olderStore, cell(1, 0, 3));
    add(olderStore, cell(1, 0, 2));
    add(newerStore, cell(1, 0, 2));
    add(newerStore, cell(2, 0, 5));
    SharedView newerView = new SharedView(newerStore, null);
    SharedView view = new SharedView(olderStore, null);
    List<Boolean> found = new ArrayList<>();
    try (NewerSegment newer = new NewerSegment(newerView.sources().get(0));
        CellCursor older = view.sources().get(0).cursor()) {
      for (boolean standing = older.seekToFirst(); standing; standing = older.next()) {
        found.add(newer.has(older.buffer(), older.offset(), older.sequenceNumber()));
      }
    } finally {
      view.release();
      newerView.release();
    }
    assertThat(found).containsExactly(false, false, true);
  }

  private static int row(Cell cell) {
    return Integer.parseInt(MemStoreFixture.text(cell).substring(0, 3));
  }

  private static String text(Cell cell) {
    return cell == null ? "none" : MemStoreFixture.text(cell);
  }
}
