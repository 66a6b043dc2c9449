// Licensed under the Apache License, Version 2.0; see the LICENSE file.
// The figures beside the memory stores: charts over two minutes, meters, levels, and a comparison.

import {Chart} from './chart.js';
import {bytes, count, element, fillRows, large, nanos, percent, ratio, setText} from './format.js';

const WINDOW_MILLIS = 120_000;

/** Colours of databases that are shown together. */
const COLOURS = ['first', 'second', 'third', 'fourth'];

const READS = ['GET_MEMORY', 'GET_CACHE', 'GET_FILE'];
const FOREGROUND = /^(GET|SCAN|WRITE|READ|TRANSACTION)/;

function rateOf(database, kinds) {
  const found = database.operations.filter((operation) => kinds.includes(operation.kind));
  return found.length ? found.reduce((sum, operation) => sum + operation.rate, 0) : undefined;
}

/** The kind of operation that an application waits for most often. */
function busiest(databases) {
  const rates = new Map();
  for (const database of databases) {
    for (const {kind, label, rate, p50} of database.operations) {
      if (FOREGROUND.test(kind) && p50 !== undefined) {
        rates.set(kind, {kind, label, rate: (rates.get(kind)?.rate ?? 0) + rate});
      }
    }
  }
  return [...rates.values()].sort((one, other) => other.rate - one.rate)[0];
}

function totalWritten(database) {
  return database.log.appended + database.flushes.bytes + database.compactions.bytes;
}

/** Rows of the comparison: name, value, format, and whether less is better (1) or more (-1). */
const COMPARED = [
  ['Cells written', (database) => database.cells, large, 0],
  ['Flushes to disk', (database) => database.flushes.count, count, 1],
  ['Bytes flushed', (database) => database.flushes.bytes, bytes, 1],
  ['Compactions on disk', (database) => database.compactions.count, count, 1],
  ['Bytes compacted', (database) => database.compactions.bytes, bytes, 1],
  ['Written to disk, with the log', totalWritten, bytes, 1],
  ['Write amplification', (database) => database.amplification.write, ratio, 1],
  ['Cells dropped in memory', (database) => database.memory.eliminatedCells, large, -1],
  ['Cells held in memory', (database) => database.memory.cells, large, 0],
  ['Time in which writes waited', (database) => database.stalls.elapsed, nanos, 1],
];

export class Panels {
  #comparison = new Comparison();
  #throughput;
  #latency;
  #disk;
  #pauses;
  #limits;
  #levels;
  #cache;
  #operations;

  constructor(parent) {
    this.#throughput = new Chart(parent, 'Throughput, per second', large);
    this.#latency = new Chart(parent, 'Latency', nanos, true);
    this.#disk = new Chart(parent, 'Written to disk, per second', bytes);
    this.#pauses = new Chart(parent, 'Standing still', percent);
    const limits = element('article', 'card');
    parent.append(limits);
    this.#limits = new Meters(limits, 'Against the limits');
    const files = element('article', 'card');
    parent.append(files);
    this.#levels = new Meters(files, 'Sorted tables by level');
    this.#cache = new Meters(files, 'Block cache, share of hits');
    this.#operations = new Operations(parent);
  }

  /** Shows databases by their names at the time of the last of the frames. */
  show(frames, names) {
    const now = frames.at(-1);
    const databases = now.databases.filter((found) => names.includes(found.name) && found.stores);
    if (databases.length === 0) {
      return;
    }
    const from = now.at - WINDOW_MILLIS;
    const recent = frames.filter((frame) => frame.at >= from - 2000);
    this.#comparison.show(databases);
    this.#drawCharts(recent, databases, from, now.at);
    this.#showMeters(databases, now.process);
    this.#operations.show(databases);
  }

  #drawCharts(frames, databases, from, to) {
    const several = databases.length > 1;
    const line = (label, colour, dash, value) => ({label, colour, dash,
      points: frames.map((frame) => [frame.at, value(frame)])});
    const each = (colour, dash, value) => databases.map((database, i) => {
      const found = (frame) => frame.databases.find((other) => other.name === database.name);
      return (label) => line(several ? `${database.name} ${label}` : label,
        several ? COLOURS[i % COLOURS.length] : colour, dash,
        (frame) => (found(frame)?.stores ? value(found(frame)) : undefined));
    });
    const all = (...groups) => groups.flatMap(([label, colour, dash, value]) =>
      each(colour, dash, value).map((make) => make(label)));

    this.#throughput.draw(all(
      ['cells written', 'first', undefined, (database) => database.cellRate],
      ['gets', 'second', several ? [6, 4] : undefined, (database) => rateOf(database, READS)],
      ['rows scanned', 'third', several ? [2, 3] : undefined,
        (database) => rateOf(database, ['SCAN_NEXT'])]), from, to);
    const kind = busiest(databases);
    const of = (name) => (database) =>
      database.operations.find((operation) => operation.kind === kind?.kind)?.[name];
    const latencies = [['median', 'first', several ? [2, 3] : undefined, of('p50')],
      ['99 %', 'second', undefined, of('p99')]];
    if (!several) {
      latencies.push(['99.9 %', 'third', undefined, of('p999')]);
    }
    this.#latency.draw(all(...latencies), from, to);
    setText(this.#latency.head.firstChild, kind ? `Latency: ${kind.label}` : 'Latency');
    const written = several
      ? [['flushes and compactions', 'first', undefined,
        (database) => database.flushes.rate + database.compactions.rate]]
      : [['flushes', 'first', undefined, (database) => database.flushes.rate],
        ['compactions', 'second', undefined, (database) => database.compactions.rate],
        // Of a region server, nobody knows what is appended to the log.
        ['log', 'third', undefined,
          (database) => (database.log.appended > 0 ? database.log.rate : undefined)]];
    this.#disk.draw(all(...written), from, to);
    this.#pauses.draw([
      ...all(['writes stalled', 'first', undefined, (database) => database.stalls.share]),
      {label: 'collector pauses', colour: 'pause', points: pauseShares(frames)}], from, to);
  }

  #showMeters(databases, process) {
    const several = databases.length > 1;
    const limits = [];
    const levels = [];
    const cache = [];
    const most = Math.max(1, ...databases.flatMap((database) =>
      database.levels.map((level) => level.bytes)));
    for (const database of databases) {
      const name = several ? `${database.name}: ` : '';
      limits.push(limit(`${name}memory stores`, database.memory.used, database.memory.budget));
      if (database.memory.pressure > database.memory.used) {
        limits.push(limit(`${name}with large values on the heap`, database.memory.pressure,
          database.memory.budget));
      }
      limits.push(limit(`${name}log, ${files(database.log.files)}`, database.log.bytes,
          database.log.max));
      if (database.log.keptFiles > 0) {
        limits.push(limit(`${name}kept log, ${files(database.log.keptFiles)}`,
          database.log.keptBytes, 0));
      }
      if (database.cache.budget > 0) {
        limits.push(limit(`${name}block cache`, database.cache.used, database.cache.budget));
      }
      for (const level of database.levels) {
        levels.push({label: `${name}level ${level.level}`, share: level.bytes / most,
          value: `${bytes(level.bytes)} in ${files(level.files)}`});
      }
      for (const kind of ['data', 'index', 'filter', 'column']) {
        const {hits, misses} = database.cache[kind];
        if (hits + misses > 0) {
          const share = hits / (hits + misses);
          cache.push({label: `${name}${kind}`, share,
            value: `${percent(share)} of ${large(hits + misses)}`});
        }
      }
    }
    limits.push(limit('Java heap', process.heapUsed, process.heapMax));
    this.#limits.show(limits, '');
    this.#levels.show(levels, 'No sorted table yet: everything is in memory.');
    this.#cache.show(cache, 'Nothing was read from sorted tables yet.');
  }
}

function files(number) {
  return number === 1 ? '1 file' : `${count(number)} files`;
}

function limit(label, used, max) {
  return {label, share: max > 0 ? used / max : 0, warns: true,
    value: max > 0 ? `${bytes(used)} of ${bytes(max)}` : bytes(used)};
}

/** The share of time in which the garbage collector stopped the process, frame by frame. */
function pauseShares(frames) {
  return frames.map((frame, i) => {
    const before = frames[Math.max(0, i - 4)];
    const millis = frame.at - before.at;
    return [frame.at, millis > 0
      ? Math.max(0, frame.process.pauseMillis - before.process.pauseMillis) / millis : undefined];
  });
}

/** A list of bars between 0 and 1, each with words. */
class Meters {
  #list = element('ul', 'meters');
  #empty = element('p', 'empty');

  constructor(parent, title) {
    parent.append(element('div', parent.childElementCount ? 'more' : '', '',
      element('div', 'card-head', '', element('h2', '', title)), this.#list, this.#empty));
  }

  show(meters, emptyWords) {
    setText(this.#empty, meters.length ? '' : emptyWords);
    while (this.#list.childElementCount > meters.length) {
      this.#list.lastChild.remove();
    }
    meters.forEach((meter, i) => {
      if (!this.#list.children[i]) {
        this.#list.append(element('li', '', '', element('span', 'label'), element('span', 'value'),
          element('div', 'meter', '', element('div'))));
      }
      const [label, value, bar] = this.#list.children[i].children;
      setText(label, meter.label);
      setText(value, meter.value);
      bar.firstChild.style.width = `${100 * Math.min(1, meter.share)}%`;
      bar.firstChild.className = meter.warns && meter.share > 0.95 ? 'full' : '';
    });
  }
}

/** All kinds of operations, with their rates and latencies. */
class Operations {
  #body = element('tbody');
  #empty = element('p', 'empty');

  constructor(parent) {
    const head = element('tr');
    for (const name of ['', 'A second', 'Median', '99 %', 'Longest']) {
      const cell = element('th', '', name);
      cell.scope = 'col';
      head.append(cell);
    }
    parent.append(element('article', 'card twice', '',
      element('div', 'card-head', '', element('h2', '', 'Operations')),
      element('div', 'scroll', '', element('table', '', '', element('thead', '', '', head),
        this.#body)), this.#empty));
  }

  show(databases) {
    const several = databases.length > 1;
    setText(this.#empty, databases.some((database) => database.operations.length > 0)
      ? '' : 'No operation was counted.');
    const time = (value) => [value === undefined ? '–' : nanos(value)];
    fillRows(this.#body, databases.flatMap((database) => database.operations.map((operation) => [
      [several ? `${database.name}: ${operation.label}` : operation.label],
      [large(operation.rate)], time(operation.p50), time(operation.p99), time(operation.max)])));
  }
}

/** A table with a column for each database; the first is what others are compared with. */
class Comparison {
  #root = document.getElementById('comparison');
  #head = this.#root.querySelector('thead tr');
  #body = this.#root.querySelector('tbody');

  show(databases) {
    this.#root.hidden = databases.length < 2;
    if (this.#root.hidden) {
      return;
    }
    const names = ['', ...databases.map((database) => database.name), 'in comparison'];
    this.#head.replaceChildren(...names.map((name, i) => {
      const cell = element('th', i > 0 && i <= databases.length ? `key-${COLOURS[(i - 1) % 4]}` : '',
        name);
      cell.scope = 'col';
      return cell;
    }));
    fillRows(this.#body, COMPARED.map(([name, value, format, sense]) => {
      const values = databases.map(value);
      const last = values.at(-1);
      const factor = values[0] > 0 ? last / values[0] : undefined;
      const better = sense !== 0 && factor !== undefined && (sense > 0 ? factor < 0.98 : factor > 1.02);
      return [[name], ...values.map((each) => [format(each)]),
        [factor === undefined ? '' : `× ${ratio(factor)}`, better ? 'better' : '']];
    }));
  }
}
