import type { ChatModel } from '../../../core/ports/chat-model.ts';
import type { PipelineModel } from '../../../plugin-api/pipeline.ts';
import { hasMembers } from '../../shared/members.ts';
import { PipelineCall, type PipelineLayer } from './pipeline-call.ts';

/** Milliseconds for which a plugin may neither ask the model beneath nor write anything. */
const idleMs = 60_000;

/** A plugin's hook, and the limits that it is held to. */
export interface PipelineOptions extends Omit<PipelineLayer, 'run' | 'idleMs' | 'label'> {
  readonly plugin: string;
  /** Left out: 60,000. */
  readonly idleMs?: number;
  readonly configure: (model: PipelineModel) => PipelineModel | Promise<PipelineModel>;
}

/**
 * Runs a plugin's hook, which may make a layer around a model (contract/models.md#own-layers). When the plugin returns the model itself,
 * there is no layer.
 * @throws what the hook throws. @throws TypeError when it returns no model.
 */
export async function withPipeline(model: ChatModel, options: PipelineOptions): Promise<ChatModel> {
  const beneath: PipelineModel = Object.freeze({
    model: model.model,
    provider: model.provider,
    run: (given, sink) => {
      const asked = PipelineCall.ask(model, given, sink);
      // A plugin may drop this promise. Its rejection must not end the server.
      asked.catch(() => undefined);
      return asked;
    },
  } satisfies PipelineModel);
  const made: unknown = await options.configure(beneath);
  if (made === beneath) return model;
  if (!hasMembers(made) || typeof made['run'] !== 'function') {
    throw new TypeError('it must return the model that it was given, or an object with a function run');
  }
  const own = made as { run: PipelineModel['run'] }; // its `run` is a function, and its replies are checked
  const { configure: _, plugin, ...bounds } = options;
  const label = `configureChatClientPipeline of the plugin ${plugin}`;
  const layer: PipelineLayer = { idleMs, ...bounds, label, run: (request, sink) => own.run(request, sink) };
  return {
    model: model.model,
    provider: model.provider,
    isDemo: model.isDemo,
    ...(model.warmUp && { warmUp: model.warmUp.bind(model) }),
    close: () => model.close(),
    run: (request, sink) => new PipelineCall(layer, request, sink).run(),
  };
}
