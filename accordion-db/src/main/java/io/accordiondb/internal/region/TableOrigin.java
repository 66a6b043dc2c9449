// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.internal.manifest.FileOwner;

/**
 * What a sorted table records of how it was written. Immutable.
 *
 * @param owner the owner of the table
 * @param appliedUpTo range tombstones up to this sequence number delete no cell of the table
 */
public record TableOrigin(FileOwner owner, long appliedUpTo) {}
