import type { FoundFault, Told } from '../told.ts';
import { answerFaults } from './answer-faults.ts';
import { endingFaults } from './ending-faults.ts';
import { Facts } from './facts.ts';
import { orderFaults } from './order-faults.ts';
import { runFaults } from './run-faults.ts';
import { truthFaults } from './truth-faults.ts';

/** Every fault in what was told and in what ran. */
export function foundFaults(told: Told): readonly FoundFault[] {
  const facts = new Facts(told);
  return [
    ...runFaults(facts),
    ...truthFaults(facts),
    ...endingFaults(facts),
    ...orderFaults(facts),
    ...answerFaults(facts),
    ...told.troubles,
  ];
}
