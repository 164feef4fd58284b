import {setImmediate as nextTurn} from 'node:timers/promises';
import type {Scope} from '../../scope/scope.ts';
import {createPathRows, type PathRows} from './path-rows.ts';
import {walkTree, type WalkResult} from './tree-walk.ts';

/** The known paths below one root folder. */
export type PathTree = {
	/** Returns the known paths. Their number grows until the first walk is complete. Each later walk replaces them. */
	rows(): PathRows;
	/** Whether the first walk is still running. */
	readonly isBuilding: boolean;
	readonly isRefreshing: boolean;
	/** Whether there are more paths than the limit. */
	readonly isTruncated: boolean;
	/** Starts a new walk if the known paths are old. It returns at once. */
	refresh(scope: Scope): void;
};

type PathTreeOptions = {
	readonly root: string;
	readonly maxRows: number;
	readonly maxIgnored: number;
	/** Resolves when no search is active. */
	readonly idle: () => Promise<void>;
	readonly onError: (error: unknown) => void;
};

/**
The age in milliseconds at which known paths are old. After a slow walk this age is a multiple of the walk's duration.
*/
const oldMs = 2000;
const restFactor = 4;
const sliceMs = 4;

/** Creates a tree of paths. The current thread builds and refreshes the tree in time slices. */
export function createPathTree({root, maxRows, maxIgnored, idle, onError}: PathTreeOptions): PathTree {
	const first = createPathRows(4096);
	let known: (WalkResult & {readonly complete: boolean}) | undefined;
	let walking = false;
	let nextAt = 0;
	const walk = async (scope: Scope) => {
		const startedAt = performance.now();
		const rows = known === undefined ? first : createPathRows(known.rows.size + 1024);
		const steps = walkTree({root, scope, maxRows, maxIgnored, rows, before: known});
		const done = await inSlices(steps, idle);
		known = done;
		const endedAt = performance.now();
		nextAt = endedAt + Math.max(oldMs, (endedAt - startedAt) * restFactor);
		walking = false;
	};
	return {
		rows: () => known?.rows ?? first,
		get isBuilding() {
			return known === undefined;
		},
		get isRefreshing() {
			return walking;
		},
		get isTruncated() {
			return known?.complete === false;
		},
		refresh(scope) {
			if (walking || performance.now() < nextAt) return;
			walking = true;
			walk(scope).catch(onError);
		},
	};
}

async function inSlices<Result>(steps: Generator<void, Result>, idle: () => Promise<void>): Promise<Result> {
	for (;;) {
		await nextTurn();
		await idle();
		const until = performance.now() + sliceMs;
		while (performance.now() < until) {
			const step = steps.next();
			if (step.done === true) return step.value;
		}
	}
}
