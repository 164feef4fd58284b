import {parseStored, promptFiles, readPromptLines, type PromptLines} from './prompt-files.ts';

/** Returns the names of the slash commands and workflows of a project, those that the user uses most first. */
export type UsedNames = () => Promise<readonly string[]>;

/** Counts the uses in the files of a project's prompts. Later calls read only what was added. */
export function createUsedNames(project: () => string): UsedNames {
	let files = new Map<string, UsesInFile>();
	return async () => {
		const next = new Map<string, UsesInFile>();
		for (const path of await promptFiles(project())) {
			const known = files.get(path);
			const read = await readPromptLines(path, known);
			if (read === undefined) continue;
			const {ino, end, bytes} = read;
			const isKnown = known?.ino === ino && known.end === end - bytes.length;
			const uses = [...(isKnown ? known.uses : []), ...usesIn(bytes.subarray(-maxBytes))];
			next.set(path, {ino, end, uses: uses.slice(-maxUses)});
		}
		files = next;
		return mostUsed([...files.values()].flatMap(({uses}) => uses));
	};
}

/** Returns the names, the most used one first. A recent use counts more than an old one. */
export function mostUsed(uses: readonly string[]): readonly string[] {
	const scores = new Map<string, number>();
	let weight = 1;
	for (const name of uses.toReversed()) {
		scores.set(name, (scores.get(name) ?? 0) + weight);
		weight *= fading;
	}
	return [...scores].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
}

/** The names of a file, the oldest first. */
type UsesInFile = Pick<PromptLines, 'ino' | 'end'> & {readonly uses: readonly string[]};

/** The weight of a use, compared with the next use. So a use counts half as much as the 34th use after it. */
const fading = 0.98;
/** The maximum number of uses of a file that count. */
const maxUses = 500;
/** The maximum number of bytes that are parsed at once, because the event loop waits for the parser. */
const maxBytes = 256 * 1024;

function usesIn(bytes: Buffer): readonly string[] {
	return [...parseStored(bytes)].flatMap(stored => {
		if (stored === undefined) return [];
		if ('command' in stored) return [stored.command];
		return stored.segments.flatMap(segment => (segment.type === 'workflow' ? [segment.slug] : []));
	});
}
