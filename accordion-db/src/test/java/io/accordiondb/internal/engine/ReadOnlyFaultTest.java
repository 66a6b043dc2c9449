// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A database that is opened for reading from a storage whose files cannot be closed. */
class ReadOnlyFaultTest {
  private static final DatabaseOptions OPTIONS = DatabaseOptions.builder().readOnly(true).build();

  private final MemoryStorage disk = new MemoryStorage();

  @Test
  void noFileStaysOpenThatNobodyCanClose() throws IOException {
    try (Database database = DatabaseEngine.open(disk, DatabaseOptions.defaults())) {
      database.keyValueStore("s").put(bytes("a"), bytes("1"));
    }
    FaultyStorage storage = new FaultyStorage(disk);
    storage.count(Set.of(Operation.CLOSE));
    DatabaseEngine.open(storage, OPTIONS).close();
    long closings = storage.count();
    assertThat(closings).isPositive();
    for (long nth = 1; nth <= closings; nth++) {
      storage.failOnce(Set.of(Operation.CLOSE), nth);
      try {
        DatabaseEngine.open(storage, OPTIONS).close();
      } catch (IOException e) {
        assertThat(e).isInstanceOf(FaultyStorage.InjectedFault.class);
      }
      assertThat(disk.openFiles()).as("closing %d", nth).isZero();
    }
  }
}
