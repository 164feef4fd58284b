import type {RewriteRule} from '../../history/rewrites.ts';

/** The part of an item from which a value of a body comes. */
export type ItemPart = 'text' | 'thoughts' | 'name' | 'call id' | 'arguments' | 'content' | 'bytes' | 'provider data';

/** Where a value of a body comes from. */
export type Origin =
	/** A message or a part of the request. `rule`: the rule because of which the value deviates from that part. */
	| {readonly kind: 'part'; readonly of: object; readonly part: ItemPart; readonly rule?: RewriteRule}
	/** The setup: `model`, `prompt`, `tools.<name>.<key>`, `settings.<key>`. */
	| {readonly kind: 'setup'; readonly key: string; readonly rule?: RewriteRule}
	/** Text or fields that come from no item. */
	| {readonly kind: 'rule'; readonly rule: RewriteRule}
	/** Text that belongs to the format of the API. */
	| {readonly kind: 'form'};

/** A value of a body with its source. */
export class Sourced<Value = unknown> {
	readonly value: Value;
	readonly origin: Origin;

	constructor(value: Value, origin: Origin) {
		this.value = value;
		this.origin = origin;
	}

	toJSON(): Value {
		return this.value;
	}
}

/** A text that consists of several texts with their sources. */
export class Joined {
	readonly texts: ReadonlyArray<Sourced<string>>;

	constructor(texts: ReadonlyArray<Sourced<string>>) {
		this.texts = texts;
	}

	toJSON(): string {
		return this.texts.map(({value}) => value).join('');
	}
}

export type Text = Sourced<string> | Joined;

/**
The body of a request as a JSON value. A value without a source belongs to the format of the API. As in
`JSON.stringify`, a field whose value is `undefined` is left out.
*/
export type Tree =
	| string
	| number
	| boolean
	| null
	| Sourced
	| Joined
	| readonly Tree[]
	| {readonly [key: string]: Tree | undefined};

/**
A piece of a body. The texts of all pieces, joined, are the body. A piece that belongs to the format of the API has no
origin.
*/
export type BodyPiece = {readonly text: string; readonly origin: Origin | undefined};

/** Returns a value that is in a body because of a rule. */
export function byRule<Value>(rule: RewriteRule, value: Value): Sourced<Value> {
	return new Sourced(value, {kind: 'rule', rule});
}

/** Returns a data URL with the bytes of an image or a document (rfc-editor.org/rfc/rfc2397). */
export function dataUrl(mime: string, data: Sourced<string>): Joined {
	return joined(new Sourced(`data:${mime};base64,`, {kind: 'form'}), data);
}

/** Returns a value that comes from a setting of the setup. */
export function bySetting<Value>(key: string, value: Value): Sourced<Value> {
	return new Sourced(value, {kind: 'setup', key: `settings.${key}`});
}

export function textOf(text: Text): string {
	return text.toJSON();
}

export function joined(...texts: readonly Text[]): Joined {
	return new Joined(texts.flatMap(text => (text instanceof Joined ? text.texts : [text])));
}

/** Returns another value with the same source. `rule`: the rule because of which the value deviates from the source. */
export function changed<Value>({origin}: Sourced, value: Value, rule: RewriteRule): Sourced<Value> {
	const hasRule = origin.kind === 'part' || origin.kind === 'setup';
	return new Sourced(value, hasRule ? {...origin, rule} : origin);
}

/** Returns the pieces of a body. Their texts, joined, are `JSON.stringify(tree)`. */
export function piecesOf(tree: Tree): readonly BodyPiece[] {
	const pieces: BodyPiece[] = [];
	addPieces(tree, (text, origin) => {
		const last = pieces.at(-1);
		if (last !== undefined && last.origin === origin) pieces[pieces.length - 1] = {text: last.text + text, origin};
		else pieces.push({text, origin});
	});
	return pieces;
}

type AddPiece = (text: string, origin: Origin | undefined) => void;

function addPieces(tree: Tree, add: AddPiece): void {
	if (tree instanceof Joined) addTexts(tree.texts, add);
	else if (tree instanceof Sourced) addSourced(tree, add);
	else if (isTrees(tree)) addArray(tree, add);
	else if (typeof tree === 'object' && tree !== null) addObject(tree, add);
	else add(JSON.stringify(tree), undefined);
}

function isTrees(tree: Tree): tree is readonly Tree[] {
	return Array.isArray(tree);
}

function addArray(trees: readonly Tree[], add: AddPiece): void {
	add('[', undefined);
	for (const [index, tree] of trees.entries()) {
		if (index > 0) add(',', undefined);
		addPieces(tree, add);
	}
	add(']', undefined);
}

function addObject(fields: Readonly<Record<string, Tree | undefined>>, add: AddPiece): void {
	let before = '{';
	for (const [key, value] of Object.entries(fields)) {
		if (value === undefined) continue;
		add(`${before}${JSON.stringify(key)}:`, undefined);
		addPieces(value, add);
		before = ',';
	}
	add(before === '{' ? '{}' : '}', undefined);
}

/** Adds the pieces of a value. The quotes around a text have no origin. */
function addSourced({value, origin}: Sourced, add: AddPiece): void {
	if (typeof value === 'string') addTexts([new Sourced(value, origin)], add);
	else add(JSON.stringify(value), origin);
}

function addTexts(texts: ReadonlyArray<Sourced<string>>, add: AddPiece): void {
	add('"', undefined);
	for (const {value, origin} of texts) if (value !== '') add(JSON.stringify(value).slice(1, -1), origin);
	add('"', undefined);
}
