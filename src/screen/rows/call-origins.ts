import type {Block} from '../../transcript/block.ts';
import {createOrigins} from '../../transcript/origins/origins.ts';
import {blocksOf, type Transcript} from '../../transcript/state.ts';

/** Where the parts of the calls of a session came from. */
export type CallOrigins = {
	/** Returns sentences about where the parts of a call came from. `callId` is the id that the model gave the call. */
	readonly originsOf: (callId: string) => readonly string[];
	/**
	Reads blocks for `originsOf` until `isOver`. Returns whether all blocks are read. Until then, no call has origins.
	*/
	readonly readOrigins: (isOver: () => boolean) => boolean;
};

/**
Finds the origins of each call once. A snapshot replaces all blocks. `onRead` is called when all blocks are read for the
first time.
*/
export function createCallOrigins(transcript: Transcript, onRead: () => void): CallOrigins {
	let [epoch, isRead] = [-1, false];
	let origins = createOrigins(() => []);
	let known = new Map<string, readonly string[]>();
	function read(isOver: () => boolean): boolean {
		if (epoch !== transcript.epoch) {
			[epoch, isRead, known] = [transcript.epoch, false, new Map()];
			origins = createOrigins(() => blocksOf(transcript));
		}
		const [wasRead, isAll] = [isRead, origins.read(isOver)];
		isRead ||= isAll;
		if (isRead && !wasRead) onRead();
		return isAll;
	}

	return {
		readOrigins: read,
		originsOf(callId) {
			const all = blocksOf(transcript);
			const at = transcript.folded.calls.get(callId)?.blocks.findLast(index => isCall(all[index])) ?? -1;
			const block = all[at];
			if (block?.kind !== 'tool' || block.call === undefined || !isRead || epoch !== transcript.epoch) return [];
			const {call} = block;
			const found = known.get(call.id);
			if (found !== undefined) return found;
			origins.read();
			const lines = origins.of(call, at, transcript.session?.scope.pwd ?? '/');
			known.set(call.id, lines);
			return lines;
		},
	};
}

function isCall(block: Block | undefined): boolean {
	return block?.kind === 'tool' && block.call !== undefined;
}
