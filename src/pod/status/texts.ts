import {messageOf} from '../values/message-of.ts';

/** Returns the text for the user about a job that failed by a bug. */
export function internalErrorText(error: unknown): string {
	return `Internal error: ${messageOf(error)}`;
}
