import {dirname, join, relative, sep} from 'node:path';
import type {Draft} from '../../worker/index.ts';
import {instructionLimits} from '../config/limits.ts';
import type {OriginOf} from '../protocol.ts';
import {cutBody} from '../text/line-window.ts';
import {contains} from '../scope/scope.ts';
import {onOneLine} from '../tools/output.ts';
import {fileNames, type Found} from './find.ts';
import type {Standing} from './last-read.ts';
import {instructionTexts} from './texts.ts';

export type News = {
	readonly drafts: ReadonlyArray<Draft<'message'>>;
	/** A sentence for each file that exists and is not sent. */ readonly warnings: readonly string[];
};

/**
The changes that history does not contain yet, in the order of the folders: new and changed texts, and removed files.
A text that another active file has already sent is not sent again. The files nearest to the work get space first.
*/
export function newsOf(found: readonly Found[], standing: Standing, pwd: string): News {
	const held = new Map([...standing].filter(([, {gone}]) => gone !== true));
	const gone = found.flatMap(each => goneWith(each, held));
	for (const file of gone) held.delete(file);
	const wanted = changed(found, held);
	const warnings = found.flatMap(each => (each.type === 'refused' ? [refusalSentence(each)] : []));
	let room = instructionLimits.maxTotalBytes;
	for (const [file, {bytes = 0}] of held) if (!wanted.some(each => each.file === file)) room -= bytes;
	const drafts = wanted.toReversed().flatMap(({file, read}) => {
		const fits = read.bytes <= room;
		if (!fits && room < leastBytes) {
			warnings.push(instructionTexts.overBudget(file));
			return [];
		}
		const sent = fits ? read : {...read, ...cutBody(Buffer.from(read.body), room), truncated: true};
		room -= sent.bytes;
		return [textDraft(file, sent, {pwd, isChange: held.has(file)})];
	});
	return {drafts: [...gone.map(file => goneDraft(file, pwd)), ...drafts.toReversed()], warnings};
}

/** The sentence for a file that is not sent to the model, with the reason. */
export function refusalSentence({file, reason, why = ''}: Extract<Found, {type: 'refused'}>): string {
	return reason === 'rule' ? instructionTexts.refusedByRule(file, why) : instructionTexts.notSent(file, reason);
}

/** Shorter beginnings of a file are useless to a model. */
const leastBytes = 1024;

type FoundText = Extract<Found, {type: 'text'}>;

/** The active files of a folder that are no longer its instructions. An unreadable folder removes nothing. */
function goneWith(found: Found, held: Standing): string[] {
	if (found.type === 'refused') return [];
	const folder = found.type === 'none' ? found.folder : dirname(found.file);
	return fileNames
		.map(name => join(folder, name))
		.filter(file => held.has(file) && !(found.type === 'text' && found.file === file));
}

function changed(found: readonly Found[], held: Standing): readonly FoundText[] {
	const said = new Set([...held.values()].map(({sha256}) => sha256));
	return found.filter((each): each is FoundText => {
		if (each.type !== 'text') return false;
		const {sha256, body} = each.read;
		const before = held.get(each.file);
		const isNews = before === undefined ? !said.has(sha256) && body.trim() !== '' : before.sha256 !== sha256;
		if (isNews) said.add(sha256);
		return isNews;
	});
}

function textDraft(
	file: string,
	{body, bytes, totalBytes, truncated, sha256}: FoundText['read'],
	{pwd, isChange}: {readonly pwd: string; readonly isChange: boolean},
): Draft<'message'> {
	const path = shown(file, pwd);
	const rest = contains(pwd, file) ? 'use read_file for the rest' : 'the rest lies out of reach';
	const note = truncated ? `\n[...truncated, ${totalBytes} bytes total — ${rest}]` : '';
	const head = isChange
		? `[Instructions: ${path}, which changed: this replaces what it said before]`
		: `[Instructions: ${path}]`;
	return draft(`${head}\n${body}${note}`, {kind: 'instructions', path, truncated, file, bytes, totalBytes, sha256});
}

function goneDraft(file: string, pwd: string): Draft<'message'> {
	const path = shown(file, pwd);
	return draft(`[Instructions: ${path}, which was removed: what it said no longer holds]`, {
		kind: 'instructions',
		path,
		truncated: false,
		file,
		gone: true,
	});
}

function draft(text: string, origin: OriginOf<'instructions'>): Draft<'message'> {
	return {type: 'message', role: 'system', text, origin};
}

function shown(file: string, pwd: string): string {
	return onOneLine(relative(pwd, file).split(sep).join('/'));
}
