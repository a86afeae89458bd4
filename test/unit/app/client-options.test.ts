import { describe, expect, it } from 'vitest';
import {
  endpointPaths,
  mcpSettings,
  remoteAgentSettings,
  scriptBase,
  tourSettings,
  voiceSettings,
} from '../../../src/app/client-options.ts';
import { scriptOptions } from '../../../src/app/widget-options.ts';
import type { HelperSettings } from '../../../src/config/settings.ts';
import { loadText } from '../config/load-from-text.ts';

function settings(text: string): HelperSettings {
  const base = 'appName: Desk\nchatClient: demo\nmodels: { demo: { provider: demo } }\nactions: none\n';
  const loaded = loadText(base + text);
  if (loaded.settings === undefined) throw new Error(JSON.stringify(loaded.faults));
  return loaded.settings;
}

const noWelcome = { own: null, client: null };
const script = (text: string) => scriptOptions(settings(text), noWelcome);

describe('the endpoints to which the widget makes no link (contract/widget.md#links)', () => {
  // proves wire-7-12
  it.each([
    ['', { base: '', prefix: '' }, ['/helper', '/helper-hub', '/healthz', '/readyz', '/metrics']],
    [
      'server: { basePath: /ai, ssePath: /ask }\nendpoints: { openai: { enabled: true, requireAuthorization: false }, metrics: { port: 9100 } }',
      { base: '/app/ai', prefix: '/app' },
      [
        ...[
          '/app/ai/helper',
          '/app/ai/helper-hub',
          '/app/ai/ask',
          '/app/ai/v1/chat/completions',
          '/app/ai/v1/responses',
        ],
        ...['/app/ai/v1/models', '/app/healthz', '/app/readyz'],
      ],
    ],
    [
      'client: { hubUrl: "https://ai.example/helper-hub" }',
      { base: 'https://ai.example', prefix: '' },
      [
        ...['https://ai.example/helper', 'https://ai.example/helper-hub', 'https://ai.example/healthz'],
        ...['https://ai.example/readyz', 'https://ai.example/metrics'],
      ],
    ],
  ])('are those that are served: %s', (text, at, expected) => {
    expect(endpointPaths(settings(text), [], at)).toEqual(expected);
  });
});

describe('what the widget is told of tour and voice (contract/widget.md#voice and contract/widget.md#tour)', () => {
  // proves service-2.20-04
  it.each([
    ['nothing unless an option says so', '', '/b', null],
    ['the path of this server', 'enableOnboardingTour: true', '/b', '/b/helper/tour'],
    ['client before the top level', 'enableOnboardingTour: true\nclient: { enableOnboardingTour: false }', '', null],
    ['another path', 'client: { enableOnboardingTour: true, tourUrl: /tour.json }', '/b', '/b/tour.json'],
    [
      'another address',
      'client: { enableOnboardingTour: true, tourUrl: "https://shop.example.com/tour.json" }',
      '/b',
      'https://shop.example.com/tour.json',
    ],
  ])('of the tour: %s', (_title, text, basePath, expected) => {
    const { tourUrl } = settings(text).client;
    expect(tourSettings(script(text), tourUrl, basePath).tourUrl ?? null).toBe(expected);
  });

  it('of voice: nothing unless an option says so, and the defaults of contract/widget.md#voice with one', () => {
    expect(voiceSettings(script('voiceHandsFree: true'))).toEqual({});
    expect(voiceSettings(script('enableVoiceInput: true')).voice).toEqual({
      input: true,
      output: false,
      streaming: true,
      bargeIn: true,
      handsFree: false,
      rate: 1,
    });
  });

  // proves service-2.4-10
  it('of voice: hands-free only with both, the script’s own choices first', () => {
    const both = 'enableVoiceInput: true\nenableVoiceOutput: true\nvoiceHandsFree: true\n';
    expect(voiceSettings(script(both)).voice?.handsFree).toBe(true);
    expect(voiceSettings(script(`${both}client: { enableVoiceOutput: false }`)).voice?.handsFree).toBe(false);
    const client = 'client: { voiceStreaming: false, voiceBargeIn: false, voiceRate: 1.5 }';
    expect(voiceSettings(script(both + client)).voice).toMatchObject({ streaming: false, bargeIn: false, rate: 1.5 });
  });

  // proves service-2.4-11
  it.each([
    ['0.1', 0.5],
    ['0.8', 0.8],
    ['10', 2],
  ])('of voice: a rate of %s is %d', (rate, expected) => {
    expect(voiceSettings(script(`enableVoiceOutput: true\nvoiceRate: ${rate}`)).voice?.rate).toBe(expected);
  });
});

describe('where the script finds the server (contract/widget.md, HubUrl; contract/widget.md)', () => {
  it.each([
    ['where it came from', '', '/b'],
    ['where it came from, by the path of the hub itself', 'client: { hubUrl: /helper-hub }', '/b'],
    ['below another path of the server it came from', 'client: { hubUrl: /eu/helper-hub }', '/b/eu'],
    ['on another origin', 'client: { hubUrl: "https://chat.example.com/helper-hub" }', 'https://chat.example.com'],
    [
      'below a path of another origin, with a hub path of its own',
      'server: { hubPath: /live }\nclient: { hubUrl: "https://chat.example.com/eu/live" }',
      'https://chat.example.com/eu',
    ],
  ])('%s', (_title, text, expected) => {
    expect(scriptBase(settings(text), '/b')).toBe(expected);
  });
});

describe('what the widget is told of remote agents (contract/widget.md#remote-agents)', () => {
  const told = (text: string) => {
    const all = settings(text);
    return [remoteAgentSettings(all, all.client), remoteAgentSettings(all)];
  };
  const [off, on] = [{}, { showsRemoteAgents: true }];

  // proves service-2.20-09, service-2.20-10
  it.each([
    ['nothing by default', '', off, off],
    ['the top level, for the embed page too', 'showA2AStatus: true', on, on],
    ['client before it', 'showA2AStatus: true\nclient: { showA2AStatus: false }', off, on],
    ['client alone', 'client: { showA2AStatus: true }', on, off],
    ['none, where client says so', 'showA2AStatus: true\nclient: { hasRemoteAgents: false }', off, on],
    [
      'those that are expected, only where client says that there are some',
      'showA2AStatus: true\nclient: { remoteAgentDisplays: [{ name: W }] }',
      on,
      on,
    ],
    [
      'addresses without user info and query',
      'client: { showA2AStatus: true, hasRemoteAgents: true, remoteAgentDisplays: [{ name: W }, { name: V, agentCardUrl: "https://a:b@v.example/x?k=1" }] }',
      {
        ...on,
        expectedAgents: [
          { name: 'W', agentCardUrl: '', status: 'connecting' },
          { name: 'V', agentCardUrl: 'https://v.example/x', status: 'connecting' },
        ],
      },
      off,
    ],
  ])('of remote agents: %s', (_title, text, script, embed) => {
    expect(told(text)).toEqual([script, embed]);
  });
});

describe('what the widget is told of MCP servers (contract/widget.md#mcp-servers)', () => {
  const [off, on] = [{}, { showsMcpServers: true }];

  // proves service-2.20-11, service-2.20-12
  it.each([
    ['nothing by default', '', off, off],
    ['the top level, for the embed page too', 'showMcpStatus: true', on, on],
    ['client before it', 'showMcpStatus: true\nclient: { showMcpStatus: false }', off, on],
    ['client alone', 'client: { showMcpStatus: true }', on, off],
    ['none, where client says so', 'showMcpStatus: true\nclient: { hasMcpServers: false }', off, on],
    [
      'a place for them, only where client says that there are some',
      'showMcpStatus: true\nclient: { hasMcpServers: true }',
      { ...on, expectedServers: [] },
      on,
    ],
    // proves service-18-01
    [
      'those that are expected, as connecting, only where client says that there are some',
      'showMcpStatus: true\nclient: { hasMcpServers: true, mcpServerNames: [erp] }',
      { ...on, expectedServers: [{ name: 'erp', status: 'connecting', toolCount: 0 }] },
      on,
    ],
    ['none that are expected, by default', 'showMcpStatus: true\nclient: { mcpServerNames: [erp] }', on, on],
  ])('of MCP servers: %s', (_title, text, script, embed) => {
    const all = settings(text);
    expect([mcpSettings(all, all.client), mcpSettings(all)]).toEqual([script, embed]);
  });
});
