import type {Item} from '../../../worker/index.ts';
import {closing, encodeBatch, headerLine, headerSum, type Header} from '../format/line.ts';

/** What a redacted copy of a history says about itself in its header. */
type RedactedHeader = {readonly count: number; readonly originalHead: string};

/**
Returns a whole history.json with these items, as bytes. The chain is computed anew. `redacted`: the number of secrets
that were left out, and the checksum of the last line of the original.
*/
export function historyBytes(
	{session, cwd, created, fork, unfinished}: Pick<Header, 'session' | 'cwd' | 'created' | 'fork' | 'unfinished'>,
	items: readonly Item[],
	redacted?: RedactedHeader,
): Buffer {
	const line = headerLine({
		session,
		cwd,
		created,
		fork,
		unfinished,
		redacted,
	});
	const {pieces} = encodeBatch(items, headerSum(line));
	return Buffer.concat([Buffer.from(`${line}\n`), ...pieces, closing]);
}
