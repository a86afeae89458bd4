import { withPipeline } from '../adapters/models/pipeline/with-pipeline.ts';
import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import { describeError } from '../adapters/shared/describe-error.ts';
import type { HelperSettings } from '../config/settings.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import type { ChatModel } from '../core/ports/chat-model.ts';
import { inTime } from './in-time.ts';

/** Characters of a reply where the settings have no limit, for example because the configuration has a fault. */
const usualReplyLength = 4 * 1024 * 1024;

/**
 * The model that answers users with the layers that plugins add to it (contract/models.md#own-layers). Each plugin's layer is around the
 * layers of the plugins before it. `close` of the returned model closes `model`.
 * @throws StartupFaults that name the plugin at fault.
 */
export async function withPipelines(
  model: ChatModel,
  plugins: readonly LoadedPlugin[],
  { chatClient = '', models, observabilityIncludeSensitiveData: includeSensitive }: HelperSettings,
): Promise<ChatModel> {
  const maxReplyLength = models[chatClient]?.maxReplyBytes ?? usualReplyLength;
  let outermost = model;
  for (const { name: plugin, file, hooks } of plugins) {
    const hook = hooks.configureChatClientPipeline;
    if (hook === undefined) continue;
    const configure = inTime((beneath: Parameters<typeof hook>[0]) => hook(beneath));
    try {
      outermost = await withPipeline(outermost, { plugin, configure, maxReplyLength, includeSensitive });
    } catch (error) {
      const path = `${plugin}.hooks.configureChatClientPipeline`;
      throw new StartupFaults([{ file, path, message: describeError(error) }]);
    }
  }
  return outermost;
}
