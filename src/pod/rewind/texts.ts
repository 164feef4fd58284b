import type {WriteFailure} from '../scope/write-failure.ts';
import {onOneLine} from '../text/one-line.ts';

/** The texts that a user reads about rewinds. */
export const rewindTexts = {
	noFiles: 'No files selected.',
	notChangedByTools: (path: string) => `No tool has changed ${onOneLine(path).slice(0, maxPathShown)} since then.`,
	noSuchItem: (id: string) => `This session has no item ${id.slice(0, maxIdShown)}.`,
	nothingLater: 'Nothing came after that message.',
	insideToolCall: 'Cannot rewind into a tool call. Choose one of your own messages.',
	notRestored: (path: string, why: string) => `${onOneLine(path)}: ${why}.`,
	/** The following texts are ends of a sentence about a file. */
	noBackup: 'its earlier contents were not saved',
	alreadyRestored: 'it already has these contents',
	changedOutside: 'it was changed outside inkpod',
	deletedOutside: 'it was deleted outside inkpod',
	changedBetween: 'it was changed outside inkpod between two changes by tools',
	cannotWrite: (reason: WriteFailure, code: string) =>
		`${writeProblems[reason]}${reason === 'io' && code !== '' ? ` (${code})` : ''}`,
};

const maxPathShown = 200;
const maxIdShown = 40;

const writeProblems: Readonly<Record<WriteFailure, string>> = {
	read_only: 'the working directory is read-only',
	out_of_scope: 'it is outside the writable directories, or a link now leads elsewhere',
	not_found: 'its path is not valid',
	is_directory: 'it is now a directory',
	not_a_file: 'it is no longer a regular file',
	not_a_directory: 'part of its path is no longer a directory',
	too_large: 'the current file is too large',
	changed: 'it has changed since it was shown',
	io: 'it could not be written',
};
