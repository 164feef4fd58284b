import type {Env} from '../../pod/first-frame.ts';
import {sanitize, sanitizeLine} from '../../tui/text/sanitize.ts';
import {withoutCredentials} from '../../worker/index.ts';
import {withFullStop} from './with-full-stop.ts';

/**
What is said of an error that nobody expected: one line, and with INKPOD_DEBUG=1 where it happened. Safe to print.
*/
export function unexpectedErrorText(error: unknown, env: Env): string {
	const {message, stack = message} = error instanceof Error ? error : new Error(String(error));
	if (env['INKPOD_DEBUG'] === '1') return sanitize(withoutCredentials(stack));
	return `Unexpected error: ${sanitizeLine(withFullStop(withoutCredentials(message)))} With INKPOD_DEBUG=1 inkpod says where it happened.`;
}
