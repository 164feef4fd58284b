import {resolve} from 'node:path';
import type {Item} from '../../../worker/index.ts';
import {narrowDetails, narrowOrigin} from '../../protocol.ts';
import {diskPath} from '../../scope/disk-path.ts';
import type {Scope} from '../../scope/scope.ts';

/** The folders that relative paths start from. */
type Place = Pick<Scope, 'pwd' | 'home'>;

/** A file that history mentions, and its last use. `path` is written as the user or the model wrote it. */
export type TouchedFile = {readonly path: string; readonly how: 'attached' | 'read' | 'edited' | 'read again'};

/**
Returns the files that these items attach, read or change. The latest is first, each appears once, and there are at
most `max`.
Paths are relative to `pwd`.
*/
export function touchedFiles(
	items: readonly Item[],
	{scope, max}: {readonly scope: Place; readonly max: number},
): readonly TouchedFile[] {
	const found = new Map<string, TouchedFile>();
	for (const item of items.toReversed()) {
		if (found.size >= max) break;
		for (const {real, ...file} of touchesOf(item, scope))
			if (!found.has(real) && found.size < max) found.set(real, file);
	}
	return [...found.values()];
}

function touchesOf(item: Item, scope: Place): ReadonlyArray<TouchedFile & {readonly real: string}> {
	if (item.type === 'tool_result') {
		const {read, changed = []} = narrowDetails(item.details);
		return [
			...changed.toReversed().map(({path, real}) => ({path, real, how: 'edited' as const})),
			...(read === undefined ? [] : [{path: read.path, real: read.real, how: 'read' as const}]),
		];
	}
	const origin = item.type === 'message' && item.role === 'system' ? narrowOrigin(item.origin) : undefined;
	if (origin?.kind !== 'file' && origin?.kind !== 'auto_read') return [];
	// Users write refs, so `~/` in a ref is their home folder.
	const path = origin.kind === 'file' ? diskPath(origin.path, scope) : origin.path;
	return [{path, real: resolve(scope.pwd, path), how: origin.kind === 'file' ? 'attached' : 'read again'}];
}
