// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.WrappingStorage;
import java.io.Closeable;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A restore begins to fill an empty folder just before a database is created there. */
class OpenBesideRestoreTest {
  @Test
  void noDatabaseIsCreatedInAFolderThatARestoreFills() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    openBesideRestore(disk);
    disk.lock("LOCK").close();
  }

  /** The restore fails if it has found the lock. The next one finds an empty folder. */
  @Test
  void aLockThatWasCreatedForNothingIsDeleted() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    openBesideRestore(disk);
    assertThat(disk.list("")).containsOnly("restoring");
    MemoryStorage locked = new MemoryStorage();
    locked.create("LOCK").close();
    openBesideRestore(locked);
    assertThat(locked.list("")).containsOnly("restoring", "LOCK");
  }

  private static void openBesideRestore(MemoryStorage disk) {
    WrappingStorage storage =
        new WrappingStorage(disk) {
          @Override
          public Closeable lock(String name) throws IOException {
            disk.createDirectories("restoring");
            return super.lock(name);
          }
        };
    assertThatThrownBy(() -> DatabaseEngine.open(storage, DatabaseOptions.defaults()))
        .isInstanceOf(NotADatabaseException.class)
        .hasMessageContaining("restoring");
  }
}
