import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {commitTrailer} from '../../../src/cli/blame/commit-trailer.ts';
import {printBlame} from '../../../src/cli/blame/print-blame.ts';
import {blamedFile, type BlamedFile} from '../../helpers/blamed-file.ts';

type Options = Parameters<typeof printBlame>[0];

async function written(): Promise<BlamedFile> {
	const file = await blamedFile(['first', 'second']);
	await file.byTool(0, [...file.lines, {text: 'by \u001b[31mtool', call: 'new'}]);
	file.byHand([...file.lines, {text: 'by hand', call: undefined}]);
	file.save();
	return file;
}

async function run({dir, env}: BlamedFile, options: Partial<Options> = {}) {
	let out = '';
	let err = '';
	const code = await printBlame({
		file: join(dir, 'a.ts'),
		format: 'text',
		version: '1',
		env,
		cwd: dir,
		stdout: {write: text => (out += text)},
		stderr: {write: text => (err += text)},
		...options,
	});
	return {code, out, err};
}

describe('inkpod blame', () => {
	it('prints the session, the words of the turn, the number and the text of each line', async () => {
		const {code, out, err} = await run(await written());
		expect([code, err]).toEqual([0, '']);
		const lines = out.trimEnd().split('\n');
		expect(lines[0]).toMatch(/^[\da-f]{10} first +1\) first$/);
		expect(lines[2]).toMatch(/^01JD8XK3Q2 change i2 +3\) by .*tool$/);
		expect(lines[3]).toMatch(/^unknown +4\) by hand$/);
		expect(out).not.toContain('\u001b');
	});

	it('prints ranges as JSON', async () => {
		const {out} = await run(await written(), {format: 'json', range: {from: 2, to: 4}});
		const ranges = out
			.trim()
			.split('\n')
			.map(line => JSON.parse(line) as object);
		expect(ranges).toMatchObject([
			{path: 'a.ts', from: 2, to: 2, by: 'commit', commit: {subject: 'first'}},
			{from: 3, to: 3, by: 'session', calls: [{turn: 1, prompt: 'change i2', item: 'i2', model: 'm/1'}]},
			{from: 4, to: 4, by: 'unknown', lines: ['by hand']},
		]);
	});

	it('prints an Agent Trace record', async () => {
		const {out} = await run(await written(), {format: 'agent-trace'});
		expect(JSON.parse(out)).toMatchObject({
			version: '0.1.0',
			vcs: {type: 'git'},
			files: [
				{
					path: 'a.ts',
					conversations: [
						{contributor: {type: 'unknown'}, ranges: [{start_line: 1}, {start_line: 4, end_line: 4}]},
						{contributor: {type: 'ai', model_id: 'm/1'}, ranges: [{start_line: 3, end_line: 3}]},
					],
				},
			],
		});
	});

	it('blames a commit, which does not have later lines', async () => {
		const {out} = await run(await written(), {rev: 'HEAD'});
		expect(out.trimEnd().split('\n')).toHaveLength(2);
	});

	it('says what is wrong with a file, a commit or lines', async () => {
		const file = await written();
		expect(await run(file, {rev: '--all'})).toMatchObject({code: 1, err: expect.stringContaining('no commit')});
		expect(await run(file, {file: join(file.dir, 'b')})).toMatchObject({code: 1});
		expect(await run(file, {range: {from: 9, to: 9}})).toMatchObject({code: 1});
		writeFileSync(join(file.dir, 'a.ts'), '\0');
		expect(await run(file)).toMatchObject({code: 1, err: expect.stringContaining('UTF-8')});
	});
});

describe('inkpod commit-trailer', () => {
	it('names the session and the checksum of its last item', async () => {
		const {env, dir} = await written();
		let out = '';
		const io = {stdout: {write: (text: string) => (out += text)}, stderr: {write: () => {}}};
		expect(await commitTrailer({env, cwd: dir, id: '01JD8XK3Q2AAAAAAAAAAAAAA00', ...io})).toBe(0);
		expect(out).toMatch(/^Inkpod-Session: 01JD8XK3Q2AAAAAAAAAAAAAA00@[\da-f]+\n$/);
	});
});
