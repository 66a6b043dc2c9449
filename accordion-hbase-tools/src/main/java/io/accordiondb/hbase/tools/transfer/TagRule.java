// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

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
 * What becomes of the tags of cells. The database keeps times to live and no other tags, so a cell
 * that has others is refused, or loses them if that was asked for. Immutable.
 *
 * @param drop whether other tags are left out
 */
record TagRule(boolean drop) {
  private static final String ADVICE =
      "; the database keeps times to live alone; --drop-tags leaves the others out";

  /** A time to live, or {@link Long#MAX_VALUE}, and how many other tags a cell has. */
  record Tags(long ttlMillis, int dropped) {
    static final Tags NONE = new Tags(Long.MAX_VALUE, 0);
  }

  /** Throws if the tags of a file are longer than those that are kept. */
  void check(StrictHFile file) throws IOException {
    if (!drop && file.hasLongTags()) {
      throw new IOException(file.file() + " has cells with tags" + ADVICE);
    }
  }

  /** Returns the tags of a cell, or throws if it has some that are refused. */
  Tags of(StrictHFile file, Cell cell) throws IOException {
    if (cell.getTagsLength() == 0) {
      return Tags.NONE;
    }
    boolean isPut = cell.getTypeByte() == KeyValue.Type.Put.getCode();
    long ttlMillis = Long.MAX_VALUE;
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
        ttlMillis = ttlMillis == Long.MAX_VALUE ? Bytes.toLong(Tag.cloneValue(tag)) : ttlMillis;
      } else if (drop) {
        dropped++;
      } else {
        throw new IOException(
            file.file()
                + " has a tag of type "
                + tag.getType()
                + " at "
                + CellUtil.getCellKeyAsString(cell)
                + ADVICE);
      }
    }
    return new Tags(ttlMillis, dropped);
  }
}
