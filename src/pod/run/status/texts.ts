import {t} from '../../../language/index.ts';
import {messageOf} from '../../ground/values/message-of.ts';

/** Returns the text for the user about a job that failed by a bug. */
export function internalErrorText(error: unknown): string {
	return t`Internal error: ${messageOf(error)}`;
}
