import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const leastPort = 10_000;

/**
 * A port that nobody listens on now, for a server that must know its own address before it starts. Where it can be, it is none of
 * those that the system gives to connections and to listeners without a port, so no other test is given it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    const port = randomInt(leastPort, firstGivenPort());
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** The lowest of the ports that the system gives. */
function firstGivenPort(): number {
  try {
    const [first = ''] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split('\t');
    return Math.max(Number(first), leastPort + 5_000);
  } catch {
    return 32_768; // other systems give none below it
  }
}
