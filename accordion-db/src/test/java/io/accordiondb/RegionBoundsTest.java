// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.fixtures.TestData.key;
import static io.accordiondb.fixtures.TestData.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bounds of regions stay as they are, whatever a caller does with its arrays. */
class RegionBoundsTest {
  private static final int ROWS = 100;

  @TempDir private Path folder;

  @Test
  void arraysMayBeUsedAgain() throws IOException {
    byte[][] splits = {key(40), key(20)};
    byte[] split = key(60);
    TableDescriptor table =
        TableDescriptor.builder("t")
            .family(FamilyDescriptor.builder(KeyValueStore.FAMILY).build())
            .build();
    try (Database database = Database.open(folder)) {
      database.createTable(table, splits);
      assertThat(splits).isDeepEqualTo(new byte[][] {key(40), key(20)});
      KeyValueStore store = database.keyValueStore("t");
      for (int i = 0; i < ROWS; i++) {
        store.put(key(i), value(i));
      }
      assertThat(database.splitRegion("t", split)).isTrue();
      for (byte[] row : List.of(splits[0], splits[1], split)) {
        Arrays.fill(row, (byte) 'z');
      }
      database.regionStarts("t").forEach(start -> Arrays.fill(start, (byte) 0));
      for (TableRegion region : database.regions("t")) {
        Arrays.fill(region.startRow(), (byte) 0);
        Arrays.fill(region.endRow(), (byte) 0);
      }
      checkAll(database);
      database.majorCompact("t");
    }
    assertThat(Database.verify(folder).problems()).isEmpty();
    try (Database database = Database.open(folder)) {
      checkAll(database);
    }
  }

  private static void checkAll(Database database) throws IOException {
    assertThat(database.regionStarts("t")).containsExactly(bytes(""), key(20), key(40), key(60));
    for (int i = 0; i < ROWS; i++) {
      assertThat(database.keyValueStore("t").get(key(i))).isEqualTo(value(i));
    }
  }
}
