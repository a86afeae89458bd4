/** The reply to a message as it comes: yields all of it so far, once per piece that arrives. */
export async function* readReply(message, signal) {
  const response = await fetch('/replies/text', { method: 'POST', body: message, signal });
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true });
    yield text;
  }
}
