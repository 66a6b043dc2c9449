// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Reads the files of one generation and verifies the SHA-256 of each. */
final class BackupReader {
  private static final int BUFFER_BYTES = 64 << 10;

  private final BackupTarget target;
  private final GenerationRecord generation;
  private final BackupOptions options;
  private final Throttle throttle;

  BackupReader(BackupTarget target, GenerationRecord generation, BackupOptions options) {
    this.target = target;
    this.generation = generation;
    this.options = options;
    this.throttle = new Throttle(options.bytesPerSecondMax());
  }

  /**
   * Reads each file and returns what is wrong with it, if anything.
   *
   * @throws GenerationNotFoundException if the generation is deleted while it is read
   */
  List<String> problems() throws IOException {
    List<String> problems = new ArrayList<>();
    int done = 0;
    long bytesDone = 0;
    for (FileEntry file : generation.files()) {
      try {
        copy(file, OutputStream.nullOutputStream());
      } catch (BackupDamagedException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
      bytesDone += file.bytes();
      options.progress().onFile(++done, generation.files().size(), bytesDone, generation.bytes());
    }
    return problems;
  }

  /**
   * Writes files into a folder.
   *
   * @param wanted which of them, by their names
   * @throws DirectoryNotEmptyException if it holds anything
   * @throws GenerationNotFoundException if the generation is deleted while it is read
   */
  void restore(Path folder, Predicate<String> wanted) throws IOException {
    Folders.checkEmpty(folder);
    List<FileEntry> files = new ArrayList<>();
    for (FileEntry file : generation.files()) {
      checkName(file, folder);
      if (wanted.test(file.name())) {
        files.add(file);
      }
    }
    long bytesAll = files.stream().mapToLong(FileEntry::bytes).sum();
    files.sort(Comparator.comparing(file -> file.name().equals(Folders.LAST)));
    RestoredFolder restoredFolder = RestoredFolder.take(folder);
    int filesDone = 0;
    boolean restored = false;
    try {
      long bytesDone = 0;
      for (FileEntry file : files) {
        if (file.name().equals(Folders.LAST)) {
          // A name that is there before its bytes would make what a crash leaves a database.
          Path work = restoredFolder.unfinished();
          write(file, work.resolve(file.name()));
          Folders.moveContents(work, folder, Folders.LAST);
        } else {
          write(file, folder.resolve(file.name()));
        }
        filesDone++;
        bytesDone += file.bytes();
        options.progress().onFile(filesDone, files.size(), bytesDone, bytesAll);
      }
      restored = true;
      restoredFolder.complete();
    } finally {
      if (!restored) {
        restoredFolder.clear();
      }
    }
  }

  /** Refuses names that lead out of the folder. */
  private void checkName(FileEntry file, Path folder) throws IOException {
    Path whole = folder.toAbsolutePath().normalize();
    Path inside = whole.resolve(file.name()).normalize();
    if (!inside.startsWith(whole) || Path.of(file.name()).isAbsolute()) {
      throw new BackupDamagedException(
          target,
          GenerationRecord.objectOf(generation.number()),
          "names a file outside of the database: " + file.name());
    }
  }

  private void write(FileEntry file, Path path) throws IOException {
    Path parent = path.getParent();
    if (parent != null) {
      DurableFiles.createFolders(parent);
    }
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      copy(file, NamedOutput.of(channel, path));
      channel.force(true);
    }
    if (parent != null) {
      DurableFiles.syncFolder(parent);
    }
  }

  private void copy(FileEntry file, OutputStream out) throws IOException {
    try (InputStream raw = throttle.limit(target.read(file.object()));
        DigestInputStream in = FileDigest.digested(raw)) {
      long bytes = copy(in, out, file.bytes());
      if (bytes > file.bytes()) {
        throw damaged(file, "has more than " + file.bytes() + " bytes");
      }
      if (bytes < file.bytes()) {
        throw damaged(file, "has " + bytes + " bytes, expected " + file.bytes());
      }
      String sha256 = FileDigest.hexOf(in);
      if (!sha256.equals(file.sha256())) {
        throw damaged(file, "has the SHA-256 " + sha256);
      }
    } catch (NoSuchFileException e) {
      checkNotDeleted();
      throw damaged(file, "is missing");
    }
  }

  /**
   * A deletion by another process, which goes on beside this, deletes the generation first. The
   * next backup may have its number.
   */
  private void checkNotDeleted() throws IOException {
    GenerationRecord present;
    try {
      present = GenerationRecord.read(target, generation.number());
    } catch (NoSuchFileException e) {
      throw new GenerationNotFoundException(
          target, generation.number(), NumberedObjects.numbers(target, GenerationRecord.OBJECTS));
    } catch (BackupDamagedException e) {
      return; // It was not deleted.
    }
    if (!present.equals(generation)) {
      throw new GenerationNotFoundException(target, generation);
    }
  }

  /** Copies at most one byte more than a limit, and returns how many; an object may never end. */
  private static long copy(InputStream in, OutputStream out, long limit) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long bytes = 0;
    while (bytes <= limit) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length - 1, limit - bytes) + 1);
      if (read < 0) {
        break;
      }
      out.write(buffer, 0, read);
      bytes += read;
    }
    return bytes;
  }

  private BackupDamagedException damaged(FileEntry file, String problem) {
    return new BackupDamagedException(
        target, file.object(), problem + " (the file " + file.name() + " of the database)");
  }
}
