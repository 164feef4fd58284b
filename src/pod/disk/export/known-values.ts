import {encodedViews} from './views.ts';

/** A known secret at a place in a text. */
type KnownPlace = {readonly name: string; readonly value: string; readonly start: number; readonly end: number};

/** The secrets that were found in an export, to find them wherever else they are. */
export type KnownValues = {
	/** Adds a secret. Too short or too common a text is only left out where it was found. */
	readonly add: (name: string, value: string, text?: string) => void;
	/** Returns the places of known secrets in a text, as they are or encoded, in order and without overlaps. */
	readonly find: (text: string) => readonly KnownPlace[];
};

type Form = {readonly name: string; readonly value: string; readonly text: string};

/** `isKept`: whether a text must stay, because the record itself refers to it. */
export function createKnownValues(isKept: (text: string) => boolean): KnownValues {
	/** The forms by their first characters. */
	const forms = new Map<string, Form[]>();
	const known = new Set<string>();
	const starts = new Uint8Array(tableSize);

	function addForm(form: Form): void {
		const key = form.text.slice(0, keyLength);
		if (key.length < keyLength || known.has(form.text)) return;
		known.add(form.text);
		const same = forms.get(key) ?? [];
		if (same.length >= maxSame) return;
		// The longest is first, so it is found rather than its beginning.
		const at = same.findIndex(other => other.text.length < form.text.length);
		same.splice(at < 0 ? same.length : at, 0, form);
		forms.set(key, same);
		starts[hashAt(key, 0)] = 1;
	}

	function formAt(text: string, at: number): Form | undefined {
		const same = forms.get(text.slice(at, at + keyLength));
		return same?.find(form => text.startsWith(form.text, at) && isWhole(text, at, form.text));
	}

	function findIn(text: string): readonly KnownPlace[] {
		const found: KnownPlace[] = [];
		const last = text.length - keyLength;
		for (let at = 0; at <= last; at++) {
			if (starts[hashAt(text, at)] === 0) continue;
			const form = formAt(text, at);
			if (form === undefined) continue;
			const end = at + form.text.length;
			found.push({name: form.name, value: form.value, start: at, end});
			at = end - 1;
		}
		return found;
	}

	return {
		add(name, value, text = value) {
			for (const meant of meaningsOf(text)) {
				if (!isTelling(meant) || isKept(meant)) continue;
				for (const form of formsOf(meant)) addForm({name, value, text: form});
			}
		},
		find(text) {
			if (forms.size === 0) return [];
			const found = encodedViews(text).flatMap(({text: shown, origin}) =>
				findIn(shown).map(place => ({...place, start: origin(place.start), end: origin(place.end)})),
			);
			return withoutOverlaps(found);
		},
	};
}

/** Of places that overlap, the first one counts, and of those with the same start the longest. */
function withoutOverlaps(found: readonly KnownPlace[]): readonly KnownPlace[] {
	let last = 0;
	return found
		.toSorted((one, other) => one.start - other.start || other.end - one.end)
		.filter(({start, end}) => {
			if (start < last) return false;
			last = end;
			return true;
		});
}

/** Tells whether a text is rare enough to be the secret wherever it is. */
function isTelling(text: string): boolean {
	if (text.length < keyLength) return false;
	return (
		text.length >= 12 ||
		(/[^A-Za-z]/.test(text) && !/^\d+$/.test(text)) ||
		(text.length >= 8 && /[a-z][A-Z]/.test(text))
	);
}

/** A word is not a secret because it contains one. */
function isWhole(text: string, at: number, form: string): boolean {
	if (form.length >= 16) return true;
	const before =
		at > 0 && /\w/.test(text[at - 1] ?? '') && /^\w/.test(form) && !/\\[nrt]$/.test(text.slice(at - 2, at));
	return !before && !(/\w/.test(text[at + form.length] ?? '') && /\w$/.test(form));
}

/** Returns a text as it is, in hex and in base64. What views decode needs no form. */
function formsOf(text: string): ReadonlySet<string> {
	const forms = new Set([text, text.replaceAll(' ', '+'), ...base64Of(text)]);
	if (text.length < 8) return forms;
	const hex = Buffer.from(text).toString('hex');
	return forms.add(hex).add(hex.toUpperCase());
}

/** Returns a text as it was found, and as JSON in JSON means it. */
function meaningsOf(text: string): readonly string[] {
	const meant = text.includes('\\') ? meantIn(text) : undefined;
	return meant === undefined || meant === text ? [text] : [text, ...meaningsOf(meant)];
}

function meantIn(escaped: string): string | undefined {
	try {
		return String(JSON.parse(`"${escaped}"`));
	} catch {
		return undefined;
	}
}

/** Returns what base64 writes for a text at each of the three places at which it may begin, without the edges. */
function base64Of(text: string): readonly string[] {
	const bytes = Buffer.from(text);
	if (bytes.length > maxEncoded) return [];
	return [0, 1, 2].flatMap(before => {
		const whole = Buffer.concat([Buffer.alloc(before), bytes]);
		const part = whole.toString('base64').slice(Math.ceil((before * 4) / 3), Math.floor((whole.length * 4) / 3));
		if (part.length < keyLength) return [];
		return [part, part.replaceAll('+', '-').replaceAll('/', '_')];
	});
}

function hashAt(text: string, at: number): number {
	return (
		(text.charCodeAt(at) +
			text.charCodeAt(at + 1) * 37 +
			text.charCodeAt(at + 2) * 1361 +
			text.charCodeAt(at + 3) * 50_653 +
			text.charCodeAt(at + 4) * 911) &
		(tableSize - 1)
	);
}

/** The shortest text that is searched for. */
const keyLength = 6;

const tableSize = 65_536;

const maxEncoded = 4096;

/** The most texts with the same start. Others are only left out where they were found. */
const maxSame = 200;
