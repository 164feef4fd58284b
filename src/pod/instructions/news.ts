import {dirname, join, relative, sep} from 'node:path';
import type {Draft} from '../../worker/index.ts';
import {quoteUntrusted} from '../text/quote-untrusted.ts';
import {instructionLimits} from '../config/limits.ts';
import type {OriginOf} from '../protocol.ts';
import {cutBody} from '../scope/line-window.ts';
import {contains} from '../scope/scope.ts';
import {onOneLine} from '../tools/output.ts';
import {fileNames, type Found, type RefusedFor} from './find.ts';
import type {Standing} from './standing.ts';

export type News = {
	readonly drafts: ReadonlyArray<Draft<'message'>>;
	/** A sentence for each file that is not sent although it is there. */ readonly warnings: readonly string[];
};

/**
What folders have to say that history does not hold yet, in their order: a text that is new or changed, a file that no
longer holds.
No text is sent that another file in force has said already. What is nearest to the work finds room first.
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
			warnings.push(
				`${quoteUntrusted(file)} was not given to the model: the instructions of this session take ${instructionLimits.maxTotalBytes / 1024} KB already.`,
			);
			return [];
		}
		const sent = fits ? read : {...read, ...cutBody(Buffer.from(read.body), room), truncated: true};
		room -= sent.bytes;
		return [textDraft(file, sent, {pwd, isChange: held.has(file)})];
	});
	return {drafts: [...gone.map(file => goneDraft(file, pwd)), ...drafts.toReversed()], warnings};
}

/** Says that a file was not given to the model, and why. */
export function refusalSentence({file, reason, why = ''}: Extract<Found, {type: 'refused'}>): string {
	return `${quoteUntrusted(file)} was not given to the model: ${reason === 'rule' ? why : `${reasons[reason]}.`}`;
}

/** Less than this is not worth to be begun with. */
const leastBytes = 1024;

type FoundText = Extract<Found, {type: 'text'}>;

/** The files in force of a folder that are not what it has to say now. Of one that cannot be read nothing is known. */
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

const reasons: Readonly<Record<Exclude<RefusedFor, 'rule'>, string>> = {
	out_of_scope: 'it is a link that leads to another place than instructions may come from',
	not_a_file: 'it is neither a file nor a directory (a pipe, device or socket)',
	is_directory: 'it is a directory',
	binary: 'it is binary, or not valid UTF-8 text',
	too_large: `it is larger than ${instructionLimits.maxScanBytes / 1024 ** 2} MB`,
	denied: 'it leads to a file that looks like a secret',
	io: 'it could not be read',
};
