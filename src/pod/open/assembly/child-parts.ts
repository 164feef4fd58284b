import type {Item} from '../../../worker/index.ts';
import type {Children} from '../../family/children/children.ts';
import type {ControllerOptions} from '../../run/controller/controller.ts';
import type {ChildRequest, Prepared} from '../../family/children/pod-tool.ts';

/** The child sessions of a pod, and what its other parts need of them. */
export type ChildParts = Children & {
	/** Prepares a child for a call of the model. */
	readonly prepare: (request: ChildRequest, call: string, signal: AbortSignal) => Promise<Prepared>;
	/** Returns the items that end the children which nothing continues. */
	readonly lost: (how: {readonly isResumed: boolean}) => Promise<readonly Item[]>;
	readonly methods: Pick<ControllerOptions, 'startChild' | 'stopChild' | 'wakeChild'>;
};
