import {join, resolve} from 'node:path';
import {quoteUntrusted} from '../text/quote-untrusted.ts';
import type {Refusal} from '../protocol.ts';
import {contains, createScope, type Scope, type ScopeFailure} from './scope.ts';

/** A folder that the user adds. `add` widens the scope by it, from its next use on. */
export type FoundDir =
	| {readonly ok: true; add(): void}
	| {readonly ok: false; readonly code: Extract<Refusal, 'no_such_dir' | 'empty'>; readonly sentence: string};

export type WidenableScope = {
	/** One object, whose read roots are always those of this moment. */
	readonly scope: Scope;
	/** Looks for a folder: a path that is absolute, or relative to `pwd`, or begins with `~`. */
	readonly find: (path: string) => Promise<FoundDir>;
};

/**
A scope whose read roots the user may add to while the pod is open, and nobody else. What is added is not saved, so a
resumed session begins without it. `onChange` is called when a folder was added that could not be read before.
*/
export function createWidenableScope(
	start: Scope,
	{home, onChange}: {readonly home: string; readonly onChange: () => void},
): WidenableScope {
	let {readRoots} = start;
	const scope: Scope = {
		pwd: start.pwd,
		writable: start.writable,
		...(start.owners !== undefined && {owners: start.owners}),
		get readRoots() {
			return readRoots;
		},
	};
	return {
		scope,
		async find(path) {
			if (path.trim() === '') return {ok: false, code: 'empty', sentence: 'No directory given.'};
			const created = await createScope({pwd: resolve(scope.pwd, fromHome(path, home))});
			if (!created.ok)
				return {
					ok: false,
					code: 'no_such_dir',
					sentence: `Cannot add the directory ${quoteUntrusted(path)}: ${sentences[created.reason]}.`,
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

const sentences: Readonly<Record<ScopeFailure, string>> = {
	not_found: 'it does not exist',
	not_a_directory: 'it is not a directory',
	io: 'it cannot be read',
};
