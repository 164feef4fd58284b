import {join, resolve} from 'node:path';
import type {Ask, Refusal} from '../../protocol.ts';
import type {Answer} from './asks.ts';
import {contains} from '../../ground/files/contains.ts';
import {createScope, type Scope} from '../../scope/scope.ts';
import {scopeTexts} from '../../scope/texts.ts';

/** A folder that the user wants to add. `add` makes the folder part of the scope at once. */
export type FoundDir =
	| {readonly ok: true; add(): void}
	| {readonly ok: false; readonly code: Extract<Refusal, 'no_such_dir' | 'empty'>; readonly sentence: string};

export type WidenableScope = {
	/** The scope of the pod. This object stays the same, and its read roots are always current. */
	readonly scope: Scope;
	/** Finds a folder by a path that is absolute, relative to `pwd`, or begins with `~`. */
	readonly find: (path: string) => Promise<FoundDir>;
};

/**
Creates a scope whose read roots can grow while the pod is open. Only the user can add folders to it. They are
recorded, and a resumed session asks about them. `onChange` is called for a folder that was not readable before.
*/
export function createWidenableScope(
	start: Scope,
	{home, onChange}: {readonly home: string; readonly onChange: () => void},
): WidenableScope {
	let {readRoots} = start;
	const scope: Scope = {
		pwd: start.pwd,
		writable: start.writable,
		home: start.home,
		owners: start.owners,
		copyOf: start.copyOf,
		get readRoots() {
			return readRoots;
		},
	};
	return {
		scope,
		async find(path) {
			if (path.trim() === '') return {ok: false, code: 'empty', sentence: scopeTexts.noDirectory};
			const created = await createScope({pwd: resolve(scope.pwd, fromHome(path, home)), home});
			if (!created.ok)
				return {
					ok: false,
					code: 'no_such_dir',
					sentence: scopeTexts.notAdded(path, created.reason),
				};
			const real = created.scope.pwd;
			return {
				ok: true,
				add() {
					if (contains(scope.pwd, real) || readRoots.includes(real)) return;
					readRoots = [...readRoots, real];
					onChange();
				},
			};
		},
	};
}

/** Adds the folders that exist, and warns about each of the others. */
export async function addFolders(
	folders: readonly string[],
	find: WidenableScope['find'],
	warn: (text: string) => void,
): Promise<void> {
	for (const folder of folders) {
		const found = await find(folder);
		if (found.ok) found.add();
		else warn(found.sentence);
	}
}

type AddAgainOptions = {
	readonly ask: (question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>;
	readonly find: WidenableScope['find'];
	readonly warn: (sentence: string) => void;
	readonly signal: AbortSignal;
};

/** Asks whether a resumed session may read the folders again that the user had added to it. */
export async function askToAddAgain(
	folders: readonly string[],
	{ask, find, warn, signal}: AddAgainOptions,
): Promise<void> {
	const {title, choices} = scopeTexts.again;
	const answer = await ask({title, detail: folders.join('\n'), choices}, signal);
	if (answer?.choice === 'add') await addFolders(folders, find, warn);
}

export function withRoots(scope: Scope, real: readonly string[]): Scope {
	return {...scope, readRoots: [...new Set([...scope.readRoots, ...real])]};
}

export function withoutRoots(scope: Scope, real: readonly string[]): Scope {
	return {...scope, readRoots: scope.readRoots.filter(root => !real.includes(root))};
}

function fromHome(path: string, home: string): string {
	if (path === '~') return home;
	return path.startsWith('~/') ? join(home, path.slice(2)) : path;
}
