import { expect, it, describe } from 'vitest';
import { playCase } from '../support/stress/play-case.ts';
import type { StressCase } from '../support/stress/stress-case.ts';
import { foreignWebsites } from './cases/foreign-websites.ts';
import { nestedArguments } from './cases/patterns.ts';
import { pipelinedChats } from './cases/pipelining.ts';

/** No process of Node is smaller: a smaller figure was not measured. The kernel's two figures are each exact to some pages only. */
const leastMebibytes = 20;

describe('an attack on a real server process (contract/addresses.md#answers, contract/sse.md and contract/confirmations.md)', () => {
  it.each([foreignWebsites, nestedArguments, pipelinedChats])('$name: what must hold does', async (played) => {
    const { broken, beside, mebibytes } = await playCase(played);
    expect(broken).toEqual([]);
    expect(beside.count).toBeGreaterThan(0);
    expect(mebibytes.before).toBeGreaterThan(leastMebibytes);
    expect(mebibytes.peak).toBeGreaterThan(leastMebibytes);
  });
});

describe('a case of the stress suite', () => {
  it('finds a server that lets a rebound name in', async () => {
    const settings = { ...foreignWebsites.server?.settings, server: { hosts: ['evil.example'] } };
    const { broken } = await playCase({ ...foreignWebsites, server: { settings } });
    expect(broken).toContainEqual(expect.stringMatching(/^POST \/helper\/chat was answered 200 with .*evil\.example/));
    expect(broken).toContainEqual(expect.stringMatching(/^\d+ turns began$/));
  });

  it('finds a server that needs more memory than it may', async () => {
    const careless: StressCase = {
      name: 'careless',
      attack: 'none',
      promise: 'what holds in every case',
      mebibytes: -1000,
      play: async () => 'nothing',
    };
    const { broken } = await playCase(careless);
    expect(broken).toEqual([expect.stringMatching(/^memory grew from \d+ to \d+ MiB$/)]);
  });
});
