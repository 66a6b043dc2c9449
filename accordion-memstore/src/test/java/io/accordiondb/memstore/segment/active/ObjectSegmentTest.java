// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellArbitraries;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.SegmentFixture;
import io.accordiondb.memstore.segment.array.HeapCell;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ObjectSegmentTest extends MutableSegmentContract {
  @Override
  MutableSegment newSegment() {
    return new ObjectSegment(memory.account, 1 << 20);
  }

  @Property(tries = 2000)
  void itsCellsHaveTheOneOrderOfCells(@ForAll("one") ModelCell a, @ForAll("one") ModelCell b) {
    HeapCell x = HeapCell.copyOf(a.encode(), 0, a.length(), a.sequence());
    HeapCell y = HeapCell.copyOf(b.encode(), 0, b.length(), b.sequence());
    assertThat(Integer.signum(x.compareTo(y))).isEqualTo(Integer.signum(a.compareTo(b)));
  }

  @Test
  void neverCountsAsFullAndChargesBytesAndOverhead() {
    MutableSegment segment = newSegment();
    List<ModelCell> cells = SegmentFixture.randomCells(new Random(1), 1000, 1);
    SegmentFixture.insert(segment, cells, 10);
    assertThat(segment.isFull()).isFalse();
    assertThat(memory.account.usedBytes())
        .isEqualTo(
            segment.dataBytes() + 1000L * (HeapCell.OBJECT_BYTES + ObjectSegment.LINK_BYTES));
    segment.release();
    memory.assertAllGivenBack();
  }

  @Provide
  Arbitrary<ModelCell> one() {
    return CellArbitraries.cells();
  }
}
