// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.CorruptionException;
import io.accordiondb.KeyUnavailableException;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.backup.BackupDamagedException;
import io.accordiondb.backup.BackupLockedException;
import io.accordiondb.bench.engine.EngineUnavailableException;
import io.accordiondb.cli.hfile.DamagedHFileException;
import io.accordiondb.cli.shell.StatementException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.ExitCode;
import site.ycsb.DBException;

/**
 * How a command failed: a sentence that says what went wrong and what to do next, and the exit
 * code. Immutable.
 */
record Failure(String sentence, int exitCode) {
  /** Parts of messages of operating systems, each with advice for the user. */
  private static final Map<String, String> REMEDIES =
      Map.of(
          "No space left on device", "free some space there, then run it again",
          "Disk quota exceeded", "free some space there, then run it again",
          "File too large", "raise the limit of the size of files, for example with ulimit -f",
          "Read-only file system", "give a place that can be written to",
          "Too many open files", "raise the limit of open files, for example with ulimit -n",
          "Is a directory", "give the path of a file",
          "Not a directory", "a part of the path is a file");

  /** Advice on damage, printed after the message that names it. */
  static final String DAMAGED_REMEDY =
      "; \"accordion store verify\" lists all that is damaged, \"accordion store repair\" keeps"
          + " what is sound (try it on a copy first)";

  /** Explains what a command threw. */
  static Failure of(Throwable thrown) {
    Throwable cause = unwrapped(thrown);
    if (cause instanceof StatementException statement) {
      Failure failure = of(statement.reason());
      return new Failure(statement.place() + ": " + failure.sentence(), failure.exitCode());
    }
    if (cause instanceof EngineUnavailableException) {
      return new Failure(message(cause), Main.EXIT_UNAVAILABLE);
    }
    if (cause instanceof CorruptionException) {
      return new Failure(message(cause) + DAMAGED_REMEDY, VerifyCommand.DAMAGED);
    }
    if (cause instanceof DamagedHFileException || cause instanceof DamagedInputException) {
      return new Failure(message(cause), VerifyCommand.DAMAGED);
    }
    if (cause instanceof BackupDamagedException) {
      return new Failure(
          message(cause) + "; \"accordion store backups\" lists the generations",
          VerifyCommand.DAMAGED);
    }
    if (cause instanceof BackupLockedException) {
      return failed(message(cause).replace("call Backups.breakLock()", "give --break-lock"));
    }
    if (cause instanceof KeyUnavailableException) {
      return failed(
          message(cause)
              .replace("open it with DatabaseOptions.encryption", "give --key-file or --key-env"));
    }
    if (cause instanceof TableNotFoundException) {
      String what = message(cause);
      int end = what.indexOf(';');
      return failed(
          (end < 0 ? what : what.substring(0, end))
              + "; \"accordion store info\" lists the tables");
    }
    if (cause instanceof FileSystemException files) {
      return failed(sentence(files));
    }
    if (cause instanceof IllegalArgumentException) {
      return new Failure(message(cause), ExitCode.USAGE);
    }
    if (cause instanceof OutOfMemoryError || cause.getCause() instanceof OutOfMemoryError) {
      return failed(
          "memory has run out ("
              + cause.getMessage()
              + "); ACCORDION_HEAP=4g gives the Java heap more than the 2g it has by default");
    }
    if (cause instanceof IOException) {
      return failed(message(cause) + remedy(message(cause)));
    }
    return failed("an unexpected failure: " + cause + "; ACCORDION_DEBUG=1 prints where");
  }

  private static Failure failed(String sentence) {
    return new Failure(sentence, ExitCode.SOFTWARE);
  }

  /** Returns the failure itself, out of what other threads and libraries wrap around it. */
  private static Throwable unwrapped(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null
        && (cause instanceof UncheckedIOException
            || cause instanceof ExecutionException
            || cause instanceof DBException)) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static String message(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank() ? failure.toString() : message;
  }

  private static String sentence(FileSystemException failure) {
    String file = failure.getFile();
    if (failure instanceof NoSuchFileException) {
      return file + " does not exist; check the path";
    }
    if (failure instanceof AccessDeniedException) {
      return "access to "
          + file
          + " is denied; check its permissions, those of the folders above it, and who you are";
    }
    String reason = failure.getReason();
    if (failure instanceof FileAlreadyExistsException) {
      return file + " exists already; give another name" + (reason == null ? "" : ", " + reason);
    }
    if (failure instanceof DirectoryNotEmptyException) {
      return "the folder " + file + " is not empty; give an empty or a new one";
    }
    if (failure instanceof NotDirectoryException) {
      return file + " is not a folder; give the path of a folder";
    }
    if (reason == null) {
      return file + " could not be read or written";
    }
    return file + ": " + reason + remedy(reason);
  }

  private static String remedy(String reason) {
    return REMEDIES.entrySet().stream()
        .filter(remedy -> reason.contains(remedy.getKey()))
        .map(remedy -> "; " + remedy.getValue())
        .findFirst()
        .orElse("");
  }
}
