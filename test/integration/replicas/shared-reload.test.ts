import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InProcessExchange } from '../../../src/adapters/bus/in-process/in-process-exchange.ts';
import { openInProcessBus } from '../../../src/adapters/bus/open-bus.ts';
import { SharedReload } from '../../../src/app/replicas/shared-reload.ts';
import { loadSettings } from '../../../src/config/load-settings.ts';
import { busOptions } from '../../support/bus/opened-buses.ts';
import { recordingLogger } from '../../support/quiet.ts';
import { minimal } from '../../unit/config/load-from-text.ts';

/** A replica with a file of its own, as a pod has one, and what its reloads have taken. */
async function replica(exchange: InProcessExchange, now: () => number) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-reload-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'helper.yaml');
  const write = (text: string): void => writeFileSync(file, text);
  write(minimal);
  const load = () => loadSettings({ file, environment: {} }).settings;
  let settings = load();
  const reloads: (readonly string[])[] = [];
  const tries = { count: 0 };
  const hooks: { afterReading?: () => void } = {};
  const reloader = {
    get settings() {
      return settings;
    },
    reload: () =>
      Promise.resolve().then(() => {
        tries.count += 1;
        const changed = load();
        const taken = changed.configuration === settings.configuration ? [] : ['appDescription'];
        settings = changed;
        hooks.afterReading?.();
        reloads.push(taken);
        return { taken, left: [], configuration: settings.configuration };
      }),
  };
  const bus = await openInProcessBus(busOptions(), exchange);
  onTestFinished(() => bus.close());
  const shared = new SharedReload({ bus, reloader, clock: { now }, log: recordingLogger() });
  onTestFinished(() => shared.close());
  return { write, reloads, tries, hooks, shared };
}

async function replicas() {
  const exchange = new InProcessExchange();
  const clock = { now: 1_000 };
  const now = (): number => clock.now;
  return { clock, one: await replica(exchange, now), other: await replica(exchange, now) };
}

const changed = `${minimal}appDescription: A shop.\n`;
const faulty = `${minimal}appDescriptoin: A shop.\n`;

describe('a reload that one of several replicas was asked for (contract/replicas.md#news)', () => {
  it('is one of each replica, and each reads its own file', async () => {
    const { one, other } = await replicas();
    for (const { write } of [one, other]) write(changed);
    expect((await one.shared.reload()).taken).toEqual(['appDescription']);
    await vi.waitFor(() => expect(other.reloads).toEqual([['appDescription']]));
    expect(one.reloads).toHaveLength(1);
  });

  // proves configuration-5-76
  it('waits for the file of a replica that has not changed yet', async () => {
    const { one, other } = await replicas();
    one.write(changed);
    await one.shared.reload();
    await vi.waitFor(() => expect(other.reloads).toEqual([[]]));
    other.write(changed);
    await vi.waitFor(() => expect(other.reloads).toEqual([[], ['appDescription']]));
  });

  // proves configuration-5-76
  it('takes a file that has changed after it was read and before it is watched', async () => {
    const { one, other } = await replicas();
    other.hooks.afterReading = () => {
      delete other.hooks.afterReading;
      other.write(changed);
    };
    await one.shared.reload();
    await vi.waitFor(() => expect(other.reloads).toEqual([[], ['appDescription']]));
  });

  it('reaches others also when the clock of the replica that was asked is behind', async () => {
    const { clock, one, other } = await replicas();
    await one.shared.reload();
    await vi.waitFor(() => expect(other.reloads).toHaveLength(1));
    clock.now = 10;
    await other.shared.reload();
    await vi.waitFor(() => expect(one.reloads).toHaveLength(2));
    expect(other.reloads).toHaveLength(2);
  });

  // proves configuration-5-76
  it('is nobody’s when its file has faults, and faults of another replica stay there', async () => {
    const { one, other } = await replicas();
    one.write(faulty);
    await expect(one.shared.reload()).rejects.toThrow();
    one.write(changed);
    other.write(faulty);
    await one.shared.reload();
    await vi.waitFor(() => expect(other.tries.count).toBe(1));
    other.write(changed);
    // The replica with the faults serves on, and takes the next reload.
    await one.shared.reload();
    await vi.waitFor(() => expect(other.reloads).toEqual([['appDescription']]));
  });
});
