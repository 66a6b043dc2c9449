// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Walks over a view of a map. Unlike the default one it promises no size: other threads may change
 * the map during the walk, and counting would read all entries. Not thread-safe.
 */
final class ViewSpliterator<T> extends Spliterators.AbstractSpliterator<T> {
  private final Iterator<T> elements;
  private final @Nullable Comparator<? super T> order;

  /**
   * Creates a spliterator.
   *
   * @param more characteristics beyond those of all views
   * @param order the order of the elements if they are sorted, null if they are not
   */
  ViewSpliterator(Iterator<T> elements, int more, @Nullable Comparator<? super T> order) {
    super(Long.MAX_VALUE, CONCURRENT | NONNULL | ORDERED | more);
    this.elements = elements;
    this.order = order;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    boolean found = elements.hasNext();
    if (found) {
      action.accept(elements.next());
    }
    return found;
  }

  @Override
  public Comparator<? super T> getComparator() {
    if (order == null) {
      throw new IllegalStateException("the elements are not sorted");
    }
    return order;
  }
}
