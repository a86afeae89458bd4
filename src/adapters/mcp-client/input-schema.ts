import { hasMembers, type Members } from '../shared/members.ts';

const definitionKeys = ['$defs', 'definitions'] as const;

/**
 * The schema of a tool as it is offered. One without a type is that of an object, because arguments are nothing else. Definitions that
 * nothing refers to are left out: each of them would be sent to the model with every message.
 */
export function offeredSchema(declared: unknown): unknown {
  if (declared === undefined) return { type: 'object', properties: {} };
  if (!hasMembers(declared)) return declared;
  const typed = declared['type'] === undefined ? { ...declared, type: 'object' } : declared;
  return withoutUnused(typed);
}

function withoutUnused(schema: Members): Members {
  const all = new Map<string, unknown>();
  for (const key of definitionKeys) {
    const definitions = schema[key];
    if (!hasMembers(definitions)) continue;
    for (const [name, definition] of Object.entries(definitions)) all.set(pointerOf(key, name), definition);
  }
  if (all.size === 0) return schema;
  const rest = Object.entries(schema).filter(([key]) => !definitionKeys.some((one) => one === key));
  const used = new Set<string>();
  const waiting: unknown[] = [Object.fromEntries(rest)];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    for (const reference of referencesIn(part)) {
      // A reference to anything else may lead to any of them.
      if (!reference.startsWith('#/$defs/') && !reference.startsWith('#/definitions/')) return schema;
      const pointer = reference.split('/').slice(0, 3).join('/');
      if (used.has(pointer)) continue;
      used.add(pointer);
      waiting.push(all.get(pointer) ?? true);
    }
  }
  const kept = definitionKeys.flatMap((key) => {
    const definitions = schema[key];
    if (!hasMembers(definitions)) return [];
    const entries = Object.entries(definitions).filter(([name]) => used.has(pointerOf(key, name)));
    return entries.length === 0 ? [] : [[key, Object.fromEntries(entries)] as const];
  });
  return Object.fromEntries([...rest, ...kept]);
}

function pointerOf(key: string, name: string): string {
  return `#/${key}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function referencesIn(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(referencesIn);
  if (!hasMembers(part)) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    (key === '$ref' || key === '$dynamicRef') && typeof value === 'string' ? [value] : referencesIn(value),
  );
}
