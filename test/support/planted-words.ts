import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { callbackSecret, type CallbackReceiver, json, startCallback } from './callback-receiver.ts';
import { folderOf } from './skill-folder.ts';

/** The two kinds of owners of planted words: a tenant and a role. */
const owners = ['tenant', 'role'] as const;
type Owner = (typeof owners)[number];

/** Words that occur nowhere else. Each word is planted in one place. */
export class PlantedWords {
  readonly #places = new Map<string, string>();

  /** Returns a new word for a place. The word has only letters that names of skills and actions may have. */
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

  /** The places whose words do not stand in a text. */
  placesMissingIn(text: string): readonly string[] {
    const found = this.placesIn(text);
    return [...this.#places.values()].filter((place) => !found.includes(place));
  }
}

/**
 * Planted words, and the server that has them. Some words are for the users of the tenant `north`, and the others for users with the role
 * `Boss`.
 */
export interface Garden {
  readonly words: PlantedWords;
  /** The settings of a server with the planted words. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Tool calls that reach the planted words which the model gets only through calls. */
  readonly calls: readonly { readonly name: string; readonly arguments: object }[];
  /** The service and the callback that the server asks for documents in the name of every user. */
  readonly open: readonly CallbackReceiver[];
  /** The services that the server asks only for users of `north` or only for users with the role. */
  readonly closed: readonly CallbackReceiver[];
}

/** Plants words in documents, skills and actions. Every planted text is also about the harvest, so that one question finds all of them. */
export async function plantGarden(): Promise<Garden> {
  const words = new PlantedWords();
  const { path } = folderOf({});
  const parts = owners.map((owner) => plantFor(owner, words, path));
  const plugin = join(path, 'plugins/garden/index.js');
  write(plugin, pluginText(parts.map(({ plugin }) => plugin)));
  // The service and the callback answer every user with all documents. The server must keep back the documents that a user may not see.
  const documentsOf = (place: string) => owners.map((owner) => documentFor(owner, words, place));
  const [service, callback] = [
    await serviceWith(documentsOf('a service')),
    await serviceWith(documentsOf('a callback')),
  ];
  const ofOwner = await Promise.all(owners.map((owner) => serviceWith([openDocument(owner, words)])));
  const [ofTenant, ofRole] = ofOwner.map(({ url }) => ({ type: 'http', url, secret: callbackSecret }));
  return {
    words,
    calls: parts.flatMap(({ calls }) => calls),
    open: [service, callback],
    closed: ofOwner,
    settings: {
      actions: {
        plugins: [join(path, 'plugins')],
        callbacks: [{ name: 'till', url: callback.url, secret: callbackSecret }],
      },
      tenancy: { claim: 'org' },
      useRag: true,
      showRagSources: true,
      ragResultCount: 50,
      ragMinScore: 0,
      ragSources: [
        { type: 'files', name: 'open', path: join(path, 'open'), urlPrefix: '/help/' },
        { type: 'files', name: 'north', path: join(path, 'closed-tenant'), tenants: ['nor*'], urlPrefix: '/north/' },
        { type: 'files', name: 'boss', path: join(path, 'closed-role'), requiredRoles: ['Boss'], urlPrefix: '/boss/' },
        { type: 'http', name: 'service', url: service.url, secret: callbackSecret },
        { ...ofTenant, name: 'service-north', tenants: ['nor*'] },
        { ...ofRole, name: 'service-boss', requiredRoles: ['Boss'] },
      ],
      enableSkills: true,
      skillsFolder: join(path, 'skills'),
      skillSources: [join(path, 'more-skills')],
    },
  };
}

/** A system that answers each search with these documents. */
async function serviceWith(documents: readonly object[]): Promise<CallbackReceiver> {
  const service = await startCallback({ version: 1, hooks: ['search'] });
  service.answer = json({ documents });
  return service;
}

/** A document of a service or a callback that only the owner may see. */
function documentFor(owner: Owner, words: PlantedWords, place: string): object {
  const plant = (what: string): string => words.plant(`${what} in ${place} of a ${owner}`);
  return {
    ...membersOf(owner),
    title: plant('title'),
    content: plant('content'),
    sourceUrl: `/${plant('url')}`,
    metadata: { [plant('key of a fact')]: plant('fact') },
    score: 9,
  };
}

/** A document for every user who may use its source. */
function openDocument(owner: Owner, words: PlantedWords): object {
  const place = `in a service that is for a ${owner}`;
  return { title: words.plant(`title ${place}`), content: words.plant(`content ${place}`), score: 9 };
}

function membersOf(owner: Owner): object {
  return owner === 'tenant' ? { tenants: ['nor*'] } : { requiredRoles: ['Boss'] };
}

interface Planted {
  readonly plugin: {
    readonly actions: object;
    readonly documents: object;
    readonly skills: object;
    readonly shelf: object;
  };
  readonly calls: Garden['calls'];
}

function plantFor(owner: Owner, words: PlantedWords, path: string): Planted {
  const plant = (place: string): string => words.plant(`${place} of a ${owner}`);
  const yaml = owner === 'tenant' ? 'tenants: [nor*]' : 'requiredRoles: [Boss]';
  const members = membersOf(owner);
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
  const folders = [
    plantSkill(join(path, 'skills'), owner, plant),
    plantSkill(join(path, 'more-skills'), owner, (place) =>
      words.plant(`${place} in a source of skills of a ${owner}`),
    ),
  ];
  const [own, resource] = [plant('skill name in code'), plant('resource name in code')];
  const onShelf = plant('skill name in a source in code');
  // All users may know the name of an action that needs a role, because a refusal names the action. The name is therefore not planted.
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
      shelf: {
        ...members,
        name: onShelf,
        description: plant('skill description in a source in code'),
        content: plant('skill instructions in a source in code'),
      },
    },
    calls: [
      { name: action, arguments: {} },
      ...folders.flatMap(({ skill, file }) => [
        { name: 'load_skill', arguments: { skillName: skill } },
        { name: 'read_skill_resource', arguments: { skillName: skill, resourceName: file } },
      ]),
      { name: 'load_skill', arguments: { skillName: own } },
      { name: 'load_skill', arguments: { skillName: onShelf } },
      { name: 'read_skill_resource', arguments: { skillName: own, resourceName: resource } },
    ],
  };
}

/** A skill of a folder, with a file beside it. */
function plantSkill(
  folder: string,
  owner: Owner,
  plant: (place: string) => string,
): { readonly skill: string; readonly file: string } {
  const key = owner === 'tenant' ? 'helper.tenants: nor*' : 'helper.requiredRoles: Boss';
  const [skill, file] = [plant('skill name'), `${plant('name of a file of a skill')}.txt`];
  write(
    join(folder, skill, 'SKILL.md'),
    `---\nname: ${skill}\ndescription: ${plant('skill description')}\nmetadata: { ${key} }\n---\n${plant('skill instructions')}\n`,
  );
  write(join(folder, skill, file), plant('text of a file of a skill'));
  return { skill, file };
}

function pluginText(parts: readonly Planted['plugin'][]): string {
  return `const parts = ${JSON.stringify(parts)};
export default {
  name: 'garden',
  actions: parts.map(({ actions: { result, ...action } }) => ({ ...action, readOnly: true, execute: () => result })),
  skills: parts.map(({ skills }) => skills),
  providers: {
    ragSources: [{ name: 'garden', search: () => parts.map(({ documents }) => documents) }],
    skillSources: [{ name: 'garden', skills: () => parts.map(({ shelf }) => shelf) }],
  },
};
`;
}

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
