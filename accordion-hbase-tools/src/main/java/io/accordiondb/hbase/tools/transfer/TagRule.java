// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.encoding.CellTags;
import java.io.IOException;
import java.util.Iterator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Decides which tags of cells are imported. The database keeps the tags of puts, so a delete marker
 * that has tags is refused, unless tags are dropped. Immutable.
 *
 * @param drop whether all tags but times to live are left out
 */
record TagRule(boolean drop) {
  private static final String ADVICE =
      "; the database keeps the tags of puts alone; --drop-tags leaves tags out";

  /** The tags that are kept of a cell, in HBase's form, and how many are dropped. */
  record Tags(byte[] kept, int dropped) {
    static final Tags NONE = new Tags(CellTags.NONE, 0);
  }

  /** Returns the tags of a cell, or throws if it has some that are refused. */
  Tags of(StrictHFile file, Cell cell) throws IOException {
    if (cell.getTagsLength() == 0) {
      return Tags.NONE;
    }
    boolean isPut = cell.getTypeByte() == KeyValue.Type.Put.getCode();
    long ttlMillis = CellTags.FOREVER;
    int dropped = 0;
    for (Iterator<Tag> tags = PrivateCellUtil.tagsIterator(cell); tags.hasNext(); ) {
      Tag tag = tags.next();
      if (tag.getType() == TagType.MOB_REFERENCE_TAG_TYPE) {
        throw new IOException(
            file.file()
                + " has the place of a value in place of the value (a MOB family), at "
                + CellUtil.getCellKeyAsString(cell)
                + "; turn MOB off and compact the table before the snapshot");
      }
      if (isPut && tag.getType() == TagType.TTL_TAG_TYPE && tag.getValueLength() == Long.BYTES) {
        ttlMillis = ttlMillis == CellTags.FOREVER ? Bytes.toLong(Tag.cloneValue(tag)) : ttlMillis;
      } else if (drop) {
        dropped++;
      } else if (!isPut) {
        throw new IOException(
            file.file()
                + " has a tag of type "
                + tag.getType()
                + " at "
                + CellUtil.getCellKeyAsString(cell)
                + ADVICE);
      }
    }
    return drop
        ? new Tags(CellTags.ofTtl(ttlMillis), dropped)
        : new Tags(PrivateCellUtil.cloneTags(cell), 0);
  }
}
