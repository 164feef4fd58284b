import {fdir} from 'fdir';
import type {Scope} from '../scope/scope.ts';
import {ignoreRules} from './ignore-rules.ts';

/** The regular files below a directory, real absolute paths in no order. `complete: false`: there are more than were taken. */
export type Walked = {readonly files: readonly string[]; readonly complete: boolean};

/** Files that a search or a listing takes at most. */
export const maxWalked = 100_000;

export type WalkOptions = {
	readonly scope: Pick<Scope, 'pwd' | 'owners'>;
	readonly accepts: (path: string) => boolean;
	readonly signal: AbortSignal;
	readonly maxFiles?: number;
};

/**
Walks a real directory: what .gitignore names and `.git` are left out, links are neither followed nor listed, unreadable folders are passed over.
Rejects when the signal is aborted.
*/
export async function walkFiles(start: string, {scope, accepts, signal, maxFiles = maxWalked}: WalkOptions): Promise<Walked> {
	const rules = ignoreRules(start, scope.pwd, scope.owners);
	const files = await new fdir({excludeSymlinks: true})
		.withFullPaths()
		.withMaxFiles(maxFiles)
		.withAbortSignal(signal)
		.exclude((name, path) => name === '.git' || rules.skipsDirectory(path.slice(0, -1)))
		.filter(path => !path.endsWith('/.git') && !rules.skipsFile(path) && accepts(path))
		.crawl(start)
		.withPromise();
	signal.throwIfAborted();
	return {files: files.slice(0, maxFiles), complete: files.length < maxFiles};
}
