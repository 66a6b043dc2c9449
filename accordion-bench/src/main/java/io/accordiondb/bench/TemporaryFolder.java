// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A new folder that is removed with all it holds: when it is closed, or else when the process ends,
 * also by Ctrl-C. Thread-safe.
 *
 * <p>A process that is killed leaves its folders. The next one that creates a folder beside them
 * removes those whose process is gone and whose lock is free; it needs both, because processes in
 * other containers may share the parent.
 */
public final class TemporaryFolder implements Closeable {
  /** The file whose lock the owner of a folder holds. */
  private static final String IN_USE = ".in-use";

  private static final String REMOVED = ".removed";
  private static final Pattern NAME = Pattern.compile("accordion-[a-z-]+-(\\d+)-\\d+(\\.removed)?");
  private static final int REMOVALS_MAX = 20;
  private static final long REMOVAL_MILLIS = 50;

  private final Path folder;
  private final FileChannel inUse;
  private final Thread hook = new Thread(this::removeAtExit, "temporary folder");

  @GuardedBy("this")
  private boolean removed;

  private TemporaryFolder(Path folder, FileChannel inUse) {
    this.folder = folder;
    this.inUse = inUse;
  }

  /** Creates a folder among the temporary files of the system. */
  public static TemporaryFolder create(String purpose) throws IOException {
    return create(Path.of(System.getProperty("java.io.tmpdir", ".")), purpose);
  }

  /**
   * Creates a folder.
   *
   * @param parent an existing folder
   * @param purpose a part of the name, of lower-case letters and dashes
   */
  public static TemporaryFolder create(Path parent, String purpose) throws IOException {
    String prefix = "accordion-" + purpose + "-" + ProcessHandle.current().pid() + "-";
    Path folder = Files.createTempDirectory(parent, prefix);
    FileChannel inUse =
        FileChannel.open(
            folder.resolve(IN_USE), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    FileLock unused = inUse.lock();
    TemporaryFolder created = new TemporaryFolder(folder, inUse);
    Runtime.getRuntime().addShutdownHook(created.hook);
    removeStale(folder);
    return created;
  }

  /** Returns the path of the folder, which holds nothing but a hidden file. */
  public Path path() {
    return folder;
  }

  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // The hook runs already.
    }
    remove();
  }

  private void removeAtExit() {
    try {
      remove();
    } catch (IOException e) {
      System.err.println("accordion: " + folder + " could not be removed: " + e);
    }
  }

  private synchronized void remove() throws IOException {
    if (removed) {
      return;
    }
    removed = true;
    // Threads that still work in the folder can create no more files in it.
    Path renamed = folder.resolveSibling(folder.getFileName() + REMOVED);
    try (inUse) {
      Files.move(folder, renamed);
    } catch (IOException e) {
      renamed = folder;
    }
    for (int removals = 1; ; removals++) {
      try {
        delete(renamed);
        return;
      } catch (DirectoryNotEmptyException e) {
        if (removals == REMOVALS_MAX) {
          throw e;
        }
        pause();
      }
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(REMOVAL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Removes what killed processes of the same user left beside a folder, as far as it can. */
  private static void removeStale(Path created) throws IOException {
    List<Path> neighbours;
    try (Stream<Path> all = Files.list(created.toAbsolutePath().getParent())) {
      neighbours = all.filter(each -> Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)).toList();
    } catch (IOException e) {
      return;
    }
    for (Path each : neighbours) {
      Matcher name = NAME.matcher(each.getFileName().toString());
      if (name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
        removeIfUnused(each, name.group(2) != null);
      }
    }
  }

  private static void removeIfUnused(Path folder, boolean removalBegun) {
    try {
      if (removalBegun) {
        delete(folder);
        return;
      }
      try (FileChannel channel =
              FileChannel.open(
                  folder.resolve(IN_USE), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
          FileLock lock = channel.tryLock()) {
        if (lock != null) {
          delete(folder);
        }
      }
    } catch (IOException | OverlappingFileLockException e) {
      // It is in use, belongs to another user, or another process removes it at the same time.
    }
  }

  /** Deletes a folder and all in it; links are deleted, not followed. */
  private static void delete(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
