// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.cell.CellSource;
import io.accordiondb.retention.VersionRules;
import java.io.Closeable;
import java.util.List;

/**
 * One store as a reader sees it: all sources of its cells, which stay readable until the view is
 * closed.
 *
 * @param family the name of the family
 * @param rules its version rules
 * @param sources segments and sorted tables; all of the former are newer than the latter, and each
 *     kind stands newest first
 * @param pin what keeps the sources readable
 */
public record StoreView(
    byte[] family, VersionRules rules, List<CellSource> sources, Closeable pin) {}
