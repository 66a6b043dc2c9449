// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.database;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.DatabaseProvider;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.VerificationReport;
import io.accordiondb.internal.storage.FileStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens databases on the real file system. */
public final class DatabaseEngineProvider implements DatabaseProvider {
  @Override
  public Database open(Path path, DatabaseOptions options) throws IOException {
    if ((!options.createIfMissing() || options.readOnly()) && !Files.exists(path)) {
      throw new NotADatabaseException(path.toString(), "the folder does not exist");
    }
    return DatabaseEngine.open(new FileStorage(path), options);
  }

  @Override
  public VerificationReport verify(Path path) throws IOException {
    return new Verifier(existing(path)).verify();
  }

  private static FileStorage existing(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new NotADatabaseException(path.toString(), "the folder does not exist");
    }
    return new FileStorage(path);
  }
}
