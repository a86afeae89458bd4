import { setTimeout as sleep } from 'node:timers/promises';
import { isDeeperThan } from '../../core/base/json-depth.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { hasMembers } from '../shared/members.ts';
import type { McpLimits } from './mcp-limits.ts';
import { type McpTool, type ReadTool, readTool } from './read-tool.ts';
import { type McpWarning, unknownNames } from './unknown-names.ts';

/** Deepest nesting of what a server declares of a tool. */
const mostLevels = 32;

export interface ToolListOptions {
  /** The name of the server. */
  readonly server: string;
  readonly allowedTools: readonly string[] | undefined;
  /** Names of tools in the configuration, by the setting that they stand in. */
  readonly named: Readonly<Record<string, readonly string[]>>;
  readonly limits: McpLimits;
  readonly log: Logger;
}

/** The tools of one MCP server, as it declared them last. */
export class ToolList {
  readonly #options: ToolListOptions;
  /** What was read, by its JSON text: what stays the same is not read again. */
  #read: ReadonlyMap<string, ReadTool> = new Map();
  #tools: readonly McpTool[] = [];
  #isKnown = false;
  #warnings: readonly McpWarning[] = [];
  /** What the log was told last of the tools that are left out. */
  #told = '';

  constructor(options: ToolListOptions) {
    this.#options = options;
  }

  /** The tools that can be used. */
  get tools(): readonly McpTool[] {
    return this.#tools;
  }

  /** The warnings about names in the configuration that the server does not have. */
  get warnings(): readonly McpWarning[] {
    return this.#warnings;
  }

  /** Whether the server has declared its tools at least once. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** The tool of this name in a list that is not taken. Undefined where the list has none that can be used. */
  async find(name: string, declared: readonly unknown[]): Promise<McpTool | undefined> {
    const { limits } = this.#options;
    const pace = new Pace();
    let left = limits.listLength;
    for (const one of declared.slice(0, limits.tools)) {
      if (!hasMembers(one) || one['name'] !== name || isDeeperThan(mostLevels, one)) continue;
      const text = JSON.stringify(one);
      left -= text.length;
      if (left < 0) break;
      const tool = this.#read.get(text) ?? (await pace.after(() => readTool(one, limits)));
      if (!('fault' in tool)) return tool;
    }
    return undefined;
  }

  /**
   * Takes a list. Resolves to whether anything is different now. A tool that cannot be used is left out, and the log says why. It also warns
   * of names that the server does not have.
   */
  async take(declared: readonly unknown[]): Promise<boolean> {
    const { limits, log } = this.#options;
    const read = new Map<string, ReadTool>();
    const inOrder: ReadTool[] = [];
    const pace = new Pace();
    let left = limits.listLength;
    for (const one of declared.slice(0, limits.tools)) {
      const text = isDeeperThan(mostLevels, one) ? 'too deep' : JSON.stringify(one);
      left -= text.length;
      if (left < 0) break;
      const known =
        text === 'too deep' ? { name: '', fault: 'is nested too deep' } : (read.get(text) ?? this.#read.get(text));
      const tool = known ?? (await pace.after(() => readTool(one, limits)));
      read.set(text, tool);
      inOrder.push(tool);
    }
    const { tools, faults } = this.#chosen(inOrder);
    if (declared.length > limits.tools)
      faults.push(`has more than ${String(limits.tools)} tools; the others are left out`);
    if (left < 0)
      faults.push(`declares more than ${String(limits.listLength)} characters of tools; the others are left out`);
    const before = this.#tools;
    this.#read = read;
    this.#tools = tools;
    this.#isKnown = true;
    for (const { name, fingerprint } of tools) {
      const former = before.find((tool) => tool.name === name);
      if (former === undefined || former.fingerprint === fingerprint) continue;
      log.warn(
        { tool: name },
        'a tool of an MCP server has changed: what was approved of the former one does not hold',
      );
    }
    const told = faults.join('\n');
    if (told !== this.#told && told !== '') log.warn({ faults }, 'tools of an MCP server are left out');
    this.#told = told;
    this.#warn(inOrder.map(({ name }) => name));
    return before.length !== tools.length || tools.some((tool, index) => tool !== before[index]);
  }

  #warn(tools: readonly string[]): void {
    const { named, server, log } = this.#options;
    const warnings = unknownNames(named, { server, tools });
    const before = new Set(this.#warnings.map(({ message }) => message));
    for (const { code, message } of warnings) if (!before.has(message)) log.warn({ code }, message);
    this.#warnings = warnings;
  }

  #chosen(read: readonly ReadTool[]): { readonly tools: readonly McpTool[]; readonly faults: string[] } {
    const { allowedTools } = this.#options;
    const faults: string[] = [];
    const tools = new Map<string, McpTool>();
    for (const tool of read) {
      if (allowedTools !== undefined && !allowedTools.includes(tool.name)) continue;
      if ('fault' in tool) faults.push(`${JSON.stringify(tool.name)} ${tool.fault}`);
      else if (tools.has(tool.name)) faults.push(`${JSON.stringify(tool.name)} is declared twice; the first counts`);
      else tools.set(tool.name, tool);
    }
    return { tools: [...tools.values()], faults };
  }
}

/** Work of this many milliseconds is done without a rest. */
const restAfterMs = 20;
/** How much longer a rest is than the work before it. */
const restShare = 3;

/**
 * Rests between pieces of work that take long together, so that others are served meanwhile: a server may declare hundreds of schemas, each of
 * which takes a fifth of a second.
 */
class Pace {
  #workedMs = 0;

  async after<Result>(work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const result = await work();
    this.#workedMs += performance.now() - startedAt;
    if (this.#workedMs < restAfterMs) return result;
    await sleep(this.#workedMs * restShare, undefined, { ref: false });
    this.#workedMs = 0;
    return result;
  }
}
