import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {backupsDir} from '../../src/pod/disk/bodies/pasted.ts';
import {offlineModel} from '../../src/worker/wires/offline/offline-model.ts';
import {scriptedModel, type Item, type Model} from '../../src/worker/index.ts';
import {allowed, reopened, testPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {sha256} from './tools/files/file-tools.ts';

/** Creates a model that makes these batches of calls, one after another, and then answers. */
function calling(
	...batches: ReadonlyArray<ReadonlyArray<readonly [name: string, args: Record<string, unknown>]>>
): Model {
	const answers = batches.map(calls =>
		calls.map(([name, args]) => ({type: 'tool_call', name, arguments: args}) as const),
	);
	return scriptedModel([...answers, [{type: 'text', text: 'done'}]]);
}

const results = (items: readonly Item[]) => items.filter(item => item.type === 'tool_result');
const edit = (old: string, fresh: string) => ['edit_file', {path: 'a.txt', edits: [{old, new: fresh}]}] as const;

describe('edits', () => {
	it('apply to a file that was read before a restart, and the session saves the earlier contents', async () => {
		const project = await tempProject({'a.txt': 'one\ntwo\n'});
		const first = await testPod(project, {...allowed, model: calling([['read_file', {path: 'a.txt'}]])});
		await first.run('read it');
		await first.rest();
		await first.pod.send({method: 'shutdown'});
		const second = await testPod(project, {
			...allowed,
			model: calling([edit('two', '2')], [edit('2', 'zwei')]),
			session: await reopened(first),
		});
		await second.run('edit it');
		await second.rest();
		expect(results(second.items()).map(({isError}) => isError)).toEqual([false, false, false]);
		expect(await readFile(project.path('a.txt'), 'utf8')).toBe('one\nzwei\n');
		for (const before of ['one\ntwo\n', 'one\n2\n'])
			expect(await readFile(join(backupsDir(second.session.dir), sha256(before)), 'utf8')).toBe(before);
	});

	it('apply to a truncated attachment, which cannot be overwritten', async () => {
		const body = `${'x'.repeat(99)}\n`.repeat(300);
		const project = await tempProject({'a.txt': `head\n${body}`});
		const {run, rest, items} = await testPod(project, {
			...allowed,
			model: calling([['write_file', {path: 'a.txt', content: 'short'}]], [edit('head', 'HEAD')]),
		});
		await run('look at @a.txt and edit it');
		await rest();
		expect(results(items()).map(({isError, content}) => [isError, content.slice(0, 62)])).toEqual([
			[true, 'a.txt: read the whole file before you overwrite it (not_read).'],
			[false, '1 edit'],
		]);
		expect(await readFile(project.path('a.txt'), 'utf8')).toBe(`HEAD\n${body}`);
	});

	it('apply in the order of the calls when one batch edits a file several times', async () => {
		const project = await tempProject({'a.txt': '0\n'});
		const {run, rest, items} = await testPod(project, {
			...allowed,
			model: calling(
				[['read_file', {path: 'a.txt'}]],
				Array.from({length: 8}, (_, index) => edit(`${index}`, `${index + 1}`)),
			),
		});
		await run('count');
		await rest();
		expect(results(items()).filter(({isError}) => isError)).toEqual([]);
		expect(await readFile(project.path('a.txt'), 'utf8')).toBe('8\n');
	});

	it('replace a text through the offline guide, which reads, edits, and reports it', async () => {
		const project = await tempProject({'src/a.ts': 'const a = 1;\nexport const b = a;\n'});
		const {run, rest, items} = await testPod(project, {
			...allowed,
			model: offlineModel({delayMs: 0}),
		});
		await run('replace const by let in src/a.ts');
		await rest();
		expect(items().flatMap(item => (item.type === 'tool_call' ? [item.name] : []))).toEqual([
			'read_file',
			'edit_file',
		]);
		expect(await readFile(project.path('src/a.ts'), 'utf8')).toBe('let a = 1;\nexport let b = a;\n');
		expect(items().findLast(item => item.type === 'message')).toMatchObject({
			role: 'assistant',
			text: expect.stringContaining('Replaced `const` with `let` in `src/a.ts`.'),
		});
	});

	it("change nothing when the offline guide finds the text only in the file's name", async () => {
		const project = await tempProject({'src/a.ts': 'x\n'});
		const {run, rest, items} = await testPod(project, {
			...allowed,
			model: offlineModel({delayMs: 0}),
		});
		await run('replace src by lib in src/a.ts');
		await rest();
		expect(items().findLast(item => item.type === 'message')).toMatchObject({
			text: expect.stringContaining('does not occur in `src/a.ts`: nothing was changed.'),
		});
	});
});
