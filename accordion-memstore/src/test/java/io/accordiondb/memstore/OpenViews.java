// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellReading;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayList;
import java.util.List;

/** The views that readers of a memory store hold, each of which must go on to show the same. */
final class OpenViews {
  private final VersionRules rules;
  private final List<OpenView> views = new ArrayList<>();

  /** A view, with the files and tombstones at that moment, and what they showed. */
  private record OpenView(
      MemStoreView view, ModelContents beside, long readPoint, long now, List<ModelCell> shown) {
    void check(VersionRules rules) {
      ModelContents memory = ModelContents.of(CellReading.readAll(view.sources()), List.of());
      assertThat(memory.and(beside).read(rules, readPoint, now)).isEqualTo(shown);
    }
  }

  OpenViews(VersionRules rules) {
    this.rules = rules;
  }

  /**
   * Adds a view and checks it.
   *
   * @param beside the files, and the range tombstones in memory
   * @param shown what a reader sees
   */
  void add(
      MemStoreView view, ModelContents beside, long readPoint, long now, List<ModelCell> shown) {
    OpenView opened = new OpenView(view, beside, readPoint, now, shown);
    views.add(opened);
    opened.check(rules);
  }

  /** Checks and closes one of the views, if there are any. */
  void close(int number) {
    if (!views.isEmpty()) {
      OpenView open = views.remove(number % views.size());
      open.check(rules);
      open.view().close();
      open.view().close();
    }
  }

  boolean isEmpty() {
    return views.isEmpty();
  }

  void check() {
    views.forEach(view -> view.check(rules));
  }

  /** Returns the read points of the views, in no order. */
  long[] readPoints() {
    return views.stream().mapToLong(OpenView::readPoint).toArray();
  }
}
