// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.chunk.ReferenceCount;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.memstore.MemStoreView;
import java.util.List;

/**
 * A view that several scanners hold until they are closed, so that the cells that they have
 * returned stay valid. It starts with one holder. Thread-safe.
 */
final class SharedView {
  private final MemStoreView view;
  private final ReferenceCount holders = new ReferenceCount();

  SharedView(MemStoreView view) {
    this.view = view;
  }

  /** Returns the segments, newest first. */
  List<? extends CellSource> sources() {
    return view.sources();
  }

  SharedView retain() {
    holders.retain();
    return this;
  }

  void release() {
    if (holders.release()) {
      view.close();
    }
  }
}
