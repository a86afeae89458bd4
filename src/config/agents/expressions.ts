import { nearestName } from '../../core/errors/nearest-name.ts';
import type { StartupFault } from '../../core/errors/startup-fault.ts';
import { formatPath, type KeyPath, type LocatedScalar, type LocatedValue, mapScalars } from '../located-value.ts';
import type { AgentVariables } from './agent-variables.ts';

/**
 * Replaces every text that begins with `=`: `=Env.NAME` by the value of that name, and `==text` by `=text`. Every other expression is a fault
 * (contract/agents.md#definitions). A replaced value is read as the type of its member, and is never shown.
 */
export function expandExpressions(
  root: LocatedValue,
  variables: AgentVariables,
): { readonly root: LocatedValue; readonly faults: readonly StartupFault[] } {
  const faults: StartupFault[] = [];
  const isExpression = (text: unknown): text is string => typeof text === 'string' && text.startsWith('=');
  const expanded = mapScalars(root, (scalar, path) =>
    isExpression(scalar.value) ? expand(scalar, scalar.value, path) : scalar,
  );
  return { root: expanded, faults };

  function expand(scalar: LocatedScalar, text: string, path: KeyPath): LocatedScalar {
    if (text.startsWith('==')) return { ...scalar, value: text.slice(1) };
    const name = variableIn(text);
    const found = name === undefined ? undefined : valueOf(name, variables);
    if (found !== undefined) return { ...scalar, value: found, substituted: true, typePending: true };
    faults.push({ ...scalar.place, path: formatPath(path), ...unknown(name, Object.keys(variables)) });
    return { ...scalar, value: '' };
  }
}

/** Whether a value is `=Env.NAME`, and nothing has that name. */
export function isUnknownVariable(value: LocatedValue, variables: AgentVariables): boolean {
  const name = value.kind === 'scalar' && typeof value.value === 'string' ? variableIn(value.value) : undefined;
  return name !== undefined && valueOf(name, variables) === undefined;
}

function variableIn(text: string): string | undefined {
  return /^=\s*Env\.([A-Za-z_][A-Za-z0-9_]*)\s*$/.exec(text)?.[1];
}

function valueOf(name: string, variables: AgentVariables): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

function unknown(
  name: string | undefined,
  known: readonly string[],
): { readonly message: string; readonly suggestion?: string } {
  if (name === undefined)
    return { message: 'an expression that is not known; allowed: =Env.NAME, and == for a text that begins with =' };
  if (known.length === 0)
    return { message: `=Env.${name} has no value: declarative.configurationSection names no values` };
  const near = nearestName(name, known);
  const message = `=Env.${name} has no value; the names are ${known.join(', ')}`;
  return near === undefined ? { message } : { message, suggestion: `=Env.${near}` };
}
