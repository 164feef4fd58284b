import {messageOf} from '../values/message-of.ts';

/** What a user reads of a job that failed by a bug. */
export function internalErrorText(error: unknown): string {
	return `Internal error: ${messageOf(error)}`;
}
