import {describe, expect, it} from 'vitest';
import {createPartialArguments, piecesIn} from '../../../../../src/worker/wires/reading/gemini/partial-arguments.ts';
import {seededRandom} from '../../../../helpers/random.ts';

const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_129);
const rounds = process.env['INKPOD_TEST'] === 'long' ? 20_000 : 300;

/** Returns the texts that these pieces add, one by one, and all arguments. */
function written(pieces: readonly object[]) {
	const read = createPartialArguments();
	const texts = pieces.map(piece => read.add(piecesIn([piece]) ?? []));
	return {texts, ...read.whole()};
}

describe('arguments that come in pieces', () => {
	it('become JSON as they come', () => {
		const pieces = [
			{jsonPath: '$.path', stringValue: 'a.', willContinue: true},
			{jsonPath: '$.path', stringValue: '"ts"', willContinue: true},
			{jsonPath: '$.path'},
			{jsonPath: '$.range.lines[0]', numberValue: 1},
			{jsonPath: '$.range.lines[1]', numberValue: 9},
			{jsonPath: '$.range.lines[]'},
			{jsonPath: '$.isWhole', boolValue: false},
			{jsonPath: '$.filter', nullValue: 'NULL_VALUE'},
			{jsonPath: '$.none[]'},
			{jsonPath: '$.empty'},
		];
		const all = '{"path":"a.\\"ts\\"","range":{"lines":[1,9]},"isWhole":false,"filter":null,"none":[],"empty":{}}';
		const {texts, text, rest} = written(pieces);
		expect(texts).toEqual([
			'{"path":"a.',
			String.raw`\"ts\"`,
			'"',
			',"range":{"lines":[1',
			',9',
			'',
			']},"isWhole":false',
			',"filter":null',
			',"none":[',
			'],"empty":{',
		]);
		expect([text, rest]).toEqual([all, '}}']);
	});

	it('are an empty object without any', () => {
		expect(written([])).toEqual({texts: [], text: '{}', rest: '{}'});
	});

	it(`are equal to the value that was taken apart (seed ${seed})`, () => {
		for (let round = 0; round < rounds; round++) {
			const random = seededRandom(seed + round);
			const value = randomObject(random, 0);
			const pieces: object[] = [];
			addPieces(pieces, '$', value, random);
			const {texts, text, rest} = written(pieces);
			expect({pieces, text, joined: texts.join('') + rest}).toEqual({
				pieces,
				text: JSON.stringify(value),
				joined: JSON.stringify(value),
			});
		}
	});

	it.each([
		['an element far behind the end of its list', {jsonPath: '$.l[4000000000]', numberValue: 1}],
		['an index of an object', {jsonPath: '$.[0]', numberValue: 1}],
		['a field of a text', {jsonPath: '$.a.b', numberValue: 1}],
		['a field of a list', {jsonPath: '$.l.length', numberValue: 9}],
		['the whole object', {jsonPath: '$', stringValue: 'x'}],
		['an element of a text', {jsonPath: '$.a[0]', numberValue: 1}],
	])('skip %s', (_, piece) => {
		const known = [
			{jsonPath: '$.a', stringValue: 'x'},
			{jsonPath: '$.l[0]', numberValue: 1},
		];
		expect(written([...known, piece]).text).toBe('{"a":"x","l":[1]}');
	});

	it('never change the prototype of an object', () => {
		const {text} = written([{jsonPath: '$.__proto__.polluted', boolValue: true}]);
		expect(text).toBe('{"__proto__":{"polluted":true}}');
		expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
	});

	it('are read without fields of wrong types', () => {
		expect(
			piecesIn([null, 3, {jsonPath: 7}, {jsonPath: '$.a', stringValue: 3, numberValue: 'x', odd: {}}]),
		).toEqual([{jsonPath: '$.a', willContinue: false}]);
		expect(piecesIn('x')).toBeUndefined();
	});
});

function randomObject(random: () => number, depth: number): object {
	const names = ['a', 'b', 'c d', '__proto__', 'constructor'].filter(() => random() < 0.5);
	return Object.fromEntries(names.map(name => [name, randomValue(random, depth + 1)]));
}

function randomValue(random: () => number, depth: number): unknown {
	const plain = ['', 'x', 'é"\\', 'a longer text\n', 0, -1.5, true, false, null];
	const kind = random();
	if (depth < 4 && kind < 0.2) return randomObject(random, depth);
	if (depth < 4 && kind < 0.4)
		return Array.from({length: Math.floor(random() * 3)}, () => randomValue(random, depth + 1));
	return plain[Math.floor(random() * plain.length)];
}

/** Takes a value apart as Vertex does. */
function addPieces(pieces: object[], jsonPath: string, value: unknown, random: () => number): void {
	if (typeof value === 'string') addTexts(pieces, jsonPath, value, random);
	else if (typeof value === 'number') pieces.push({jsonPath, numberValue: value});
	else if (typeof value === 'boolean') pieces.push({jsonPath, boolValue: value});
	else if (Array.isArray(value)) {
		for (const [index, element] of value.entries()) addPieces(pieces, `${jsonPath}[${index}]`, element, random);
		pieces.push({jsonPath: `${jsonPath}[]`});
	} else if (typeof value === 'object' && value !== null) {
		const fields = Object.entries(value);
		for (const [name, field] of fields) addPieces(pieces, `${jsonPath}.${name}`, field, random);
		if (fields.length === 0) pieces.push({jsonPath});
	} else pieces.push({jsonPath, nullValue: null});
}

function addTexts(pieces: object[], jsonPath: string, text: string, random: () => number): void {
	const at = Math.floor(random() * text.length);
	if (at > 0) pieces.push({jsonPath, stringValue: text.slice(0, at), willContinue: true});
	const endsAlone = random() < 0.5;
	pieces.push({jsonPath, stringValue: text.slice(at), ...(endsAlone && {willContinue: true})});
	if (endsAlone) pieces.push({jsonPath});
}
