// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static io.accordiondb.fixtures.JavaProcess.outputOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder for links has one owner, of whatever process and class loader. */
class StagingLockTest {
  @TempDir private Path folder;

  /** Another process that wants the lock. */
  static final class Other {
    private Other() {}

    public static void main(String[] arguments) {
      try (StagingLock lock = StagingLock.of(Path.of(arguments[0]))) {
        System.out.println(lock == null ? "no lock" : "locked");
      } catch (IOException e) {
        System.out.println("refused");
      }
    }
  }

  private Path links() {
    return folder.resolve("links");
  }

  private void assertOtherProcess(String says) throws Exception {
    assertThat(outputOf(javaProcess(List.of(), Other.class, links())).strip()).isEqualTo(says);
  }

  /** Returns a class loader that has classes of its own. */
  private static URLClassLoader anotherLoader() throws IOException {
    List<URL> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      classPath.add(Path.of(entry).toUri().toURL());
    }
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    return new URLClassLoader(classPath.toArray(new URL[0]), platform);
  }

  private static Method lockOf(ClassLoader loader) throws ReflectiveOperationException {
    Method of = loader.loadClass(StagingLock.class.getName()).getDeclaredMethod("of", Path.class);
    of.setAccessible(true);
    return of;
  }

  @Test
  void attemptsOfAnotherClassLoaderDoNotLoseTheLock() throws Exception {
    try (URLClassLoader loader = anotherLoader()) {
      Method of = lockOf(loader);
      try (StagingLock lock = StagingLock.of(links())) {
        assertThat(lock).isNotNull();
        for (int i = 0; i < 2; i++) {
          assertThatThrownBy(() -> of.invoke(null, links()))
              .rootCause()
              .hasMessageStartingWith("another backup of this database is running");
          assertOtherProcess("refused");
        }
      }
      try (Closeable lock = (Closeable) of.invoke(null, links())) {
        assertThat(lock).isNotNull();
        assertThatThrownBy(() -> StagingLock.of(links())).isInstanceOf(IOException.class);
        assertOtherProcess("refused");
      }
      assertOtherProcess("locked");
    }
  }

  /** A lock of the deleted file would keep nobody out. */
  @Test
  void aFileThatWasDeletedSinceARefusedAttemptIsCreatedAgain() throws Exception {
    try (URLClassLoader loader = anotherLoader()) {
      Method of = lockOf(loader);
      try (StagingLock lock = StagingLock.of(links())) {
        assertThat(lock).isNotNull();
        assertThatThrownBy(() -> of.invoke(null, links())).isNotNull();
      }
      Path file = folder.resolve("links.lock");
      for (int i = 0; i < 2; i++) {
        Files.delete(file);
        if (i > 0) {
          Files.createFile(file);
        }
        try (Closeable lock = (Closeable) of.invoke(null, links())) {
          assertThat(lock).isNotNull();
          assertOtherProcess("refused");
        }
      }
    }
  }
}
