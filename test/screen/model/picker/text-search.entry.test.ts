import {expect, it} from 'vitest';
import type {PickerEntry} from '../../../../src/screen/model/picker/text-search.ts';
import {createCatalogue} from '../../../../src/screen/model/picker/text-search.ts';

const entry = (id: string, words: string, cwd?: string): PickerEntry => ({
	id,
	dir: `/s/${id}`,
	changed: '2026-01-01T00:00:00.000Z',
	bytes: 1,
	words,
	...(cwd !== undefined && {cwd}),
});
const catalogue = createCatalogue([
	entry(
		'01JD8XK3Q2AAAAAAAAAAAAAAAA',
		'please fix the parser of the config so that errors name the line',
		'/home/ann/work/inkpod',
	),
	entry('01JD8XK3Q2BBBBBBBBBBBBBBBB', 'explain @src/parse.ts', '/home/ann/work/inkpod'),
	entry('01JD8XK3Q2CCCCCCCCCCCCCCCC', '日本語で検索を説明して', '/srv/web'),
	entry('01JD8XK3Q2DDDDDDDDDDDDDDDD', 'parser', '/srv/web'),
	entry('01JD8XK3Q2EEEEEEEEEEEEEEEE', ''),
]);

it.each([
	['', ['A', 'B', 'C', 'D', 'E']],
	['  ', ['A', 'B', 'C', 'D', 'E']],
	['parser', ['A', 'D']],
	['PARSER', ['A', 'D']],
	['prsr', []],
	['検索', ['C']],
	['説明 日本', ['C']],
	['config line', ['A']],
	['01jd8xk3q2e', ['E']],
	['01j', []],
	['no such thing', []],
])('the query %j finds %j', (query, expected) => {
	expect(catalogue.find(query).titled.map(({id}) => id.at(-1))).toEqual(expected);
});

it.each([
	['web parser', ['D']],
	['inkpod', ['A', 'B']],
	['web', ['C', 'D']],
	['parser', []],
])('the query %j finds %j with their directories', (query, expected) => {
	expect(catalogue.find(query).placed.map(({id}) => id.at(-1))).toEqual(expected);
});

it('sessions that match equally keep the order of the list', () => {
	const same = createCatalogue(Array.from({length: 30}, (_, n) => entry(`ID${n}`, 'the same words')));
	expect(same.find('same words').titled).toEqual(same.entries);
});
