import {en, t, tCount} from '../../language/index.ts';
import type {Refusal, Unreadable} from './format/decode.ts';
import {maxDamaged, maxLineBytes} from './format/limits.ts';

/** Returns a sentence that explains why a history.json was not opened. */
export function refusalSentence(refusal: Refusal, path: string): string {
	return refusals[refusal.reason](path, refusal);
}

const maxMegabytes = maxLineBytes / 1024 / 1024;
const untouched = t`The file was not changed.`;

const refusals: Record<Unreadable, (path: string, refusal: Refusal) => string> = {
	empty: path => t`${path} is empty.`,
	not_history: path => t`${path} is not an inkpod session. ${untouched}`,
	long_line: (path, {line}) => t`Line ${line} of ${path} is longer than ${maxMegabytes} MB. ${untouched}`,
	too_damaged: path => t`More than ${maxDamaged} lines of ${path} are damaged. ${untouched}`,
	long_tail: path => t`${path} ends with more than ${maxMegabytes} MB of data that inkpod cannot read. ${untouched}`,
	newer_format: path =>
		t`${path} was written by a newer inkpod, in a format that this version does not know. ${untouched}`,
	unknown_type: (path, {line, type}) =>
		t`Line ${line} of ${path} has the type ${JSON.stringify(type?.slice(0, 40))}, which this version does not know:
			it was written by a newer inkpod. ${untouched}`,
};

export const findTexts = {
	empty: t`The session id is empty. Give an id or a prefix of it; inkpod sessions lists them.`,
	ambiguous: (count: number, prefix: string, ids: string) => t`${count} sessions begin with ${prefix}: ${ids}.`,
	unknown: (wanted: string, near: readonly string[]) =>
		t`No session begins with ${wanted}. ` +
		(near.length === 0 ? t`There are no sessions yet.` : t`The nearest are ${near.join(', ')}.`),
	child: (id: string, parent: string) =>
		t`${id} is a child of session ${parent}. It can only be opened in the chat: inkpod -r ${id}`,
};

export const forkTexts = {
	empty: t`There is nothing to fork yet.`,
	/** The end of a fork's title. */
	mark: t`(fork)`,
	noItem: (id: string) => t`The session has no item ${id}.`,
	forked: (id: string) => t`Forked session ${id} into this one. The original is unchanged.`,
	missingBackups: t`Some backups of changed files could not be copied, so a rewind in this session cannot restore
		those files.`,
	missingSummaries: t`The conversations of some compactions could not be copied.`,
	missingOutputs: t`Some long command outputs could not be copied, so they are missing from this session.`,
	missingBlobs: t`Some images or documents could not be copied. The model gets a note that they are missing.`,
};

export const homeTexts = {
	none: (uid: number) =>
		t`You have no home folder: HOME is not set, and the system does not list a user with uid ${uid}.
			Set HOME to a folder that only you can change.`,
	notFolder: (path: string) => t`${path} is not a folder.`,
	unreadable: (sentence: string) =>
		t`Sessions cannot be read: ${sentence} Set INKPOD_HOME to a folder that you can read and write.`,
	unwritable: (sentence: string) =>
		t`Sessions cannot be saved: ${sentence} Set INKPOD_HOME to a folder that you can read and write.`,
	relative: (path: string) => t`INKPOD_HOME is ${path}, but must be an absolute path.`,
	/** The reasons why `path` would let another user add or replace sessions. */
	unsafe: {
		foreign: (path: string) =>
			t`${path} belongs to another user, who could change your sessions.
				Set INKPOD_HOME to a folder that only you can change.`,
		open: (path: string) =>
			t`Every user may change ${path}, and so could change your sessions. Run: chmod o-w ${path}`,
	},
};

export const draftTexts = {
	/** The texts for a save that failed during the session or at its end. */
	notSaved: (sentence: string) => t`Your unsent message could not be saved and would be lost in a crash: ${sentence}`,
	lost: (sentence: string) => t`Your unsent message could not be saved and is lost: ${sentence}`,
	damaged: (aside: string | undefined) =>
		[
			t`An unsent message of an earlier session could not be read.`,
			...(aside === undefined ? [] : [t`The file is now ${aside}.`]),
		].join(' '),
	missingPastes: (count: number) =>
		t`The restored message is missing ${count === 1 ? t`a paste` : t`${count} pastes`}.`,
};

export const queueTexts = {
	damaged: (aside: string | undefined) =>
		t`Some queued messages could not be read${aside === undefined ? '' : t`. Their file is now ${aside}`}.`,
	full: t`The queue is full (64 MB).`,
	unlocked: (path: string) => t`The lock of this session was removed. Nothing was written to ${path}.`,
};

export const rescueTexts = {
	samePlace: (dir: string) =>
		en`The folder of this session vanished: ${dir} was moved, removed or replaced.
			inkpod has saved the whole conversation there again. ${leftBehind}`,
	otherPlace: (lost: {readonly dir: string}, saved: {readonly id: string; readonly dir: string}) =>
		en`Another program changed, replaced or unlocked this session in ${lost.dir}.
			inkpod has saved the whole conversation as a new session, ${saved.id}, in ${saved.dir}. ${leftBehind}`,
	failed: (dir: string, sentence: string) =>
		en`The folder of this session vanished: ${dir} was moved, removed or replaced.
			The conversation could not be saved again: ${sentence} inkpod tries again with the next step.`,
};

const leftBehind = en`Backups of changed files, long outputs and the conversations of compactions stayed in the old
	folder. So a rewind cannot restore those files.`;

export const readOnlyTexts = {
	opened: (sentence: string) => t`${sentence} You can read this session, but not continue it.`,
	refused: (sentence: string) => t`${sentence} This session was opened read-only, so nothing can be saved in it.`,
};

export const lockTexts = {
	starting: t`another process that is starting`,
	owner: (pid: number, host: string) => t`process ${pid} on ${host}`,
	held: (who: string, path: string) => t`This session is open in ${who}. If that is wrong, remove ${path}.`,
};

export const logTexts = {
	notSaved: (sentence: string) => en`${sentence} The last step was not saved.`,
	changed: (path: string) =>
		en`${path} was changed by another program during the session. Nothing in it was overwritten.`,
	unlocked: (path: string) =>
		en`The lock of this session was removed during the session. Nothing was written to ${path}.`,
	closed: en`This session is closed: nothing can be saved in it.`,
};

export const streamTexts = {
	notWritten: (sentence: string) =>
		t`${sentence} inkpod saves text that is still arriving only when the text is complete. If inkpod is killed
			before then, the text is lost.`,
};

export const repairTexts = {
	intact: t`The session is intact: there is nothing to repair.`,
	empty: t`No item of this session can be read.`,
	lostResult: en`: its result is lost`,
	line: (line: number, sentence: string) => t`Line ${line}: ${sentence}`,
	closed: (count: number) =>
		t`In the copy, ${count === 1 ? t`a tool call without a result is` : t`${count} tool calls without results are`}
			marked as interrupted.`,
	repeats: (count: number) =>
		t`${count === 1 ? t`An item with a repeated id was` : t`${count} items with repeated ids were`} left out of
			the copy.`,
	strays: (count: number) =>
		t`${count === 1 ? t`A result without a call was` : t`${count} results without calls were`} left out of the
			copy.`,
	strayEnds: (count: number) =>
		t`${count === 1 ? t`An end of an answer without a request was` : t`${count} ends of answers without requests were`}
			left out of the copy.`,
	halves: t`In the copy, U+FFFD replaces each incomplete character.`,
	backups: t`Some backups of changed files could not be copied, so a rewind in the copy cannot restore those files.`,
	outputs: t`Some long command outputs could not be copied, so they are missing from the copy.`,
	blobs: t`Some images or documents could not be copied. The model gets a note that they are missing.`,
	withoutConversation: (id: string) => t`The conversation of compaction ${id} is not in the copy.`,
	keptItems: (kept: number, named: number) =>
		t`The copy of this conversation has ${kept} items, but the compaction names ${named}.`,
	emptyConversation: (id: string) => t`Nothing in the conversation of compaction ${id} can be read.`,
	inConversation: (id: string, sentence: string) => t`In the conversation of compaction ${id}: ${sentence}`,
	missing: (line: number, session: string) =>
		en`A part of the conversation is missing here: line ${line} of session ${session} is damaged.`,
	maybeMissing: (line: number, session: string) =>
		en`A part of the conversation may be missing here, before line ${line} of session ${session}.`,
};

export const sideTexts = {
	missing: t`The conversation in which this summary was written is missing.`,
	tooLarge: (path: string) => t`The conversation is too large to show here. It is in ${path}.`,
	missingFile: t`The conversation of this compaction is missing.`,
	lostWithFolder: t`The folder of this session disappeared, and the conversation of a compaction was lost with it.
		inkpod saved the session again without this conversation.`,
	different: t`This is not the conversation that the compaction names.`,
	differentShown: t`This is not the conversation that the compaction names: its end is missing, or it was changed.`,
	unfinished: t`This compaction did not finish. Its requests were sent anyway.`,
};

export const childTexts = {
	missing: t`The history of this child session is missing.`,
	different: t`This is not the child session that its parent names: its end is missing, or it was changed.`,
	unnamed: t`The history of the parent does not name this child session.`,
};

export const verifyTexts = {
	otherSession: (named: string, id: string) => t`The header names session ${named}, but the folder names ${id}.`,
	redacted: (rule: string, count: number, bytes: number) =>
		t`Redacted (${rule}): ${tCount(count, 'text')}, ${bytes} bytes. The rest of the line is not proven.`,
	misplacedMark: t`A text was removed from this line, and the mark is not where the record says.`,
	unchecked: t`The chain restarts here: the checksum of the previous line is unreadable, so this line could not be
		checked.`,
	unseparated: t`After this line the comma or the newline is missing or wrong. Nothing is lost, but it is not
	valid JSON.`,
	deep: t`This item is nested so deeply that other programs, such as jq, refuse the file. inkpod reads it.`,
	halves: t`This item contains an incomplete character, so other programs, such as jq, refuse the file. inkpod reads
		it.`,
	wrongCheck: t`The check of this line does not fit, although its sum does. inkpod did not write this line.`,
	repeatedId: (id: string) => t`The id ${id} also occurs on an earlier line.`,
	strayResult: t`This result has no call.`,
	strayEnd: t`This end of an answer has no request.`,
	lostAnswer: t`This request was sent, and its answer is lost.`,
	overtakenCall: t`This call was never answered, although the conversation continued.`,
	openCall: t`This tool call has no result yet. Resuming the turn runs it; a new message marks it as interrupted.`,
	torn: t`The last append is incomplete: it is still being written, or was cut off. The next start repairs it.`,
	openEnd: t`The end of the file is incomplete, but no item is cut off. The next start repairs it.`,
	streamed: (count: number) =>
		t`The session is unfinished. The next start saves from stream.log: ${tCount(count, 'item')}.`,
	waiting: (count: number) => t`Waiting in queue.json: ${tCount(count, 'message')}.`,
	noSetup: t`The setup before this request is missing, so inkpod cannot rebuild its body.`,
};

export const recordTexts = {
	damaged: (path: string) => t`${path} is damaged. Its readable records were printed.`,
};

export const sideQuestionTexts = {
	different: t`This side question does not belong to this session.`,
};

export const blobTexts = {
	redacted: t`You removed the contents of an image or document. Requests contain a note in its place.`,
	gone: t`The file of an image or document is missing or was changed. Requests contain a note in its place.`,
	unverifiable: t`An image or document of the request is missing from the session's folder, or was changed.`,
};

export const pastedTexts = {
	noImage: t`The clipboard contains no image.`,
	tooLarge: t`The image in the clipboard is larger than 24 MB.`,
};

export const trashTexts = {
	inTrash: (id: string) => t`Session ${id} is already in the trash.`,
	exists: (id: string) => t`Cannot restore session ${id}, because a session with this id already exists.`,
};

export const importTexts = {
	damaged: (path: string, first = '') =>
		t`${path} is damaged, so nothing was imported.${first === '' ? '' : ` ${first}`}`,
	empty: (path: string) => t`${path} has no items.`,
};
