// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RowsTest {
  private final Rows rows = new Rows(24, 4, 25);

  @Test
  void makesKeysAsYcsbDoesPaddedToOneLength() {
    Set<String> keys = new HashSet<>();
    for (int record = 0; record < 10_000; record++) {
      String key = new String(rows.key(record), US_ASCII);
      assertThat(key).hasSize(24).matches("user\\d{20}");
      assertThat(Long.parseLong(key.substring(4))).isEqualTo(site.ycsb.Utils.hash(record));
      keys.add(key);
    }
    assertThat(keys).hasSize(10_000);
  }

  @ParameterizedTest
  @CsvSource({"10000, 10, 11", "10000, 40, 108", "10000, 20000, 10000"})
  void findsAPrefixThatAboutSoManyKeysShare(int records, int sharing, int expected) {
    int prefixBytes = rows.prefixBytes(records, sharing);
    Set<String> prefixes = new HashSet<>();
    for (int record = 0; record < records; record++) {
      prefixes.add(new String(rows.key(record), 0, prefixBytes, US_ASCII));
    }
    assertThat(Math.round((double) records / prefixes.size())).isEqualTo(expected);
  }

  @Test
  void makesValuesThatRecordOperationAndFieldDetermine() {
    assertThat(rows.value(7, 3, 1)).isEqualTo(rows.value(7, 3, 1)).hasSize(25);
    assertThat(rows.value(7, 3, 1)).isNotEqualTo(rows.value(7, 4, 1));
    assertThat(rows.value(7, 3, 1)).isNotEqualTo(rows.value(7, 3, 2));
    assertThat(rows.value(7, 3, 1)).isNotEqualTo(rows.value(8, 3, 1));
    assertThat(new String(rows.value(7, 3, 1), US_ASCII)).matches("[ -_]{25}");
  }

  @Test
  void refusesKeysThatCannotHoldAHash() {
    assertThatThrownBy(() -> new Rows(22, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("22");
  }

  @ParameterizedTest
  @EnumSource(Distribution.class)
  void drawsRecordsWithinTheRange(Distribution distribution) {
    LongSupplier records = distribution.records(100);
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 5_000; i++) {
      long record = records.getAsLong();
      assertThat(record).isBetween(0L, 99L);
      seen.add(record);
    }
    assertThat(seen).hasSizeGreaterThan(50);
  }
}
