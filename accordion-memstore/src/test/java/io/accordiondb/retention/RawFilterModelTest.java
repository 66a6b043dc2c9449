// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class RawFilterModelTest {
  @Property(tries = 2000)
  void returnsHiddenPutsAndMarkers(
      @ForAll("histories") List<ModelCell> history,
      @ForAll @Size(min = 1, max = 4) List<@From("requests") ReadRequest> requests) {
    FilteredCells cells = new FilteredCells(history);
    for (ReadRequest request : requests) {
      List<ModelCell> expected =
          cells.cells().stream()
              .filter(cell -> isNewest(cell, history, request))
              .filter(
                  cell ->
                      newerVersions(cell, history, request) + (cell.type() == CellType.PUT ? 1L : 0)
                          <= request.versionsMax())
              .toList();
      assertThat(cells.readRaw(request)).as("%s", request).isEqualTo(expected);
    }
  }

  private static Stream<ModelCell> wanted(List<ModelCell> history, ReadRequest request) {
    return history.stream()
        .filter(cell -> cell.sequence() <= request.readPoint())
        .filter(cell -> cell.timestamp() >= request.minTimestamp())
        .filter(cell -> cell.timestamp() < request.maxTimestamp());
  }

  private static boolean isNewest(ModelCell cell, List<ModelCell> history, ReadRequest request) {
    return wanted(history, request)
        .filter(other -> other.sameColumn(cell) && other.type() == cell.type())
        .filter(other -> other.timestamp() == cell.timestamp())
        .max(Comparator.comparingLong(ModelCell::sequence))
        .filter(cell::equals)
        .isPresent();
  }

  private static long newerVersions(ModelCell cell, List<ModelCell> history, ReadRequest request) {
    return wanted(history, request)
        .filter(other -> other.type() == CellType.PUT && other.sameColumn(cell))
        .filter(other -> other.timestamp() > cell.timestamp())
        .filter(other -> isNewest(other, history, request))
        .count();
  }

  @Provide
  Arbitrary<List<ModelCell>> histories() {
    return Histories.histories();
  }

  @Provide
  Arbitrary<ReadRequest> requests() {
    return Histories.requests();
  }
}
