// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MergeSchedule;
import io.accordiondb.memstore.Policy;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;

/** How families and tables are described, and kept as text. */
class DescriptorTest {
  @Property(tries = 500)
  void aFamilyComesBackFromItsAttributes(
      @ForAll @IntRange(min = 1) int maxVersions,
      @ForAll @IntRange int minVersions,
      @ForAll @LongRange(min = 1) long ttlMillis,
      @ForAll KeepDeletedCells keepDeleted,
      @ForAll Compression compression,
      @ForAll @IntRange(min = 512, max = 1 << 20) int blockBytes,
      @ForAll BloomKind bloom,
      @ForAll Policy policy,
      @ForAll @Scale(6) @DoubleRange(min = 0.000_001, max = 1) double fraction,
      @ForAll @IntRange(min = 1, max = 30) int segments,
      @ForAll @Scale(6) @DoubleRange(min = 0, max = 1) double threshold,
      @ForAll MergeSchedule schedule,
      @ForAll boolean hasPolicy) {
    FamilyDescriptor family =
        FamilyDescriptor.builder("f")
            .versionRules(
                new VersionRules(
                    maxVersions, Math.min(maxVersions, minVersions), ttlMillis, keepDeleted))
            .compression(compression)
            .blockSizeBytes(blockBytes)
            .bloomFilter(bloom)
            .memStorePolicy(
                hasPolicy
                    ? new MemStorePolicy(policy, fraction, segments, threshold, schedule)
                    : null)
            .build();
    FamilyDescriptor parsed = FamilyDescriptor.ofAttributes("f", family.attributes());
    assertThat(parsed).isEqualTo(family).hasSameHashCodeAs(family);
    assertThat(parsed.versionRules()).isEqualTo(family.versionRules());
    assertThat(parsed.memStorePolicy()).isEqualTo(family.memStorePolicy());
    assertThat(parsed.blockSizeBytes()).isEqualTo(blockBytes);
    assertThat(family.toBuilder().build()).isEqualTo(family);
  }

  @Test
  void whatIsAbsentIsTheDefault() {
    assertThat(FamilyDescriptor.ofAttributes("f", Map.of())).isEqualTo(FamilyDescriptor.of("f"));
  }

  @Test
  void attributesThatSayNothingAreRefused() {
    Map<String, String> wrong =
        Map.of(
            "max-versions", "4294967297",
            "min-versions", "-1",
            "ttl-millis", "soon",
            "keep-deleted", "MAYBE",
            "compression", "lz4",
            "block-bytes", "4294971392",
            "bloom-filter", "",
            "colour", "red");
    wrong.forEach(
        (name, value) ->
            assertThatIllegalArgumentException()
                .as(name + " " + value)
                .isThrownBy(() -> FamilyDescriptor.ofAttributes("f", Map.of(name, value))));
    for (String name :
        new String[] {
          "memstore-active-fraction", "memstore-pipeline-segments", "memstore-redundancy-threshold"
        }) {
      for (String value : new String[] {"NaN", "-1", "8589934593", "x"}) {
        Map<String, String> attributes = new HashMap<>(Map.of("memstore-policy", "BASIC"));
        attributes.put(name, value);
        assertThatIllegalArgumentException()
            .as(name + " " + value)
            .isThrownBy(() -> FamilyDescriptor.ofAttributes("f", attributes));
      }
    }
  }

  @Test
  void aFamilyWrittenWithoutAMergeScheduleHasTheDefault() {
    FamilyDescriptor family =
        FamilyDescriptor.ofAttributes("f", Map.of("memstore-policy", "BASIC"));
    assertThat(family.memStorePolicy()).isEqualTo(MemStorePolicy.of(Policy.BASIC));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                FamilyDescriptor.ofAttributes(
                    "f", Map.of("memstore-policy", "BASIC", "memstore-merge-schedule", "SOME")));
  }

  @Test
  void namesOfFamilies() {
    assertThat(FamilyDescriptor.of("x".repeat(127)).nameBytes()).hasSize(127);
    for (String name : new String[] {"", "a:b", "a b", "\u00e4", "a\n", "x".repeat(128)}) {
      assertThatThrownBy(() -> FamilyDescriptor.of(name)).isInstanceOf(InvalidNameException.class);
    }
  }

  @Test
  void namesOfTables() {
    assertThat(TableDescriptor.of("A-z_0.9", "f").familyNames()).containsExactly("f");
    for (String name : new String[] {"", ".", "..", ".a", "a/b", "a\n", "a b", "x".repeat(65)}) {
      assertThatThrownBy(() -> TableDescriptor.builder(name))
          .isInstanceOf(InvalidNameException.class);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> TableDescriptor.builder("t").build());
  }

  @Test
  void fewerVersionsTakeTheLeastWithThem() {
    FamilyDescriptor family =
        FamilyDescriptor.builder("f")
            .versionRules(new VersionRules(5, 4, 10, KeepDeletedCells.TTL))
            .maxVersions(2)
            .build();
    assertThat(family.versionRules()).isEqualTo(new VersionRules(2, 2, 10, KeepDeletedCells.TTL));
  }
}
