import ts from 'typescript';
import type { Mutant } from './find-mutants.ts';

/** A mutant and the number by which it is switched on. */
export interface NumberedMutant extends Mutant {
  readonly id: number;
}

/**
 * The text of a file with all of its mutants in it. Each asks a function of the given name, with its number, whether it is on. With all
 * of them off the file does what it did.
 * @throws Error when the result does not parse.
 */
export function weaveMutants(text: string, mutants: readonly NumberedMutant[], name: string): string {
  const woven = wovenPart(text, { start: 0, end: text.length }, { mutants: outermostFirst(mutants), name });
  const { diagnostics } = ts.transpileModule(woven, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  });
  const fault = diagnostics?.[0];
  if (fault !== undefined) throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, '\n'));
  return woven;
}

function outermostFirst(mutants: readonly NumberedMutant[]): readonly NumberedMutant[] {
  return [...mutants].sort((a, b) => a.start - b.start || b.end - a.end || a.id - b.id);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Thread {
  /** Those of the range, outermost first. */
  readonly mutants: readonly NumberedMutant[];
  readonly name: string;
}

function wovenPart(text: string, { start, end }: Range, { mutants, name }: Thread): string {
  let woven = '';
  let position = start;
  let waiting = mutants;
  for (let outer = waiting[0]; outer !== undefined; outer = waiting[0]) {
    const { end: outerEnd } = outer;
    const inner = waiting.slice(1).filter((mutant) => mutant.start < outerEnd);
    const kept = wovenPart(text, outer, { mutants: inner, name });
    woven += text.slice(position, outer.start) + switched(outer, kept, name);
    position = outerEnd;
    waiting = waiting.slice(1 + inner.length);
  }
  return woven + text.slice(position, end);
}

function switched({ id, kind, to }: NumberedMutant, kept: string, name: string): string {
  // The braces keep an `else` with its `if`.
  if (kind === 'removed statement') return `{ if (!${name}(${String(id)})) { ${kept} } }`;
  return `(${name}(${String(id)}) ? (${to}) : (${kept}))`;
}
