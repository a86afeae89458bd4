import { describe, expect, it } from 'vitest';
import { certificate, encryptedKey, key, otherKey } from './certificates.ts';
import { faultsWith, loadText, minimal, settingsWith } from './load-from-text.ts';

const demo = 'demo: { provider: demo }';

function modelFaults(models: string, chatClient = 'demo'): readonly string[] {
  const text = `appName: Desk\nchatClient: ${chatClient}\nactions: none\nmodels: { ${models} }\n`;
  return loadText(text).faults.map(({ path, message }) => `${path}: ${message}`);
}

describe('what each provider needs (contract/models.md)', () => {
  // proves service-2.9-54
  it('history of a provider that keeps none is a fault', () => {
    const text = (api: string): string =>
      `appName: Desk\nchatClient: m\nactions: none\nuseServiceManagedHistory: true\nmodels: { m: { provider: openai, model: x, apiKey: k${api} } }\n`;
    expect(loadText(text('')).faults).toMatchObject([
      { path: 'useServiceManagedHistory', message: expect.stringContaining('m keeps no history') as string },
    ]);
    expect(loadText(text(', api: responses')).faults).toEqual([]);
  });

  it.each([
    'm: { provider: openai, model: gpt, apiKey: k, baseUrl: "http://localhost/v1", api: responses, temperature: 0.5 }',
    'm: { provider: openai, model: gpt, apiKey: none, options: { seed: 1 }, headers: { x-team: a }, concurrency: 2 }',
    'm: { provider: azure, endpoint: "https://a.example", deployment: d, apiVersion: "1", apiKey: k }',
    'm: { provider: "@langchain/anthropic", class: ChatAnthropic, options: { model: x } }',
    'm: { provider: langchain-thing, class: Chat }',
    'm: { plugin: mine, timeout: 5s, maxRetries: 0, fallbacks: [demo] }',
    'm: { provider: demo, concurrency: 1 }',
  ])('accepts %s', (model) => {
    expect(modelFaults(`${demo}, ${model}`)).toEqual([]);
  });

  it.each([
    ['m: {}', ['models.m.provider: missing; allowed: openai, azure']],
    [
      'm: { provider: openai, plugin: p, model: x, apiKey: k }',
      ['models.m.plugin: a model has a provider or a plugin'],
    ],
    ['m: { provider: openai }', ['models.m.model: missing; the provider openai needs it', 'models.m.apiKey: missing;']],
    [
      'm: { provider: openai, model: x, apiKey: k, deployment: d }',
      ['models.m.deployment: has no effect with the provider openai'],
    ],
    [
      'm: { provider: azure }',
      [
        'models.m.endpoint: missing',
        'models.m.deployment: missing',
        'models.m.apiVersion: missing',
        'models.m.apiKey: missing',
      ],
    ],
    // proves configuration-3-69
    [
      'm: { provider: openai, model: x, apiKey: k, maxOutputTokens: 2000, contextWindow: 2000 }',
      ['models.m.maxOutputTokens: must be less than contextWindow, which is 2000 tokens'],
    ],
    ['m: { provider: demo, showThinking: summary }', ['models.m.showThinking: has no effect with the provider demo']],
    ['m: { provider: demo, showThinking: false }', []],
    ['m: { provider: demo, model: x }', ['models.m.model: has no effect with the provider demo; remove it']],
    ['m: { provider: demo, headers: { a: b } }', ['models.m.headers: has no effect']],
    ['m: { provider: "@langchain/x" }', ['models.m.class: missing; @langchain/x is taken for a LangChain package']],
    [
      'm: { provider: "@langchain/x", class: C, api: responses }',
      ['models.m.api: has no effect with a LangChain package'],
    ],
    ['m: { plugin: p, temperature: 1 }', ["models.m.temperature: has no effect with a plugin's model"]],
    ['m: { provider: "no such thing" }', ['models.m.provider: not a provider; allowed: openai']],
    ['m: { provider: "../evil", class: C }', ['models.m.provider: not a provider']],
    ['m: { provider: "file:///etc/x.js", class: C }', ['models.m.provider: not a provider']],
  ])('refuses %s', (model, expected) => {
    const faults = modelFaults(`${demo}, ${model}`);
    expect(faults).toHaveLength(expected.length);
    expected.forEach((text, index) => {
      expect(faults[index]).toContain(text);
    });
  });

  it('takes a mistyped provider for what it is', () => {
    const { faults } = loadText(minimal.replace('provider: demo', 'provider: opnai'));
    expect(faults).toEqual([expect.objectContaining({ path: 'models.demo.class', suggestion: 'provider: openai' })]);
  });
});

describe('hosted tools (contract/hosted-tools.md)', () => {
  // proves service-2.17-05, service-2.17-51
  it.each([
    ['a search in no files', 'hostedTools: [FileSearch]', 'hostedToolOptions.FileSearch.vectorStoreIds'],
    [
      'a search in an empty list of files',
      'hostedTools: [FileSearch]\nhostedToolOptions: { FileSearch: { vectorStoreIds: [] } }',
      'hostedToolOptions.FileSearch.vectorStoreIds',
    ],
    [
      'servers of one name',
      'hostedMcpServers: [{ name: erp, url: "https://a.example" }, { name: ERP, url: "https://b.example" }]',
      'hostedMcpServers[1].name',
    ],
    ['a domain with a path', 'hostedToolDomainScope: [a.example/b]', 'hostedToolDomainScope[0]'],
    ['a server without an address', 'hostedMcpServers: [{ name: erp, url: erp }]', 'hostedMcpServers[0].url'],
  ])('refuses hosted tools that cannot work: %s', (_what, text, path) => {
    expect(faultsWith(text)).toMatchObject([{ path }]);
  });

  // proves service-2.17-10
  it('names the hosted tools there are where another is set', () => {
    const text = 'hostedTools: [ImageGeneration]\nhostedToolOptions: { ImageGeneration: { size: auto } }';
    expect(faultsWith(text).map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'hostedTools[0]: found "ImageGeneration"; allowed: one of WebSearch, FileSearch, CodeInterpreter',
      'hostedToolOptions.ImageGeneration: unknown key; allowed here: WebSearch, FileSearch, CodeInterpreter',
    ]);
  });

  // proves service-2.17-50
  it('never shows the headers of a hosted MCP server', () => {
    const faults = faultsWith('hostedMcpServers: [{ name: erp, url: "https://a.example", headers: { key: 4711 } }]');
    expect(faults).toMatchObject([{ path: 'hostedMcpServers[0].headers.key' }]);
    expect(JSON.stringify(faults)).not.toContain('4711');
  });
});

describe('names of models (contract/configuration.md#faults and contract/models.md)', () => {
  // proves service-2.3-14
  it('must exist: chatClient', () => {
    const { faults } = loadText(minimal.replace('chatClient: demo', 'chatClient: dmo'));
    expect(faults).toEqual([
      expect.objectContaining({
        path: 'chatClient',
        line: 2,
        suggestion: 'demo',
        message: '"dmo" names no entry of models; models has demo',
      }),
    ]);
  });

  // proves service-2.14-01
  it('must exist: classifierChatClient', () => {
    expect(faultsWith('classifierChatClient: small')).toMatchObject([
      { path: 'classifierChatClient', message: '"small" names no entry of models; models has demo' },
    ]);
    expect(settingsWith('classifierChatClient: demo').classifierChatClient).toBe('demo');
  });

  it('must exist: fallbacks', () => {
    expect(modelFaults('demo: { provider: demo, fallbacks: [nope] }')).toEqual([
      'models.demo.fallbacks[0]: "nope" names no entry of models; models has demo',
    ]);
  });

  it('are no members of Object', () => {
    expect(modelFaults(demo, 'constructor')).toEqual([
      'chatClient: "constructor" names no entry of models; models has demo',
    ]);
    expect(modelFaults('demo: { provider: demo, fallbacks: [toString] }')).toHaveLength(1);
  });

  it.each([
    ['demo: { provider: demo, fallbacks: [demo] }', ['models.demo.fallbacks: leads back to demo itself']],
    [
      'demo: { provider: demo, fallbacks: [b] }, b: { provider: demo, fallbacks: [c] }, c: { provider: demo, fallbacks: [b] }',
      ['models.b.fallbacks: leads back to b itself', 'models.c.fallbacks: leads back to c itself'],
    ],
    ['demo: { provider: demo, fallbacks: [b, c] }, b: { provider: demo, fallbacks: [c] }, c: { provider: demo }', []],
  ])('make no circle: %s', (models, expected) => {
    expect(modelFaults(models)).toEqual(expected);
  });
});

describe('sources of actions (contract/configuration.md#faults)', () => {
  // proves service-2.2-03
  it('an empty list is a fault that says how to mean it', () => {
    const [fault] = loadText(minimal.replace('none', '{ plugins: [] }')).faults;
    expect(fault).toMatchObject({ path: 'actions', line: 4 });
    expect(fault?.message).toContain('no source of actions');
  });

  it.each([
    // proves service-2.3-15
    ['[nowhere]', /there is no directory/],
    ['[helper.yaml]', /is not a directory/],
  ])('a directory that is named must exist: %s', (plugins, message) => {
    const [fault] = loadText(minimal.replace('none', `{ plugins: ${plugins} }`)).faults;
    expect(fault?.path).toBe('actions.plugins[0]');
    expect(fault?.message).toMatch(message);
  });
});

describe('callbacks (contract/plugins.md#callbacks)', () => {
  const secret = `whsec_${'A'.repeat(32)}`;
  const callbackFaults = (...entries: readonly string[]): readonly string[] =>
    loadText(minimal.replace('none', `{ callbacks: [${entries.join(', ')}] }`)).faults.map(({ path }) => path);
  const entry = (fields: string): string => `{ name: erp, secret: ${secret}, ${fields} }`;

  it.each<[string, readonly string[]]>([
    ['url: "https://erp.internal/helper"', []],
    ['url: "http://erp.internal/helper?tenant=1", timeout: 5s, refresh: 1m', []],
    ['url: "https://erp.internal/helper", forwardAuthorization: true', []],
    ['url: "http://localhost:5000/helper", forwardAuthorization: true', []],
    ['url: "http://[::1]:5000/helper", forwardAuthorization: true', []],
    ['url: "http://erp.internal/helper", forwardAuthorization: true', ['actions.callbacks[0].url']],
    ['url: "http://localhost.evil.example/", forwardAuthorization: true', ['actions.callbacks[0].url']],
    ['url: "https://ann:password@erp.internal/"', ['actions.callbacks[0].url']],
    ['url: "ftp://erp.internal/"', ['actions.callbacks[0].url']],
    ['url: "https://erp.internal/", timeout: 0', ['actions.callbacks[0].timeout']],
    ['url: "https://erp.internal/", retries: 5', ['actions.callbacks[0].retries']],
  ])('%s', (fields, expected) => {
    expect(callbackFaults(entry(fields))).toEqual(expected);
  });

  it('have names of their own', () => {
    const url = 'url: "https://erp.internal/"';
    expect(callbackFaults(entry(url), entry(url))).toEqual(['actions.callbacks[1].name']);
  });

  it('need a secret of at least 24 bytes, and a wrong one is never shown', () => {
    const text = '{ callbacks: [{ name: erp, url: "https://erp.internal/", secret: geheim }] }';
    const { faults } = loadText(minimal.replace('none', text));
    expect(faults).toMatchObject([{ path: 'actions.callbacks[0].secret' }]);
    expect(JSON.stringify(faults)).not.toContain('geheim');
  });
});

describe('certificates (contract/configuration.md, `server.tls`)', () => {
  const lines = 'server: { tls: { certFile: cert.pem, keyFile: key.pem } }\n';

  it.each<[string, string, string, readonly (readonly [string, string])[]]>([
    ['a pair that fits', certificate, key, []],
    ['a file that is no certificate', 'hello', key, [['certFile', 'holds no PEM certificate']]],
    ['a file that is no key', certificate, 'hello', [['keyFile', 'holds no PEM private key without a passphrase']]],
    [
      'a key with a passphrase',
      certificate,
      encryptedKey,
      [['keyFile', 'holds no PEM private key without a passphrase']],
    ],
    ['a key of another certificate', certificate, otherKey, [['keyFile', 'is not the key of server.tls.certFile']]],
    [
      'two mistakes',
      'a',
      'b',
      [
        ['certFile', 'holds no PEM certificate'],
        ['keyFile', 'holds no PEM private key'],
      ],
    ],
  ])('are looked into before anything listens: %s', (_title, cert, secret, expected) => {
    const faults = faultsWith(lines, { files: { 'cert.pem': cert, 'key.pem': secret } });
    expect(faults.map(({ path, line }) => [path, line])).toEqual(expected.map(([name]) => [`server.tls.${name}`, 5]));
    for (const [index, [, message]] of expected.entries()) expect(faults[index]?.message).toContain(message);
  });
});

describe('rules between settings (contract/configuration.md#faults)', () => {
  const page = (name: string): string => `{ name: ${name}, title: T, url: /x, description: d }`;

  it.each([
    ['pages of one name', `pages: [${page('a')}, ${page('b')}, ${page('a')}]\n`, ['pages[2].name']],
    ['an entry of onToolResult that does nothing', 'onToolResult: [{ tool: "*" }]\n', ['onToolResult[0]']],
    [
      'an entry of onToolResult that does both',
      'onToolResult: [{ tool: "*", remove: [/a], replace: [] }]\n',
      ['onToolResult[0]'],
    ],
    ['hub and SSE on one path', 'server: { hubPath: /x, ssePath: /x }\n', ['server.ssePath']],
    ['a channel on a fixed path', 'server: { ssePath: /helper/approve }\n', ['server.ssePath']],
    ['a channel on the path of the tour', 'server: { ssePath: /helper/tour }\n', ['server.ssePath']],
    ['a channel on the paths of the hub', 'server: { ssePath: /helper-hub/negotiate }\n', ['server.ssePath']],
    ['a channel on a path of the demo page', 'demoPage: true\nserver: { ssePath: /helper/demo }\n', ['server.ssePath']],
    ['metrics on a fixed path', 'endpoints: { metrics: { path: /healthz } }\n', ['endpoints.metrics.path']],
    ['metrics on the path of a channel', 'endpoints: { metrics: { path: /helper-hub } }\n', ['endpoints.metrics.path']],
    [
      'metrics on an address without a port',
      'endpoints: { metrics: { host: 127.0.0.1 } }\n',
      ['endpoints.metrics.host'],
    ],
    ['metrics on the port of the server', 'endpoints: { metrics: { port: 8080 } }\n', ['endpoints.metrics.port']],
    [
      'certificates that do not exist',
      'server: { tls: { certFile: a.pem, keyFile: b.pem } }\n',
      ['server.tls.certFile', 'server.tls.keyFile'],
    ],
    [
      'a journal that forgets what a saved conversation knows',
      'dataProtection: { maxAge: 181d }\n',
      ['retention.journal'],
    ],
    ['all origins with credentials', 'cors: { default: { origins: ["*"] } }\n', ['cors.default.origins[0]']],
  ])('refuse %s', (_title, lines, paths) => {
    expect(faultsWith(lines).map(({ path }) => path)).toEqual(paths);
  });

  it.each([
    'server: { hubPath: /x, ssePath: /x, channels: [sse] }\n',
    'server: { basePath: /x }\nendpoints: { metrics: { path: /helper-hub } }\n',
    'endpoints: { metrics: { port: 9464, host: 0.0.0.0 } }\n',
    'endpoints: { metrics: { port: 8080, host: 127.0.0.2 } }\n',
    'server: { port: 0 }\nendpoints: { metrics: { port: 0 } }\n',
    'cors: { default: { origins: ["*"], credentials: false } }\n',
    'server: { channels: [] }\n',
    'dataProtection: { maxAge: 30d }\nretention: { journal: 30d }\n',
  ])('allow %s', (lines) => {
    expect(faultsWith(lines)).toEqual([]);
  });

  it('leave each entry of onToolResult with one of its two forms', () => {
    const settings = settingsWith(
      'onToolResult: [{ tool: a, remove: [/x] }, { tool: b, replace: [{ pattern: x, with: y }] }]\n',
    );
    expect(settings.onToolResult).toEqual([
      { tool: 'a', remove: ['/x'] },
      { tool: 'b', replace: [{ pattern: 'x', with: 'y' }] },
    ]);
  });
});

describe('client (contract/widget.md#looks)', () => {
  it.each([
    'client: { hubUrl: /helper-hub }\n',
    'client: { hubUrl: "https://chat.example.com:8443/eu/helper-hub" }\n',
    'client: { hubUrl: /live }\nserver: { hubPath: /live }\n',
    'client: { theme: null, position: null, language: null, botName: null }\n',
  ])('may say %s', (lines) => {
    expect(faultsWith(lines)).toEqual([]);
  });

  // proves service-2.20-07
  it.each([
    ['{ hubUrl: /other }', 'client.hubUrl: must end with /helper-hub, the path of server.hubPath'],
    [
      '{ hubUrl: "//chat.example.com/helper-hub" }',
      'client.hubUrl: found "//chat.example.com/helper-hub"; allowed: an address',
    ],
    ['{ hubUrl: "https://u:p@chat.example.com/helper-hub" }', 'client.hubUrl: found '],
    ['{ hubUrl: "javascript:/helper-hub" }', 'client.hubUrl: found '],
    ['{ theme: Drak }', 'client.theme: found "Drak"; allowed: one of Default, Dark, Minimal, Custom, Auto, or null'],
    ['{ botName: "" }', 'client.botName: found ""; allowed: a text of 1 to 100 characters, or null'],
    [
      '{ remoteAgentDisplays: [{ name: W, agentCardUrl: "https://[" }] }',
      'client.remoteAgentDisplays[0].agentCardUrl: is no address; check its host and its port',
    ],
    ['{ showRagSource: true }', 'client.showRagSource: unknown key'],
  ])('may not say %s', (client, expected) => {
    const found = faultsWith(`client: ${client}\n`).map(({ path, message }) => `${path}: ${message}`);
    expect(found).toEqual([expect.stringContaining(expected)]);
  });

  it('takes the names of enums in any case, and suggests the nearest', () => {
    expect(settingsWith('client: { theme: dark, position: sideleft }\n').client).toMatchObject({
      theme: 'Dark',
      position: 'SideLeft',
    });
    expect(faultsWith('client: { theme: Drak }\n')[0]?.suggestion).toBe('Dark');
  });
});

describe('telemetry (contract/operations.md#traces)', () => {
  // proves service-18-14
  it('without a receiver is a fault at the line that turns it on', () => {
    expect(faultsWith('botName: A\nenableObservability: true\n')).toMatchObject([
      { path: 'enableObservability', line: 6, column: 1 },
    ]);
  });

  it.each([
    'enableObservability: true\ntelemetry: { otlpEndpoint: "http://localhost:4318" }\n',
    'enableObservability: true\ntelemetry: { otlpEndpoint: "https://otel.example.com/otlp/", headers: { x-api-key: "a b" } }\n',
  ])('is taken with %s', (lines) => {
    expect(faultsWith(lines)).toEqual([]);
  });

  it.each([
    ['enableObservability: true\n', 'enableObservability: needs telemetry.otlpEndpoint'],
    ['telemetry: { otlpEndpoint: "otel:4318" }\n', 'telemetry.otlpEndpoint: found "otel:4318"; allowed: an http'],
    ['telemetry: { otlpEndpoint: "http://u:p@otel:4318" }\n', 'telemetry.otlpEndpoint: found '],
    ['telemetry: { otlpEndpoint: "http://otel:4318?key=1" }\n', 'telemetry.otlpEndpoint: found '],
    ['telemetry: { headers: { "x y": a } }\n', 'telemetry.headers'],
    ['telemetry: { headers: { x: "a\\r\\nb" } }\n', 'telemetry.headers.x: '],
    ['observabilitySourceName: ""\n', 'observabilitySourceName: found ""'],
  ])('is a fault with %s', (lines, expected) => {
    const found = faultsWith(lines).map(({ path, message }) => `${path}: ${message}`);
    expect(found).toEqual([expect.stringContaining(expected)]);
    expect(found.join()).not.toContain('u:p');
  });
});

describe('the largest file of a message (contract/files.md)', () => {
  // proves configuration-8-20
  it('is a size of at most 20MiB', () => {
    expect(settingsWith('maxFileBytes: 20MiB\n').maxFileBytes).toBe(20_971_520);
    expect(settingsWith('maxFileBytes: 1000\n').maxFileBytes).toBe(1_000);
    expect(faultsWith('maxFileBytes: 21MiB\n')).toMatchObject([
      { path: 'maxFileBytes', message: 'must be at most 20MiB' },
    ]);
    expect(faultsWith('maxFileBytes: 0\n')).toMatchObject([{ path: 'maxFileBytes' }]);
  });
});
