// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import java.io.IOException;

/** Called after each batch of cells that a command has moved. */
interface BatchListener {
  void onBatch() throws IOException;
}
