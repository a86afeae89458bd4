/** The official OpenAI client: one event per chunk, nothing else. */
import OpenAI from 'openai';
import { apiKey, baseUrl, endEventStream, instructions, model, openEventStream, servePeer } from './serve-peer.mjs';

const client = new OpenAI({ apiKey, baseURL: baseUrl });

servePeer(async (message, response) => {
  const write = openEventStream(response);
  const messages = [
    { role: 'system', content: instructions },
    { role: 'user', content: message },
  ];
  const chunks = await client.chat.completions.create({
    model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
  });
  for await (const chunk of chunks) {
    const text = chunk.choices[0]?.delta.content;
    if (text) write(text);
  }
  endEventStream(response);
});
