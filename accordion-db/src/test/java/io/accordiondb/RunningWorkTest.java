// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.StorageWriter;
import io.accordiondb.internal.storage.WrappingStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the statistics say of work while it runs. */
class RunningWorkTest {
  private final List<DatabaseStatistics> during = new ArrayList<>();
  private @Nullable Database database;

  /** Reads the statistics whenever a sorted table is begun. */
  private final class Looking extends WrappingStorage {
    Looking() {
      super(new MemoryStorage());
    }

    @Override
    public StorageWriter create(String name) throws IOException {
      Database open = database;
      if (open != null && name.startsWith("sst/")) {
        during.add(open.statistics());
      }
      return super.create(name);
    }
  }

  @Test
  void aFlushOnTheThreadOfItsCallerRuns() throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder().memoryBytes(4 << 20).compactWhenIdle(false).build();
    try (Database opened = DatabaseEngine.open(new Looking(), options)) {
      database = opened;
      opened.keyValueStore("s").put(key(1), key(1));
      opened.flush();
      assertThat(during).hasSize(1);
      assertThat(during.get(0).flushes().running()).isOne();
      assertThat(opened.statistics().flushes().running()).isZero();
    }
  }
}
