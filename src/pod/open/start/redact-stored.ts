import {join} from 'node:path';
import {systemClock} from '../../../worker/index.ts';
import {realFiles} from '../../disk/files.ts';
import {idOf} from '../../disk/paths.ts';
import {createMatches, type Matches} from '../../disk/redact/matches.ts';
import {allSessionFolders, redactLoose} from '../../disk/redact/redact-loose.ts';
import {homeOf} from '../../disk/redact/intent.ts';
import {redactSession, type Redacted} from '../../disk/redact/redact-session.ts';
import {createRemover, isLongEnough, type Remover} from '../../disk/redact/remover.ts';
import {addedUp, type SentTo} from '../../disk/redact/sent-to.ts';
import {redactTexts} from '../../disk/redact/texts.ts';
import type {Env} from '../../ground/env/env.ts';
import {finishTakeOvers} from '../../permissions/confine/journal.ts';
import {gitStepRunner} from '../../permissions/confine/run-git-steps.ts';

/** What the user wants to remove: a text, what a pattern matches, or the texts of an item. */
export type Unwanted =
	| {readonly kind: 'text'; readonly text: string}
	| {readonly kind: 'pattern'; readonly source: string}
	| {readonly kind: 'item'; readonly id: string};

export type RedactWish = {
	/** The folder of the session. */
	readonly dir: string;
	readonly unwanted: Unwanted;
	/** Whether nothing is changed. */
	readonly isTrial: boolean;
	/** Whether all sessions are searched. */
	readonly isEverywhere: boolean;
	readonly env: Env;
};

/** The result for all sessions. `count` is the number of removed texts in a file. */
export type RedactResult =
	| {
			readonly ok: true;
			readonly found: ReadonlyArray<{readonly path: string; readonly count: number}>;
			readonly sent: readonly SentTo[];
			/** Sentences about sessions and files that were not searched or not changed. */
			readonly skipped: readonly string[];
			/** The number of matches of a pattern that are too short to be removed. */
			readonly shorter: number;
	  }
	| {readonly ok: false; readonly sentence: string};

/** Removes texts from a session, or from all of them. Sessions that are open in another process are skipped. */
export async function redactStored(wish: RedactWish): Promise<RedactResult> {
	const {dir, unwanted, isTrial, isEverywhere, env} = wish;
	const others = isEverywhere ? (await allSessionFolders(homeOf(dir))).filter(other => other !== dir) : [];
	const sought = await soughtIn([dir, ...others], unwanted);
	if (!sought.ok) return sought;
	const {remover, shorter} = sought;
	const whole = unwanted.kind === 'item' ? unwanted.id : undefined;
	const clock = systemClock();
	const settle = async (folder: string) => void (await finishTakeOvers(join(folder, 'cells'), gitStepRunner(env)));
	const results: Redacted[] = [];
	for (const folder of [dir, ...others]) {
		const result = await redactSession(folder, {remover, whole, isTrial, settle, clock});
		if (!result.ok && !isEverywhere) return {ok: false, sentence: result.sentence};
		results.push(result.ok ? result : {...result, sentence: redactTexts.skipped(idOf(folder), result.sentence)});
	}
	const files = realFiles;
	const loose = isEverywhere ? await redactLoose(homeOf(dir), isTrial, {remover, clock, files}) : undefined;
	const done = results.filter(result => result.ok);
	const failed = results.flatMap(result => (result.ok ? [] : [result.sentence]));
	// A trial finds the prompts of a project again for each of its sessions.
	const found = new Map(
		[...done.flatMap(result => result.found), ...(loose?.found ?? [])].map(one => [one.path, one]),
	);
	const skipped = [...new Set([...failed, ...done.flatMap(one => one.skipped), ...(loose?.skipped ?? [])])];
	return {ok: true, found: [...found.values()], sent: addedUp(done.flatMap(({sent}) => sent)), skipped, shorter};
}

type Sought =
	| {readonly ok: true; readonly remover: Remover; readonly shorter: number}
	| {readonly ok: false; readonly sentence: string};

/** Finds the values that are removed. */
async function soughtIn(folders: readonly string[], unwanted: Unwanted): Promise<Sought> {
	if (unwanted.kind === 'text')
		return {ok: true, remover: createRemover('text', valuesOf(unwanted.text)), shorter: 0};
	if (unwanted.kind === 'item') return soughtInItem(folders[0] ?? '', unwanted.id);
	const created = createMatches(unwanted.source);
	if (!created.ok) return created;
	const {matches} = created;
	for (const folder of folders) {
		const looked = await lookInto(folder, matches);
		if (!looked.ok && folders.length === 1) return looked;
		const sentence = matches.problem();
		if (sentence !== undefined) return {ok: false, sentence};
	}
	return {ok: true, remover: createRemover('pattern', matches.values), shorter: matches.shorter()};
}

/** Searches all texts of a session for a pattern. */
async function lookInto(dir: string, {look}: Matches): Promise<Redacted> {
	const remove = (text: string) => {
		look(text);
		return undefined;
	};
	const remover: Remover = {rule: 'pattern', remove, removeAll: remove};
	return redactSession(dir, {remover, isTrial: true, clock: systemClock()});
}

async function soughtInItem(dir: string, id: string): Promise<Sought> {
	const texts = new Set<string>();
	let isFound = false;
	const removeAll = (text: string) => {
		isFound ||= text !== '';
		if (isLongEnough(text)) texts.add(text);
		return undefined;
	};
	const remover: Remover = {rule: 'item', remove: () => undefined, removeAll};
	const looked = await redactSession(dir, {remover, whole: id, isTrial: true, clock: systemClock()});
	if (!looked.ok) return looked;
	if (!isFound) return {ok: false, sentence: redactTexts.noItem(id)};
	return {ok: true, remover: createRemover('item', texts), shorter: 0};
}

/** Returns a text, and the long words that are alone on a line of it, such as the lines of a private key. */
function valuesOf(text: string): readonly string[] {
	const lines = text.split(/\r?\n/);
	return lines.length === 1 ? [text] : [text, ...lines.filter(line => line.length >= 16 && !/\s/.test(line))];
}
