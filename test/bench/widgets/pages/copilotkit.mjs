// The popup of its second version with an agent behind an address, which streams events of its own protocol (AG-UI).
import { HttpAgent } from '@ag-ui/client';
import { CopilotKitProvider, CopilotPopup } from '@copilotkit/react-core/v2';
import '@copilotkit/react-core/v2/styles.css';
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';

const agents = { default: new HttpAgent({ url: '/replies/ag-ui' }) };

createRoot(document.getElementById('app')).render(
  h(CopilotKitProvider, { agents__unsafe_dev_only: agents }, h(CopilotPopup, { defaultOpen: false })),
);
