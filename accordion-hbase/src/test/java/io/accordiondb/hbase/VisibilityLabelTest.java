// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker;
import org.apache.hadoop.hbase.security.visibility.VisibilityLabelServiceManager;
import org.apache.hadoop.hbase.security.visibility.VisibilityScanDeleteTracker;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cells and markers with labels of visibility. A marker hides puts with its own label only. */
class VisibilityLabelTest extends RegionFixture {
  private static final int ROWS = 5;
  private static final int STEPS = 4000;

  /** The steps with the same rows. Markers with all labels soon hide all that is written. */
  private static final int PERIOD = 100;

  /** One of them means that a cell has none. */
  private static final int LABELS = 3;

  /** Those of single versions come last. */
  private static final List<KeyValue.Type> MARKERS =
      List.of(
          KeyValue.Type.DeleteColumn,
          KeyValue.Type.DeleteFamily,
          KeyValue.Type.Delete,
          KeyValue.Type.DeleteFamilyVersion);

  /** Judges markers as HBase's coprocessor of labels does, which needs a cluster. */
  public static final class Labels implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public DeleteTracker postInstantiateDeleteTracker(
        ObserverContext<RegionCoprocessorEnvironment> context, DeleteTracker tracker) {
      return new VisibilityScanDeleteTracker(tracker.getCellComparator());
    }
  }

  /**
   * The same writes are read the same. Timestamps of a row fall, so that markers hide only what is
   * written after them: what lies beneath an older put comes back when a marker hides that, unless
   * a compaction has dropped it.
   */
  @ParameterizedTest
  @CsvSource({"ADAPTIVE, 1, 2", "ADAPTIVE, 1, 4", "ADAPTIVE, 2, 2", "EAGER, 1, 4", "AUTO, 2, 4"})
  void aMarkerHidesWhatItHidesInHBasesOwnStore(String policy, int versions, int markerTypes)
      throws Exception {
    VisibilityLabelServiceManager.getInstance().getVisibilityLabelService(FILES.getConfiguration());
    ColumnFamilyDescriptorBuilder family = family().setMaxVersions(versions);
    HRegion ours =
        open(
            withOurs(table("labelled", family))
                .setValue(StoreSettings.POLICY_KEY, policy)
                .setValue(StoreSettings.ACTIVE_FRACTION_KEY, "0.00001")
                .setValue(StoreSettings.PIPELINE_SEGMENTS_KEY, "30"),
            Labels.class);
    HRegion hbases = open(table("labelled", family), Labels.class);
    Random random = new Random(versions);
    long[] lowest = new long[ROWS];
    Scan scan = new Scan().readVersions(versions);
    for (int step = 0; step < STEPS; step++) {
      if (step % PERIOD == 0) {
        Arrays.fill(lowest, STEPS);
      }
      int row = random.nextInt(ROWS);
      boolean deletes = random.nextInt(10) < 2;
      KeyValue.Type type = deletes ? MARKERS.get(random.nextInt(markerTypes)) : KeyValue.Type.Put;
      lowest[row] -= random.nextInt(3) + (deletes ? 1 : 0);
      KeyValue cell =
          cell(
              step / PERIOD * ROWS + row,
              random.nextInt(2),
              lowest[row],
              type,
              random.nextInt(LABELS),
              "v" + step);
      write(ours, cell, deletes);
      write(hbases, cell, deletes);
      if (step % PERIOD == PERIOD - 1) {
        assertThat(read(ours, scan)).as("after step " + step).isEqualTo(read(hbases, scan));
      }
    }
    assertThat(memStoreOf(ours).figures().cellsEliminated()).isPositive();
    ours.flush(true);
    hbases.flush(true);
    assertThat(read(ours, scan)).isEqualTo(read(hbases, scan));
  }

  private static void write(HRegion region, KeyValue cell, boolean deletes) throws IOException {
    byte[] row = CellUtil.cloneRow(cell);
    if (deletes) {
      region.delete(new Delete(row).add(cell));
    } else {
      region.put(new Put(row).add(cell));
    }
  }

  /** Returns a cell with the tags that HBase gives to one with a label. */
  private static KeyValue cell(
      int row, int column, long timestamp, KeyValue.Type type, int label, String value) {
    boolean ofFamily =
        type == KeyValue.Type.DeleteFamily || type == KeyValue.Type.DeleteFamilyVersion;
    List<Tag> tags =
        label == 0
            ? List.of()
            : List.of(
                new ArrayBackedTag(
                    TagType.VISIBILITY_EXP_SERIALIZATION_FORMAT_TAG_TYPE, new byte[] {1}),
                new ArrayBackedTag(TagType.VISIBILITY_TAG_TYPE, new byte[] {(byte) label}));
    return new KeyValue(
        Bytes.toBytes("row" + row),
        FAMILY,
        ofFamily ? null : Bytes.toBytes("q" + column),
        timestamp,
        type,
        Bytes.toBytes(value),
        tags);
  }
}
