// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import org.junit.jupiter.api.Test;

/** The short cut for the first cell of a row shows a cell only if judging it would. */
class VisibilityFilterTest {
  private static final VersionRules RULES = new VersionRules(1, 0, 10, KeepDeletedCells.FALSE);

  /** Whether a reader at number 7 and time 100, of timestamps 80 to 95, sees a put at once. */
  private static boolean showsFirst(long timestamp, long sequence) {
    ModelCell put = ModelCell.put("r", "q", timestamp, sequence, "");
    return new VisibilityFilter(RULES, null, 7, 100, 1, 80, 95)
        .showsFirst(put.encode(), 0, sequence);
  }

  @Test
  void aPutIsShownUpToTheReadPoint() {
    assertThat(showsFirst(92, 7)).isTrue();
    assertThat(showsFirst(92, 8)).isFalse();
  }

  @Test
  void aPutIsShownFromTheOldestLiveTimestampToTheReadersEnd() {
    assertThat(showsFirst(89, 1)).isFalse();
    assertThat(showsFirst(90, 1)).isTrue();
    assertThat(showsFirst(94, 1)).isTrue();
    assertThat(showsFirst(95, 1)).isFalse();
  }

  @Test
  void aPutIsShownFromTheReadersLowestTimestamp() {
    ModelCell put = ModelCell.put("r", "q", 5, 1, "");
    VisibilityFilter from5 = new VisibilityFilter(VersionRules.DEFAULT, null, 7, 100, 1, 5, 95);
    VisibilityFilter from6 = new VisibilityFilter(VersionRules.DEFAULT, null, 7, 100, 1, 6, 95);

    assertThat(from5.showsFirst(put.encode(), 0, 1)).isTrue();
    assertThat(from6.showsFirst(put.encode(), 0, 1)).isFalse();
  }

  @Test
  void aMarkerIsNotShown() {
    ModelCell marker = new ModelCell("r", "", "", 92, CellType.DELETE_FAMILY, 1, "");

    assertThat(
            new VisibilityFilter(RULES, null, 7, 100, 1, 80, 95).showsFirst(marker.encode(), 0, 1))
        .isFalse();
  }
}
