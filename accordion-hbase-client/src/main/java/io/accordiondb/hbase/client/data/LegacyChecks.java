// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.io.IOException;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.CompareFilter;

/**
 * The conditional changes that HBase 2 deprecates. HBase's defaults make a {@link RowMutations} of
 * each put and delete, and so would hide why it has failed, as those of many mutations do.
 */
@SuppressWarnings("deprecation")
interface LegacyChecks extends Table {
  /** Changes a row if one of its columns has a value that compares so; returns whether it did. */
  boolean changeIf(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      byte[] value,
      Row change)
      throws IOException;

  @Override
  @Deprecated
  default boolean checkAndPut(byte[] row, byte[] family, byte[] qualifier, byte[] value, Put put)
      throws IOException {
    return changeIf(row, family, qualifier, CompareOperator.EQUAL, value, put);
  }

  @Override
  @Deprecated
  default boolean checkAndPut(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareFilter.CompareOp operator,
      byte[] value,
      Put put)
      throws IOException {
    return changeIf(row, family, qualifier, operatorOf(operator), value, put);
  }

  @Override
  @Deprecated
  default boolean checkAndPut(
      byte[] row, byte[] family, byte[] qualifier, CompareOperator operator, byte[] value, Put put)
      throws IOException {
    return changeIf(row, family, qualifier, operator, value, put);
  }

  @Override
  @Deprecated
  default boolean checkAndDelete(
      byte[] row, byte[] family, byte[] qualifier, byte[] value, Delete delete) throws IOException {
    return changeIf(row, family, qualifier, CompareOperator.EQUAL, value, delete);
  }

  @Override
  @Deprecated
  default boolean checkAndDelete(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareFilter.CompareOp operator,
      byte[] value,
      Delete delete)
      throws IOException {
    return changeIf(row, family, qualifier, operatorOf(operator), value, delete);
  }

  @Override
  @Deprecated
  default boolean checkAndDelete(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      byte[] value,
      Delete delete)
      throws IOException {
    return changeIf(row, family, qualifier, operator, value, delete);
  }

  @Override
  @Deprecated
  default boolean checkAndMutate(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareFilter.CompareOp operator,
      byte[] value,
      RowMutations mutations)
      throws IOException {
    return changeIf(row, family, qualifier, operatorOf(operator), value, mutations);
  }

  @Override
  @Deprecated
  default boolean checkAndMutate(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      byte[] value,
      RowMutations mutations)
      throws IOException {
    return changeIf(row, family, qualifier, operator, value, mutations);
  }

  private static CompareOperator operatorOf(CompareFilter.CompareOp operator) {
    return CompareOperator.valueOf(operator.name());
  }
}
