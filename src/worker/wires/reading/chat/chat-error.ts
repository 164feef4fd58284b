import {elementsOf, fieldOf, isRecord} from '../../values.ts';
import {plainRecord} from '../plain-copy.ts';

/** An error that a server sent instead of a part of its answer: all its fields, and a sentence. */
type ChatError = Readonly<Record<string, unknown>> & {readonly message: string};

/**
Returns the error in an event of any of these forms: `{error: {message, code, metadata}}`
(openrouter.ai/docs/api-reference/errors; also inside a choice or its delta), `{error: "…"}` (Ollama), `{object:
"error", message}` (vLLM), `{message, code}`, `{code, msg}`, `{detail}` (FastAPI), `{errors: […]}`, `{base_resp:
{status_code, status_msg}}` (MiniMax). Returns `undefined` if the event is not an error.
*/
export function errorIn(event: Readonly<Record<string, unknown>>, choice: unknown): ChatError | undefined {
	const nested =
		errorOf(event['error'], event) ??
		errorOf(fieldOf(choice, 'error'), event) ??
		errorOf(fieldOf(fieldOf(choice, 'delta'), 'error'), event);
	if (nested !== undefined || choice !== undefined) return nested;
	if (event['object'] === 'error' || event['type'] === 'error') return errorOf(event, {});
	const {errors, message, msg, detail, base_resp} = event;
	const [first] = elementsOf(errors);
	if (first !== undefined) return errorOf(first, event);
	const words = textOf(message) ?? textOf(msg);
	if (words !== undefined && saysCode(event)) return {...plainRecord(event), message: words};
	if (words !== undefined && Object.keys(event).every(name => errorNames.has(name)))
		return {...plainRecord(event), message: words};
	if (detail !== undefined && detail !== null) return errorOf(detail, event);
	const code = fieldOf(base_resp, 'status_code');
	if (typeof code === 'number' && code !== 0)
		return {message: textOf(fieldOf(base_resp, 'status_msg')) ?? `status_code ${code}`, code: String(code)};
	return undefined;
}

/** `around`: the event, whose code and status are used if the error has none. */
function errorOf(error: unknown, around: Readonly<Record<string, unknown>>): ChatError | undefined {
	const outer = Object.fromEntries(outerNames.flatMap(name => (isPlain(around[name]) ? [[name, around[name]]] : [])));
	if (typeof error === 'string') return error === '' ? undefined : {...outer, message: error};
	if (Array.isArray(error)) return errorOf(error[0], around);
	if (!isRecord(error)) return error === true ? {...outer, message: textOf(around['message']) ?? 'error'} : undefined;
	const fields = plainRecord(error);
	const words =
		textOf(fields['message']) ?? textOf(fields['msg']) ?? textOf(fields['detail']) ?? textOf(fields['error']);
	if (words === undefined && Object.values(fields).every(value => value === null || value === '' || value === 0))
		return undefined;
	const inner = isRecord(fields['error']) ? errorOf(fields['error'], fields) : undefined;
	return inner ?? {...outer, ...fields, message: words ?? JSON.stringify(fields)};
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

function isPlain(value: unknown): value is string | number {
	return (typeof value === 'string' && value !== '') || (typeof value === 'number' && value !== 0);
}

/**
Tells whether an event has a code or a status of an error. A message alone does not suffice, because progress reports
may have a message too.
*/
function saysCode({code, status, status_code}: Readonly<Record<string, unknown>>): boolean {
	return (
		isCode(code) || [status, status_code].some(value => isCode(value) && /^[45]\d\d$|err|fail/i.test(`${value}`))
	);
}

function isCode(value: unknown): value is string | number {
	return isPlain(value) && value !== 200 && value !== '200';
}

const outerNames = ['code', 'status', 'status_code', 'statusCode', 'retry_after'];

/** An event that has only these fields is an error, even without a code. */
const errorNames: ReadonlySet<string> = new Set([
	...outerNames,
	...[
		'message',
		'msg',
		'type',
		'param',
		'error',
		'success',
		'detail',
		'request_id',
		'requestId',
		'object',
		'timestamp',
	],
]);
