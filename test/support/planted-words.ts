import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folderOf } from './skill-folder.ts';

/** For whom something is planted: a tenant, or a role. */
const owners = ['tenant', 'role'] as const;
type Owner = (typeof owners)[number];

/** Words that nobody else says, each with the place where it is planted. */
export class PlantedWords {
  readonly #places = new Map<string, string>();

  /** A new word for a place. Its letters are those of a name of a skill and of an action. */
  plant(place: string): string {
    const number = this.#places.size;
    const word = `xq${String.fromCharCode(97 + Math.floor(number / 26), 97 + (number % 26))}vorzu`;
    this.#places.set(word, place);
    return word;
  }

  get count(): number {
    return this.#places.size;
  }

  /** The places whose words stand in a text. */
  placesIn(text: string): readonly string[] {
    const lower = text.toLowerCase();
    return [...this.#places].filter(([word]) => lower.includes(word)).map(([, place]) => place);
  }

  /** The places whose words do not. */
  placesMissingIn(text: string): readonly string[] {
    const found = this.placesIn(text);
    return [...this.#places.values()].filter((place) => !found.includes(place));
  }
}

/** What is planted for the users of the tenant `north` and for those with the role `Boss`. */
export interface Garden {
  readonly words: PlantedWords;
  /** The settings of a server where it is planted. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Calls that reach everything which only calls reach. */
  readonly calls: readonly { readonly name: string; readonly arguments: object }[];
}

/** Plants words in documents, skills and actions. All that is planted is also about the harvest, so that one question finds it. */
export function plantGarden(): Garden {
  const words = new PlantedWords();
  const { path } = folderOf({});
  const parts = owners.map((owner) => plantFor(owner, words, path));
  const plugin = join(path, 'plugins/garden/index.js');
  write(plugin, pluginText(parts.map(({ plugin }) => plugin)));
  return {
    words,
    calls: parts.flatMap(({ calls }) => calls),
    settings: {
      actions: { plugins: [join(path, 'plugins')] },
      tenancy: { claim: 'org' },
      useRag: true,
      showRagSources: true,
      ragResultCount: 50,
      ragMinScore: 0,
      ragSources: [
        { type: 'files', name: 'open', path: join(path, 'open'), urlPrefix: '/help/' },
        { type: 'files', name: 'north', path: join(path, 'closed-tenant'), tenants: ['nor*'], urlPrefix: '/north/' },
        { type: 'files', name: 'boss', path: join(path, 'closed-role'), requiredRoles: ['Boss'], urlPrefix: '/boss/' },
      ],
      enableSkills: true,
      skillsFolder: join(path, 'skills'),
    },
  };
}

interface Planted {
  readonly plugin: { readonly actions: object; readonly documents: object; readonly skills: object };
  readonly calls: Garden['calls'];
}

function plantFor(owner: Owner, words: PlantedWords, path: string): Planted {
  const plant = (place: string): string => words.plant(`${place} of a ${owner}`);
  const yaml = owner === 'tenant' ? 'tenants: [nor*]' : 'requiredRoles: [Boss]';
  const members = owner === 'tenant' ? { tenants: ['nor*'] } : { requiredRoles: ['Boss'] };
  write(
    join(path, 'open', `${owner}.txt`),
    `---\n${yaml}\ntitle: ${plant('title')}\nurl: /${plant('url')}\nauthor: ${plant('fact')}\n${plant('key of a fact')}: x\n---\nThe harvest ${plant('body')}.`,
  );
  const hidden = join(path, 'open', plant('folder name'), `${plant('file name')}.html`);
  write(
    hidden,
    `<h1>${plant('first heading')}</h1><p>harvest</p><h2>${plant('heading')}</h2><p>harvest ${plant('paragraph')}</p>`,
  );
  write(`${hidden}.meta.yaml`, yaml);
  write(
    join(path, `closed-${owner}`, `${plant('file name in a source')}.txt`),
    `The harvest ${plant('body in a source')}.`,
  );
  const key = owner === 'tenant' ? 'helper.tenants: nor*' : 'helper.requiredRoles: Boss';
  const [skill, file] = [plant('skill name'), `${plant('name of a file of a skill')}.txt`];
  write(
    join(path, 'skills', skill, 'SKILL.md'),
    `---\nname: ${skill}\ndescription: ${plant('skill description')}\nmetadata: { ${key} }\n---\n${plant('skill instructions')}\n`,
  );
  write(join(path, 'skills', skill, file), plant('text of a file of a skill'));
  const [own, resource] = [plant('skill name in code'), plant('resource name in code')];
  // The name of an action that needs a role is known to all, so that the refusal can name it.
  const isOfTenant = owner === 'tenant';
  const action = isOfTenant ? `tell_${plant('action name')}` : 'tell_boss';
  return {
    plugin: {
      actions: {
        ...members,
        name: action,
        title: isOfTenant ? plant('action title') : 'Tell',
        description: isOfTenant ? plant('action description') : 'Tells.',
        parameters: isOfTenant
          ? { type: 'object', properties: { [plant('parameter')]: { description: plant('parameter description') } } }
          : { type: 'object' },
        result: plant('action result'),
      },
      documents: {
        ...members,
        title: plant('title in code'),
        content: plant('content in code'),
        sourceUrl: `/${plant('url in code')}`,
        metadata: { [plant('key of a fact in code')]: plant('fact in code') },
        score: 9,
      },
      skills: {
        ...members,
        name: own,
        description: plant('skill description in code'),
        content: plant('skill instructions in code'),
        resources: { [resource]: plant('resource in code') },
      },
    },
    calls: [
      { name: action, arguments: {} },
      { name: 'load_skill', arguments: { skillName: skill } },
      { name: 'load_skill', arguments: { skillName: own } },
      { name: 'read_skill_resource', arguments: { skillName: skill, resourceName: file } },
      { name: 'read_skill_resource', arguments: { skillName: own, resourceName: resource } },
    ],
  };
}

function pluginText(parts: readonly Planted['plugin'][]): string {
  return `const parts = ${JSON.stringify(parts)};
export default {
  name: 'garden',
  actions: parts.map(({ actions: { result, ...action } }) => ({ ...action, readOnly: true, execute: () => result })),
  skills: parts.map(({ skills }) => skills),
  providers: { ragSources: [{ name: 'garden', search: () => parts.map(({ documents }) => documents) }] },
};
`;
}

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
