// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file in a task's directory that names the incarnation of a store. Kafka Streams wipes a store
 * by deleting the task's directory, and assumes that a directory that is not empty may hold state.
 * So the file represents the keys of the store in the shared database.
 */
final class StoreMarker {
  private static final String FOLDER = "accordion";

  private final Path file;

  StoreMarker(Path taskDirectory, String store) {
    this.file = taskDirectory.resolve(FOLDER).resolve(store);
  }

  /** Returns the incarnation, or null if there is no file. */
  @Nullable String read() throws IOException {
    try {
      return Files.readString(file, UTF_8);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Writes the incarnation, durably. */
  void write(String incarnation) throws IOException {
    Files.createDirectories(file.getParent());
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = UTF_8.encode(incarnation);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /** Returns whether the store has had an incarnation since the directory was created. */
  boolean exists() {
    return Files.exists(file);
  }

  /** Changes the file so that it names no incarnation. */
  void invalidate() throws IOException {
    write("");
  }
}
