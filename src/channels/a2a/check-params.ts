import { RequestMalformedError } from '@a2a-js/sdk/errors';

type Kind = 'text' | 'flag' | 'count' | 'object' | 'list';

/** What members of parameters are, by their names in both versions of the protocol. The same name is the same everywhere. */
const kinds: Readonly<Record<string, Kind>> = {
  ...{ text: 'text', raw: 'text', url: 'text', uri: 'text', bytes: 'text', mediaType: 'text', mimeType: 'text' },
  ...{
    filename: 'text',
    name: 'text',
    kind: 'text',
    role: 'text',
    messageId: 'text',
    contextId: 'text',
    taskId: 'text',
  },
  ...{ id: 'text', pageToken: 'text', statusTimestampAfter: 'text', tenant: 'text' },
  ...{ returnImmediately: 'flag', blocking: 'flag', includeArtifacts: 'flag' },
  ...{ historyLength: 'count', pageSize: 'count' },
  ...{ message: 'object', configuration: 'object', file: 'object' },
  ...{ parts: 'list', acceptedOutputModes: 'list', extensions: 'list', referenceTaskIds: 'list' },
};

const words: Readonly<Record<Kind, string>> = {
  text: 'a text',
  flag: 'true or false',
  count: 'a whole number',
  object: 'an object',
  list: 'a list',
};

/**
 * Checks what the members of parameters are, before the library reads them: it makes something of everything. What a client has added under
 * names of its own is not looked at.
 * @throws RequestMalformedError that names the member.
 */
export function checkParams(params: unknown): void {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return;
  for (const [name, value] of Object.entries(params)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    // A member that is null is one that is left out.
    if (kind === undefined || value === null) continue;
    if (!isOf(kind, value)) throw new RequestMalformedError(`${name} must be ${words[kind]}.`);
    if (kind === 'object') checkParams(value);
    if (kind === 'list') checkItems(name, value);
  }
}

function checkItems(name: string, items: unknown): void {
  const isParts = name === 'parts';
  if (!Array.isArray(items) || !items.every((item) => isOf(isParts ? 'object' : 'text', item)))
    throw new RequestMalformedError(`${name} must be a list of ${isParts ? 'objects' : 'texts'}.`);
  if (isParts) items.forEach(checkParams);
}

function isOf(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'flag':
      return typeof value === 'boolean';
    case 'count':
      return Number.isSafeInteger(value);
    case 'list':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
  }
}
