/**
 * How a connection ended. `graceful`: the client has said so, with a Close message or a WebSocket close with 1000 or no code. `dropped`:
 * any other end, such as a close by this server or a closed page. The client may come back. `lost`: the client could have returned to this
 * connection, but the time for that is over.
 */
export type Ending = 'graceful' | 'dropped' | 'lost';
