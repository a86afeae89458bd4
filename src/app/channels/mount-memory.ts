import { memoryChannel } from '../../channels/memory/memory-channel.ts';
import { UserMemory } from '../../core/memory/user-memory.ts';
import type { MountChannel } from './mount-channel.ts';

/** The endpoints for users to see, correct and erase what is remembered about them (contract/memory.md#requests). */
export const mountMemory: MountChannel = (http, services) => {
  const { settings, current, assistant, elsewhere, admission, memory, times } = services;
  const { basePath, channels } = settings.server;
  if (channels.length === 0) return;
  void http.register(memoryChannel, {
    basePath,
    assistant,
    memory: new UserMemory(memory, times),
    isOn: () => current().useMemoryContext,
    elsewhere,
    admission,
  });
};
