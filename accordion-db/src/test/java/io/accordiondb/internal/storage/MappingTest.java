// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Mappings are there until they are closed, by whatever means the JDK of the test has. */
final class MappingTest {
  @TempDir Path folder;

  @Test
  void readsAndWritesTheFileAfterItsChannelIsClosed() throws IOException {
    Path file = Files.write(folder.resolve("mapped"), new byte[8192]);
    try (Mapping mapping = map(file, MapMode.READ_WRITE, 4096, 4096)) {
      mapping.bytes().put(1, (byte) 7);
      assertThat(mapping.bytes().capacity()).isEqualTo(4096);
    }
    assertThat(Files.readAllBytes(file)[4097]).isEqualTo((byte) 7);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void closingEndsTheMappingAtOnce() throws IOException {
    Path file = Files.write(folder.resolve("mapped"), new byte[4096]);
    Mapping mapping = map(file, MapMode.READ_ONLY, 0, 4096);
    assertThat(isMapped(file)).isTrue();
    mapping.close();
    assertThat(isMapped(file)).isFalse();
  }

  private static Mapping map(Path file, MapMode mode, long start, long length) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return Mapping.map(channel, mode, start, length);
    }
  }

  private static boolean isMapped(Path file) throws IOException {
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      return maps.anyMatch(line -> line.endsWith(file.toString()));
    }
  }
}
