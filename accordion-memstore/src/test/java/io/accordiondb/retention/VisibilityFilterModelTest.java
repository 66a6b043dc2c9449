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
      @ForAll("histories") List<ModelCell> history,
      @ForAll("rules") VersionRules rules,
      @ForAll @Size(min = 1, max = 8) List<@From("requests") ReadRequest> requests) {
    FilteredCells cells = new FilteredCells(history);
    for (ReadRequest request : requests) {
      List<ModelCell> expected = ReadModel.read(history, rules, request);
      assertThat(cells.read(rules, request)).as("%s", request).isEqualTo(expected);
      assertThat(cells.read(rules, request, true)).as("%s", request).isEqualTo(expected);
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
