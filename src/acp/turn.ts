import type {PromptResponse, StopReason} from '@agentclientprotocol/sdk';
import type {Event, FinishedRequest, PodClient, RunEnd, Segment} from '../pod/protocol.ts';

/** The end of a turn, or the reason why it did not begin. */
export type TurnEnd =
	| {readonly kind: 'ended'; readonly response: PromptResponse}
	| {readonly kind: 'failed'; readonly sentence: string; readonly keyRefused?: boolean}
	| {readonly kind: 'refused'; readonly sentence: string}
	| {readonly kind: 'busy'}
	| {readonly kind: 'closed'; readonly sentence?: string};

/** Sends a message, and resolves after the end of its run, when all events of the run have been delivered. */
export async function runTurn(pod: PodClient, segments: readonly Segment[], message: string): Promise<TurnEnd> {
	const watched = watchTurn(pod, message);
	try {
		const receipt = await pod.send({method: 'run', segments: [...segments], message});
		if (receipt.accepted) return await watched.ended;
		if (receipt.code === 'busy') return {kind: 'busy'};
		if (receipt.code === 'aborted') return cancelledTurn;
		if (receipt.code === 'closed') return {kind: 'closed', sentence: receipt.sentence};
		return {kind: 'refused', sentence: receipt.sentence};
	} finally {
		watched.stop();
	}
}

export const cancelledTurn: TurnEnd = {kind: 'ended', response: {stopReason: 'cancelled'}};

function watchTurn(pod: PodClient, message: string) {
	const {promise, resolve} = Promise.withResolvers<TurnEnd>();
	let hasBegun = false;
	let stop: FinishedRequest['stop'] | undefined;
	let end: RunEnd | undefined;
	const unsubscribe = pod.subscribe((event: Event) => {
		if (event.type === 'closed') resolve({kind: 'closed', sentence: event.sentence});
		if (event.type === 'item') {
			const {item} = event;
			if (item.type === 'message' && item.role === 'user' && item.origin?.['id'] === message) hasBegun = true;
			else if (hasBegun && end === undefined && item.type === 'request_end') ({stop} = item);
			else if (hasBegun && end === undefined && item.type === 'run_end') end = item;
		}
		// The next status event after the end of the run is the last event of the run.
		if (event.type === 'status' && hasBegun && (end !== undefined || event.status.kind !== 'running'))
			resolve(endOf(end, stop));
	});
	return {ended: promise, stop: unsubscribe};
}

function endOf(end: RunEnd | undefined, stop: FinishedRequest['stop'] | undefined): TurnEnd {
	if (end?.outcome === 'error')
		return {kind: 'failed', sentence: end.cause ?? end.outcome, ...(end.keyRefused === true && {keyRefused: true})};
	if (end?.outcome === 'limit') return ended('max_turn_requests');
	if (end?.outcome === 'finished') return ended(reasons[stop ?? 'end'] ?? 'end_turn');
	return ended('cancelled');
}

const reasons: {readonly [Stop in FinishedRequest['stop']]?: StopReason} = {
	length: 'max_tokens',
	refused: 'refusal',
	blocked: 'refusal',
};

function ended(stopReason: StopReason): TurnEnd {
	return {kind: 'ended', response: {stopReason}};
}
