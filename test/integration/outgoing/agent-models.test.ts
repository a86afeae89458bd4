import { describe, expect, it, onTestFinished } from 'vitest';
import { tokenxCounter } from '../../../src/adapters/tokens/tokenx-counter.ts';
import { currentAgents } from '../../../src/app/agents/current-agents.ts';
import type { WantedModel } from '../../../src/app/agents/agent-models.ts';
import { composeTools } from '../../../src/app/compose-tools.ts';
import { KillSwitch } from '../../../src/app/kill-switch.ts';
import { openModels } from '../../../src/app/open-models.ts';
import { LiveModel } from '../../../src/app/reload/live-model.ts';
import type { AgentDefinition } from '../../../src/core/agents/agent-definition.ts';
import { withTeamDefaults } from '../../../src/core/agents/team-options.ts';
import { TokenEstimates } from '../../../src/core/history/token-estimates.ts';
import { CollectedText, modelRequest } from '../../support/model-requests.ts';
import { recordingLogger, recordingMetrics } from '../../support/quiet.ts';
import { saying, startScriptedModel } from '../../support/scripted-model.ts';
import { loadText } from '../../unit/config/load-from-text.ts';

/** Opens the models of a server on which these specialists are. The scripted server answers `count` calls. */
async function opened(wanted: Readonly<Record<string, WantedModel>>, count = 1) {
  const scripts = Array.from({ length: count }, (_, index) => saying(String(index)));
  const scripted = await startScriptedModel({ scripts });
  onTestFinished(() => scripted.close());
  const entry = (model: string, more = ''): string =>
    `{ provider: openai, model: ${model}, apiKey: none, baseUrl: "${scripted.url}", temperature: 0.7${more} }`;
  const { settings } = loadText(
    `appName: Desk\nactions: none\nchatClient: main\nstrongChatClient: strong\nmodels: { main: ${entry('main')}, strong: ${entry('strong')}, small: ${entry('small', ', fallbacks: [main]')} }\n`,
  );
  if (settings === undefined) throw new Error('the configuration has faults');
  const log = recordingLogger();
  const tools = composeTools(settings, { plugins: [], providers: [], killSwitch: new KillSwitch(settings, log) }, log);
  const services = { log, metrics: recordingMetrics(), estimates: new TokenEstimates(tokenxCounter) };
  const models = await openModels(settings, { plugins: [], tools, wanted: new Map(Object.entries(wanted)) }, services);
  const live = new LiveModel(models);
  onTestFinished(() => live.close());
  return { models, live, scripted };
}

const plain = (entry: string): WantedModel => ({ entry, options: {} });

describe('the models of agents (contract/agents.md#definitions)', () => {
  // proves extending-4-16
  it('are those that answer users where nothing else is asked for', async () => {
    const { models } = await opened({ A: plain('main'), B: plain('strong'), C: plain('small') });
    expect(models.agents?.get('A')).toBe(models.chat);
    expect(models.agents?.get('B')).toBe(models.strong);
    expect(models.agents?.get('C')?.model).toBe('small');
  });

  // proves extending-4-16
  it('are opened once for the same entry and options, whatever their order', async () => {
    const { models } = await opened({
      A: { entry: 'small', options: { topP: 0.5, temperature: 0 } },
      B: { entry: 'small', options: { temperature: 0, topP: 0.5 } },
      C: { entry: 'small', options: { temperature: 1, topP: 0.5 } },
    });
    const [a, b, c] = ['A', 'B', 'C'].map((name) => models.agents?.get(name));
    expect(a).toBe(b);
    expect(a).not.toBe(c);
    expect(models.chains.get(a ?? models.chat)?.map(({ model }) => model.model)).toEqual(['small', 'main']);
  });

  // proves extending-4-16
  it('send their options in place of those of the entry', async () => {
    const options = {
      temperature: 0,
      topP: 0.5,
      topK: 3,
      maxOutputTokens: 50,
      seed: 7,
      additionalProperties: { user: 'x' },
    };
    const more = { frequencyPenalty: 0.1, presencePenalty: 0.2, stopSequences: ['END'] };
    const { models, scripted } = await opened({ A: { entry: 'main', options: { ...options, ...more } } }, 2);
    for (const model of [models.agents?.get('A'), models.chat]) await model?.run(modelRequest(), new CollectedText());
    const [own, usual] = scripted.requests.map(({ body }) => body);
    expect(own).toMatchObject({
      ...{ model: 'main', temperature: 0, top_p: 0.5, top_k: 3, seed: 7, user: 'x' },
      ...{ frequency_penalty: 0.1, presence_penalty: 0.2, stop: ['END'] },
    });
    expect(Object.values(own ?? {})).toContain(50);
    expect(usual).toMatchObject({ temperature: 0.7 });
    expect(Object.keys(usual ?? {})).not.toContain('top_p');
  });

  it('belong to specialists and teams by name; a team has that of chatClient', async () => {
    const { models } = await opened({ A: plain('small') });
    const common = { description: '', requiredRoles: [], version: '' };
    const definitions: readonly AgentDefinition[] = [
      { kind: 'specialist', name: 'A', instructions: '', tools: [], ownTools: [], skills: [], ...common },
      {
        kind: 'team',
        name: 'T',
        mode: 'sequential',
        members: ['A'],
        ...common,
        options: withTeamDefaults({ members: ['A'] }, {}),
      },
      { kind: 'remote', name: 'R', agentCardUrl: 'https://r.example', headers: {}, ...common },
    ];
    const current = currentAgents({ definitions, written: [], wanted: new Map(), servers: [], stamp: '' }, models);
    expect([...current.models.keys()]).toEqual(['A', 'T']);
    expect(current.models.get('T')).toBe(models.chat);
    expect(current.models.get('A')).toBe(models.agents?.get('A'));
  });
});
