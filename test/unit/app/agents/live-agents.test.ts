import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveAgents } from '../../../../src/app/agents/live-agents.ts';
import { folderOf } from '../../../support/skill-folder.ts';
import { settingsWith } from '../../config/load-from-text.ts';

const billing = 'kind: Prompt\nname: Billing\ndescription: Invoices.\n';

/** Agents of one file that is watched, and how often a change was told. */
async function watched() {
  const { path: directory } = folderOf({ 'a.agent.yaml': billing });
  const settings = settingsWith('');
  const watching = { ...settings, declarative: { ...settings.declarative, directory, watch: true } };
  const agents = await LiveAgents.open(watching, {
    plugins: [],
    providers: [],
    toolbox: { tools: [] },
    killSwitch: { stops: () => false, thrown: { tools: [], writes: false } },
    skills: { names: () => Promise.resolve([]) },
  });
  const changed = vi.fn();
  agents.watch(() => watching, changed);
  return { file: join(directory, 'a.agent.yaml'), changed };
}

describe('files of agents that are watched (contract/agents.md#watching)', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  it('are read within 5 s after a change, once', async () => {
    const { file, changed } = await watched();
    vi.advanceTimersByTime(10_000);
    expect(changed).not.toHaveBeenCalled();
    writeFileSync(file, `${billing}instructions: Guess.\n`);
    vi.advanceTimersByTime(4_000);
    expect(changed).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(10_000);
    expect(changed).toHaveBeenCalledOnce();
  });

  it('are not read while they are still being written', async () => {
    const { file, changed } = await watched();
    writeFileSync(file, 'kind: Prompt\nname: Billing\ndescription: Invoices, and more.\n');
    for (const line of ['helper:', '  requiredRoles:', '    - board']) {
      vi.advanceTimersByTime(1_000);
      appendFileSync(file, `${line}\n`);
    }
    expect(changed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(4_000);
    expect(changed).toHaveBeenCalledOnce();
  });

  it('are read when the last of them is gone', async () => {
    const { file, changed } = await watched();
    rmSync(file);
    vi.advanceTimersByTime(4_000);
    expect(changed).toHaveBeenCalledOnce();
  });
});
