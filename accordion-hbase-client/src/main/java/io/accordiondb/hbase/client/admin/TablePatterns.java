// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import java.util.regex.Pattern;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * Selects tables as HBase's master does: a pattern must match the whole name; a table of the
 * default namespace also has the name with the namespace.
 */
final class TablePatterns {
  private TablePatterns() {}

  /** Returns whether a table is selected; null selects all. */
  static boolean matches(@Nullable Pattern pattern, TableName table) {
    if (pattern == null || pattern.matcher(table.getNameAsString()).matches()) {
      return true;
    }
    String namespace = table.getNamespaceAsString();
    String qualified = namespace + TableName.NAMESPACE_DELIM + table.getQualifierAsString();
    return namespace.equals(NamespaceDescriptor.DEFAULT_NAMESPACE_NAME_STR)
        && pattern.matcher(qualified).matches();
  }

  /** Returns a pattern; null for null. */
  static @Nullable Pattern compile(@Nullable String regex) {
    return regex == null ? null : Pattern.compile(regex);
  }
}
