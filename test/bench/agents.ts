import { fileURLToPath } from 'node:url';
import { fullWith, type Target } from './targets.ts';

/** `full` with a specialist and a team of three, to which the coordinator hands over. */
export const withAgents: Target = {
  ...fullWith('agents', { declarative: { directory: fileURLToPath(new URL('./fixtures/agents', import.meta.url)) } }),
  description: 'this server, full features, SSE',
};
