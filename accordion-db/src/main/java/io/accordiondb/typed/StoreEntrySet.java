// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;
import java.util.function.Predicate;

/** The entries of a map of a store. Thread-safe; holds no state. */
final class StoreEntrySet<K, V> extends AbstractSet<Map.Entry<K, V>> {
  private final StoreMap<K, V> map;

  StoreEntrySet(StoreMap<K, V> map) {
    this.map = map;
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return map.entries();
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean isEmpty() {
    return map.isEmpty();
  }

  @Override
  public boolean contains(Object entry) {
    return entry instanceof Map.Entry<?, ?> e
        && e.getKey() != null
        && e.getValue() != null
        && map.has(e.getKey(), e.getValue());
  }

  @Override
  public boolean remove(Object entry) {
    return entry instanceof Map.Entry<?, ?> e
        && e.getKey() != null
        && e.getValue() != null
        && map.remove(e.getKey(), e.getValue());
  }

  /** The superclass would ask for the size, for which the store is read. */
  @Override
  public boolean removeAll(Collection<?> entries) {
    boolean removed = false;
    for (Object entry : entries) {
      removed |= remove(entry);
    }
    return removed;
  }

  @Override
  public boolean removeIf(Predicate<? super Map.Entry<K, V>> selected) {
    return map.entries().removeIf(selected);
  }

  @Override
  public Spliterator<Map.Entry<K, V>> spliterator() {
    return new ViewSpliterator<>(iterator(), Spliterator.DISTINCT, null);
  }

  @Override
  public void clear() {
    map.clear();
  }
}
