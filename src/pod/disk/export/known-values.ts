import {createFormSearch, leastForm, type FormSearch} from './form-search.ts';
import {encodedViews} from './views.ts';

/** An occurrence of a known secret in a text. */
type KnownPlace = {readonly name: string; readonly value: string; readonly start: number; readonly end: number};

/** The secrets that were found in an export. They are searched for in all other texts, too. */
export type KnownValues = {
	/**
	Adds a secret. If the text is too short or too common, it is not added, and is left out only at the place where it
	was found.
	*/
	readonly add: (name: string, value: string, text?: string) => void;
	/** Returns the occurrences of known secrets in a text, plain or encoded, in order and without overlaps. */
	readonly find: (text: string) => readonly KnownPlace[];
};

type Form = {readonly name: string; readonly value: string; readonly text: string};

type KnownOptions = {
	/** Tells whether a text must stay, because the record itself refers to it. */
	readonly isKept?: (text: string) => boolean;
	/**
	Whether every occurrence counts: also short and common texts, from 4 bytes on, and parts of words. Then texts in
	binary files are found, too.
	*/
	readonly isExact?: boolean;
};

export function createKnownValues({isKept = () => false, isExact = false}: KnownOptions = {}): KnownValues {
	const forms = new Map<string, Form>();
	/** Forms that are too short for the search. Only an exact search has such forms. */
	const shortForms = new Map<string, Form>();
	/** The search for these forms. It is made when it is needed, and made again if there are more forms. */
	let search: FormSearch<Form> | undefined;

	function addForm(form: Form): void {
		if (form.text.length < leastForm && isExact) shortForms.set(form.text, form);
		if (form.text.length < leastForm || forms.has(form.text)) return;
		forms.set(form.text, form);
		search = undefined;
	}

	return {
		add(name, value, text = value) {
			for (const meant of meaningsOf(text)) {
				if (isExact ? Buffer.byteLength(meant) < leastBytes : !isTelling(meant) || isKept(meant)) continue;
				for (const form of formsOf(meant)) addForm({name, value, text: form});
				if (isExact) for (const form of binaryForms(meant)) addForm({name, value, text: form});
			}
		},
		find(text) {
			if (forms.size === 0 && shortForms.size === 0) return [];
			search ??= createFormSearch([...forms.values()], isExact ? () => true : isWhole);
			const found: KnownPlace[] = [];
			for (const {text: shown, origin, ending} of encodedViews(text))
				for (const {form, start, end} of [...search.find(shown), ...findShort(shown, shortForms)])
					found.push({name: form.name, value: form.value, start: origin(start), end: ending(end)});
			return withoutOverlaps(found);
		},
	};
}

/** Returns the occurrences of forms that are too short for the search. */
function findShort(
	text: string,
	forms: ReadonlyMap<string, Form>,
): ReadonlyArray<{readonly form: Form; readonly start: number; readonly end: number}> {
	const found = [];
	for (const form of forms.values())
		for (let at = text.indexOf(form.text); at >= 0; at = text.indexOf(form.text, at + form.text.length))
			found.push({form, start: at, end: at + form.text.length});
	return found;
}

/** Returns the forms of a text in a binary file whose bytes are read as latin1: UTF-8 and UTF-16. */
function binaryForms(text: string): readonly string[] {
	return [Buffer.from(text).toString('latin1'), Buffer.from(text, 'utf16le').toString('latin1')];
}

/**
Removes overlaps. Of overlapping occurrences, the one that starts first stays whole. Of those with the same start, the
longest stays. The rest of another occurrence stays, too.
*/
function withoutOverlaps(found: readonly KnownPlace[]): readonly KnownPlace[] {
	const left: KnownPlace[] = [];
	let last = 0;
	for (const place of found.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
		if (place.end <= last) continue;
		left.push({...place, start: Math.max(place.start, last)});
		last = place.end;
	}
	return left;
}

/** Tells whether a text is so rare that every occurrence is probably the secret. */
function isTelling(text: string): boolean {
	if (text.length < leastForm) return false;
	return (
		text.length >= 12 ||
		(/[^A-Za-z]/.test(text) && !/^\d+$/.test(text)) ||
		(text.length >= 8 && /[a-z][A-Z]/.test(text))
	);
}

/** Tells whether a form is not only a part of a longer word. */
function isWhole(text: string, at: number, form: string): boolean {
	const before =
		at > 0 && /\w/.test(text[at - 1] ?? '') && /^\w/.test(form) && !/\\[nrt]$/.test(text.slice(at - 2, at));
	return !before && !(/\w/.test(text[at + form.length] ?? '') && /\w$/.test(form));
}

/**
Returns the forms of a text: as it is, in hex, and in base64, also of UTF-16 as in PowerShell. Encodings that views
decode are not needed here.
*/
function formsOf(text: string): ReadonlySet<string> {
	const forms = new Set([
		text,
		text.replaceAll(' ', '+'),
		...base64Of(Buffer.from(text)),
		...base64Of(Buffer.from(text, 'utf16le')),
	]);
	if (text.length < 8) return forms;
	const hex = Buffer.from(text).toString('hex');
	return forms.add(hex).add(hex.toUpperCase());
}

/** Returns a text as it was found, and also decoded as a JSON string, once or several times. */
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

/**
Returns the base64 of bytes for each of the three offsets at which it may begin in an encoded group. Characters that
also depend on the neighbouring bytes are left out.
*/
function base64Of(bytes: Buffer): readonly string[] {
	if (bytes.length > maxEncoded) return [];
	return [0, 1, 2].flatMap(before => {
		const whole = Buffer.concat([Buffer.alloc(before), bytes]);
		const part = whole.toString('base64').slice(Math.ceil((before * 4) / 3), Math.floor((whole.length * 4) / 3));
		if (part.length < leastForm) return [];
		return [part, part.replaceAll('+', '-').replaceAll('/', '_')];
	});
}

const maxEncoded = 4096;

/** The minimum number of bytes of a text that is searched for exactly. */
export const leastBytes = 4;
