import { describe, expect, it } from 'vitest';
import { announce } from '../../../src/cli/banner.ts';
import { checkJson } from '../../../src/cli/check-json.ts';
import { describeStartFailure } from '../../../src/cli/describe-start-failure.ts';
import { formatFaults } from '../../../src/cli/format-faults.ts';
import { formatReport } from '../../../src/cli/format-report.ts';
import type { Logger } from '../../../src/core/ports/logger.ts';
import { settingsWith } from '../config/load-from-text.ts';

const report = {
  models: [
    {
      name: 'main',
      kind: 'chat' as const,
      provider: 'anthropic',
      model: 'claude-x',
      speaks: 'Anthropic Messages',
      at: null,
      over: '@langchain/anthropic',
    },
    {
      name: 'vectors',
      kind: 'embeddings' as const,
      provider: 'mistral',
      model: 'mistral-embed',
      speaks: 'embeddings',
      at: 'https://api.mistral.ai/v1',
      over: null,
    },
  ],
  actions: [
    {
      name: 'find_order',
      source: 'action' as const,
      from: 'plugin order-desk',
      readOnly: true,
      asks: false,
      reason: null,
      roles: [],
      agent: null,
      tenants: [],
      trusted: true,
      sinks: [],
      unasked: null,
    },
    {
      name: 'refund',
      source: 'action' as const,
      from: 'callback crm',
      readOnly: false,
      asks: true,
      reason: 'write',
      roles: ['Manager'],
      agent: null,
      tenants: ['north*'],
      trusted: false,
      sinks: ['account'],
      unasked: { rule: true, choice: false, declare: ['trusted: true on pay'] },
    },
  ],
  agents: [
    {
      name: 'Billing',
      kind: 'specialist' as const,
      mode: null,
      from: 'billing.agent.yaml',
      tools: ['get_invoice'],
      members: [],
      roles: [],
      model: 'main',
      version: '0123456789ab',
    },
    {
      name: 'Quotes',
      kind: 'team' as const,
      mode: 'sequential' as const,
      from: 'billing.agent.yaml',
      tools: [],
      members: ['Billing', 'Legal'],
      roles: ['Sales'],
      model: null,
      version: 'ba9876543210',
    },
  ],
  skills: [{ name: 'refunds', from: '/srv/skills', roles: ['Manager'], tenants: [] }],
  mcpServers: [
    {
      name: 'erp',
      target: 'https://erp.example/mcp',
      transport: 'http' as const,
      asksAlways: false,
      allowedTools: ['find'],
      roles: ['Clerk'],
      tenants: ['north*'],
    },
    {
      name: 'tally',
      target: 'node',
      transport: 'stdio' as const,
      asksAlways: true,
      allowedTools: null,
      roles: [],
      tenants: [],
    },
  ],
  endpoints: [
    { path: '/helper/chat', exposure: 'open to anyone' },
    { path: '/metrics', exposure: 'bearer token' },
  ],
  network: {
    proxies: [{ of: 'https' as const, address: 'http://***@proxy.example.com:3128', from: 'HTTPS_PROXY' }],
    noProxy: ['.internal'],
    roots: 2,
  },
  toolWeight: { count: 2, tokens: 340, bytes: 1300, share: 0.002, words: '2, about 340 tokens' },
  warnings: [{ code: 'HLP1004', message: 'Anyone may chat.' }],
  model: { name: 'demo', isDemo: true },
  demoPage: 'http://localhost:0/',
};

interface Line {
  readonly level: string;
  readonly fields: object;
  readonly message: string;
}

function recordingLog(): { readonly log: Logger; readonly lines: readonly Line[] } {
  const lines: Line[] = [];
  const at =
    (level: string) =>
    (fields: object, message: string): void => {
      lines.push({ level, fields, message });
    };
  const log: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child: () => log };
  return { log, lines };
}

describe('formatFaults (contract/configuration.md#faults)', () => {
  it('is file:line:column path: message, with the suggestion', () => {
    const faults = [
      { file: 'helper.yaml', line: 3, column: 1, path: 'prot', message: 'unknown key', suggestion: 'port' },
      { file: '/srv/app/plugins/a/index.js', path: 'a', message: 'broke' },
    ];
    expect(formatFaults(faults, '/srv/app')).toBe(
      'helper.yaml:3:1 prot: unknown key (did you mean port?)\nplugins/a/index.js a: broke\n\n2 faults; nothing was started.\n',
    );
  });

  it('keeps a fault on its line and out of the control of the terminal', () => {
    const text = formatFaults([{ file: 'x', path: 'a\u001b[31mb', message: 'c\nd\u0007' }], '/');
    expect(text.split('\n')[0]).toBe('x ab: c d ');
  });
});

describe('helper check (contract/configuration.md#commands)', () => {
  it('prints JSON of exactly these members', () => {
    expect(checkJson({ ok: true, report })).toEqual({
      ok: true,
      faults: [],
      warnings: report.warnings,
      models: report.models.map((model) => ({ ...model, online: null })),
      actions: report.actions,
      agents: report.agents,
      skills: report.skills,
      mcpServers: report.mcpServers,
      endpoints: report.endpoints,
      network: report.network,
      toolWeight: { count: 2, tokens: 340, bytes: 1300, share: 0.002 },
      signIn: null,
    });
  });

  it('prints faults as JSON with every member, null where there is nothing', () => {
    expect(checkJson({ ok: false, faults: [{ file: 'f', path: 'p', message: 'm' }] })).toEqual({
      ok: false,
      faults: [{ file: 'f', line: null, column: null, path: 'p', message: 'm', suggestion: null }],
      warnings: [],
      models: [],
      actions: [],
      agents: [],
      skills: [],
      mcpServers: [],
      endpoints: [],
      network: null,
      toolWeight: null,
      signIn: null,
    });
  });

  // proves configuration-4-21
  it('prints what models have answered, for people and for programs', () => {
    const answered = { inputTokens: 57, outputTokens: 12, dimensions: null, durationMs: 840, fault: null };
    const fault = { message: 'the model answered 401', advice: 'Check it.', status: 401, code: 'bad', param: null };
    const nothing = { said: null, inputTokens: 0, outputTokens: 0, dimensions: null, durationMs: 30 };
    const trials = [
      { name: 'main', ok: true, said: 'call' as const, ...answered },
      { name: 'vectors', ok: false, ...nothing, fault },
    ];
    const text = formatReport(report, { trials });
    expect(text).toMatch(/main +works +called the tool, 57 tokens in, 12 out, 0\.8 s\n/);
    expect(text).toMatch(/vectors +FAILS +the model answered 401, after 0\.0 s\. Check it\.\n/);
    const { models } = checkJson({ ok: true, report, trials });
    expect(models.map(({ online }) => online)).toEqual([
      { ok: true, said: 'call', ...answered },
      { ok: false, ...nothing, fault },
    ]);
    const others = [
      { ...trials[0], said: 'text' as const },
      { ...trials[0], said: 'nothing' as const },
      { ...trials[0], said: 'vector' as const, dimensions: 1024 },
    ].map((trial) => ({ name: 'main', ok: true, ...answered, ...trial }));
    const said = formatReport(report, { trials: others });
    expect(said).toContain('answered with text and did not call the tool');
    expect(said).toContain('it thinks longer than this question allows');
    expect(said).toContain('a vector of 1024 numbers, 0.8 s');
  });

  // proves service-2.16-05, service-11-53, configuration-4-18
  it('prints a table for people', () => {
    const text = formatReport(report);
    expect(text).toContain('Model: demo (a demo model)');
    expect(text).toContain('Tools: 2, about 340 tokens; those of MCP servers are known once they are connected');
    expect(text).toMatch(/main +anthropic +claude-x +Anthropic Messages over @langchain\/anthropic\n/);
    expect(text).toMatch(/vectors +mistral +mistral-embed +embeddings at https:\/\/api\.mistral\.ai\/v1\n/);
    expect(text).not.toContain('asked now');
    expect(text).toMatch(/find_order +reads, trusted +does not ask +everybody +plugin order-desk/);
    expect(text).toMatch(/refund +writes +asks \(write\), sinks: account +Manager of north\* +callback crm/);
    expect(text).toMatch(/Billing +specialist +get_invoice +everybody +main +0123456789ab +billing\.agent\.yaml/);
    expect(text).toMatch(/Quotes +team, sequential +Billing, Legal +Sales +- +ba9876543210 +billing\.agent\.yaml/);
    expect(text).toMatch(/refunds +Manager +every tenant +\/srv\/skills/);
    expect(text).toMatch(/erp +https:\/\/erp\.example\/mcp +asks but for reading +find +Clerk +north\*/);
    expect(text).toMatch(/tally +node +asks always +all +everybody +every tenant/);
    expect(text).toMatch(/\/helper\/chat +open to anyone/);
    expect(text).toMatch(/https:\/\/ +through http:\/\/\*\*\*@proxy\.example\.com:3128 +HTTPS_PROXY/);
    expect(text).toMatch(/\.internal +without a proxy/);
    expect(text).toMatch(/roots +2 beside those of Node\.js/);
    expect(text).toMatch(/HLP1004 +Anyone may chat\./);
    expect(formatReport({ ...report, warnings: [] })).toContain('Warnings: none');
  });
});

describe('the banner', () => {
  const settings = settingsWith('demoPage: true\n');
  const url = 'http://localhost:43210';

  // proves service-4.2-05, service-11-53
  it('says the address of the demo page, the model and what is open, in plain lines', () => {
    let text = '';
    const { log, lines } = recordingLog();
    announce({ report, log, settings, url }, (part) => {
      text += part;
    });
    expect(text).toContain('Desk is ready.');
    expect(text).toContain('http://localhost:43210/');
    expect(text).toContain('demo, a demo model: built in');
    expect(text).toContain(`Storage          ${settings.storage.path}\n`);
    expect(text).toContain('Tools            2, about 340 tokens\n');
    expect(text).toMatch(/Open to anyone +\/helper\/chat\n +\(to anyone who can reach 127\.0\.0\.1\)/);
    expect(lines).toEqual([{ level: 'warn', fields: { code: 'HLP1004' }, message: 'Anyone may chat.' }]);
  });

  it('says the address when there is no demo page', () => {
    let text = '';
    announce({ report: { ...report, demoPage: null }, log: recordingLog().log, settings, url }, (part) => {
      text += part;
    });
    expect(text).toMatch(/Address +http:\/\/localhost:43210\n/);
    expect(text).not.toContain('Demo page');
  });

  it('is log lines where logs are JSON', () => {
    const { log, lines } = recordingLog();
    announce({ report, log, settings, url }, undefined);
    expect(lines[0]).toEqual({
      level: 'info',
      fields: {
        url,
        demoPage: `${url}/`,
        model: 'demo',
        demoModel: true,
        ...{ tools: 2, toolTokens: 340, toolBytes: 1300 },
        storage: settings.storage.path,
        openToAnyone: ['/helper/chat'],
      },
      message: 'Desk is ready',
    });
    expect(lines[1]?.fields).toEqual({ code: 'HLP1004' });
  });
});

describe('describeStartFailure', () => {
  const settings = settingsWith('endpoints: { metrics: { port: 9464 } }\n');
  const error = (fields: object): Error => Object.assign(new Error('broken'), fields);

  it.each([
    [{ code: 'EADDRINUSE', port: 8080 }, /^Port 8080 is in use: .*server\.port \(HELPER__SERVER__PORT=8081\)\.$/],
    [{ code: 'EADDRINUSE', port: 9464 }, /^Port 9464 is in use: .*endpoints\.metrics\.port/],
    [{ code: 'EACCES', syscall: 'listen', port: 80 }, /^Port 80 may not be used/],
    [{ code: 'EACCES', syscall: 'open' }, /^The server cannot start: broken$/],
    [{ code: 'EADDRNOTAVAIL' }, /^127\.0\.0\.1 is no address of this machine/],
    [{ code: 'SQLITE_CANTOPEN' }, /^The server cannot start: broken$/],
  ])('is one sentence for %j', (fields, sentence) => {
    expect(describeStartFailure(error(fields), settings)).toMatch(sentence);
  });

  it('leaves mistakes of ours alone', () => {
    expect(describeStartFailure(new TypeError('x is not a function'), settings)).toBeUndefined();
    expect(describeStartFailure('text', settings)).toBeUndefined();
  });
});
