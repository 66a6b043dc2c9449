// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.jmh;

import io.accordiondb.encoding.CellComparator;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Cells as bytes: nanoseconds for a cell or a comparison. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EncodingBenchmark {
  private final ByteBuffer target = ByteBuffer.allocate(Cells.BYTES);
  private final byte[] row = Cells.row(1);
  private final ByteBuffer one = Cells.key(1);
  private final ByteBuffer two = Cells.key(2);

  @Benchmark
  public int encode() {
    return Cells.write(target, 0, row, 1_000);
  }

  @Benchmark
  public int compare() {
    return CellComparator.compareKeys(one, 0, two, 0);
  }
}
