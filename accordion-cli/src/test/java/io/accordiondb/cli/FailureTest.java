// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.CorruptionException;
import io.accordiondb.DatabaseLockedException;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.bench.engine.EngineUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import site.ycsb.DBException;

class FailureTest {
  static Stream<Arguments> failures() {
    IOException locked = new DatabaseLockedException("/db", "in process 7");
    return Stream.of(
        Arguments.of(new NoSuchFileException("/x"), 1, "/x does not exist; check the path"),
        Arguments.of(new AccessDeniedException("/x"), 1, "access to /x is denied; check its perm"),
        Arguments.of(new FileAlreadyExistsException("/x"), 1, "/x exists already; give another"),
        Arguments.of(new DirectoryNotEmptyException("/x"), 1, "/x is not empty; give an empty"),
        Arguments.of(new NotDirectoryException("/x"), 1, "/x is not a folder; give the path"),
        Arguments.of(
            new FileSystemException("/x", null, "No space left on device"),
            1,
            "/x: No space left on device; free some space"),
        Arguments.of(
            new FileSystemException("/x", null, "Read-only file system"),
            1,
            "/x: Read-only file system; give a place that can be written to"),
        Arguments.of(new FileSystemException("/x"), 1, "/x could not be read or written"),
        Arguments.of(
            new IOException("No space left on device"), 1, "device; free some space there"),
        Arguments.of(locked, 1, "/db is open already, in process 7; close it there first"),
        Arguments.of(new UncheckedIOException(locked), 1, "/db is open already"),
        Arguments.of(new ExecutionException(locked), 1, "/db is open already"),
        Arguments.of(new DBException(locked), 1, "/db is open already"),
        Arguments.of(
            new CorruptionException("wal/7.log", 30, "a record", "zeros"),
            3,
            "wal/7.log is damaged at offset 30"),
        Arguments.of(
            new CorruptionException("wal/7.log", 30, "a record", "zeros"), 3, "store repair"),
        Arguments.of(new TableNotFoundException("t"), 1, "\"t\"; \"accordion store info\" lists"),
        Arguments.of(new EngineUnavailableException("no lmdb"), 69, "no lmdb"),
        Arguments.of(new IllegalArgumentException("--rows is 0"), 2, "--rows is 0"),
        Arguments.of(new DBException(new IllegalArgumentException("a.b is 0")), 2, "a.b is 0"),
        Arguments.of(new OutOfMemoryError("Java heap space"), 1, "ACCORDION_HEAP"),
        Arguments.of(
            new IOException("no memory to force the log", new OutOfMemoryError("Java heap space")),
            1,
            "ACCORDION_HEAP"),
        Arguments.of(new IllegalStateException(), 1, "ACCORDION_DEBUG=1"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void saysWhatWentWrongAndWhatToDo(Throwable thrown, int exitCode, String sentence) {
    Failure failure = Failure.of(thrown);
    assertThat(failure.sentence()).contains(sentence).doesNotContain("Exception:");
    assertThat(failure.exitCode()).isEqualTo(exitCode);
  }
}
