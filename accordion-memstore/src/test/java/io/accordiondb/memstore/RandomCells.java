// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.segment.SegmentFixture;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes cells of few rows and columns, which hide one another often. */
final class RandomCells {
  private static final int ROWS = 40;
  private static final int TIMESTAMP_MAX = 4;
  private static final int SMALL_BATCH_MAX = 80;
  private static final int LARGE_BATCH = 1100;
  private static final byte[] NO_BOUND = {};

  private final VersionRules rules;
  private final boolean expire;

  RandomCells(VersionRules rules) {
    this.rules = rules;
    expire = rules.keepDeleted() == KeepDeletedCells.FALSE && rules.maxVersions() < TIMESTAMP_MAX;
  }

  /** Returns whether some of the cells expire by themselves. */
  boolean expire() {
    return expire;
  }

  /** Returns some cells without sequence numbers, in order or not. */
  List<ModelCell> batch(Random random) {
    return batch(random, 1 + random.nextInt(SMALL_BATCH_MAX), random.nextBoolean());
  }

  /** Returns enough cells to become a segment, of these rows or, in order, of more. */
  List<ModelCell> largeBatch(Random random) {
    if (random.nextBoolean()) {
      return batch(random, LARGE_BATCH, false);
    }
    List<ModelCell> batch = new ArrayList<>(LARGE_BATCH);
    for (int i = 0; i < LARGE_BATCH; i++) {
      batch.add(ModelCell.put(String.format("row-%04d", i), "q", 1, 0, "v"));
    }
    return batch;
  }

  private List<ModelCell> batch(Random random, int count, boolean ascending) {
    List<ModelCell> batch = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      batch.add(cell(random));
    }
    if (ascending) {
      batch.sort(null);
    }
    return batch;
  }

  /** Returns a cell that is neither expired now nor hidden by any other but a range tombstone. */
  ModelCell newest(long now) {
    return ModelCell.put("row-0", "q", now + TIMESTAMP_MAX + 1, 0, "v");
  }

  /** Returns a range tombstone, which may be empty. */
  RangeTombstone range(Random random, long sequence) {
    int start = random.nextInt(ROWS + 5) - 2;
    int end = start + 1 + random.nextInt(ROWS / 2);
    return new RangeTombstone(
        start < 0 ? NO_BOUND : bound(start), end >= ROWS ? NO_BOUND : bound(end), sequence);
  }

  private static byte[] bound(int row) {
    return ("row-" + row).getBytes(ISO_8859_1);
  }

  private ModelCell cell(Random random) {
    CellType type = random.nextInt(8) == 0 ? marker(random) : CellType.PUT;
    boolean ofFamily = type == CellType.DELETE_FAMILY || type == CellType.DELETE_FAMILY_VERSION;
    int valueBytes = random.nextInt(200) == 0 ? 5000 : random.nextInt(30);
    ModelCell cell =
        new ModelCell(
            "row-" + random.nextInt(ROWS),
            "",
            ofFamily || random.nextBoolean() ? "" : "q",
            1 + random.nextInt(TIMESTAMP_MAX),
            type,
            0,
            type == CellType.PUT ? "v".repeat(valueBytes) : "");
    boolean expires = expire && type == CellType.PUT && random.nextInt(4) == 0;
    return expires ? cell.withTtl(1 + random.nextInt(6)) : cell;
  }

  /** Returns a marker; one of an exact version only if no version is dropped for being one more. */
  private CellType marker(Random random) {
    CellType type = SegmentFixture.PUT_AND_MARKERS.get(1 + random.nextInt(4));
    boolean exact = type == CellType.DELETE || type == CellType.DELETE_FAMILY_VERSION;
    return exact && dropsVersions() ? CellType.DELETE_COLUMN : type;
  }

  private boolean dropsVersions() {
    boolean dropsExpired = rules.ttlMillis() != VersionRules.FOREVER && rules.minVersions() > 0;
    return rules.maxVersions() < TIMESTAMP_MAX || dropsExpired;
  }
}
