import {createContext, Script} from 'node:vm';
import {isRecord, messageOf} from '../../ground/values/is-record.ts';
import {viewsOf} from '../export/views.ts';
import {isLongEnough} from './remover.ts';
import {redactTexts} from './texts.ts';

/** Collects what a pattern matches. */
export type Matches = {
	/** Searches a text, as it is and with decoded escapes. */
	readonly look: (text: string) => void;
	/** The different matches with at least 4 bytes. */
	readonly values: ReadonlySet<string>;
	/** The number of shorter matches. They are not removed. */
	readonly shorter: () => number;
	/** A sentence that tells why the search ended early. */
	readonly problem: () => string | undefined;
};

type Created = {readonly ok: true; readonly matches: Matches} | {readonly ok: false; readonly sentence: string};

/**
Creates a search for a regular expression of JavaScript. A pattern may take exponential time on some texts, and the
texts may come from anyone. So the search of a text ends after `seconds`, and then nothing may be removed.
*/
export function createMatches(source: string, {seconds = 10, most = 10_000} = {}): Created {
	const pattern = compiled(source);
	if (typeof pattern === 'string') return {ok: false, sentence: redactTexts.badPattern(pattern)};
	const room: {text: string; pattern: RegExp} = {text: '', pattern};
	const context = createContext(room);
	const values = new Set<string>();
	let shorter = 0;
	let problem: string | undefined;

	function lookAt(text: string): void {
		room.text = text;
		// Only the engine itself can interrupt a running regular expression.
		const found: unknown = search.runInContext(context, {timeout: seconds * 1000});
		for (const value of JSON.parse(String(found)) as readonly string[]) {
			if (isLongEnough(value)) values.add(value);
			else if (value !== '') shorter++;
		}
		if (values.size > most) problem = redactTexts.manyMatches(most);
	}

	return {
		ok: true,
		matches: {
			values,
			shorter: () => shorter,
			problem: () => problem,
			look(text) {
				if (problem !== undefined || text === '') return;
				try {
					for (const part of textsIn(text)) for (const view of viewsOf(part)) lookAt(view.text);
				} catch (error) {
					if (!isTimeout(error)) throw error;
					problem = redactTexts.slowPattern(seconds);
				}
			},
		},
	};
}

/**
Returns the strings, numbers and names in a text if it is JSON, and otherwise the text. A pattern such as `sk-\S+`
would also match the JSON after a string.
*/
function textsIn(text: string): readonly string[] {
	const value = /^\s{0,80}[[{]/.test(text) ? parseJson(text) : undefined;
	if (typeof value !== 'object' || value === null) return [text];
	const texts: string[] = [];
	const left: unknown[] = [value];
	for (let one = left.pop(); one !== undefined; one = left.pop()) {
		if (typeof one === 'string' || typeof one === 'number') texts.push(String(one));
		if (typeof one !== 'object' || one === null) continue;
		if (!Array.isArray(one)) texts.push(...Object.keys(one));
		left.push(...Object.values(one).filter(member => member !== undefined));
	}
	return texts;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const search = new Script('JSON.stringify(Array.from(text.matchAll(pattern), ([whole]) => whole))');

function compiled(source: string): RegExp | string {
	try {
		return new RegExp(source, 'gu');
	} catch (error) {
		return messageOf(error);
	}
}

/** The error comes from another realm, so it is not an instance of `Error` here. */
function isTimeout(error: unknown): boolean {
	return isRecord(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
