// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

/**
 * What a cell says about its column. The codes are those of HBase's serialised cells; among equal
 * timestamps a higher code sorts first, so that a reader finds a marker before the cells that it
 * hides. In an embedded database a marker hides only what was written before it, with a lower
 * sequence number: what was written later is visible, whatever its timestamp.
 */
public enum CellType {
  /** A value. */
  PUT(4),
  /** Hides the put of exactly this column and timestamp. */
  DELETE(8),
  /** Hides all puts of the family at exactly this timestamp. */
  DELETE_FAMILY_VERSION(10),
  /** Hides all puts of this column at or below this timestamp. */
  DELETE_COLUMN(12),
  /** Hides all puts of the family at or below this timestamp. */
  DELETE_FAMILY(14),
  /**
   * Deletes all that was written before to a range of rows, from the cell's row up to the row that
   * is its value, exclusive; to the end if that is empty. Stands in logs and change feeds; stores
   * keep range tombstones apart from cells.
   */
  DELETE_RANGE(16),
  /**
   * An operand: what the family's merge operator combines with the value that the column had
   * before.
   */
  MERGE(20);

  /** Type code below every cell's: as part of a search key it sorts after all real types. */
  public static final int MINIMUM_CODE = 0;

  /** Type code above every cell's: as part of a search key it sorts before all real types. */
  public static final int MAXIMUM_CODE = 255;

  private final byte code;

  CellType(int code) {
    this.code = (byte) code;
  }

  /** {@return the code of this type in a serialised cell} */
  public byte code() {
    return code;
  }

  /**
   * {@return the type of a code}
   *
   * @param code the code in a serialised cell
   * @throws IllegalArgumentException if no type has this code
   */
  public static CellType of(int code) {
    return switch (code) {
      case 4 -> PUT;
      case 8 -> DELETE;
      case 10 -> DELETE_FAMILY_VERSION;
      case 12 -> DELETE_COLUMN;
      case 14 -> DELETE_FAMILY;
      case 16 -> DELETE_RANGE;
      case 20 -> MERGE;
      default -> throw new IllegalArgumentException("unknown cell type code " + code);
    };
  }

  /**
   * {@return whether {@code code} is the code of a type that cells may have}
   *
   * @param code the code in a serialised cell
   */
  public static boolean isKnown(int code) {
    return code == 4 || (code >= 8 && code <= 16 && code % 2 == 0) || code == 20;
  }
}
