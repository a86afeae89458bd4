// Its parts put together to a launcher and a panel, as in its example of a modal. It ships no looks: they are the page's.
import {
  AssistantModalPrimitive as Modal,
  AssistantRuntimeProvider,
  ComposerPrimitive as Composer,
  MessagePrimitive as Message,
  ThreadPrimitive as Thread,
  useLocalRuntime,
} from '@assistant-ui/react';
import { MarkdownTextPrimitive } from '@assistant-ui/react-markdown';
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import remarkGfm from 'remark-gfm';
import './assistant-ui.css';
import { readReply } from './read-reply.mjs';

const adapter = {
  async *run({ messages, abortSignal }) {
    const question = messages.at(-1).content[0].text;
    for await (const text of readReply(question, abortSignal)) yield { content: [{ type: 'text', text }] };
  },
};

const Text = () => h(MarkdownTextPrimitive, { remarkPlugins: [remarkGfm] });
const UserMessage = () => h(Message.Root, { className: 'user-message' }, h(Message.Parts));
const AssistantMessage = () => h(Message.Root, null, h(Message.Parts, { components: { Text } }));

const ThreadView = () =>
  h(
    Thread.Root,
    { className: 'thread' },
    h(
      Thread.Viewport,
      { className: 'viewport' },
      h(Thread.Empty, null, h('p', null, 'How can I help you today?')),
      h(Thread.Messages, { components: { UserMessage, AssistantMessage } }),
    ),
    h(
      Composer.Root,
      { className: 'composer' },
      h(Composer.Input, { className: 'input', placeholder: 'Send a message...', rows: 1 }),
      h(Composer.Send, { className: 'send', 'aria-label': 'Send' }, '↑'),
    ),
  );

function App() {
  return h(
    AssistantRuntimeProvider,
    { runtime: useLocalRuntime(adapter) },
    h(
      Modal.Root,
      null,
      h(
        Modal.Anchor,
        { className: 'anchor' },
        h(Modal.Trigger, { className: 'launcher', 'aria-label': 'Open the assistant' }, '?'),
      ),
      h(Modal.Content, { className: 'panel', sideOffset: 16, 'aria-label': 'Assistant' }, h(ThreadView)),
    ),
  );
}

createRoot(document.getElementById('app')).render(h(App));
