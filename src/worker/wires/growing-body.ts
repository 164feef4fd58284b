import {createHash, type Hash} from 'node:crypto';
import type {ModelMessage, ModelRequest} from '../history/model.ts';
import {joinNotes, notesAfter, notesBefore} from '../history/rewrite-notes.ts';
import type {RewriteNotes, RewriteRule} from '../history/rewrites.ts';
import {bodyParts, type BodyParts} from './body-parts.ts';
import type {MadeBody} from './ready-request.ts';
import type {Encoded} from './wire.ts';

/** The bytes of a body, in order. */
export type BodyBytes = ReadonlyArray<Uint8Array<ArrayBuffer>>;

/** A body as it is sent, and its sha256 in hex. `notes`: how it deviates from its request. */
export type SentBody = Pick<Encoded, 'path' | 'headers'> & {
	readonly bytes: BodyBytes;
	readonly sha256: string;
	readonly notes: RewriteNotes;
};

type Make = (request: ModelRequest) => Promise<MadeBody>;

/**
Returns a function that makes the bodies of requests. A body is the same as if it were made from its start. But a
request whose messages only grew since the last one costs no more than its new messages: the bytes before them and
their hash are kept (`cutOf` says which). `make` makes the body of a request from its start.

Kept bytes belong to the first message of a conversation, so they are released with it.
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

/** The elements of the first `count` messages, which no later message changes. */
type Start = {
	readonly count: number;
	/** The bytes of the head and of these elements. */
	readonly bytes: BodyBytes;
	readonly sha256: Hash;
	readonly isEmpty: boolean;
	/** The rules that these messages followed. */
	readonly notes: RewriteNotes;
	/** Whether words of the user follow. Otherwise the next words of the user may change these elements. */
	readonly isSettled: boolean;
};

/** What has the form of a body: its parts, the rules that it followed, and how it is sent. */
type Part = BodyParts & Pick<Encoded, 'path' | 'headers'> & {readonly notes: RewriteNotes};

/** What all bodies of a conversation have in common. `elements` is empty but for a system prompt. */
type Frame = Part;

/** How far a conversation is made. */
type Reached = {
	/** The request that the starts are part of. */
	readonly last: ModelRequest;
	readonly near: Start;
	/** The last start that settled. */
	readonly far: Start | undefined;
};

/** One conversation whose messages grow. */
class Growth {
	readonly #make: Make;
	readonly #frame: Frame;
	/** It is replaced as a whole, because two requests may be made at the same time. */
	#reached: Reached;
	/** The number of messages at which the next move is tried. */
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

	/** Returns the next body, or `undefined` if it must be made from its start. */
	async continued(request: ModelRequest): Promise<SentBody | undefined> {
		const reached = this.#reached;
		const start = isSameSetup(reached.last, request) ? startOf(reached, request) : undefined;
		const part = start && (await this.#partFrom(request, start.count));
		return part && start && this.#join(request, {start, part, far: reached.far});
	}

	/** Returns the first body, which was made from its start. */
	async first(request: ModelRequest, whole: MadeBody): Promise<SentBody | undefined> {
		const part = this.#partOf(whole);
		return part && this.#join(request, {start: this.#reached.near, part, far: undefined});
	}

	/** Returns the body of the elements of a start and of those after it, and moves the start. */
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

	/** Returns the part of a body that was made. */
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

	/** A rule that is both early and late has its places in another order in the whole than in parts. */
	#isInOrder({early, late}: MadeBody): boolean {
		for (const rule of early) this.#early.add(rule);
		for (const rule of late) this.#late.add(rule);
		return ![...this.#early].some(rule => this.#late.has(rule));
	}

	async #partFrom(request: ModelRequest, count: number): Promise<Part | undefined> {
		return this.#partOf(await this.#make({...request, messages: request.messages.slice(count)}));
	}

	/**
	Moves a start over some of the elements after it: those that are the same bytes without what follows, and that
	nothing can change. `rest`: the other elements.
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

/** Returns the nearest start that the messages after it leave unchanged. */
function startOf({last, near, far}: Reached, {messages}: ModelRequest): Start | undefined {
	return [near, far].find(start => {
		if (start === undefined || !haveSame(start.count, messages, last.messages)) return false;
		const later = messages.slice(start.count);
		return start.isSettled ? later.some(isWords) : !later.some(({role}) => role === 'user');
	});
}

/** Returns `undefined` if the conversation is short, or if its body has another form than that of its parts. */
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
Returns the number of messages after which a start may be, or `undefined` if it would move over too few. Then:

- an answer follows that every wire sends, after a message that is none, so nothing before it merges with it;
- two turns of the user's side (words or results) follow, so both cache marks stay behind it;
- no image or document precedes it: which of them are sent depends on all of them.

Besides, the user's next words may change what follows their last ones (`isSettled`): they end a loop of tools, whose
thoughts then go back no more.
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

/** A start moves over at least so many messages. */
const leastMoved = 8;

/** Tells whether every wire sends a message. */
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

/** Adds bytes. Small pieces are joined, so that a long conversation has few of them, each joined a few times. */
function joinedBytes(pieces: BodyBytes, added: Uint8Array<ArrayBuffer>): BodyBytes {
	const joined = [...pieces];
	let last = added;
	for (let before = joined.at(-1); before !== undefined && before.length <= 2 * last.length; before = joined.at(-1)) {
		joined.pop();
		last = Buffer.concat([before, last]);
	}
	return [...joined, last];
}
