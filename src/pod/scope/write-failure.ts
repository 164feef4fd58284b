import {en} from '../../language/index.ts';
import {errorCode} from '../ground/files/fs-error.ts';
import type {DirMoved} from './dir-handle.ts';

/** The reason why a file cannot be written. `changed`: the file has changed since it was opened. */
export type WriteFailure =
	| 'read_only'
	| 'out_of_scope'
	| 'not_found'
	| 'is_directory'
	| 'not_a_file'
	| 'not_a_directory'
	| 'too_large'
	| 'changed'
	| 'io';
export type NotWritten = {readonly ok: false; readonly reason: WriteFailure; readonly cause?: unknown};

/** Returns the failure for a file or directory that was replaced while it was being opened. */
export function replacedFailure(reason: DirMoved | 'io'): NotWritten {
	return {ok: false, reason, cause: new Error(en`it was replaced while it was being opened`)};
}

/** Turns a system error into a failure. An error without a code is thrown again, because it is a bug. */
export function writeFailureOf(cause: unknown): NotWritten {
	const code = errorCode(cause);
	if (code === '') throw cause;
	return {ok: false, reason: reasons[code] ?? 'io', cause};
}

const reasons: Readonly<Record<string, WriteFailure>> = {ENOTDIR: 'not_a_directory', EISDIR: 'is_directory'};
