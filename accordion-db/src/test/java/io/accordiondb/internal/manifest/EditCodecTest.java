// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.RangeTombstones;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class EditCodecTest {
  private static final byte[] NONE = {};

  private static final RangeTombstones RANGES =
      RangeTombstones.of(
          List.of(
              new RangeTombstone(NONE, new byte[] {3}, 7),
              new RangeTombstone(new byte[] {2}, NONE, Long.MAX_VALUE)));

  static final List<VersionEdit> ALL_KINDS =
      List.of(
          new VersionEdit.PutTable(
              new TableRecord(
                  Long.MAX_VALUE,
                  "täble",
                  List.of(
                      new FamilyRecord(1, "f", Map.of()),
                      new FamilyRecord(Integer.MAX_VALUE, "g", Map.of("a", "1", "b", ""))))),
          new VersionEdit.DropTable(127),
          Edits.putRegion(128, 1, "", "\0\u00ff"),
          new VersionEdit.DropRegion(16_383),
          Edits.addFile(16_384, 3, 4),
          new VersionEdit.AddFile(
              new FileRecord(
                  16_385, 3, 4, 5, 6, 7, 2, new FileView(16_384, new byte[] {1, -1}, NONE, 9))),
          new VersionEdit.AddFile(new FileRecord(16_386, 3, 4, 5, 6, 7, 3, null)),
          new VersionEdit.RemoveFile(0),
          new VersionEdit.SetFlushedSequence(5, 6, Long.MAX_VALUE - 1),
          new VersionEdit.SetNextNumber(1L << 35),
          new VersionEdit.SetClockFloor(-1),
          new VersionEdit.SetClockCeiling(1L << 41),
          new VersionEdit.AddLog(16_387, Long.MAX_VALUE),
          VersionEdit.AddLog.prepared(16_388),
          new VersionEdit.RemoveLog(16_387),
          new VersionEdit.SetHighestLog(16_387),
          new VersionEdit.AddRangeTombstones(4, 5, RANGES),
          new VersionEdit.RemoveRangeTombstones(4, 5, RANGES));

  @Example
  void moreThanARecordTakesIsRefused() {
    int bytes = EditCodec.encode(ALL_KINDS).limit();
    assertThat(EditCodec.encode(ALL_KINDS, bytes).limit()).isEqualTo(bytes);
    assertThatThrownBy(() -> EditCodec.encode(ALL_KINDS, bytes - 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("changes of the manifest take " + bytes + " bytes");
  }

  static List<VersionEdit> decode(byte[] bytes) throws IOException {
    return EditCodec.decode(ByteBuffer.wrap(bytes), "MANIFEST", 100);
  }

  static byte[] encode(List<VersionEdit> edits) {
    ByteBuffer buffer = EditCodec.encode(edits);
    byte[] bytes = new byte[buffer.limit()];
    buffer.get(0, bytes);
    return bytes;
  }

  @Example
  void allKindsAreReadAsTheyWereWritten() throws IOException {
    assertThat(decode(encode(ALL_KINDS))).isEqualTo(ALL_KINDS);
    for (VersionEdit edit : ALL_KINDS) {
      assertThat(decode(encode(List.of(edit)))).containsExactly(edit);
    }
    assertThat(decode(encode(List.of()))).isEmpty();
  }

  @Example
  void everyTruncationIsRefused() {
    byte[] bytes = encode(ALL_KINDS);
    for (int length = 0; length < bytes.length; length++) {
      byte[] truncated = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> decode(truncated))
          .isInstanceOfSatisfying(
              CorruptionException.class,
              e -> {
                assertThat(e.file()).isEqualTo("MANIFEST");
                assertThat(e.offset()).isBetween(100L, 100L + truncated.length);
              });
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertThatThrownBy(() -> decode(longer)).isInstanceOf(CorruptionException.class);
  }

  @Example
  void kindsOfLaterVersionsAreNamedAsSuch() {
    assertThatThrownBy(() -> decode(new byte[] {1, 18, 0}))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("MANIFEST")
        .hasMessageContaining("18");
    assertThatThrownBy(() -> decode(new byte[] {1, 0, 0})).isInstanceOf(CorruptionException.class);
    byte low = (byte) 0x80;
    byte[] dropTable = {1, (byte) 0x82, low, low, low, low, low, low, low, low, 1, 7};
    assertThatThrownBy(() -> decode(dropTable)).isInstanceOf(FormatVersionException.class);
  }

  @Example
  void countsAreNotBelieved() {
    byte[] largest = {-1, -1, -1, -1, -1, -1, -1, -1, 127};
    byte[] negative = {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1};
    byte[] endless = new byte[12];
    Arrays.fill(endless, (byte) -1);
    for (byte[] count : List.of(largest, negative, endless)) {
      assertThatThrownBy(() -> decode(count)).isInstanceOf(CorruptionException.class);
      byte[] inTable = new byte[3 + count.length];
      inTable[0] = 1;
      inTable[1] = 1;
      inTable[2] = 5;
      System.arraycopy(count, 0, inTable, 3, count.length);
      assertThatThrownBy(() -> decode(inTable)).isInstanceOf(CorruptionException.class);
    }
  }

  @Property(tries = 2000)
  void hostileBytesAreRefusedOrMeanEdits(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = encode(ALL_KINDS);
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    try {
      assertThat(decode(bytes)).isNotNull();
    } catch (CorruptionException | FormatVersionException e) {
      assertThat(e).hasMessageContaining("MANIFEST");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
