import type { Origin } from '../events/origin.ts';
import type { Tool } from './tool.ts';

/** Where the text that a tool gives comes from. */
export function originOfTool({ source }: Pick<Tool, 'source'>): Origin {
  switch (source) {
    case 'action':
    case 'tool':
      return 'action';
    case 'built-in':
      return 'operator';
    case 'page':
      return 'page';
    case 'hosted':
      return 'mcp';
  }
}
