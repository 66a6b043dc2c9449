// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.accordiondb.DatabaseLockedException;
import io.accordiondb.fixtures.Mount;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** One folder has one owner, whatever path, class loader or process a second attempt comes by. */
@Tag("slow")
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class FolderLockTest {
  @TempDir Path temporary;

  private Path folder;

  @BeforeEach
  void create() throws IOException {
    folder = Files.createDirectory(temporary.resolve("database"));
  }

  private static Closeable lock(Path folder) throws IOException {
    return new FileStorage(folder).lock("LOCK");
  }

  private static void assertRefused(Path folder) {
    assertThatThrownBy(() -> lock(folder))
        .isInstanceOf(DatabaseLockedException.class)
        .hasMessageContaining("in this process");
  }

  @Test
  void anotherProcessIsKeptOutAndNamed() throws Exception {
    Process other = startOther(folder);
    try (BufferedReader output = outputOf(other)) {
      assertThat(output.readLine()).isEqualTo("locked");
      assertThatThrownBy(() -> lock(folder))
          .isInstanceOf(DatabaseLockedException.class)
          .hasMessageContaining(folder.toRealPath().toString())
          .hasMessageContaining("in process " + other.pid());
    } finally {
      other.destroyForcibly().waitFor();
    }
    // What a killed process leaves behind keeps nobody out.
    assertThat(Files.readString(folder.resolve("LOCK"))).startsWith(other.pid() + "\n");
    lock(folder).close();
  }

  @Test
  void aFileThatCannotBeEmptiedNamesNobody() throws IOException {
    Path path = folder.resolve("LOCK");
    Files.writeString(path, LockOwner.thisProcess("token").encode());
    assertThat(LockOwner.parse(Files.readString(path))).isNotNull();
    try (PositionalFile file = PositionalFile.open(path, Set.of(StandardOpenOption.WRITE))) {
      FolderLock.makeUnreadable(file);
    }
    assertThat(LockOwner.parse(Files.readString(path))).isNull();
  }

  @Test
  void anAttemptOfThisProcessDoesNotLoseTheLock() throws Exception {
    try (Closeable lock = lock(folder)) {
      assertRefused(folder);
      assertOthersAreKeptOut(folder);
    }
    lock(folder).close();
  }

  @Test
  void anAttemptOfAnotherClassLoaderDoesNotLoseTheLock() throws Exception {
    try (Closeable lock = lock(folder);
        URLClassLoader loader = anotherLoader()) {
      Class<?> storage = loader.loadClass(FileStorage.class.getName());
      assertThat(storage).isNotEqualTo(FileStorage.class);
      Object attempt = storage.getConstructor(Path.class).newInstance(folder);
      assertThatThrownBy(() -> storage.getMethod("lock", String.class).invoke(attempt, "LOCK"))
          .isInstanceOf(InvocationTargetException.class)
          .rootCause()
          .hasMessageStartingWith(folder.toRealPath() + " is open already, in this process, by")
          .hasMessageContaining(
              "another class loader, as the system property " + claim() + " says");
      assertOthersAreKeptOut(folder);
    }
  }

  /** Returns the property that claims the folder. */
  private String claim() throws IOException {
    Object key = Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
    return ClaimedNames.propertyOf(String.valueOf(key));
  }

  /** As extensions of test frameworks do it. */
  @Test
  void restoringTheSystemPropertiesBringsNoClaimBack() throws Exception {
    Properties properties = System.getProperties();
    Closeable first = lock(folder);
    Properties saved = (Properties) properties.clone();
    first.close();
    System.setProperties(saved);
    try {
      try (Closeable again = lock(folder)) {
        assertRefused(folder);
        assertOthersAreKeptOut(folder);
      }
      assertThat(System.getProperties()).doesNotContainKey(claim());
    } finally {
      System.setProperties(properties);
    }
  }

  @Test
  void restoringTheSystemPropertiesReleasesNoClaim() throws Exception {
    Properties properties = System.getProperties();
    Properties saved = (Properties) properties.clone();
    Closeable first = lock(folder);
    System.setProperties(saved);
    try {
      assertRefused(folder);
      first.close();
      lock(folder).close();
    } finally {
      System.setProperties(properties);
    }
  }

  @Test
  void aPropertyThatAnotherProcessHasPassedOnClaimsNothing() throws Exception {
    String claim = claim();
    System.setProperty(claim, "1/2/" + UUID.randomUUID());
    lock(folder).close();
    assertThat(System.getProperty(claim)).isNull();
  }

  private static URLClassLoader anotherLoader() throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  @Test
  void losingTheSystemPropertiesDoesNotLoseTheLock() throws Exception {
    Properties properties = System.getProperties();
    try (Closeable lock = lock(folder)) {
      System.setProperties(withoutClaims(properties));
      assertRefused(folder);
      assertOthersAreKeptOut(folder);
    } finally {
      System.setProperties(properties);
    }
  }

  private static Properties withoutClaims(Properties properties) {
    Properties others = new Properties();
    properties.stringPropertyNames().stream()
        .filter(name -> !name.startsWith("io.accordiondb"))
        .forEach(name -> others.setProperty(name, properties.getProperty(name)));
    return others;
  }

  /** An application may try again every second. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void attemptsThatDoNotSeeTheClaimsKeepOneFileOpen() throws Exception {
    Properties properties = System.getProperties();
    try (URLClassLoader loader = anotherLoader()) {
      Method lock = loader.loadClass(FileStorage.class.getName()).getMethod("lock", String.class);
      Object other =
          lock.getDeclaringClass().getConstructor(Path.class).newInstance(folder.toRealPath());
      try (Closeable held = lock(folder)) {
        System.setProperties(withoutClaims(properties));
        for (int i = 0; i < 5; i++) {
          assertThatThrownBy(() -> lock.invoke(other, "LOCK"))
              .rootCause()
              .isInstanceOf(IOException.class)
              .hasMessageContaining("in this process");
        }
        System.setProperties(properties);
        assertThat(openLocks()).isEqualTo(2);
      } finally {
        System.setProperties(properties);
      }
      ((Closeable) lock.invoke(other, "LOCK")).close();
      assertThat(openLocks()).isZero();
    }
  }

  /** Returns how many times this process has the file open. */
  private long openLocks() throws IOException {
    Path path = folder.toRealPath().resolve("LOCK");
    long open = 0;
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors) {
        if (Files.isSymbolicLink(descriptor)) {
          open += Files.readSymbolicLink(descriptor).equals(path) ? 1 : 0;
        }
      }
    }
    return open;
  }

  @Test
  void anAttemptThroughASymbolicLinkDoesNotLoseTheLock() throws Exception {
    Path link = Files.createSymbolicLink(temporary.resolve("link"), folder);
    try (Closeable lock = lock(link)) {
      assertRefused(folder);
      assertRefused(link);
      assertOthersAreKeptOut(folder);
      assertOthersAreKeptOut(link);
    }
  }

  @Test
  void anAttemptThroughAHardLinkOfTheLockDoesNotLoseIt() throws Exception {
    Path alias = Files.createDirectory(temporary.resolve("alias"));
    lock(folder).close();
    Files.createLink(alias.resolve("LOCK"), folder.resolve("LOCK"));
    try (Closeable lock = lock(folder)) {
      assertRefused(alias);
      assertOthersAreKeptOut(folder);
      assertOthersAreKeptOut(alias);
    }
    lock(alias).close();
  }

  @Test
  void anAttemptThroughABindMountDoesNotLoseTheLock() throws Exception {
    Path alias = Files.createDirectory(temporary.resolve("alias"));
    try (Mount mount = Mount.of("--bind", folder.toString(), alias.toString());
        Closeable lock = lock(folder)) {
      assertThat(mount).isNotNull();
      assertRefused(alias);
      assertOthersAreKeptOut(folder);
      assertOthersAreKeptOut(alias);
    }
  }

  /** Its files are others to the operating system, whose lock keeps nobody out then. */
  @Test
  void anAliasOnAnotherFileSystemShowsTheOwner() throws Exception {
    Path alias = Files.createDirectory(temporary.resolve("alias"));
    try (Mount above = Mount.of("-t", "tmpfs", "tmpfs", alias.toString())) {
      assertThat(above).isNotNull();
      Path merged = Files.createDirectory(alias.resolve("merged"));
      String layers =
          "lowerdir=%s,upperdir=%s,workdir=%s"
              .formatted(
                  folder,
                  Files.createDirectory(alias.resolve("upper")),
                  Files.createDirectory(alias.resolve("work")));
      try (Closeable lock = lock(folder);
          Mount overlay = Mount.of("-t", "overlay", "overlay", "-o", layers, merged.toString())) {
        assertThat(overlay).isNotNull();
        assertThatThrownBy(() -> lock(merged))
            .isInstanceOf(DatabaseLockedException.class)
            .hasMessageContaining("in process " + ProcessHandle.current().pid());
        assertOthersAreKeptOut(merged);
        assertOthersAreKeptOut(folder);
      }
    }
  }

  @Test
  void aReaderNeedsNoRoomOnTheDevice() throws Exception {
    Path small = Files.createDirectory(temporary.resolve("small"));
    try (Mount mount = Mount.of("-t", "tmpfs", "-o", "size=64k", "tmpfs", small.toString())) {
      assertThat(mount).isNotNull();
      Path full = Files.createDirectory(small.resolve("database"));
      Files.createFile(full.resolve("LOCK"));
      assertThatThrownBy(() -> Files.write(small.resolve("filling"), new byte[1 << 20]))
          .isInstanceOf(IOException.class);
      try (Closeable reader = new FileStorage(full).lockToRead("LOCK")) {
        assertThat(reader).isNotNull();
        assertRefused(full);
      }
    }
  }

  @Test
  void aStrangerThatReadsTheLockFileDoesNotLoseTheLock() throws Exception {
    try (Closeable lock = lock(folder)) {
      // As a copy of the folder would: closing it ends the lock of the operating system.
      assertThat(Files.readString(folder.resolve("LOCK"))).isNotEmpty();
      assertOthersAreKeptOut(folder);
    }
  }

  @Test
  void anOwnerThatHasEndedKeepsNobodyOut() throws IOException {
    String here = LockOwner.thisProcess("token").encode();
    long pid = ProcessHandle.current().pid();
    for (String left :
        List.of(
            "",
            Long.toString(pid),
            here,
            here.substring(0, here.length() / 2),
            // A later process has the number of the owner.
            new LockOwner(pid, "1", LockOwner.thisProcess("").place(), "token").encode(),
            new LockOwner(pid, LockOwner.thisProcess("").start(), "elsewhere", "token").encode(),
            "x".repeat(2 * LockOwner.BYTES_MAX))) {
      Files.writeString(folder.resolve("LOCK"), left);
      lock(folder).close();
      assertThat(folder.resolve("LOCK")).isEmptyFile();
    }
  }

  @Test
  void anOwnerThatIsAliveKeepsOthersOut() throws Exception {
    Process other = startOther(Files.createDirectory(temporary.resolve("other")));
    try (BufferedReader output = outputOf(other)) {
      assertThat(output.readLine()).isEqualTo("locked");
      // As if the lock of the operating system had been lost.
      Files.copy(temporary.resolve("other/LOCK"), folder.resolve("LOCK"));
      assertThatThrownBy(() -> lock(folder))
          .isInstanceOf(DatabaseLockedException.class)
          .hasMessageContaining("in process " + other.pid());
    } finally {
      other.destroyForcibly().waitFor();
    }
    lock(folder).close();
  }

  /** Otherwise it would take a whole processor, and a virtual thread would keep its carrier. */
  @Test
  void anInterruptedThreadPausesWhileItWaitsForTheEndOfAnOwner() throws Exception {
    Process other = startOther(Files.createDirectory(temporary.resolve("other")));
    try (BufferedReader output = outputOf(other)) {
      assertThat(output.readLine()).isEqualTo("locked");
      Files.copy(temporary.resolve("other/LOCK"), folder.resolve("LOCK"));
      long before = waits();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> lock(folder)).isInstanceOf(DatabaseLockedException.class);
      assertThat(Thread.interrupted()).as("the flag of the thread").isTrue();
      // It waits two hundred times within a second.
      assertThat(waits() - before).isBetween(1L, 1000L);
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  /** Returns how often this thread has begun to wait, even if it was interrupted. */
  private static long waits() {
    return ManagementFactory.getThreadMXBean()
        .getThreadInfo(Thread.currentThread().getId())
        .getWaitedCount();
  }

  @Test
  void anOwnerAndAReaderOnAReadOnlyFileSystemKeepEachOtherOut() throws Exception {
    lock(folder).close();
    Path alias = Files.createDirectory(temporary.resolve("alias"));
    try (Mount mount = Mount.of("--bind", "-o", "ro", folder.toString(), alias.toString())) {
      assertThat(mount).isNotNull();
      try (Closeable reader = new FileStorage(alias).lockToRead("LOCK")) {
        assertThat(firstLineOf(startOther(folder)))
            .contains("DatabaseLockedException")
            .contains("in another process");
      }
      Process other = startOther(folder);
      try (BufferedReader output = outputOf(other)) {
        assertThat(output.readLine()).isEqualTo("locked");
        assertThatThrownBy(() -> new FileStorage(alias).lockToRead("LOCK"))
            .isInstanceOf(DatabaseLockedException.class)
            .hasMessageContaining("in process " + other.pid());
      } finally {
        other.destroyForcibly().waitFor();
      }
      new FileStorage(alias).lockToRead("LOCK").close();
      lock(folder).close();
    }
  }

  @Test
  void aLockFileThatIsASymbolicLinkIsRefused() throws IOException {
    assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("posix");
    Path secret = Files.writeString(temporary.resolve("secret"), "secret");
    Files.createSymbolicLink(folder.resolve("LOCK"), secret);
    assertThatThrownBy(() -> lock(folder)).isInstanceOf(IOException.class);
    assertThat(secret).hasContent("secret");
    Files.delete(folder.resolve("LOCK"));
    lock(folder).close();
  }

  /** Locks a folder, or says why it could not, and waits for its end. */
  public static final class Other {
    private Other() {}

    public static void main(String[] args) throws IOException {
      try (Closeable lock = lock(Path.of(args[0]))) {
        System.out.println("locked");
        System.in.read();
      } catch (DatabaseLockedException e) {
        System.out.println(e);
      }
    }
  }

  private static void assertOthersAreKeptOut(Path folder) throws Exception {
    assertThat(firstLineOf(startOther(folder)))
        .contains("DatabaseLockedException")
        .contains("in process " + ProcessHandle.current().pid());
  }

  private static String firstLineOf(Process process) throws Exception {
    try (BufferedReader output = outputOf(process)) {
      return output.readLine();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static Process startOther(Path folder) throws IOException {
    return javaProcess(List.of(), Other.class, folder).redirectErrorStream(true).start();
  }

  private static BufferedReader outputOf(Process process) {
    return new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }
}
