// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

/** How much of the paper's work is done. */
public enum Scale {
  /** A tenth of one of the paper's stores. */
  SMALL(0.1),
  /** A quarter of one: the least at which most of what the paper found shows in one round. */
  QUARTER(0.25),
  /** One of the paper's stores: 120 MB, 2M keys, 10M writes. */
  MEDIUM(1),
  /** All of the paper's stores: 100M keys, 500M writes, 50 regions. */
  FULL(50);

  private final double stores;

  Scale(double stores) {
    this.stores = stores;
  }

  /** Returns how many of the paper's stores that is. */
  public double stores() {
    return stores;
  }
}
