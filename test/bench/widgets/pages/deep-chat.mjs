// One tag, and a server that streams, as its guide says. It has no launcher and no panel of its own.
import 'deep-chat';

const chat = document.createElement('deep-chat');
chat.connect = { url: '/replies/deep-chat', stream: true };
chat.textInput = { placeholder: { text: 'Ask me anything' } };
Object.assign(chat.style, { position: 'fixed', right: '20px', bottom: '20px', width: '400px', height: '600px' });
document.getElementById('app').append(chat);
