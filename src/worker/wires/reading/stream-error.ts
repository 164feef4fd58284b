import {fieldOf} from '../values.ts';
import {isObject, jsonOf, textIn} from './fields.ts';

/** An error that a server sent inside its stream, in its own words. */
export type StreamError = {
	readonly type?: string;
	readonly code?: string | number;
	readonly message: string;
	/** Google's name for the code. */
	readonly status?: string;
	readonly details?: readonly unknown[];
};

/**
Returns the error in an event: `{error: {…}}`, `{error: "…"}` or `{type: "error", message}`. Returns `undefined` if the
event is not an error.
*/
export function errorIn(event: unknown): StreamError | undefined {
	const error = fieldOf(event, 'error');
	const type = fieldOf(event, 'type');
	if (isObject(error)) return errorOf(error, event);
	if (typeof error === 'string' && error !== '') return {...errorOf(event, event), message: error};
	return type === 'error' ? errorOf(event, event) : undefined;
}

/** `around`: the event, which may have the message outside the error. */
function errorOf(error: unknown, around: unknown): StreamError {
	const message =
		textIn(error, 'message', 'detail', 'msg') ?? textIn(around, 'message', 'detail') ?? jsonOf(error) ?? '';
	const type = error === around ? undefined : textIn(error, 'type');
	const status = textIn(error, 'status');
	const code = fieldOf(error, 'code') ?? fieldOf(around, 'code');
	const details = fieldOf(error, 'details');
	return {
		message,
		...(type !== undefined && {type}),
		...(status !== undefined && {status}),
		...((typeof code === 'string' || typeof code === 'number') && {code}),
		...(Array.isArray(details) && {details}),
	};
}
