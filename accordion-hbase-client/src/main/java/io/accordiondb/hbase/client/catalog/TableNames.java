// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * Maps HBase's table names to those of the database. A table of the default namespace has the same
 * name in both, so that both interfaces see it. HBase's names cannot begin with '-', the database's
 * can, so these are free for everything else:
 *
 * <ul>
 *   <li>{@code -NAMESPACE.QUALIFIER} for a table of another namespace;
 *   <li>{@code --} and 60 hexadecimal digits of the SHA-256 of the name, if the name is too long
 *       for the database or has letters that it does not allow; the catalog's record has the name;
 *   <li>{@link #SYSTEM} for the catalog, and {@code --snapshot-NUMBER} for the contents of a
 *       snapshot.
 * </ul>
 */
final class TableNames {
  /** The key-value store in which the catalog keeps what the database does not know. */
  static final String SYSTEM = "--hbase-catalog";

  private static final String SNAPSHOT_PREFIX = "--snapshot-";
  private static final int DIGEST_BYTES = 30;
  private static final int LENGTH_MAX = 64;
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*");
  private static final Pattern QUALIFIED =
      Pattern.compile("-([A-Za-z0-9_]+)\\.([A-Za-z0-9_][A-Za-z0-9_.-]*)");

  private TableNames() {}

  /** Returns the name of a table in the database. */
  static String engineName(TableName name) {
    String namespace = name.getNamespaceAsString();
    String qualifier = name.getQualifierAsString();
    boolean isDefault = namespace.equals(NamespaceDescriptor.DEFAULT_NAMESPACE_NAME_STR);
    String plain = isDefault ? qualifier : "-" + namespace + "." + qualifier;
    Pattern allowed = isDefault ? PLAIN : QUALIFIED;
    return plain.length() <= LENGTH_MAX && allowed.matcher(plain).matches()
        ? plain
        : "--" + digest(namespace + ":" + qualifier);
  }

  /** Returns HBase's name of a table of the database; null if it is in no record and has none. */
  static @Nullable TableName hbaseName(String engineName) {
    if (isReserved(engineName)) {
      return null;
    }
    Matcher qualified = QUALIFIED.matcher(engineName);
    try {
      if (qualified.matches()) {
        return TableName.valueOf(qualified.group(1), qualified.group(2));
      }
      return PLAIN.matcher(engineName).matches() ? TableName.valueOf(engineName) : null;
    } catch (IllegalArgumentException e) {
      // HBase refuses a few names, such as "zookeeper".
      return null;
    }
  }

  /** Returns whether a table of the database belongs to the catalog itself. */
  static boolean isReserved(String engineName) {
    return engineName.equals(SYSTEM) || isSnapshot(engineName);
  }

  /** Returns whether a table of the database holds the contents of a snapshot. */
  static boolean isSnapshot(String engineName) {
    return engineName.startsWith(SNAPSHOT_PREFIX);
  }

  /** Returns the table of the database for the contents of a snapshot. */
  static String snapshotTable(long number) {
    return SNAPSHOT_PREFIX + number;
  }

  /** Returns the number of a table that {@link #snapshotTable} has named; 0 for other tables. */
  static long snapshotNumber(String engineName) {
    try {
      return isSnapshot(engineName)
          ? Long.parseLong(engineName.substring(SNAPSHOT_PREFIX.length()))
          : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static String digest(String name) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(digest, DIGEST_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
