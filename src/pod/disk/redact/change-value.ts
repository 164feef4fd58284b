import {isRecord} from '../../ground/values/is-record.ts';
import type {Removed, TextMark} from './remover.ts';

/** A mark in a value. `path` is a JSON pointer. The path of a removed member leads nowhere. */
export type Mark = TextMark & {readonly path: string};

/** A change of a text. `shift` maps the byte of an earlier mark to its new place, or to `undefined` if it is gone. */
export type TextChange = {readonly before: string; readonly removed: Removed};

type Changed = {
	readonly value: unknown;
	readonly marks: readonly Mark[];
	readonly texts: ReadonlyMap<string, TextChange>;
};

type Change = {
	readonly remove: (text: string) => Removed | undefined;
	/** Removes texts from the name of a member. The default is `remove`. */
	readonly removeName?: (name: string) => Removed | undefined;
	/** Tells whether a text must stay, because the record or the code refers to it. `path` has the names of members. */
	readonly isKept?: (path: readonly string[], text: string) => boolean;
};

/**
Removes texts from all strings of a value, from the names of its members, and from whole numbers. Returns `undefined` if
nothing was found. A member whose name contains a removed text is removed.
*/
export function changeValue(
	value: unknown,
	{remove, removeName = remove, isKept = () => false}: Change,
): Changed | undefined {
	const marks: Mark[] = [];
	const texts = new Map<string, TextChange>();

	function changeText(text: string, path: readonly string[]): string {
		const removed = isKept(path, text) ? undefined : remove(text);
		if (removed === undefined) return text;
		const pointer = pointerOf(path);
		marks.push(...removed.marks.map(mark => ({path: pointer, ...mark})));
		texts.set(pointer, {before: text, removed});
		return removed.text;
	}

	function changeNumber(number: number, path: readonly string[]): unknown {
		const text = String(number);
		const removed = path.length > 1 ? remove(text) : undefined;
		return removed?.pieces[0]?.end === text.length && removed.pieces[0].start === 0
			? changeText(text, path)
			: number;
	}

	function changeMember(name: string, member: unknown, path: readonly string[]): ReadonlyArray<[string, unknown]> {
		const removed = path.length > 0 ? removeName(name) : undefined;
		if (removed === undefined) return [[name, change(member, [...path, name])]];
		const bytes = Buffer.byteLength(JSON.stringify(member) ?? '');
		marks.push({path: pointerOf([...path, removed.text]), from: 0, bytes});
		return [];
	}

	function change(one: unknown, path: readonly string[]): unknown {
		if (typeof one === 'string') return changeText(one, path);
		if (typeof one === 'number') return changeNumber(one, path);
		if (Array.isArray(one)) return one.map((each, index) => change(each, [...path, String(index)]));
		if (!isRecord(one)) return one;
		return Object.fromEntries(Object.entries(one).flatMap(([name, member]) => changeMember(name, member, path)));
	}

	const next = change(value, []);
	return marks.length === 0 ? undefined : {value: next, marks, texts};
}

/** Returns a JSON pointer (RFC 6901). */
export function pointerOf(path: readonly string[]): string {
	return path.map(name => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
