// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

/** A file or a directory of a {@link MemoryStorage}, whose lock guards it. */
sealed interface MemoryNode permits MemoryFile, MemoryDirectory {}
