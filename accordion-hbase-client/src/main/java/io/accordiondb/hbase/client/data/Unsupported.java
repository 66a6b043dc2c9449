// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

/** Says which operations of HBase an embedded store does not have. */
public final class Unsupported {
  private Unsupported() {}

  /**
   * {@return the exception to throw for an operation}
   *
   * @param operation the operation as HBase calls it
   * @param reason why it cannot exist in one process
   */
  public static UnsupportedOperationException operation(String operation, String reason) {
    return new UnsupportedOperationException(
        operation + " is not supported by the embedded store: " + reason);
  }

  /** {@return the exception to throw for an operation of coprocessors} */
  static UnsupportedOperationException coprocessor(String operation) {
    return operation(operation, "it has no region server that could run a coprocessor");
  }
}
