import {createPace, type Listed} from './effects.ts';
import {readFileIn, statsIn} from './git-files.ts';
import type {Effect, Layer} from './layer.ts';

/**
Leaves out the files that a command did not really change. overlayfs copies a file into the upper layer as soon as a
program opens it for writing or sets its permissions. The file is left out if its time, permissions and contents are
those of the real file.
*/
export async function withoutUnchanged(layer: Layer, {effects, modes}: Listed): Promise<Listed> {
	const pace = createPace(16);
	const kept: Effect[] = [];
	for (const effect of effects) {
		if (pace.isDue()) await pace.breathe();
		if (!isUnchanged(layer, effect)) kept.push(effect);
	}
	return {effects: kept, modes};
}

function isUnchanged({path: real, upper}: Layer, effect: Effect): boolean {
	if (effect.type !== 'file' || effect.isNew) return false;
	const {path} = effect;
	const [was, now] = [statsIn(real, path), statsIn(upper, path)];
	if (was?.size !== now?.size || was?.mtimeMs !== now?.mtimeMs || was?.mode !== now?.mode) return false;
	const [before, after] = [readFileIn(real, path, maxCompared), readFileIn(upper, path, maxCompared)];
	return before !== undefined && after !== undefined && before.equals(after);
}

/** The maximum size of a file that is compared, in bytes. A larger file counts as changed. */
const maxCompared = 64 * 1024 * 1024;
