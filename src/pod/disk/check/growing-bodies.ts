import {createHash, hash, type Hash} from 'node:crypto';
import {
	joinNotes,
	notesAfter,
	notesBefore,
	type ModelRequest,
	type RequestBody,
	type RewriteNotes,
} from '../../../worker/index.ts';

/** Creates the body of a request. */
export type MakeBody = (model: string, request: ModelRequest) => Promise<RequestBody>;

/** The result of comparing a body with a stored hash. `hash` is the hash of the body. */
type BodyMatch =
	| {readonly ok: true; readonly isSame: true}
	| {readonly ok: true; readonly isSame: false; readonly hash: string}
	| {readonly ok: false; readonly sentence: string};

/** Compares the bodies of one session's requests, in their order. */
export type GrowingBodies = {
	/** Creates the body of a request, and compares it with the stored hash and rules. */
	match(model: string, request: ModelRequest, stored: StoredBody): Promise<BodyMatch>;
};

/** What is stored about a body: its sha256. `hasRules` tells whether the request followed the stored rules. */
type StoredBody = {
	readonly sha256: string;
	readonly hasRules: (notes: () => RewriteNotes | undefined) => boolean;
};

/**
Compares the bodies of growing requests with their hashes. The time for each request depends only on its new messages.
Each request contains all messages before it, so creating every body from its start would take quadratic time.

A body is a head, a list of elements and a tail. inkpod creates the body of only the last messages, and continues a
running hash of the elements before them. Sometimes a new message changes earlier elements (a cache mark moves, messages
merge, a thought is left out). This code needs no rules for these cases: a body is the same only if its sha256 equals
the stored hash. If the hash differs, inkpod creates the whole body, and the result for the whole body decides.

If many bodies in a row differ, something before all of them was probably changed, so the later bodies differ, too. Then
inkpod creates fewer and fewer whole bodies.
*/
export function createGrowingBodies(make: MakeBody): GrowingBodies {
	let starts: Starts | undefined;
	/** The number of different bodies in a row. */
	let different = 0;
	return {
		async match(model, request, stored) {
			if (starts?.model !== model || !continues(starts.request, request)) [starts, different] = [undefined, 0];
			if (starts !== undefined) {
				starts.request = request;
				const {part, isSame} = await continued(make, starts, stored);
				const isTrusted = different >= leastDifferent && !isPowerOfTwo(different);
				if (part !== undefined && (isSame || isTrusted)) {
					different = isSame ? 0 : different + 1;
					const sha256 = hashFrom(starts, starts.near, part);
					await move(make, starts, part);
					return isSame ? {ok: true, isSame} : {ok: true, isSame, hash: sha256};
				}
			}
			const whole = await make(model, request);
			if (!whole.ok) return whole;
			const sha256 = hash('sha256', whole.body, 'hex');
			const isSame = sha256 === stored.sha256 && stored.hasRules(() => whole.rewrites);
			different = isSame ? 0 : different + 1;
			if (isSame || starts === undefined || different >= leastDifferent)
				starts = await startsOf(make, model, request, whole);
			return isSame ? {ok: true, isSame} : {ok: true, isSame, hash: sha256};
		},
	};
}

/** After this number of different bodies in a row, inkpod creates only some of the next bodies as a whole. */
const leastDifferent = 16;

function isPowerOfTwo(count: number): boolean {
	return Number.isInteger(Math.log2(count));
}

/** A running hash of the head and the elements of the first `count` messages. */
type Start = {
	readonly sha256: Hash;
	readonly isEmpty: boolean;
	readonly count: number;
	/** The rules that these messages followed. */
	readonly notes: RewriteNotes;
};

/** The places where the next body can start, and the parts that all bodies have in common. */
type Starts = {
	readonly model: string;
	request: ModelRequest;
	readonly head: string;
	readonly tail: string;
	/** The rules that every body follows. */
	readonly notes: RewriteNotes;
	/** A start near the end of the last request. */
	near: Start;
	/**
	A start before the last user message. It is needed because a new user message may change the messages after the
	previous user message.
	*/
	far: Start;
	/** The number of messages after which the next move of the near start is tried. */
	moveAt: number;
};

/**
Tells whether a request continues another one: both have the same array of messages, which grows, and the same settings.
*/
function continues(one: ModelRequest, other: ModelRequest): boolean {
	return (
		one.messages === other.messages &&
		one.prompt === other.prompt &&
		one.tools === other.tools &&
		one.settings === other.settings
	);
}

type Continued =
	| {readonly part: Part; readonly isSame: true}
	| {readonly part: Part | undefined; readonly isSame: false};

/**
Returns the part from the near start on, and whether the body with this part has the stored hash. If the hash is right
only with the part from the far start on, it returns that part, and the far start becomes the near start.
*/
async function continued(make: MakeBody, starts: Starts, stored: StoredBody): Promise<Continued> {
	const isStored = (start: Start, part: Part) =>
		hashFrom(starts, start, part) === stored.sha256 &&
		stored.hasRules(() => joinNotes([starts.notes, start.notes, part.notes]));
	const {near, far} = starts;
	const part = await partFrom(make, starts, near.count);
	if (part !== undefined && isStored(near, part)) return {part, isSame: true};
	const other = far === near ? undefined : await partFrom(make, starts, far.count);
	if (other === undefined || !isStored(far, other)) return {part, isSame: false};
	starts.near = far;
	return {part: other, isSame: true};
}

function hashFrom({tail}: Starts, start: Start, {elements}: Part): string {
	return start.sha256.copy().update(separated(start, elements)).update(tail).digest('hex');
}

async function startsOf(
	make: MakeBody,
	model: string,
	request: ModelRequest,
	whole: MadeBody,
): Promise<Starts | undefined> {
	const empty = await make(model, {...request, messages: []});
	const frame = empty.ok ? frameOf(empty.body) : undefined;
	if (!empty.ok || frame === undefined) return undefined;
	const notes = empty.rewrites ?? noNotes;
	const start = {sha256: createHash('sha256').update(frame.head), isEmpty: true, count: 0, notes: noNotes};
	const starts: Starts = {model, request, ...frame, notes, near: start, far: start, moveAt: 0};
	const part = partOf(whole, starts);
	if (part === undefined) return undefined;
	await move(make, starts, part);
	return starts;
}

type MadeBody = Extract<RequestBody, {readonly ok: true}>;

/** Elements of a body, and the rules that only these elements followed. */
type Part = {readonly elements: string; readonly notes: RewriteNotes};

const noNotes: RewriteNotes = new Map();

/**
Returns the part of the messages from index `count` on. It is taken from the body of a request with only these messages.
*/
async function partFrom(make: MakeBody, starts: Starts, count: number): Promise<Part | undefined> {
	const {model, request} = starts;
	const made = await make(model, {...request, messages: request.messages.slice(count)});
	return made.ok ? partOf(made, starts) : undefined;
}

function partOf({body, rewrites}: MadeBody, {head, tail, notes}: Starts): Part | undefined {
	const isFramed = body.length >= head.length + tail.length && body.startsWith(head) && body.endsWith(tail);
	const own = rewrites === undefined ? noNotes : notesAfter(notes, rewrites);
	if (!isFramed || own === undefined) return undefined;
	return {elements: body.slice(head.length, body.length - tail.length), notes: own};
}

/**
Moves the near start towards the end of the request. This is possible only if the elements after the new start are the
same without the elements before it.
*/
async function move(make: MakeBody, starts: Starts, {elements, notes}: Part): Promise<void> {
	const {near, request} = starts;
	const {length} = request.messages;
	if (length < starts.moveAt || length - near.count < keptMessages + movedMessages) return;
	const count = cutOf(request, near.count);
	const later = await partFrom(make, starts, count);
	const moved = later && before(elements, later.elements);
	const own = later && notesBefore(notes, later.notes);
	if (moved === undefined || own === undefined) {
		starts.moveAt = near.count + 2 * (length - near.count);
		return;
	}
	const sha256 = moved === '' ? near.sha256 : near.sha256.copy().update(separated(near, moved));
	const isEmpty = near.isEmpty && moved === '';
	starts.near = {sha256, isEmpty, count, notes: joinNotes([near.notes, own])};
	if (count <= request.messages.findLastIndex(({role}) => role === 'user')) starts.far = starts.near;
}

/** Returns the number of messages before a new start. If possible, an answer begins at the new start. */
function cutOf({messages}: ModelRequest, start: number): number {
	const last = messages.length - keptMessages;
	for (let at = last; at > start; at--)
		if (messages[at]?.role === 'assistant' && messages[at - 1]?.role !== 'assistant') return at;
	return last;
}

/** Returns the elements without the last ones. Returns `undefined` if the elements do not end with `last`. */
function before(elements: string, last: string): string | undefined {
	if (elements === last) return '';
	return last !== '' && elements.endsWith(`,${last}`) ? elements.slice(0, -last.length - 1) : undefined;
}

function separated({isEmpty}: Start, elements: string): string {
	return isEmpty || elements === '' ? elements : `,${elements}`;
}

/**
Returns the parts of a body before and after its messages. The input is a body without messages, so an element in its
list is the system prompt.
*/
function frameOf(body: string): Pick<Starts, 'head' | 'tail'> | undefined {
	const list = listKeys.exec(body);
	if (list === null) return undefined;
	const start = list.index + list[0].length;
	const value: unknown = JSON.parse(body);
	const key = list[1] ?? '';
	const elements = typeof value === 'object' && value !== null && key in value ? Reflect.get(value, key) : undefined;
	if (!Array.isArray(elements)) return undefined;
	const text = elements.map(element => JSON.stringify(element)).join(',');
	if (!body.startsWith(`${text}]`, start)) return undefined;
	const end = start + text.length;
	return {head: body.slice(0, end) + (text === '' ? '' : ','), tail: body.slice(end)};
}

/**
Matches the start of the list of messages in the bodies of all wires. It does not match inside a string, where quotes
are escaped.
*/
const listKeys = /"(messages|input|contents)":\[/;

/** The minimum number of messages after a start, because later messages may change their elements. */
const keptMessages = 8;

/** The minimum number of messages by which a start moves. */
const movedMessages = 8;
