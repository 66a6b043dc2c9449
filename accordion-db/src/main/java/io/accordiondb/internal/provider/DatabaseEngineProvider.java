// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.provider;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.DatabaseProvider;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.RepairReport;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.VerificationReport;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.internal.transfer.ForeignFileWriter;
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

  @Override
  public RepairReport repair(Path path) throws IOException {
    return new Repairer(existing(path)).repair();
  }

  @Override
  public SortedFileWriter sortedFileWriter(Path file, FamilyDescriptor family) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path folder = absolute.getParent();
    if (folder == null) {
      throw new IllegalArgumentException(file + " is not the path of a file");
    }
    return new ForeignFileWriter(
        new FileStorage(folder), String.valueOf(absolute.getFileName()), family);
  }

  private static FileStorage existing(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new NotADatabaseException(path.toString(), "the folder does not exist");
    }
    return new FileStorage(path);
  }
}
