import {chmod, readFile, stat, writeFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {narrowDetails, shownResult} from '../../../../src/pod/protocol.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {fileTools, sha256} from './file-tools.ts';

const edit = (path: string, ...edits: ReadonlyArray<readonly [old: string, fresh: string, all?: boolean]>) =>
	['edit_file', {path, edits: edits.map(([old, fresh, all]) => ({old, new: fresh, ...(all && {all})}))}] as const;

/** Edits a file that was read. Returns the result and the file's new contents. */
async function edited(
	content: string | Uint8Array,
	...edits: Parameters<typeof edit> extends [string, ...infer Edits] ? Edits : never
) {
	const project = await tempProject({'a.txt': content});
	const tools = fileTools(project);
	await tools.call('read_file', {path: 'a.txt'});
	const output = await tools.call(...edit('a.txt', ...edits));
	return {output, project, tools, left: await readFile(project.path('a.txt'))};
}

describe('edits of a file that the model has read', () => {
	it('write a unique replacement, record a unified diff, and back up the old contents', async () => {
		const {output, left, project, tools} = await edited('one\ntwo\nthree\n', ['two', '2']);
		expect(output).toEqual({
			summary: '1 edit',
			content: '1 edit',
			details: {
				changed: [
					{
						path: 'a.txt',
						real: project.path('a.txt'),
						before: sha256('one\ntwo\nthree\n'),
						after: sha256('one\n2\nthree\n'),
					},
				],
				diff: '--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three',
			},
		});
		expect(narrowDetails(output.details).changed).toHaveLength(1);
		expect(left.toString()).toBe('one\n2\nthree\n');
		expect(await tools.kept('one\ntwo\nthree\n')).toBe('one\ntwo\nthree\n');
	});
	it.each<[string, Parameters<typeof edited>[1][], string]>([
		[
			'not unique',
			[['a', 'x']],
			'a.txt: edit 1 does not apply: its `old` occurs 2 times, at lines 1, 3: ' +
				'make it unique, or set `all`. Nothing was written.',
		],
		['missing', [['zzz', 'x']], 'a.txt: edit 1 does not apply: its `old` does not occur. Nothing was written.'],
		[
			'missing except for white space',
			[['\tb', 'x']],
			'its `old` does not occur. Text that differs from it only in white space begins at line 2.',
		],
		[
			'several, one of which fails',
			[
				['b', 'x'],
				['b', 'y'],
			],
			'edit 2 does not apply',
		],
		[
			'without an effect',
			[
				['b', 'c'],
				['c', 'b'],
			],
			'the file already has exactly this content. Nothing was written.',
		],
		['of half a character', [['b', '\uD83D']], 'the content is not text'],
		['of a NUL', [['b', '\0']], 'the content is not text'],
	])('fail with a sentence and write nothing: %s', async (_, edits, sentence) => {
		const {output, left} = await edited('a\nb\na\n', ...edits);
		expect(output).toMatchObject({isError: true, content: expect.stringContaining(sentence)});
		expect(left.toString()).toBe('a\nb\na\n');
	});
	it('replace every occurrence when all is set', async () => {
		const {output, left} = await edited('a\nb\na\n', ['a', 'x', true]);
		expect([output.summary, left.toString()]).toEqual(['1 edit in 2 places', 'x\nb\nx\n']);
	});
	it('keep CRLF and a byte order mark, which the diff does not contain', async () => {
		const {output, left} = await edited('\uFEFFone\r\ntwo\r\nthree', ['one\ntwo', '1\n1b\n2']);
		expect(left.toString()).toBe('\uFEFF1\r\n1b\r\n2\r\nthree');
		expect(shownResult(output)).not.toMatch(/[\r\uFEFF]/);
	});
	it('keep mode 0755', async () => {
		const project = await tempProject({'run.sh': 'echo 1\n'});
		await chmod(project.path('run.sh'), 0o755);
		const tools = fileTools(project);
		await tools.call('read_file', {path: 'run.sh'});
		await tools.call(...edit('run.sh', ['1', '2']));
		expect((await stat(project.path('run.sh'))).mode & 0o777).toBe(0o755);
	});
	it('are applied in the order of the calls when a batch has several', async () => {
		const project = await tempProject({'a.txt': '0\n'});
		const tools = fileTools(project);
		await tools.call('read_file', {path: 'a.txt'});
		const outputs = await tools.batch(
			...Array.from({length: 20}, (_, index) => edit('a.txt', [`${index}`, `${index + 1}`])),
		);
		expect(outputs.filter(({isError}) => isError)).toEqual([]);
		expect(await readFile(project.path('a.txt'), 'utf8')).toBe('20\n');
	});
	it('are applied even if another edit in the batch throws', async () => {
		const {tools, project} = await edited('a\nb\n', ['a', 'c']);
		const outputs = await tools.batch(edit('a.txt', ['zzz', '']), edit('a.txt', ['b', 'd']));
		expect(outputs.map(({isError = false}) => isError)).toEqual([true, false]);
		expect(await readFile(project.path('a.txt'), 'utf8')).toBe('c\nd\n');
	});
	it('have a truncated diff with a note when it has thousands of lines', async () => {
		const {output} = await edited('line\n'.repeat(3000), ['line', 'row', true]);
		expect(Buffer.byteLength(shownResult(output))).toBeLessThan(17_000);
		expect(shownResult(output)).toMatch(/\n\[\.\.\.truncated, \d+ more lines of the diff\]$/);
	});
	it('change the file through a link inside the scope and keep the link', async () => {
		const project = await tempProject({'real/a.txt': 'old\n'});
		await project.link('way.txt', 'real/a.txt');
		const tools = fileTools(project);
		await tools.call('read_file', {path: 'real/a.txt'});
		expect(await tools.call(...edit('way.txt', ['old', 'new']))).toMatchObject({
			details: {changed: [{path: 'way.txt', real: project.path('real/a.txt')}]},
		});
		expect(await readFile(project.path('real/a.txt'), 'utf8')).toBe('new\n');
	});
});

describe('the file that must be read before an edit', () => {
	it('is this file itself: another one with the same contents is not enough', async () => {
		const project = await tempProject({'a.txt': 'x\n', 'b.txt': 'x\n'});
		const tools = fileTools(project);
		expect((await tools.call(...edit('a.txt', ['x', 'y']))).content).toBe(
			'a.txt: read the file with read_file before you change it (not_read).',
		);
		await tools.call('read_file', {path: 'b.txt'});
		expect((await tools.call(...edit('a.txt', ['x', 'y']))).content).toContain('(not_read)');
		expect(await readFile(project.path('a.txt'), 'utf8')).toBe('x\n');
	});
	it('must be read again after a change on disk', async () => {
		const {tools, project} = await edited('x\n', ['x', 'y']);
		await writeFile(project.path('a.txt'), 'x y z\n');
		expect((await tools.call(...edit('a.txt', ['y', 'Y']))).content).toBe(
			'a.txt: it was changed on disk since it was read (changed). Read it again.',
		);
		await tools.call('read_file', {path: 'a.txt'});
		expect((await tools.call(...edit('a.txt', ['y', 'Y']))).isError).toBeUndefined();
	});
	it.each<[string, object]>([
		['attached whole', {}],
		['attached and cut', {bytes: 2, lines: 1, truncated: true}],
		['attached in part', {range: {first: 2, last: 2}, lines: 1}],
		['read again after a compaction', {kind: 'auto_read', compaction: 'c'}],
		['attached by another way to it', {path: './sub/../a.txt'}],
	])('may be %s', async (_, origin) => {
		const project = await tempProject({'a.txt': 'x\ny\n', 'sub/': ''});
		const tools = fileTools(project);
		tools.attach('a.txt', 'x\ny\n', origin);
		expect(shownResult(await tools.call(...edit('a.txt', ['y', 'z'])))).toContain('+z');
	});
	it('may be attached through a link, because it is the same file', async () => {
		const project = await tempProject({'real/a.txt': 'x\n'});
		await project.link('way', 'real');
		const tools = fileTools(project);
		tools.attach('way/a.txt', 'x\n');
		expect((await tools.call(...edit('real/a.txt', ['x', 'y']))).summary).toBe('1 edit');
	});
	it('may be read in part, and needs no further read after the edit', async () => {
		const project = await tempProject({'a.txt': 'x\ny\n'});
		const tools = fileTools(project);
		await tools.call('read_file', {path: 'a.txt', limit: 1});
		for (const [old, fresh] of [
			['y', 'z'],
			['z', 'w'],
		] as const)
			expect((await tools.call(...edit('a.txt', [old, fresh]))).isError).toBeUndefined();
	});
});

describe('a file that cannot be edited', () => {
	it.each<[string, string, string]>([
		['a missing file', 'none.txt', 'none.txt: there is no such file, and no file can have this name (not_found).'],
		['a directory', 'sub', '(is_directory)'],
		['a binary', 'a.bin', '(binary)'],
		['UTF-16', 'wide.txt', '(binary)'],
		['outside', '../x.txt', '(out_of_scope)'],
	])('includes, with a reason, %s', async (_, path, sentence) => {
		const project = await tempProject({
			'sub/b.txt': '',
			'a.bin': Uint8Array.of(97, 0),
			'wide.txt': Uint8Array.of(0xff, 0xfe, 97, 0),
			'../x.txt': 'a',
		});
		const tools = fileTools(project);
		await tools.call('read_file', {path});
		expect(await tools.call(...edit(path, ['a', 'b']))).toMatchObject({
			isError: true,
			content: expect.stringContaining(sentence),
		});
	});
});

describe('the preview of edits', () => {
	it('shows the whole diff of the edit', async () => {
		const project = await tempProject({'a.txt': 'line\n'.repeat(3000)});
		const told = fileTools(project);
		await told.call('read_file', {path: 'a.txt'});
		const {title, detail, shows} = await told.preview(...edit('a.txt', ['line', 'row', true]));
		expect([title, shows, detail.match(/^\+row$/gm)?.length]).toEqual(['Allow this edit to a.txt?', 'diff', 3000]);
		expect(await readFile(project.path('a.txt'), 'utf8')).toBe('line\n'.repeat(3000));
	});
	it('names the target of a link in its title', async () => {
		const project = await tempProject({'real/a.txt': 'x\n'});
		await project.link('way.txt', 'real/a.txt');
		const told = fileTools(project);
		await told.call('read_file', {path: 'way.txt'});
		expect((await told.preview(...edit('way.txt', ['x', 'y']))).title).toBe(
			'Allow this edit to way.txt (real/a.txt)?',
		);
	});
	it('shows every edit that does not apply, and why', async () => {
		const project = await tempProject({'a.txt': 'x\n'});
		const told = fileTools(project);
		await told.call('read_file', {path: 'a.txt'});
		const {detail, shows} = await told.preview(...edit('a.txt', ['x', 'y'], ['gone\nfor good', 'back', true]));
		expect(shows).toBe('text');
		expect(detail).toBe(
			'This change will fail: a.txt: edit 2 does not apply: its `old` does not occur. ' +
				'Nothing was written.\nedit 1\n-x\n+y\nedit 2, every occurrence\n-gone\n-for good\n+back',
		);
	});
	it('shows the edits but no contents of a file outside the scope', async () => {
		const project = await tempProject({'../x.txt': 'secret words\n'});
		const {detail} = await fileTools(project).preview(...edit('../x.txt', ['words', 'y']));
		expect(detail).toContain('(out_of_scope)');
		expect(detail).not.toContain('secret');
	});
});
