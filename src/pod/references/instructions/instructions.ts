import {dirname} from 'node:path';
import {liveItems, stamp, type Clock, type Interceptor, type Item, type Message} from '../../../worker/index.ts';
import {locate} from '../../scope/locate.ts';
import {foreignSentences, strictOwners} from '../../scope/owners.ts';
import type {RefusesReading} from '../../scope/read.ts';
import type {Scope} from '../../scope/scope.ts';
import {diskPath} from '../../scope/disk-path.ts';
import {foreignIgnoreFiles} from '../../tools/search/ignore-rules.ts';
import {foldersBelow, foldersFromRoot, readFolder, type FolderInstructions} from './find.ts';
import {instructionChanges} from './changes.ts';
import {lastReadIn, type LastRead, touchedBy, type Touched} from './find.ts';

/**
A project's instructions to agents. They come from the AGENTS.md of each folder, or from CLAUDE.md if the folder has no
AGENTS.md. The folders are those from the git root down to `pwd`, and those between `pwd` and each file that is attached
or used. inkpod commits their instructions once, and again when they change. inkpod finds out from history alone which
instructions it has committed, so a resume does not add unchanged files again.
*/
export type Instructions = {
	/** Returns the messages that a new run commits before these items. Returns none if the signal is aborted. */
	due(items: readonly Item[], signal: AbortSignal): Promise<readonly Message[]>;
	/** Adds new instructions before each request of a run. A run checks each folder once. */
	interceptor<Points extends Pick<Interceptor, 'preRequest'>>(inner: Points, signal: AbortSignal): Points;
};

type InstructionsOptions = {
	readonly scope: Scope;
	readonly items: () => readonly Item[];
	readonly clock: Clock;
	/** Tells whether a rule for `read_file` forbids reading a file. By default no rule does. */
	readonly refusesReading?: RefusesReading;
	/** The function that is called once for each file that cannot be read. */
	readonly onWarning: (sentence: string) => void;
};

export function createInstructions(options: InstructionsOptions): Instructions {
	const {scope, items, clock, refusesReading = async () => undefined, onWarning} = options;
	const warned = new Set<string>();
	const touchedFolders = createTouchedFolders(scope);

	function warn(sentence: string): void {
		if (!warned.has(sentence)) onWarning(sentence);
		warned.add(sentence);
	}

	async function due(coming: readonly Item[], looked: Set<string>, signal: AbortSignal): Promise<readonly Message[]> {
		const folders = [...foldersFromRoot(scope), ...(await touchedFolders(items(), coming))].filter(
			folder => !looked.has(folder),
		);
		const found: FolderInstructions[] = [];
		for (const folder of folders) found.push(await readFolder(scope, folder, {refusesReading, signal}));
		if (signal.aborted) return [];
		for (const folder of folders) looked.add(folder);
		const known: LastRead = found.length === 0 ? new Map() : lastReadIn(liveItems(items()));
		const {drafts, warnings} = instructionChanges(found, known, scope.pwd);
		for (const sentence of [...warnings, ...unusedFileWarnings(found, scope)]) warn(sentence);
		return drafts.map(draft => stamp(clock, draft));
	}

	return {
		due: async (coming, signal) => due(coming, new Set(), signal),
		interceptor(inner, signal) {
			const looked = new Set<string>();
			return {
				...inner,
				async preRequest() {
					const verdict = (await inner.preRequest?.()) ?? {type: 'continue'};
					if (verdict.type !== 'continue' && verdict.type !== 'continueWith') return verdict;
					const delivered = verdict.type === 'continueWith' ? verdict.items : [];
					const brought = await due(delivered, looked, signal);
					return brought.length === 0 ? verdict : {type: 'continueWith', items: [...brought, ...delivered]};
				},
			};
		},
	};
}

/**
Returns sentences about skipped instructions in these folders, and about skipped .gitignore files that affect them.
*/
function unusedFileWarnings(
	found: readonly FolderInstructions[],
	{pwd, owners = strictOwners}: Scope,
): readonly string[] {
	const files = found.flatMap(each => each.foreign ?? []);
	return foreignSentences([...files, ...foreignIgnoreFiles(pwd, pwd, owners)], owners);
}

/**
Creates a function that returns the folders of used files below `pwd`, outermost first. The function searches only the
new part of history.
*/
function createTouchedFolders(
	scope: Scope,
): (history: readonly Item[], coming: readonly Item[]) => Promise<readonly string[]> {
	const folders = new Set<string>();
	const known = new Set<string>();
	const calls = new Map<string, string>();
	let seen = 0;

	async function visit({path, by, isFolder}: Touched): Promise<void> {
		const written = by === 'user' ? diskPath(path, scope) : path;
		if (known.has(written)) return;
		known.add(written);
		const place = await locate(scope, written);
		if (!place.ok) return;
		for (const folder of foldersBelow(scope, isFolder ? place.real : dirname(place.real))) folders.add(folder);
	}

	return async (history, coming) => {
		const fresh = history.slice(seen);
		seen = history.length;
		for (const touched of [...touchedBy(fresh, calls), ...touchedBy(coming, new Map())]) await visit(touched);
		return [...folders].toSorted();
	};
}
