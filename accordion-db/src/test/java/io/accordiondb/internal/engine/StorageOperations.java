// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.Checkpoint;
import io.accordiondb.Database;
import io.accordiondb.LogExtent;
import io.accordiondb.VerificationReport;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;

/** What the public interface does with folders, done with any storage. */
public final class StorageOperations {
  private StorageOperations() {}

  /** Writes a checkpoint of a database into an empty storage. */
  public static void checkpoint(Database database, Storage target) throws IOException {
    ((DatabaseEngine) database).checkpoint(target, LogExtent.NEEDED);
  }

  /** Writes a checkpoint of a database, with the log that is kept, into an empty storage. */
  public static Checkpoint checkpointWithLog(Database database, Storage target) throws IOException {
    return ((DatabaseEngine) database).checkpoint(target, LogExtent.KEPT);
  }

  /** Writes the notes to the log that are due, as a database does each second. */
  public static void note(Database database) {
    ((DatabaseEngine) database).parts().notes().tick();
  }

  /** Verifies a database that is not open. */
  public static VerificationReport verify(Storage storage) throws IOException {
    return new Verifier(storage).verify();
  }
}
