import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ask } from '../support/ask.ts';
import { costOfTurn, countedEnvironment, type TurnCost } from '../support/counted-turns.ts';
import { chunk, ending, type ModelScript, sending } from '../support/scripted-model.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';
import { startServerProcess } from '../support/server-process.ts';

/** The most that a turn may cost: a tenth above what it cost when this file was written (CONTRIBUTING.md#how-the-tests-run). */
const boundsFile = join(import.meta.dirname, 'fixtures/turn-cost.json');
const bounds = JSON.parse(readFileSync(boundsFile, 'utf8')) as Record<'hello' | 'tool', TurnCost>; // written below

const plugin = `export default { name: 'shop', actions: [{
  name: 'get_order', description: 'Returns an order.', readOnly: true,
  parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
  execute: ({ order }) => ({ order, status: 'shipped' }) }] };`;

/** In one write, so that the server reads it in one piece. */
const greeting = sending(
  [chunk({ role: 'assistant', content: '' }), ...words('Hello there, how can I help?').map(chunkOf), ending()].join(''),
);
const called = { index: 0, id: 'call_1', type: 'function', function: { name: 'get_order', arguments: '{"order":7}' } };
const calling = sending([chunk({ tool_calls: [called] }), ending('tool_calls')].join(''));
/** Calls the tool, and answers once it has the result. */
const usingTool: ModelScript = (exchange) =>
  JSON.stringify(exchange.request.body['messages']).includes('"role":"tool"') ? greeting(exchange) : calling(exchange);

it.each([
  { turn: 'hello', model: greeting },
  { turn: 'tool', model: usingTool },
] as const)('a $turn turn over server-sent events costs no more than its bounds', async ({ turn, model }) => {
  const settings = { logging: { level: 'info' }, warmUpAtStartup: false };
  const { directory, configuration } = await scriptedConfiguration({ scripts: [], otherwise: model, plugin, settings });
  const config = join(directory, 'helper.yaml');
  writeFileSync(config, JSON.stringify(configuration));
  const server = startServerProcess({ folder: join(directory, 'data'), config, environment: countedEnvironment });
  const url = await server.url;
  const cost = await costOfTurn(server, async () => {
    const { body } = await ask(url, 'POST /helper/chat', {
      headers: { 'content-type': 'application/json' },
      body: { message: 'Hello' },
    });
    expect(body).toContain('Hello there');
  });
  if (process.env['HELPER_TURN_COST'] === 'write') write(turn, cost);
  for (const figure of ['calls', 'promises', 'kilobytes'] as const)
    expect(cost[figure], `${figure} of a ${turn} turn`).toBeLessThanOrEqual(bounds[turn][figure]);
});

function words(text: string): readonly string[] {
  return text.match(/\S+\s*/g) ?? [];
}

function chunkOf(content: string): string {
  return chunk({ content });
}

function write(turn: 'hello' | 'tool', { calls, promises, kilobytes }: TurnCost): void {
  const above = (figure: number): number => Math.ceil(figure * 1.1);
  bounds[turn] = { calls: above(calls), promises: above(promises), kilobytes: above(kilobytes) };
  writeFileSync(boundsFile, `${JSON.stringify(bounds, null, 2)}\n`);
}
