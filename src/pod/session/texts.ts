import type {Refusal, Unreadable} from './decode.ts';
import {maxDamaged, maxLineBytes} from './limits.ts';

/** Returns a sentence that tells why a history.json was not opened. */
export function refusalSentence(refusal: Refusal, path: string): string {
	return refusals[refusal.reason](path, refusal);
}

const maxMegabytes = maxLineBytes / 1024 / 1024;
const untouched = 'The file was not changed.';

const refusals: Record<Unreadable, (path: string, refusal: Refusal) => string> = {
	empty: path => `${path} is empty.`,
	not_history: path => `${path} is not a session of inkpod. ${untouched}`,
	long_line: (path, {line}) => `Line ${line} of ${path} is longer than ${maxMegabytes} MB. ${untouched}`,
	too_damaged: path => `More than ${maxDamaged} lines of ${path} are damaged. ${untouched}`,
	long_tail: path => `${path} ends with more than ${maxMegabytes} MB that are not items. ${untouched}`,
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
	forked: (id: string) => `This is a fork of session ${id}. The original is unchanged.`,
	missingBackups:
		'Some backups of changed files could not be copied: a rewind in this session cannot restore those files.',
};

export const homeTexts = {
	notFolder: (path: string) => `${path} is not a folder.`,
	unreadable: (sentence: string) =>
		`Sessions cannot be read: ${sentence} Set INKPOD_HOME to a folder that you can read and write.`,
};

export const draftTexts = {
	/** The texts for a failed save during the session, or at its end. */
	notSaved: (sentence: string) => `Your unsent message could not be saved and would be lost in a crash: ${sentence}`,
	lost: (sentence: string) => `Your unsent message could not be saved and is lost: ${sentence}`,
	damaged: (aside: string | undefined) =>
		`An unsent message of an earlier session could not be read${aside === undefined ? '' : `. It is now ${aside}`}.`,
	missingPastes: (count: number) => `The restored message is missing ${count === 1 ? 'a paste' : `${count} pastes`}.`,
};

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

export const repairTexts = {
	intact: 'The session is intact: there is nothing to repair.',
	empty: 'No item of this session can be read.',
	lostResult: ': its result is lost',
	line: (line: number, sentence: string) => `Line ${line}: ${sentence}`,
	closed: (count: number) =>
		`${count === 1 ? 'A call without a result was' : `${count} calls without results were`} closed in the copy.`,
	repeats: (count: number) =>
		`${count === 1 ? 'An item with a repeated id was' : `${count} items with repeated ids were`} left out of the copy.`,
	strays: (count: number) =>
		`${count === 1 ? 'A result without a call was' : `${count} results without calls were`} left out of the copy.`,
	backups: 'Some backups of changed files could not be copied: a rewind in the copy cannot restore those files.',
	missing: (line: number, session: string) =>
		`A part of the conversation is missing here: line ${line} of session ${session} is damaged.`,
	maybeMissing: (line: number, session: string) =>
		`A part of the conversation may be missing here, before line ${line} of session ${session}.`,
};

export const verifyTexts = {
	otherSession: (named: string, id: string) => `The header names session ${named}, but the folder names ${id}.`,
	unchecked:
		'The chain restarts here: the sum of the previous line is unreadable, so this line could not be checked.',
	unseparated:
		'After this line the comma or the newline is missing or wrong. Nothing is lost, but it is not valid JSON.',
	repeatedId: (id: string) => `The id ${id} also occurs on an earlier line.`,
	strayResult: 'This result has no call.',
	strayEnd: 'This end of an answer has no request.',
	lostAnswer: 'This request was sent, and its answer is lost.',
	overtakenCall: 'This call was never answered, although the conversation continued.',
	openCall: 'This call of the last batch has no result: a resume runs it, a new run closes it.',
	torn: 'The last append is incomplete: it is still being written, or was cut off. The next start repairs it.',
	openEnd: 'The end of the file is incomplete, but no item is cut off. The next start repairs it.',
	noSetup: 'No setup comes before this request.',
};
