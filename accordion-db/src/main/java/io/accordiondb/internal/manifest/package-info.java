// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The manifest: which tables, regions and sorted tables make up the database, as a log of edits. A
 * change is in force when its record is on the device, and not before.
 */
@NullMarked
package io.accordiondb.internal.manifest;

import org.jspecify.annotations.NullMarked;
