/**
 * A server process that has nothing but a folder of documents: `node folder-process.ts FOLDER INDEX`. Each line that it prints is its
 * state, as JSON, with the most memory it has held. It stays until it is ended.
 */
import { openFilesSources } from '../../src/adapters/knowledge/files/open-files-sources.ts';
import { recordingLogger } from './quiet.ts';

const [, , path = '', index = ''] = process.argv;
const settings = { name: 'docs', path, requiredRoles: [], trusted: false, refreshMs: 3_600_000, timeoutMs: 3_000 };
const [source] = openFilesSources([settings], { folder: index, log: recordingLogger() });
if (source === undefined) throw new Error('there is no source');
source.start();

let last = '';
setInterval(() => {
  const { state } = source;
  const line = JSON.stringify(state);
  if (line === last) return;
  last = line;
  process.stdout.write(`${JSON.stringify({ ...state, mostMiB: process.resourceUsage().maxRSS / 1024 })}\n`);
}, 5);
