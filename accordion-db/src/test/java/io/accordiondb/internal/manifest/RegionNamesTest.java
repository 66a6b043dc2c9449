// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.manifest.RegionNames.Name;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegionNamesTest {
  private static final int CHANGES = 1000;

  private final MemoryStorage storage = new MemoryStorage();

  /** Otherwise each split would write the names of all splits before it. */
  @Test
  void regionsThatAreGoneTakeNoRoom() throws IOException {
    RegionNames names = RegionNames.open(storage, Version.EMPTY);
    names.add(List.of(Edits.putTable(1, "t", 2), Edits.putRegion(10, 1, "", "")));
    names.save();
    long bytes = storage.size(RegionNames.NAME);
    for (int i = 1; i <= CHANGES; i++) {
      names.add(
          List.of(Edits.putRegion(10 + i, 1, "", ""), new VersionEdit.DropRegion(10 + i - 1)));
      names.save();
    }
    assertThat(storage.size(RegionNames.NAME)).isLessThan(2 * bytes);
    RegionNames reopened = RegionNames.open(storage, Version.EMPTY);
    for (int i = 0; i <= CHANGES; i++) {
      assertThat(names.of(10 + i, 2)).isEqualTo(new Name("t", "f2"));
      assertThat(reopened.of(10 + i, 2)).isEqualTo(new Name("t", "f2"));
    }
  }

  /** Earlier versions have stored all of them. */
  @Test
  void namesThatWereStoredAreForgottenByAnOpening() throws IOException {
    RegionNames names = RegionNames.open(storage, Version.EMPTY);
    names.add(List.of(Edits.putTable(1, "t", 2)));
    for (int i = 0; i < CHANGES; i++) {
      names.add(List.of(Edits.putRegion(10 + i, 1, "", "")));
    }
    names.save();
    long bytes = storage.size(RegionNames.NAME);
    Version version =
        Version.EMPTY.apply(
            List.of(
                new VersionEdit.SetNextNumber(100),
                Edits.putTable(1, "t", 2),
                Edits.putRegion(10, 1, "", "")));
    RegionNames reopened = RegionNames.open(storage, version);
    reopened.save();
    assertThat(storage.size(RegionNames.NAME)).isLessThan(bytes / 10);
    assertThat(reopened.of(11, 2)).isEqualTo(new Name("t", "f2"));
  }

  @Test
  void aRegionStaysKnownIfItsFamilyDoesNotSayWhichTableItIs() throws IOException {
    RegionNames names = RegionNames.open(storage, Version.EMPTY);
    names.add(List.of(Edits.putTable(1, "t", 2, 3), Edits.putTable(4, "u", 2)));
    names.add(List.of(Edits.putRegion(10, 1, "", ""), Edits.putRegion(11, 4, "", "")));
    names.add(List.of(new VersionEdit.DropRegion(10), new VersionEdit.DropRegion(11)));
    names.save();
    for (RegionNames known : List.of(names, RegionNames.open(storage, Version.EMPTY))) {
      assertThat(known.of(10, 2)).isEqualTo(new Name("t", "f2"));
      assertThat(known.of(11, 2)).isEqualTo(new Name("u", "f2"));
    }
  }
}
