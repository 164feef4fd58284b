import {basename, dirname} from 'node:path';
import type {Clock} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {failureOf, failureSentence, realFiles, type Files} from '../files.ts';
import {takeLock, lockOwner, type Lock} from '../log/lock.ts';
import {changeFile} from './change-file.ts';
import {conversationFolders, filesBeside, filesIn, isPrompts, RedactError} from './conversation-files.ts';
import {beginReplacement, finishReplacement, type Replacement} from './intent.ts';
import {redactConversation, redactFile, type FoundIn, type Removal} from './redact-conversation.ts';
import type {Remover} from './remover.ts';
import type {SentTo} from './sent-to.ts';
import {redactTexts} from './texts.ts';

/** What was found in a session, and was removed unless it was only a trial. */
export type Redacted =
	| {
			readonly ok: true;
			readonly found: readonly FoundIn[];
			readonly sent: readonly SentTo[];
			readonly skipped: readonly string[];
	  }
	/** `isOpen`: another process has the session open. */
	| {readonly ok: false; readonly isOpen: boolean; readonly sentence: string};

export type RedactOptions = {
	readonly remover: Remover;
	/** The id of an item whose texts are all removed. */
	readonly whole?: string | undefined;
	/** Whether nothing is changed. */
	readonly isTrial: boolean;
	/** Finishes what a killed process left to do with the files of a conversation. Its folder is locked. */
	readonly settle?: (dir: string) => Promise<void>;
	readonly clock: Clock;
	readonly files?: Files;
};

/**
Removes texts from all files of a session: its histories, outputs, images, backups, drafts, queue and label, and from
the prompts of its project. Marks take their places. If the process is killed, all files are as before, or the next
process that opens the session finishes the work. It refuses if another process has the session open.
*/
export async function redactSession(dir: string, options: RedactOptions): Promise<Redacted> {
	const {files = realFiles, isTrial, settle} = options;
	const locks: Lock[] = [];
	try {
		if (isTrial) return await redact(dir, options, undefined);
		for (const folder of await conversationFolders(dir)) {
			const locked = await takeLock(folder, files);
			if (!locked.ok) return {ok: false, isOpen: locked.reason === 'held', sentence: locked.sentence};
			locks.push(locked.lock);
			if (folder === dir) await finishReplacement(dir, files);
			await settle?.(folder);
		}
		return await replaced(dir, options);
	} catch (error) {
		if (error instanceof RedactError) return {ok: false, isOpen: false, sentence: error.message};
		if (errorCode(error) === '') throw error;
		return {ok: false, isOpen: false, sentence: failureSentence(failureOf(error), dir, error)};
	} finally {
		for (const lock of locks) await lock.release();
	}
}

/** Finishes a removal that was interrupted, if no other process has the session open. */
export async function finishRedaction(dir: string, files: Files = realFiles): Promise<void> {
	const locked = await takeLock(dir, files);
	if (!locked.ok) return;
	try {
		await finishReplacement(dir, files);
	} finally {
		await locked.lock.release();
	}
}

async function replaced(dir: string, options: RedactOptions): Promise<Redacted> {
	const {remover, files = realFiles} = options;
	const replacement = await beginReplacement(dir, files);
	let isListed = false;
	try {
		const redacted = await redact(dir, options, replacement);
		isListed = true;
		await replacement.commit((path, bytes) => changeFile(basename(path), bytes, remover)?.bytes ?? bytes);
		return redacted;
	} catch (error) {
		if (!isListed) await replacement.abandon();
		throw error;
	}
}

async function redact(dir: string, options: RedactOptions, replacement: Replacement | undefined): Promise<Redacted> {
	const {remover, whole, clock, files = realFiles} = options;
	const emit: Removal['emit'] = async (...file) => replacement?.stage(...file);
	const removal: Removal = {remover, whole, clock, files, emit, found: [], sent: [], skipped: []};
	const {drafts, others} = await filesBeside(dir);
	for (const folder of drafts) await redactDrafts(folder, removal);
	for (const path of others) await redactFile(path, removal, isPrompts(basename(path)));
	await redactConversation(dir, removal);
	const {found, sent, skipped} = removal;
	return {ok: true, found, sent, skipped};
}

/** Removes texts from the draft of a terminal, unless the terminal is open. */
export async function redactDrafts(folder: string, removal: Removal): Promise<void> {
	const paths = (await filesIn(folder)).filter(path => !/^lock(?:\.|$)/.test(basename(path)));
	const isOpen = (await lockOwner(folder, removal.files)) !== undefined;
	for (const path of paths) {
		if (isOpen && dirname(path) === folder) removal.skipped.push(redactTexts.draftOpen(path));
		else await redactFile(path, removal);
	}
}
