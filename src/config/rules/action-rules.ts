import { statSync } from 'node:fs';
import { isLoopback } from '../warnings.ts';
import { nearestName } from '../../core/errors/nearest-name.ts';
import { withSuggestion } from './model-rules.ts';
import type { Rule, RuleFault } from './rule.ts';

/**
 * There must be a plugin, a callback or an API, or `actions: none` on purpose. Directories that are named must exist
 * (contract/configuration.md#faults).
 */
export const actionSourcesRule: Rule = ({ actions }) => {
  if (actions === 'none') return [];
  if (actions.plugins.length + actions.callbacks.length + actions.openapi.length === 0) {
    const message = 'no source of actions; give actions: { plugins: [DIR] }, or actions: none when that is meant';
    return [{ path: ['actions'], message }];
  }
  return actions.plugins.flatMap((directory, index): readonly RuleFault[] => {
    const entry = statSync(directory, { throwIfNoEntry: false });
    if (entry?.isDirectory() === true) return [];
    const message = entry === undefined ? `there is no directory ${directory}` : `${directory} is not a directory`;
    return [{ path: ['actions', 'plugins', index], message }];
  });
};

/** Callbacks are told apart by name, and a user's token travels only where nobody can read it (contract/plugins.md#callbacks). */
export const callbacksRule: Rule = ({ actions }) => {
  if (actions === 'none') return [];
  return actions.callbacks.flatMap(({ name, url, forwardAuthorization }, index): readonly RuleFault[] => {
    const first = actions.callbacks.findIndex((callback) => callback.name === name);
    const { protocol, hostname } = new URL(url);
    const isSafe = protocol === 'https:' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
    const path = ['actions', 'callbacks', index] as const;
    return [
      ...(first === index
        ? []
        : [{ path: [...path, 'name'], message: `callbacks[${String(first)}] has the same name; names are unique` }]),
      ...(forwardAuthorization && !isSafe
        ? [{ path: [...path, 'url'], message: 'forwardAuthorization needs https: a token in plain http can be read' }]
        : []),
    ];
  });
};

/**
 * The callback that checks messages or replies must be one of the configured callbacks (contract/guardrails.md#checks-of-the-application).
 */
export const guardrailRule: Rule = ({ actions, ...settings }) =>
  (['inputGuardrail', 'outputGuardrail'] as const).flatMap((key): readonly RuleFault[] => {
    const named = settings[key]?.callback;
    const names = actions === 'none' ? [] : actions.callbacks.map(({ name }) => name);
    if (named === undefined || names.includes(named)) return [];
    const known = names.length === 0 ? 'there is none' : `actions.callbacks has ${names.join(', ')}`;
    const fault = withSuggestion(`names no callback; ${known}`, nearestName(named, names));
    return [{ path: [key, 'callback'], showsValue: true, ...fault }];
  });

/** Page names are unique: the model has nothing else to tell them apart. */
export const pageNamesRule: Rule = ({ pages }) =>
  pages.flatMap(({ name }, index): readonly RuleFault[] => {
    const first = pages.findIndex((page) => page.name === name);
    if (first === index) return [];
    return [{ path: ['pages', index, 'name'], message: `pages[${String(first)}] has the same name; names are unique` }];
  });

/** Each entry of `onToolResult` does one thing (contract/errors.md#faults-of-actions). */
export const toolResultRule: Rule = ({ onToolResult }) =>
  onToolResult.flatMap((entry, index): readonly RuleFault[] => {
    if ('remove' in entry !== 'replace' in entry) return [];
    const found = 'remove' in entry ? 'both' : 'neither';
    return [{ path: ['onToolResult', index], message: `an entry has remove or replace; this one has ${found}` }];
  });
