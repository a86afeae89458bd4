import { isDeeperThan, maxArgumentLevels } from '../../../core/base/json-depth.ts';
import { inexactParts } from '../../../core/base/exact-json.ts';
import { readArguments } from '../../../core/tools/mend-arguments.ts';
import { objectOf } from '../json-values.ts';
import { longestName, type SchemaDialect } from './schema-dialect.ts';

/**
 * The names of one place in the arguments of a tool, as the author has given them and as the provider takes them. All schemas that describe
 * the same place share one site.
 */
export class ArgumentSite {
  readonly #dialect: SchemaDialect;
  /** The names that authors have given anywhere in the schema. No other name may become one of them. */
  readonly #declared: ReadonlySet<string>;
  readonly #sent = new Map<string, string>();
  readonly #original = new Map<string, string>();
  readonly #members = new Map<string, ArgumentSite>();
  #items: ArgumentSite | undefined;
  #others: ArgumentSite | undefined;

  constructor(dialect: SchemaDialect, declared: ReadonlySet<string>) {
    this.#dialect = dialect;
    this.#declared = declared;
  }

  /** Whether any name at this place, or beneath it, is another one for the provider. */
  get isRenamed(): boolean {
    if (this.#sent.size > 0 || this.#items?.isRenamed === true || this.#others?.isRenamed === true) return true;
    return [...this.#members.values()].some((site) => site.isRenamed);
  }

  /** The name that the provider takes for this one. */
  nameOf(name: string): string {
    if (this.#dialect.names.test(name)) return name;
    const known = this.#sent.get(name);
    if (known !== undefined) return known;
    const given = this.#free(cleanName(name));
    this.#sent.set(name, given);
    this.#original.set(given, name);
    return given;
  }

  /** The place of a member, by the name that its author has given it. */
  member(name: string): ArgumentSite {
    const site = this.#members.get(name) ?? this.#inner();
    this.#members.set(name, site);
    return site;
  }

  get items(): ArgumentSite {
    this.#items ??= this.#inner();
    return this.#items;
  }

  /** The place of the members that no name is declared for. */
  get others(): ArgumentSite {
    this.#others ??= this.#inner();
    return this.#others;
  }

  /** A value with the names that the provider takes. */
  sent(value: unknown): unknown {
    return this.#renamed(value, (name) => ({ name: this.#sent.get(name) ?? name, original: name }), 'sent');
  }

  /** A value with the names of the author. */
  original(value: unknown): unknown {
    if (typeof value === 'string') return this.#originalText(value);
    const back = (given: string): { readonly name: string; readonly original: string } => {
      const original = this.#original.get(given) ?? given;
      return { name: original, original };
    };
    return this.#renamed(value, back, 'original');
  }

  /** A model may write an object or a list as text. Where names are others, its text is not meant for itself. */
  #originalText(text: string): unknown {
    return this.isRenamed ? renamedArguments(text, (value) => this.original(value)) : text;
  }

  #renamed(
    value: unknown,
    nameOf: (given: string) => { readonly name: string; readonly original: string },
    direction: 'sent' | 'original',
  ): unknown {
    if (Array.isArray(value)) return value.map((item: unknown) => this.#items?.[direction](item) ?? item);
    const members = objectOf(value);
    if (members === undefined) return value;
    const renamed: Record<string, unknown> = {};
    for (const [given, member] of Object.entries(members)) {
      const { name, original } = nameOf(given);
      const site = this.#members.get(original) ?? this.#others;
      // A model that writes both names has meant one of them: the check of the arguments refuses the other.
      renamed[Object.hasOwn(members, name) ? given : name] = site === undefined ? member : site[direction](member);
    }
    return renamed;
  }

  #inner(): ArgumentSite {
    return new ArgumentSite(this.#dialect, this.#declared);
  }

  #free(clean: string): string {
    const isFree = (name: string): boolean => !this.#declared.has(name) && !this.#original.has(name);
    if (isFree(clean)) return clean;
    for (let number = 2; ; number += 1) {
      const end = `_${String(number)}`;
      const candidate = `${clean.slice(0, longestName - end.length)}${end}`;
      if (isFree(candidate)) return candidate;
    }
  }
}

/**
 * The arguments of a call with other names, or a part of them as text. What is no JSON of an object or a list, and a value that JSON would not carry
 * unchanged, stays as it is: the check of the call refuses it.
 */
export function renamedArguments(text: string, rename: (value: unknown) => unknown): string {
  const value = readArguments(text)?.value;
  if (typeof value !== 'object' || value === null || isDeeperThan(maxArgumentLevels, value)) return text;
  return inexactParts(value).length > 0 ? text : JSON.stringify(rename(value));
}

/** `filter[status]` becomes `filter_status`, and `$top` becomes `top`. */
function cleanName(name: string): string {
  const parts = name
    .slice(0, 4 * longestName)
    .split(/[^A-Za-z0-9_]/)
    .filter((part) => part !== '');
  const clean = parts.join('_').slice(0, longestName);
  return /^[A-Za-z_]/.test(clean) ? clean : `argument_${clean}`.slice(0, longestName).replace(/_$/, '');
}
