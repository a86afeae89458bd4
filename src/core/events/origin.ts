/**
 * Where a piece of text came from. The server sets it by the way the text came in, never by what the text says:
 * `operator` is what the server or its configuration wrote, `model` what a model wrote.
 */
export type Origin = 'user' | 'operator' | 'model' | 'action' | 'document' | 'web' | 'mcp' | 'remote' | 'page';
