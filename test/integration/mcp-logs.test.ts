import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { scriptedServer } from '../support/scripted-server.ts';

const plugin = `
import { setTimeout as wait } from 'node:timers/promises';
const none = { type: 'object', properties: {} };
const reading = (name, execute) => ({ name, description: 'Does ' + name + '.', parameters: none, readOnly: true, execute });
export default {
  name: 'logging',
  actions: [
    reading('get_all', (_args, { log }) => {
      log.debug({}, 'opened the cellar');
      log.info({ bottles: 3 }, 'counted the bottles');
      log.warn({}, 'one is missing');
      log.error({ error: new Error('no light') }, 'could not look');
      return 'counted';
    }),
    reading('get_secrets', (_args, { log }) => {
      log.info({ headers: { authorization: 'Bearer secret', cookie: 'secret', accept: '*/*' } }, 'asked');
      log.error({ error: new Error('GET https://erp.example/?key=secret') }, 'refused');
      return 'asked';
    }),
    reading('get_many', (_args, { log }) => {
      for (let line = 0; line < 200; line += 1) log.info({ line }, 'short');
      return 'done';
    }),
    reading('get_long', (_args, { log }) => {
      for (const length of [40_000, 40_000, 10]) log.info({ text: 'x'.repeat(length) }, 'long');
      return 'done';
    }),
    reading('get_late', async (_args, { log }) => {
      log.info({}, 'in time');
      globalThis.mcpLogsLate = wait(50).then(() => log.info({}, 'too late'));
      return 'done';
    }),
  ],
};
`;

interface LoggedMessage {
  readonly level: string;
  readonly logger?: string | undefined;
  readonly data: unknown;
}

type Level = 'debug' | 'info' | 'error';
type Era = 'modern' | 'legacy' | 'v1';

/** A client of this era that asks for logs from this level on. */
async function connected(address: string, era: Era, level: Level | undefined) {
  const received: LoggedMessage[] = [];
  const info = { name: 'test', version: '1' };
  if (era === 'v1') {
    const old = new OldClient(info);
    old.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void received.push(params));
    await old.connect(new OldTransport(new URL(address)));
    onTestFinished(() => old.close());
    if (level !== undefined) await old.setLoggingLevel(level);
    return { received, call: (name: string) => old.callTool({ name }), capabilities: old.getServerCapabilities() };
  }
  const client = new Client(info, era === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {});
  client.setNotificationHandler('notifications/message', ({ params }) => void received.push(params));
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  onTestFinished(() => client.close());
  // oxlint-disable-next-line typescript/no-deprecated -- clients of the older revisions have nothing else
  if (era === 'legacy' && level !== undefined) await client.setLoggingLevel(level);
  const _meta = era === 'modern' && level !== undefined ? { 'io.modelcontextprotocol/logLevel': level } : {};
  return {
    received,
    call: (name: string) => client.callTool({ name, _meta }),
    capabilities: client.getServerCapabilities(),
  };
}

async function started(logs: string): Promise<string> {
  const settings = { mcpServerEnabled: true, endpoints: { mcp: { logs } } };
  return `${(await scriptedServer({ scripts: [], plugin, settings })).url}/mcp`;
}

const levelsOf = (received: readonly LoggedMessage[]): readonly string[] => received.map(({ level }) => level);

describe('logs of actions over MCP (contract/mcp-server.md#logs)', () => {
  // proves service-4.3-70, service-4.3-72
  it.each<[Era]>([['modern'], ['legacy'], ['v1']])(
    'sends an official client what the action of its call logs: %s',
    async (era) => {
      const address = await started('debug');
      const { received, call, capabilities } = await connected(address, era, 'debug');
      const other = await connected(address, era, 'debug');
      expect(capabilities).toHaveProperty('logging');
      expect((await call('get_all')).content).toEqual([{ type: 'text', text: 'counted' }]);
      await vi.waitFor(() => {
        expect(received).toMatchObject([
          { level: 'debug', logger: 'get_all', data: { message: 'opened the cellar' } },
          { level: 'info', logger: 'get_all', data: { bottles: 3, message: 'counted the bottles' } },
          { level: 'warning', logger: 'get_all', data: { message: 'one is missing' } },
          { level: 'error', logger: 'get_all', data: { error: { message: 'no light' }, message: 'could not look' } },
        ]);
      });
      expect(other.received).toEqual([]);
    },
  );

  // proves service-4.3-71
  it.each<[Era]>([['modern'], ['legacy'], ['v1']])(
    'sends nothing to a client that has not asked for logs: %s',
    async (era) => {
      const { received, call } = await connected(await started('debug'), era, undefined);
      expect((await call('get_all')).content).toEqual([{ type: 'text', text: 'counted' }]);
      expect(received).toEqual([]);
    },
  );

  // proves service-4.3-71
  it('sends nothing below the level of the setting, or below that of the client', async () => {
    const address = await started('warn');
    const curious = await connected(address, 'modern', 'debug');
    await curious.call('get_all');
    const calm = await connected(address, 'legacy', 'error');
    await calm.call('get_all');
    await vi.waitFor(() => {
      expect([levelsOf(curious.received), levelsOf(calm.received)]).toEqual([['warning', 'error'], ['error']]);
    });
  });

  // proves service-4.3-70
  it('leaves out what the log leaves out', async () => {
    const { received, call } = await connected(await started('info'), 'modern', 'info');
    await call('get_secrets');
    await vi.waitFor(() => {
      expect(received).toHaveLength(2);
    });
    expect(received[0]?.data).toEqual({
      headers: { authorization: '***', cookie: '***', accept: '*/*' },
      message: 'asked',
    });
    expect(JSON.stringify(received.map(({ data }) => data))).not.toContain('secret');
  });

  // proves service-4.3-73
  it('sends so many lines and characters of a call, and no more', async () => {
    const { received, call } = await connected(await started('info'), 'modern', 'info');
    await call('get_many');
    await vi.waitFor(() => {
      expect(received).toHaveLength(100);
    });
    received.length = 0;
    await call('get_long');
    await vi.waitFor(() => {
      expect(received.map(({ data }) => JSON.stringify(data).length > 1000)).toEqual([true, false]);
    });
  });

  // proves service-4.3-73
  it('sends nothing of what an action logs after its end', async () => {
    const { received, call } = await connected(await started('info'), 'modern', 'info');
    await call('get_late');
    await (Reflect.get(globalThis, 'mcpLogsLate') as Promise<void>); // the action has set it
    await call('get_all');
    await vi.waitFor(() => {
      expect(received).toMatchObject([
        { logger: 'get_late', data: { message: 'in time' } },
        { level: 'info', logger: 'get_all' },
        { level: 'warning', logger: 'get_all' },
        { level: 'error', logger: 'get_all' },
      ]);
    });
  });
});
