import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadSettings } from '../../../src/config/load-settings.ts';
import { languages, positions, themes } from '../../../src/wire/client-settings.ts';
import { faultsWith, loadText, minimal, settingsWith } from './load-from-text.ts';

describe('what a configuration becomes (contract/configuration.md)', () => {
  // proves service-2.3-03, service-2.3-09, service-2.4-01, service-2.9-01, service-2.9-30, service-8-02, service-8-10
  // proves service-8-17, service-8-18
  it('fills in every default of contract/assistant.md and contract/sessions.md#length', () => {
    expect(settingsWith('')).toMatchObject({
      appDescription: '',
      language: 'English',
      helperLevel: 'Standard',
      maxMessageLength: 4000,
      rateLimitPerUser: 0,
      rateLimitWindowSecs: 60,
      maxToolRounds: 12,
      maxSessionMessages: 50,
      enableCompaction: false,
      compactionTokenThreshold: 4000,
      compactionMaxTurns: 8,
      requireConfirmation: true,
      requireConfirmationForWrites: true,
      hitlMode: 'Blocking',
      confirmationTimeout: 900_000,
      botName: 'Helper AI',
      primaryColor: null,
      demoPage: false,
    });
  });

  // proves service-2.9-59, service-2.9-67, service-2.9-82
  it('fills in every default of contract/sessions.md#summaries, #history-of-the-provider and #kept-conversations', () => {
    expect(settingsWith('')).toMatchObject({
      compactionSummary: false,
      useServiceManagedHistory: false,
      chatHistoryProvider: null,
    });
  });

  // proves service-2.10-28, service-5-11
  it('fills in every default of contract/memory.md, and of whose a memory is without sign-in', () => {
    expect(settingsWith('')).toMatchObject({
      useMemoryContext: false,
      memoryContextCount: 10,
      memoryRelevanceFiltering: false,
      memoryAutoCapture: true,
      anonymousIdentity: 'PerSession',
    });
  });

  // proves service-2.7-41, service-11-50
  it('fills in every default of contract/tool-filter.md, and warms nothing up', () => {
    expect(settingsWith('')).not.toHaveProperty('enableToolFiltering');
    expect(settingsWith('')).toMatchObject({
      toolShare: 0.3,
      toolFilterMaxTools: 20,
      toolFilterMinScore: 0.25,
      warmUpAtStartup: false,
    });
  });

  // proves wire-11-10
  it('enforces provenance unless it is told not to (contract/provenance.md#enforcement)', () => {
    expect(settingsWith('').provenance).toEqual({ enforce: true });
  });

  // proves configuration-2-40, service-2.7-10
  it('fills in every default of contract/guardrails.md', () => {
    expect(settingsWith('')).toMatchObject({
      enableSafetyCheck: false,
      inputGuardrail: null,
      safetyCheckTimeout: 15_000,
      safetyCheckFailure: 'Allow',
      requireLookupForRecordQuestions: false,
      requireActionForChangeRequests: false,
    });
  });

  // proves service-2.14-10
  it('fills in every default of contract/models.md#routing', () => {
    const settings = settingsWith('');
    expect(settings).toMatchObject({
      routingStrategy: 'Custom',
      useStrongModel: null,
      routingComplexExemplars: null,
      routingThreshold: 0.35,
    });
    expect(settings).not.toHaveProperty('strongChatClient');
    expect(settings).not.toHaveProperty('routingClassifierClient');
  });

  // proves service-2.17-01
  it('fills in every default of contract/hosted-tools.md', () => {
    expect(settingsWith('')).toMatchObject({
      hostedTools: [],
      hostedToolOptions: {},
      hostedMcpServers: [],
      showHostedToolsStatus: false,
      enableHostedToolActivity: true,
      hostedToolDomainScope: [],
      hostedToolDomainCheck: true,
    });
    const { hostedMcpServers } = settingsWith('hostedMcpServers: [{ name: erp, url: "https://erp.example/mcp" }]');
    expect(hostedMcpServers).toEqual([
      {
        name: 'erp',
        url: 'https://erp.example/mcp',
        requireApproval: true,
        alwaysRequireApprovalTools: [],
        neverRequireApprovalTools: [],
        headers: {},
      },
    ]);
  });

  // proves service-2.11-02, service-2.11-41, service-2.11-63
  it('fills in every default of contract/knowledge.md', () => {
    const settings = settingsWith('');
    expect(settings).toMatchObject({
      useRag: false,
      ragSources: [],
      ragResultCount: 5,
      ragQueryRewrite: true,
      showRagSources: false,
    });
    // Each source has its own threshold.
    expect(settings.ragMinScore).toBeUndefined();
    expect(settings.ragSystemPromptTemplate).toBe('Use the following documents to answer:\n{documents}');
    const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3';
    const sources = `[{ type: files, name: a, path: . }, { type: http, name: b, url: "http://127.0.0.1/", secret: ${secret} }]`;
    const both = { timeout: 3_000, requiredRoles: [], tenants: [], trusted: false };
    expect(settingsWith(`ragSources: ${sources}\n`).ragSources).toMatchObject([{ ...both, refresh: 300_000 }, both]);
  });

  // proves service-2.11-44
  it('refuses a ragSystemPromptTemplate without its place for documents (contract/knowledge.md#prompt)', () => {
    expect(faultsWith('ragSystemPromptTemplate: Use the documents.\n')).toEqual([
      expect.objectContaining({
        path: 'ragSystemPromptTemplate',
        message: expect.stringContaining('a text with {documents} in it') as unknown,
      }),
    ]);
  });

  // proves service-2.12-21
  it('fills in every default of contract/skills.md', () => {
    const { settings, folder } = loadText(minimal);
    expect(settings).toMatchObject({
      enableSkills: false,
      skillsFolder: join(folder, 'Skills'),
      skillSources: [],
      skillFilter: [],
      skillsRefreshInterval: null,
    });
  });

  // proves configuration-7-14, configuration-7-40, service-2.10-24
  it('keeps what is stored for as long as contract/operations.md#retention and contract/memory.md#storage say', () => {
    expect(settingsWith('').retention).toEqual({
      memory: null,
      conversations: 90 * 86_400_000,
      journal: 180 * 86_400_000,
    });
  });

  // proves service-4.2-01
  it('fills in every default of the host sections (contract/configuration.md and contract/restarts.md)', () => {
    const { server, endpoints, cors, logging, storage, scaleOut, dataProtection } = settingsWith('');
    expect(server).toEqual({
      host: '127.0.0.1',
      port: 8080,
      basePath: '',
      publicUrl: '',
      hosts: [],
      watch: false,
      securityContact: '',
      trustProxy: false,
      hubPath: '/helper-hub',
      ssePath: '/helper/chat',
      channels: ['hub', 'sse'],
      maxConnections: 20_000,
      maxConnectionsPerUser: 20,
      maxConnectionsPerAddress: 500,
      maxTurnsPerUser: 20,
      maxTurnsPerAddress: 100,
      maxRequestsPerAddress: 500,
      maxBufferedBytes: 1_048_576,
      flushInterval: 0,
      requestTimeout: 30_000,
      disconnectGrace: 5000,
      durableTurns: false,
      webhooks: { hosts: [], secret: null },
      resumeWindow: 120_000,
      shutdownGrace: 25_000,
      tls: null,
    });
    expect(endpoints).toEqual({
      transports: { requireAuthorization: false, roles: [], rateLimit: null },
      mcp: null,
      a2a: null,
      agui: { enabled: false, requireAuthorization: true, roles: [] },
      openai: { enabled: false, requireAuthorization: true, roles: [] },
      embed: { frameAncestors: ["'self'"] },
      metrics: { path: '/metrics', token: null, host: null, port: null },
    });
    expect(cors.default).toMatchObject({ origins: [], credentials: true });
    expect(logging).toEqual({ level: 'info', format: 'auto' });
    expect(storage.type).toBe('embedded');
    expect([scaleOut.type, scaleOut.replicas]).toEqual(['none', 1]);
    expect(dataProtection).toEqual({ keys: [], keyFile: null, maxAge: 30 * 86_400_000 });
  });

  it('gives a model its own defaults (contract/models.md)', () => {
    expect(settingsWith('').models['demo']).toEqual({
      kind: 'chat',
      provider: 'demo',
      showThinking: false,
      contextWindow: 128_000,
      timeout: 60_000,
      totalTimeout: 600_000,
      maxLineBytes: 1024 * 1024,
      maxReplyBytes: 4 * 1024 * 1024,
      maxRetries: 2,
      headers: {},
      fallbacks: [],
    });
  });

  // proves configuration-1-01
  it('matches enum values without regard to case and gives them their own spelling (contract/configuration.md#reading)', () => {
    const settings = settingsWith(
      'language: ITALIAN\nposition: bottomleft\nserver: { channels: [SSE] }\nhitlMode: blocking\n',
    );
    expect(settings).toMatchObject({ language: 'Italian', position: 'BottomLeft', hitlMode: 'Blocking' });
    expect(settings.server.channels).toEqual(['sse']);
    expect(
      loadText(minimal.replace('provider: demo', 'provider: DEMO').replace('none', 'None')).settings,
    ).toMatchObject({
      actions: 'none',
      models: { demo: { provider: 'demo' } },
    });
  });

  // proves service-2.3-03
  it.each(languages)('takes the language %s', (language) => {
    expect(settingsWith(`language: ${language}\n`).language).toBe(language);
  });

  // proves service-2.4-01
  it.each([
    ...themes.map((theme) => ['theme', theme] as const),
    ...positions.map((position) => ['position', position] as const),
  ])('takes the widget option %s: %s (contract/widget.md#looks)', (key, value) => {
    expect(settingsWith(`${key}: ${value}\n`)).toMatchObject({ [key]: value });
  });

  // proves configuration-1-02
  it('reads durations and sizes in every form, 0 without a unit included (contract/configuration.md#reading)', () => {
    const { server, confirmationTimeout } = settingsWith(
      'confirmationTimeout: 0\nserver: { resumeWindow: "00:01:00", shutdownGrace: 1.5s, maxBufferedBytes: 2048 }\n',
    );
    expect([confirmationTimeout, server.resumeWindow, server.shutdownGrace, server.maxBufferedBytes]).toEqual([
      0, 60_000, 1500, 2048,
    ]);
  });

  // proves configuration-1-06
  it('resolves paths against the file (contract/configuration.md#reading)', () => {
    const { settings, folder } = loadText(
      minimal.replace('none', '{ plugins: [./plugs] }') + 'storage: { path: kept }\n',
      {
        files: { 'plugs/x.plugin.js': '' },
      },
    );
    expect(settings?.actions).toEqual({ plugins: [join(folder, 'plugs')], callbacks: [], openapi: [] });
    expect(settings?.storage.path).toBe(join(folder, 'kept'));
    expect(settings?.configFile).toBe(join(folder, 'helper.yaml'));
  });

  // proves configuration-1-06
  it('resolves storage.path and dataProtection.keyFile against the working directory where the environment sets them (contract/configuration.md#reading)', () => {
    const workingDirectory = mkdtempSync(join(tmpdir(), 'helper-config-'));
    onTestFinished(() => {
      rmSync(workingDirectory, { recursive: true, force: true });
    });
    const file = join(workingDirectory, 'conf', 'helper.yaml');
    mkdirSync(dirname(file));
    writeFileSync(file, `${minimal}storage: { path: kept }\ndataProtection: { keyFile: keys.json }\n`);
    const load = (environment: Readonly<Record<string, string>>) => {
      const { storage, dataProtection } = loadSettings({ file, environment, workingDirectory }).settings;
      return [storage.path, dataProtection.keyFile];
    };
    const ofTheFile = [join(workingDirectory, 'conf', 'kept'), join(workingDirectory, 'conf', 'keys.json')];
    expect(load({})).toEqual(ofTheFile);
    expect(load({ HELPER__STORAGE__TYPE: 'embedded' })).toEqual(ofTheFile);
    expect(load({ HELPER__STORAGE__PATH: 'kept', HELPER__DATAPROTECTION__KEYFILE: './keys.json' })).toEqual([
      join(workingDirectory, 'kept'),
      join(workingDirectory, 'keys.json'),
    ]);
    expect(load({ HELPER__STORAGE: '{ path: inline }' })[0]).toBe(join(workingDirectory, 'inline'));
    writeFileSync(file, minimal);
    // Two configurations that are started in one directory must not share their storage.
    expect(load({})).toEqual([join(workingDirectory, 'conf', 'data'), null]);
  });

  it('is frozen all the way down', () => {
    const settings = settingsWith('');
    expect(
      [settings, settings.server, settings.server.channels, settings.models['demo']].every((part) =>
        Object.isFrozen(part),
      ),
    ).toBe(true);
  });

  it('takes a section whose lines are all commented out as left out', () => {
    expect(settingsWith('server:\n#  port: 1\ncors:\npages:\n').server.port).toBe(8080);
  });

  it('keeps plugin options and model options as they are written', () => {
    const settings = settingsWith('pluginOptions: { desk: { Limit: 3, deep: { list: [1, a] } } }\n');
    expect(settings.pluginOptions).toEqual({ desk: { Limit: 3, deep: { list: [1, 'a'] } } });
  });

  it('writes the public address the way browsers send it as an origin', () => {
    const publicUrl = (text: string): string => settingsWith(`server: { publicUrl: "${text}" }\n`).server.publicUrl;
    expect(publicUrl('HTTPS://Chat.example.com:443/')).toBe('https://chat.example.com');
    expect(publicUrl('')).toBe('');
  });

  it('writes an origin the way browsers send it', () => {
    expect(
      settingsWith('cors: { default: { origins: ["HTTPS://Shop.Example.com:443/"] } }\n').cors.default.origins,
    ).toEqual(['https://shop.example.com']);
  });

  it('origins of pages inside apps are taken as they are written', () => {
    const origins = ['capacitor://localhost', 'ionic://localhost', 'app://desk'];
    const text = `cors: { default: { origins: ${JSON.stringify(origins)} } }\n`;
    expect(settingsWith(text).cors.default.origins).toEqual(origins);
    for (const refused of ['file://x', 'capacitor://localhost/a', 'capacitor://', 'null'])
      expect(() => settingsWith(`cors: { default: { origins: ["${refused}"] } }\n`)).toThrow();
  });

  it('origins that may frame the chat are as browsers write them, and by default the server’s own', () => {
    const text = `endpoints: { embed: { frameAncestors: ["'self'", "HTTPS://Shop.Example.com:443/"] } }\n`;
    expect(settingsWith(text).endpoints.embed.frameAncestors).toEqual(["'self'", 'https://shop.example.com']);
    expect(settingsWith('').endpoints.embed.frameAncestors).toEqual(["'self'"]);
  });
});

describe('faults of the file itself (contract/configuration.md#faults)', () => {
  it('says that a file is missing, and what to do', () => {
    expect(() => loadSettings({ file: '/nowhere/helper.yaml', environment: {} })).toThrow(/no such file.*helper init/);
  });

  it('says that a folder is no file', () => {
    expect(() => loadSettings({ file: '/', environment: {} })).toThrow(/not a file/);
  });

  it.each([
    ['a duplicate key', `${minimal}appName: Twice\n`, /given before/, 5, 1],
    ['a tab', `${minimal}server:\n\tport: 1\n`, /tab/, 6, 1],
    ['several documents', `${minimal}---\nappName: Two\n`, /second document/, 5, 1],
    ['an open bracket', `${minimal}pages: [\n`, /bracket|missing/, 6, 1],
    [
      'a merge key',
      `${minimal}pluginOptions:\n  a: &a { b: 1 }\n  c:\n    <<: *a\n`,
      /merge keys.*write the keys out/,
      8,
      5,
    ],
    ['a list at the top', '- a\n', /must hold keys/, 1, 1],
    ['a text at the top', 'hello\n', /must hold keys/, 1, 1],
    ['an unknown tag', `${minimal}botName: !!js/function x\n`, /not supported/, 5, 10],
    ['a key that is a list', `${minimal}? [a]\n: b\n`, /cannot be a key/, 5, 3],
    ['an alias without anchor', `${minimal}botName: *nobody\n`, /without an anchor/, 5, 10],
    ['an old YAML version', `%YAML 1.1\n---\n${minimal}`, /1\.2/, 1, 1],
    ['a prototype key', `${minimal}pluginOptions: { a: { __proto__: { b: 1 } } }\n`, /cannot be a key/, 5, 23],
  ])('reports %s with its place', (...[, text, message, line, column]) => {
    const [fault] = loadText(text).faults;
    expect(fault).toMatchObject({ file: 'helper.yaml', line, column });
    expect(fault?.message).toMatch(message);
  });

  it.each([
    ['server: { port: ${PORT}, host: localhost }\n', 17],
    ['server: { host: "${HOST}", port: ${PORT} }\n', 34],
    ["cors: { default: { origins: ['${A}', ${B:-http://x}] } }\n", 38],
  ])('tells a reference that needs quotes inside braces, once: %s', (line, column) => {
    const { faults } = loadText(`${minimal}${line}logging: { level: info }\n`);
    expect(faults).toMatchObject([{ line: 5, column, path: '(yaml)' }]);
    expect(faults[0]?.message).toBe('${…} stands in quotes inside braces and brackets: "${NAME}"');
  });

  it('reports aliases that stand for millions of values instead of writing them out', () => {
    const layers = Array.from(
      { length: 9 },
      (_, index) => `a${String(index + 1)}: &a${String(index + 1)} [${`*a${String(index)}, `.repeat(9)}]`,
    );
    const [fault] = loadText(
      `${minimal}pluginOptions:\n  x:\n    a0: &a0 [lol]\n${layers.map((line) => `    ${line}\n`).join('')}`,
    ).faults;
    expect(fault?.message).toMatch(/too many values/);
  });

  it('reports an alias to what it stands in', () => {
    expect(faultsWith('pluginOptions: &p { x: *p }\n')[0]?.message).toMatch(/nested too deeply/);
  });

  it('survives a file of brackets', () => {
    expect(faultsWith(`pages: ${'['.repeat(100_000)}`).length).toBeGreaterThan(0);
  });

  it('reports a file that is not UTF-8, or too large', () => {
    expect(loadText(new Uint8Array([0x61, 0xff, 0xfe])).faults[0]?.message).toMatch(/UTF-8/);
    expect(loadText(`#${'x'.repeat(1024 * 1024)}`).faults[0]?.message).toMatch(/larger/);
  });

  it('never quotes the line of a syntax error, which may hold a secret', () => {
    const { faults } = loadText(`${minimal}models2: { a: { apiKey: "sk-hidden\n`);
    expect(faults.length).toBeGreaterThan(0);
    expect(JSON.stringify(faults)).not.toContain('sk-hidden');
  });

  it('takes an empty file as one without keys, and names what is missing', () => {
    expect(loadText('').faults.map(({ path }) => path)).toEqual(['appName', 'actions', 'chatClient']);
  });
});
