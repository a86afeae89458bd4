/** The schemes of addresses that a port listens at. */
const netSchemes: readonly string[] = ['redis:', 'rediss:'];

/** Whether a text is the address of one Redis server: of a port, with a database's number as its path, or of a socket. */
export function isRedisUrl(text: string): boolean {
  const url = readableUrl(text);
  if (url === undefined) return false;
  if (url.protocol === 'redis+unix:') return url.pathname.length > 1 && /^(\?db=\d{1,3})?$/.test(url.search);
  return isOfPort(url) && /^\/?(\d{1,3})?$/.test(url.pathname);
}

/** Whether a text is the address of a Sentinel or of a node of a Redis Cluster. These have no databases to choose from. */
export function isRedisNodeUrl(text: string): boolean {
  const url = readableUrl(text);
  return url !== undefined && isOfPort(url) && /^\/?$/.test(url.pathname);
}

function isOfPort({ protocol, hostname, search }: URL): boolean {
  return netSchemes.includes(protocol) && hostname !== '' && search === '';
}

/** The parts of an address; undefined when it has a part that would be lost, such as a password with a `#` that is not encoded. */
function readableUrl(text: string): URL | undefined {
  if (/[\s#]/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return [url.username, url.password, url.pathname].every(isDecodable) ? url : undefined;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
