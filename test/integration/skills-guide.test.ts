import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { folderOf } from '../support/skill-folder.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/skills.md'), 'utf8');
const codeOf = (head: string): string => new RegExp(`\`\`\`${head}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? '';

describe('the guide to skills (docs/guides/skills.md)', () => {
  it('shows a configuration, a skill and a plugin that work together', async () => {
    const { path } = folderOf({ 'refunds/SKILL.md': codeOf('markdown file=skills/refunds/SKILL.md') });
    const written = parse(codeOf('yaml')) as object; // the guide's own block
    const { url, model } = await scriptedServer({
      scripts: [calling({ name: 'load_skill', arguments: { skillName: 'invoices' } }), saying('Fine.')],
      plugin: codeOf('js file=billing.plugin.js'),
      settings: { auth: { jwt: { secret: tokenSecret } }, ...written, skillsFolder: path },
    });
    const headers = { authorization: `Bearer ${await makeToken({ sub: 'ann', role: 'Clerk' })}` };
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Explain it.' }, headers });
    await chat.next('end');
    const sent = JSON.stringify(model.requests[1]?.body);
    expect([...sent.matchAll(/<name>([^<]*)/g)].map(([, name]) => name)).toEqual(['invoices', 'refunds']);
    expect(sent).toContain('Read limits.txt, then explain each line in one sentence.');
  });
});
