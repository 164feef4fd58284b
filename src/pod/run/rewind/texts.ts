import {endSentence, t} from '../../../language/index.ts';
import type {WriteFailure} from '../../scope/write-failure.ts';
import {onOneLine} from '../../ground/text/one-line.ts';

/** The texts that a user reads about rewinds. */
export const rewindTexts = {
	noFiles: t`No files selected.`,
	notChangedByTools: (path: string) => t`No tool has changed ${onOneLine(path).slice(0, maxPathShown)} since then.`,
	noSuchItem: (id: string) => t`This session has no item ${id.slice(0, maxIdShown)}.`,
	nothingLater: t`Nothing came after that message.`,
	insideToolCall: t`Cannot rewind into a tool call. Choose one of your own messages.`,
	notRestored: (path: string, why: string) => endSentence(`${onOneLine(path)}: ${why}`),
	/** This text and the following texts are ends of a sentence about a file. */
	noBackup: t`its earlier contents were not saved`,
	alreadyRestored: t`it already has these contents`,
	changedOutside: t`it was changed outside inkpod`,
	deletedOutside: t`it was deleted outside inkpod`,
	changedBetween: t`it was changed outside inkpod between two changes by tools`,
	cannotWrite: (reason: WriteFailure, code: string) =>
		`${writeProblems[reason]}${reason === 'io' && code !== '' ? ` (${code})` : ''}`,
};

const maxPathShown = 200;
const maxIdShown = 40;

const writeProblems: Readonly<Record<WriteFailure, string>> = {
	read_only: t`the working directory is read-only`,
	out_of_scope: t`it is outside the writable directories, or a link now leads elsewhere`,
	not_found: t`its path is not valid`,
	is_directory: t`it is now a directory`,
	not_a_file: t`it is no longer a regular file`,
	not_a_directory: t`part of its path is no longer a directory`,
	too_large: t`the current file is too large`,
	changed: t`it has changed since it was shown`,
	io: t`it could not be written`,
};
