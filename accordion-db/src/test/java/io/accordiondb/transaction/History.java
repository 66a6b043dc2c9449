// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.transaction;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What transactions have read from and appended to lists, and which of Adya's anomalies that shows.
 * No element is appended twice, so a list tells the order of the transactions that wrote it, as in
 * Elle [1]. A scan is a read of every key, of empty lists too: so phantoms are like other reads.
 *
 * <p>[1] Kingsbury and Alvaro, Elle: Inferring Isolation Anomalies from Experimental Observations,
 * VLDB 2020.
 */
final class History {
  /** What a history may show that it must not. */
  enum Anomaly {
    /** A list that cannot have come about: an element twice, or two lists of which none begins. */
    INCOMPATIBLE_ORDER,
    /** A read of one key that differs from an earlier one by more than the transaction's writes. */
    INTERNAL,
    /** A read of what an aborted transaction has written. */
    G1A,
    /** A read of what a transaction has written and then written over. */
    G1B,
    /** A cycle of writes. */
    G0,
    /** A cycle of writes and reads of them. */
    G1C,
    /** A cycle with one read of what was overwritten: a lost update, or a skewed read. */
    G_SINGLE,
    /** A cycle with several such reads: write skew, and phantoms. */
    G2
  }

  /** One operation; element is null for a read of the list. */
  record Op(String key, Integer element, List<Integer> list) {
    static Op append(String key, int element) {
      return new Op(key, element, List.of());
    }

    static Op read(String key, List<Integer> list) {
      return new Op(key, null, List.copyOf(list));
    }
  }

  /** A transaction; whether it has committed may be unknown. */
  record Transaction(List<Op> ops, Outcome outcome) {}

  /** How a transaction has ended. */
  enum Outcome {
    COMMITTED,
    ABORTED,
    UNKNOWN
  }

  private enum Kind {
    WW,
    WR,
    RW
  }

  private record Edge(int to, Kind kind) {}

  private final List<Transaction> transactions;
  private final Map<Integer, Integer> writerOf = new HashMap<>();
  private final Map<String, List<Integer>> orders = new TreeMap<>();
  private final Map<Integer, Set<Edge>> edges = new HashMap<>();
  private final Set<Anomaly> found = EnumSet.noneOf(Anomaly.class);

  private History(List<Transaction> transactions) {
    this.transactions = transactions;
  }

  /** Returns the anomalies that some transactions show. */
  static Set<Anomaly> anomalies(List<Transaction> transactions) {
    History history = new History(transactions);
    history.indexWriters();
    for (Transaction each : transactions) {
      // What a transaction that aborted has read must be right, too, until then.
      history.checkInternal(each);
      history.checkReads(each);
    }
    history.link();
    history.findCycles();
    return history.found;
  }

  private void indexWriters() {
    for (int i = 0; i < transactions.size(); i++) {
      for (Op op : transactions.get(i).ops) {
        if (op.element != null) {
          writerOf.put(op.element, i);
        }
      }
    }
  }

  private void checkInternal(Transaction transaction) {
    Map<String, List<Integer>> seen = new HashMap<>();
    Map<String, List<Integer>> own = new HashMap<>();
    for (Op op : transaction.ops) {
      List<Integer> before = seen.get(op.key);
      List<Integer> appended = own.computeIfAbsent(op.key, key -> new ArrayList<>());
      if (op.element != null) {
        appended.add(op.element);
        if (before != null) {
          before.add(op.element);
        }
        continue;
      }
      int length = op.list.size();
      boolean endsWithOwn =
          length >= appended.size()
              && op.list.subList(length - appended.size(), length).equals(appended);
      if (!endsWithOwn || (before != null && !before.equals(op.list))) {
        found.add(Anomaly.INTERNAL);
      }
      seen.put(op.key, new ArrayList<>(op.list));
    }
  }

  private void checkReads(Transaction transaction) {
    for (Op op : transaction.ops) {
      if (op.element != null) {
        continue;
      }
      List<Integer> order = orders.getOrDefault(op.key, List.of());
      List<Integer> list = committedPart(op, transaction);
      List<Integer> longer = order.size() < list.size() ? list : order;
      if (!longer.subList(0, Math.min(order.size(), list.size())).equals(shorter(order, list))
          || new HashSet<>(list).size() < list.size()) {
        found.add(Anomaly.INCOMPATIBLE_ORDER);
      }
      orders.put(op.key, longer);
      for (Integer element : list) {
        Integer writer = writerOf.get(element);
        if (writer == null || transactions.get(writer).outcome == Outcome.ABORTED) {
          found.add(Anomaly.G1A);
        }
      }
      if (!list.isEmpty()) {
        int last = list.get(list.size() - 1);
        Integer writer = writerOf.get(last);
        if (writer != null && lastAppend(transactions.get(writer), op.key) != last) {
          found.add(Anomaly.G1B);
        }
      }
    }
  }

  private static List<Integer> shorter(List<Integer> a, List<Integer> b) {
    return a.size() < b.size() ? a : b;
  }

  /** Returns what was read without the elements of the reader itself, which may not commit. */
  private static List<Integer> committedPart(Op read, Transaction reader) {
    List<Integer> list = new ArrayList<>(read.list);
    for (Op op : reader.ops) {
      if (op.element != null) {
        list.remove(op.element);
      }
    }
    return list;
  }

  private static int lastAppend(Transaction writer, String key) {
    int last = 0;
    for (Op op : writer.ops) {
      if (op.element != null && op.key.equals(key)) {
        last = op.element;
      }
    }
    return last;
  }

  private void link() {
    orders.values().forEach(this::linkWriters);
    for (int reader = 0; reader < transactions.size(); reader++) {
      Transaction transaction = transactions.get(reader);
      if (transaction.outcome != Outcome.COMMITTED) {
        continue;
      }
      for (Op op : transaction.ops) {
        if (op.element == null) {
          linkReader(reader, op.key, committedPart(op, transaction));
        }
      }
    }
  }

  private void linkWriters(List<Integer> order) {
    for (int i = 1; i < order.size(); i++) {
      link(writerOf.get(order.get(i - 1)), writerOf.get(order.get(i)), Kind.WW);
    }
  }

  private void linkReader(int reader, String key, List<Integer> list) {
    List<Integer> order = orders.get(key);
    if (!list.isEmpty()) {
      link(writerOf.get(list.get(list.size() - 1)), reader, Kind.WR);
    }
    if (order.size() > list.size()) {
      link(reader, writerOf.get(order.get(list.size())), Kind.RW);
    } else {
      // Appends that nobody has read come after what was read last.
      for (int other = 0; other < transactions.size(); other++) {
        int appended = lastAppend(transactions.get(other), key);
        if (transactions.get(other).outcome == Outcome.COMMITTED
            && appended != 0
            && !order.contains(appended)) {
          link(reader, other, Kind.RW);
        }
      }
    }
  }

  private void link(Integer from, Integer to, Kind kind) {
    if (from != null && to != null && !from.equals(to)) {
      edges.computeIfAbsent(from, key -> new HashSet<>()).add(new Edge(to, kind));
    }
  }

  private void findCycles() {
    edges.forEach(
        (from, all) -> {
          for (Edge edge : all) {
            switch (edge.kind) {
              case WW -> {
                if (reaches(edge.to, from, EnumSet.of(Kind.WW))) {
                  found.add(Anomaly.G0);
                }
              }
              case WR -> {
                if (reaches(edge.to, from, EnumSet.of(Kind.WW, Kind.WR))) {
                  found.add(Anomaly.G1C);
                }
              }
              case RW -> {
                if (reaches(edge.to, from, EnumSet.of(Kind.WW, Kind.WR))) {
                  found.add(Anomaly.G_SINGLE);
                } else if (reaches(edge.to, from, EnumSet.allOf(Kind.class))) {
                  found.add(Anomaly.G2);
                }
              }
            }
          }
        });
  }

  private boolean reaches(int from, int target, Set<Kind> kinds) {
    Deque<Integer> next = new ArrayDeque<>(List.of(from));
    Set<Integer> seen = new HashSet<>(next);
    while (!next.isEmpty()) {
      int at = next.pop();
      if (at == target) {
        return true;
      }
      for (Edge edge : edges.getOrDefault(at, Set.of())) {
        if (kinds.contains(edge.kind) && seen.add(edge.to)) {
          next.push(edge.to);
        }
      }
    }
    return false;
  }
}
