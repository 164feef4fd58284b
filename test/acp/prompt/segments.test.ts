import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {segmentsOf} from '../../../src/acp/prompt/segments.ts';
import {testEditor} from '../../helpers/editor.ts';
import {png} from '../../helpers/images.ts';

const says = (text: string) => ({type: 'text', text});
const noImages = {keepImage: async () => ({ok: false as const, sentence: 'This is not an image.'})};
const place = {pod: noImages, pwd: '/project'};
const link = (uri: string) => ({type: 'resource_link' as const, name: 'a', uri});

describe('the blocks of a prompt', () => {
	it.each([
		['file:///project/src/a.ts', {path: 'src/a.ts'}],
		['file:///project/a%20b.ts#L10', {path: 'a b.ts', range: {first: 10, last: 10}}],
		['file:///project/a.ts#L10-L20', {path: 'a.ts', range: {first: 10, last: 20}}],
		['file:///project/a.ts#L10:20', {path: 'a.ts', range: {first: 10, last: 20}}],
		['file:///etc/passwd', {path: '/etc/passwd'}],
	])('make %s a file', async (uri, ref) => {
		const made = await segmentsOf([link(uri)], place);
		expect(made.ok && made.segments).toEqual([{type: 'file_ref', ...ref}]);
	});

	it.each(['https://example.com/', 'zed:///agent/thread/1', 'file://host/share/a.ts'])(
		'keep %s as a text, and read nothing',
		async uri => {
			const made = await segmentsOf([link(uri)], place);
			expect(made.ok && made.segments).toEqual([{type: 'text', text: `a (${uri})`}]);
		},
	);

	it('stay apart from each other', async () => {
		const text = (text: string) => ({type: 'text' as const, text});
		const file = link('file:///project/a.ts');
		const made = await segmentsOf([text('see'), file, file, text(', please')], place);
		expect(made.ok && made.segments.map(each => (each.type === 'text' ? each.text : '@'))).toEqual([
			'see',
			' ',
			'@',
			' ',
			'@',
			', please',
		]);
	});

	it('are measured in bytes of UTF-8', async () => {
		const text = (count: number) => ({type: 'text' as const, text: 'é'.repeat(count)});
		expect(await segmentsOf([text(5_000_000)], place)).toMatchObject({ok: true});
		expect(await segmentsOf([text(5_000_001)], place)).toMatchObject({ok: false});
	});

	it('are refused if inkpod cannot send them', async () => {
		const audio = {type: 'audio' as const, data: 'AAAA', mimeType: 'audio/wav'};
		expect(await segmentsOf([audio], place)).toMatchObject({ok: false});
		const blob = {type: 'resource' as const, resource: {uri: 'file:///a.zip', blob: 'AAAA'}};
		expect(await segmentsOf([blob], place)).toMatchObject({ok: false});
		const image = {type: 'image' as const, data: 'AAAA', mimeType: 'image/png'};
		expect(await segmentsOf([image], place)).toEqual({ok: false, sentence: 'This is not an image.'});
	});
});

describe('a prompt with resources', () => {
	it('attaches a linked file, an embedded text as it was sent, and an image', async () => {
		const editor = await testEditor({script: [[says('Seen.')]]});
		await writeFile(join(editor.cwd, 'a.ts'), 'saved\n');
		const uri = `file://${join(editor.cwd, 'b.ts')}`;
		const long = 'x'.repeat(100_000);
		await editor.prompt(await editor.open(), [
			{type: 'text', text: 'compare'},
			link(`file://${join(editor.cwd, 'a.ts')}`),
			{type: 'resource', resource: {uri, text: long, mimeType: 'text/typescript'}},
			{type: 'image', data: png(4, 4, {}).toString('base64'), mimeType: 'image/png'},
		]);
		const read = editor.updatesOf('tool_call').filter(({kind}) => kind === 'read');
		expect(read.map(({title}) => title.split(' ·')[0])).toEqual(['File a.ts', 'Editor b.ts', 'Image image-4']);
		expect(read[1]).toMatchObject({
			_meta: {inkpod: {origin: {kind: 'editor', path: 'b.ts', uri, mime: 'text/typescript', bytes: 100_000}}},
		});
		expect(JSON.stringify(read[1]?.content)).toContain(long);
	});

	it('sends a file that is not attached as a text, with the reason', async () => {
		const editor = await testEditor({script: [[says('Seen.')]]});
		await editor.prompt(await editor.open(), [link('file:///etc/hostname')]);
		expect(editor.updatesOf('tool_call').map(({title}) => title)).toContainEqual(
			expect.stringContaining('outside the folders'),
		);
	});

	it('reads an unsaved buffer from the editor, and a saved one from the disk', async () => {
		const asked: string[] = [];
		const editor = await testEditor({
			script: [[says('Seen.')]],
			capabilities: {fs: {readTextFile: true, writeTextFile: false}},
			buffers(path) {
				asked.push(path);
				return path.endsWith('a.ts') ? 'typed\n' : 'saved\n';
			},
		});
		for (const name of ['a.ts', 'b.ts', '.env']) await writeFile(join(editor.cwd, name), 'saved\n');
		const links = ['a.ts', 'b.ts'].map(name => link(`file://${join(editor.cwd, name)}`));
		await editor.prompt(await editor.open(), [...links, link('file:///etc/hostname')]);
		const read = editor.updatesOf('tool_call').filter(({kind}) => kind === 'read');
		expect(read.map(({title}) => title.split(' ·')[0])).toEqual(['Editor a.ts', 'File b.ts']);
		expect(JSON.stringify(read[0]?.content)).toContain('typed');
		expect(asked.toSorted()).toEqual(['a.ts', 'b.ts'].map(name => join(editor.cwd, name)));
	});
});
