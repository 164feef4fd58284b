import {en, t} from '../../../language/index.ts';
import {dirname, join, relative, sep} from 'node:path';
import type {Draft} from '../../../worker/index.ts';
import {instructionLimits} from '../../config/limits.ts';
import type {OriginOf} from '../../protocol.ts';
import {truncateBody} from '../../ground/text/line-window.ts';
import {contains} from '../../ground/files/contains.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import {fileNames, type FolderInstructions, type RefusedReason} from './find.ts';
import type {LastRead} from './find.ts';
import {quoteUntrusted} from '../../ground/text/one-line.ts';

type InstructionChanges = {
	readonly drafts: ReadonlyArray<Draft<'message'>>;
	/** Sentences about each file that exists but is not sent. */ readonly warnings: readonly string[];
};

/**
Returns the changes that history does not contain yet, in the order of the folders: new and changed texts, and removed
files. Skips a text that another active file has already sent. The files of the folders nearest to `pwd` get space
first.
*/
export function instructionChanges(
	found: readonly FolderInstructions[],
	standing: LastRead,
	pwd: string,
): InstructionChanges {
	const inForce = new Map([...standing].filter(([, {gone}]) => gone !== true));
	const gone = found.flatMap(each => removedFiles(each, inForce));
	for (const file of gone) inForce.delete(file);
	const wanted = changed(found, inForce);
	const warnings = found.flatMap(each => (each.type === 'refused' ? [refusalSentence(each)] : []));
	let room = instructionLimits.maxTotalBytes;
	for (const [file, {bytes = 0}] of inForce) if (!wanted.some(each => each.file === file)) room -= bytes;
	const drafts = wanted.toReversed().flatMap(({file, read}) => {
		const fits = read.bytes <= room;
		if (!fits && room < minBytes) {
			warnings.push(instructionTexts.overBudget(file));
			return [];
		}
		const sent = fits ? read : {...read, ...truncateBody(Buffer.from(read.body), room), truncated: true};
		room -= sent.bytes;
		return [textDraft(file, sent, {pwd, isChange: inForce.has(file)})];
	});
	return {drafts: [...gone.map(file => goneDraft(file, pwd)), ...drafts.toReversed()], warnings};
}

/** Returns the sentence for a file that the model does not get, with the reason. */
export function refusalSentence({file, reason, why = ''}: Extract<FolderInstructions, {type: 'refused'}>): string {
	return reason === 'rule' ? instructionTexts.refusedByRule(file, why) : instructionTexts.notSent(file, reason);
}

/** If fewer bytes than this fit, the model gets no part of the file, because so short a beginning would be useless. */
const minBytes = 1024;

type FoundText = Extract<FolderInstructions, {type: 'text'}>;

/**
Returns the files of a folder that apply according to history, but no longer contain the folder's instructions. If the
instructions cannot be read, the result is empty.
*/
function removedFiles(found: FolderInstructions, inForce: LastRead): string[] {
	if (found.type === 'refused') return [];
	const folder = found.type === 'none' ? found.folder : dirname(found.file);
	return fileNames
		.map(name => join(folder, name))
		.filter(file => inForce.has(file) && !(found.type === 'text' && found.file === file));
}

function changed(found: readonly FolderInstructions[], inForce: LastRead): readonly FoundText[] {
	const sentHashes = new Set([...inForce.values()].map(({sha256}) => sha256));
	return found.filter((each): each is FoundText => {
		if (each.type !== 'text') return false;
		const {sha256, body} = each.read;
		const before = inForce.get(each.file);
		const isNew = before === undefined ? !sentHashes.has(sha256) && body.trim() !== '' : before.sha256 !== sha256;
		if (isNew) sentHashes.add(sha256);
		return isNew;
	});
}

function textDraft(
	file: string,
	{body, bytes, totalBytes, truncated, sha256}: FoundText['read'],
	{pwd, isChange}: {readonly pwd: string; readonly isChange: boolean},
): Draft<'message'> {
	const path = shown(file, pwd);
	const rest = contains(pwd, file)
		? en`[...truncated, ${totalBytes} bytes total — use read_file for the rest]`
		: en`[...truncated, ${totalBytes} bytes total — you cannot read the rest]`;
	const note = truncated ? `\n${rest}` : '';
	const head = isChange
		? `[Instructions: ${path}, which changed: this replaces what it said before]`
		: `[Instructions: ${path}]`;
	return draft(`${head}\n${body}${note}`, {kind: 'instructions', path, truncated, file, bytes, totalBytes, sha256});
}

function goneDraft(file: string, pwd: string): Draft<'message'> {
	const path = shown(file, pwd);
	return draft(`[Instructions: ${path}, which was removed: what it said no longer applies]`, {
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

/** The texts that a user reads about instructions. */
const instructionTexts = {
	notSent: (file: string, reason: Exclude<RefusedReason, 'rule'>) =>
		t`${quoteUntrusted(file)} was not sent to the model: ${reasons[reason]}.`,
	/** `why` is the end of a sentence, including its full stop. */
	refusedByRule: (file: string, why: string) => t`${quoteUntrusted(file)} was not sent to the model: ${why}`,
	overBudget: (file: string) =>
		t`${quoteUntrusted(file)} was not sent to the model:
			the instructions of a session are limited to ${instructionLimits.maxTotalBytes / 1024} KB.`,
};

const reasons: Readonly<Record<Exclude<RefusedReason, 'rule'>, string>> = {
	out_of_scope: t`it is a link that leads outside the allowed directories`,
	not_a_file: t`it is not a regular file (a pipe, device or socket)`,
	is_directory: t`it is a directory`,
	binary: t`it is binary or not valid UTF-8 text`,
	too_large: t`it is larger than ${instructionLimits.maxScanBytes / 1024 ** 2} MB`,
	denied: t`it is a link to a file that looks like a secret`,
	io: t`it could not be read`,
};
