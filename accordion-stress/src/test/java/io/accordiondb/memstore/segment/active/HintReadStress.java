// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.SegmentMemory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A writer leaves its new node as a hint, which a reader follows to that node and to the next. */
@JCStressTest
@Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "The new row is not there yet.")
@Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "The new row is there.")
@State
public class HintReadStress {
  /** More rows than it takes to learn how prefixes are spread. */
  private static final int ROWS = 500;

  private static final int NEW_ROW = ROWS + 1;
  private static final byte[] NO_BYTES = {};
  private static final ChunkPool POOL = new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30);
  private static final MemoryBudget BUDGET = new MemoryBudget(Long.MAX_VALUE);

  private final SkipListSegment segment =
      new SkipListSegment(
          new SegmentMemory(POOL, new MemoryAccount(BUDGET), SegmentLayout.DEFAULT),
          KeyPrefix.UNANCHORED,
          1 << 20);

  public HintReadStress() {
    for (int i = 0; i < ROWS; i++) {
      insert(2 * i);
    }
  }

  @Actor
  public void write() {
    insert(NEW_ROW);
  }

  @Actor
  public void read(III_Result result) {
    result.r1 = find(NEW_ROW);
    result.r2 = find(NEW_ROW + 1);
  }

  @Arbiter
  public void check(III_Result result) {
    result.r3 = find(NEW_ROW) + find(NEW_ROW + 1);
    segment.release();
  }

  private void insert(int row) {
    segment.insert(cell(row), 0, 1, 1, BatchFormat.NUMBERED);
  }

  private int find(int row) {
    return segment.find(cell(row), 0, Long.MAX_VALUE, new FoundCell()) ? 1 : 0;
  }

  private static ByteBuffer cell(int row) {
    byte[] bytes = String.format("%04d", row).getBytes(StandardCharsets.US_ASCII);
    ByteBuffer cell = ByteBuffer.allocate(KeyValueLayout.length(bytes.length, 0, 0, 0));
    KeyValueLayout.write(cell, 0, bytes, NO_BYTES, NO_BYTES, 1, CellType.PUT.code(), NO_BYTES);
    return cell;
  }
}
