/**
 * How a connection ended. `graceful`: the client said so (a Close message, or a WebSocket close with 1000 or no code).
 * Everything else, our own closes and a page that is left included, is `dropped`: the client may come back. `lost`: it could
 * have come back to this very connection, and its time to do so is over.
 */
export type Ending = 'graceful' | 'dropped' | 'lost';
