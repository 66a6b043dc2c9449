// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.hfile;

import io.accordiondb.Database;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An import of HFiles or of a snapshot of HBase's into a table. Immutable.
 *
 * @param kind what the source is
 * @param source the folder
 * @param snapshot the name of a snapshot; null if the source holds only one
 * @param table the name of the table that receives the cells
 * @param choices what the import may do
 * @param folder the folder of the database
 * @param opener opens the database
 * @param err receives the progress
 */
public record HFileImport(
    Kind kind,
    Path source,
    @Nullable String snapshot,
    String table,
    Set<Choice> choices,
    Path folder,
    DatabaseOpener opener,
    PrintWriter err) {

  /** What a source is. */
  public enum Kind {
    /** A folder for each family, with HFiles in it. */
    HFILE,
    /** A snapshot, as HBase's ExportSnapshot writes it. */
    SNAPSHOT
  }

  /** What an import does only if its options allow it. */
  public enum Choice {
    /** Creates the table, or its families, if they do not exist. */
    CREATE,
    /** Leaves out the tags of cells that the database cannot keep. */
    DROP_TAGS
  }

  /** Opens the database of an import, once the source has been checked. */
  public interface DatabaseOpener {
    /**
     * Opens the database for writing.
     *
     * @param create whether it is created if it does not exist
     */
    Database open(boolean create) throws IOException;
  }
}
