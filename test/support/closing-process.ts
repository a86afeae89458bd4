/**
 * A server process that ends itself: `node closing-process.ts FOLDER COUNT`. It looks through the folder with COUNT sources that share a
 * thread, asks each of them, closes all of them at once, and prints `closed` last.
 */
import { openFilesSources } from '../../src/adapters/knowledge/files/open-files-sources.ts';
import { recordingLogger } from './quiet.ts';

const [, , path = '', count = ''] = process.argv;
const settings = { path, requiredRoles: [], trusted: false, refreshMs: 3_600_000, timeoutMs: 3_000 };
const all = Array.from({ length: Number(count) }, (_, number) => ({ ...settings, name: `docs-${String(number)}` }));
const sources = openFilesSources(all, { folder: undefined, log: recordingLogger() });
for (const source of sources) source.start();
while (sources.some(({ state }) => state.phase === 'indexing')) await new Promise((resolve) => setTimeout(resolve, 10));
const asked = sources.map((source) => source.explain('albatross', { roles: [] }).catch(() => undefined));
await Promise.all(sources.map((source) => source.close()));
await Promise.all(asked);
process.stdout.write('closed\n');
