import {rm, writeFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {toolChanges} from '../../../../src/pod/run/rewind/tool-changes.ts';
import type {Item} from '../../../../src/worker/index.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {fileTools, type FileTools} from '../../tools/files/file-tools.ts';

async function made(files: Readonly<Record<string, string>>): Promise<{
	readonly project: TempProject;
	readonly tools: FileTools;
	readonly changes: (scope?: Partial<TempProject['scope']>) => ReturnType<typeof toolChanges>;
}> {
	const project = await tempProject(files);
	const items: Item[] = [];
	const tools = fileTools(project, {items});
	const options = {sessionDir: tools.sessionDir, protectedFolders: []};
	const changes = async (scope: Partial<TempProject['scope']> = {}) =>
		toolChanges(items, {scope: {...project.scope, ...scope}, ...options});
	return {project, tools, changes};
}

const edit = (old: string, fresh: string) => ['edit_file', {path: 'a.txt', edits: [{old, new: fresh}]}] as const;

describe('the changes by tools', () => {
	it('are the diffs from the first contents to the current ones, also in a read-only directory', async () => {
		const {tools, changes} = await made({'a.txt': 'one\n'});
		await tools.call('read_file', {path: 'a.txt'});
		await tools.call(...edit('one', 'two'));
		await tools.call(...edit('two', 'three'));
		await tools.call('write_file', {path: 'b.txt', content: 'new\n'});
		const expected = {
			files: [
				{path: 'a.txt', diff: '--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-one\n+three'},
				{path: 'b.txt', diff: '--- /dev/null\n+++ b.txt\n@@ -0,0 +1,1 @@\n+new'},
			],
			moreFiles: 0,
		};
		expect(await changes()).toEqual(expected);
		expect(await changes({writable: false})).toEqual(expected);
	});

	it('leave out files with their earlier contents, and name changes by others', async () => {
		const {project, tools, changes} = await made({'a.txt': 'one\n'});
		await tools.call('read_file', {path: 'a.txt'});
		await tools.call(...edit('one', 'two'));
		await writeFile(project.path('a.txt'), 'mine\n');
		expect((await changes()).files).toMatchObject([{remark: 'it was changed outside inkpod'}]);
		await writeFile(project.path('a.txt'), 'one\n');
		expect((await changes()).files).toEqual([]);
	});

	it('do not follow a link that has replaced a file', async () => {
		const {project, tools, changes} = await made({'a.txt': 'one\n'});
		await tools.call('read_file', {path: 'a.txt'});
		await tools.call(...edit('one', 'two'));
		await writeFile(project.path('../secret'), 'secret\n');
		await rm(project.path('a.txt'));
		await project.link('a.txt', '../secret');
		expect((await changes()).files).toEqual([
			{
				path: 'a.txt',
				diff: '',
				remark: 'it is outside the writable directories, or a link now leads elsewhere',
			},
		]);
	});
});
