/** The endpoints of the server, which no link and no picture may lead to (contract/widget.md#links). */
export interface Endpoints {
  /** Complete addresses. Everything below them counts as well. */
  readonly endpoints?: readonly string[];
  /** The address to which relative ones belong. */
  readonly base?: string;
}

/** Whether an address, however it is written, is an endpoint of the server or lies below one. */
export function isEndpoint(address: string, { endpoints = [], base }: Endpoints): boolean {
  if (!URL.canParse(address, base)) return false;
  const { host, pathname } = new URL(address, base);
  const asked = `${plain(pathname)}/`;
  return endpoints.some((endpoint) => {
    const own = new URL(endpoint);
    return own.host === host && asked.startsWith(`${plain(own.pathname)}/`);
  });
}

/** A path as a server may understand it: with its characters decoded, its dots and empty parts resolved. */
function plain(pathname: string): string {
  const parts: string[] = [];
  for (const part of decoded(pathname).toLowerCase().split(/[/\\]/)) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
