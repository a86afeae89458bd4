import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildIfStale } from '../../scripts/build.ts';
import type { FaultPlan } from '../support/faults/fault-plan.ts';
import { World } from '../support/faults/world.ts';
import { confirmingSettings, linkIn, PageOfQuestion, tokensOf } from '../support/mcp/confirming-server.ts';
import { called, type Revision, stateIn } from '../support/mcp/told-program.ts';
import { casesOf } from '../support/run/tier.ts';
import { isHere } from '../support/tools-here.ts';

const operations = [1, 2, 3, 4, 5] as const;
const kills = ['before it runs', 'after it ran', 'after its answer', ...operations] as const;
/** Where SIGKILL strikes a call whose write was approved. A number is an operation of its disk after the write has run. */
type Kill = (typeof kills)[number];

const revisions: readonly Revision[] = ['2025-06-18', '2026-07-28'];
const hasFailingDisk = isHere('compiler');
const cases = casesOf(
  'kills between a write and its answer over MCP',
  revisions.flatMap((revision) =>
    kills.filter((kill) => hasFailingDisk || typeof kill === 'string').map((kill) => [revision, kill] as const),
  ),
  ([, kill]) => kill === 'after it ran' || kill === 'after its answer',
);

const tokens = await tokensOf('ann');
/** The address is only written into links. The page is opened where the process listens. */
const settings = { ...confirmingSettings, server: { port: 0, publicUrl: 'https://shop.example.com' } };
const plan: FaultPlan = { hitlMode: 'Native', confirmationTimeout: '15m', catchesUp: false, lives: [] };

/** Arranges the kill, and calls. Whatever the call is answered with, the program does not get it. */
async function loses(world: World, kill: Kill, call: () => Promise<unknown>): Promise<void> {
  world.atTheGate = (point) => {
    if (point === 'has run' && typeof kill === 'number') world.disk?.killAt(kill, 'before');
    return kill === (point === 'has run' ? 'after it ran' : 'before it runs') ? world.kill() : undefined;
  };
  await call().catch(() => undefined);
  await world.kill();
  world.atTheGate = () => undefined;
  world.disk?.heal();
}

beforeAll(buildIfStale);

describe('SIGKILL between a write that runs and its answer to a program (contract/mcp-server.md#confirmations)', () => {
  // proves service-4.3-47, service-4.3-94
  it.each(cases)('is told to later calls, and nothing runs twice: %s, killed %s', async (revision, kill) => {
    const world = await World.open(plan, { isPreloading: hasFailingDisk, hasSmallDisk: false, settings });
    onTestFinished(() => world.close());
    const call = (state?: string) =>
      called(world.url, tokens.program, { name: 'change', arguments: { id: '1' }, revision, state });
    await world.start();
    const asked = await call();
    await new PageOfQuestion(world.url, linkIn(asked), { token: tokens.browser }).answer('approve');
    const state = stateIn(asked);
    await loses(world, kill, () => call(state));
    await world.start();
    const told = [await call(state), await call(state)];
    // The process that died may not have known itself that the write had ended.
    const ran = /the same call ran at|The user approved this action and it ran/;
    const truth = kill === 'after its answer' ? ran : /It is not known whether this action took effect|and it ran/;
    expect(told).toEqual([expect.stringMatching(truth), expect.stringMatching(truth)]);
    expect(told.map(linkIn)).toEqual(['', '']);
    world.readLedger();
    expect(world.told.ledger.map(({ what }) => what)).toEqual(kill === 'before it runs' ? [] : ['began', 'ended']);
  });
});
