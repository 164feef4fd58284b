import {isDeepStrictEqual} from 'node:util';
import {callIdRules} from '../dialects.ts';
import {mediaLines} from '../media-parts.ts';
import {argumentsValue, hashedCallId, wordIds} from '../prompt.ts';
import {isRecord} from '../values.ts';
import type {RewriteRule} from '../../history/rewrites.ts';
import {dataKey, markPattern, type Mark, type MarkedRequest} from './marks.ts';
import {form, unknown, type Piece, type Source} from './source.ts';

/** What is known about a body beside its marks. */
export type BodyFacts = {
	readonly marked: MarkedRequest;
	/** Whether a rule was noted for this part of the request, or anywhere. */
	readonly follows: (rule: RewriteRule, of?: object | 'setup') => boolean;
	/** Returns the source of a value that is equal in every request like this one. */
	readonly constant: (path: string, value: unknown) => Source | undefined;
	/** Splits the text of a message into the words of its item and those of a rule. */
	readonly split: (of: object | 'setup', text: string, source: Source) => readonly Piece[];
	/** Returns the parameters of a tool by its place in the setup. */
	readonly parameters: (tool: string) => unknown;
};

type Walked = {
	readonly pieces: readonly Piece[];
	/** The places in the body without a source. */
	readonly unknown: readonly string[];
	/** The marks that were found. */
	readonly found: ReadonlySet<Mark>;
};

/** Compares a body with its marked twin, and attributes every piece of it. Both are values of JSON texts. */
export function walkBody(real: unknown, marked: unknown, facts: BodyFacts): Walked {
	const walker = new Walker(facts);
	walker.walk(real, marked, {path: '', key: ''});
	return {pieces: walker.pieces, unknown: walker.unknown, found: walker.found};
}

type Place = {
	/** The keys down to this value; `[]` for an element of an array. */
	readonly path: string;
	readonly key: string;
	/** The source of the tool whose definition contains this value. */
	readonly tool?: string | undefined;
};

class Walker {
	readonly pieces: Piece[] = [];
	readonly unknown: string[] = [];
	readonly found = new Set<Mark>();
	readonly #facts: BodyFacts;

	constructor(facts: BodyFacts) {
		this.#facts = facts;
	}

	walk(real: unknown, marked: unknown, place: Place): void {
		const call = this.#argumentsMark(marked);
		if (call !== undefined) this.#addArguments(real, call, place);
		else if (schemaKeys.has(place.key) && place.tool !== undefined) this.#addSchema(real, place.tool, place);
		else if (Array.isArray(real) && Array.isArray(marked)) this.#walkArray(real, marked, place);
		else if (isPlainObject(real) && isPlainObject(marked)) this.#walkObject(real, marked, place);
		else this.#addLeaf(real, marked, place);
	}

	#walkArray(real: readonly unknown[], marked: readonly unknown[], place: Place): void {
		this.#add('[', form);
		for (const [index, value] of real.entries()) {
			if (index > 0) this.#add(',', form);
			const inside = {...place, path: `${place.path}[]`};
			if (index < marked.length) this.walk(value, marked[index], inside);
			else this.#addUnknown(value, inside);
		}
		if (marked.length > real.length) this.unknown.push(`${place.path}[]`);
		this.#add(']', form);
	}

	#walkObject(real: Record<string, unknown>, marked: Record<string, unknown>, {path, tool}: Place): void {
		const own = this.#toolOf(marked) ?? tool;
		this.#add('{', form);
		for (const [index, [key, value]] of Object.entries(real).entries()) {
			if (index > 0) this.#add(',', form);
			const place = {path: path === '' ? key : `${path}.${key}`, key, tool: own};
			const isKnown = Object.hasOwn(marked, key);
			this.#add(`${JSON.stringify(key)}:`, isKnown ? form : unknown);
			if (isKnown) this.walk(value, marked[key], place);
			else this.#addUnknown(value, place);
		}
		for (const key of Object.keys(marked)) if (!Object.hasOwn(real, key)) this.unknown.push(`${path}.${key}`);
		this.#add('}', form);
	}

	/** Adds a value. If it is equal in both bodies, it comes from the form of the wire, the settings or a rule. */
	#addLeaf(real: unknown, marked: unknown, place: Place): void {
		const marks = typeof marked === 'string' ? this.#marksIn(marked) : [];
		if (typeof real === 'string' && typeof marked === 'string' && marks.length > 0) {
			const pieces = this.#textPieces(marked, marks);
			const words = pieces.map(({text}) => text).join('');
			const hashed = marks.find(({sent, of}) => this.#facts.follows('call_id', of) && isHashOf(real, sent));
			if (words === real) this.#addText(pieces);
			else if (hashed !== undefined) this.#addText([{text: real, source: withRule(hashed.source, 'call_id')}]);
			else if (words.trim() === real && marks.some(({of}) => this.#facts.follows('trimmed_text', of)))
				this.#addText([{text: real, source: withRule(marks[0]?.source ?? unknown, 'trimmed_text')}]);
			else this.#addUnknown(real, place);
			return;
		}
		const isSame = typeof real !== 'object' || real === null ? Object.is(real, marked) : false;
		const {marked: request, constant} = this.#facts;
		const source = isSame
			? (constant(place.path, real) ??
				(typeof real === 'string' ? request.blanks.get(real) : undefined) ??
				request.data.get(dataKey(place.key, real)))
			: undefined;
		if (source === undefined) this.#addUnknown(real, place);
		else this.#add(JSON.stringify(real), source);
	}

	#marksIn(text: string): readonly Mark[] {
		const {marks} = this.#facts.marked;
		const own = marks.get(text);
		const all =
			own === undefined ? [...text.matchAll(markPattern)].flatMap(([mark]) => marks.get(mark) ?? []) : [own];
		for (const mark of all) this.found.add(mark);
		return all;
	}

	/** Returns the real words of a marked text. Only two words of ours may be between marks. */
	#textPieces(marked: string, marks: readonly Mark[]): readonly Piece[] {
		const [first] = marks;
		if (first !== undefined && errorObject.test(marked) && this.#facts.follows('error_object', first.of)) {
			const rule: Source = {kind: 'rule', rule: 'error_object'};
			const inside = this.#wordsOf(first).map(({text, source}) => ({
				text: JSON.stringify(text).slice(1, -1),
				source,
			}));
			return [{text: '{"error":"', source: rule}, ...inside, {text: '"}', source: rule}];
		}
		if (marks.length === 1 && this.#facts.marked.marks.get(marked) !== undefined)
			return marks.flatMap(mark => this.#wordsOf(mark));
		const between = marked.split(markPattern);
		return between.flatMap((text, index): readonly Piece[] => {
			const mark = marks[index];
			return [...this.#jointPieces(text), ...(mark === undefined ? [] : this.#wordsOf(mark))];
		});
	}

	#jointPieces(text: string): readonly Piece[] {
		const parts = text.split(jointPattern).filter(part => part !== '');
		return parts.map(part => ({text: part, source: this.#joint(part)}));
	}

	#joint(text: string): Source {
		if (dataUrlStart.test(text)) return form;
		const rule = joints.get(text)?.find(each => this.#facts.follows(each));
		return rule === undefined ? unknown : {kind: 'rule', rule};
	}

	#wordsOf(mark: Mark): readonly Piece[] {
		const {source, plain, sent, of} = mark;
		const {follows, split} = this.#facts;
		if (source.kind === 'item' && source.part === 'call id')
			return [{text: sent, source: plain === sent ? source : withRule(source, 'repeated_call_id')}];
		if (plain !== sent) return [{text: sent, source: withRule(source, 'tool_name')}];
		if (follows('no_message', of) && sent === '')
			return [{text: '(no message)', source: {kind: 'rule', rule: 'no_message'}}];
		if (!follows('well_formed', of)) return split(of, sent, source);
		return split(of, sent.toWellFormed(), withRule(source, 'well_formed'));
	}

	#argumentsMark(marked: unknown): Mark | undefined {
		const [key, ...more] =
			typeof marked === 'string'
				? [marked.slice('{"'.length, -'":true}'.length)]
				: isPlainObject(marked)
					? Object.keys(marked)
					: [];
		const mark = key === undefined || more.length > 0 ? undefined : this.#facts.marked.marks.get(key);
		return mark?.source.kind === 'item' && mark.source.part === 'arguments' ? mark : undefined;
	}

	#addArguments(real: unknown, mark: Mark, place: Place): void {
		this.found.add(mark);
		const {follows} = this.#facts;
		const value = argumentsValue(mark.sent);
		const rule = (['invalid_json', 'arguments_value'] as const).find(each => follows(each, mark.of));
		const source = rule === undefined ? mark.source : withRule(mark.source, rule);
		const isOwn =
			typeof real === 'string'
				? real === mark.sent || real === JSON.stringify(value)
				: isDeepStrictEqual(real, value);
		if (isOwn) this.#add(JSON.stringify(real), source);
		else this.#addUnknown(real, place);
	}

	#addSchema(real: unknown, tool: string, place: Place): void {
		const isOwn = isDeepStrictEqual(real, this.#facts.parameters(tool));
		if (isOwn) this.#add(JSON.stringify(real), {kind: 'setup', key: `tools.${tool}.parameters`});
		else this.#addUnknown(real, place);
	}

	/** Returns the name of the tool that this object defines. */
	#toolOf(marked: Record<string, unknown>): string | undefined {
		const {name} = marked;
		const source = typeof name === 'string' ? this.#facts.marked.marks.get(name)?.source : undefined;
		return source?.kind === 'setup' ? source.key.slice('tools.'.length, -'.name'.length) : undefined;
	}

	#addText(pieces: readonly Piece[]): void {
		this.#add('"', form);
		for (const {text, source} of pieces) this.#add(JSON.stringify(text).slice(1, -1), source);
		this.#add('"', form);
	}

	#addUnknown(value: unknown, {path}: Place): void {
		this.unknown.push(path);
		this.#add(JSON.stringify(value), unknown);
	}

	#add(text: string, source: Source): void {
		const last = this.pieces.at(-1);
		if (last !== undefined && isSameSource(last.source, source))
			this.pieces[this.pieces.length - 1] = {text: last.text + text, source};
		else this.pieces.push({text, source});
	}
}

/** The keys of a tool's parameters, on all wires. */
const schemaKeys: ReadonlySet<string> = new Set(['parameters', 'input_schema', 'json', 'parametersJsonSchema']);

const errorObject = /^\{"error":"inkpodMark\d{8}E"\}$/;

/** The words between texts that were joined. */
const joints: ReadonlyMap<string, readonly RewriteRule[]> = new Map<string, readonly RewriteRule[]>([
	['\n\n', ['merged_users', 'prompt_in_message']],
	[`\n${mediaLines.missing_media}`, ['missing_media']],
	[`\n${mediaLines.unsent_media}`, ['unsent_media']],
]);

const jointPattern = /(\n\[It is not sent: [^\]\n]*\])/;
/** What precedes the bytes of an image in some wires. */
const dataUrlStart = /^data:[a-z]+\/[a-z]+;base64,$/;

function isPlainObject(value: unknown): value is Record<string, unknown> {
	return isRecord(value) && !Array.isArray(value);
}

function isHashOf(id: string, callId: string): boolean {
	const isOurs = [wordIds, ...Object.values(callIdRules)].some(rule => hashedCallId(callId, rule) === id);
	return isOurs || shortId.test(id);
}

/** The package for Bedrock makes such ids for Mistral. */
const shortId = /^[a-zA-Z0-9]{9}$/;

function withRule(source: Source, rule: RewriteRule): Source {
	return source.kind === 'item' || source.kind === 'setup' ? {...source, rule} : source;
}

function isSameSource(one: Source, other: Source): boolean {
	return one === other || keyOf(one) === keyOf(other);
}

function keyOf(source: Source): string {
	return 'id' in source
		? `${source.id} ${source.part} ${source.rule}`
		: 'key' in source
			? `${source.key} ${source.rule}`
			: source.kind === 'rule'
				? source.rule
				: source.kind;
}
