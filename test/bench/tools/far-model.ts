import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { certificate, key } from '../../unit/config/certificates.ts';

/** A model server over TLS that is some milliseconds away. */
export interface FarModel {
  /** For `baseUrl`. */
  readonly url: string;
  close(): void;
}

/** `roundTripMs` is added to each round trip, the handshake of TCP included. */
export async function startFarModel(roundTripMs: number): Promise<FarModel> {
  const model = createHttpsServer({ key, cert: certificate, keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume();
    request.on('end', () => {
      if (request.method !== 'POST') response.writeHead(405).end();
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(reply);
    });
  });
  const modelPort = await listening(model);
  const line = createServer({ pauseOnConnect: true }, (near) => {
    const far = connect(modelPort, '127.0.0.1');
    delay(near, far, roundTripMs / 2);
    delay(far, near, roundTripMs / 2);
    void sleep(roundTripMs).then(() => near.resume());
  });
  const port = await listening(line);
  return {
    url: `https://localhost:${String(port)}/v1`,
    close: () => {
      line.close();
      model.closeAllConnections();
      model.close();
    },
  };
}

const chunk = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'far', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const reply = `${chunk({ role: 'assistant', content: 'Hello' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`;

function delay(from: Socket, to: Socket, milliseconds: number): void {
  const later = (what: () => void): void => {
    setTimeout(what, milliseconds);
  };
  from.on('data', (bytes) => {
    later(() => {
      if (!to.destroyed) to.write(bytes);
    });
  });
  from.on('error', () => to.destroy());
  from.on('close', () => {
    later(() => to.destroy());
  });
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port; // it listens on a port
}
