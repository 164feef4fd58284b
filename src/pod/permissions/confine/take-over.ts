import type {Stats} from 'node:fs';
import {lstatSync} from 'node:fs';
import {identityOf} from '../../platform/file-identity.ts';
import {heldNames, runsLater} from '../approval/runs-later.ts';
import {
	bytesOf,
	createPace,
	foldersAbove,
	place,
	plainPath,
	realNames,
	stampOf,
	statsOf,
	type Listed,
	type Pace,
} from './effects.ts';
import {createSameFolders} from './same-folders.ts';
import type {Effect, Layer, LeftOut, LeftOutReason, Stamp, Step} from './layer.ts';

/** The number of files that a take-over adds, changes and deletes. */
export type Counts = {readonly added: number; readonly changed: number; readonly deleted: number};

/**
The plan of a take-over: the steps that apply a command's changes to the real folder. `leftOut` are paths relative to
the folder of the layer.
*/
export type TakeOver = {
	readonly steps: readonly Step[];
	readonly leftOut: readonly LeftOut[];
	readonly counts: Counts;
	/** The effects that the plan takes. */
	readonly taken: readonly TakenEffect[];
};

/**
`files`: the number of files, which may be several only for a deleted folder. `mode`: the permissions that the entry
gets at the end, if the entry in the layer has other ones.
*/
export type TakenEffect = {readonly effect: Effect; readonly files: number; readonly mode: number | undefined};

/** Identifies an effect. A path may have two effects: an entry is deleted, and an entry of another kind is created. */
export type EffectKey = string;

type PlanOptions = {
	/**
	The files and folders that other programs run and that the user has approved. They are applied with all their
	contents.
	*/
	readonly approved?: ReadonlySet<string>;
	/** Tells whether an effect changes something that other programs run. */
	readonly isProtected?: (effect: Effect) => boolean;
	/**
	The effects that the user has seen. Other effects are not applied. If this is absent, all effects may be applied.
	*/
	readonly seen?: ReadonlySet<EffectKey> | undefined;
	/** Set if the user takes only some effects. The user discards the others, so the result does not name them. */
	readonly chosen?: ReadonlySet<EffectKey> | undefined;
	/** Tells whether another plan decides about a path, such as a path in a git folder. */
	readonly isElsewhere?: (path: string) => boolean;
};

/**
Plans how the effects of a layer are applied to the real folder. Files that were changed from outside since the cell
began stay as they are. The steps are in the order in which they run.
*/
export async function planTakeOver(
	layer: Layer,
	{effects, modes}: Listed,
	{approved = none, seen, chosen, isProtected = isNamedProtected, isElsewhere = () => false}: PlanOptions = {},
): Promise<TakeOver> {
	const pace = createPace(16);
	const isSame = createSameFolders(layer);
	const judged = new Map<string, Verdict>();
	const incomplete = new Set<string>();
	const [taken, leftOut]: [Taken[], LeftOut[]] = [[], []];
	let around: Around = {above: [], isLeft: false, isNew: false, isReplaced: false};
	for (const effect of effects) {
		if (pace.isDue()) await pace.breathe();
		const above = foldersAbove(effect.path);
		if (above !== around.above) around = aroundOf(above, judged, isSame);
		const judging = judge(layer, effect, {approved, seen, chosen, isProtected, isElsewhere, judged, around, pace});
		const verdict = judging instanceof Promise ? await judging : judging;
		// Later effects depend on the verdicts about folders and deletions.
		if (effect.type === 'folder' || effect.type === 'deleted') judged.set(keyOf(effect), verdict);
		if (verdict.type === 'take') taken.push({effect, mode: modes.get(effect.path), ...verdict});
		else for (const folder of above) incomplete.add(folder);
		if (verdict.type === 'leave' && verdict.isNamed) leftOut.push({path: effect.path, why: verdict.why});
	}
	return {steps: stepsOf(layer, taken, incomplete), leftOut, counts: countsOf(taken), taken};
}

type Taken = TakenEffect & {readonly was: Stamp};

/** The folders above an effect, and the verdicts about them. */
type Around = {
	readonly above: readonly string[];
	/** Whether one of these folders is not applied. */
	readonly isLeft: boolean;
	/** Whether the nearest folder does not exist yet in the real folder, so nothing in it can be a conflict. */
	readonly isNew: boolean;
	/** Whether the user has replaced the nearest folder with another one. */
	readonly isReplaced: boolean;
};

/**
Returns the facts about the folders above an effect. It is called once for each folder, because the effects of a folder
come one after another.
*/
function aroundOf(
	above: readonly string[],
	judged: ReadonlyMap<string, Verdict>,
	isSame: (path: string) => boolean,
): Around {
	const verdicts = above.map(folder => judged.get(`+${folder}`));
	const nearest = verdicts.at(-1);
	const isLeft = verdicts.some(verdict => verdict?.type === 'leave');
	const isNew = nearest?.type === 'take' && nearest.was === '';
	return {above, isLeft, isNew, isReplaced: !isLeft && !isNew && !isSame(above.at(-1) ?? '')};
}

const none: ReadonlySet<string> = new Set();

/**
Tells whether the name of an effect is the name of something that other programs run, or whether it is a link that can
give such names to other files.
*/
export function isNamedProtected({path, type}: Effect): boolean {
	const plain = plainPath(path);
	return runsLater(plain) || (type === 'link' && heldNames(plain).length > 0);
}

type Verdict =
	/** `files`: the number of files in a deleted folder. */
	| {readonly type: 'take'; readonly was: Stamp; readonly files: number}
	| {readonly type: 'leave'; readonly why: LeftOutReason; readonly isNamed: boolean}
	| {readonly type: 'elsewhere'};

type Judging = Required<Omit<PlanOptions, 'seen' | 'chosen'>> & {
	readonly seen: PlanOptions['seen'];
	readonly chosen: PlanOptions['chosen'];
	readonly judged: ReadonlyMap<string, Verdict>;
	readonly around: Around;
	readonly pace: Pace;
};

export function keyOf({type, path}: Effect): EffectKey {
	return `${type === 'deleted' ? '-' : '+'}${path}`;
}

function judge(layer: Layer, effect: Effect, judging: Judging): Verdict | Promise<Verdict> {
	const {path, type} = effect;
	if (judging.isElsewhere(path)) return {type: 'elsewhere'};
	if (judging.chosen?.has(keyOf(effect)) === false) return leave('conflict', false);
	if (judging.around.isLeft) return leave('conflict', false);
	if (type === 'special') return leave('special');
	if (judging.isProtected(effect) && !isApproved(effect, judging)) return leave('protected');
	if (judging.seen?.has(keyOf(effect)) === false) return leave('conflict');
	if (judging.around.isNew && type !== 'deleted') return take('');
	const now = statsOf(place(layer.path, path));
	if (judging.around.isReplaced && now !== undefined) return leave('conflict');
	if (type === 'deleted') return judgeDeletion(layer, path, now, judging.pace);
	const isReplaced = judging.judged.get(`-${path}`);
	if (isReplaced !== undefined) return isReplaced.type === 'take' ? take('') : leave('conflict', false);
	// If the file was deleted from outside, it is created again, because this case looks the same as a new file.
	if (now === undefined) return take('');
	if (effect.isNew) return leave('conflict');
	// New files also change the change time of a folder, so the time is not compared. Only the mode of the folder is
	// applied.
	if (type === 'folder') return now.isDirectory() ? take(stampOf(now)) : leave('conflict');
	return isChangedSince(now, layer) ? leave('conflict') : take(stampOf(now));
}

function isApproved({path}: Effect, {approved, around}: Judging): boolean {
	return approved.has(path) || around.above.some(folder => approved.has(folder));
}

async function judgeDeletion(layer: Layer, path: string, now: Stats | undefined, pace: Pace): Promise<Verdict> {
	if (now === undefined) return {type: 'take', was: '', files: 0};
	if (!now.isDirectory()) return isChangedSince(now, layer) ? leave('conflict') : take(stampOf(now));
	const files = await unchangedFiles(layer, path, pace);
	return files === undefined ? leave('conflict') : {type: 'take', was: identityOf(now), files};
}

/** Counts the files in a folder. Returns `undefined` if anything in it was changed since the cell began. */
async function unchangedFiles(layer: Layer, path: string, pace: Pace): Promise<number | undefined> {
	let files = 0;
	const folders = [path];
	for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
		const stats = statsOf(place(layer.path, folder));
		if (stats === undefined || isChangedSince(stats, layer)) return undefined;
		// If the folder cannot be read, changes in it cannot be excluded.
		const names = realNames(layer, folder);
		if (names === undefined) return undefined;
		for (const name of names) {
			if (pace.isDue()) await pace.breathe();
			const child = `${folder}/${name}`;
			const found = statsOf(place(layer.path, child));
			if (found === undefined || isChangedSince(found, layer)) return undefined;
			if (found.isDirectory()) folders.push(child);
			else files++;
		}
	}
	return files;
}

function isChangedSince({ctimeMs}: Stats, {since}: Layer): boolean {
	return ctimeMs > since;
}

function leave(why: LeftOutReason, isNamed = true): Verdict {
	return {type: 'leave', why, isNamed};
}

function take(was: Stamp): Verdict {
	return {type: 'take', was, files: 1};
}

/** `incomplete`: folders with contents that are not applied. */
function stepsOf(layer: Layer, taken: readonly Taken[], incomplete: ReadonlySet<string>): readonly Step[] {
	const moved = new Set<string>();
	const last: Array<readonly [path: string, mode: number]> = [];
	const [removals, others]: [Step[], Step[]] = [[], []];
	const from = (path: string) => `${layer.upper}/${path}`;
	const to = (path: string) => `${layer.path}/${path}`;
	let around: readonly string[] = [];
	let isMoved = false;
	for (const {effect, was, mode} of taken) {
		const {path, type} = effect;
		const above = foldersAbove(path);
		// The effects of one folder come one after another, so this is computed once for each folder.
		if (above !== around) isMoved = above.some(folder => moved.has(folder));
		around = above;
		if (mode !== undefined && type !== 'deleted') last.push([path, mode]);
		if (type === 'deleted') removals.push({type: 'remove', path: to(path), was});
		else if (type === 'special' || isMoved) continue;
		else if (type !== 'folder') others.push({type: 'move', from: from(path), to: to(path), was});
		else if (was === '' && effect.isNew && !incomplete.has(path)) {
			moved.add(path);
			others.push({type: 'move_folder', from: from(path), to: to(path)});
		} else if (was === '') others.push({type: 'folder', path: to(path), mode: modeOf(from(path))});
	}
	// Permissions are set after everything else, and inner folders come first, because a folder may lose permissions
	// that the other steps need.
	last.sort(([one], [other]) => (one < other ? 1 : -1));
	return [...removals, ...others, ...last.map(([path, mode]): Step => ({type: 'mode', path: to(path), mode}))];
}

function modeOf(path: string): number {
	return lstatSync(bytesOf(path)).mode & 0o1777;
}

function countsOf(taken: readonly Taken[]): Counts {
	let [added, changed, deleted] = [0, 0, 0];
	for (const {effect, files} of taken) {
		if (effect.type === 'deleted') deleted += files;
		else if (effect.type === 'file' || effect.type === 'link') {
			if (effect.isNew) added++;
			else changed++;
		}
	}
	return {added, changed, deleted};
}
