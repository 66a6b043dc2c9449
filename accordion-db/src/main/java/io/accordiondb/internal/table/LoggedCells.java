// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.internal.commit.LoggedGroup;

/**
 * Cells from a log that are to be written again.
 *
 * @param table where they belong
 * @param family where they belong
 * @param cells as they were logged; the region they name does not count
 */
public record LoggedCells(String table, byte[] family, LoggedGroup cells) {}
