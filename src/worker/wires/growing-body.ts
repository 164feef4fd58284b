import {createHash, type Hash} from 'node:crypto';
import type {ModelMessage, ModelRequest} from '../history/model.ts';
import {joinNotes, notesAfter, notesBefore} from '../history/rewrite-notes.ts';
import type {RewriteNotes, RewriteRule} from '../history/rewrites.ts';
import {bodyParts, type BodyParts} from './body-parts.ts';
import type {MadeBody} from './ready-request.ts';
import type {Encoded} from './wire.ts';

/** The bytes of a body, in order. */
export type BodyBytes = ReadonlyArray<Uint8Array<ArrayBuffer>>;

/** A body as it is sent, and its sha256 in hex. `notes`: how the body deviates from its request. */
export type SentBody = Pick<Encoded, 'path' | 'headers'> & {
	readonly bytes: BodyBytes;
	readonly sha256: string;
	readonly notes: RewriteNotes;
};

type Make = (request: ModelRequest) => Promise<MadeBody>;

/**
Returns a function that makes the bodies of requests. If a request only adds messages to the last request, only the last
messages are encoded: the bytes of the earlier messages and their hash are kept (`cutOf` says which). The body is the
same as if all messages were encoded. `make` makes a body from all messages of a request.

The kept bytes are stored in a WeakMap under the first message of a conversation, so they are released with that
message.
*/
export function createGrowingBodies(make: Make): (request: ModelRequest) => Promise<SentBody> {
	const growths = new WeakMap<ModelMessage, Growth>();
	return async request => {
		const [first] = request.messages;
		const continued = first && (await growths.get(first)?.continued(request));
		if (continued !== undefined) return continued;
		const whole = await make(request);
		const started = await startGrowth(make, request, whole);
		if (first === undefined || started === undefined) return wholeBody(whole);
		growths.set(first, started.growth);
		return started.body;
	};
}

function wholeBody({body, path, headers, notes}: MadeBody): SentBody {
	const bytes = Buffer.from(JSON.stringify(body));
	return {path, headers, notes, bytes: [bytes], sha256: createHash('sha256').update(bytes).digest('hex')};
}

/**
The beginning of a body: its head, and the elements of the first `count` messages, which no later message changes.
*/
type Start = {
	readonly count: number;
	/** The bytes of the head and of these elements. */
	readonly bytes: BodyBytes;
	readonly sha256: Hash;
	readonly isEmpty: boolean;
	/** The rewrites of these messages. */
	readonly notes: RewriteNotes;
	/**
	Whether a user message follows these messages. If none follows, the next user message may change these elements.
	*/
	readonly isSettled: boolean;
};

/** The parts of a body, its rewrites, and the path and headers with which it is sent. */
type Part = BodyParts & Pick<Encoded, 'path' | 'headers'> & {readonly notes: RewriteNotes};

/**
The parts that all bodies of a conversation have in common. `elements` contains only the system prompt, if the body has
it in the list of messages.
*/
type Frame = Part;

/** The last request of a conversation, and the kept beginnings of its body. */
type Reached = {
	/** The request whose body begins with these starts. */
	readonly last: ModelRequest;
	readonly near: Start;
	/** The last start for which `isSettled` was true. */
	readonly far: Start | undefined;
};

/** One conversation whose messages grow. */
class Growth {
	readonly #make: Make;
	readonly #frame: Frame;
	/** This value is replaced as a whole, because two bodies may be made at the same time. */
	#reached: Reached;
	/** The start is not extended before a request has this many messages. */
	#moveAt = 0;
	readonly #early = new Set<RewriteRule>();
	readonly #late = new Set<RewriteRule>();

	constructor(make: Make, request: ModelRequest, frame: Frame) {
		const head = Buffer.from(`${frame.head}${frame.elements.join(',')}`);
		this.#make = make;
		this.#frame = frame;
		const near: Start = {
			count: 0,
			bytes: [head],
			sha256: createHash('sha256').update(head),
			isEmpty: frame.elements.length === 0,
			notes: new Map(),
			isSettled: true,
		};
		this.#reached = {last: request, near, far: undefined};
	}

	/** Returns the next body, or `undefined` if the body must be made from all messages. */
	async continued(request: ModelRequest): Promise<SentBody | undefined> {
		const reached = this.#reached;
		const start = isSameSetup(reached.last, request) ? startOf(reached, request) : undefined;
		const part = start && (await this.#partFrom(request, start.count));
		return part && start && this.#join(request, {start, part, far: reached.far});
	}

	/** Returns the first body, which was made from all messages. */
	async first(request: ModelRequest, whole: MadeBody): Promise<SentBody | undefined> {
		const part = this.#partOf(whole);
		return part && this.#join(request, {start: this.#reached.near, part, far: undefined});
	}

	/** Returns a body from a start and the elements after it. Extends the start for the next request. */
	async #join(request: ModelRequest, {start, part, far}: Joining): Promise<SentBody> {
		const {tail, path, headers, notes} = this.#frame;
		const {start: near, rest} = await this.#moved(request, start, part);
		const last = Buffer.from(separated(near, rest) + tail);
		this.#reached = {last: request, near, far: near.isSettled ? near : far};
		return {
			path,
			headers,
			bytes: [...near.bytes, last],
			sha256: near.sha256.copy().update(last).digest('hex'),
			notes: joinNotes([notes, start.notes, part.notes]),
		};
	}

	/** Returns a body without the elements of the frame. Returns `undefined` if the body does not match the frame. */
	#partOf(made: MadeBody): Part | undefined {
		if (!this.#isInOrder(made)) return undefined;
		const {head, elements, tail, path, headers, notes} = this.#frame;
		const parts = bodyParts(made.body);
		const own = notesAfter(notes, made.notes);
		const isSame =
			parts?.head === head &&
			parts.tail === tail &&
			made.path === path &&
			JSON.stringify(made.headers) === JSON.stringify(headers) &&
			elements.every((element, index) => element === parts.elements[index]);
		return parts !== undefined && own !== undefined && isSame
			? {...parts, elements: parts.elements.slice(elements.length), path, headers, notes: own}
			: undefined;
	}

	/**
	Tells whether the rewrites of joined parts have the same order as those of a whole body. The order differs if a rule
	is both early and late.
	*/
	#isInOrder({early, late}: MadeBody): boolean {
		for (const rule of early) this.#early.add(rule);
		for (const rule of late) this.#late.add(rule);
		return ![...this.#early].some(rule => this.#late.has(rule));
	}

	async #partFrom(request: ModelRequest, count: number): Promise<Part | undefined> {
		return this.#partOf(await this.#make({...request, messages: request.messages.slice(count)}));
	}

	/**
	Extends a start up to the message that `cutOf` returns. Leaves the start unchanged if the elements after that
	message depend on the messages before it. `rest`: the elements after the returned start.
	*/
	async #moved(request: ModelRequest, start: Start, part: Part): Promise<{start: Start; rest: readonly string[]}> {
		const stays = {start, rest: part.elements};
		const {length} = request.messages;
		if (length < this.#moveAt) return stays;
		const count = cutOf(request, start.count);
		if (count === undefined) return stays;
		const later = await this.#partFrom(request, count);
		const notes = later && notesBefore(part.notes, later.notes);
		const end = part.elements.length - (later?.elements.length ?? 0);
		const isSame = later?.elements.every((element, index) => element === part.elements[end + index]) === true;
		if (later === undefined || notes === undefined || !isSame || end <= 0) {
			this.#moveAt = start.count + 2 * (length - start.count);
			return stays;
		}
		const bytes = Buffer.from(separated(start, part.elements.slice(0, end)));
		const moved: Start = {
			count,
			bytes: joinedBytes(start.bytes, bytes),
			sha256: start.sha256.copy().update(bytes),
			isEmpty: false,
			notes: joinNotes([start.notes, notes]),
			isSettled: request.messages.some(
				(message, index) => index >= count && message.role === 'user' && isSent(message, true),
			),
		};
		return {start: moved, rest: later.elements};
	}
}

type Joining = {readonly start: Start; readonly part: Part; readonly far: Start | undefined};

/** Returns the longest start that the messages after it leave unchanged. */
function startOf({last, near, far}: Reached, {messages}: ModelRequest): Start | undefined {
	return [near, far].find(start => {
		if (start === undefined || !haveSame(start.count, messages, last.messages)) return false;
		const later = messages.slice(start.count);
		return start.isSettled ? later.some(isWords) : !later.some(({role}) => role === 'user');
	});
}

/** Returns `undefined` if the conversation is short, or if its body cannot be joined from parts. */
async function startGrowth(
	make: Make,
	request: ModelRequest,
	whole: MadeBody,
): Promise<{readonly growth: Growth; readonly body: SentBody} | undefined> {
	if (cutOf(request, 0) === undefined) return undefined;
	const empty = await make({...request, messages: []});
	const parts = bodyParts(empty.body);
	if (parts === undefined) return undefined;
	const growth = new Growth(make, request, {...parts, ...empty});
	const body = await growth.first(request, whole);
	return body && {growth, body};
}

function isSameSetup(one: ModelRequest, other: ModelRequest): boolean {
	return one.prompt === other.prompt && one.tools === other.tools && one.settings === other.settings;
}

/**
Returns the number of messages that a start may contain, or `undefined` if the start would grow by too few messages. The
number meets these conditions:

- the next message is an answer that every wire sends, and the message before it is not an answer, so nothing before the
  answer is merged with it;
- two turns of the user (messages or results) follow, so both cache marks are after the start;
- the start has no image or document, because which of them are sent depends on all of them.

The next user message may still change the elements after the previous user message (`isSettled`), because it ends a
tool loop, whose thoughts are then no longer sent.
*/
function cutOf({messages, tools}: ModelRequest, from: number): number | undefined {
	let turns = 0;
	let hasTurn = false;
	for (let at = messages.length - 1; at >= from + leastMoved; at--) {
		const message = messages[at];
		if (message === undefined || !isSent(message, tools.length > 0)) continue;
		if (message.role !== 'assistant') hasTurn = true;
		else {
			if (hasTurn) turns++;
			hasTurn = false;
			const before = messages[at - 1];
			const isSeparate = before !== undefined && before.role !== 'assistant' && isSent(before, tools.length > 0);
			if (turns >= 2 && isSeparate) return messages.slice(from, at).some(hasMedia) ? undefined : at;
		}
	}
	return undefined;
}

/** The minimum number of messages by which a start grows. */
const leastMoved = 8;

/** Tells whether the message is part of the request in every wire format. */
function isSent(message: ModelMessage, hasTools: boolean): boolean {
	if (message.role === 'user') return isWords(message);
	if (message.role === 'tool') return hasTools && message.results.length > 0;
	return message.parts.some(part =>
		part.type === 'tool_call' ? hasTools : part.type === 'text' && part.text.trim() !== '',
	);
}

/** Tells whether the first `count` messages are the same. */
function haveSame(count: number, some: readonly ModelMessage[], others: readonly ModelMessage[]): boolean {
	for (let index = 0; index < count; index++) if (some[index] !== others[index]) return false;
	return true;
}

function isWords(message: ModelMessage): boolean {
	return message.role === 'user' && message.text.trim() !== '';
}

function hasMedia(message: ModelMessage): boolean {
	return message.role === 'user' && message.media !== undefined;
}

function separated({isEmpty}: Start, elements: readonly string[]): string {
	return isEmpty || elements.length === 0 ? elements.join(',') : `,${elements.join(',')}`;
}

/**
Adds bytes to the pieces. Small pieces are joined, so that a long conversation has few pieces. Each byte is copied only
a few times.
*/
function joinedBytes(pieces: BodyBytes, added: Uint8Array<ArrayBuffer>): BodyBytes {
	const joined = [...pieces];
	let last = added;
	for (let before = joined.at(-1); before !== undefined && before.length <= 2 * last.length; before = joined.at(-1)) {
		joined.pop();
		last = Buffer.concat([before, last]);
	}
	return [...joined, last];
}
