import {parseItem, type Item} from '../../worker/index.ts';
import {secretPatterns} from './secret-patterns.ts';

/** The secrets of one kind in one item. A secret that an item repeats counts once. */
export type FoundSecret = {readonly name: string; readonly item: string; readonly count: number};

export type Redacted = {
	/** The same items, in which each secret is replaced by its kind. Items without a secret are the same objects. */
	readonly items: readonly Item[];
	/** In the order of the items. It names no secret itself. */
	readonly found: readonly FoundSecret[];
};

/** Replaces everything that looks like a secret in all texts of items, also in texts that are JSON. */
export function redactItems(items: readonly Item[]): Redacted {
	const found: FoundSecret[] = [];
	const redacted = items.map(item => {
		const secrets: Secrets = new Map();
		const next = redactValue(item, secrets);
		for (const [name, values] of secrets) found.push({name, item: item.id, count: values.size});
		if (secrets.size === 0) return item;
		const parsed = parseItem(next);
		if (parsed === undefined) throw new Error('an item without its secrets is no item');
		return parsed;
	});
	return {items: redacted, found};
}

/** The secrets that were found, by kind. */
export type Secrets = Map<string, Set<string>>;

/** Replaces the secrets of a text, and adds them to `secrets`. */
export function redactText(text: string, secrets: Secrets): string {
	let next = text;
	for (const {name, pattern} of secretPatterns)
		next = next.replaceAll(pattern, (whole: string, ...rest: readonly unknown[]) => {
			const [secret] = rest;
			const isGroup = typeof secret === 'string';
			if (isGroup && /^\[?redacted\b/.test(secret)) return whole;
			secrets.set(name, (secrets.get(name) ?? new Set()).add(isGroup ? secret : whole));
			const mark = `[redacted: ${name}]`;
			return isGroup
				? whole.slice(0, whole.lastIndexOf(secret)) +
						mark +
						whole.slice(whole.lastIndexOf(secret) + secret.length)
				: mark;
		});
	return next;
}

/** Ids, hashes and types of the format itself are no secrets, and other items refer to them. */
const plainKeys: ReadonlySet<string> = new Set([
	'id',
	'at',
	'type',
	'role',
	'callId',
	'request',
	'firstKept',
	'to',
	'sha256',
	'requestHash',
	'endedAt',
	'startedAt',
]);

function redactValue(value: unknown, secrets: Secrets): unknown {
	if (typeof value === 'string') return redactText(value, secrets);
	if (Array.isArray(value)) return value.map(one => redactValue(one, secrets));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, one]) => [
			key,
			plainKeys.has(key) && typeof one === 'string' ? one : redactValue(one, secrets),
		]),
	);
}
