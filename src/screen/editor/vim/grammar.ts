import {isMotion, type MotionKey} from './motion/motions.ts';
import {isRegister} from './registers.ts';
import {isObject} from './motion/text-objects.ts';

/** A parsed command. `count` is the product of the counts before the operator and before the motion. */
export type Command = {
	readonly register?: string;
	readonly count?: number;
	readonly verb: Verb;
};

type Verb =
	| {readonly type: 'motion'; readonly key: MotionKey; readonly character?: string}
	| {readonly type: 'operator'; readonly operator: string; readonly on: Operand}
	/** A text object in visual mode. */
	| {readonly type: 'object'; readonly key: string; readonly isWhole: boolean}
	| {readonly type: 'command'; readonly key: string; readonly character?: string};

export type Operand =
	| {readonly type: 'motion'; readonly key: MotionKey; readonly character?: string}
	| {readonly type: 'object'; readonly key: string; readonly isWhole: boolean}
	| {readonly type: 'lines'};

/** `more`: the keys are the beginning of a command. `none`: the keys are not a command. */
export type Parsed = 'more' | 'none' | Command;

/** Parses the keys of a command in normal mode or in visual mode. */
export function parseKeys(keys: readonly string[], isVisual: boolean): Parsed {
	const reader = readerOf(keys);
	const {register, count, end} = prefix(reader);
	if (end !== undefined) return end;
	const verb = isVisual ? visualVerb(reader) : normalVerb(reader);
	if (typeof verb === 'string') return verb;
	const all = count === undefined && verb.count === undefined ? undefined : (count ?? 1) * (verb.count ?? 1);
	return {
		register,
		...(all !== undefined && {count: Math.min(all, maxCount)}),
		verb: verb.verb,
	};
}

/** The maximum count. A larger count would only take time. */
const maxCount = 10_000;

type Reader = {readonly next: () => string | undefined; readonly peek: () => string | undefined};
type Read = 'more' | 'none' | {readonly verb: Verb; readonly count?: number | undefined};

function readerOf(keys: readonly string[]): Reader {
	let at = 0;
	return {next: () => keys[at++], peek: () => keys[at]};
}

function prefix(reader: Reader): {
	readonly register: string | undefined;
	readonly count: number | undefined;
	readonly end?: 'more' | 'none';
} {
	let register: string | undefined;
	let count: number | undefined;
	for (;;) {
		const typed = readCount(reader);
		if (typed !== undefined) count = (count ?? 1) * typed;
		if (reader.peek() !== '"') break;
		reader.next();
		register = reader.next();
		if (register === undefined) return {register, count, end: 'more'};
		if (!isRegister(register)) return {register, count, end: 'none'};
	}
	return {register, count, ...(reader.peek() === undefined && {end: 'more' as const})};
}

function readCount(reader: Reader): number | undefined {
	let digits = '';
	while (/^[0-9]$/.test(reader.peek() ?? '') && (digits !== '' || reader.peek() !== '0')) digits += reader.next();
	return digits === '' ? undefined : Number(digits);
}

/** Reads a key. If the key is g, joins it with the key after it. */
function readKey(reader: Reader): string | undefined {
	const key = reader.next();
	if (key !== 'g') return key;
	const second = reader.next();
	return second === undefined ? undefined : `g${second}`;
}

function normalVerb(reader: Reader): Read {
	const key = readKey(reader);
	if (key === undefined) return 'more';
	if (operators.has(key)) return operand(reader, key);
	const short = shorthands[key];
	if (short !== undefined) return {verb: short};
	return simpleVerb(reader, key, commands);
}

function visualVerb(reader: Reader): Read {
	const key = readKey(reader);
	if (key === undefined) return 'more';
	if (key === 'i' || key === 'a') return object(reader, key);
	const operator = visualOperators[key] ?? (operators.has(key) ? key : undefined);
	if (operator !== undefined) return {verb: {type: 'operator', operator, on: {type: 'lines'}}};
	return simpleVerb(reader, key, visualCommands);
}

function simpleVerb(reader: Reader, key: string, known: ReadonlySet<string>): Read {
	if (key === 'r') {
		const character = reader.next();
		return character === undefined ? 'more' : {verb: {type: 'command', key, character}};
	}
	if (isMotion(key)) return motion(reader, key);
	return known.has(key) ? {verb: {type: 'command', key}} : 'none';
}

function motion(
	reader: Reader,
	key: MotionKey,
): 'more' | {readonly verb: {readonly type: 'motion'; readonly key: MotionKey; readonly character?: string}} {
	if (!/^[fFtT]$/.test(key)) return {verb: {type: 'motion', key}};
	const character = reader.next();
	return character === undefined ? 'more' : {verb: {type: 'motion', key, character}};
}

function object(
	reader: Reader,
	first: 'i' | 'a',
): 'more' | 'none' | {readonly verb: {readonly type: 'object'; readonly key: string; readonly isWhole: boolean}} {
	const key = reader.next();
	if (key === undefined) return 'more';
	return isObject(key) ? {verb: {type: 'object', key, isWhole: first === 'a'}} : 'none';
}

/** Reads the operand of an operator. A doubled operator, such as `dd`, applies to whole lines. */
function operand(reader: Reader, operator: string): Read {
	const count = readCount(reader);
	const key = readKey(reader);
	if (key === undefined) return 'more';
	if (key === operator || key === operator.slice(-1)) return operation(operator, {type: 'lines'}, count);
	if (key === 'i' || key === 'a') {
		const found = object(reader, key);
		return typeof found === 'string' ? found : operation(operator, found.verb, count);
	}
	if (!isMotion(key)) return 'none';
	const found = motion(reader, key);
	return found === 'more' ? found : operation(operator, found.verb, count);
}

function operation(operator: string, on: Operand, count: number | undefined): Read {
	return {verb: {type: 'operator', operator, on}, count};
}

const operators: ReadonlySet<string> = new Set(['d', 'c', 'y', '>', '<', 'g~', 'gu', 'gU']);

/** The commands that are short forms of an operator with an operand. */
const shorthands: Readonly<Partial<Record<string, Verb>>> = {
	x: {type: 'operator', operator: 'd', on: {type: 'motion', key: 'l'}},
	'<Del>': {type: 'operator', operator: 'd', on: {type: 'motion', key: 'l'}},
	X: {type: 'operator', operator: 'd', on: {type: 'motion', key: 'h'}},
	D: {type: 'operator', operator: 'd', on: {type: 'motion', key: '$'}},
	C: {type: 'operator', operator: 'c', on: {type: 'motion', key: '$'}},
	s: {type: 'operator', operator: 'c', on: {type: 'motion', key: 'l'}},
	S: {type: 'operator', operator: 'c', on: {type: 'lines'}},
	Y: {type: 'operator', operator: 'y', on: {type: 'lines'}},
};

const commands: ReadonlySet<string> = new Set('i a I A o O gI gi R ~ J gJ p P gp gP . u <C-r> v V gv'.split(' '));

/** The keys that are synonyms of operators in visual mode. A capital letter applies to whole lines. */
const visualOperators: Readonly<Partial<Record<string, string>>> = {
	x: 'd',
	'<Del>': 'd',
	s: 'c',
	'~': 'g~',
	u: 'gu',
	U: 'gU',
};

const visualCommands: ReadonlySet<string> = new Set('v V o O X D C S R Y J gJ p P gp gP'.split(' '));
