import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { freePort, startNode, waitForPort } from '../processes/child-processes.ts';
import { helperProgram } from '../targets.ts';

/** Starts the built server for pages of `origin`, which is also where its model answers. @returns where it listens. */
export async function startHelper(origin: string, directory: string): Promise<string> {
  const port = await freePort();
  const own = mkdtempSync(join(directory, 'helper-'));
  const file = join(own, 'helper.yaml');
  writeFileSync(
    file,
    stringify({
      appName: 'Bench',
      models: { main: { provider: 'openai', baseUrl: `${origin}/v1`, model: 'bench', apiKey: 'none' } },
      chatClient: 'main',
      server: { port },
      cors: { default: { origins: [origin] } },
      actions: 'none',
      storage: { type: 'memory' },
      logging: { level: 'warn' },
    }),
  );
  const logFile = join(own, 'server.log');
  const child = startNode({ core: 'server', command: [helperProgram, 'start', '--config', file], logFile });
  await waitForPort(child, port);
  return `http://127.0.0.1:${String(port)}`;
}
