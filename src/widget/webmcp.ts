/** The WebMCP chunk. It is fetched where a page offers tools by WebMCP and the server wants them. */
export { followTools } from './webmcp/follow-tools.ts';
