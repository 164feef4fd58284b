import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Item, SessionInfo} from '../../../../src/pod/protocol.ts';
import {createWidenableScope} from '../../../../src/pod/permissions/approval/path-readings.ts';
import {reopened, testPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';

const setups = (items: readonly Item[]) => items.filter(item => item.type === 'setup');

/** Opens a project with a neighbouring folder that contains one file. */
async function opened(model = eventModel(answer(says('ok')), answer(says('ok')), answer(says('ok')))) {
	const project = await tempProject({'a.md': 'one\n', 'sub/': '', '../beside/b.md': 'two\n', '../beside/deep/': ''});
	const beside = join(project.dir, '..', 'beside');
	const told = await testPod(project, {model, env: {HOME: join(project.dir, '..')}});
	const add = async (path: string) => told.pod.send({method: 'add_dir', path});
	const info = (): SessionInfo => told.events.findLast(event => event.type === 'snapshot')!.session;
	return {project, beside, model, ...told, add, info};
}

describe('an added folder', () => {
	it.each(['../beside', '~/beside', '../beside/', '../beside/deep/..', '../beside/.'])(
		'is added by its real path when written as %j',
		async path => {
			const {add, info, beside} = await opened();
			expect(await add(path)).toEqual({accepted: true});
			expect(info().scope.readRoots).toEqual([beside]);
		},
	);

	it('is added by its real path when it is a link', async () => {
		const {add, info, beside, project} = await opened();
		await project.link('link', beside);
		expect(await add('link')).toEqual({accepted: true});
		expect(info().scope.readRoots).toEqual([beside]);
	});

	it.each([
		['../none', 'no_such_dir', 'it does not exist'],
		['a.md', 'no_such_dir', 'it is not a directory'],
		['a.md/x', 'no_such_dir', 'it is not a directory'],
		['~person', 'no_such_dir', 'it does not exist'],
		['../beside ', 'no_such_dir', 'it does not exist'],
		['a\0b', 'no_such_dir', 'it does not exist'],
		[' ', 'empty', 'No directory'],
	])('is refused when it is %j, as %s', async (path, code, sentence) => {
		const {add, events, info} = await opened();
		expect(await add(path)).toMatchObject({accepted: false, code, sentence: expect.stringContaining(sentence)});
		expect(info().scope.readRoots).toEqual([]);
		expect(events.filter(({type}) => type === 'snapshot')).toHaveLength(1);
	});

	it('is accepted and changes nothing when it is already readable', async () => {
		const {add, events, info, beside} = await opened();
		await add('../beside');
		for (const path of ['.', 'sub', '../beside']) expect(await add(path)).toEqual({accepted: true});
		expect(info().scope.readRoots).toEqual([beside]);
		expect(events.filter(({type}) => type === 'snapshot')).toHaveLength(2);
	});

	it('leaves the given scope unchanged', async () => {
		const {project, beside} = await opened();
		const {scope, find} = createWidenableScope(
			{...project.scope, readRoots: ['/given']},
			{home: '/', onChange: () => {}},
		);
		const found = await find('../beside');
		if (found.ok) found.add();
		expect(scope).toEqual({...project.scope, readRoots: ['/given', beside]});
		expect(project.scope.readRoots).toEqual([]);
	});
});

describe('an added read-only folder', () => {
	it('is reachable by file refs, preflight, tools and the system prompt, and changes the setup once', async () => {
		const model = eventModel(
			answer(says('ok')),
			answer(calls('1', 'read_file', {path: '../beside/b.md'})),
			answer(says('read')),
			answer(says('ok')),
		);
		const {add, run, rest, items, pod, beside} = await opened(model);
		const ref = {type: 'file_ref', path: '../beside/b.md'} as const;
		const forecast = async () => (await pod.preflight([ref], new AbortController().signal)).refs;
		await run([ref]);
		await rest();
		expect(await forecast()).toMatchObject([{ok: false, reason: 'out_of_scope'}]);
		await add('../beside');
		expect(await forecast()).toMatchObject([{ok: true}]);
		await run([ref]);
		await rest();
		await run('again');
		await rest();
		expect(setups(items())).toHaveLength(2);
		expect(model.requests[0]!.prompt).not.toContain(beside);
		expect(model.requests[1]!.prompt).toContain(beside);
		expect(model.requests[1]!.messages.at(-1)).toEqual({role: 'user', text: '[File: ../beside/b.md]\ntwo\n'});
		expect(items().find(item => item.type === 'tool_result')).toMatchObject({isError: false});
	});

	it('gives every subscriber the same new snapshot', async () => {
		const {add, run, rest, events, pod} = await opened();
		await run('hello');
		await rest();
		const told = events.length;
		await add('../beside');
		const late: unknown[] = [];
		pod.subscribe(event => late.push(event));
		expect(events.slice(told)).toEqual(late);
	});

	it('does not change earlier snapshots', async () => {
		const {add, events, info} = await opened();
		await add('../beside');
		expect(events[0]).toMatchObject({session: {scope: {readRoots: []}}});
		const second = info();
		await add('~');
		expect(second.scope.readRoots).toHaveLength(1);
	});

	it('is gone when the session is opened again', async () => {
		const told = await opened();
		await told.add('../beside');
		await told.run('hello');
		await told.rest();
		await told.pod.send({method: 'shutdown'});
		const again = await testPod(told.project, {
			model: eventModel(answer(says('ok'))),
			session: await reopened(told),
		});
		expect(again.events[0]).toMatchObject({session: {scope: {readRoots: []}}});
		await again.run('see @../beside/b.md');
		await again.rest();
		expect(again.events.some(event => event.type === 'alert' && event.alert.text.includes('../beside/b.md'))).toBe(
			true,
		);
	});
});
