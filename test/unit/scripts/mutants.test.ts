import { describe, expect, it } from 'vitest';
import { drawMutants } from '../../../scripts/mutants/draw-mutants.ts';
import { findMutants, mutantKinds } from '../../../scripts/mutants/find-mutants.ts';
import { nearestFiles, readReach } from '../../../scripts/mutants/nearest-files.ts';
import { weaveMutants } from '../../../scripts/mutants/weave-mutants.ts';

const changes = (text: string): readonly string[] =>
  findMutants('a.ts', text).map(({ kind, from, to }) => `${kind}: ${from} -> ${to}`);

const numbered = (text: string): Parameters<typeof weaveMutants>[1] =>
  findMutants('a.ts', text).map((mutant, index) => ({ ...mutant, id: index + 1 }));

describe('changes that a test should notice', () => {
  it.each([
    ['a condition', 'if (a && b) c = 1;', 'negated condition: a && b -> !(a && b)'],
    ['the condition of a choice', 'const c = a ? 1 : 2;', 'negated condition: a -> !(a)'],
    ['a loop', 'while (a()) b += 1;', 'negated condition: a() -> !(a())'],
    ['a statement', 'send(1);', 'removed statement: send(1); -> '],
    ['an equality', 'const c = a === b;', 'swapped comparison: a === b -> a !== b'],
    ['an order', 'const c = a < b;', 'swapped comparison: a < b -> a <= b'],
    ['an order with its border', 'const c = a >= b;', 'swapped comparison: a >= b -> a > b'],
    ['an await', 'const c = await a(1);', 'dropped await: await a(1) -> a(1)'],
  ])('change %s', (_what, text, change) => {
    expect(changes(text)).toContain(change);
  });

  it('are none in types, comments, directives and lines of the log, and none without which no class is made', () => {
    const text = `
      'use strict';
      // if (a === b) send();
      type Chosen<T> = T extends string ? 1 : 2;
      class Loud extends Plain { constructor() { super(); } }
      this.#log.warn({ late: a === b }, await text());
    `;
    expect(changes(text)).toEqual([]);
  });

  it('tell an equality that is a condition once', () => {
    expect(changes('if (a === b) return;')).toEqual(['swapped comparison: a === b -> a !== b']);
  });

  it('know their line', () => {
    expect(findMutants('a.ts', '\n\nsend();').map(({ line }) => line)).toEqual([3]);
  });
});

describe('a draw of changes', () => {
  const all = findMutants(
    'a.ts',
    'if (a) { b(); } c = d === e; await f(); if (g) { h(); } i = j < k; await l();'.repeat(20),
  );

  it('is the same for the same seed', () => {
    expect(drawMutants(all, { seed: 7, count: 20 })).toEqual(drawMutants(all, { seed: 7, count: 20 }));
    expect(drawMutants(all, { seed: 7, count: 20 })).not.toEqual(drawMutants(all, { seed: 8, count: 20 }));
  });

  it('has as many of each kind, and none twice', () => {
    const drawn = drawMutants(all, { seed: 7, count: 40 });
    for (const kind of mutantKinds) expect(drawn.filter((mutant) => mutant.kind === kind)).toHaveLength(10);
    expect(new Set(drawn).size).toBe(40);
  });

  it('ends with the changes that there are', () => {
    expect(drawMutants(all, { seed: 7, count: 100_000 })).toHaveLength(all.length);
  });
});

const counting = `
  const log = [];
  for (let count = 0; count < 3; count += 1) {
    if (count === 1) log.push('one');
    else if (count > 1 && log.length > 0) log.push(await Promise.resolve('many'));
    else log.push('none');
  }
  return log.join();
`;

type Ask = (id: number) => boolean;

const asModule = (body: string): string => `export async function run(isOn) {${body}}`;

/** What the body of an async function returns with one of its mutants on. */
async function played(body: string, on: number): Promise<unknown> {
  const woven = weaveMutants(asModule(body), numbered(asModule(body)), 'isOn');
  const address = `data:text/javascript,${encodeURIComponent(woven)}`;
  const { run } = (await import(/* @vite-ignore */ address)) as { run: (isOn: Ask) => Promise<unknown> }; // of `asModule`
  return run((id) => id === on);
}

describe('a file with all of its changes in it', () => {
  it('does what it did while all are off', async () => {
    expect(await played(counting, 0)).toBe('none,one,many');
  });

  it('does what each change makes of it while that one is on', async () => {
    const results = await Promise.all(numbered(asModule(counting)).map(({ id }) => played(counting, id)));
    expect(results).toContain('none,one,many,many');
    expect(results).toContain('one,none,one');
    expect(results).toContain('none,one,[object Promise]');
    expect(results).toContain('none,many');
  });

  it('keeps an else with its if', async () => {
    const text = "const log = []; if (true) if (false) log.push('a'); else log.push('b'); return log.join();";
    const removed = findMutants('a.ts', asModule(text)).findIndex(({ from }) => from.includes("'a'"));
    expect(await played(text, removed + 1)).toBe('b');
  });

  it('is refused when it does not parse', () => {
    const [mutant] = numbered('if (a) b();');
    if (mutant === undefined) throw new Error('no mutant');
    expect(() => weaveMutants('if (a) b();', [{ ...mutant, to: 'a b' }], 'isOn')).toThrow();
  });
});

describe('the files that judge a change', () => {
  it('are those that reach it, the nearest first, and of two the quicker one', () => {
    const reach = readReach('1\twide\n2\twide\n1\tslow\n1\tquick\n2\tred\n3\t\n');
    const files = [
      { file: 'wide', passed: true, milliseconds: 1 },
      { file: 'slow', passed: true, milliseconds: 9 },
      { file: 'quick', passed: true, milliseconds: 2 },
    ];
    expect(nearestFiles(reach, files)).toEqual(
      new Map([
        [1, ['quick', 'slow', 'wide']],
        [2, ['wide']],
      ]),
    );
  });
});
