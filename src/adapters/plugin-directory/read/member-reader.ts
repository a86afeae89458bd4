import { nearestName } from '../../../core/errors/nearest-name.ts';
import { type Localized, localizedFault } from '../../shared/action-words.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import type { ReportFault } from '../fault-report.ts';

/** Reads the members of an object that a plugin exports, which is plain data of unknown shape. Every fault is reported, none is thrown. */
export class MemberReader {
  readonly #members: Members;
  readonly #report: ReportFault;

  constructor(members: Members, report: ReportFault) {
    this.#members = members;
    this.#report = report;
  }

  /** Reports every member that is not in `known`, and suggests the most similar one that is. */
  allowOnly(known: readonly string[]): void {
    for (const name of Object.keys(this.#members)) {
      if (known.includes(name)) continue;
      this.#report(name, `is not a known member; known are ${known.join(', ')}`, nearestName(name, known));
    }
  }

  /** A required text. Empty after a fault. */
  text(name: string): string {
    if (this.#members[name] !== undefined) return this.optionalText(name) ?? '';
    this.#report(name, 'is missing');
    return '';
  }

  optionalText(name: string): string | undefined {
    const value = this.#members[name];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
    this.#report(name, 'must be text that is not blank');
    return undefined;
  }

  /** A text in one language, or in several. */
  optionalWords(name: string): Localized | undefined {
    const value = this.#members[name];
    if (value === undefined) return undefined;
    const fault = localizedFault(value);
    if (fault === undefined) return value as Localized; // has no fault
    this.#report(name, fault);
    return undefined;
  }

  optionalFlag(name: string): boolean | undefined {
    const value = this.#members[name];
    if (value === undefined || typeof value === 'boolean') return value;
    this.#report(name, 'must be true or false');
    return undefined;
  }

  /** A list of texts. Empty when it is left out. */
  texts(name: string): readonly string[] {
    const items = this.list(name);
    const texts = items.filter((item): item is string => typeof item === 'string' && item.trim() !== '');
    if (texts.length < items.length) this.#report(name, 'must be a list of texts that are not blank');
    return texts;
  }

  /** A list. Empty when it is left out. */
  list(name: string): readonly unknown[] {
    const value: unknown = this.#members[name] ?? [];
    if (Array.isArray(value)) return value;
    this.#report(name, 'must be a list');
    return [];
  }

  /** An object. Empty when it is left out. */
  members(name: string): Members {
    const value = this.#members[name] ?? {};
    if (hasMembers(value)) return value;
    this.#report(name, 'must be an object');
    return {};
  }

  /** A function of the plugin, bound to its object, so that its `this` works. Undefined when it is left out. */
  optionalFunction(name: string): ((...values: readonly unknown[]) => unknown) | undefined {
    const value = this.#members[name];
    if (value === undefined) return undefined;
    if (typeof value === 'function') {
      return (...values) => {
        const returned: unknown = Reflect.apply(value, this.#members, values);
        return returned;
      };
    }
    this.#report(name, 'must be a function');
    return undefined;
  }

  /** A required function. After a fault, a function that does nothing. */
  function(name: string): (...values: readonly unknown[]) => unknown {
    if (this.#members[name] === undefined) this.#report(name, 'is missing');
    return this.optionalFunction(name) ?? ((): undefined => undefined);
  }
}
