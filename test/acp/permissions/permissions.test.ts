import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {methods} from '@agentclientprotocol/sdk';
import {describe, expect, it} from 'vitest';
import {testEditor} from '../../helpers/editor.ts';

const says = (text: string) => ({type: 'text', text});
const calls = (name: string, args: unknown) => ({type: 'tool_call', name, arguments: args});
const touch = (name: string) => calls('bash', {command: `echo ${name} > ${name}.txt`});

describe('a permission request', () => {
	it('has options of all four kinds, and shows the whole command', async () => {
		const editor = await testEditor({script: [[touch('a')], [says('Done.')]], onQuestion: () => 'allow'});
		const session = await editor.open();
		await editor.prompt(session, 'go');
		const [question] = editor.questions;
		const kinds = new Set(question!.options.map(({kind}) => kind));
		expect([...kinds]).toEqual(['allow_once', 'allow_always', 'reject_once', 'reject_always']);
		expect(question!.options.map(({optionId}) => optionId).filter(id => id.endsWith('alike'))).toEqual([]);
		expect(JSON.stringify(question!.toolCall.content)).toContain('echo a > a.txt');
		const [call] = editor.updatesOf('tool_call').filter(({name}) => name === 'bash');
		expect(question!.toolCall.toolCallId).toBe(call!.toolCallId);
		expect(question!.toolCall.title).toBe('Run this command?');
		const later = editor.updatesOf('tool_call_update').filter(({toolCallId}) => toolCallId === call!.toolCallId);
		expect(later.findLast(({title}) => title !== undefined)?.title).toBe('bash echo a > a.txt');
		expect(await readFile(join(editor.cwd, 'a.txt'), 'utf8')).toBe('a\n');
	});

	it('allows exactly this command from now on', async () => {
		const script = [[touch('a')], [touch('a')], [touch('b')], [says('Done.')]];
		const editor = await testEditor({
			script,
			onQuestion: ({options}) => options.find(({kind}) => kind === 'allow_always')!.optionId,
		});
		await editor.prompt(await editor.open(), 'go');
		expect(editor.questions).toHaveLength(2);
	});

	it('rejects once, or exactly this for the rest of the session', async () => {
		const script = [[touch('a')], [touch('a')], [touch('a')], [touch('b')], [says('Done.')]];
		const answers = ['deny', 'reject_always', 'allow'];
		const editor = await testEditor({script, onQuestion: () => answers.shift()!});
		await editor.prompt(await editor.open(), 'go');
		expect(editor.questions).toHaveLength(3);
		const failed = editor.updatesOf('tool_call_update').filter(({status}) => status === 'failed');
		expect(failed).toHaveLength(3);
		expect(await readFile(join(editor.cwd, 'b.txt'), 'utf8')).toBe('b\n');
	});

	it('is taken back when the turn is cancelled, and its call is settled', async () => {
		const editor = await testEditor({script: [[touch('a')]], onQuestion: async () => new Promise(() => {})});
		const session = await editor.open();
		const prompted = editor.prompt(session, 'go');
		await editor.until(() => editor.questions.length > 0);
		await editor.agent.notify(methods.agent.session.cancel, {sessionId: session});
		expect(await prompted).toMatchObject({stopReason: 'cancelled'});
		expect(editor.updatesOf('tool_call_update').at(-1)?.status).toBe('failed');
	});

	it('cancels the turn when the editor answers so', async () => {
		const editor = await testEditor({script: [[touch('a')]], onQuestion: () => ({outcome: 'cancelled'})});
		expect(await editor.prompt(await editor.open(), 'go')).toMatchObject({stopReason: 'cancelled'});
	});

	it('refuses when the editor cannot ask, or names an option that was not offered', async () => {
		const onQuestion = async () => Promise.reject(new Error('no dialog'));
		const editor = await testEditor({script: [[touch('a')], [says('Done.')]], onQuestion});
		await editor.prompt(await editor.open(), 'go');
		expect(editor.updatesOf('tool_call_update').findLast(({status}) => status === 'failed')).toBeDefined();
		const other = await testEditor({script: [[touch('a')], [says('Done.')]], onQuestion: () => 'always_alike'});
		await other.prompt(await other.open(), 'go');
		expect(other.updatesOf('tool_call_update').findLast(({status}) => status === 'failed')).toBeDefined();
	});

	it('shows an edit as a diff', async () => {
		const script = [[calls('write_file', {path: 'new.txt', content: 'one\n'})], [says('Done.')]];
		const editor = await testEditor({script});
		await editor.prompt(await editor.open(), 'go');
		const [call] = editor.updatesOf('tool_call_update').filter(({content}) => content?.[0]?.type === 'diff');
		expect(call?.content?.[0]).toEqual({type: 'diff', path: join(editor.cwd, 'new.txt'), newText: 'one\n'});
		expect(editor.questions[0]?.toolCall.title).toContain('new.txt');
	});
});

describe('other questions', () => {
	it('of the model are asked one after another', async () => {
		const questions = [{title: 'Which?', options: ['Red', 'Blue']}, {title: 'Why?'}];
		const editor = await testEditor({
			script: [[calls('ask', {questions})], [says('Good.')]],
			onQuestion: ({toolCall}) => (toolCall.title === 'Which?' ? 'option-1' : 'none'),
		});
		await editor.prompt(await editor.open(), 'go');
		expect(editor.questions.map(({toolCall}) => toolCall.title)).toEqual(['Which?', 'Why?']);
		expect(JSON.stringify(editor.updatesOf('tool_call_update').at(-1))).toContain('Answer: Blue');
	});

	it('about a project that grants permissions wait for the first prompt', async () => {
		const editor = await testEditor({script: [[says('Yes.')]], onQuestion: () => 'trust'});
		await writeFile(
			join(editor.cwd, 'inkpod.toml'),
			'[[permission]]\ntool = "bash"\nmatch = "echo *"\naction = "allow"\n',
		);
		const session = await editor.open();
		expect(editor.questions).toEqual([]);
		await editor.prompt(session, 'go');
		await editor.until(() => editor.questions.length > 0);
		expect(editor.questions[0]?.options.map(({kind}) => kind)).toEqual(['allow_always', 'reject_once']);
	});

	it('about a secret decide whether it is sent', async () => {
		const editor = await testEditor({
			script: [[says('One.')], [says('Two.')]],
			onQuestion: () => (editor.questions.length === 1 ? 'deny' : 'allow'),
		});
		await writeFile(join(editor.cwd, '.env'), 'KEY=hush\n');
		const session = await editor.open();
		await editor.prompt(session, 'read @.env');
		expect(JSON.stringify(editor.updates)).not.toContain('hush');
		const link = {type: 'resource_link' as const, name: '.env', uri: `file://${join(editor.cwd, '.env')}`};
		await editor.prompt(session, [{type: 'text', text: 'read '}, link]);
		expect(JSON.stringify(editor.updates)).toContain('KEY=hush');
		expect(editor.questions).toHaveLength(2);
	});

	it('of a child session have its name', async () => {
		const task = calls('pod', {task: 'Touch it.', title: 'Toucher'});
		const editor = await testEditor({script: [[task], [touch('a')], [says('Done.')], [says('All done.')]]});
		await editor.prompt(await editor.open(), 'go');
		const titles = editor.questions.map(({toolCall}) => toolCall.title);
		expect(titles.filter(title => title?.startsWith('Toucher: '))).toHaveLength(1);
		const child = editor.questions.find(({toolCall}) => toolCall.title?.startsWith('Toucher: '));
		expect(child?.toolCall.toolCallId).toMatch(/^ask:/);
	});

	it('about a session that moves to another folder are asked', async () => {
		const editor = await testEditor({script: [[says('One.')], [says('Two.')]], onQuestion: () => 'allow'});
		const sessionId = await editor.open();
		await editor.prompt(sessionId, 'a');
		await editor.agent.request(methods.agent.session.close, {sessionId});
		const other = join(editor.home, 'other');
		await mkdir(other);
		await editor.agent.request(methods.agent.session.resume, {sessionId, cwd: other});
		await editor.prompt(sessionId, 'b');
		expect(editor.questions[0]?.options.map(({kind}) => kind)).toEqual(['allow_once', 'reject_once']);
	});
});
