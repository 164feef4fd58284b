import {createHash} from 'node:crypto';
import {execFileSync} from 'node:child_process';
import {rm} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {narrowDetails} from '../../../../src/pod/protocol.ts';
import {readFileTool} from '../../../../src/pod/tools/files/read-file.ts';
import type {Tool, ToolInspection, ToolOutput} from '../../../../src/worker/index.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {runTool} from '../run-tool.ts';

async function read(
	project: TempProject,
	args: unknown,
	{maxOutputBytes = 51_200}: {readonly maxOutputBytes?: number} = {},
): Promise<ToolOutput> {
	return runTool(readFileTool({scope: project.scope, maxOutputBytes, maxScanBytes: 1e9}), args);
}

const thousand = `${Array.from({length: 5000}, (_, index) => `line ${index + 1}`).join('\n')}\n`;

describe('a file that is read', () => {
	it('is its lines and nothing else when it is read whole', async () => {
		const project = await tempProject({'src/a.ts': 'one\n\ttwo\n'});
		expect(await read(project, {path: 'src/a.ts'})).toMatchObject({summary: '2 lines', content: 'one\n\ttwo'});
	});
	it('has line numbers on request', async () => {
		const project = await tempProject({'src/a.ts': 'one\n\ttwo\n'});
		expect((await read(project, {path: 'src/a.ts', numbers: true})).content).toBe('1\tone\n2\t\ttwo');
		expect((await read(project, {path: 'src/a.ts', offset: 2, numbers: true})).content).toBe(
			'[lines 2-2 of 2]\n2\t\ttwo',
		);
	});
	it.each<[string, string, Record<string, unknown>, Record<string, unknown>]>([
		['whole', 'one\ntwo\n', {}, {first: 1, last: 2, totalLines: 2, whole: true}],
		['a part', 'one\ntwo\nthree', {offset: 2, limit: 1}, {first: 2, last: 2, totalLines: 3, whole: false}],
		['an empty file', '', {}, {first: 1, last: 0, totalLines: 0, whole: true}],
		['one line that was cut', 'x'.repeat(99_999), {}, {first: 1, last: 0, totalLines: 1, whole: false}],
	])('has details with its lines and its content: %s', async (_, text, args, expected) => {
		const project = await tempProject({'a.txt': text});
		await project.link('b.txt', 'a.txt');
		const {details} = await read(project, {path: 'b.txt', ...args});
		expect(narrowDetails(details).read).toEqual({
			path: 'b.txt',
			real: project.path('a.txt'),
			sha256: createHash('sha256').update(text).digest('hex'),
			...expected,
		});
	});
	it.each([
		['[lines 1-2 of 9]\nx\n', '[lines 1-2 of 2]\n[lines 1-2 of 9]\nx'],
		['x\n[...truncated: continue with offset 3]', '[lines 1-2 of 2]\nx\n[...truncated: continue with offset 3]'],
		['[empty file]', '[lines 1-1 of 1]\n[empty file]'],
		['\n', '[lines 1-1 of 1]\n'],
	])('has a header if its lines could be taken for a note: %j', async (text, content) => {
		const project = await tempProject({'a.txt': text});
		expect((await read(project, {path: 'a.txt'})).content).toBe(content);
	});
	it('says which part of it was asked for', async () => {
		const project = await tempProject({'a.txt': thousand});
		const {summary, content} = await read(project, {path: 'a.txt', offset: 10, limit: 2});
		expect(summary).toBe('lines 10-11 of 5000');
		expect(content).toBe('[lines 10-11 of 5000]\nline 10\nline 11');
		const end = await read(project, {path: 'a.txt', offset: 4999, limit: 100});
		expect(end.content).toBe('[lines 4999-5000 of 5000]\nline 4999\nline 5000');
	});
	it('is cut after 2000 lines, with a note about the rest', async () => {
		const project = await tempProject({'a.txt': thousand});
		const {content} = await read(project, {path: 'a.txt', offset: 3});
		expect(content).toMatch(/^\[lines 3-2002 of 5000\]\nline 3\n/);
		expect(content).toMatch(/\nline 2002\n\[\.\.\.truncated: continue with offset 2003\]$/);
	});
	it('is returned in whole lines within the limit, and all parts together equal the file', async () => {
		const lines = Array.from({length: 400}, (_, index) => `日本語${'👍'.repeat(index % 40)}${index}`);
		const project = await tempProject({'a.txt': `${lines.join('\n')}\n`});
		const seen: string[] = [];
		for (let offset = 1; offset <= lines.length;) {
			const {content} = await read(project, {path: 'a.txt', offset}, {maxOutputBytes: 4096});
			expect(Buffer.byteLength(content)).toBeLessThanOrEqual(4096);
			expect(content).not.toContain('\uFFFD');
			const rows = content.split('\n').filter(row => !row.startsWith('['));
			seen.push(...rows);
			offset += rows.length;
		}
		expect(seen).toEqual(lines);
	});
	it.each([1023, 1024, 1025, 1026])(
		'has a line that is too long cut between characters, with a note (%i)',
		async maxOutputBytes => {
			const project = await tempProject({'a.txt': `${'é👍日'.repeat(2000)}\nnext\n`});
			const {content, summary} = await read(project, {path: 'a.txt'}, {maxOutputBytes});
			expect(Buffer.byteLength(content)).toBeLessThanOrEqual(maxOutputBytes);
			expect(content.isWellFormed()).toBe(true);
			expect(content).toContain('line 1 is longer than');
			expect(content).toContain('continue with offset 2]');
			expect(summary).toBe('lines 1-1 of 2');
		},
	);
	it('has a note when it is empty', async () => {
		const project = await tempProject({'a.txt': ''});
		expect((await read(project, {path: 'a.txt'})).content).toBe('[empty file]');
	});
	it('is shown without CRLF and BOM', async () => {
		const project = await tempProject({'a.txt': '\uFEFFone\r\ntwo\r\n'});
		expect((await read(project, {path: 'a.txt'})).content).toBe('one\ntwo');
	});
});

describe('a file that is not read', () => {
	it.each<[string, Record<string, string | Uint8Array>, unknown, string]>([
		['a missing file', {}, {path: 'none.ts'}, 'none.ts: there is no such file or directory.'],
		['a directory', {'src/a.ts': ''}, {path: 'src'}, 'src: it is a directory. Use glob to list it.'],
		[
			'an offset past the end',
			{'a.ts': 'x\n'},
			{path: 'a.ts', offset: 9},
			'a.ts: these lines are past the end of the file. It has 1 line.',
		],
		['a binary', {'a.bin': Uint8Array.of(1, 0, 2)}, {path: 'a.bin'}, 'a.bin: it is not a text file.'],
		[
			'an image',
			{'a.png': Buffer.from('\u0089PNG\r\n\u001A\n\0\0\0\0', 'latin1')},
			{path: 'a.png'},
			'a.png: it is a PNG image of 12 bytes. It contains no text that can be read.',
		],
		[
			'an image by another name',
			{'a.txt': Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0)},
			{path: 'a.txt'},
			'it is a JPEG image',
		],
		['a PDF', {'a.pdf': Buffer.from('%PDF-1.7\n\0\u00FF', 'latin1')}, {path: 'a.pdf'}, 'it is a PDF document'],
		['a NUL in the path', {}, {path: 'a\0b'}, 'there is no such file'],
	])('has a reason: %s', async (_, files, args, expected) => {
		const output = await read(await tempProject(files), args);
		expect(output).toMatchObject({isError: true, content: expect.stringContaining(expected)});
	});
	it.each([
		'../outside.txt',
		'../project-x/a.txt',
		'/etc/hostname',
		'out/hostname',
		'link.txt',
		'dangling',
		'src/../../outside.txt',
	])('is %s, which leads out of the scope', async path => {
		const project = await tempProject({
			'../outside.txt': 'secret words',
			'../project-x/a.txt': 'secret words',
			'src/a.ts': '',
		});
		await project.link('out', '/etc');
		await project.link('link.txt', '../outside.txt');
		await project.link('dangling', '../nothing-there');
		const output = await read(project, {path});
		expect(output).toMatchObject({
			isError: true,
			content: `${path}: it is outside the directories that may be read.`,
		});
	});
	it('is a FIFO, which is refused without waiting for a writer', async () => {
		const project = await tempProject();
		execFileSync('mkfifo', [project.path('pipe')]);
		expect(await read(project, {path: 'pipe'})).toMatchObject({
			isError: true,
			content: expect.stringContaining('a FIFO'),
		});
	});
	it('throws when the call is aborted', async () => {
		const project = await tempProject({'a.ts': 'x'});
		await expect(
			runTool(
				readFileTool({scope: project.scope, maxOutputBytes: 1e4, maxScanBytes: 1e9}),
				{path: 'a.ts'},
				AbortSignal.abort(),
			),
		).rejects.toThrow('abort');
	});
	it.each([{path: ''}, {path: 'a', limit: 0}, {path: 'a', limit: 2001}, {path: 'a', offset: 0}, {}])(
		'is refused by the schema: %j',
		args => {
			const tool = readFileTool({
				scope: {pwd: '/', writable: false, readRoots: [], home: '/'},
				maxOutputBytes: 1,
				maxScanBytes: 1,
			});
			expect(tool.check(args).ok).toBe(false);
		},
	);
});

describe('a file that looks like a secret', () => {
	const tool = ({scope}: TempProject) => readFileTool({scope, maxOutputBytes: 51_200, maxScanBytes: 1e9});
	const refused = {
		isError: true,
		content: expect.stringMatching(/: it looks like a secret, and reading it was not allowed\.$/) as unknown,
	};

	it('is refused without confirmation', async () => {
		const project = await tempProject({'.env': 'KEY=1'});
		expect(await read(project, {path: '.env'})).toMatchObject({
			isError: true,
			content: '.env: it looks like a secret, and reading it was not allowed.',
		});
	});
	it('needs a confirmation of its path as written, and only the confirmed call reads it', async () => {
		const project = await tempProject({'.env': 'KEY=1\n'});
		await project.link('notes.txt', '.env');
		const reading = tool(project);
		for (const path of ['.env', 'notes.txt']) {
			const args = {path};
			const wanted = await reading.confirmation!(args, await lookAt(reading, args));
			expect(wanted).toMatchObject({title: 'Read a file that looks like a secret?', detail: path});
			expect(await runTool(reading, args)).toMatchObject(refused);
			expect((await runTool(reading, {path}, undefined, true)).content).toContain('KEY=1');
			expect(await runTool(reading, {path})).toMatchObject(refused);
		}
	});
	it('is refused when another file has replaced it', async () => {
		const project = await tempProject({'.env': 'KEY=1\n', 'prod.env': 'KEY=2\n'});
		await project.link('notes.txt', '.env');
		const reading = tool(project);
		const checked = reading.check({path: 'notes.txt'});
		const args = checked.ok ? checked.args : undefined;
		(await reading.confirmation!(args, await lookAt(reading, args)))!.confirm();
		await rm(project.path('notes.txt'));
		await project.link('notes.txt', 'prod.env');
		expect(
			await reading.execute(args, {id: '01', callId: '1', ...(await lookAt(reading, args)), progress() {}}),
		).toMatchObject(refused);
	});
	it.each(['gone.env', 'dir.env', '../.env', 'a.ts', '.env.example'])('needs no confirmation: %j', async path => {
		const project = await tempProject({'a.ts': '', '.env.example': 'KEY=', 'dir.env/': '', '../.env': 'KEY=1'});
		const reading = tool(project);
		expect(await reading.confirmation!({path}, await lookAt(reading, {path}))).toBeUndefined();
	});
	it('is read without asking when it is a template', async () => {
		const project = await tempProject({'.env.example': 'KEY='});
		expect((await read(project, {path: '.env.example'})).isError).toBeUndefined();
	});
});

/** Returns the worker's inspection of a call, before it asks and before it runs the call. */
async function lookAt(reading: Tool, args: unknown): Promise<ToolInspection> {
	return {target: await reading.target!(args), signal: new AbortController().signal};
}
