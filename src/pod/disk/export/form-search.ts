import {randomInt} from 'node:crypto';
import {lastAtMost} from './parts.ts';

/** A text that is searched for. */
type Form = {readonly text: string};

type Place<F extends Form> = {readonly form: F; readonly start: number; readonly end: number};

/** A search for many forms at once. Its time grows with the length of the text, not with the number of forms. */
export type FormSearch<F extends Form> = {
	/**
	Returns the occurrences of the forms in a text, in order and without overlaps. Of the forms that start at the same
	place, the longest counts.
	*/
	readonly find: (text: string) => ReadonlyArray<Place<F>>;
	/** Returns the number of steps of all searches, so that a test can measure them. */
	readonly steps: () => number;
};

/**
Makes a search. The forms are different and have at least `leastForm` characters. A form with fewer than 16 characters
counts only at places at which `isWhole` returns true.

A long form is found by hashes of its beginnings. Their lengths are the powers of 2, and then the sums of the bits of
its own length: 16, 32, and 40 for a form of 40 characters. A search follows these lengths, so that it needs only a few
hashes at each place. An automaton would need a state for each character of each form.
*/
export function createFormSearch<F extends Form>(
	forms: readonly F[],
	isWhole: (text: string, at: number, form: string) => boolean,
): FormSearch<F> {
	const short = new Map(forms.filter(({text}) => text.length < leastLong).map(form => [form.text, form]));
	const shortLengths = [...new Set([...short.keys()].map(text => text.length))].toSorted((one, other) => other - one);
	const beginnings = beginningsOf(forms.filter(({text}) => text.length >= leastLong));
	const starts = startsOf(forms);
	let steps = 0;

	function longAt(text: string, at: number, hashes: Hashes): F | undefined {
		const best: {length: number; form?: F | undefined} = {length: 0};
		const isBeginning = (length: number) => {
			steps++;
			if (at + length > text.length) return false;
			const hash = hashes.of(at, length);
			if (!beginnings.has(hash)) return false;
			Object.assign(best, {length, form: beginnings.get(hash)});
			return true;
		};
		for (let next = leastLong; isBeginning(next);) next *= 2;
		for (let bit = best.length / 2; bit >= 1; bit /= 2) isBeginning(best.length + bit);
		return best.form !== undefined && text.startsWith(best.form.text, at) ? best.form : undefined;
	}

	function shortAt(text: string, at: number): F | undefined {
		for (const length of shortLengths) {
			steps++;
			const form = short.get(text.slice(at, at + length));
			if (form !== undefined && isWhole(text, at, form.text)) return form;
		}
		return undefined;
	}

	return {
		find(text) {
			const found: Array<Place<F>> = [];
			const hashes = createHashes(text);
			for (let at = 0; at <= text.length - leastForm; at++) {
				if (starts[startAt(text, at)] === 0) continue;
				const form = longAt(text, at, hashes) ?? shortAt(text, at);
				if (form === undefined) continue;
				found.push({form, start: at, end: at + form.text.length});
				at += form.text.length - 1;
			}
			steps += text.length + hashes.steps();
			return found;
		},
		steps: () => steps,
	};
}

/** The minimum length of a form. */
export const leastForm = 6;

const leastLong = 16;

/** Returns, for the hash of each beginning, the longest form with which this beginning begins, if there is one. */
function beginningsOf<F extends Form>(forms: readonly F[]): ReadonlyMap<number, F | undefined> {
	const beginnings = new Map<number, F | undefined>();
	/** The forms with which the current form begins, and their lengths. The last of them is the form itself. */
	const inner: F[] = [];
	const innerLengths = [0];
	for (const form of forms.toSorted((one, other) => (one.text < other.text ? -1 : 1))) {
		while (inner.length > 0 && !form.text.startsWith(inner.at(-1)?.text ?? '')) {
			inner.pop();
			innerLengths.pop();
		}
		inner.push(form);
		innerLengths.push(form.text.length);
		const hashes = createHashes(form.text);
		for (const length of lengthsTo(form.text.length)) {
			const hash = hashes.of(0, length);
			if (!beginnings.has(hash)) beginnings.set(hash, inner[lastAtMost(innerLengths, length) - 1]);
		}
	}
	return beginnings;
}

/** Returns the lengths of the beginnings of a form. */
function lengthsTo(length: number): readonly number[] {
	const lengths: number[] = [];
	for (let next = leastLong; next <= length; next *= 2) lengths.push(next);
	let last = lengths.at(-1) ?? 0;
	for (let bit = last / 2; bit >= 1; bit /= 2)
		if (last + bit <= length) {
			last += bit;
			lengths.push(last);
		}
	return lengths;
}

type Hashes = {
	/** Returns the hash of a part of the text. The starts of the parts must ascend. */
	readonly of: (start: number, length: number) => number;
	readonly steps: () => number;
};

/**
Returns the hashes of the parts of a text. It reads the text only where it is needed, and forgets what is far before the
last part.
*/
function createHashes(text: string): Hashes {
	let from = 0;
	let steps = 0;
	/** The hashes of the text from `from` on, of each length, for both primes. */
	const [first, second] = [[0], [0]];
	function restart(at: number): void {
		from = at;
		first.length = 1;
		second.length = 1;
	}
	function readTo(end: number): void {
		for (let at = from + first.length - 1; at < end; at++) {
			const code = text.charCodeAt(at) + 1;
			first.push(rest((first[first.length - 1] ?? 0) * base + code, primes[0]));
			second.push(rest((second[second.length - 1] ?? 0) * base + code, primes[1]));
			steps++;
		}
	}
	return {
		of(start, length) {
			const to = from + first.length - 1;
			if (start >= to || start - from > Math.max(maxKept, to - start)) restart(start);
			readTo(start + length);
			extendPowers(length);
			const at = start - from;
			return difference(first, at, length, 0) * 2 ** 26 + difference(second, at, length, 1);
		},
		steps: () => steps,
	};
}

function extendPowers(length: number): void {
	while (powers[0].length <= length) {
		powers[0].push(rest((powers[0].at(-1) ?? 1) * base, primes[0]));
		powers[1].push(rest((powers[1].at(-1) ?? 1) * base, primes[1]));
	}
}

/** Returns the hash of a part: the hash of the text up to its end, without what comes before it. */
function difference(sums: readonly number[], at: number, length: number, index: 0 | 1): number {
	const prime = primes[index];
	const found = (sums[at + length] ?? 0) - rest((sums[at] ?? 0) * (powers[index][length] ?? 0), prime);
	return found < 0 ? found + prime : found;
}

/** Returns `number % prime`. For such large numbers, `%` is slow. */
function rest(number: number, prime: number): number {
	const found = number - Math.floor(number / prime) * prime;
	return found < 0 ? found + prime : found < prime ? found : found - prime;
}

/** The largest primes below 2 ** 26, so that a product is exact. */
const primes = [67_108_859, 67_108_837] as const;

/** It is random, so that no text can be written whose parts have the same hash. */
const base = randomInt(2 ** 20, 2 ** 26 - 200);

const powers: readonly [number[], number[]] = [[1], [1]];

const maxKept = 65_536;

/** For a quick search: whether a form may begin with such characters. */
function startsOf(forms: readonly Form[]): Uint8Array {
	const starts = new Uint8Array(tableSize);
	for (const {text} of forms) starts[startAt(text, 0)] = 1;
	return starts;
}

function startAt(text: string, at: number): number {
	return (
		(text.charCodeAt(at) +
			text.charCodeAt(at + 1) * 37 +
			text.charCodeAt(at + 2) * 1361 +
			text.charCodeAt(at + 3) * 50_653 +
			text.charCodeAt(at + 4) * 911) &
		(tableSize - 1)
	);
}

const tableSize = 2 ** 18;
