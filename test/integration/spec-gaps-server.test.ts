import { tokenxCounter } from '../../src/adapters/tokens/tokenx-counter.ts';
import { TokenEstimates } from '../../src/core/history/token-estimates.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import packageDescription from '../../package.json' with { type: 'json' };
import { openStores } from '../../src/adapters/stores/open-stores.ts';
import { composeTools } from '../../src/app/compose-tools.ts';
import { ServicesOfTurns } from '../../src/app/services-of-turns.ts';
import { openCallerRooms } from '../../src/app/caller-rooms.ts';
import { pluginProvider } from '../../src/app/providers/plugin-provider.ts';
import { openAssistant } from '../../src/app/open-assistant.ts';
import { systemClock } from '../../src/app/system-clock.ts';
import { buildServer } from '../../src/app.ts';
import { textsByLanguage } from '../../src/core/language/texts.ts';
import { call, fakeModel } from '../support/fake-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { testRecordSealer } from '../support/test-sealer.ts';
import { recordingLogger, recordingMetrics } from '../support/quiet.ts';
import { readTurn } from '../support/test-assistant.ts';
import { loadText, minimal, settingsWith } from '../unit/config/load-from-text.ts';

const anyPort = 'storage: { type: memory }\nserver: { port: 0 }\n';

/** The whole server, as `helper start` runs it, with a configuration of a few lines. */
async function served(lines: string): Promise<{ readonly url: string; readonly origin: string }> {
  const server = await buildServer(settingsWith(lines), { silent: true });
  onTestFinished(() => server.close());
  const { url } = await server.listen();
  return { url, origin: new URL(url).origin };
}

async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(url, init);
  await response.body?.cancel();
  return response.status;
}

describe('the whole server (contract/addresses.md#answers, contract/events.md and contract/widget.md#the-script)', () => {
  // proves service-4.2-01, wire-1-25
  it('serves everything under server.basePath but what operators ask for', async () => {
    const lines = 'storage: { type: memory }\ndemoPage: true\nserver: { port: 0, basePath: /desk }\n';
    const { url, origin } = await served(lines);
    expect(url).toBe(`${origin}/desk`);
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect(await statusOf(origin + path), path).toBe(200);
      expect(await statusOf(url + path), path).toBe(404);
    }
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const under: readonly (readonly [string, RequestInit, number])[] = [
      ['/helper/chat?message=hello', {}, 200],
      ['/helper/approve', json, 400],
      ['/helper/cancel', json, 400],
      ['/helper-hub/negotiate', { method: 'POST' }, 200],
      ['/helper/widget.js', {}, 200],
      ['/', {}, 200],
    ];
    for (const [path, init, status] of under) {
      expect(await statusOf(url + path, init), path).toBe(status);
      expect(await statusOf(origin + path, init), path).toBe(404);
    }
  });

  // proves wire-6-04
  it('serves the demo page at / when demoPage is on, and 404 else', async () => {
    const on = await fetch(`${(await served(`demoPage: true\n${anyPort}`)).url}/`);
    expect(on.status).toBe(200);
    expect(on.headers.get('content-type')).toContain('text/html');
    expect(await on.text()).toContain('helper/widget.js');
    const off = await fetch(`${(await served(anyPort)).url}/`);
    expect(off.status).toBe(404);
    expect(await off.json()).toMatchObject({ code: 'not_found' });
  });

  // proves wire-6-01, wire-6-02
  it('serves the widget script with the settings inside, for every page, under one ETag with and without ?v=', async () => {
    const { url } = await served(`botName: Deskhelper\n${anyPort}`);
    const script = await fetch(`${url}/helper/widget.js`);
    expect(await script.text()).toContain('"botName":"Deskhelper"');
    const etag = script.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[A-Za-z0-9_-]+"$/);
    const versioned = await fetch(`${url}/helper/widget.js?v=1.0.0`, { headers: { 'if-none-match': etag } });
    expect(versioned.status).toBe(304);
    for (const { headers } of [script, versioned]) {
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  // proves wire-6-03
  it('serves the chunks of the widget under names of their content, immutable', async () => {
    const { url } = await served(anyPort);
    const script = await (await fetch(`${url}/helper/widget.js`)).text();
    const [, chunk = ''] = /"panel":"(assets\/[^"]+)"/.exec(script) ?? [];
    expect(chunk).toMatch(/^assets\/panel[.-][A-Za-z0-9]{8,}\.js$/);
    const panel = await fetch(`${url}/helper/${chunk}`);
    expect(panel.status).toBe(200);
    expect(panel.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(panel.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    await panel.body?.cancel();
  });

  // proves configuration-7-02, wire-2-38
  it('tells a hub client the settings of the configuration', async () => {
    const { url } = await served(`language: Polish\nmaxMessageLength: 77\n${anyPort}`);
    const client = await RawHubClient.open(`${url}/helper-hub`);
    client.say({ protocol: 'json', version: 1 });
    const connected = await client.event('Connected');
    expect(Object.keys(connected).sort()).toEqual(['connectionId', 'conversationId', 'settings', 'user']);
    expect(connected).toMatchObject({
      user: { isAuthenticated: false, name: '' },
      settings: {
        language: 'Polish',
        maxMessageLength: 77,
        enableImageInput: false,
        hostedTools: [],
        demo: true,
        aiDisclosure: true,
        conversations: false,
        memory: false,
      },
    });
    expect(Object.keys(Object.fromEntries(Object.entries(connected['settings'] ?? {}))).sort()).toEqual([
      'aiDisclosure',
      'allowedFileTypes',
      'allowedImageTypes',
      'conversations',
      'demo',
      'enableFileInput',
      'enableImageInput',
      'hostedTools',
      'language',
      'maxFileBytes',
      'maxFilesPerMessage',
      'maxImageBytes',
      'maxImagesPerMessage',
      'maxMessageLength',
      'memory',
    ]);
    client.socket.terminate();
  });

  // proves wire-2-40
  it('tells a hub client what is kept of signed-in users', async () => {
    const { url } = await served(`chatHistoryProvider: storage\nuseMemoryContext: true\n${anyPort}`);
    const client = await RawHubClient.open(`${url}/helper-hub`);
    client.say({ protocol: 'json', version: 1 });
    expect(await client.event('Connected')).toMatchObject({ settings: { conversations: true, memory: true } });
    client.socket.terminate();
  });

  it('answers 404 to what is not served in this version', async () => {
    const { url } = await served(anyPort);
    for (const path of ['/mcp', '/a2a', '/agui', '/v1/models']) {
      const response = await fetch(url + path);
      expect(response.status, path).toBe(404);
      expect(response.headers.get('content-type'), path).toBe('application/problem+json');
      await response.body?.cancel();
    }
  });

  // proves service-9-01
  it('is of version 1, as the contract it serves', () => {
    expect(packageDescription.version).toMatch(/^1\.\d+\.\d+$/);
  });
});

describe('what a configuration becomes (contract/configuration.md#faults and contract/errors.md#faults-of-actions)', () => {
  // proves service-2.2-02
  it('refuses a configuration with a blank appName', () => {
    for (const name of ['""', '"  "', '']) {
      const { faults } = loadText(minimal.replace('appName: Desk', `appName: ${name}`));
      expect(
        faults.map(({ path }) => path),
        name,
      ).toEqual(['appName']);
    }
  });

  // proves service-2.2-04
  it('refuses a configuration without chatClient', () => {
    const { faults } = loadText(minimal.replace('chatClient: demo\n', ''));
    expect(faults.map(({ path }) => path)).toEqual(['chatClient']);
  });

  // proves service-2.8-06
  it('says in the configured language that an action failed, when onException has no words for it', async () => {
    const settings = settingsWith('language: Japanese\n');
    const tool = fakeTool({ readOnly: true, execute: () => Promise.reject(new Error('secret detail')) });
    const plugin = {
      name: 'desk',
      file: 'desk.js',
      tools: [tool],
      pages: [],
      models: new Map<string, object>(),
      hooks: { onException: () => null },
      start: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    };
    const providers = { plugins: [plugin], providers: [pluginProvider(plugin)], killSwitch: { stops: () => false } };
    const model = fakeModel({ toolCalls: [call('close_case')] }, { text: 'Sorry.' });
    const services = {
      log: recordingLogger(),
      metrics: recordingMetrics(),
      stores: await openStores({ type: 'memory' }),
      sealer: testRecordSealer(),
      markOf: (userKey: string) => userKey,
      clock: systemClock,
      times: systemClock,
      rooms: openCallerRooms(settings),
      estimates: new TokenEstimates(tokenxCounter),
    };
    const tools = composeTools(settings, providers, recordingLogger());
    const turnServices = new ServicesOfTurns(settings, services).by(settings, {
      tools,
      models: { chat: model, classifier: model, routing: model, chains: new Map() },
    });
    const assistant = await openAssistant(settings, turnServices, services);
    const reader = readTurn(assistant.openSession({ channel: 'hub' }).startNow({ text: 'x' }));
    expect((await reader.next('error-occurred')).fields).toMatchObject({
      code: 'action_failed',
      message: textsByLanguage.Japanese.actionFailed,
    });
    expect(model.requests[0]?.instructions).toContain('Japanese');
    await reader.ended;
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('secret detail');
    await assistant.close();
  });
});
