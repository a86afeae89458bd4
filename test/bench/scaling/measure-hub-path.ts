import { type Bench, measureWorkload } from '../measure.ts';
import { stop } from '../processes/child-processes.ts';
import { summarise } from '../report/statistics.ts';
import { fullHub, fullWith, startTarget, type Target } from '../targets.ts';
import { shorter, type Workload, workloads } from '../workloads.ts';

/** What replicas share. */
interface Shared {
  /** The address of an empty database. */
  readonly database: string;
  readonly redis: string;
}

/** CPU of a reply over the hub of one of three replicas, as a multiple of that of one process alone: the middle one of all rounds. */
export interface HubPathFigures {
  readonly burst: number;
  readonly paced: number;
}

const replicaCount = 3;

/** Measures one of three replicas beside one process alone. The other replicas are there and have nothing to do. */
export async function measureHubPath(bench: Bench, shared: Shared): Promise<HubPathFigures> {
  const alone: Target = { ...fullHub, name: 'alone' };
  const replica: Target = { ...hubWith('replica', shared), name: 'replica' };
  const others = [];
  for (let index = 1; index < replicaCount; index += 1)
    others.push(await startTarget(hubWith(`other-${String(index)}`, shared), { ...bench, model: 's1d0' }));
  try {
    const ratio = async (workload: Workload): Promise<number> => {
      const { samples, failures } = await measureWorkload(bench, workload, [alone, replica]);
      if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join('; '));
      const cpuOf = ({ name }: Target): readonly number[] =>
        samples.filter(({ target }) => target === name).map(({ figures }) => figures.cpuPerReply ?? 0);
      const [own, other] = [cpuOf(replica), cpuOf(alone)];
      // What the machine does besides changes from round to round, and much less within one.
      return summarise(own.map((cpu, round) => cpu / (other[round] ?? Number.NaN))).median;
    };
    return { burst: await ratio(anew(workloads.burst, 8)), paced: await ratio(anew(workloads.paced, 3)) };
  } finally {
    await Promise.all(others.map(async ({ child }) => child !== undefined && (await stop(child))));
  }
}

/** Two processes of one program differ by more than what is looked for here, so there are several of each. */
function anew(workload: Workload, rounds: number): Workload {
  return { ...shorter(workload), starts: 4, rounds };
}

function hubWith(name: string, { database, redis }: Shared): Target {
  const { launch } = fullWith(name, {
    storage: { type: 'postgres', url: database },
    scaleOut: { type: 'redis', url: redis, prefix: 'hub-path', replicas: replicaCount },
    dataProtection: { keys: [Buffer.alloc(32, 7).toString('base64')] },
  });
  return { ...fullHub, name, launch };
}
