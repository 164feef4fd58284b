import type {ModelEvent} from '../model.ts';

/** Shorter keys stand for themselves, as `ollama` for a local server, and may be words. */
const minKeyLength = 16;

/**
Replaces keys in the words of an answer by `[key]`: a server that repeats what it was sent would have them written to
history. A key may be cut anywhere, so text that ends as a key begins waits for what comes next. Arguments of calls stay
as they are: they may write the user's own file. A thought that is not as it was any more loses its signature.
*/
export function createKeyMask(secrets: readonly string[]): (event: ModelEvent) => readonly ModelEvent[] {
	const keys = [...new Set(secrets)]
		.filter(secret => secret.length >= minKeyLength)
		.toSorted((a, b) => b.length - a.length);
	if (keys.length === 0) return event => [event];
	const open = new Map<string, Words>();
	const rest = (key: string): readonly ModelEvent[] => {
		const text = open.get(key)?.held ?? '';
		open.delete(key);
		return text === '' ? [] : [{type: 'delta', key, text: withoutKeys(text, keys)}];
	};
	const takers: {
		readonly [Type in ModelEvent['type']]?: (event: Extract<ModelEvent, {type: Type}>) => readonly ModelEvent[];
	} = {
		start(event) {
			const {key, part} = event;
			if (part.type === 'tool_call') {
				const named = {callId: withoutKeys(part.callId, keys), name: withoutKeys(part.name, keys)};
				return [{...event, part: {...part, ...named}}];
			}
			open.set(key, {held: '', isChanged: false});
			return [event];
		},
		delta(event) {
			const words = open.get(event.key);
			if (words === undefined) return [event];
			const {said, held, isChanged} = cut(words.held + event.text, keys);
			open.set(event.key, {held, isChanged: words.isChanged || isChanged});
			return said === '' ? [] : [{...event, text: said}];
		},
		end(event) {
			const words = open.get(event.key);
			const isChanged = words !== undefined && (words.isChanged || hasKey(words.held, keys));
			const {provider, ...bare} = event;
			const isKept = provider === undefined || (!isChanged && !hasKey(JSON.stringify(provider), keys));
			return [...rest(event.key), isKept ? event : bare];
		},
		error: event => [...[...open.keys()].flatMap(key => rest(key)), event],
	};
	return event => takers[event.type]?.(event as never) ?? [event];
}

type Words = {readonly held: string; readonly isChanged: boolean};

/** What of a text can be said now, and its end, with which a key may begin. `keys`: the longest first. */
function cut(text: string, keys: readonly string[]): Words & {readonly said: string} {
	let said = '';
	let from = 0;
	let isChanged = false;
	const places = keys.map(() => -1);
	for (;;) {
		// Each key is looked for once more only behind its last place: a text may hold a million of one of them.
		for (const [index, key] of keys.entries()) {
			if (places[index]! < from) places[index] = indexIn(text, key, from);
		}
		const at = Math.min(...places);
		const isEnd = at === Infinity;
		const end = isEnd ? text.length - beginningAtEnd(text, from, keys) : at;
		said += text.slice(from, end);
		// What is a key already may go on as a longer one.
		const goesOn = keys.some(key => text.length - at < key.length && key.startsWith(text.slice(at)));
		if (isEnd || goesOn) return {said, held: text.slice(end), isChanged};
		said += '[key]';
		isChanged = true;
		from = at + keys.find(key => text.startsWith(key, at))!.length;
	}
}

function indexIn(text: string, key: string, from: number): number {
	const at = text.indexOf(key, from);
	return at === -1 ? Infinity : at;
}

/** How many characters at the end of a text begin a key that is not whole yet. */
function beginningAtEnd(text: string, from: number, keys: readonly string[]): number {
	return Math.max(
		...keys.map(key => {
			const first = Math.max(from, text.length - key.length + 1);
			for (let at = text.indexOf(key[0]!, first); at !== -1; at = text.indexOf(key[0]!, at + 1)) {
				if (isBeginning(text.slice(at), key)) return text.length - at;
			}
			return 0;
		}),
	);
}

function isBeginning(text: string, key: string): boolean {
	return text.length < key.length && key.startsWith(text);
}

function withoutKeys(text: string, keys: readonly string[]): string {
	return keys.reduce((rest, key) => rest.replaceAll(key, '[key]'), text);
}

function hasKey(text: string, keys: readonly string[]): boolean {
	return keys.some(key => text.includes(key));
}
