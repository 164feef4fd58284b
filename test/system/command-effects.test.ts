import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {narrowDetails} from '../../src/pod/protocol.ts';
import {calls, familyModel, itemsOf, says} from '../helpers/family.ts';
import {allowed, testPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});

/** Runs a command of the model. `again`: the answer if inkpod offers to run it again. Returns what is recorded. */
async function recorded(command: string, {again = 'keep', ...args}: {readonly again?: string; timeout?: number} = {}) {
	const project = await tempProject({'a.txt': 'one\n', 'b.txt': 'two\n', 'd/c.txt': 'three\n'});
	const env = {
		HOME: join(project.dir, '../home'),
		PATH: process.env['PATH'],
		XDG_CACHE_HOME: join(project.dir, '../cache'),
	};
	execFileSync('git', ['init', '-q', '-b', 'main'], {cwd: project.dir, env});
	const model = familyModel({parent: [calls(['bash', {command, ...args}]), says('Done.')], children: {}});
	const told = await testPod(project, {
		model,
		env,
		...allowed,
		confine: {mode: again === 'unconfined' ? 'auto' : 'require', network: 'none'},
	});
	told.pod.subscribe(event => {
		for (const {id, choices} of event.type === 'status' ? event.status.asks : []) {
			const {choice} = choices.find(one => one.choice === again) ?? choices.find(({refuses}) => refuses)!;
			void told.pod.send({method: 'answer', askId: id, choice});
		}
	});
	await told.run('Go');
	await told.rest();
	const [result] = itemsOf(told.items(), 'tool_result');
	const {effects, discarded, confined, unconfined} = narrowDetails(result!.details).command ?? {};
	return {effects, discarded, confined, unconfined};
}

const none = {added: 0, changed: 0, deleted: 0};

describe.skipIf(!available.ok)('the record of a command', () => {
	it.each([
		['only looked', 'cat a.txt; git status; ls', {effects: none}],
		['made a cache', 'mkdir __pycache__ && echo x > __pycache__/a.pyc', {effects: none}],
		[
			'changed files',
			'echo n > n.txt; mkdir -p e/f; echo m > e/f/m; echo x >> a.txt; rm b.txt d/c.txt',
			{effects: {added: 2, changed: 1, deleted: 2}},
		],
		['made a folder', 'mkdir e', {effects: {...none, others: true}}],
		['changed a mode', 'chmod 700 d', {effects: {...none, others: true}}],
		[
			'changed git only',
			'git add a.txt && git -c user.name=n -c user.email=a@b commit -qm one',
			{effects: {...none, others: true}},
		],
		['wrote what is left out', 'echo evil > .git/hooks/pre-commit', {effects: none, discarded: true}],
	])('says of one that %s what came of it', async (_name, command, said) => {
		expect(await recorded(command)).toEqual({confined: 'none', ...said});
	});

	it('says that the changes were discarded when the time was over', async () => {
		expect(await recorded('echo n > n.txt; sleep 60', {timeout: 1})).toEqual({confined: 'none', discarded: true});
	});

	it('says that it ran again without confinement', async () => {
		const command = 'cat ~/nothing; echo "cat: x: Read-only file system" >&2; exit 1';
		expect(await recorded(command, {again: 'unconfined'})).toEqual({unconfined: true});
	});
});
