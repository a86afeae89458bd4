import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

const agreed = {
  negotiateVersion: 1,
  connectionId: 'public',
  connectionToken: 'secret',
  availableTransports: [{ transport: 'WebSockets', transferFormats: ['Text', 'Binary'] }],
};

/** A hub that the test plays. It answers each negotiation with `answer`, and calls `speak` for each client that has sent its handshake. */
export async function rawHub(speak: (socket: WebSocket) => void, answer: object = agreed): Promise<{ url: string }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.once('message', () => {
      speak(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { url: `http://127.0.0.1:${String(port)}/hub` };
}
