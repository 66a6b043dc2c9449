// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.provider;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.DatabaseProvider;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyProvider;
import io.accordiondb.RepairReport;
import io.accordiondb.RestorePoint;
import io.accordiondb.RollForward;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.VerificationReport;
import io.accordiondb.internal.crypt.EncryptedStorage;
import io.accordiondb.internal.engine.CopyFollower;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.internal.storage.HeapStorage;
import io.accordiondb.internal.transfer.ForeignFileWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Opens databases on the real file system, and in memory. */
public final class DatabaseEngineProvider implements DatabaseProvider {
  /** The approximate number of log files of a database in memory when its log is longest. */
  private static final int LOG_FILES = 8;

  @Override
  public Database open(Path path, DatabaseOptions options) throws IOException {
    boolean mayCreate = options.createIfMissing() && !options.readOnly();
    return DatabaseEngine.open(
        mayCreate ? new FileStorage(path) : DatabaseFolder.existing(path), options);
  }

  @Override
  public Database inMemory(DatabaseOptions options) throws IOException {
    if (options.readOnly()) {
      throw new IllegalArgumentException(
          "a database in memory begins empty, so it cannot be read-only");
    }
    return DatabaseEngine.open(new HeapStorage(), inMemoryOptions(options));
  }

  /** The log uses memory as well, so it is kept short, in small files that can be freed soon. */
  private static DatabaseOptions inMemoryOptions(DatabaseOptions options) {
    long logBytes = Math.min(options.logBytesMax(), options.memoryBytes());
    return options.toBuilder()
        .createIfMissing(true)
        .logBytesMax(logBytes)
        .logFileBytes(Math.min(options.logFileBytes(), logBytes / LOG_FILES))
        .build();
  }

  @Override
  public VerificationReport verify(Path path, @Nullable KeyProvider keys, LongConsumer progress)
      throws IOException {
    return new Verifier(DatabaseFolder.existing(path, keys), progress).verify();
  }

  @Override
  public RepairReport repair(Path path, @Nullable KeyProvider keys) throws IOException {
    return new Repairer(DatabaseFolder.existing(path, keys)).repair();
  }

  @Override
  public long rollForward(Path copy, Path log, RestorePoint point, DatabaseOptions options)
      throws IOException {
    return CopyFollower.rollForward(
        DatabaseFolder.existing(copy), DatabaseFolder.existing(log), point, options);
  }

  @Override
  public RollForward.Plan planRollForward(
      Path copy, Path log, RestorePoint point, DatabaseOptions options) throws IOException {
    return CopyFollower.plan(
        DatabaseFolder.existing(copy), DatabaseFolder.existing(log), point, options);
  }

  @Override
  public SortedMap<String, Integer> filesByKey(Path path) throws IOException {
    return EncryptedStorage.filesByKey(DatabaseFolder.existing(path));
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
}
