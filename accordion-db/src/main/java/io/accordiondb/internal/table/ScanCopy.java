// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Bound;
import io.accordiondb.Scan;

/**
 * Copies scans. A scanner reads its scan whenever it comes to another region, and the application
 * may change the scan and its arrays as soon as the scanner is open.
 */
final class ScanCopy {
  private ScanCopy() {}

  /** Returns a copy of a scan that shares only filter and snapshot with it. */
  static Scan of(Scan scan) {
    Scan copy =
        new Scan()
            .setStartRow(scan.startRow().clone(), boundOf(scan.startInclusive()))
            .setStopRow(scan.stopRow().clone(), boundOf(scan.stopInclusive()))
            .setReversed(scan.reversed())
            .setRaw(scan.raw())
            .setLimit(scan.limit())
            .setBatch(scan.batch())
            .setTimeRange(scan.minTimestamp(), scan.maxTimestamp())
            .setVersions(scan.versions())
            .setCacheBlocks(scan.cacheBlocks())
            .setAllTags(scan.allTags())
            .setFilter(scan.filter())
            .setSnapshot(scan.snapshot());
    for (byte[] family : scan.families()) {
      byte[] name = family.clone();
      byte[][] qualifiers = scan.qualifiers(family);
      if (qualifiers == null) {
        copy.addFamily(name);
      } else {
        for (byte[] qualifier : qualifiers) {
          copy.addColumn(name, qualifier.clone());
        }
      }
    }
    return copy;
  }

  private static Bound boundOf(boolean inclusive) {
    return inclusive ? Bound.INCLUSIVE : Bound.EXCLUSIVE;
  }
}
