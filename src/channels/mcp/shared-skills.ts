import { type Skill as Entry, skillEntry, type SkillSource } from '@modelcontextprotocol/server/ext/skills';
import type { Logger } from '../../core/ports/logger.ts';
import type { Skill } from '../../core/ports/skill-source.ts';

const mainFile = 'SKILL.md';

/**
 * The skills in the form of the protocol's extension for skills (contract/mcp-server.md#skills). Files are read when they are asked for, and
 * nothing but digests is kept of them.
 */
export class SharedSkills {
  readonly #log: Pick<Logger, 'warn'>;
  /** What clients know of a skill. Undefined where the extension has no form for it. */
  readonly #entries = new WeakMap<Skill, Promise<Entry | undefined>>();
  /** The names of skills whose fault was told. Skills are read anew all the time, and a client decides how often. */
  readonly #told = new Set<string>();

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  /** Those of one caller. */
  of(offered: () => Promise<readonly Skill[]>): SkillSource {
    return {
      list: async () => {
        const skills: Entry[] = [];
        // One after the other: each reads the files of its skill.
        for (const skill of await offered()) {
          const entry = await this.#entryOf(skill);
          if (entry !== undefined) skills.push(entry);
        }
        return { skills };
      },
      get: async (uri) => {
        const { entry } = (await this.#found(uri, offered)) ?? {};
        return entry?.uri === uri ? entry : undefined;
      },
      read: async (uri) => {
        const found = await this.#found(uri, offered);
        if (found === undefined) return undefined;
        const { skill, file } = found;
        if (file === mainFile) return { text: mainText(skill), mimeType: 'text/markdown' };
        const text = await skill.read(file);
        return text === undefined ? undefined : { text };
      },
    };
  }

  /** The skill to which an address leads, and the file in it. */
  async #found(
    uri: string,
    offered: () => Promise<readonly Skill[]>,
  ): Promise<{ readonly skill: Skill; readonly entry: Entry; readonly file: string } | undefined> {
    const parts = partsOf(uri);
    if (parts === undefined) return undefined;
    const skill = (await offered()).find(({ name }) => name === parts.name);
    const entry = skill && (await this.#entryOf(skill));
    return skill === undefined || entry === undefined ? undefined : { skill, entry, file: parts.file };
  }

  #entryOf(skill: Skill): Promise<Entry | undefined> {
    const known = this.#entries.get(skill) ?? this.#entryOrNone(skill);
    this.#entries.set(skill, known);
    return known;
  }

  async #entryOrNone(skill: Skill): Promise<Entry | undefined> {
    const { name } = skill;
    try {
      const files: Record<string, string> = { [mainFile]: mainText(skill) };
      for (const file of await skill.resources()) {
        const text = await skill.read(file);
        if (text !== undefined) files[file] = text;
      }
      return await skillEntry(name, files);
    } catch (error) {
      if (!this.#told.has(name)) this.#log.warn({ error, skill: name }, 'a skill is not offered over MCP');
      this.#told.add(name);
      return undefined;
    }
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
