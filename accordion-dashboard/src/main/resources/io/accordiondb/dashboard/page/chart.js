// Licensed under the Apache License, Version 2.0; see the LICENSE file.
// A line chart over time on a canvas.

import {element, setText} from './format.js';

const HEIGHT_REM = 8.5;

/** The colours of the theme in force, by the names of the style sheet. */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Fits a canvas to its place on the screen, and returns its context with its size. */
export function prepare(canvas) {
  const dpr = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * dpr) || canvas.height !== Math.round(height * dpr)) {
    canvas.width = Math.round(width * dpr);
    canvas.height = Math.round(height * dpr);
  }
  const context = canvas.getContext('2d');
  context.setTransform(dpr, 0, 0, dpr, 0, 0);
  context.clearRect(0, 0, width, height);
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  context.font = `${0.7 * rem}px system-ui, sans-serif`;
  return {context, width, height, rem};
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= value * 0.999999);
  return step * power;
}

export class Chart {
  #canvas = element('canvas');
  #legend = element('ul', 'keys');
  #title;
  #format;
  #logarithmic;

  /**
   * @param format makes text of a value
   * @param logarithmic whether each grid line stands for ten times the one below
   */
  constructor(parent, title, format, logarithmic = false) {
    this.#title = title;
    this.#format = format;
    this.#logarithmic = logarithmic;
    this.#canvas.setAttribute('role', 'img');
    this.#canvas.style.height = `${HEIGHT_REM}rem`;
    this.head = element('div', 'card-head', '', element('h2', '', title));
    this.root = element('article', 'card chart', '', this.head, this.#canvas, this.#legend);
    parent.append(this.root);
  }

  /**
   * Draws series [{label, colour, dash, points: [[millis, value or undefined]]}] from one moment to
   * another.
   */
  draw(series, from, to) {
    const shown = series.filter((line) => line.points.some(([, value]) => value !== undefined));
    const view = prepare(this.#canvas);
    const range = this.#range(shown, from);
    const marks = this.#marks(range);
    this.#drawGrid(view, range, marks);
    for (const line of shown) {
      this.#drawLine(view, range, line, from, to);
    }
    this.#drawMarks(view, range, marks);
    this.#showKeys(shown);
  }

  #range(series, from) {
    let max = 0;
    let min = Infinity;
    for (const line of series) {
      for (const [at, value] of line.points) {
        if (value !== undefined && at >= from) {
          max = Math.max(max, value);
          min = value > 0 ? Math.min(min, value) : min;
        }
      }
    }
    if (!this.#logarithmic) {
      return {low: 0, high: max > 0 ? roundUp(max * 1.05) : 1};
    }
    const low = 10 ** Math.floor(Math.log10(Number.isFinite(min) ? min : 1000));
    return {low, high: Math.max(low * 100, 10 ** Math.ceil(Math.log10(max > 0 ? max : 1)))};
  }

  #y(value, {low, high}, {height, rem}) {
    const share = this.#logarithmic
      ? Math.log(Math.max(value, low) / low) / Math.log(high / low)
      : value / high;
    return height - 4 - Math.min(1, share) * (height - 8 - 0.9 * rem);
  }

  /** The values at which there is a line of the grid. */
  #marks(range) {
    if (!this.#logarithmic) {
      return [0, range.high / 2, range.high];
    }
    const values = [];
    for (let value = range.low; value <= range.high * 1.001; value *= 10) {
      values.push(value);
    }
    return values;
  }

  #drawGrid(view, range, marks) {
    const {context, width} = view;
    context.strokeStyle = colour('line');
    context.lineWidth = 1;
    for (const value of marks) {
      const y = Math.round(this.#y(value, range, view)) + 0.5;
      context.beginPath();
      context.moveTo(0, y);
      context.lineTo(width, y);
      context.stroke();
    }
  }

  /** Writes the values, on a ground that keeps them apart from the lines. */
  #drawMarks(view, range, marks) {
    const {context, rem} = view;
    for (const value of marks.slice(1)) {
      const y = Math.round(this.#y(value, range, view));
      const text = this.#format(value);
      context.fillStyle = colour('card');
      context.globalAlpha = 0.8;
      context.fillRect(0, y - 0.85 * rem, context.measureText(text).width + 4, 0.8 * rem);
      context.globalAlpha = 1;
      context.fillStyle = colour('muted');
      context.fillText(text, 1, y - 3);
    }
  }

  #drawLine(view, range, line, from, to) {
    const {context, width} = view;
    context.beginPath();
    let down = false;
    for (const [at, value] of line.points) {
      if (value === undefined || at < from - 2000) {
        down = false;
        continue;
      }
      const x = ((at - from) / (to - from)) * width;
      const y = this.#y(value, range, view);
      if (down) {
        context.lineTo(x, y);
      } else {
        context.moveTo(x, y);
      }
      down = true;
    }
    context.strokeStyle = colour(line.colour);
    context.lineWidth = 1.8;
    context.lineJoin = 'round';
    context.setLineDash(line.dash ?? []);
    context.stroke();
    context.setLineDash([]);
  }

  #showKeys(series) {
    while (this.#legend.childElementCount > series.length) {
      this.#legend.lastChild.remove();
    }
    const words = series.map((line, i) => {
      if (!this.#legend.children[i]) {
        this.#legend.append(element('li', '', '', element('span'), element('b')));
      }
      const item = this.#legend.children[i];
      const last = line.points.at(-1)?.[1];
      item.className = `key-${line.colour}${line.dash ? ' dashed' : ''}`;
      setText(item.firstChild, line.label);
      setText(item.lastChild, last === undefined ? '–' : this.#format(last));
      return `${line.label} ${item.lastChild.textContent}`;
    });
    this.#canvas.setAttribute('aria-label', `${this.#title}: ${words.join(', ') || 'nothing yet'}`);
  }
}
