// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.layout.SegmentLayout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fifty million operations under each policy in a small heap; run by {@code -Psoak}. */
@Tag("soak")
class MemStoreSoakTest {
  private static final int ROWS = 200_000;
  private static final long OPERATIONS = Long.getLong("soak.operations", 50_000_000);

  @ParameterizedTest
  @EnumSource(Policy.class)
  void nothingIsLostAndAllMemoryComesBack(Policy policy) throws Exception {
    new MemStoreLoad(policy, SegmentLayout.DEFAULT, ROWS, OPERATIONS).run();
  }
}
