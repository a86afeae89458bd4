import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSse } from '../../support/sse-client.ts';
import { certificate } from '../../unit/config/certificates.ts';
import { toolCatalogue } from '../../support/tool-catalogue.ts';
import { freePort, programPath, startNode, stop, waitForPort } from '../processes/child-processes.ts';
import { helperProgram } from '../targets.ts';
import { startFarModel } from './far-model.ts';

/** Milliseconds from the first message of a server to the first text of its reply, and of the second message; medians. */
export interface FirstTurnFigures {
  readonly roundTripMs: number;
  readonly coldMs: number;
  readonly warmMs: number;
  readonly secondMs: number;
}

const rounds = 9;
/** Longer than a warm-up takes at that distance. */
const restMs = 1_500;

/** What `warmUpAtStartup` saves the first message: servers with it and without it are started in turn. */
export async function measureFirstTurn(directory: string, roundTripMs: number): Promise<FirstTurnFigures> {
  execFileSync(process.execPath, [programPath(new URL('../../../scripts/build.ts', import.meta.url)), '--if-stale'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const model = await startFarModel(roundTripMs);
  const place = { directory, url: model.url, plugins: pluginIn(directory), certificateFile: join(directory, 'ca.pem') };
  writeFileSync(place.certificateFile, certificate);
  const [cold, warm, second]: [number[], number[], number[]] = [[], [], []];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const [first] = await askFresh(place, false);
      const [warmed, again] = await askFresh(place, true);
      cold.push(first);
      warm.push(warmed);
      second.push(again);
    }
    return { roundTripMs, coldMs: median(cold), warmMs: median(warm), secondMs: median(second) };
  } finally {
    model.close();
  }
}

interface Place {
  readonly directory: string;
  readonly url: string;
  readonly plugins: string;
  readonly certificateFile: string;
}

async function askFresh(
  { directory, url, plugins, certificateFile }: Place,
  warmUpAtStartup: boolean,
): Promise<[number, number]> {
  const folder = mkdtempSync(join(directory, 'server-'));
  const [config, port] = [join(folder, 'helper.yaml'), await freePort()];
  // A server of one's own would be asked for its window first, and a far one is not.
  const models = { main: { provider: 'openai', baseUrl: url, model: 'far', apiKey: 'none', contextWindow: 64_000 } };
  const values = { appName: 'Bench', models, chatClient: 'main', actions: { plugins: [plugins] }, server: { port } };
  writeFileSync(
    config,
    JSON.stringify({
      ...values,
      warmUpAtStartup,
      storage: { type: 'embedded', path: folder },
      logging: { level: 'warn' },
    }),
  );
  const child = startNode({
    core: 'server',
    command: [helperProgram, 'start', '--config', config],
    environment: { NODE_EXTRA_CA_CERTS: certificateFile },
    logFile: join(folder, 'log'),
  });
  try {
    await waitForPort(child, port);
    await sleep(restMs);
    return [await firstTextMs(port), await firstTextMs(port)];
  } finally {
    await stop(child);
  }
}

async function firstTextMs(port: number): Promise<number> {
  const began = performance.now();
  const turn = await openSse(`http://127.0.0.1:${String(port)}/helper/chat`, {
    body: { message: 'Where is my order?' },
  });
  await turn.next('text');
  const took = performance.now() - began;
  await turn.next('end');
  return took;
}

/** A plugin with the tools of the catalogue, which are told to the model with each message. */
function pluginIn(directory: string): string {
  const actions = toolCatalogue({ examples: true }).tools.map(({ name, description }) => ({ name, description }));
  const folder = mkdtempSync(join(directory, 'plugins-'));
  writeFileSync(
    join(folder, 'catalogue.plugin.js'),
    `export default { name: 'catalogue', actions: ${JSON.stringify(actions)}.map((action) => ({ ...action, parameters: { type: 'object' }, execute: () => 'done' })) };`,
  );
  return folder;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
