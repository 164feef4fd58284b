import type {Attribution} from '../../src/worker/wires/attribution/attribute.ts';
import type {WireName} from '../../src/worker/wires/providers.ts';

/** The values that a wire may have at a place, whatever the texts are. `any`: the wire numbers them. */
type WireForm = Readonly<Record<string, readonly unknown[] | 'any'>>;

const messages: WireForm = {
	stream: [true],
	'system[].type': ['text'],
	'messages[].role': ['user', 'assistant'],
	'messages[].content[].type': [
		'text',
		'thinking',
		'redacted_thinking',
		'tool_use',
		'tool_result',
		'image',
		'document',
	],
	'messages[].content[].source.type': ['base64'],
	'messages[].content[].is_error': [true],
};

const responses: WireForm = {
	stream: [true],
	'input[].type': ['message', 'reasoning', 'function_call', 'function_call_output'],
	'input[].role': ['system', 'developer', 'user', 'assistant'],
	'input[].content[].type': ['input_text', 'output_text', 'input_image', 'input_file'],
	'input[].content[].filename': 'any',
	'input[].summary[].type': ['summary_text'],
	'tools[].type': ['function'],
};

const gemini: WireForm = {
	'contents[].role': ['user', 'model'],
	'contents[].parts[].thought': [true],
};

const chat: WireForm = {
	stream: [true],
	'messages[].role': ['system', 'user', 'assistant', 'tool'],
	'messages[].content': [null],
	'messages[].content[].type': ['text', 'image_url', 'file'],
	'messages[].content[].file.filename': ['document.pdf'],
	'messages[].tool_calls[].type': ['function'],
	'tools[].type': ['function'],
};

const converse: WireForm = {
	'messages[].role': ['user', 'assistant'],
	'messages[].content[].document.name': 'any',
};

/** The request itself as JSON, for models without a wire. */
const none: WireForm = {
	'messages[].role': ['user', 'assistant', 'tool'],
	'messages[].parts[].type': ['text', 'reasoning', 'tool_call'],
	'messages[].results[].isError': [true, false],
};

/**
The closed list of the values of each wire that belong to no item, setting or rule, by their place in the body. `[]` is
any element of an array.
*/
const forms: Readonly<Record<WireName | 'none', WireForm>> = {
	anthropic: messages,
	openai: responses,
	azure: responses,
	google: gemini,
	vertex: gemini,
	'openai-compatible': chat,
	bedrock: converse,
	none,
};

/** Returns the places of the values that count as form and are not in the list. */
export function unlistedForms(wire: WireName | 'none', {body, pieces}: Pick<Attribution, 'body' | 'pieces'>): string[] {
	const form = forms[wire];
	const isForm = createFormTest(pieces);
	return scalarsOf(body).flatMap(({path, value, start, end}) => {
		const known = form[path];
		const isListed = value === '' || known === 'any' || known?.includes(value) === true;
		return isListed || !isForm(start, end) ? [] : [`${path}: ${JSON.stringify(value)}`];
	});
}

function createFormTest(pieces: Attribution['pieces']): (start: number, end: number) => boolean {
	let at = 0;
	const ranges = pieces.map(({text, source}) => {
		const start = at;
		at += text.length;
		return {start, end: at, isForm: source.kind === 'form'};
	});
	return (start, end) => ranges.every(range => range.isForm || range.end <= start || range.start >= end);
}

type Scalar = {readonly path: string; readonly value: unknown; readonly start: number; readonly end: number};

/** Returns the values of a JSON text that are neither objects nor arrays. The quotes of a text are not in its range. */
function scalarsOf(body: string): readonly Scalar[] {
	const found: Scalar[] = [];
	/** The open objects and arrays: the path of each, and whether it is an array. */
	const open: Array<{path: string; isArray: boolean; key: string}> = [];
	const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\],]|[^{}[\],:\s"]+/g;
	for (let match = token.exec(body); match !== null; match = token.exec(body)) {
		const [text, colon] = match;
		const parent = open.at(-1);
		const path =
			parent === undefined ? '' : parent.isArray ? `${parent.path}[]` : joinPath(parent.path, parent.key);
		if (text === '{' || text === '[') open.push({path, isArray: text === '[', key: ''});
		else if (text === '}' || text === ']') open.pop();
		else if (colon !== undefined && parent !== undefined)
			parent.key = JSON.parse(text.slice(0, -colon.length)) as string;
		else if (text !== ',') {
			const quote = text.startsWith('"') ? 1 : 0;
			const value: unknown = JSON.parse(text);
			found.push({path, value, start: match.index + quote, end: match.index + text.length - quote});
		}
	}
	return found;
}

function joinPath(path: string, key: string): string {
	return path === '' ? key : `${path}.${key}`;
}
