// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.chunk.ReferenceCount;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.memstore.MemStore;
import io.accordiondb.memstore.MemStoreView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A view that several scanners hold until they are closed, so that the cells that they have
 * returned stay valid. It starts with one holder. Thread-safe.
 */
final class SharedView {
  private final ReferenceCount holders = new ReferenceCount();
  private final byte @Nullable [] family;
  private final MemStoreView view;

  /**
   * Takes a view of a store, as the last thing that can fail.
   *
   * @param family the family of its cells, if that is known; not changed
   */
  SharedView(MemStore store, byte @Nullable [] family) {
    this.family = family;
    this.view = store.view();
  }

  byte @Nullable [] family() {
    return family;
  }

  /** Returns the segments, newest first. */
  List<? extends CellSource> sources() {
    return view.sources();
  }

  void retain() {
    holders.retain();
  }

  void release() {
    if (holders.release()) {
      view.close();
    }
  }
}
