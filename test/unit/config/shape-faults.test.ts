import { describe, expect, it } from 'vitest';
import { faultsWith, loadText, minimal, settingsWith } from './load-from-text.ts';

describe('faults of single settings (contract/configuration.md#faults)', () => {
  it.each([
    [
      'a wrong type',
      'maxMessageLength: many\n',
      'maxMessageLength',
      'found "many"; allowed: a whole number of characters, at least 0',
    ],
    [
      'a number that is too small',
      'maxToolRounds: 0\n',
      'maxToolRounds',
      'found 0; allowed: a whole number of rounds from 1 to 100',
    ],
    ['a fraction', 'maxToolRounds: 1.5\n', 'maxToolRounds', 'found 1.5;'],
    ['not a number', 'maxSessionMessages: .nan\n', 'maxSessionMessages', 'allowed: a whole number'],
    ['a text where true or false is meant', 'demoPage: "yes"\n', 'demoPage', 'found "yes"; allowed: true or false'],
    ['a number where a text is meant', 'botName: 5\n', 'botName', 'put it in quotes'],
    ['nothing', 'botName:\n', 'botName', 'found nothing;'],
    ['an unknown enum value', 'theme: Bright\n', 'theme', 'allowed: one of Default, Dark, Minimal, Custom'],
    ['another unknown enum value', 'hitlMode: Async\n', 'hitlMode', 'found "Async"; allowed: one of Blocking, Native'],
    // proves configuration-1-02
    [
      'a duration without a unit',
      'confirmationTimeout: 30\n',
      'confirmationTimeout',
      'found 30; allowed: a duration such as',
    ],
    [
      'a pattern of origins that may frame the chat',
      'endpoints: { embed: { frameAncestors: ["https://*.example.com"] } }\n',
      'endpoints.embed.frameAncestors[0]',
      "allowed: an origin of scheme and host, such as https://shop.example.com, or 'self' in its own quotes",
    ],
    [
      'every origin that may frame the chat',
      'endpoints: { embed: { frameAncestors: ["*"] } }\n',
      'endpoints.embed.frameAncestors[0]',
      'found "*"',
    ],
    [
      'an origin that a policy cannot hold',
      'endpoints: { embed: { frameAncestors: ["https://[::1]"] } }\n',
      'endpoints.embed.frameAncestors[0]',
      'found "https://[::1]"',
    ],
    [
      'self without its quotes',
      'endpoints: { embed: { frameAncestors: [self] } }\n',
      'endpoints.embed.frameAncestors[0]',
      'found "self"',
    ],
    ['a negative duration', 'confirmationTimeout: -1s\n', 'confirmationTimeout', 'found "-1s"'],
    ['a duration no timer can wait', 'confirmationTimeout: 25d\n', 'confirmationTimeout', 'up to 24d'],
    ['no duration where one is needed', 'server: { requestTimeout: 0 }\n', 'server.requestTimeout', 'more than 0'],
    ['a time no snapshot is kept', 'dataProtection: { maxAge: 4000d }\n', 'dataProtection.maxAge', 'up to 3650d'],
    [
      'a key that is too short',
      'dataProtection: { keys: [c2hvcnQ=] }\n',
      'dataProtection.keys[0]',
      'found ***; allowed: a key',
    ],
    [
      'a limit without a window',
      'endpoints: { transports: { rateLimit: { max: 5 } } }\n',
      'endpoints.transports.rateLimit.window',
      'missing',
    ],
    ['a window of nothing', 'rateLimitWindowSecs: 0\n', 'rateLimitWindowSecs', 'seconds from 1'],
    ['a size in another unit', 'server: { maxBufferedBytes: 1MB }\n', 'server.maxBufferedBytes', 'a size such as'],
    ['a port that does not exist', 'server: { port: 70000 }\n', 'server.port', 'from 0 to 65535'],
    ['a path without a slash', 'server: { hubPath: hub }\n', 'server.hubPath', 'a path such as /helper/chat'],
    ['a base path that ends with a slash', 'server: { basePath: /a/ }\n', 'server.basePath', 'empty, or a path'],
    [
      'a public address of no port',
      'server: { publicUrl: "https://a:99999" }\n',
      'server.publicUrl',
      'an address without',
    ],
    [
      'a public address with a user',
      'server: { publicUrl: "https://a:b@c" }\n',
      'server.publicUrl',
      'an address without',
    ],
    [
      'a public address with a path',
      'server: { publicUrl: "https://a.example/x" }\n',
      'server.publicUrl',
      'without a path',
    ],
    ['an unknown channel', 'server: { channels: [mcp] }\n', 'server.channels[0]', 'one of hub, sse'],
    ['a channel twice', 'server: { channels: [sse, sse] }\n', 'server.channels', 'each value once'],
    ['half of tls', 'server: { tls: { certFile: a.pem } }\n', 'server.tls.keyFile', 'missing'],
    ['a colour by name', 'primaryColor: red\n', 'primaryColor', 'a hex colour'],
    ['an avatar that runs code', 'avatarUrl: "javascript:alert(1)"\n', 'avatarUrl', 'an http or https address'],
    [
      'a page that runs code',
      'pages: [{ name: a, title: A, url: "JAVASCRIPT:x", description: d }]\n',
      'pages[0].url',
      'an https address',
    ],
    [
      'a page on a host chosen by the model',
      'pages: [{ name: a, title: A, url: "https://{host}/x", description: d }]\n',
      'pages[0].url',
      'an https address',
    ],
    ['a page without a description', 'pages: [{ name: a, title: A, url: /a }]\n', 'pages[0].description', 'missing'],
    [
      'a regular expression that does not compile',
      'onException: [{ tool: "*", error: "(", message: m }]\n',
      'onException[0].error',
      'a regular expression',
    ],
    [
      'a replacement that does not compile',
      'onToolResult: [{ tool: "*", replace: [{ pattern: "[", with: "" }] }]\n',
      'onToolResult[0].replace[0].pattern',
      'a regular expression',
    ],
    [
      'a JSON pointer without a slash',
      'onToolResult: [{ tool: "*", remove: [email] }]\n',
      'onToolResult[0].remove[0]',
      'a JSON pointer',
    ],
    [
      'an origin with a path',
      'cors: { default: { origins: ["https://a.example/x"] } }\n',
      'cors.default.origins[0]',
      'an origin',
    ],
    [
      'an image host with a scheme',
      'cards: { imageHosts: ["https://a.example"] }\n',
      'cards.imageHosts[0]',
      'a host in lower case',
    ],
    [
      'a host of links with a scheme',
      'links: { hosts: ["https://a.example"] }\n',
      'links.hosts[0]',
      'a host in lower case',
    ],
    ['a host of links with a path', 'links: { hosts: [a.example/x] }\n', 'links.hosts[0]', 'a host in lower case'],
    [
      'plugin options of an impossible name',
      'pluginOptions: { "A B": {} }\n',
      'pluginOptions["A B"]',
      'not a possible name',
    ],
    [
      'a text with both limits',
      'pages: [{ name: a, title: "", url: /a, description: d }]\n',
      'pages[0].title',
      'allowed: a text of 1 to 200 characters',
    ],
    ['a path with dots', 'server: { hubPath: /a/../b }\n', 'server.hubPath', 'allowed: a path such as /helper/chat'],
    ['a path that ends in a dot', 'server: { ssePath: /a/. }\n', 'server.ssePath', 'no . or ..'],
    [
      'a base path with dots',
      'server: { basePath: /a/../b }\n',
      'server.basePath',
      'allowed: empty, or a path such as',
    ],
    [
      'a token that no header can carry',
      'endpoints: { metrics: { token: "two words here" } }\n',
      'endpoints.metrics.token',
      'without spaces',
    ],
    ['a path pattern', 'endpoints: { metrics: { path: /:a } }\n', 'endpoints.metrics.path', 'letters, digits'],
    [
      'a map where a list is meant',
      'requiresApproval: { a: b }\n',
      'requiresApproval',
      'found a map; allowed: a list of texts',
    ],
  ])('reports %s', (...[, lines, path, message]) => {
    const faults = faultsWith(lines);
    expect(faults.map((fault) => fault.path)).toEqual([path]);
    expect(faults[0]?.message).toContain(message);
  });

  it.each([
    ['actions: { plugins: "x" }', 'actions.plugins', 'allowed: a list of texts'],
    ['actions: { plugin: [x] }', 'actions.plugin', 'unknown key; allowed here: plugins, callbacks'],
    ['actions: 5', 'actions', 'allowed: { plugins: [DIR, …], callbacks: [{ … }, …], openapi: [{ … }, …] }, or none'],
    [
      'actions: nothing',
      'actions',
      'allowed: { plugins: [DIR, …], callbacks: [{ … }, …], openapi: [{ … }, …] }, or none',
    ],
    ['actions:', 'actions', 'missing'],
  ])('judges %s by the form that was meant', (line, path, message) => {
    const fault = loadText(minimal.replace('actions: none', line)).faults.find((candidate) => candidate.path === path);
    expect(fault?.message).toContain(message);
  });

  it.each([
    ['chatClinet: x\n', 'chatClinet', 'chatClient'],
    ['MaxMessageLength: 1\n', 'MaxMessageLength', 'maxMessageLength'],
    // proves configuration-1-08
    ['server: { prot: 1 }\n', 'server.prot', 'port'],
    ['port: 1\n', 'port', 'server.port'],
    ['apiKey: x\n', 'apiKey', 'models.NAME.apiKey'],
    ['endpoints: { metric: {} }\n', 'endpoints.metric', 'metrics'],
    ['theme: Drak\n', 'theme', 'Dark'],
  ])('suggests the nearest valid name for %s', (lines, path, suggestion) => {
    expect(faultsWith(lines)).toEqual([expect.objectContaining({ path, suggestion })]);
  });

  it.each([
    'audit: {}\n',
    // proves configuration-1-08
    'zzz: 1\n',
  ])('knows no key of a feature that is not there: %s', (lines) => {
    const [fault] = faultsWith(lines);
    expect(fault?.message).toContain('unknown key');
  });

  // proves configuration-10-06
  it.each([
    'mcpServers: [{ name: a, serverUrl: null, command: node, shared: null, allowedTools: null }]\n',
    'mcpServers: [{ name: a, serverUrl: "http://localhost:9/mcp", command: null, auth: null }]\n',
    'hostedMcpServers: [{ name: a, url: "https://a.example", description: null, allowedTools: null }]\n',
    'strongChatClient: null\nroutingClassifierClient: null\nclassifierChatClient: null\nembeddingGenerator: null\n',
    'useStrongModel: null\nragMinScore: null\nenableToolFiltering: null\n',
  ])('takes null for what may be left out: %s', (lines) => {
    expect(faultsWith(lines)).toEqual([]);
  });

  // proves configuration-10-06
  it.each([
    ['botName: null\n', 'botName'],
    ['mcpServers: [{ name: null, command: node }]\n', 'mcpServers[0].name'],
  ])('takes no null for what has a default, or must be there: %s', (lines, path) => {
    expect(faultsWith(lines).map((fault) => fault.path)).toEqual([path]);
  });

  // proves service-18-23
  it.each([
    ['4MiB', 4_194_304],
    ['512KiB', 524_288],
    ['5000', 5000],
  ])('reads the size of an image as %s', (size, bytes) => {
    const settings = settingsWith(`maxImageBytes: ${size}\nclient: { maxImageBytes: ${size} }\n`);
    expect([settings.maxImageBytes, settings.client.maxImageBytes]).toEqual([bytes, bytes]);
  });

  // proves service-18-23
  it('takes no image over 20 MiB', () => {
    expect(faultsWith('maxImageBytes: 21MiB\n')).toMatchObject([
      { path: 'maxImageBytes', message: 'must be at most 20MiB' },
    ]);
  });

  // proves configuration-10-04
  it.each([
    ['chatReducer: x\n', 'a plugin has it under providers'],
    ['ChatHistoryProviderFactory: x\n', 'a plugin has it under providers'],
    ['configureChatClientPipeline: x\n', 'a plugin has it under hooks'],
    ['scanAssemblies: []\n', 'name the sources of actions in actions.plugins'],
    ['client: { accessTokenProvider: x }\n', 'the page gives the widget its tokens with HelperWidget.setTokenProvider'],
  ])('says where a key is set that is none of the file: %s', (lines, place) => {
    expect(faultsWith(lines).map(({ message }) => message)).toEqual([
      expect.stringContaining(`is not set in this file: ${place}`),
    ]);
  });

  it('points at the key for unknown keys and at the value for wrong ones', () => {
    const faults = faultsWith('server:\n  prot: 1\n  port: x\n');
    expect(faults.map(({ line, column }) => [line, column])).toEqual([
      [6, 3],
      [7, 9],
    ]);
  });

  // proves configuration-1-07
  it('reports everything at once, cross-field faults included, in the order of the file', () => {
    const { faults } = loadText(
      'appName: " "\nchatClient: nope\nmodels:\n  a: { provider: openai, timeout: 5 }\nactions: { plugins: [] }\nbogus: 1\nserver: { hubPath: /x, ssePath: /x, port: p }\n',
    );
    expect(faults.map(({ path }) => path)).toEqual([
      'appName',
      'chatClient',
      'models.a.model',
      'models.a.apiKey',
      'models.a.timeout',
      'actions',
      'bogus',
      'server.ssePath',
      'server.port',
    ]);
  });

  it('says that a choice can be switched off, but not on', () => {
    const { faults } = loadText(minimal.replace('provider: demo', 'provider: demo, showThinking: true'));
    expect(faults).toMatchObject([{ message: 'found true; allowed: false or summary' }]);
  });

  it('says nothing twice: what follows from a fault is not reported as another', () => {
    const { faults } = loadText(minimal.replace('provider: demo', 'provider: 5').replace('models', 'modles'));
    expect(faults.map(({ path }) => path)).toEqual(['modles']);
  });

  it('cuts long values and keeps them on one line', () => {
    const [fault] = faultsWith(`theme: "${'x'.repeat(500)}\\n\\u001b[31m"\n`);
    expect(fault?.message.length).toBeLessThan(200);
    expect(fault?.message).not.toContain('\n');
    expect(fault?.message).not.toContain('\u001b');
  });
});

describe('secrets in faults (contract/configuration.md#faults)', () => {
  it.each([
    ['a password in an address', 'auth: { jwt: { issuer: "https://ann:geheim@login/?a" } }\n', {}],
    [
      'the query of an address',
      'models: { demo: { provider: openai, model: a, apiKey: none, baseUrl: "htp://host/v1?key=geheim" } }\n',
      {},
    ],
    [
      'the query of an address without a scheme',
      'cors: { default: { origins: ["shop.example.com/?key=geheim"] } }\n',
      {},
    ],
    ['the query of an address at a wrong place', 'theme: "https://host/?key=geheim"\n', {}],
    // proves configuration-1-09
    ['a metrics token', 'endpoints: { metrics: { token: "geheim" } }\n', {}],
    [
      'a header of a model',
      'models: { demo: { provider: openai, model: a, apiKey: none, headers: { x-key: ["geheim"] } } }\n',
      {},
    ],
    // proves configuration-1-09
    ['a substituted number', 'maxToolRounds: ${ROUNDS}\n', { ROUNDS: 'geheim' }],
    ['a value substituted in part', 'theme: "a${THEME}b"\n', { THEME: 'geheim' }],
    ['an overridden secret', '', { HELPER__ENDPOINTS__METRICS__TOKEN: 'geheim' }],
    ['a lone reference to YAML that is none', 'pages: ${PAGES}\n', { PAGES: '[geheim' }],
  ])('hide %s', (_title, lines, environment) => {
    const text = lines.startsWith('models') ? minimal.replace(/models.*\n/, lines) : minimal + lines;
    const { faults } = loadText(text, { environment });
    expect(faults.length).toBeGreaterThan(0);
    expect(JSON.stringify(faults)).not.toContain('geheim');
  });

  // proves configuration-1-09
  it('show *** in their place', () => {
    expect(faultsWith('maxToolRounds: ${ROUNDS}\n', { environment: { ROUNDS: '0' } })[0]?.message).toContain(
      'found ***',
    );
  });
});

describe('what was meant (contract/configuration.md#faults)', () => {
  it.each([
    ['de', 'German'],
    ['fr-CA', 'French'],
    ['ZH', 'Chinese'],
    ['Germn', 'German'],
  ])('language: %s suggests %s', (written, meant) => {
    expect(faultsWith(`language: ${written}\n`)).toEqual([
      expect.objectContaining({ path: 'language', suggestion: meant }),
    ]);
  });

  it.each(['sv', 'qq', '12'])('language: %s suggests nothing', (written) => {
    expect(faultsWith(`language: "${written}"\n`)[0]?.suggestion).toBeUndefined();
  });

  it('a misspelt required key is one fault', () => {
    const { faults } = loadText(minimal.replace('chatClient:', 'chatClinet:'));
    expect(faults).toEqual([expect.objectContaining({ path: 'chatClinet', line: 2, suggestion: 'chatClient' })]);
  });

  it.each([
    ['{ provder: demo }', 'models.b.provder', 'provider'],
    ['{ provider: openai, modle: x, apiKey: none }', 'models.b.modle', 'model'],
  ])('a misspelt key that a rule asks for is one fault: %s', (model, path, suggestion) => {
    expect(loadText(`appName: A\nactions: none\nchatClient: b\nmodels:\n  b: ${model}\n`).faults).toEqual([
      expect.objectContaining({ path, suggestion }),
    ]);
  });

  it('a misspelt key inside a list is one fault, and another that is missing stays one', () => {
    const faults = faultsWith('pages: [{ nam: a, title: A, url: /a }]\n');
    expect(faults.map(({ path }) => path)).toEqual(['pages[0].description', 'pages[0].nam']);
  });
});

describe('a value that YAML reads as a comment (HLP1031)', () => {
  const warned = (lines: string): readonly string[] =>
    loadText(minimal + lines).settings?.fileWarnings.map(({ code, message }) => `${code} ${message}`) ?? [];

  it('is warned of with its line and how to write it', () => {
    expect(warned('botName: Ada\nprimaryColor: #0a7\n')).toEqual([
      'HLP1031 helper.yaml:6: primaryColor is empty, because # begins a comment in YAML. If #0a7 is meant, put it in quotes: primaryColor: "#0a7"',
    ]);
  });

  it.each([
    'primaryColor: # none yet\n',
    'primaryColor: "#0a7"\n',
    'primaryColor: null #old\n',
    'primaryColor:\n  #old\n',
  ])('is none in %j', (lines) => {
    expect(warned(lines)).toEqual([]);
  });
});
