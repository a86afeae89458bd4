import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mcpPlugin } from '../support/mcp-plugin.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { folderOf } from '../support/skill-folder.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const files = {
  'returns/SKILL.md':
    '---\nname: returns\ndescription: "Takes goods back: all of them."\nlicense: MIT\nmetadata: { author: Ann }\n---\n# Returns\n\nAsk for the order first.\n',
  'returns/references/limits.md': 'Thirty days.\n',
  'payroll/SKILL.md':
    '---\nname: payroll\ndescription: Pays wages.\nmetadata: { helper.requiredRoles: "Accounting" }\n---\nOnly on Fridays.\n',
  'payroll/references/wages.txt': 'Ann: 1,000\n',
};

async function started(settings: object = { enableSkills: true, skillsFolder: folderOf(files).path }): Promise<string> {
  const more = { auth: { jwt: { secret: tokenSecret } }, mcpCallerPrincipal: 'fromToken', mcpServerEnabled: true };
  const { url } = await scriptedServer({ scripts: [], plugin: mcpPlugin, settings: { ...more, ...settings } });
  return `${url}/mcp`;
}

async function connected(address: string, era: 'modern' | 'legacy', roles?: readonly string[]): Promise<SkillsClient> {
  const token = roles === undefined ? undefined : await makeToken({ sub: 'ann', role: roles });
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  const mode = era === 'modern' ? ({ versionNegotiation: { mode: 'auto' } } as const) : {};
  const client = new Client({ name: 'test', version: '1' }, mode);
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
  onTestFinished(() => client.close());
  return new SkillsClient(client);
}

/** The answer to a client that asks for an address, whatever a list says. */
async function readOver(address: string, uri: string): Promise<string> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }),
  });
  return answer.text();
}

describe('skills over MCP (contract/mcp-server.md#skills)', () => {
  // proves service-2.13-40, service-2.13-42
  it.each(['modern', 'legacy'] as const)('gives the official client skills that it can verify: %s', async (era) => {
    const skills = await connected(await started(), era);
    expect(skills.supported).toBe(true);
    const listed = await skills.list();
    expect(listed.skills.map(({ uri }) => uri)).toEqual(['skill://returns/SKILL.md']);
    const [entry] = listed.skills;
    if (entry === undefined) throw new Error('no skill is listed');
    expect(entry.frontmatter).toEqual({
      name: 'returns',
      description: 'Takes goods back: all of them.',
      license: 'MIT',
      metadata: { author: 'Ann' },
    });
    const main = await skills.read(entry);
    expect([main.verified, main.body?.trim()]).toEqual([true, '# Returns\n\nAsk for the order first.']);
    const file = await skills.read(entry, 'references/limits.md');
    expect([file.verified, file.text]).toEqual([true, 'Thirty days.\n']);
    expect((await skills.get('skill://returns/SKILL.md')).skill.uri).toBe(entry.uri);
  });

  // proves service-2.13-41
  it('shows a skill with roles to their holders alone, and says to nobody who they are', async () => {
    const address = await started();
    const holder = await connected(address, 'modern', ['Accounting']);
    const { skills } = await holder.list();
    expect(skills.map(({ frontmatter }) => frontmatter.name)).toEqual(['payroll', 'returns']);
    const [payroll] = skills;
    if (payroll === undefined) throw new Error('no skill is listed');
    const main = await holder.read(payroll);
    expect(main.text).toContain('Only on Fridays.');
    expect(main.text).not.toContain('Accounting');
    for (const roles of [undefined, ['Sales']]) {
      const other = await connected(address, 'modern', roles);
      expect((await other.list()).skills.map(({ uri }) => uri)).toEqual(['skill://returns/SKILL.md']);
      await expect(other.get('skill://payroll/SKILL.md')).rejects.toThrow();
      // The entry tells another caller nothing either.
      await expect(other.read(payroll)).rejects.toThrow();
      await expect(other.read(payroll, 'references/wages.txt')).rejects.toThrow();
    }
  });

  // proves service-2.13-43
  it.each([
    'skill://returns/../payroll/SKILL.md',
    'skill://returns/%2e%2e/payroll/SKILL.md',
    'skill://returns/references/..%2f..%2f..%2fpayroll%2fwages.txt',
    'skill://returns/%2fetc%2fpasswd',
    'skill://returns/%zz',
    'file:///etc/passwd',
    'skill://returns',
  ])('reads no file but those of its skills: %s', async (uri) => {
    const address = await started();
    expect(await readOver(address, 'skill://returns/references/limits.md')).toContain('Thirty days.');
    const text = await readOver(address, uri);
    expect(text).toContain('"error"');
    expect(text).not.toMatch(/Fridays|root:/);
  });

  // proves service-2.13-42
  it('leaves a skill out that the extension has no form for', async () => {
    const more = { 'größe/SKILL.md': '---\nname: größe\ndescription: Measures.\n---\nMeasure twice.\n' };
    const skillsFolder = folderOf({ ...files, ...more }).path;
    const address = await started({ enableSkills: true, skillsFolder });
    const skills = await connected(address, 'modern');
    expect((await skills.list()).skills.map(({ uri }) => uri)).toEqual(['skill://returns/SKILL.md']);
    for (const name of ['größe', encodeURIComponent('größe')]) {
      const text = await readOver(address, `skill://${name}/SKILL.md`);
      expect(text).toContain('"error"');
      expect(text).not.toContain('Measure twice');
    }
  });

  // proves service-2.13-43
  it('lists no resources', async () => {
    const address = await started();
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(address)));
    onTestFinished(() => client.close());
    expect((await client.listResources()).resources).toEqual([]);
  });

  // proves service-2.13-40
  it('has no such extension without skills', async () => {
    expect((await connected(await started({}), 'modern')).supported).toBe(false);
  });
});
