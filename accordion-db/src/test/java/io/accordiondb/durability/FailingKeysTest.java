// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestFiles.filesBelow;
import static io.accordiondb.fixtures.TestFiles.flip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyProvider;
import io.accordiondb.KeyUnavailableException;
import io.accordiondb.KeyValueStore;
import io.accordiondb.OtherKeys;
import io.accordiondb.RepairReport;
import io.accordiondb.TestKeys;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.fixtures.Undeclared;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Providers of keys that fail, have lost a key, or do odd things. */
@Timeout(60)
class FailingKeysTest extends EncryptedStore {
  /** Otherwise all files would be sealed by one key of zeros, which no file holds. */
  @Test
  void aProviderMayWipeWhatItHasWrapped() throws IOException {
    KeyProvider wiping =
        new OtherKeys() {
          @Override
          public byte[] wrap(String keyId, byte[] dataKey) throws IOException {
            byte[] wrapped = super.wrap(keyId, dataKey);
            Arrays.fill(dataKey, (byte) 0);
            return wrapped;
          }
        };
    MemoryStorage disk = new MemoryStorage();
    try (Database database = open(disk, wiping)) {
      write(database, 0, 10);
      database.flush();
      write(database, 10, 20);
    }
    try (Database database = open(disk, wiping)) {
      assertHolds(database, 20);
    }
  }

  @Test
  void aProviderThatReturnsNoDataKeyIsRefused() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    try (Database database = open(disk, new OtherKeys())) {
      write(database, 0, 10);
    }
    KeyProvider odd =
        new OtherKeys() {
          @Override
          public byte[] unwrap(String keyId, byte[] wrapped) throws IOException {
            return Arrays.copyOf(super.unwrap(keyId, wrapped), 20);
          }
        };
    assertThatExceptionOfType(KeyUnavailableException.class)
        .isThrownBy(() -> open(disk, odd))
        .withMessageContaining("unwrapped 20 bytes");
  }

  /** A provider that asks a service over the network. */
  private static final class FailingKeys extends OtherKeys {
    private int left;
    private boolean failed;

    FailingKeys(int left) {
      this.left = left;
    }

    @Override
    public byte[] unwrap(String keyId, byte[] wrapped) throws IOException {
      if (left-- == 0) {
        failed = true;
        throw new IOException("the service does not answer");
      }
      return super.unwrap(keyId, wrapped);
    }
  }

  /** An action on a folder. */
  private interface Action {
    void run(Storage storage) throws IOException;
  }

  private static void failAtEachKey(MemoryStorage sound, Action action) throws IOException {
    for (int number = 0; ; number++) {
      MemoryStorage disk = sound.copy();
      FailingKeys keys = new FailingKeys(number);
      Storage storage = DatabaseFolder.deciphered(disk, keys);
      try {
        action.run(storage);
        assertThat(keys.failed).as("swallowed a failure at key %d", number).isFalse();
        assertThat(number).isGreaterThan(5);
        return;
      } catch (KeyUnavailableException e) {
        assertThat(e).hasMessageContaining("the service does not answer");
      }
      assertThat(new Repairer(DatabaseFolder.deciphered(disk, new OtherKeys())).repair().tables())
          .isEqualTo(1);
      try (Database database = open(disk, new OtherKeys())) {
        assertHolds(database, 30);
      }
    }
  }

  @Test
  void aKeyThatCannotBeAskedForIsNotTakenForDamage() throws IOException {
    MemoryStorage disk = killed();
    failAtEachKey(disk, storage -> assertThat(new Repairer(storage).repair().lost()).isEmpty());
    failAtEachKey(disk, storage -> assertThat(new Verifier(storage).verify().problems()).isEmpty());
    MemoryStorage withoutManifest = disk.copy();
    withoutManifest.delete("CURRENT");
    for (String name : withoutManifest.list("")) {
      if (name.startsWith("MANIFEST")) {
        withoutManifest.delete(name);
      }
    }
    failAtEachKey(withoutManifest, storage -> new Repairer(storage).repair());
  }

  /** A damaged table would be put aside before the key of the next one is missed. */
  @Test
  void aRepairWithoutOneOfTheKeysChangesNothing() throws IOException {
    Path folder = temporary.resolve("database");
    List<String> order = List.of("b", "a");
    for (String keyId : order) {
      try (Database database = Database.open(folder, builder(TestKeys.current(keyId)).build())) {
        write(database, 0, 10);
        database.flush();
      }
    }
    List<Path> tables = new ArrayList<>();
    for (Path file : filesBelow(folder)) {
      if (file.toString().endsWith(".sst")) {
        tables.add(file);
      } else {
        Files.delete(file);
      }
    }
    assertThat(tables).hasSize(2);
    tables.sort(null);
    flip(tables.get(0), Files.size(tables.get(0)) - 20);
    assertThatExceptionOfType(KeyUnavailableException.class)
        .isThrownBy(() -> Database.repair(folder, new Only("b")));
    assertThat(filesBelow(folder)).containsExactlyInAnyOrderElementsOf(tables);
  }

  @Test
  void ifAKeyIsLostForGoodARepairWithoutItsFilesKeepsTheRest() throws IOException {
    Path folder = temporary.resolve("database");
    try (Database database = Database.open(folder, builder(new Only("a")).build())) {
      write(database, 0, 10);
      database.flush();
    }
    KeyProvider both = TestKeys.current("b");
    try (Database database = Database.open(folder, builder(both).build())) {
      write(database, 10, 20);
      database.flush();
    }
    KeyProvider left = new Only("b");
    for (int removed = 0; ; removed++) {
      try {
        RepairReport report = Database.repair(folder, left);
        assertThat(report.lost()).hasSize(removed);
        assertThat(removed).isPositive();
        break;
      } catch (KeyUnavailableException e) {
        String message = String.valueOf(e.getMessage());
        Files.delete(Path.of(message.substring(0, message.indexOf(" is encrypted under"))));
      }
    }
    try (Database database = Database.open(folder, builder(left).build())) {
      KeyValueStore store = database.keyValueStore(STORE);
      for (int i = 0; i < 20; i++) {
        assertThat(store.get(key(i))).isEqualTo(i < 10 ? null : key(i));
      }
    }
  }

  /** How a service fails. */
  private enum Failure {
    CHECKED,
    UNCHECKED,
    UNDECLARED,
    ERROR,
    NO_ANSWER,
    LONG_ANSWER,
    OF_THE_NAME
  }

  /** A log that needs another file must not fail for good because a service is out of order. */
  @ParameterizedTest
  @EnumSource
  void writesAreSuspendedWhileNoKeyCanBeWrapped(Failure failure) throws IOException {
    AtomicBoolean failing = new AtomicBoolean();
    KeyProvider keys =
        new OtherKeys() {
          @Override
          public String currentKeyId() {
            if (failing.get() && failure == Failure.OF_THE_NAME) {
              throw new IllegalStateException("the service does not answer");
            }
            return super.currentKeyId();
          }

          @Override
          public byte[] wrap(String keyId, byte[] dataKey) throws IOException {
            if (failing.get() && failure == Failure.UNCHECKED) {
              throw new IllegalStateException("the service does not answer");
            }
            if (failing.get() && failure == Failure.CHECKED) {
              throw new IOException("the service does not answer");
            }
            if (failing.get() && failure == Failure.UNDECLARED) {
              throw Undeclared.thrown(new GeneralSecurityException("the service does not answer"));
            }
            if (failing.get() && failure == Failure.ERROR) {
              throw new NoClassDefFoundError("the service does not answer");
            }
            byte[] wrong = failure == Failure.NO_ANSWER ? null : new byte[WRAPPED_BYTES_MAX + 1];
            return failing.get() ? wrong : super.wrap(keyId, dataKey);
          }
        };
    MemoryStorage disk = new MemoryStorage();
    DatabaseOptions options = builder(keys).logFileBytes(4 << 10).build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      write(database, 0, 10);
      failing.set(true);
      assertThatExceptionOfType(KeyUnavailableException.class).isThrownBy(database::flush);
      assertThatExceptionOfType(WritesSuspendedException.class)
          .isThrownBy(() -> write(database, 0, 1000));
      failing.set(false);
      database.resume();
      write(database, 0, 1000);
      database.flush();
    }
    try (Database database = DatabaseEngine.open(disk, options)) {
      assertHolds(database, 1000);
    }
  }

  /** Keys of which all but one are gone. */
  private static final class Only extends OtherKeys {
    private final String keyId;

    Only(String keyId) {
      this.keyId = keyId;
    }

    @Override
    public String currentKeyId() {
      return keyId;
    }

    @Override
    public byte[] unwrap(String wanted, byte[] wrapped) throws IOException {
      if (!wanted.equals(keyId)) {
        throw new KeyUnavailableException("there is no key " + wanted);
      }
      return super.unwrap(wanted, wrapped);
    }
  }
}
