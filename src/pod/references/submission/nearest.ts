import {join, relative} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {go} from 'fuzzysort';
import type {Scope} from '../../scope/scope.ts';
import {walkFolders} from '../../tools/search/walk.ts';
import {areFoldersUnchanged, foldersAbove, searchUntilStable, type Moved} from '../../tools/search/search-root.ts';
import {elementAt} from '../../ground/values/is-record.ts';

const limit = 3;
const maxFiles = 20_000;
const maxMs = 250;
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules', '.hg', '.svn']);

/**
Returns up to three paths below `pwd` that a missing path could mean. Checks at most `maxFiles` files for at most
`maxMs` milliseconds, and yields to key presses. Returns none if folders are replaced meanwhile, because a name may then
come from outside the scope.
*/
export async function nearestPaths(scope: Scope, path: string, signal?: AbortSignal): Promise<string[]> {
	const within = AbortSignal.any([AbortSignal.timeout(maxMs), ...(signal === undefined ? [] : [signal])]);
	const found = await searchUntilStable(async (since): Promise<string[] | Moved> => {
		const best = await nearestNow(scope, path, {signal, within});
		return (await areFoldersUnchanged(
			scope,
			foldersAbove(
				scope,
				best.map(name => join(scope.pwd, name)),
			),
			since,
		))
			? best
			: 'moved';
	}, within).catch((error: unknown) => {
		if (!within.aborted) throw error;
		return 'moved' as const;
	});
	return found === 'moved' ? [] : found;
}

async function nearestNow(
	scope: Scope,
	path: string,
	{signal, within}: {readonly signal: AbortSignal | undefined; readonly within: AbortSignal},
): Promise<string[]> {
	const names: string[] = [];
	await walkFolders(
		scope.pwd,
		() => within.aborted || names.length >= maxFiles,
		(entry, whole) => {
			if (entry.isDirectory()) return !skipped.has(entry.name);
			if (entry.isFile() || entry.isSymbolicLink()) names.push(relative(scope.pwd, whole));
			return false;
		},
	);
	const wanted = path.replaceAll('\\', '/').replace(/^(?:\.\/)+|\/+$/g, '');
	let best: string[] = [];
	for (let at = 0; at < names.length; at += batchSize) {
		if (signal?.aborted) break;
		best = nearest(wanted, [...best, ...names.slice(at, at + batchSize)]);
		await nextTurn();
	}
	return best;
}

/** The number of names that are compared without a pause, which takes a few milliseconds. */
const batchSize = 500;

/**
Returns up to three names that are similar to `wanted`. Names with few typing errors in the last part come first. After
them come names that contain its letters in order.
*/
export function nearest(wanted: string, names: readonly string[]): string[] {
	const goal = lastPart(wanted).toLowerCase();
	if (goal === '' || goal.length > maxLength) return [];
	const allowed = Math.max(1, Math.floor(goal.length / 3));
	const similar = names
		.map(name => ({
			name,
			typos: distance(goal, lastPart(name).toLowerCase(), allowed),
			away: Number(folder(name) !== folder(wanted)),
		}))
		.filter(candidate => candidate.typos <= allowed)
		.toSorted(
			(a, b) =>
				a.typos - b.typos ||
				a.away - b.away ||
				a.name.length - b.name.length ||
				Number(a.name > b.name) - Number(a.name < b.name),
		)
		.map(candidate => candidate.name);
	const letters = similar.length >= limit ? [] : go(wanted, names, {limit}).map(result => result.target);
	return [...new Set([...similar.slice(0, limit), ...letters])].slice(0, limit);
}

const maxLength = 64;

function lastPart(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}

function folder(path: string): string {
	return path.slice(0, path.lastIndexOf('/') + 1);
}

/**
Counts the insertions, deletions, replacements and swaps of neighbours between two words. Numbers larger than `max`
become `max + 1`.
*/
function distance(a: string, b: string, max: number): number {
	if (Math.abs(a.length - b.length) > max) return max + 1;
	let beforeLast = new Uint8Array(b.length + 1);
	let last = Uint8Array.from({length: b.length + 1}, (_, column) => column);
	let line = new Uint8Array(b.length + 1);
	for (let row = 1; row <= a.length; row += 1) {
		let min = (line[0] = row);
		for (let column = 1; column <= b.length; column += 1) {
			const same = a[row - 1] === b[column - 1];
			let cost = Math.min(
				elementAt(last, column) + 1,
				elementAt(line, column - 1) + 1,
				elementAt(last, column - 1) + (same ? 0 : 1),
			);
			if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
				cost = Math.min(cost, elementAt(beforeLast, column - 2) + 1);
			line[column] = cost;
			min = Math.min(min, cost);
		}
		if (min > max + 1) return max + 1;
		[beforeLast, last, line] = [last, line, beforeLast];
	}
	return elementAt(last, b.length);
}
