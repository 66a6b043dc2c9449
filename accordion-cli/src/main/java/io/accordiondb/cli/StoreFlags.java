// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.Database;
import io.accordiondb.DatabaseLockedException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyProvider;
import io.accordiondb.KeyProviders;
import io.accordiondb.cli.shell.ShellMode;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.Json;
import io.accordiondb.cli.text.PlainText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that the commands on a database share. */
final class StoreFlags {
  /** The most that an application can allow. */
  private static final int VALUE_BYTES_MAX = 128 << 20;

  private static final int BATCH_BYTES_MAX = 192 << 20;

  /** A folder that only databases have which keep their log. */
  private static final String KEPT_LOG = "kept";

  private static final Duration FOR_EVER = Duration.ofDays(3650);

  @Parameters(index = "0", paramLabel = "FOLDER", description = "folder of the database")
  private Path folder = Path.of("");

  @Option(names = "--json", description = "print JSON")
  private boolean json;

  @ArgGroup(exclusive = true)
  private @Nullable KeySource keySource;

  /** Where the keys are; one of the two is given. */
  private static final class KeySource {
    @Option(
        names = "--key-file",
        paramLabel = "FILE",
        description = "keys of an encrypted database")
    private @Nullable Path file;

    @Option(
        names = "--key-env",
        paramLabel = "NAME",
        description = "variable of the environment that has the keys")
    private @Nullable String variable;
  }

  Path folder() {
    return folder;
  }

  boolean json() {
    return json;
  }

  /** Prints what a command has done. */
  void print(PrintWriter out, Fields result) throws IOException {
    if (json) {
      out.println(Json.write(result.map()));
    } else {
      result.map().forEach((name, value) -> out.println(name + ": " + PlainText.of(value)));
    }
  }

  /** Opens the database, which must exist. */
  Database open() throws IOException {
    return Database.open(folder, options().createIfMissing(false).build());
  }

  /** An open database and how it was opened. */
  record Opened(Database database, ShellMode mode) {}

  /**
   * Opens the database; for reading alone if it is in use, or if nothing can be written to its
   * folder.
   *
   * @param create whether to begin a database if there is none
   */
  Opened openAsFarAsPossible(boolean create) throws IOException {
    try {
      Database database = create ? Database.open(folder, options().build()) : open();
      return new Opened(database, ShellMode.READ_WRITE);
    } catch (DatabaseLockedException e) {
      return new Opened(openReadOnly(), ShellMode.READ_ONLY_BESIDE_OWNER);
    } catch (FileSystemException e) {
      if (create || !isUnwritable()) {
        throw e;
      }
      return new Opened(openReadOnly(), ShellMode.READ_ONLY_FOLDER);
    }
  }

  /** Opens the database for reading alone; it may be in use. */
  Database openReadOnly() throws IOException {
    return Database.open(folder, options().readOnly(true).build());
  }

  /** Returns whether the folder exists, but its permissions or its mount forbid to write there. */
  private boolean isUnwritable() {
    Path lock = folder.resolve("LOCK");
    return Files.isDirectory(folder)
        && !(Files.isWritable(folder) && (Files.notExists(lock) || Files.isWritable(lock)));
  }

  /**
   * Returns options with the keys that were named, with which what an application has made stays as
   * it is: the log that it keeps, its regions, and values of any length.
   */
  DatabaseOptions.Builder options() throws IOException {
    KeyProvider keys = keys();
    DatabaseOptions.Builder options =
        DatabaseOptions.builder().regionSplitBytes(Long.MAX_VALUE).valueBytesMax(VALUE_BYTES_MAX);
    // The default is shorter than the longest value. A batch must fit into memory.
    options.batchBytesMax(
        (int) Math.min(BATCH_BYTES_MAX, DatabaseOptions.builder().build().memoryBytes() / 4 * 3));
    if (Files.isDirectory(folder.resolve(KEPT_LOG))) {
      options.logRetention(FOR_EVER);
    }
    return keys == null ? options : options.encryption(keys);
  }

  /** Returns the keys that were named, or null. */
  @Nullable KeyProvider keys() throws IOException {
    if (keySource == null) {
      return null;
    }
    if (keySource.file != null) {
      if (Files.isDirectory(keySource.file)) {
        throw new FileSystemException(keySource.file.toString(), null, "Is a directory");
      }
      return KeyProviders.file(keySource.file);
    }
    return KeyProviders.environment(Objects.requireNonNull(keySource.variable, "variable"));
  }
}
