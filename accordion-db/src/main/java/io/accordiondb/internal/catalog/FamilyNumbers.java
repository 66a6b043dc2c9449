// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.catalog;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.TableRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates the manifest records of tables and numbers their families. The number says to which
 * contents a cell in the log belongs: a family that is truncated, or dropped and created again,
 * gets a new number.
 */
final class FamilyNumbers {
  private final Manifest manifest;

  FamilyNumbers(Manifest manifest) {
    this.manifest = manifest;
  }

  /** Returns the record of a new table. */
  TableRecord created(TableDescriptor descriptor) throws IOException {
    List<FamilyRecord> families = new ArrayList<>();
    for (FamilyDescriptor family : descriptor.families()) {
      families.add(new FamilyRecord(next(), family.name(), family.attributes()));
    }
    return new TableRecord(manifest.nextNumber(), descriptor.name(), families);
  }

  /** Returns a table with other families. Families whose names stay keep their numbers. */
  TableRecord altered(TableRecord old, TableDescriptor descriptor) throws IOException {
    Map<String, Integer> ids = new HashMap<>();
    old.families().forEach(family -> ids.put(family.name(), family.familyId()));
    List<FamilyRecord> families = new ArrayList<>();
    for (FamilyDescriptor family : descriptor.families()) {
      Integer known = ids.get(family.name());
      int id = known == null ? next() : known;
      families.add(new FamilyRecord(id, family.name(), family.attributes()));
    }
    return new TableRecord(old.tableId(), descriptor.name(), families);
  }

  /** Returns a table whose families have new numbers. */
  TableRecord emptied(TableRecord old) throws IOException {
    List<FamilyRecord> families = new ArrayList<>();
    for (FamilyRecord family : old.families()) {
      families.add(new FamilyRecord(next(), family.name(), family.attributes()));
    }
    return new TableRecord(old.tableId(), old.name(), families);
  }

  /**
   * Returns a number that no family ever had, because the log may still hold cells of dropped
   * families.
   */
  private int next() throws IOException {
    return Math.toIntExact(manifest.nextNumber());
  }
}
