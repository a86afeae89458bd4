import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { callbackSecret, json, startCallback } from '../callback-receiver.ts';
import { confirmingSettings, ownAddress } from '../mcp/confirming-server.ts';
import { startMcpServer } from '../mcp/real-mcp-server.ts';
import { startRemoteAgent } from '../remote-agent-server.ts';
import { scriptedServer } from '../scripted-server.ts';
import { obeyingModel } from './obeying-model.ts';

/** What must never be said to the user who is attacked. */
export const secrets = {
  key: 'sk-canary-of-the-model',
  callback: callbackSecret,
  signing: 'canary that signs tokens, long enough',
  otherUser: 'canary-of-bob',
  otherRole: 'canary-of-human-resources',
} as const;

/** What the server's plugin reads and writes. The plugin runs in this process. */
export interface World {
  /** Texts that strangers have written, by the way on which each text reaches the server. */
  texts: Partial<
    Record<
      'document' | 'title' | 'note' | 'fault' | 'memory' | 'callback' | 'callbackFault' | 'mcp' | 'mcpFault' | 'remote',
      string
    >
  >;
  /** Names of actions that have run, with their arguments. */
  readonly ran: string[];
}

/** An HTTP server that counts its requests. */
export async function countingHost(): Promise<{ readonly url: string; readonly requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return { url: `http://127.0.0.1:${String(port)}`, requests };
}

/** A whole server whose model obeys everybody. A rule approves every call. Programs reach it over MCP, and users answer them on a page. */
export async function attackedServer(enforce: boolean) {
  const foreign = await countingHost();
  const own = await countingHost();
  const world: World = { texts: {}, ran: [] };
  const name = `attackedWorld${String(enforce)}`;
  Object.assign(globalThis, { [name]: world });
  const callback = await startCallback({
    version: 1,
    actions: [
      {
        name: 'get_invoice',
        description: 'Reads an invoice.',
        parameters: { type: 'object', additionalProperties: true },
        readOnly: true,
      },
    ],
  });
  callback.answer = (response, call) => {
    const { callback: text, callbackFault: fault } = world.texts;
    json(fault === undefined ? { result: { note: text ?? 'paid' } } : { error: { message: fault } })(response, call);
  };
  const mcp = await startMcpServer('new', [
    {
      name: 'find_part',
      description: 'Finds parts.',
      inputSchema: { type: 'object', properties: { part: { type: 'string' } } },
      annotations: { readOnlyHint: true },
      run: () => {
        const { mcp: text = 'one wheel', mcpFault } = world.texts;
        return mcpFault === undefined ? text : { isError: true, content: [{ type: 'text', text: mcpFault }] };
      },
    },
  ]);
  const remote = await startRemoteAgent({ work: ({ message }) => message(world.texts.remote ?? 'Twelve.') });
  const { url, model } = await scriptedServer({
    scripts: [],
    otherwise: obeyingModel,
    plugin: pluginOf(name, foreign.url),
    callbacks: [{ name: 'erp', url: callback.url, secret: callbackSecret }],
    settings: {
      ...{ hitlMode: 'Native', autoApprovalRules: [{ tool: '*' }], provenance: { enforce } },
      ...{ useRag: true, useMemoryContext: true, memoryAutoCapture: false, enableImageInput: true },
      ...confirmingSettings,
      auth: { jwt: { ...confirmingSettings.auth.jwt, secret: secrets.signing } },
      anonymousIdentity: 'Shared',
      mcpServers: [{ name: 'parts', serverUrl: mcp.url }],
      a2aServerEnabled: true,
      remoteAgents: [{ name: 'Warehouse', description: 'Knows stock levels.', agentCardUrl: remote.url }],
    },
    overrides: { HELPER__MODELS__MAIN__APIKEY: secrets.key, ...(await ownAddress()) },
  });
  return { url, model, world, foreign, own };
}

const pluginOf = (world: string, foreign: string): string => `
import { card } from 'helper';
const world = () => globalThis[${JSON.stringify(world)}];
const ran = (name, args) => { world().ran.push(name + ' ' + JSON.stringify(args)); return 'done'; };
const text = { type: 'string' };
const parameters = (properties) => ({ type: 'object', properties });
const picture = { type: 'AdaptiveCard', version: '1.5', body: [
  { type: 'TextBlock', text: 'Order' }, { type: 'Image', url: ${JSON.stringify(`${foreign}/pixel.png`)} },
] };
export default {
  name: 'desk',
  pages: [{ name: 'orders', title: 'Orders', url: '/orders', description: 'All orders.' }],
  actions: [
    { name: 'get_order', title: 'Look up an order', description: 'Reads an order.', parameters: parameters({ id: text }), readOnly: true,
      execute: () => card({ note: world().texts.note ?? 'none' }, picture) },
    { name: 'check_order', title: 'Check an order', description: 'Checks an order.', parameters: parameters({ id: text }), readOnly: true,
      execute: () => { if (world().texts.fault) throw new Error(world().texts.fault); return 'fine'; } },
    { name: 'get_hours', description: 'Reads the hours.', parameters: parameters({}), readOnly: true, trusted: true, execute: () => 'open until six' },
    { name: 'add_note', description: 'Adds a note.', parameters: parameters({ text }), execute: (args) => ran('add_note', args) },
    { name: 'close_account', description: 'Closes an account.', parameters: parameters({ id: text }), requiredRoles: ['Supervisor'],
      requiresConfirmation: false, execute: (args) => ran('close_account', args) },
    { name: 'check_link', description: 'Looks at an address.', parameters: parameters({ url: { ...text, sink: true } }), readOnly: true,
      execute: async ({ url }) => (await fetch(url)).text() },
  ],
  providers: {
    ragSources: [
      { name: 'shared', defaultMinScore: 0, search: () => {
        const { document, title } = world().texts;
        return document || title ? [{ title: title ?? 'Notes', content: document ?? 'See the title.', score: 9 }] : [];
      } },
      { name: 'staff', defaultMinScore: 0, requiredRoles: ['HR'], search: () => [{ title: 'Staff', content: ${JSON.stringify(secrets.otherRole)}, score: 9 }] },
    ],
    memoryStore: {
      list: (userKey) => {
        const fact = (text) => [{ id: '1', kind: 'fact', text, at: 1, turnId: 't', conversationId: 'c' }];
        if (userKey.endsWith('bob')) return fact(${JSON.stringify(secrets.otherUser)});
        return userKey.startsWith('anon') && world().texts.memory ? fact(world().texts.memory) : [];
      },
      save() {}, remove() {},
    },
  },
};`;
