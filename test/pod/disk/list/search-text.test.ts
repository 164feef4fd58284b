import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {Item} from '../../../../src/pod/protocol.ts';
import {findText} from '../../../../src/pod/disk/list/search-text.ts';
import {createItems, historyText} from '../../../helpers/items.ts';

async function stored(...items: readonly Item[]): Promise<string> {
	const dir = await mkdtemp(join(tmpdir(), 'inkpod-search-'));
	onTestFinished(async () => rm(dir, {recursive: true}));
	await mkdir(dir, {recursive: true});
	await writeFile(join(dir, 'history.json'), historyText(items));
	return dir;
}

const never = new AbortController().signal;
const find = async (dir: string, text: string) => findText(dir, text, never);

describe('a text in a session', () => {
	it('is found in messages, calls and results, with the words around it', async () => {
		const make = createItems();
		const dir = await stored(
			make.user('first words'),
			make.call('c', 'bash', {command: 'make "all"'}),
			make.result('c', 'exit code 0', 'the needle\nis here'),
		);
		expect(await find(dir, 'first')).toEqual({
			before: '',
			match: 'first',
			after: ' words',
			place: 'prompt',
			item: expect.any(String) as string,
		});
		expect(await find(dir, 'Needle is')).toBeUndefined();
		expect(await find(dir, 'NEEDLE')).toMatchObject({before: 'the ', match: 'needle', after: ' is here'});
		expect(await find(dir, 'needle\nis')).toMatchObject({match: 'needle is'});
		expect((await find(dir, 'make'))?.match).toBe('make');
	});

	it('is found in the values of a call, as the user would type it, with the id of its item', async () => {
		const make = createItems();
		const call = make.call('c', 'bash', {command: 'git commit -m "the\tfix"', options: [{path: 'src\\a.ts'}]});
		const dir = await stored(make.user('words'), call);
		for (const text of ['-m "the\tfix"', 'src\\a.ts'])
			expect(await find(dir, text)).toMatchObject({match: text.replace('\t', ' '), place: 'call', item: call.id});
		for (const text of ['command', 'options', '"path"']) expect(await find(dir, text)).toBeUndefined();
	});

	it('tells what the text belongs to', async () => {
		const make = createItems();
		const dir = await stored(
			make.user('of the user'),
			make.assistant('of the model'),
			make.file('a.txt', 'of the file'),
			make.result('c', 'exit code 0', 'of the result'),
		);
		const place = async (text: string) => (await find(dir, text))?.place;
		expect(await Promise.all(['the user', 'the model', 'the file', 'the result'].map(place))).toEqual([
			'prompt',
			'answer',
			'note',
			'output',
		]);
	});

	it('is found without regard to case, in any alphabet', async () => {
		const dir = await stored(createItems().user('Ärger mit ÜBUNGEN, Привет'));
		for (const text of ['ärger', 'ÄRGER', 'übungen', 'привет', 'ПРИВЕТ'])
			expect((await find(dir, text))?.match.toLowerCase()).toBe(text.toLowerCase());
	});

	it('is no key, id or hash of the file', async () => {
		const dir = await stored(createItems().user('words'));
		for (const text of ['"role"', 'message', 'inkpod.history', 'sum'])
			expect(await find(dir, text)).toBeUndefined();
	});

	it.each(['日本', 'naïve', '“quoted”', 'tab\there', 'back\\slash', '"quotes"', '\u{1F600}'])(
		'is found as it was written: %j',
		async text => {
			const dir = await stored(createItems().user(`before ${text} after`));
			expect((await find(dir, text))?.before).toBe('before ');
		},
	);

	it('is found at any place of a long history, also where two pieces meet', async () => {
		const size = 65_536;
		for (const offset of [-20, -3, -1, 0, 1, 65_536, 300_000]) {
			const filler = createItems().user('x'.repeat(size + offset - 400));
			const dir = await stored(filler, createItems().user('find NEEDLE here'));
			expect((await find(dir, 'needle'))?.match).toBe('NEEDLE');
		}
	});

	it('is not found in a session that is missing or damaged, or after an abort', async () => {
		expect(await find('/nowhere', 'x')).toBeUndefined();
		const dir = await stored(createItems().user('words'));
		expect(await findText(dir, 'words', AbortSignal.abort())).toBeUndefined();
		expect(await find(dir, '  ')).toBeUndefined();
		await writeFile(join(dir, 'history.json'), '{"words');
		expect(await find(dir, 'words')).toBeUndefined();
	});
});
