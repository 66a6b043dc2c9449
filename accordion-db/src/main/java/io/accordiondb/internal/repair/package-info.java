// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Checks and repairs a closed database. Start with {@link io.accordiondb.internal.repair.Verifier},
 * which reads every byte, and {@link io.accordiondb.internal.repair.Repairer}, which keeps what is
 * sound.
 *
 * <p>The cells of all sound blocks of a damaged sorted table go into a new table; blocks that no
 * sound index names are found by their checksums. If the manifest is lost, tables and regions are
 * rebuilt from the owner that each sorted table records, and logged cells of unknown regions are
 * written into sorted tables of the regions that now have their rows. Everything else is moved to
 * the folder {@code lost}, and the report names it.
 */
@NullMarked
package io.accordiondb.internal.repair;

import org.jspecify.annotations.NullMarked;
