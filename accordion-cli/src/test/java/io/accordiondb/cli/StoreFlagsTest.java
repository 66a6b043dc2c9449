// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.DatabaseOptions;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class StoreFlagsTest {
  /** A batch must fit into memory, which depends on the heap. */
  @Test
  void aBatchMayHaveTheLongestValueIfMemoryAllowsIt() throws IOException {
    DatabaseOptions options = new StoreFlags().options().build();
    assertThat(options.batchBytesMax())
        .isGreaterThan((int) Math.min(options.valueBytesMax(), options.memoryBytes() / 3 * 2));
  }
}
