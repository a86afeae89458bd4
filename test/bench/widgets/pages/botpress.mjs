// The components of its guide for a window of one's own. Its cloud is replaced by messages that this page holds.
import { Chat, Fab, StylesheetProvider } from '@botpress/webchat';
import '@botpress/webchat/dist/style.css';
import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { readReply } from './read-reply.mjs';

const configuration = { botName: 'Assistant', botDescription: 'Your virtual assistant', version: 'v2' };
const participants = [
  { id: 'user', name: 'You' },
  { id: 'bot', name: 'Assistant' },
];

const message = (id, authorId, text) => ({
  id,
  authorId,
  timestamp: new Date(),
  status: 'processed',
  block: { type: 'bubble', block: { type: 'text', text } },
});

function App() {
  const [open, setOpen] = useState(false);
  const [messages, setMessages] = useState([]);
  const sendMessage = async ({ text }) => {
    const id = String(Date.now());
    setMessages((before) => [...before, message(`${id}-user`, 'user', text)]);
    for await (const reply of readReply(text)) {
      setMessages((before) => [...before.filter((one) => one.id !== id), message(id, 'bot', reply)]);
    }
  };
  const place = { position: 'fixed', right: '20px', bottom: '90px', width: '400px', height: '600px' };
  return h(
    'div',
    null,
    h(StylesheetProvider, { color: '#2563eb', themeMode: 'light' }),
    h(Chat, {
      configuration,
      participants,
      messages,
      sendMessage,
      connected: true,
      user: { userId: 'user', userToken: 'none' },
      isOpen: open,
      closeWindow: () => setOpen(false),
      style: { ...place, display: open ? 'flex' : 'none' },
    }),
    h(Fab, {
      onClick: () => setOpen(!open),
      style: { position: 'fixed', right: '20px', bottom: '20px', width: '56px', height: '56px' },
    }),
  );
}

createRoot(document.getElementById('app')).render(h(App));
