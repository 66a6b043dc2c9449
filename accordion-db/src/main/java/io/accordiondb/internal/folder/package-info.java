// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What the folder of a database holds, and whether it is whole: manifest and log vouch for each
 * other.
 *
 * <p>Start with {@link io.accordiondb.internal.folder.DatabaseFolder}. This package knows no open
 * tables.
 */
@NullMarked
package io.accordiondb.internal.folder;

import org.jspecify.annotations.NullMarked;
