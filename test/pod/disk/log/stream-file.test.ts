import {mkdir, readFile, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {decodeStream, readStream} from '../../../../src/pod/disk/log/recover-stream.ts';
import type {StreamFile} from '../../../../src/pod/disk/log/stream-file.ts';
import {createStreamLog} from '../../../../src/pod/disk/log/stream-file.ts';
import type {Item} from '../../../../src/worker/index.ts';
import {createItems} from '../../../helpers/items.ts';
import {tempHome} from '../fixture.ts';

const answer = createItems('a').assistant('');
const other = createItems('b').result('1', '', '');
const grown = (text: string): Item => ({...answer, text});

async function tempLog() {
	const {home: dir} = await tempHome();
	return {dir, path: join(dir, 'stream.log'), log: createStreamLog(dir)};
}

describe('the log of streamed text', () => {
	it('contains every piece as soon as it is written, readable only by you', async () => {
		const {path, log} = await tempLog();
		expect(log.write([{item: answer, text: 'Hé\n'}])).toBeUndefined();
		log.write([
			{item: grown('Hé\n'), text: '日本 \ud83d'},
			{item: other, text: 'out'},
		]);
		log.write([{item: grown('Hé\n日本 \ud83d'), text: '\ude00'}]);
		expect(await readStream(path)).toEqual([grown('Hé\n日本 😀'), {...other, content: 'out'}]);
		expect((await stat(path)).mode & 0o777).toBe(0o600);
		const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
		expect(JSON.parse(lines[1]!)).toEqual({id: 'a1', offset: 3, text: '日本 \ud83d'});
	});

	it('is emptied when none of its items is open, and removed when the session closes', async () => {
		const {path, log} = await tempLog();
		log.write([
			{item: answer, text: 'one'},
			{item: other, text: 'two'},
		]);
		log.settle([other]);
		expect(await readStream(path)).toHaveLength(2);
		log.settle([]);
		expect((await stat(path)).size).toBe(0);
		log.write([{item: {...answer, id: 'a2'}, text: 'three'}]);
		expect(await readStream(path)).toMatchObject([{id: 'a2', text: 'three'}]);
		log.settle([]);
		await log.close();
		await expect(stat(path)).rejects.toMatchObject({code: 'ENOENT'});
	});

	it('stays if the session closes with open items, and a later write does nothing', async () => {
		const {path, log} = await tempLog();
		log.write([{item: answer, text: 'one'}]);
		await log.close();
		log.write([{item: grown('one'), text: 'two'}]);
		expect(await readStream(path)).toMatchObject([{text: 'one'}]);
	});

	it.each([
		['a link', async (path: string) => symlink(`${path}.target`, path)],
		['another file', async (path: string) => writeFile(path, 'old')],
	])('replaces %s of its name and does not write through it', async (_name, make) => {
		const {path, log} = await tempLog();
		await writeFile(`${path}.target`, 'untouched');
		await make(path);
		expect(log.write([{item: answer, text: 'one'}])).toBeUndefined();
		expect(await readFile(`${path}.target`, 'utf8')).toBe('untouched');
		expect(await readStream(path)).toMatchObject([{text: 'one'}]);
	});

	it('says once that it cannot be written, and tries again with the next answer', async () => {
		const {dir, path, log} = await tempLog();
		await mkdir(path);
		expect(log.write([{item: answer, text: 'one'}])).toContain(path);
		expect(log.write([{item: grown('one'), text: 'two'}])).toBeUndefined();
		const full = failingLog(dir);
		full.isFull = true;
		expect(full.log.write([{item: answer, text: 'one'}])).toContain('no space left');
		full.isFull = false;
		expect(full.log.write([{item: grown('one'), text: 'two'}])).toBeUndefined();
		expect(full.writes).toBe(0);
		full.log.settle([]);
		full.log.write([{item: {...answer, id: 'a2'}, text: 'three'}]);
		expect(full.writes).toBe(1);
	});

	it('stops growing at its limit', () => {
		const full = failingLog('/nowhere', 1000);
		full.log.write([{item: answer, text: 'x'.repeat(600)}]);
		full.log.write([{item: grown('x'.repeat(600)), text: 'x'.repeat(600)}]);
		expect(full.writes).toBe(1);
	});
});

function failingLog(dir: string, maxBytes?: number) {
	const state = {isFull: false, writes: 0};
	const file: StreamFile = {
		write() {
			if (state.isFull) throw Object.assign(new Error('full'), {code: 'ENOSPC'});
			state.writes++;
		},
		empty() {},
		async sync() {},
		close() {},
	};
	return Object.assign(state, {
		log: createStreamLog(dir, {open: () => file, ...(maxBytes !== undefined && {maxBytes})}),
	});
}

describe('a damaged log', () => {
	const line = (value: object) => `${JSON.stringify(value)}\n`;
	const first = line({id: 'a1', offset: 0, text: 'one', item: answer});
	it.each([
		['an incomplete last line', `${first}{"id":"a1","offset":3,"te`, 'one'],
		['a last line without its newline', first + line({id: 'a1', offset: 3, text: 'two'}).trim(), 'one'],
		['zeros after a power failure', `${first}\0\0\0\0\n${line({id: 'a1', offset: 3, text: 'two'})}`, 'onetwo'],
		['a missing line', first + line({id: 'a1', offset: 6, text: 'three'}), 'one'],
		['a repeated line', first + first, 'one'],
		[
			'values that are not pieces',
			`${first}[]\nnull\n"x"\n{"id":1}\n${line({id: 'a1', offset: -1, text: 'x'})}`,
			'one',
		],
		['a piece without its item', first + line({id: 'zz', offset: 0, text: 'x'}), 'one'],
		['an item under another id', first + line({id: 'zz', offset: 0, text: 'x', item: answer}), 'one'],
		['something that is not an item', first + line({id: 'zz', offset: 0, text: 'x', item: {id: 'zz'}}), 'one'],
	])('keeps what comes before %s', (_name, text, expected) => {
		expect(decodeStream(text)).toEqual([grown(expected)]);
	});

	it('has a limited number of items', () => {
		const lines = Array.from({length: 5000}, (_, n) =>
			line({id: `i${n}`, offset: 0, text: 'x', item: {...answer, id: `i${n}`}}),
		);
		expect(decodeStream(lines.join(''))).toHaveLength(4096);
	});

	it('is empty if it is missing, a link or a folder', async () => {
		const {home} = await tempHome();
		const path = join(home, 'stream.log');
		expect(await readStream(path)).toEqual([]);
		await writeFile(`${path}.target`, first);
		await symlink(`${path}.target`, path);
		expect(await readStream(path)).toEqual([]);
		await mkdir(`${path}.dir`);
		expect(await readStream(`${path}.dir`)).toEqual([]);
	});
});
