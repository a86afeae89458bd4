import { describe, expect, it } from 'vitest';
import { LiveMap } from '../../../../src/core/base/live-map.ts';

describe('LiveMap', () => {
  it('holds what was set and not deleted, whatever the key is called', () => {
    const map = new LiveMap<{ readonly n: number }>();
    for (const [n, key] of ['b', '__proto__', 'constructor', '7'].entries()) map.set(key, { n });
    map.set('b', { n: 9 });
    expect(map.size).toBe(4);
    expect(map.get('__proto__')).toEqual({ n: 1 });
    expect(map.get('toString')).toBeUndefined();
    expect(map.delete('constructor')).toBe(true);
    expect(map.delete('constructor')).toBe(false);
    expect(map.has('constructor')).toBe(false);
    expect(map.values().sort((a, b) => a.n - b.n)).toEqual([{ n: 1 }, { n: 3 }, { n: 9 }]);
    expect(map.size).toBe(3);
  });
});
