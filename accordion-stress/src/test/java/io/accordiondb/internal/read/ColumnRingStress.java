// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.accordiondb.encoding.FoundCell;
import io.accordiondb.internal.read.ColumnCache.ColumnKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A column is read while others are written over it. */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The column was read before it went.")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The column had gone.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The column was in use, so it was moved.")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The column was just moving.")
@State
public class ColumnRingStress {
  private static final int OTHERS = 12;
  private static final int VALUE_BYTES = 60;

  private final ColumnRing ring = new ColumnRing(1024, ByteBuffer::allocateDirect);

  public ColumnRingStress() {
    put(1);
  }

  private void put(int number) {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) number);
    FoundCell cell = new FoundCell();
    cell.setValue(value, number, number);
    ring.offer(1, key(number), cell);
    ring.offer(1, key(number), cell);
  }

  private static ColumnKey key(int number) {
    ColumnKey key = new ColumnKey();
    key.set(new byte[] {(byte) number, 1, 2, 3, 4, 5, 6, 7, 8}, 0, 9);
    return key;
  }

  @Actor
  public void write() {
    for (int i = 0; i < OTHERS; i++) {
      put(2 + i);
    }
  }

  @Actor
  public void read(II_Result result) {
    result.r1 = read();
  }

  @Arbiter
  public void check(II_Result result) {
    result.r2 = read();
  }

  /** Returns 1 if the first column is there; 0 if not; -1 if it is another one. */
  private int read() {
    FoundCell found = new FoundCell();
    if (!ring.find(1, key(1), found)) {
      return 0;
    }
    boolean isWhole = found.timestamp() == 1 && found.valueLength() == VALUE_BYTES;
    for (byte b : found.value()) {
      isWhole &= b == 1;
    }
    return isWhole ? 1 : -1;
  }
}
