import {en} from '../../../language/index.ts';
import {z} from 'zod';
import type {Draft, Item} from '../../../worker/index.ts';
import {quoteUntrusted} from '../../ground/text/quote-untrusted.ts';
import {narrowDetails} from '../../protocol.ts';

/**
One change of a file: the sha256 of its contents before and after the change, in hex. A hash is absent for a missing
file.
*/
type FileStep = {readonly before?: string | undefined; readonly after?: string | undefined};

/** The history of a file since an item. */
export type FileTrace = {
	/** The real path. */
	readonly real: string;
	/** The path as it was last written. */
	readonly path: string;
	/**
	The sha256 of the contents at that item, and of the last contents that a tool wrote. A hash is absent for a missing
	file.
	*/
	readonly original?: string | undefined;
	readonly lastWritten?: string | undefined;
	/** Whether something other than a tool changed or removed the file between two of the changes. */
	readonly isBroken: boolean;
};

/**
Returns the files that tools have changed since an item, in the order of their first change. Changes that were rewound,
and restores, count too.
*/
export function fileTracesSince(items: readonly Item[], to: string): readonly FileTrace[] {
	const from = items.findLastIndex(({id}) => id === to);
	return from === -1 ? [] : fileTraces(items.slice(from + 1));
}

/** Returns the files that tools have changed in these items, in the same order. */
export function fileTraces(items: readonly Item[]): readonly FileTrace[] {
	const files = new Map<string, {path: string; readonly steps: [FileStep, ...FileStep[]]}>();
	for (const item of items) {
		for (const {real, path, ...step} of changesOf(item)) {
			const known = files.get(real);
			if (known === undefined) files.set(real, {path, steps: [step]});
			else {
				known.path = path;
				known.steps.push(step);
			}
		}
	}
	return [...files].map(([real, {path, steps}]) => ({
		real,
		path,
		original: steps[0].before,
		lastWritten: steps.at(-1)?.after,
		isBroken: steps.some((step, index) => index > 0 && step.before !== steps[index - 1]?.after),
	}));
}

/** Returns the notice of a restored file. The model and the user read it, and later rewinds use it. */
export function restoredNotice(
	file: {readonly path: string; readonly real: string} & FileStep,
	note = '',
): Draft<'message'> {
	const {path, real, before, after} = file;
	const done =
		after === undefined
			? en`Removed ${quoteUntrusted(path)}, which a tool had made, as the person wanted.`
			: en`Restored ${quoteUntrusted(path)}: it holds again what it held before tools changed it, as the person
				wanted.`;
	return {
		type: 'message',
		role: 'system',
		text: `${done}${note}`,
		origin: {
			kind: 'notice',
			about: restoredAbout,
			path,
			real,
			before,
			after,
		},
	};
}

/** Returns the hashes of the backups that these items need. */
export function backupHashes(items: readonly Item[]): ReadonlySet<string> {
	return new Set(items.flatMap(item => changesOf(item).flatMap(({before}) => before ?? [])));
}

const restoredAbout = 'restored';
const restoredSchema = z.object({
	about: z.literal(restoredAbout),
	path: z.string(),
	real: z.string(),
	before: z.string().optional(),
	after: z.string().optional(),
});

function changesOf(item: Item): ReadonlyArray<FileStep & {readonly path: string; readonly real: string}> {
	if (item.type === 'tool_result')
		return item.details === undefined ? [] : (narrowDetails(item.details).changed ?? []);
	if (item.type !== 'message' || item.role !== 'system' || item.origin?.['about'] !== restoredAbout) return [];
	const parsed = restoredSchema.safeParse(item.origin);
	return parsed.success ? [parsed.data] : [];
}
