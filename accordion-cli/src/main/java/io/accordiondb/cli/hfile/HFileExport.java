// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.hfile;

import io.accordiondb.Database;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An export of a table as HFiles. Immutable.
 *
 * @param database the database, which stays open
 * @param table the name of the table
 * @param target the folder
 * @param splits rows at which files end and others begin, ascending; null for those of the table's
 *     own regions
 * @param form what the files look like
 * @param err receives the progress
 */
public record HFileExport(
    Database database,
    String table,
    Path target,
    @Nullable List<byte[]> splits,
    HFileForm form,
    PrintWriter err) {}
