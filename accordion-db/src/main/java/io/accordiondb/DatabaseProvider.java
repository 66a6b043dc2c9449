// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.nio.file.Path;

/** What {@link Database#open} finds the implementation by. Not for applications. */
public interface DatabaseProvider {
  /** Opens the database in a folder. */
  Database open(Path path, DatabaseOptions options) throws IOException;
}
