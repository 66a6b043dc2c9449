// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.accordiondb.encoding.ModelCell;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistinctSketchTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 3000, 6000, 20_000, 1_000_000})
  void estimatesWithinATenth(int count) {
    DistinctSketch sketch = new DistinctSketch();
    SplittableRandom random = new SplittableRandom(count);
    for (int i = 0; i < count; i++) {
      sketch.add(random.nextLong());
    }
    assertThat(sketch.estimate()).isCloseTo(count, within(0.1 * count));
  }

  @Test
  void columnsCountOnceWhateverTheirVersions() {
    DistinctSketch sketch = new DistinctSketch();
    for (int i = 0; i < 20_000; i++) {
      ModelCell cell = ModelCell.put("user" + i % 1000, "q" + i % 2, i, i, "v" + i);
      sketch.add(cell.encode(), 0);
    }
    assertThat(sketch.estimate()).isCloseTo(1000, within(100.0));
  }

  @Test
  void neighboursInRowAndQualifierAreDifferentColumns() {
    DistinctSketch sketch = new DistinctSketch();
    for (int i = 0; i < 2000; i++) {
      sketch.add(ModelCell.put("r" + i, "1q", 1, 1, "").encode(), 0);
      sketch.add(ModelCell.put("r" + i + "1", "q", 1, 1, "").encode(), 0);
    }
    assertThat(sketch.estimate()).isCloseTo(4000, within(400.0));
  }

  @Test
  void aUnionSeesWhatBothHaveSeen() {
    DistinctSketch a = new DistinctSketch();
    DistinctSketch b = new DistinctSketch();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 30_000; i++) {
      long hash = random.nextLong();
      if (i < 20_000) {
        a.add(hash);
      }
      if (i >= 10_000) {
        b.add(hash);
      }
    }
    double before = a.estimate();
    assertThat(a.union(b).estimate()).isCloseTo(30_000, within(3000.0));
    assertThat(a.union(new DistinctSketch()).estimate()).isEqualTo(before);
    assertThat(a.estimate()).isEqualTo(before);
  }
}
