import {en} from '../../../language/index.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import type {Draft} from '../../../worker/index.ts';
import type {OriginOf} from '../../protocol.ts';
import {factsOf, readTextChecked, type RefusesReading} from '../../scope/read.ts';
import type {Scope} from '../../scope/scope.ts';
import {reasonFor, type ToolFailure} from '../../tools/files/failures.ts';

/**
A file or a range of its lines, 1-based and inclusive. Without `last` the range goes to the end. `real` is the path of
the file that was chosen. Any other file is refused.
*/
export type Wanted = {readonly path: string; readonly real?: string; readonly first?: number; readonly last?: number};

/** A file that was read again. `draft` names its compaction. `key` identifies the lines of the file. */
export type ReadAgain =
	| {
			readonly ok: true;
			readonly key: string;
			readonly real: string;
			readonly isWhole: boolean;
			readonly tokens: number;
			readonly draft: (compaction: string) => Draft<'message'>;
	  }
	| {readonly ok: false; readonly reason: ToolFailure | 'rule' | 'moved'; readonly sentence: string};

export type ReadAgainOptions = {
	readonly scope: Scope;
	/** Tells why the rules for `read_file` forbid reading an opened file. */
	readonly refuses: RefusesReading;
	readonly maxScanBytes: number;
	readonly estimate: (text: string) => number;
	readonly signal: AbortSignal;
};

/**
Reads the current contents of a file that a compaction needs. It never cuts a file, and refuses secrets without
asking.
*/
export async function readAgain(
	{path, real: target, first = 1, last}: Wanted,
	options: ReadAgainOptions,
): Promise<ReadAgain> {
	const {scope, refuses, maxScanBytes, estimate, signal} = options;
	// In a model's path `~` is a folder of that name. In a user's path `~` is the home folder.
	const written = path.startsWith('~/') ? `./${path}` : path;
	const isPart = first > 1 || last !== undefined;
	const wanted = {...(isPart && {range: {first, last}}), maxBytes, maxScanBytes, signal};
	const read = await readTextChecked<NotAgain>(scope, written, wanted, async ({real: opened}) => {
		if (target !== undefined && opened !== target) return {ok: false, reason: 'moved', sentence: movedSentence};
		const sentence = await refuses(path, opened);
		return sentence === undefined ? undefined : {ok: false, reason: 'rule', sentence};
	});
	if (!read.ok)
		return read.reason === 'not_admitted'
			? read.why
			: {ok: false, reason: read.reason, sentence: reasonFor(read.reason)};
	if (read.truncated) return {ok: false, reason: 'too_large', sentence: reasonFor('too_large')};
	const range = isPart ? {first, last: Math.min(last ?? read.totalLines, read.totalLines)} : undefined;
	const isWhole = range === undefined || (range.first === 1 && range.last >= read.totalLines);
	const {real, body} = read;
	const text = `[Auto-read file: ${onOneLine(written)}${isWhole ? '' : `:${range.first}-${range.last}`}]\n${body}`;
	const origin: Omit<OriginOf<'auto_read'>, 'compaction'> = {
		kind: 'auto_read',
		path: written,
		...(!isWhole && {range}),
		...factsOf(read),
	};
	return {
		ok: true,
		key: JSON.stringify([real, isWhole ? 'whole' : [range.first, range.last]]),
		real,
		isWhole,
		tokens: estimate(text),
		draft: compaction => ({type: 'message', role: 'system', text, origin: {...origin, compaction}}),
	};
}

type NotAgain = Extract<ReadAgain, {ok: false}>;

const movedSentence = en`it leads to another file than when it was named.`;

/** The maximum bytes of one file. No budget has room for a larger file. */
const maxBytes = 4 * 1024 * 1024;
