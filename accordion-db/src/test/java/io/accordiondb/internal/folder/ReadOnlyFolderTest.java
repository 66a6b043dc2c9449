// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.folder;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.OverlayStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.WrappingStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is held of a folder while its owner deletes log files. */
class ReadOnlyFolderTest {
  /** Lists a log file that is deleted before it can be opened, the first few times. */
  private static final class DeletingStorage extends WrappingStorage {
    private int deletions;

    DeletingStorage(Storage delegate, int deletions) {
      super(delegate);
      this.deletions = deletions;
    }

    @Override
    public List<String> list(String directory) throws IOException {
      List<String> names = new ArrayList<>(super.list(directory));
      if (directory.equals("wal") && deletions > 0) {
        deletions--;
        names.add(0, "000000000000.log");
      }
      return names;
    }
  }

  @Test
  void aLogFileThatIsDeletedWhileItIsLookedForIsNoFailure() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    try (Database database = DatabaseEngine.open(disk, DatabaseOptions.builder().build())) {
      database.keyValueStore("s").put(bytes("key"), bytes("value"));
    }
    DeletingStorage storage = new DeletingStorage(disk, 3);
    assertThat(ReadOnlyFolder.hold(new OverlayStorage(storage)).version().tables()).isNotEmpty();
    assertThat(storage.deletions).isZero();
  }
}
