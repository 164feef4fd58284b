import type {Block} from './block.ts';
import type {Transcript} from './state.ts';

export type Phase = 'asking' | 'queued' | 'running' | 'background' | 'waiting';

/**
Where a call is that has no result, or left a command running: the status says it, not history. No call begins before
all of its batch are approved. Other blocks do not depend on it.
*/
export function phaseOf(block: Block | undefined, {status}: Pick<Transcript, 'status'>): Phase {
	if (block?.kind !== 'tool') return 'waiting';
	if (block.result !== undefined && block.result.partialOf === undefined) {
		const isRunning = status.background?.some(({call}) => call === block.call?.id) === true;
		return isRunning ? 'background' : 'waiting';
	}
	if (status.asks.some(ask => ask.callId === block.call?.callId)) return 'asking';
	if (status.kind !== 'running') return 'waiting';
	return status.asks.some(ask => ask.callId !== undefined) ? 'queued' : 'running';
}
