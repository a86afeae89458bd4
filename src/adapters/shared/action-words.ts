import type { ConfirmWords, WordsByLanguage } from '../../core/events/action-words.ts';
import { languageOf, namesInTitle } from '../../core/tools/action-words.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { languageTags } from '../../wire/client-settings.ts';
import { hasMembers, type Members } from './members.ts';

/** A text in one language, or in several by the tag of the language, such as `{en: 'Orders', de: 'Bestellungen'}`. */
export type Localized = string | Readonly<Record<string, string>>;

/** The words of an action as its author declares them. */
export interface DeclaredWords {
  readonly title?: Localized | undefined;
  readonly description: Localized;
  readonly confirm?: Readonly<Partial<Record<keyof ConfirmWords, Localized | undefined>>> | undefined;
}

/** The tags of the languages in which words may be given. */
export const wordTags: readonly string[] = Object.values(languageTags).map(languageOf);

/** What a schema says of a text that may stand in several languages. */
export const localizedSchema = (maxLength: number) =>
  ({
    type: ['string', 'object'],
    minLength: 1,
    maxLength,
    minProperties: 1,
    propertyNames: { enum: wordTags },
    additionalProperties: { type: 'string', minLength: 1, maxLength },
  }) as const;

/** The words of a question that an action may have. */
export const confirmMembers = ['title', 'approve', 'decline'] as const satisfies readonly (keyof ConfirmWords)[];

/** The words of a tool. `labels`: those of its arguments, by language and name. */
export function wordsOf(
  { title, description, confirm }: DeclaredWords,
  otherTitle: string,
  labels: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): Pick<Tool, 'title' | 'description' | 'confirm' | 'languages'> {
  const asked = Object.fromEntries(
    confirmMembers.flatMap((member) => (confirm?.[member] === undefined ? [] : [[member, first(confirm[member])]])),
  );
  const tags = new Set(
    [title, description, ...Object.values(confirm ?? {})].flatMap(tagsOf).concat(Object.keys(labels)),
  );
  const languages: WordsByLanguage = Object.fromEntries(
    [...tags].map((tag) => {
      const inTag = Object.fromEntries(confirmMembers.flatMap((member) => memberIn(member, confirm?.[member], tag)));
      const words = {
        ...Object.fromEntries([...memberIn('title', title, tag), ...memberIn('description', description, tag)]),
        ...(Object.keys(inTag).length === 0 ? {} : { confirm: inTag }),
        ...(labels[tag] === undefined ? {} : { labels: labels[tag] }),
      };
      return [tag, words];
    }),
  );
  return {
    title: title === undefined ? otherTitle : first(title),
    description: first(description),
    ...(Object.keys(asked).length === 0 ? {} : { confirm: asked }),
    ...(tags.size === 0 ? {} : { languages }),
  };
}

/** Why the titles of a question cannot be filled: they name what is no argument, or one that is no text and no number. */
export function confirmFaults({ confirm }: Pick<DeclaredWords, 'confirm'>, parameters: Members): readonly string[] {
  const title = confirm?.title;
  const titles = title === undefined ? [] : typeof title === 'string' ? [title] : Object.values(title);
  const { properties } = parameters;
  const known = hasMembers(properties) ? properties : {};
  return [...new Set(titles.flatMap(namesInTitle))].flatMap((name) => {
    if (!Object.hasOwn(known, name))
      return [`names {${name}}, which is no argument; there are: ${Object.keys(known).join(', ') || 'none'}`];
    const property = known[name];
    const type = hasMembers(property) ? property['type'] : undefined;
    const isText = [undefined, 'string', 'number', 'integer'].some((allowed) => allowed === type);
    return isText ? [] : [`names {${name}}, which is neither a text nor a number`];
  });
}

/** Takes the titles in several languages out of the arguments of a schema. Each keeps its first. */
export function takeLabels(schema: Members): {
  readonly schema: Members;
  readonly labels?: Readonly<Record<string, Readonly<Record<string, string>>>>;
} {
  const { properties } = schema;
  if (!hasMembers(properties)) return { schema };
  const labels: Record<string, Record<string, string>> = {};
  const plain = Object.entries(properties).map(([name, property]): [string, unknown] => {
    const title = hasMembers(property) ? property['title'] : undefined;
    if (!hasMembers(property) || !hasMembers(title)) return [name, property];
    const fault = localizedFault(title);
    if (fault !== undefined) throw new Error(`the title of ${name} ${fault}`);
    const texts = title as Readonly<Record<string, string>>; // has no fault
    for (const [tag, text] of Object.entries(texts)) labels[tag] = { ...labels[tag], [name]: text };
    return [name, { ...property, title: first(texts) }];
  });
  if (Object.keys(labels).length === 0) return { schema };
  return { schema: { ...schema, properties: Object.fromEntries(plain) }, labels };
}

/** Why a value is no text in one or several languages. */
export function localizedFault(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? 'must be text that is not blank' : undefined;
  if (!hasMembers(value) || Object.keys(value).length === 0)
    return 'must be text, or a text for each of several languages';
  const unknown = Object.keys(value).find((tag) => !wordTags.includes(tag));
  if (unknown !== undefined) return `has the language ${unknown}; there are: ${wordTags.join(', ')}`;
  const isBlank = Object.values(value).some((text) => typeof text !== 'string' || text.trim() === '');
  return isBlank ? 'must have texts that are not blank' : undefined;
}

function memberIn(member: string, text: Localized | undefined, tag: string): readonly [string, string][] {
  const found = text === undefined || typeof text === 'string' ? undefined : text[tag];
  return found === undefined ? [] : [[member, found]];
}

function tagsOf(text: Localized | undefined): readonly string[] {
  return text === undefined || typeof text === 'string' ? [] : Object.keys(text);
}

/** The text itself, else the English one, else the first. */
function first(text: Localized): string {
  return typeof text === 'string' ? text : (text['en'] ?? Object.values(text)[0] ?? '');
}
