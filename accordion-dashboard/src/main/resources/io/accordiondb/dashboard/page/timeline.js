// Licensed under the Apache License, Version 2.0; see the LICENSE file.
// Ten minutes: memory in use, events below it, and a slider that goes back.

import {colour, prepare} from './chart.js';
import {clock, element, setText} from './format.js';

const MILLIS = 600_000;
const LISTED_MAX = 200;

/** Lanes from top to bottom: the kinds in each, its colour, and its name. */
const LANES = [
  [['seal', 'merge', 'memory-compaction', 'abort'], 'array', 'in memory'],
  [['flush'], 'snapshot', 'flush'],
  [['compaction'], 'chunk', 'compaction'],
  [['stall', 'failure'], 'stall', 'stall, failure'],
  [['pause'], 'pause', 'collector'],
];

/** Kinds of events that the list can leave out. At first it leaves out seals, the most frequent ones. */
const LISTED = [
  ['seal', 'seals', false],
  ['merge', 'merges', true],
  ['memory-compaction', 'in-memory compactions', true],
  ['flush', 'flushes', true],
  ['compaction', 'compactions', true],
  ['stall', 'stalls', true],
  ['pause', 'collector', false],
];

function laneOf(kind) {
  return LANES.findIndex(([kinds]) => kinds.includes(kind));
}

export class Timeline {
  #canvas = document.getElementById('timeline');
  #slider = document.getElementById('time');
  #list = document.getElementById('events');
  #shown = new Map(LISTED.map(([kind, , shown]) => [kind, shown]));
  #newest = '';
  #drawn = 0;

  /** @param onMoment is called with the milliseconds that the slider goes back; 0 for now */
  constructor(onMoment) {
    this.#slider.addEventListener('input', () => onMoment(-1000 * Number(this.#slider.value)));
    const kinds = document.getElementById('kinds');
    for (const [kind, name, shown] of LISTED) {
      const box = element('input');
      box.type = 'checkbox';
      box.checked = shown;
      box.addEventListener('change', () => {
        this.#shown.set(kind, box.checked);
        this.#newest = '';
      });
      const lane = LANES[laneOf(kind)];
      kinds.append(element('label', `key-${lane[1]}`, '', box, element('span', '', name)));
    }
  }

  /**
   * Shows the frames and events of some databases up to now, and marks the moment at which the page
   * stands.
   */
  show(frames, all, names, now, moment) {
    const events = all.filter(({database}) => database === '' || names.includes(database));
    const value = String(Math.round((moment - now) / 1000));
    if (this.#slider.value !== value) {
      this.#slider.value = value;
    }
    this.#slider.setAttribute('aria-valuetext',
      moment >= now ? 'now' : `${clock(moment)}, ${-value} seconds ago`);
    this.#listEvents(events, moment);
    // A picture of ten minutes moves by less than a pixel a tick.
    if (moment < now || Math.abs(Date.now() - this.#drawn) >= 500) {
      this.#drawn = Date.now();
      this.#draw(frames, events, names, now, moment);
    }
  }

  #draw(frames, events, names, now, moment) {
    const view = prepare(this.#canvas);
    const {context, width, height, rem} = view;
    const x = (at) => width * (1 + (at - now) / MILLIS);
    const laneHeight = rem * 0.85;
    const floor = height - laneHeight * LANES.length - 4;
    this.#drawMemory(view, frames, names, x, floor);
    LANES.forEach(([, laneColour, name], lane) => {
      const y = floor + 4 + lane * laneHeight;
      context.fillStyle = colour('line');
      context.fillRect(0, y + laneHeight - 1, width, 1);
      context.fillStyle = colour(laneColour);
      for (const event of events) {
        if (laneOf(event.kind) === lane && event.at > now - MILLIS) {
          context.fillRect(x(event.at) - 1, y + 1, 2, laneHeight - 3);
        }
      }
      context.fillStyle = colour('card');
      context.fillRect(0, y, context.measureText(name).width + 6, laneHeight - 1);
      context.fillStyle = colour('muted');
      context.fillText(name, 2, y + laneHeight - 3);
    });
    for (let minute = 1; minute < 10; minute++) {
      context.fillStyle = colour('line');
      const at = x(now - minute * 60_000);
      context.fillRect(at, 0, 1, floor);
      context.fillStyle = colour('muted');
      if (width > 500 || minute % 3 === 0) {
        const text = `−${minute} min`;
        context.fillStyle = colour('card');
        context.fillRect(at + 1, 0, context.measureText(text).width + 4, rem * 0.95);
        context.fillStyle = colour('muted');
        context.fillText(text, at + 3, rem * 0.7);
      }
    }
    if (moment < now) {
      context.fillStyle = colour('ink');
      context.fillRect(x(moment) - 1, 0, 2, height);
    }
  }

  #drawMemory(view, frames, names, x, floor) {
    const {context} = view;
    names.slice(0, 4).forEach((name, i) => {
      const points = [];
      for (const frame of frames) {
        const database = frame.databases.find((found) => found.name === name);
        if (database?.memory && database.memory.budget > 0) {
          const share = Math.min(1, database.memory.used / database.memory.budget);
          points.push([x(frame.at), floor - share * (floor - 4)]);
        }
      }
      if (points.length < 2) {
        return;
      }
      context.beginPath();
      points.forEach(([px, py], j) => (j ? context.lineTo(px, py) : context.moveTo(px, py)));
      context.strokeStyle = colour(['first', 'second', 'third', 'fourth'][i]);
      context.lineWidth = 1.5;
      context.stroke();
      if (names.length === 1) {
        context.lineTo(points.at(-1)[0], floor);
        context.lineTo(points[0][0], floor);
        context.globalAlpha = 0.15;
        context.fillStyle = context.strokeStyle;
        context.fill();
        context.globalAlpha = 1;
      }
    });
  }

  #listEvents(events, moment) {
    const listed = events.filter((event) => event.at <= moment && (this.#shown.get(event.kind) ?? true))
      .slice(-LISTED_MAX);
    const newest = `${listed[0]?.n}-${listed.at(-1)?.n}-${listed.length}`;
    if (newest === this.#newest) {
      return;
    }
    this.#newest = newest;
    this.#list.replaceChildren(...listed.reverse().map((event) => {
      const lane = LANES[laneOf(event.kind)];
      const time = element('time', '', clock(event.at));
      time.dateTime = new Date(event.at).toISOString();
      const item = element('li', lane ? `key-${lane[1]}` : '', '', time);
      if (event.database) {
        item.append(element('b', '', event.database));
      }
      item.append(element('span', '', event.text));
      return item;
    }));
    if (listed.length === 0) {
      this.#list.append(element('li', 'empty', 'nothing has happened yet'));
    }
  }
}

/** Says how long ago a moment is. */
export function momentInWords(moment, now) {
  const seconds = Math.round((now - moment) / 1000);
  return seconds <= 0 ? 'now'
    : `${clock(moment)}, ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} ago`;
}

/** Shows in words at which moment the page stands. */
export function showMoment(target, moment, now) {
  setText(target, momentInWords(moment, now));
}
