// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

import io.accordiondb.KeyProvider;
import io.accordiondb.KeyUnavailableException;
import io.accordiondb.internal.crypt.EncryptionHeader.Layout;
import io.accordiondb.internal.storage.ForwardingStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.internal.storage.StorageWriter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A storage that encrypts new files and reads both encrypted and plain ones. It does not hide names
 * and lengths of files. Thread-safe.
 *
 * <p>Replacing or truncating a file is detected to the same extent as for plain files. Without the
 * key, an attacker cannot choose what an encrypted file holds, but can cut appends out of it. Plain
 * files are read unchanged, also those that an attacker has put there.
 *
 * <p>Files are never mapped for writing; {@link #createFilled} creates a file that grows.
 */
public final class EncryptedStorage extends ForwardingStorage {
  /** The file that marks a folder that has, or had, encrypted files. */
  public static final String MARKER = "ENCRYPTED";

  /** The file that carries the lock; only its owner may open it. */
  private static final String LOCK = "LOCK";

  private static final Logger LOG = LoggerFactory.getLogger(EncryptedStorage.class);

  private final AskedKeys keys;
  private final Predicate<String> isPaged;
  private final SecureRandom random = new SecureRandom();
  private volatile boolean marked;

  private EncryptedStorage(Storage delegate, KeyProvider keys, Predicate<String> isPaged) {
    super(delegate);
    this.keys = new AskedKeys(keys);
    this.isPaged = isPaged;
  }

  /**
   * Returns a storage that encrypts and decrypts, if there are keys or encrypted files; else the
   * storage itself.
   *
   * @param keys null for none
   * @param isPaged which files are written once and read at random; the others are appended to
   * @throws KeyUnavailableException if there are no keys, but encrypted files
   * @throws io.accordiondb.FormatVersionException if the mark of the folder is of a newer version
   */
  public static Storage over(Storage storage, @Nullable KeyProvider keys, Predicate<String> isPaged)
      throws IOException {
    boolean isMarked = EncryptionMark.isIn(storage);
    if (keys != null) {
      return new EncryptedStorage(storage, keys, isPaged);
    }
    if (!(storage instanceof EncryptedStorage)
        && (isMarked || EncryptionMark.isMissingIn(storage))) {
      throw new KeyUnavailableException(
          storage.path("") + " holds encrypted files; open it with DatabaseOptions.encryption");
    }
    return storage;
  }

  /**
   * Returns a storage in which a file of any folder is read as if it were plain.
   *
   * @param keys null for none
   * @throws KeyUnavailableException if the file is encrypted and there are no keys
   */
  public static Storage forFile(Storage storage, String name, @Nullable KeyProvider keys)
      throws IOException {
    try (StorageReader file = storage.open(name)) {
      if (!EncryptionHeader.isEncrypted(file)) {
        return storage;
      }
    }
    if (keys == null) {
      throw new KeyUnavailableException(
          storage.path(name) + " is encrypted, but the database has no DatabaseOptions.encryption");
    }
    return new EncryptedStorage(storage, keys, any -> true);
  }

  /**
   * Checks that the folder of a storage without keys has not been encrypted since it was opened.
   *
   * @throws KeyUnavailableException if it has
   */
  public static void checkPlain(Storage storage) throws IOException {
    over(storage, null, any -> false);
  }

  /**
   * Checks that the keys of all files are available.
   *
   * @throws KeyUnavailableException if one is missing or is another one
   */
  public void checkKeys() throws IOException {
    for (String name : filesIn(delegate, "")) {
      if (!name.equals(LOCK)) {
        try {
          open(name).close();
        } catch (NoSuchFileException e) {
          // An open database has deleted it just now.
        }
      }
    }
  }

  @Override
  public StorageWriter create(String name) throws IOException {
    String keyId = keys.currentKeyId(path(name));
    if (keyId == null) {
      return delegate.create(name);
    }
    mark();
    Layout layout = isPaged.test(name) ? Layout.PAGES : Layout.APPENDS;
    byte[] dataKey = new byte[AskedKeys.DATA_KEY_BYTES];
    random.nextBytes(dataKey);
    EncryptionHeader header = keys.header(layout, random.nextLong(), keyId, dataKey, path(name));
    FrameCipher cipher = new FrameCipher(dataKey);
    StorageWriter file = delegate.create(name);
    boolean begun = false;
    try {
      StorageWriter writer =
          layout == Layout.PAGES
              ? new PageWriter(file, cipher)
              : new FrameWriter(file, cipher, header.salt());
      file.append(header.encode());
      begun = true;
      return writer;
    } finally {
      if (!begun) {
        discard(name, file);
      }
    }
  }

  /** Deletes a file that was not begun: its creator does not know of it. */
  private void discard(String name, StorageWriter file) {
    try (file) {
      delegate.delete(name);
    } catch (IOException e) {
      LOG.warn("could not delete {}, which holds nothing", path(name), e);
    }
  }

  @Override
  public void createEmpty(String name) throws IOException {
    delegate.createEmpty(name);
  }

  /** Marks the folder as encrypted, before it has the first encrypted file. */
  private void mark() throws IOException {
    if (marked) {
      return;
    }
    if (!delegate.exists(MARKER)) {
      try (StorageWriter file = delegate.create(MARKER)) {
        file.append(EncryptionMark.text());
        file.sync();
      } catch (FileAlreadyExistsException e) {
        // Another thread has created it just now.
      }
    }
    delegate.syncDirectory("");
    marked = true;
  }

  /**
   * Removes the mark of the folder if new files are plain and no file is encrypted any more, so
   * that the folder can be opened without keys. It stays if that cannot be found out, for example
   * because others have put into the folder what is no file. The caller must hold the lock of the
   * folder, and nothing may have been written yet.
   */
  public void unmarkIfPlain() {
    try {
      if (createsPlainFiles() && delegate.exists(MARKER) && !hasEncryptedFiles()) {
        delegate.delete(MARKER);
      }
    } catch (IOException e) {
      LOG.warn(
          "{} stays, although files may all be plain; the next opening tries again",
          path(MARKER),
          e);
    }
  }

  private boolean createsPlainFiles() {
    try {
      return keys.currentKeyId(path(MARKER)) == null;
    } catch (KeyUnavailableException e) {
      // Whoever creates a file reports it.
      return false;
    }
  }

  private boolean hasEncryptedFiles() throws IOException {
    for (String name : filesIn(delegate, "")) {
      if (!name.equals(LOCK) && isEncrypted(name)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public StorageReader open(String name) throws IOException {
    return deciphered(name, delegate.open(name));
  }

  @Override
  public StorageReader openMapped(String name) throws IOException {
    return deciphered(name, delegate.openMapped(name));
  }

  private StorageReader deciphered(String name, StorageReader file) throws IOException {
    boolean done = false;
    try {
      StorageReader reader = file;
      if (EncryptionHeader.isEncrypted(file)) {
        reader = deciphered(file, path(name));
      }
      done = true;
      return reader;
    } finally {
      if (!done) {
        file.close();
      }
    }
  }

  private StorageReader deciphered(StorageReader file, String path) throws IOException {
    EncryptionHeader header = EncryptionHeader.read(file, path);
    if (header == null) {
      return new EmptyFile(file);
    }
    FrameCipher cipher = new FrameCipher(keys.unwrapped(header, path));
    return header.layout() == Layout.PAGES
        ? new PageReader(file, cipher, header.bytes(), path)
        : new FrameReader(file, cipher, header, path);
  }

  @Override
  public long size(String name) throws IOException {
    try (StorageReader file = open(name)) {
      return file.size();
    }
  }

  /** Links the file as it is if the other storage can read it, else copies its content. */
  @Override
  public void linkTo(String name, Storage target, String targetName) throws IOException {
    if (target instanceof EncryptedStorage other) {
      if (isEncrypted(name)) {
        other.mark();
      }
      delegate.linkTo(name, other.delegate, targetName);
    } else {
      super.linkTo(name, target, targetName);
    }
  }

  /** Copies the bytes as they are within this storage, because some may not be decipherable. */
  @Override
  public void copyTo(String name, Storage target, String targetName) throws IOException {
    if (target == this) {
      delegate.copyTo(name, delegate, targetName);
    } else {
      super.copyTo(name, target, targetName);
    }
  }

  /**
   * Returns how many files of a storage are encrypted under each key, by its name; those that are
   * plain have an empty name. Empty files do not count, because an open database may be about to
   * write their header. Needs no keys.
   */
  public static SortedMap<String, Integer> filesByKey(Storage storage) throws IOException {
    SortedMap<String, Integer> files = new TreeMap<>();
    for (String name : filesIn(storage, "")) {
      if (!name.equals(MARKER) && !name.equals(LOCK)) {
        try (StorageReader file = storage.open(name)) {
          if (file.size() == 0) {
            continue;
          }
          EncryptionHeader header =
              EncryptionHeader.isEncrypted(file)
                  ? EncryptionHeader.read(file, storage.path(name))
                  : null;
          files.merge(header == null ? "" : header.keyId(), 1, Integer::sum);
        } catch (NoSuchFileException e) {
          // An open database has deleted it just now.
        }
      }
    }
    return files;
  }

  private static List<String> filesIn(Storage storage, String directory) throws IOException {
    List<String> files = new ArrayList<>();
    for (String entry : storage.list(directory)) {
      String name = directory.isEmpty() ? entry : directory + "/" + entry;
      if (storage.isDirectory(name)) {
        files.addAll(filesIn(storage, name));
      } else {
        files.add(name);
      }
    }
    return files;
  }

  private boolean isEncrypted(String name) throws IOException {
    try (StorageReader file = delegate.open(name)) {
      return EncryptionHeader.isEncrypted(file);
    }
  }

  /** A file whose header is damaged, or was not written whole before a crash. */
  private record EmptyFile(StorageReader file) implements StorageReader {
    @Override
    public long size() {
      return 0;
    }

    @Override
    public void readFully(ByteBuffer target, long position) throws IOException {
      if (target.hasRemaining()) {
        throw new EOFException("the header of an encrypted file is damaged");
      }
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
