// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.DatabaseLockedException;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.cli.hfile.HFileImport.Choice;
import io.accordiondb.cli.hfile.HFileImport.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.TagUtil;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources and targets that do not fit are named, and nothing is written. */
@Tag("slow")
class ImportErrorsTest {
  private static final byte[] FAMILY = Stores.bytes(Stores.PLAIN);

  @TempDir Path folder;

  private Path db() {
    return folder.resolve("db");
  }

  private Path source() {
    return folder.resolve("source");
  }

  private Map<String, Object> run(Kind kind, Choice... choices) throws IOException {
    return new HBaseTransfer().importTable(Stores.imported(kind, source(), db(), choices)).map();
  }

  /** Writes a file by HBase's writer, as HBase flushes it. */
  private void write(String name, long sequence, KeyValue... cells) throws IOException {
    LocalFiles disk = LocalFiles.open();
    StoreFileWriter writer =
        new StoreFileWriter.Builder(disk.configuration(), CacheConfig.DISABLED, disk.files())
            .withFilePath(LocalFiles.path(source().resolve(name)))
            .withFileContext(new HFileContextBuilder().withIncludesTags(true).build())
            .build();
    for (KeyValue cell : cells) {
      cell.setSequenceId(sequence);
      writer.append(cell);
    }
    writer.appendFileInfo(HStoreFile.MAX_SEQ_ID_KEY, Bytes.toBytes(sequence));
    writer.close();
  }

  private static KeyValue cell(String row, String value, org.apache.hadoop.hbase.Tag... tags) {
    return new KeyValue(
        Bytes.toBytes(row),
        FAMILY,
        Bytes.toBytes("q"),
        5L,
        KeyValue.Type.Put,
        Bytes.toBytes(value),
        List.of(tags));
  }

  private List<Cell> visible() throws IOException {
    try (Database database = Database.open(db())) {
      return Stores.visible(database);
    }
  }

  @Test
  void ofEqualTimestampsTheLaterWriteWinsWhateverTheFilesAreCalled() throws IOException {
    write("plain/aaaa", 9, cell("r", "newest"), cell("s", "one"));
    write("plain/bbbb", 7, cell("r", "old"));
    write("plain/cccc_SeqId_8_", 1, cell("r", "middle"));
    assertThat(run(Kind.HFILE, Choice.CREATE))
        .containsEntry("cells", 2L)
        .containsEntry("files", 3L);
    assertThat(visible())
        .extracting(cell -> Bytes.toString(cell.value()))
        .containsExactly("newest", "one");
    Files.delete(source().resolve("plain/aaaa"));
    run(Kind.HFILE, Choice.CREATE);
    // What is imported is the newest write.
    assertThat(visible())
        .extracting(cell -> Bytes.toString(cell.value()))
        .containsExactly("middle", "one");
  }

  @Test
  void tagsOfPutsAreKeptOrCounted() throws IOException {
    ArrayBackedTag label = new ArrayBackedTag(TagType.VISIBILITY_TAG_TYPE, "secret");
    ArrayBackedTag ttl =
        new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(Long.MAX_VALUE / 4));
    write("plain/aaaa", 1, cell("r", "v", label, ttl), cell("s", "v", ttl));
    assertThat(run(Kind.HFILE, Choice.CREATE, Choice.DROP_TAGS)).containsEntry("droppedTags", 1L);
    assertThat(visible()).extracting(Cell::ttlMillis).containsOnly(Long.MAX_VALUE / 4);
    assertThat(tags("r")).isEqualTo(TagUtil.fromList(List.of(ttl)));
    assertThat(run(Kind.HFILE, Choice.CREATE)).containsEntry("droppedTags", 0L);
    assertThat(visible()).extracting(Cell::ttlMillis).containsOnly(Long.MAX_VALUE / 4);
    assertThat(tags("r")).isEqualTo(TagUtil.fromList(List.of(label, ttl)));
    assertThat(tags("s")).isEqualTo(TagUtil.fromList(List.of(ttl)));
  }

  /** Returns the tags of the newest version in a row. */
  private byte[] tags(String row) throws IOException {
    try (Database database = Database.open(db());
        ResultScanner scanner =
            database
                .table(Stores.TABLE)
                .scan(new Scan().setRaw(true).setRowPrefix(Bytes.toBytes(row)))) {
      return scanner.next().cells().get(0).tags();
    }
  }

  @Test
  void referencesToValuesElsewhereAreRefused() throws IOException {
    write("plain/aaaa", 1, cell("r", "v", new ArrayBackedTag(TagType.MOB_REFERENCE_TAG_TYPE, "")));
    assertThatThrownBy(() -> run(Kind.HFILE, Choice.CREATE, Choice.DROP_TAGS))
        .hasMessageContaining("MOB");
  }

  @Test
  void tablesAndFamiliesMustExistUnlessTheyMayBeCreated() throws IOException {
    write("plain/aaaa", 1, cell("r", "v"));
    assertThatThrownBy(() -> run(Kind.HFILE)).isInstanceOf(NotADatabaseException.class);
    assertThat(db()).doesNotExist();
    try (Database database = Database.open(db())) {
      database.createTable(TableDescriptor.of("other", "f"));
    }
    assertThatThrownBy(() -> run(Kind.HFILE)).isInstanceOf(TableNotFoundException.class);
    try (Database database = Database.open(db())) {
      database.createTable(TableDescriptor.of(Stores.TABLE, "f"));
    }
    assertThatThrownBy(() -> run(Kind.HFILE))
        .isInstanceOf(FamilyNotFoundException.class)
        .hasMessageContaining("no family \"plain\"; it has f");
    run(Kind.HFILE, Choice.CREATE);
    try (Database database = Database.open(db())) {
      assertThat(database.describe(Stores.TABLE).familyNames()).containsExactly("f", "plain");
      assertThat(Stores.visible(database)).hasSize(1);
    }
  }

  @Test
  void aFileInTheFolderOfAnotherFamilyIsRefused() throws IOException {
    write("other/aaaa", 1, cell("r", "v"));
    assertThatThrownBy(() -> run(Kind.HFILE, Choice.CREATE))
        .hasMessageContaining("other/aaaa holds cells of family \"plain\", expected \"other\"");
  }

  @Test
  void cellsWithoutATimestampAreRefused() throws IOException {
    write(
        "plain/aaaa",
        1,
        new KeyValue(Bytes.toBytes("r"), FAMILY, null, Long.MAX_VALUE, Bytes.toBytes("secret")));
    assertThatThrownBy(() -> run(Kind.HFILE, Choice.CREATE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be imported: timestamp is 9223372036854775807")
        .hasMessageNotContaining("secret");
  }

  @Test
  void aDatabaseThatIsOpenElsewhereIsRefused() throws IOException {
    write("plain/aaaa", 1, cell("r", "v"));
    try (Database database = Database.open(db())) {
      database.createTable(TableDescriptor.of(Stores.TABLE, "f"));
      assertThatThrownBy(() -> run(Kind.HFILE)).isInstanceOf(DatabaseLockedException.class);
    }
  }

  @Test
  void foldersThatAreNoSourceAreRefused() throws IOException {
    assertThatThrownBy(() -> run(Kind.HFILE)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> run(Kind.SNAPSHOT)).isInstanceOf(NoSuchFileException.class);
    Files.createDirectories(source().resolve("plain"));
    assertThatThrownBy(() -> run(Kind.HFILE)).hasMessageContaining("holds no HFiles");
    assertThatThrownBy(() -> run(Kind.SNAPSHOT)).hasMessageContaining("holds no snapshot");
    Files.createDirectories(source().resolve(".hbase-snapshot/friday"));
    assertThatThrownBy(() -> run(Kind.SNAPSHOT))
        .hasMessageContaining(".hbase-snapshot/friday cannot be read");
    Files.createDirectories(source().resolve(".hbase-snapshot/monday"));
    assertThatThrownBy(() -> run(Kind.SNAPSHOT))
        .hasMessageContaining("holds the snapshots [friday, monday]; choose with --snapshot");
    Files.writeString(source().resolve("plain/other=0123456789abcdef0123456789abcdef-ffff"), "");
    assertThatThrownBy(() -> run(Kind.HFILE)).hasMessageContaining("is no HFile but leads to one");
  }
}
