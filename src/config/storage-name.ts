import type { StorageSettings } from './settings.ts';

/** Where the data is, for people and the log, without a password. Null: nothing is kept. */
export function storageName({ type, path, url }: StorageSettings): string | null {
  switch (type) {
    case 'memory':
      return null;
    case 'embedded':
      return path;
    case 'postgres':
      return `PostgreSQL ${addressOf(url)}`;
  }
}

/** The address may have its host among the parameters, as that of a socket has. Such an address is not one that `URL` reads. */
function addressOf(url: string): string {
  const [address = '', parameters] = url.replace(/^[^/]*\/\//, '').split('?');
  // A password with a question mark in it stands before an @ that is among the parameters here.
  if (!address.includes('@') && url.includes('@')) return 'at an address that cannot be shown';
  const [host = '', ...path] = address.slice(address.lastIndexOf('@') + 1).split('/');
  return [host || (new URLSearchParams(parameters).get('host') ?? 'localhost'), ...path].join('/');
}
