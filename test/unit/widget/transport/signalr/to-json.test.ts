import { afterEach, describe, expect, it } from 'vitest';
import { toJson } from '../../../../../src/widget/transport/signalr/to-json.ts';

const prototypes: readonly object[] = [Object.prototype, Array.prototype, String.prototype, Number.prototype];

/** What old versions of Prototype.js do: a value becomes the text of its own JSON. */
function patch(prototype: object): void {
  Object.defineProperty(prototype, 'toJSON', {
    value(this: unknown) {
      return String(this);
    },
    configurable: true,
  });
}

describe('JSON of the widget (contract/widget.md#the-page-around-it)', () => {
  afterEach(() => prototypes.forEach((prototype) => Reflect.deleteProperty(prototype, 'toJSON')));

  // proves wire-21-13
  it('is the same whatever the page has added to values of the language', () => {
    const value = { list: [1, 'two', { three: [null, true] }], text: 'a', empty: {}, missing: undefined };
    const plain = JSON.stringify(value);
    prototypes.forEach(patch);
    expect(JSON.stringify(value)).not.toBe(plain);
    expect(toJson(value)).toBe(plain);
    expect(toJson(['a'])).toBe('["a"]');
  });

  it('keeps the methods that belong to a value or to its class', () => {
    prototypes.forEach(patch);
    const date = new Date(0);
    expect(toJson({ date, own: { toJSON: () => 7 } })).toBe(`{"date":"1970-01-01T00:00:00.000Z","own":7}`);
  });

  it('is laid out when asked', () => {
    expect(toJson({ a: [1] }, 2)).toBe(JSON.stringify({ a: [1] }, null, 2));
  });
});
