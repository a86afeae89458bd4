import { join } from 'node:path';
import { LoadClient } from '../processes/load-client.ts';
import type { ReturnResult } from '../load/load-job.ts';
import { fullHub } from '../targets.ts';
import type { Replicas } from '../../support/replicas/replica-processes.ts';

/** Milliseconds after which a client that is not back counts as lost. */
const limitMs = 60_000;

/** Opens idle hub connections over all replicas, kills one of these, and waits until all its clients are back at the others. */
export async function measureReturn(
  { replicas }: Replicas,
  { connections, directory }: { readonly connections: number; readonly directory: string },
): Promise<ReturnResult> {
  const client = new LoadClient(join(directory, 'returning.log'));
  try {
    const ports = replicas.map(({ url }) => Number(new URL(url).port));
    const { faults } = await client.stay({ ports, path: fullHub.path, connections, limitMs });
    if (faults.length > 0) throw new Error(faults.join('; '));
    await replicas.at(-1)?.kill('SIGKILL');
    return await client.returned();
  } finally {
    await client.close();
  }
}
