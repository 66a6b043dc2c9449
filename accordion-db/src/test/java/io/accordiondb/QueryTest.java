// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What is asked for, and what is asked in vain. */
class QueryTest {
  @Property(tries = 2_000)
  void aPrefixCoversTheRowsThatBeginWithItAndNoOthers(
      @ForAll @Size(max = 4) byte[] prefix,
      @ForAll @Size(max = 6) byte[] row,
      @ForAll boolean reversed,
      @ForAll boolean endsHigh) {
    Assume.that(row.length > 0);
    byte[] high = prefix.clone();
    if (endsHigh && high.length > 0) {
      high[high.length - 1] = (byte) 0xFF;
    }
    Scan scan = new Scan().setRowPrefix(high).setReversed(reversed);
    assertThat(isInside(scan, row)).isEqualTo(startsWith(row, high));
    assertThat(isInside(scan, concat(high, row))).isTrue();
  }

  private static boolean isInside(Scan scan, byte[] row) {
    int sign = scan.reversed() ? -1 : 1;
    int behindStart =
        scan.startRow().length == 0 ? 1 : sign * Arrays.compareUnsigned(row, scan.startRow());
    int beforeStop =
        scan.stopRow().length == 0 ? 1 : sign * Arrays.compareUnsigned(scan.stopRow(), row);
    return (behindStart > 0 || behindStart == 0 && scan.startInclusive())
        && (beforeStop > 0 || beforeStop == 0 && scan.stopInclusive());
  }

  @Test
  void boundsAreAsGivenUntilAPrefixTakesTheirPlace() {
    Scan scan =
        new Scan().setStartRow(bytes("b"), Bound.EXCLUSIVE).setStopRow(bytes("d"), Bound.INCLUSIVE);
    assertThat(scan.startRow()).isEqualTo(bytes("b"));
    assertThat(scan.startInclusive()).isFalse();
    assertThat(scan.stopRow()).isEqualTo(bytes("d"));
    assertThat(scan.stopInclusive()).isTrue();
    scan.setRowPrefix(bytes("c"));
    assertThat(scan.startRow()).isEqualTo(bytes("c"));
    assertThat(scan.stopRow()).isEqualTo(bytes("d"));
    assertThat(scan.startInclusive()).isTrue();
    assertThat(scan.stopInclusive()).isFalse();
  }

  @Test
  void aFamilyAskedForWholeStaysWhole() {
    Get get = new Get(bytes("row"));
    assertThat(get.families()).isEmpty();
    get.addColumn(bytes("f"), bytes("b")).addColumn(bytes("f"), bytes("a"));
    assertThat(get.qualifiers(bytes("f"))).isDeepEqualTo(new byte[][] {bytes("a"), bytes("b")});
    get.addFamily(bytes("f")).addColumn(bytes("f"), bytes("c"));
    assertThat(get.qualifiers(bytes("f"))).isNull();
    get.addColumn(bytes("e"), new byte[0]);
    assertThat(get.families()).containsExactly(bytes("e"), bytes("f"));
    assertThat(get.qualifiers(bytes("e"))).isDeepEqualTo(new byte[][] {{}});
  }

  @Test
  void timesMustBePossible() {
    assertThat(new Scan().setTimestamp(0).maxTimestamp()).isEqualTo(1);
    assertThat(new Scan().setTimestamp(Long.MAX_VALUE - 1).maxTimestamp())
        .isEqualTo(Long.MAX_VALUE);
    for (long timestamp : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThatIllegalArgumentException().isThrownBy(() -> new Scan().setTimestamp(timestamp));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new Scan().setTimeRange(-1, 5));
    assertThatIllegalArgumentException().isThrownBy(() -> new Scan().setTimeRange(6, 5));
    assertThat(new Scan().setTimeRange(5, 5).minTimestamp()).isEqualTo(5);
  }

  @Test
  void countsMustBePossible() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Scan().setLimit(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Scan().setBatch(0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Scan().setVersions(0));
    assertThat(new Scan().setLimit(0).limit()).isZero();
  }

  @Test
  void rowsInBuffersAreCopied() {
    ByteBuffer buffer = ByteBuffer.wrap(bytes("xrowx"), 1, 3);
    Get get = new Get(buffer);
    buffer.put(1, (byte) 'q');
    assertThat(get.row()).isEqualTo(bytes("row"));
    assertThat(buffer.position()).isEqualTo(1);
    assertThatThrownBy(() -> new Get(ByteBuffer.allocate(0))).isInstanceOf(EmptyRowException.class);
  }

  private static boolean startsWith(byte[] row, byte[] prefix) {
    return row.length >= prefix.length && Arrays.equals(prefix, Arrays.copyOf(row, prefix.length));
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
