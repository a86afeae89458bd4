import type { ActionWords, ConfirmWords, WordsByLanguage } from '../events/action-words.ts';
import type { Tool } from './tool.ts';

type Values = Readonly<Record<string, unknown>>;
type Worded = Pick<Tool, 'title' | 'description' | 'parameters' | 'confirm' | 'languages' | 'language'>;

/** The language in which an action speaks whose author has named none. */
const unnamedLanguage = 'en';
/** Most characters of an argument in a title. The question has the whole value below it. */
const longestValue = 60;
const places = /\{([^\{\}]{1,100})\}/gv;

/** The tool with its title and its question in a language, as far as its author has given them. */
export function inLanguage<Of extends Tool>(tool: Of, tag: string): Of {
  const { confirm, languages } = tool;
  if (confirm === undefined && languages === undefined) return tool;
  const key = languageOf(tag);
  const words = languages?.[key];
  const ofBoth = { ...confirm, ...words?.confirm };
  return {
    ...tool,
    language: key,
    title: words?.title ?? tool.title,
    ...(Object.keys(ofBoth).length === 0 ? {} : { confirm: ofBoth }),
  };
}

/** The words of a question about these arguments: in the language of the server, and in all others that the author has given. */
export function wordsOfQuestion(
  tool: Worded,
  argumentsValue: Values,
): { readonly title: string; readonly description: string } & ActionWords & { readonly languages?: WordsByLanguage } {
  const { title, confirm, languages = {}, language = unnamedLanguage } = tool;
  const own = languages[language];
  const others = Object.entries(languages).map(([tag, words]): [string, ActionWords] => {
    const { confirm: asked, ...shown } = words;
    return [tag, { ...shown, ...filledMember({ ...confirm, ...asked }, tool, { argumentsValue, tag }) }];
  });
  return {
    title,
    description: own?.description ?? tool.description,
    ...(own?.labels === undefined ? {} : { labels: own.labels }),
    ...filledMember(confirm, tool, { argumentsValue, tag: language }),
    ...(others.length === 0 ? {} : { languages: Object.fromEntries(others) }),
  };
}

/** A member with the titles of a tool in several languages. No member where it has one. */
export function titlesMember({ languages = {} }: Pick<Tool, 'languages'>): {
  readonly titles?: Readonly<Record<string, string>>;
} {
  const titles = Object.entries(languages).flatMap(([tag, { title }]) => (title === undefined ? [] : [[tag, title]]));
  return titles.length === 0 ? {} : { titles: Object.fromEntries(titles) as Readonly<Record<string, string>> }; // by tag
}

/** The names of arguments that a title asks for. */
export function namesInTitle(title: string): readonly string[] {
  return [...title.matchAll(places)].map(([, name = '']) => name);
}

/** The language of a tag: `zh` for `zh-Hans`. */
export function languageOf(tag: string): string {
  return tag.split('-', 1)[0] ?? tag;
}

function filledMember(
  confirm: ConfirmWords | undefined,
  { parameters }: Pick<Tool, 'parameters'>,
  said: { readonly argumentsValue: Values; readonly tag: string },
): Pick<ActionWords, 'confirm'> {
  if (confirm === undefined) return {};
  const { title, ...buttons } = confirm;
  const filled = title === undefined ? undefined : filledTitle(title, parameters, said);
  const words = { ...(filled === undefined ? {} : { title: filled }), ...buttons };
  return Object.keys(words).length === 0 ? {} : { confirm: words };
}

/** The title with the arguments in it. Undefined where the call lacks one: the title of the action stands in then. */
function filledTitle(
  title: string,
  parameters: Values,
  { argumentsValue, tag }: { readonly argumentsValue: Values; readonly tag: string },
): string | undefined {
  const values = new Map(
    namesInTitle(title).map((name) => {
      const value = Object.hasOwn(argumentsValue, name) ? argumentsValue[name] : undefined;
      return [name, valueText(value, propertyOf(parameters, name), tag)];
    }),
  );
  if ([...values.values()].includes(undefined)) return undefined;
  return title.replaceAll(places, (_, name: string) => values.get(name) ?? '');
}

/** A value for the middle of a sentence. What could be taken for a part of the sentence stands in quotes. */
function valueText(value: unknown, schema: Values, tag: string): string | undefined {
  if (typeof value === 'number') {
    const isWhole = Number.isInteger(value);
    return isWhole ? String(value) : value.toLocaleString(tag, { maximumFractionDigits: 20 });
  }
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const day = writtenDay(value, schema['format'], tag);
  if (day !== undefined) return day;
  const characters = Array.from(value.replaceAll(/\s+/gv, ' ').trim());
  const text =
    characters.length > longestValue ? `${characters.slice(0, longestValue - 1).join('')}…` : characters.join('');
  return /^[\p{L}\p{N}\p{Sc}.,@+_\-\/#%]+$/v.test(text) ? text : `“${text.replaceAll(/["“”„«»]/gv, "'")}”`;
}

/**
 * A day (RFC 3339) as people who speak the language `tag` write it. Undefined for every other text: that of a moment stays as it is, since its
 * zone is not that of the reader.
 */
export function writtenDay(value: string, format: unknown, tag: string): string | undefined {
  if (format !== 'date' || !/^\d{4}-\d{2}-\d{2}$/v.test(value)) return undefined;
  const day = new Date(`${value}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(value)) return undefined;
  return new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(day);
}

/** The schema of an argument. Empty where there is none. */
export function propertyOf(parameters: Values, name: string): Values {
  const properties = parameters['properties'];
  const property: unknown =
    typeof properties === 'object' && properties !== null ? Reflect.get(properties, name) : undefined;
  return typeof property === 'object' && property !== null ? (property as Values) : {}; // members of unknown kinds
}
