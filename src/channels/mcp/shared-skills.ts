import { type Skill as Entry, skillEntry, type SkillSource } from '@modelcontextprotocol/server/ext/skills';
import type { Logger } from '../../core/ports/logger.ts';
import type { Skill } from '../../core/ports/skill-source.ts';

/** What clients know of a skill: its files with their digests. Undefined where the rules of the protocol leave no entry. */
const entries = new WeakMap<Skill, Promise<Entry | undefined>>();

const mainFile = 'SKILL.md';

/**
 * The skills of one caller in the form of the protocol's extension for skills (contract/mcp-server.md#skills). Files are read when they are
 * asked for, and nothing but digests is kept of them.
 */
export function sharedSkills(
  offered: () => Promise<readonly Skill[]>,
  log: Pick<Logger, 'debug' | 'warn'>,
): SkillSource {
  const entryOf = (skill: Skill): Promise<Entry | undefined> => {
    const known = entries.get(skill) ?? entryOrNone(skill, log);
    entries.set(skill, known);
    return known;
  };
  const skillAt = async (uri: string): Promise<Skill | undefined> => {
    const name = partsOf(uri)?.name;
    return (await offered()).find((skill) => skill.name === name);
  };
  return {
    list: async () => {
      const skills: Entry[] = [];
      // One after the other: each reads the files of its skill.
      for (const skill of await offered()) {
        const entry = await entryOf(skill);
        if (entry !== undefined) skills.push(entry);
      }
      return { skills };
    },
    get: async (uri) => {
      const skill = await skillAt(uri);
      const entry = skill && (await entryOf(skill));
      return entry?.uri === uri ? entry : undefined;
    },
    read: async (uri) => {
      const skill = await skillAt(uri);
      const file = partsOf(uri)?.file;
      if (skill === undefined || file === undefined) return undefined;
      if (file === mainFile) return { text: mainText(skill), mimeType: 'text/markdown' };
      const text = await skill.read(file);
      return text === undefined ? undefined : { text };
    },
  };
}

async function entryOrNone(skill: Skill, log: Pick<Logger, 'warn'>): Promise<Entry | undefined> {
  try {
    const files: Record<string, string> = { [mainFile]: mainText(skill) };
    for (const name of await skill.resources()) {
      const text = await skill.read(name);
      if (text !== undefined) files[name] = text;
    }
    return await skillEntry(skill.name, files);
  } catch (error) {
    log.warn({ error, skill: skill.name }, 'a skill is not offered over MCP');
    return undefined;
  }
}

/** The skill as a file. Who may use it is nobody's business but the server's, so that is left out. */
function mainText({ name, description, license, compatibility, allowedTools, metadata, instructions }: Skill): string {
  const facts = {
    name,
    description,
    license,
    compatibility,
    'allowed-tools': allowedTools?.join(' '),
    metadata: metadata !== undefined && Object.keys(metadata).length > 0 ? metadata : undefined,
  };
  // JSON is YAML.
  const lines = Object.entries(facts).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`],
  );
  return ['---', ...lines, '---', '', instructions.trim(), ''].join('\n');
}

/** The skill and the file that an address names. Undefined for any other address. */
function partsOf(uri: string): { readonly name: string; readonly file: string } | undefined {
  const [, name, file] = /^skill:\/\/([^/]+)\/(.+)$/.exec(uri) ?? [];
  if (name === undefined || file === undefined) return undefined;
  try {
    return { name: decodeURIComponent(name), file: file.split('/').map(decodeURIComponent).join('/') };
  } catch {
    return undefined;
  }
}
