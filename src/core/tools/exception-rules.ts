import { matchesGlob } from '../base/glob.ts';

/** The YAML form of `onException` (contract/errors.md#faults-of-actions): the message users see for a tool's exception. */
export interface ExceptionRule {
  readonly tool: string;
  /** Regular expression over the exception's message; every exception when left out. */
  readonly error?: string;
  readonly message: string;
}

/** Maps a tool's exception to what users see; null or empty shows the fixed text (contract/errors.md#faults-of-actions). */
export type ExceptionMapper = (
  error: Error,
  toolName: string,
) => string | null | undefined | Promise<string | null | undefined>;

/** The YAML rules as one mapper. The first rule that matches gives the message. */
export function exceptionMapper(rules: readonly ExceptionRule[]): ExceptionMapper {
  const compiled = rules.map((rule) => ({ ...rule, pattern: new RegExp(rule.error ?? '', 'u') }));
  return (error, toolName) =>
    compiled.find((rule) => matchesGlob(rule.tool, toolName) && rule.pattern.test(error.message))?.message ?? null;
}

/** The texts of an exception: one for the user in chat, and one for the model. */
export interface ExceptionTexts {
  readonly shown: string;
  readonly forModel: string;
}

/**
 * The texts of an exception (contract/errors.md#faults-of-actions, `onException`). Without mappers, the user and the model get the
 * message of the exception. With mappers, both get the first message that a mapper gives. When no mapper gives one, or a mapper before
 * it throws, the user gets `fallback` and the model gets the message of the exception.
 */
export async function exceptionTexts(
  error: Error,
  toolName: string,
  options: { readonly mappers: readonly ExceptionMapper[]; readonly fallback: string },
): Promise<ExceptionTexts> {
  if (options.mappers.length === 0) return { shown: error.message || options.fallback, forModel: error.message };
  for (const mapper of options.mappers) {
    try {
      const message = await mapper(error, toolName);
      if (typeof message === 'string' && message !== '') return { shown: message, forModel: message };
    } catch {
      break; // a mapper that throws says nothing (contract/errors.md#faults-of-actions)
    }
  }
  return { shown: options.fallback, forModel: error.message };
}
