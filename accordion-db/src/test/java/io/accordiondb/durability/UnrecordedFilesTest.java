// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A failure in the middle of a compaction leaves no file behind that takes room. */
class UnrecordedFilesTest {
  @Test
  void aCompactionThatTheManifestCannotRecordLeavesNoFile() throws IOException {
    List<String> left = new ArrayList<>();
    boolean failed = true;
    for (int nth = 1; failed; nth++) {
      MemoryStorage disk = new MemoryStorage();
      FaultyStorage storage = new FaultyStorage(disk);
      DatabaseOptions options = DatabaseOptions.builder().memoryBytes(4 << 20).build();
      try (Database database = DatabaseEngine.open(storage, options)) {
        KeyValueStore store = database.keyValueStore("s");
        for (int i = 0; i < 2; i++) {
          store.put(bytes("k" + i), bytes("v"));
          database.flush();
        }
        storage.failOnce(Set.of(Operation.APPEND), nth);
        try {
          database.majorCompact("s");
          failed = false;
        } catch (WritesSuspendedException e) {
          storage.count(Set.of());
          database.resume();
          database.majorCompact("s");
        } catch (IOException e) {
          storage.count(Set.of());
          database.majorCompact("s");
        }
        if (disk.list("sst").size() != 1) {
          left.add(nth + ": " + disk.list("sst"));
        }
      }
    }
    assertThat(left).isEmpty();
  }
}
