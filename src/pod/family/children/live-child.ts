import type {ItemOf} from '../../../worker/index.ts';
import {answeredTopic, namePairOf, type NamePair} from '../../protocol/answered.ts';
import type {ChildStatus, Item, PodClient, Status} from '../../protocol.ts';
import type {ChildEnd, ChildSpec} from './child-session.ts';
import {createProgress, type Progress} from './progress.ts';
import {childTexts} from './texts.ts';

/** A child whose pod is open in this process. */
export type LiveChild = {
	readonly pod: PodClient;
	readonly progress: Pick<Progress, 'items' | 'requests' | 'usage'>;
	status(): Pick<ChildStatus, 'step' | 'calls' | 'tokens' | 'asks'> & {readonly kind: Status['kind']};
	/**
	Lets the child work, and resolves with the end of the work. If the child has already ended, the promise resolves
	immediately. If the user pauses the child, the promise stays pending.
	*/
	work(spec: ChildSpec): Promise<ChildEnd>;
	/** Stops the work, so that the promise of `work` resolves. After `pause`, the child can be resumed. */
	stop(how: 'pause' | 'cancel'): Promise<void>;
};

type LiveChildOptions = {
	readonly pod: PodClient;
	readonly id: string;
	/** Called when the status of the child may have changed. */
	readonly onChange: () => void;
	/** Called with each finished request and its end. */
	readonly onRequest: (items: readonly Item[]) => void;
	/** Called when the child got an answer from a model that it did not request. */
	readonly onOtherModel: (pair: NamePair) => void;
};

export function watchChild({pod, id, onChange, onRequest, onOtherModel}: LiveChildOptions): LiveChild {
	const progress = createProgress();
	let status: Status = {kind: 'idle', asks: [], queue: []};
	let request: ItemOf<'request'> | undefined;
	let stopping: 'pause' | 'cancel' | undefined;
	let onRest: (() => void) | undefined;

	function take(item: Item): void {
		progress.add(item);
		const pair = namePairOf(item, answeredTopic);
		if (pair !== undefined) onOtherModel(pair);
		if (item.type === 'request') request = item;
		if (item.type === 'request_end') onRequest(request === undefined ? [item] : [request, item]);
	}

	pod.subscribe(event => {
		if (event.type === 'snapshot' && progress.items() === 0) for (const item of event.items) progress.add(item);
		if (event.type === 'item') take(event.item);
		if (event.type === 'snapshot' || event.type === 'status') {
			({status} = event);
			if (status.kind !== 'running') onRest?.();
		}
		if (event.type === 'closed') {
			stopping ??= 'pause';
			onRest?.();
		}
		if (event.type !== 'delta') onChange();
	});

	/** Returns the end of the work, or `undefined` while the child works or the user has paused it. */
	function ended(): ChildEnd | undefined {
		const text = progress.text();
		const end = progress.end();
		if (stopping !== undefined) return {outcome: stopping === 'cancel' ? 'stopped' : 'interrupted', text};
		if (status.kind === 'running' || !progress.hasBegun()) return undefined;
		if (end === undefined) return {outcome: 'failed', text, cause: childTexts.unsaved};
		return endOf(end, text, status.queue.length > 0);
	}

	return {
		pod,
		progress,
		status: () => ({
			kind: status.kind,
			step: status.step,
			calls: (status.calls ?? []).flatMap(({callId}) => progress.call(callId) ?? []),
			tokens: (progress.usage().input ?? 0) + (progress.usage().output ?? 0),
			asks: status.asks.filter(({child}) => child?.id === id).length,
		}),
		async work({task}) {
			const {promise, resolve} = Promise.withResolvers<ChildEnd>();
			stopping = undefined;
			const settle = () => {
				const end = ended();
				if (end === undefined) return;
				onRest = undefined;
				resolve(end);
			};
			// A queued message may start another run right after the end of a run.
			onRest = () => setImmediate(() => onRest !== undefined && settle());
			const isNew = !progress.hasBegun();
			if (!isNew && status.kind !== 'paused') onRest();
			else {
				const receipt = await pod.send(isNew ? {method: 'task', text: task} : {method: 'resume'});
				if (!receipt.accepted && stopping === undefined)
					resolve({outcome: 'failed', text: progress.text(), cause: receipt.sentence});
				onRest();
			}
			return promise;
		},
		async stop(how) {
			stopping = how;
			if (status.kind !== 'idle') await pod.send({method: how});
			onRest?.();
		},
	};
}

function endOf({outcome, cause}: ItemOf<'run_end'>, text: string, hasQueued: boolean): ChildEnd | undefined {
	if (outcome === 'paused' || (outcome === 'finished' && hasQueued)) return undefined;
	if (outcome === 'finished') return {outcome: 'finished', text};
	if (outcome === 'cancelled') return {outcome: 'stopped', text};
	return {outcome: 'failed', text, cause: cause ?? childTexts.limit};
}
