// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFolderTest {
  @TempDir Path parent;

  /** Returns the number of a process that has ended. */
  private static long pidOfEndedProcess() throws Exception {
    Process process =
        new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-X")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.waitFor();
    return process.pid();
  }

  /** Creates what a process leaves that is killed. */
  private Path leftBy(long pid, String suffix) throws IOException {
    Path folder = Files.createDirectory(parent.resolve("accordion-demo-" + pid + "-17" + suffix));
    Files.createFile(folder.resolve(".in-use"));
    Files.writeString(Files.createDirectory(folder.resolve("store")).resolve("file"), "x");
    return folder;
  }

  @Test
  void isGoneWithAllItHoldsWhenClosed() throws IOException {
    Path other = Files.writeString(parent.resolve("other"), "kept");
    try (TemporaryFolder folder = TemporaryFolder.create(parent, "test")) {
      Path below = Files.createDirectories(folder.path().resolve("a").resolve("b"));
      Files.writeString(below.resolve("file"), "x");
      Files.createSymbolicLink(below.resolve("link"), other);
    }
    assertThat(parent).isDirectoryNotContaining(path -> !path.equals(other));
    assertThat(other).hasContent("kept");
  }

  @Test
  void removesWhatKilledProcessesLeft() throws Exception {
    long pid = pidOfEndedProcess();
    Path left = leftBy(pid, "");
    Path halfRemoved = leftBy(pid, "0.removed");
    Files.delete(halfRemoved.resolve(".in-use"));
    TemporaryFolder.create(parent, "test").close();
    assertThat(left).doesNotExist();
    assertThat(halfRemoved).doesNotExist();
  }

  @Test
  void keepsWhatIsInUseOrNotItsOwn() throws Exception {
    Path ofThisProcess = leftBy(ProcessHandle.current().pid(), "");
    long pid = pidOfEndedProcess();
    Path locked = leftBy(pid, "1");
    Path foreign = leftBy(pid, "2");
    Files.delete(foreign.resolve(".in-use"));
    Path otherName = Files.createDirectory(parent.resolve("accordion-demo"));
    try (FileChannel channel =
            FileChannel.open(locked.resolve(".in-use"), StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      TemporaryFolder.create(parent, "test").close();
      assertThat(lock.isValid()).isTrue();
    }
    for (Path kept : new Path[] {ofThisProcess, locked, foreign, otherName}) {
      assertThat(kept).isDirectory();
    }
  }
}
