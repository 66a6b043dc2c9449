// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Bound;
import io.accordiondb.Query;
import io.accordiondb.Scan;
import io.accordiondb.filter.Filters;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScanCopyTest {
  /** What other fields stand for in a copy, and what only a database can make. */
  private static final Set<String> UNUSED = Set.of("rowPrefix", "snapshot");

  @Test
  void aCopyHasAllThatAScanCanAskFor() throws IllegalAccessException {
    Scan usual = new Scan();
    Scan scan =
        new Scan()
            .setStartRow(bytes("b"), Bound.EXCLUSIVE)
            .setStopRow(bytes("c"), Bound.INCLUSIVE)
            .setReversed(true)
            .setRaw(true)
            .setLimit(5)
            .setBatch(6)
            .setTimeRange(7, 8)
            .setVersions(9)
            .setCacheBlocks(false)
            .setAllTags(true)
            .setFilter(Filters.rowPrefix(bytes("b")))
            .addFamily(bytes("f"))
            .addColumn(bytes("g"), bytes("q"));

    Scan copy = ScanCopy.of(scan);

    List<String> unused = new ArrayList<>();
    for (Field field : fields()) {
      Object value = field.get(scan);
      assertThat(Objects.deepEquals(field.get(copy), value)).as("%s", field).isTrue();
      if (Objects.equals(value, field.get(usual))) {
        unused.add(field.getName());
      }
    }
    assertThat(unused).containsExactlyInAnyOrderElementsOf(UNUSED);
  }

  @Test
  void aCopyOfAScanByPrefixHasItsBounds() {
    Scan copy = ScanCopy.of(new Scan().setRowPrefix(bytes("ab")));

    assertThat(copy.startRow()).isEqualTo(bytes("ab"));
    assertThat(copy.startInclusive()).isTrue();
    assertThat(copy.stopRow()).isEqualTo(bytes("ac"));
    assertThat(copy.stopInclusive()).isFalse();
  }

  private static List<Field> fields() {
    List<Field> fields =
        Stream.of(Scan.class, Query.class)
            .flatMap(type -> Stream.of(type.getDeclaredFields()))
            .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
            .toList();
    fields.forEach(field -> field.setAccessible(true));
    return fields;
  }
}
