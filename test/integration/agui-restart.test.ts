import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AgUiAgent, customIn, typesIn } from '../support/agui-agent.ts';
import { calling, hangingAfter, saying } from '../support/scripted-model.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

/** The action writes a line each time that it runs. */
const plugin = `
import { appendFileSync } from 'node:fs';
export default {
  name: 'bank',
  actions: [{
    name: 'pay', description: 'Pays an amount.',
    parameters: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
    execute: ({ amount }) => { appendFileSync(process.env.LEDGER, amount + '\\n'); return { amount }; },
  }],
};`;

async function bank(more: object, scripts = [calling({ name: 'pay', arguments: { amount: 5 } }), saying('Paid.')]) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-agui-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { configuration, model } = await scriptedConfiguration({
    scripts,
    plugin,
    settings: { auth: { jwt: { secret: tokenSecret } }, endpoints: { agui: { enabled: true } }, ...more },
  });
  const config = join(folder, 'helper.yaml');
  // JSON is YAML.
  writeFileSync(config, JSON.stringify(configuration));
  const ledger = join(folder, 'ledger');
  writeFileSync(ledger, '');
  const start = (): ServerProcess => startServerProcess({ folder, config, environment: { LEDGER: ledger } });
  const agent = new AgUiAgent('', { token: await makeToken({ sub: 'ann' }) });
  const reach = async (server: ServerProcess): Promise<void> => {
    agent.url = `${await server.url}/agui`;
  };
  return { start, reach, agent, model, paid: () => readFileSync(ledger, 'utf8') };
}

describe('a question over a restart (contract/ag-ui.md#restarts)', () => {
  // proves wire-6-80
  it.each(['SIGKILL', 'SIGTERM'] as const)('is answered in the next process, once: %s', async (signal) => {
    const { start, reach, agent, paid } = await bank({ hitlMode: 'Native' });
    const first = start();
    await reach(first);
    const asked = await agent.ask('Pay 5');
    expect(asked.interrupts).toHaveLength(1);
    await first.kill(signal);

    await reach(start());
    const ran = await agent.answer({ approved: true });
    expect(ran.error).toBeUndefined();
    expect(customIn(ran.events, 'ConfirmationResolved')).toMatchObject({ outcome: 'approved' });
    expect(typesIn(ran.events)).not.toContain('TOOL_CALL_START');
    expect(ran.text).toBe('Paid.');
    expect(paid()).toBe('5\n');
  });

  // proves wire-6-80
  it('that was put by a process which did not keep it is over, and the user goes on', async () => {
    const { start, reach, agent, paid } = await bank({ hitlMode: 'Blocking' });
    const first = start();
    await reach(first);
    await agent.ask('Pay 5');
    await first.kill('SIGKILL');

    await reach(start());
    expect((await agent.answer({ approved: true })).error).toBeDefined();
    agent.addMessage({ id: 'next', role: 'user', content: 'Are you there?' });
    const ran = await agent.answer('cancelled');
    expect(ran.error).toBeUndefined();
    expect(ran.text).toBe('Paid.');
    expect(paid()).toBe('');
  });
});

describe('a run that a restart ends (contract/ag-ui.md#restarts)', () => {
  // proves wire-6-80
  it('says so', async () => {
    const { start, reach, agent, model } = await bank({ server: { shutdownGrace: '1s' } }, [hangingAfter('One')]);
    const first = start();
    await reach(first);
    const running = agent.ask('Count');
    await model.request(0);
    await first.kill('SIGTERM');
    expect((await running).events.at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'server_draining',
      message: 'The server is being restarted. Please try again in a moment.',
    });
  });
});
