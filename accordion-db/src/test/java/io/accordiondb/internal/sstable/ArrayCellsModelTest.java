// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellComparator;
import java.nio.ByteBuffer;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Cells in arrays against the one order of cells, and that against the order of the model. */
class ArrayCellsModelTest {
  @Provide
  Arbitrary<TestCell> cells() {
    return CellArbitraries.cells();
  }

  @Property(tries = 3_000)
  void arraysCompareAsBuffersDo(@ForAll("cells") TestCell first, @ForAll("cells") TestCell second) {
    ByteBuffer a = shifted(first, 3);
    ByteBuffer b = shifted(second, 8);

    assertThat(Integer.signum(ArrayCells.compareKeys(a.array(), 3, b.array(), 8)))
        .isEqualTo(Integer.signum(CellComparator.compareKeys(a, 3, b, 8)))
        .isEqualTo(Integer.signum(first.compareKey(second)));
    assertThat(Integer.signum(ArrayCells.compareColumns(a.array(), 3, b.array(), 8)))
        .isEqualTo(Integer.signum(CellComparator.compareColumns(a, 3, b, 8)));
    assertThat(Integer.signum(ArrayCells.compareRows(a.array(), 3, b.array(), 8)))
        .isEqualTo(Integer.signum(CellComparator.compareRows(a, 3, b, 8)));
    assertThat(ArrayCells.compareKeys(a.array(), 3, shifted(first, 1).array(), 1)).isZero();
  }

  private static ByteBuffer shifted(TestCell cell, int by) {
    ByteBuffer bytes = cell.bytes();
    return ByteBuffer.allocate(by + bytes.capacity()).put(by, bytes, 0, bytes.capacity());
  }
}
