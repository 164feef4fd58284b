import type {Env} from '../../pod/first-frame.ts';
import {sanitize, sanitizeLine} from '../../text/sanitize.ts';
import {withoutCredentials} from '../../worker/index.ts';
import {unexpectedError} from './ask-line.ts';
import {endSentence} from '../../language/index.ts';

/** Describes a bug in one line, or with its stack if INKPOD_DEBUG=1. The text is safe to print. */
export function unexpectedErrorText(error: unknown, env: Env): string {
	const {message, stack = message} = error instanceof Error ? error : new Error(String(error));
	if (env['INKPOD_DEBUG'] === '1') return sanitize(withoutCredentials(stack));
	return unexpectedError(sanitizeLine(endSentence(withoutCredentials(message))));
}
