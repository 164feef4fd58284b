import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {scriptedModel, type Answer} from '../../../../src/worker/index.ts';
import {allowed, testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';

const write = (callId: string, path: string, content: string) =>
	({type: 'tool_call', callId, name: 'write_file', arguments: {path, content}}) as const;

async function edits(project: TempProject, command: string, answers: readonly Answer[]): Promise<TestPod> {
	const model = scriptedModel((_, n) => answers[n] ?? [{type: 'text', text: 'Done.'}]);
	const env = {HOME: project.dir, PATH: process.env['PATH'] ?? '', OPENAI_API_KEY: 'sk-secret'};
	const told = await testPod(project, {model, env, diagnostics: {'*.txt': command}, ...allowed});
	expect(await told.run('Edit')).toEqual({accepted: true});
	await told.rest();
	return told;
}

const found = (told: TestPod) =>
	told.items().flatMap(item => (item.type === 'message' && item.origin?.kind === 'diagnostics' ? [item] : []));

describe('diagnostics', () => {
	it('report once after a batch what was not reported before it, whatever the line numbers are', async () => {
		const project = await tempProject({'old.txt': 'x\nbad one\n'});
		const told = await edits(project, 'grep -nH bad *.txt; echo run >> runs.log; echo "key $OPENAI_API_KEY"', [
			[write('1', 'new.txt', 'bad two\n'), write('2', 'other.txt', 'good\n')],
			[write('3', 'more.txt', 'good\n')],
			[write('4', 'code.ts', 'bad\n')],
		]);
		expect(found(told).map(({text}) => text)).toEqual([
			'[Diagnostics: grep -nH bad *.txt; echo run >> runs.log; echo "key $OPENAI_API_KEY"]\nnew.txt:1:bad two',
		]);
		expect(found(told)[0]?.origin).toMatchObject({findings: 1});
		// Before the first edit, after the first batch, and after the second: the last file has no command.
		expect(await readFile(join(project.dir, 'runs.log'), 'utf8')).toBe('run\nrun\nrun\n');
	});

	it('stop with the run, and run again before the next request', async () => {
		const project = await tempProject({'a.txt': 'a'});
		const model = scriptedModel((_, n) => (n === 0 ? [write('1', 'b.txt', 'b')] : [{type: 'text', text: 'Done.'}]));
		const command = 'if [ -e b.txt ] && [ ! -e go ]; then touch waits; sleep 60; fi; [ ! -e go ] || echo found';
		const env = {HOME: project.dir, PATH: process.env['PATH'] ?? ''};
		const told = await testPod(project, {model, env, diagnostics: {'*.txt': command}, ...allowed});
		await told.run('Edit');
		await told.until(() => told.items().some(({type}) => type === 'tool_result'));
		await told.pod.send({method: 'pause'});
		await told.rest();
		expect(told.status().kind).toBe('paused');
		await writeFile(join(project.dir, 'go'), '');
		await told.pod.send({method: 'resume'});
		await told.rest();
		expect(found(told)).toMatchObject([{text: expect.stringMatching(/\nfound$/)}]);
	});
});
