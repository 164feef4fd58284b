import type {ModelEvent} from '../history/model.ts';

/**
The minimum length of a key that is replaced. Shorter keys are placeholders, such as `ollama` for a local server, and
may be ordinary words.
*/
const minKeyLength = 16;

type Mask = (event: ModelEvent) => readonly ModelEvent[];

/**
Replaces keys in the text of an answer with `[key]`. Otherwise, a server that repeats a key would cause the key to be
written to the history. A key may be split anywhere, so the end of a text is held back until more text arrives if it may
be the beginning of a key. The arguments of calls stay unchanged, because a call may write a key to the user's own file.
A thought that was changed loses its signature.
*/
export function createKeyMask(secrets: readonly string[]): Mask {
	const keys = [...new Set(secrets)]
		.filter(secret => secret.length >= minKeyLength)
		.toSorted((a, b) => b.length - a.length);
	if (keys.length === 0) return event => [event];
	const masking = new Masking(keys);
	return event => masking.mask(event);
}

/** The end of a text that may be the beginning of a key, and whether a key was replaced before it. */
type HeldText = {readonly held: string; readonly isChanged: boolean};

class Masking {
	/** The keys to replace, the longest first. */
	readonly #keys: readonly string[];
	readonly #open = new Map<string, HeldText>();

	constructor(keys: readonly string[]) {
		this.#keys = keys;
	}

	mask(event: ModelEvent): readonly ModelEvent[] {
		if (event.type === 'start') return [this.#start(event)];
		if (event.type === 'delta') return this.#delta(event);
		if (event.type === 'end') return this.#end(event);
		if (event.type === 'answered') return [this.#answered(event)];
		if (event.type === 'error') return [...[...this.#open.keys()].flatMap(key => this.#release(key)), event];
		return [event];
	}

	#start(event: Extract<ModelEvent, {type: 'start'}>): ModelEvent {
		const {key, part} = event;
		if (part.type !== 'tool_call') {
			this.#open.set(key, {held: '', isChanged: false});
			return event;
		}
		const callId = withoutKeys(part.callId, this.#keys);
		return {...event, part: {...part, callId, name: withoutKeys(part.name, this.#keys)}};
	}

	#answered(event: Extract<ModelEvent, {type: 'answered'}>): ModelEvent {
		const {model, fingerprint, region, id} = event.by;
		const masked = (text: string | undefined) => text && withoutKeys(text, this.#keys);
		const by = {
			model: withoutKeys(model, this.#keys),
			fingerprint: masked(fingerprint),
			region: masked(region),
			id: masked(id),
		};
		return {...event, by};
	}

	#delta(event: Extract<ModelEvent, {type: 'delta'}>): readonly ModelEvent[] {
		const open = this.#open.get(event.key);
		if (open === undefined) return [event];
		const {text, held, isChanged} = maskText(open.held + event.text, this.#keys);
		this.#open.set(event.key, {held, isChanged: open.isChanged || isChanged});
		return text === '' ? [] : [{...event, text}];
	}

	#end(event: Extract<ModelEvent, {type: 'end'}>): readonly ModelEvent[] {
		const open = this.#open.get(event.key);
		const isChanged = open !== undefined && (open.isChanged || hasKey(open.held, this.#keys));
		const {provider, ...bare} = event;
		const keepsProvider = provider === undefined || (!isChanged && !hasKey(JSON.stringify(provider), this.#keys));
		return [...this.#release(event.key), keepsProvider ? event : bare];
	}

	#release(key: string): readonly ModelEvent[] {
		const text = this.#open.get(key)?.held ?? '';
		this.#open.delete(key);
		return text === '' ? [] : [{type: 'delta', key, text: withoutKeys(text, this.#keys)}];
	}
}

/**
Splits a text into a masked part, which can be passed on now, and an end that may be the beginning of a key. `keys`: the
keys, the longest first.
*/
function maskText(text: string, keys: readonly string[]): HeldText & {readonly text: string} {
	const nextKey = createKeyFinder(text, keys);
	let masked = '';
	let from = 0;
	let isChanged = false;
	for (;;) {
		const {at, key} = nextKey(from);
		const end = key === undefined ? text.length - beginningAtEnd(text, from, keys) : at;
		masked += text.slice(from, end);
		if (key === undefined || mayContinue(text.slice(at), keys))
			return {text: masked, held: text.slice(end), isChanged};
		masked += '[key]';
		isChanged = true;
		from = at + key.length;
	}
}

type FoundKey = {readonly at: number; readonly key: string | undefined};

/**
Creates a function that finds the next key from an offset on. If several keys begin at the same place, the function
finds the longest. The search for a key continues after the place where the key was last found, because a text may
include a million copies of one key.
*/
function createKeyFinder(text: string, keys: readonly string[]): (from: number) => FoundKey {
	const places = new Map<string, number>();
	return from => {
		let found: FoundKey = {at: Infinity, key: undefined};
		for (const key of keys) {
			let at = places.get(key) ?? -1;
			if (at < from) {
				at = indexIn(text, key, from);
				places.set(key, at);
			}
			if (at < found.at) found = {at, key};
		}
		return found;
	};
}

/** Tells whether `end`, which begins with a key, may become a longer key when more text arrives. */
function mayContinue(end: string, keys: readonly string[]): boolean {
	return keys.some(key => end.length < key.length && key.startsWith(end));
}

function indexIn(text: string, key: string, from: number): number {
	const at = text.indexOf(key, from);
	return at === -1 ? Infinity : at;
}

/** Returns how many characters at the end of a text are the beginning of a key. */
function beginningAtEnd(text: string, from: number, keys: readonly string[]): number {
	return Math.max(...keys.map(key => lengthOfBeginning(text, from, key)));
}

function lengthOfBeginning(text: string, from: number, key: string): number {
	const firstCharacter = key.charAt(0);
	const first = Math.max(from, text.length - key.length + 1);
	for (let at = text.indexOf(firstCharacter, first); at !== -1; at = text.indexOf(firstCharacter, at + 1)) {
		if (key.startsWith(text.slice(at))) return text.length - at;
	}
	return 0;
}

function withoutKeys(text: string, keys: readonly string[]): string {
	return keys.reduce((rest, key) => rest.replaceAll(key, '[key]'), text);
}

function hasKey(text: string, keys: readonly string[]): boolean {
	return keys.some(key => text.includes(key));
}
