// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.ModelCell;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class VisibilityFilterModelTest {
  @Property(tries = 3000)
  void showsWhatTheRulesSay(
      @ForAll("histories") List<ModelCell> writes,
      @ForAll("rules") VersionRules rules,
      @ForAll boolean expire,
      @ForAll @Size(min = 1, max = 8) List<@From("requests") ReadRequest> requests) {
    boolean allowed = rules.keepDeleted() == KeepDeletedCells.FALSE;
    boolean someExpire = expire && allowed;
    List<ModelCell> history = allowed ? writes : Histories.lasting(writes);
    FilteredCells cells = new FilteredCells(history);
    for (ReadRequest request : requests) {
      CellExpiry expiry = someExpire ? Histories.EXPIRY : null;
      List<ModelCell> expected = ReadModel.read(history, rules, someExpire, request);
      for (boolean tellsRows : new boolean[] {true, false}) {
        assertThat(cells.read(rules, expiry, request, tellsRows))
            .as("%s", request)
            .isEqualTo(expected);
      }
    }
  }

  @Provide
  Arbitrary<List<ModelCell>> histories() {
    return Histories.histories();
  }

  @Provide
  Arbitrary<VersionRules> rules() {
    return Histories.rules();
  }

  @Provide
  Arbitrary<ReadRequest> requests() {
    return Histories.requests();
  }
}
