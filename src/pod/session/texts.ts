import type {Refusal, Unreadable} from './decode.ts';
import {maxDamaged, maxLineBytes} from './limits.ts';

/** Returns a sentence that explains why a history.json was not opened. */
export function refusalSentence(refusal: Refusal, path: string): string {
	return refusals[refusal.reason](path, refusal);
}

const maxMegabytes = maxLineBytes / 1024 / 1024;
const untouched = 'The file was not changed.';

const refusals: Record<Unreadable, (path: string, refusal: Refusal) => string> = {
	empty: path => `${path} is empty.`,
	not_history: path => `${path} is not an inkpod session. ${untouched}`,
	long_line: (path, {line}) => `Line ${line} of ${path} is longer than ${maxMegabytes} MB. ${untouched}`,
	too_damaged: path => `More than ${maxDamaged} lines of ${path} are damaged. ${untouched}`,
	long_tail: path => `${path} ends with more than ${maxMegabytes} MB of data that inkpod cannot read. ${untouched}`,
	newer_format: path =>
		`${path} was written by a newer inkpod, in a format that this version does not know. ${untouched}`,
	unknown_type: (path, {line, type}) =>
		`Line ${line} of ${path} has the type ${JSON.stringify(type?.slice(0, 40))}, which this version does not know: ` +
		`it was written by a newer inkpod. ${untouched}`,
};

export const findTexts = {
	empty: 'The session id is empty. Give an id or a prefix of it; inkpod sessions lists them.',
	ambiguous: (count: number, prefix: string, ids: string) => `${count} sessions begin with ${prefix}: ${ids}.`,
	unknown: (wanted: string, near: readonly string[]) =>
		`No session begins with ${wanted}. ` +
		(near.length === 0 ? 'There are no sessions yet.' : `The nearest are ${near.join(', ')}.`),
};

export const forkTexts = {
	empty: 'There is nothing to fork yet.',
	noItem: (id: string) => `The session has no item ${id}.`,
	forked: (id: string) => `Forked session ${id} into this one. The original is unchanged.`,
	missingBackups:
		'Some backups of changed files could not be copied: a rewind in this session cannot restore those files.',
	missingSides: 'The conversations of some compactions could not be copied.',
	missingOutputs: 'Some long outputs of commands could not be copied: this session cannot read them.',
	missingBlobs: 'Some images or documents could not be copied: a line in the requests says that they are missing.',
};

export const homeTexts = {
	notFolder: (path: string) => `${path} is not a folder.`,
	unreadable: (sentence: string) =>
		`Sessions cannot be read: ${sentence} Set INKPOD_HOME to a folder that you can read and write.`,
	relative: (path: string) => `INKPOD_HOME is ${path}, and must be an absolute path.`,
	/** `path` would let another user add or replace sessions. */
	unsafe: {
		foreign: (path: string) =>
			`${path} belongs to another user, who could change your sessions. ` +
			'Set INKPOD_HOME to a folder that only you can change.',
		open: (path: string) => `Every user may change ${path}, and so your sessions. Run: chmod o-w ${path}`,
	},
};

export const draftTexts = {
	/** The texts for a save that failed during the session or at its end. */
	notSaved: (sentence: string) => `Your unsent message could not be saved and would be lost in a crash: ${sentence}`,
	lost: (sentence: string) => `Your unsent message could not be saved and is lost: ${sentence}`,
	damaged: (aside: string | undefined) =>
		[
			'An unsent message of an earlier session could not be read.',
			...(aside === undefined ? [] : [`The file is now ${aside}.`]),
		].join(' '),
	missingPastes: (count: number) => `The restored message is missing ${count === 1 ? 'a paste' : `${count} pastes`}.`,
};

export const queueTexts = {
	damaged: (aside: string | undefined) =>
		`Some queued messages could not be read${aside === undefined ? '' : `. Their file is now ${aside}`}.`,
	full: 'The queue is full (64 MB).',
	unlocked: (path: string) => `The lock of this session was removed. Nothing was written to ${path}.`,
};

export const rescueTexts = {
	samePlace: (dir: string) =>
		`The folder of this session vanished: ${dir} was moved, removed or replaced. ` +
		`inkpod has saved the whole conversation there again. ${leftBehind}`,
	otherPlace: (lost: {readonly dir: string}, saved: {readonly id: string; readonly dir: string}) =>
		`Another program changed, replaced or unlocked this session in ${lost.dir}. ` +
		`inkpod has saved the whole conversation as a new session, ${saved.id}, in ${saved.dir}. ${leftBehind}`,
	failed: (dir: string, sentence: string) =>
		`The folder of this session vanished: ${dir} was moved, removed or replaced. ` +
		`The conversation could not be saved again: ${sentence} inkpod tries again with the next step.`,
};

const leftBehind =
	'Backups of changed files, long outputs and the conversations of compactions stayed in the old folder. ' +
	'So a rewind cannot restore those files.';

export const readOnlyTexts = {
	opened: (sentence: string) => `${sentence} You can read this session, but not continue it.`,
	refused: (sentence: string) => `${sentence} This session was opened read-only, so nothing can be saved in it.`,
};

export const lockTexts = {
	starting: 'another process that is starting',
	owner: (pid: number, host: string) => `process ${pid} on ${host}`,
	held: (who: string, path: string) => `This session is open in ${who}. If that is wrong, remove ${path}.`,
};

export const logTexts = {
	notSaved: (sentence: string) => `${sentence} The last step was not saved.`,
	changed: (path: string) =>
		`${path} was changed by another program during the session. Nothing in it was overwritten.`,
	unlocked: (path: string) =>
		`The lock of this session was removed during the session. Nothing was written to ${path}.`,
	closed: 'This session is closed: nothing can be saved in it.',
};

export const streamTexts = {
	notWritten: (sentence: string) =>
		`${sentence} Text that is still arriving is saved when it is complete, and lost if inkpod is killed before.`,
};

export const repairTexts = {
	intact: 'The session is intact: there is nothing to repair.',
	empty: 'No item of this session can be read.',
	lostResult: ': its result is lost',
	line: (line: number, sentence: string) => `Line ${line}: ${sentence}`,
	closed: (count: number) =>
		`In the copy, ${count === 1 ? 'a tool call without a result is' : `${count} tool calls without results are`} ` +
		'marked as interrupted.',
	repeats: (count: number) =>
		`${count === 1 ? 'An item with a repeated id was' : `${count} items with repeated ids were`} left out of the copy.`,
	strays: (count: number) =>
		`${count === 1 ? 'A result without a call was' : `${count} results without calls were`} left out of the copy.`,
	strayEnds: (count: number) =>
		`${count === 1 ? 'An end of an answer without a request was' : `${count} ends of answers without requests were`} ` +
		'left out of the copy.',
	halves: 'U+FFFD is in the place of each half of a character.',
	backups: 'Some backups of changed files could not be copied: a rewind in the copy cannot restore those files.',
	outputs: 'Some long outputs of commands could not be copied: the copy cannot read them.',
	blobs: 'Some images or documents could not be copied: a line in the requests says that they are missing.',
	withoutConversation: (id: string) => `The conversation of compaction ${id} is not in the copy.`,
	keptItems: (kept: number, named: number) => `${kept} items are in the copy, and the compaction names ${named}.`,
	emptyConversation: (id: string) => `Nothing in the conversation of compaction ${id} can be read.`,
	inConversation: (id: string, sentence: string) => `In the conversation of compaction ${id}: ${sentence}`,
	missing: (line: number, session: string) =>
		`A part of the conversation is missing here: line ${line} of session ${session} is damaged.`,
	maybeMissing: (line: number, session: string) =>
		`A part of the conversation may be missing here, before line ${line} of session ${session}.`,
};

export const sideTexts = {
	missing: 'The conversation in which this summary was written is missing.',
	tooLarge: (path: string) => `The conversation is too large to show here. It is in ${path}.`,
	missingFile: 'The conversation of this compaction is missing.',
	lostWithFolder:
		'The folder of this session vanished with the conversation of a compaction. ' +
		'The session was saved again without it.',
	different: 'This is not the conversation that the compaction names.',
	differentShown: 'This is not the conversation that the compaction names: its end is missing, or it was changed.',
	unfinished: 'This compaction did not finish. Its requests were sent anyway.',
};

export const childTexts = {
	missing: 'The history of this child session is missing.',
	different: 'This is not the child session that its parent names: its end is missing, or it was changed.',
	unnamed: 'The history of the parent does not name this child session.',
};

export const verifyTexts = {
	otherSession: (named: string, id: string) => `The header names session ${named}, but the folder names ${id}.`,
	unchecked:
		'The chain restarts here: the checksum of the previous line is unreadable, so this line could not be checked.',
	unseparated:
		'After this line the comma or the newline is missing or wrong. Nothing is lost, but it is not valid JSON.',
	deep: 'This item is nested so deeply that other programs, such as jq, refuse the file. inkpod reads it.',
	halves: 'This item contains half a character, so that other programs, such as jq, refuse the file. inkpod reads it.',
	repeatedId: (id: string) => `The id ${id} also occurs on an earlier line.`,
	strayResult: 'This result has no call.',
	strayEnd: 'This end of an answer has no request.',
	lostAnswer: 'This request was sent, and its answer is lost.',
	overtakenCall: 'This call was never answered, although the conversation continued.',
	openCall: 'This tool call has no result yet. Resuming the turn runs it; a new message marks it as interrupted.',
	torn: 'The last append is incomplete: it is still being written, or was cut off. The next start repairs it.',
	openEnd: 'The end of the file is incomplete, but no item is cut off. The next start repairs it.',
	noSetup: 'No setup comes before this request.',
};

export const blobTexts = {
	gone: 'The file of an image or document is missing or was changed. Requests say so in its place.',
	unverifiable: 'An image or document of the request is missing beside the session, or was changed.',
};

export const pastedTexts = {
	noImage: 'The clipboard contains no image.',
	tooLarge: 'The image in the clipboard is larger than 24 MB.',
};

export const trashTexts = {open: (id: string) => `Session ${id} is open in another process. Close it there first.`};
