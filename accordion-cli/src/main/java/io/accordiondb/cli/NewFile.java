// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A text file that gets its name only when it is complete and on the device. Until then it has a
 * temporary name in the same folder, and is deleted if it is closed early or if the process ends,
 * even by Ctrl-C. Pipes and devices are written to directly. Not thread-safe.
 */
final class NewFile implements Closeable {
  private final Path target;
  private final Path written;
  private final boolean replace;
  private final FileChannel channel;
  private final Writer writer;
  private final Thread hook = new Thread(this::remove, "incomplete file");

  private NewFile(Path target, Path written, boolean replace, FileChannel channel) {
    this.target = target;
    this.written = written;
    this.replace = replace;
    this.channel = channel;
    this.writer =
        new BufferedWriter(
            new OutputStreamWriter(new NamedOutput(target, channel), StandardCharsets.UTF_8));
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Names the file if writing fails: the operating system says only what is wrong. */
  private static final class NamedOutput extends FilterOutputStream {
    private final Path target;

    NamedOutput(Path target, FileChannel channel) {
      super(Channels.newOutputStream(channel));
      this.target = target;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        throw named(target, e);
      }
    }
  }

  private static IOException named(Path target, IOException failure) {
    if (failure.getClass() != IOException.class) {
      return failure;
    }
    FileSystemException named =
        new FileSystemException(target.toString(), null, String.valueOf(failure.getMessage()));
    named.initCause(failure);
    return named;
  }

  /**
   * Checks that a file may be created.
   *
   * @param replace whether a file that exists may be replaced
   * @throws FileAlreadyExistsException if it exists and may not be replaced
   * @throws FileSystemException if it is a folder, or lies in the folder of a database
   */
  static void check(Path target, boolean replace) throws IOException {
    Path folder = Objects.requireNonNull(target.toAbsolutePath().getParent(), target.toString());
    if (Files.isDirectory(target)) {
      throw new FileSystemException(target.toString(), null, "Is a directory");
    }
    if (!Files.isDirectory(folder)) {
      throw new NoSuchFileException(folder.toString());
    }
    OutputPlace.checkOutsideDatabases(target);
    if (!replace && Files.exists(target, LinkOption.NOFOLLOW_LINKS) && !isPipeOrDevice(target)) {
      throw new FileAlreadyExistsException(target.toString(), null, "or replace it with --force");
    }
  }

  /** Checks what {@link #check} does, and by beginning a file that it can be written. */
  static void checkCreation(Path target, boolean replace) throws IOException {
    check(target, replace);
    if (!isPipeOrDevice(target)) {
      create(target, replace).close();
    }
  }

  private static boolean isPipeOrDevice(Path path) {
    return Files.exists(path) && !Files.isRegularFile(path);
  }

  /** Begins a file, as {@link #check} allows. */
  static NewFile create(Path target, boolean replace) throws IOException {
    check(target, replace);
    if (isPipeOrDevice(target)) {
      return new NewFile(
          target, target, replace, FileChannel.open(target, StandardOpenOption.WRITE));
    }
    // A link stays; what it leads to is replaced.
    Path place = Files.exists(target) ? target.toRealPath() : target.toAbsolutePath();
    Path written = place.resolveSibling(".accordion-" + UUID.randomUUID() + ".tmp");
    try {
      Set<PosixFilePermission> permissions = permissionsOf(place);
      FileChannel channel =
          FileChannel.open(
              written,
              Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
              permissions == null
                  ? new FileAttribute<?>[0]
                  : new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)});
      if (permissions != null) {
        // Once more, because creating the file has left out what the process masks.
        Files.setPosixFilePermissions(written, permissions);
      }
      return new NewFile(place, written, replace, channel);
    } catch (AccessDeniedException e) {
      throw new AccessDeniedException(String.valueOf(place.getParent()));
    } catch (FileSystemException e) {
      String reason = e.getReason() == null ? "no file can be created there" : e.getReason();
      throw new FileSystemException(target.toString(), null, reason);
    }
  }

  /**
   * Returns the permissions of a file that is replaced; those of its owner alone for a new file,
   * whose text may be that of an encrypted database; null where there are none.
   */
  private static @Nullable Set<PosixFilePermission> permissionsOf(Path replaced)
      throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(replaced, PosixFileAttributeView.class);
    if (view == null) {
      return null;
    }
    return Files.exists(replaced)
        ? view.readAttributes().permissions()
        : PosixFilePermissions.fromString("rw-------");
  }

  /** Returns what the text is written to. */
  Writer writer() {
    return writer;
  }

  /** Ends the text and gives the file its name. */
  void complete() throws IOException {
    writer.flush();
    if (written.equals(target)) {
      return;
    }
    try {
      channel.force(true);
    } catch (IOException e) {
      throw named(target, e);
    }
    writer.close();
    if (replace) {
      Files.move(
          written, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } else {
      Files.move(written, target);
    }
    forceName();
  }

  /** A loss of power must not take the name away, nor bring back what it has replaced. */
  private void forceName() throws IOException {
    Path folder = Objects.requireNonNull(target.getParent(), target.toString());
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    } catch (AccessDeniedException e) {
      // Windows cannot open folders, and makes their entries durable by itself. Nor can a folder be
      // opened in which files may be created, but not listed.
    }
  }

  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // The hook runs already.
    }
    try (channel) {
      remove();
    }
  }

  private void remove() {
    if (!written.equals(target)) {
      try {
        Files.deleteIfExists(written);
      } catch (IOException e) {
        System.err.println(Main.NAME + ": " + written + " could not be removed: " + e);
      }
    }
  }
}
