// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody else can write to the target, and knows its format. */
@Timeout(60)
class HostileBackupTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir private Path folder;
  private BackupTarget target;
  private GenerationRecord record;

  @BeforeEach
  void backUp() throws IOException {
    target = BackupTarget.folder(folder.resolve("backups"));
    try (Database database = Database.open(folder.resolve("db"))) {
      database.keyValueStore("s").put(KEY, KEY);
      Backups.at(target).create(database);
    }
    record = GenerationRecord.read(target, 1);
  }

  @Test
  void aHashThatIsAPathIsRefused() throws IOException {
    Path secret = Files.write(folder.resolve("secret"), KEY);
    assertRefused("../../secret", secret.toFile().length());
    assertRefused(secret.toString(), secret.toFile().length());
    assertRefused(FileDigest.sha256(KEY).toUpperCase(java.util.Locale.ROOT), KEY.length);
  }

  @Test
  void aNegativeLengthIsRefused() throws IOException {
    assertRefused(FileDigest.sha256(KEY), -1);
  }

  /** Replaces the hash and the length of a file; the checksum of the record is right. */
  private void assertRefused(String sha256, long bytes) throws IOException {
    FileEntry file = record.files().get(0);
    replace(file.sha256() + ' ' + file.bytes(), sha256 + ' ' + bytes);
    assertThatThrownBy(() -> GenerationRecord.read(target, 1))
        .isInstanceOf(BackupDamagedException.class)
        .hasMessageContaining("names no object");
  }

  /** Replaces a part of the record; its checksum is right. */
  private void replace(String part, String by) throws IOException {
    String text = new String(record.encode(), UTF_8).replace(part, by);
    String lines = text.substring(0, text.lastIndexOf("sha256 "));
    Files.writeString(
        folder.resolve("backups").resolve(GenerationRecord.objectOf(1)),
        lines + "sha256 " + FileDigest.sha256(lines.getBytes(UTF_8)) + '\n');
  }

  @Test
  void aRecordOfANewerReleaseIsNotCalledDamaged() throws IOException {
    replace("accordion-backup 1", "accordion-backup 2");
    assertThatThrownBy(() -> GenerationRecord.read(target, 1))
        .isInstanceOf(BackupDamagedException.class)
        .hasMessageContainingAll("a newer version", "accordion-backup 2", "do not delete")
        .message()
        .doesNotContain("is damaged");
  }

  /** Nobody knows which files they need. */
  @Test
  void generationsThatCannotBeReadAreNotDeletedWithOldOnes() throws IOException {
    replace("accordion-backup 1", "accordion-backup 2");
    Backups backups = Backups.at(target);
    try (Database database = Database.open(folder.resolve("db"))) {
      for (int generation = 2; generation <= 4; generation++) {
        database.keyValueStore("s").put(KEY, new byte[generation]);
        backups.create(database);
      }
    }
    Files.writeString(folder.resolve("backups").resolve(GenerationRecord.objectOf(2)), "nonsense");
    Map<String, Long> files = target.list(FileEntry.OBJECTS);
    assertThat(backups.keepNewest(1)).isZero();
    assertThat(target.list(GenerationRecord.OBJECTS))
        .containsOnlyKeys(
            GenerationRecord.objectOf(1),
            GenerationRecord.objectOf(2),
            GenerationRecord.objectOf(4));
    assertThat(target.list(FileEntry.OBJECTS)).isEqualTo(files);
    assertThat(backups.delete(1)).isZero();
    assertThat(backups.delete(2)).isPositive();
    assertThat(backups.verify(4, BackupOptions.DEFAULTS)).isEmpty();
  }

  @Test
  void anObjectThatNeverEndsDoesNotFillTheDisk() {
    BackupTarget endless =
        new ForwardingTarget(target) {
          @Override
          public InputStream read(String name) throws IOException {
            return FileEntry.isObject(name) ? new Endless() : super.read(name);
          }
        };
    Path restored = folder.resolve("restored");
    assertThatThrownBy(() -> Backups.at(endless).restore(1, restored))
        .isInstanceOf(BackupDamagedException.class)
        .hasMessageContaining("has more than");
    assertThat(restored).doesNotExist();
  }

  private static final class Endless extends InputStream {
    private long left = 1L << 30;

    @Override
    public int read() {
      assertThat(--left).isPositive();
      return 0;
    }
  }
}
