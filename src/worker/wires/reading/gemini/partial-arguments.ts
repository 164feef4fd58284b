import {elementsOf, fieldOf} from '../../values.ts';
import {textIn} from '../fields.ts';

/** A piece of the arguments of a call: a value or another part of a string, and its place in the arguments. */
export type ArgumentPiece = {
	/** The place in the arguments, such as `$.recipe.steps[0].text`. */
	readonly jsonPath: string;
	/** Absent at the end of a string, and for an empty list or object. */
	readonly value?: string | number | boolean | null;
	/** Whether more of the same string follows. */
	readonly willContinue: boolean;
};

/** Joins the arguments of a call that arrive in pieces. */
type PartialArguments = {
	/** Returns the text that these pieces add to the JSON. */
	add(pieces: readonly ArgumentPiece[]): string;
	/** Returns all arguments as JSON, and the text that completes the JSON that `add` has returned. */
	whole(): {readonly text: string; readonly rest: string};
};

/**
Reads the pieces in a chunk (cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling,
"streamFunctionCallArguments").
*/
export function piecesIn(value: unknown): readonly ArgumentPiece[] | undefined {
	if (!Array.isArray(value)) return undefined;
	return elementsOf(value).flatMap(piece => {
		const jsonPath = textIn(piece, 'jsonPath');
		if (jsonPath === undefined) return [];
		const found = valueOf(piece);
		const willContinue = fieldOf(piece, 'willContinue') === true;
		return [{jsonPath, willContinue, ...(found !== undefined && {value: found})}];
	});
}

function valueOf(piece: unknown): ArgumentPiece['value'] {
	const text = fieldOf(piece, 'stringValue');
	if (typeof text === 'string') return text;
	const number = fieldOf(piece, 'numberValue');
	if (typeof number === 'number') return number;
	const bool = fieldOf(piece, 'boolValue');
	if (typeof bool === 'boolean') return bool;
	return fieldOf(piece, 'nullValue') === undefined ? undefined : null;
}

export function createPartialArguments(): PartialArguments {
	const root: Fields = {};
	const writer = createWriter();
	let length = 0;

	function addPiece({jsonPath, value, willContinue}: ArgumentPiece): string {
		const isList = jsonPath.endsWith('[]');
		const path = pathOf(isList ? jsonPath.slice(0, -2) : jsonPath);
		const place = path.length === 0 ? undefined : placeOf(root, path);
		if (place === undefined) return '';
		const {at, known} = place;
		if (typeof value === 'string' && typeof known === 'string') {
			setValue(root, at, known + value);
			return writer.continueText(value) + (willContinue ? '' : writer.endText());
		}
		if (value === undefined) {
			if (known !== undefined) return typeof known === 'string' && !willContinue ? writer.endText() : '';
			if (willContinue) return '';
			setValue(root, at, isList ? [] : {});
			return writer.openAt(at, isList);
		}
		setValue(root, at, value);
		return writer.writeAt(at, value, willContinue);
	}

	return {
		add(pieces) {
			const text = pieces.map(addPiece).join('');
			length += text.length;
			return text;
		},
		whole() {
			const text = JSON.stringify(root);
			return {text, rest: text.slice(length)};
		},
	};
}

/** The name of a field, or the index of an element. */
type Step = string | number;
type Path = readonly Step[];
type Value = string | number | boolean | null | Value[] | Fields;
type Fields = {[name: string]: Value};

function pathOf(jsonPath: string): Path {
	const path = jsonPath.replace(/^\$\./, '');
	if (path === '' || path === '$') return [];
	return path.split('.').flatMap((part): Path => {
		const bracket = part.indexOf('[');
		if (bracket === -1) return [part];
		const name = bracket > 0 ? [part.slice(0, bracket)] : [];
		return [...name, ...[...part.matchAll(/\[(\d+)\]/g)].map(([, index]) => Number(index))];
	});
}

type Place = {readonly at: Path; readonly known: Value | undefined};

/**
Returns the place that a path names, and the value at that place. Returns `undefined` if the path does not match the
earlier values. An element of a list must exist or be the next element, because a high index would fill the memory with
nulls.
*/
function placeOf(root: Fields, path: Path): Place | undefined {
	const at: Step[] = [];
	let value: Value | undefined = root;
	for (const step of path) {
		const index: Step = Array.isArray(value) && /^(?:0|[1-9]\d{0,8})$/.test(String(step)) ? Number(step) : step;
		if (!fits(value, index)) return undefined;
		value = childOf(value, index);
		at.push(index);
	}
	return {at, known: value};
}

function fits(parent: Value | undefined, step: Step): boolean {
	if (parent === undefined || parent === null) return typeof step === 'string' || step === 0;
	if (Array.isArray(parent)) return typeof step === 'number' && step <= parent.length;
	return typeof parent === 'object' && typeof step === 'string';
}

function childOf(parent: Value | undefined, step: Step): Value | undefined {
	if (Array.isArray(parent)) return typeof step === 'number' ? parent[step] : undefined;
	if (typeof parent !== 'object' || parent === null) return undefined;
	return Object.hasOwn(parent, step) ? parent[step] : undefined;
}

/** Sets the value at a place, and creates the lists and objects that contain the place. */
function setValue(root: Fields, at: Path, value: Value): void {
	let parent: Value = root;
	for (const [depth, step] of at.entries()) {
		const next = at[depth + 1];
		const child: Value =
			next === undefined ? value : (childOf(parent, step) ?? (typeof next === 'number' ? [] : {}));
		if (Array.isArray(parent) && typeof step === 'number') parent[step] = child;
		// A field may have the name `__proto__`.
		else if (typeof parent === 'object' && parent !== null)
			Object.defineProperty(parent, step, {value: child, enumerable: true, configurable: true, writable: true});
		parent = child;
	}
}

/** A list or object whose closing bracket is not written yet. */
type OpenValue = {readonly step: Step; readonly isList: boolean; count: number};

/** Writes JSON one value after another. A list or object is closed when the next value is outside it. */
function createWriter() {
	const open: OpenValue[] = [];
	let isInText = false;

	function endText(): string {
		const end = isInText ? '"' : '';
		isInText = false;
		return end;
	}

	/** Begins the next value of the innermost list or object. */
	function begin(step: Step): string {
		const parent = open.at(-1);
		const comma = parent !== undefined && parent.count > 0 ? ',' : '';
		if (parent !== undefined) parent.count += 1;
		return comma + (typeof step === 'string' && open.length > 0 ? `${JSON.stringify(step)}:` : '');
	}

	function openValue(step: Step, isList: boolean): string {
		const start = begin(step);
		open.push({step, isList, count: 0});
		return start + (isList ? '[' : '{');
	}

	/**
	Closes and opens lists and objects until the one at `path` is open. `isList` says whether the last one is a list.
	*/
	function openAt(path: Path, isList: boolean): string {
		let text = endText();
		if (open.length === 0) text += openValue('', false);
		let common = 1;
		while (common < open.length && common <= path.length && open[common]?.step === path[common - 1]) common += 1;
		while (open.length > common) text += open.pop()?.isList === true ? ']' : '}';
		for (const [depth, step] of path.entries())
			if (depth >= common - 1)
				text += openValue(step, depth + 1 < path.length ? typeof path[depth + 1] === 'number' : isList);
		return text;
	}

	return {
		endText,
		openAt,
		continueText: (text: string) => JSON.stringify(text).slice(1, -1),
		writeAt(path: Path, value: string | number | boolean | null, willContinue: boolean): string {
			const step = path.at(-1) ?? '';
			const start = openAt(path.slice(0, -1), typeof step === 'number') + begin(step);
			isInText = typeof value === 'string' && willContinue;
			return start + (isInText ? JSON.stringify(value).slice(0, -1) : JSON.stringify(value));
		},
	};
}
