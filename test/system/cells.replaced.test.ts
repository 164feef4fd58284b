import {existsSync, readdirSync, readFileSync, renameSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {confinedCommands} from '../helpers/confined-commands.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});
const states = [undefined, ...(existsSync('/dev/shm') ? ['/dev/shm'] : [])];

const commands = [
	'echo new > src/a',
	'rm src/a',
	'rm -r src/sub',
	'echo new > src/sub/b',
	'rm -r src/sub; mkdir src/sub; echo new > src/sub/b',
	'chmod 600 src/a src/sub/b',
];

describe.runIf(available.ok)('a folder that the user replaces while a command runs', {timeout: 60_000}, () => {
	it.for(states.flatMap(state => commands.map(command => [state ?? 'on disk', command, state] as const)))(
		'stays as it is: %s, %s',
		async ([, command, state]) => {
			for (const isCached of [false, true]) {
				const {project, write, run} = confinedCommands({...(state !== undefined && {state})});
				for (const name of ['src/a', 'src/sub/b']) write(`home/project/${name}`, 'old');
				for (const name of ['mine/a', 'mine/only', 'mine/sub/b', 'mine/sub/only'])
					write(`home/project/${name}`, 'mine');
				// A cache of the session then covers the folders.
				if (isCached) await run('mkdir -p src{,/sub}/__pycache__; touch src{,/sub}/__pycache__/x');
				const {outcome} = await run(command, {
					atEnd: () => {
						renameSync(join(project, 'src'), join(project, 'before'));
						renameSync(join(project, 'mine'), join(project, 'src'));
					},
				});
				for (const name of ['a', 'only', 'sub/b', 'sub/only'])
					expect(readFileSync(join(project, 'src', name), 'utf8')).toBe('mine');
				expect(readFileSync(join(project, 'before/a'), 'utf8')).toBe('old');
				const counts = {added: 0, changed: 0, deleted: 0};
				const conflict = {path: expect.any(String), why: 'conflict'};
				expect(outcome).toMatchObject({type: 'taken', counts, leftOut: expect.arrayContaining([conflict])});
			}
		},
	);

	it.for(states)('is the project itself (%s)', async state => {
		const {home, project, write, run} = confinedCommands({...(state !== undefined && {state})});
		write('home/project/a', 'old');
		write('home/mine/a', 'mine');
		await run('echo new > a', {
			atEnd: () => {
				renameSync(project, join(home, 'before'));
				renameSync(join(home, 'mine'), project);
			},
		});
		expect(readFileSync(join(project, 'a'), 'utf8')).toBe('mine');
	});

	it.for(states)('gets new files (%s)', async state => {
		const {project, write, run} = confinedCommands({...(state !== undefined && {state})});
		const atEnd = () => write('home/project/src/mine', 'mine');
		const {outcome} = await run('mkdir src; echo new > src/made', {atEnd});
		expect(outcome).toMatchObject({counts: {added: 1, changed: 0, deleted: 0}});
		expect(readdirSync(join(project, 'src')).toSorted()).toEqual(['made', 'mine']);
	});

	it.for(states)('does not stop changes beside files that the user saves (%s)', async state => {
		for (const isCached of [false, true]) {
			const {project, write, run} = confinedCommands({...(state !== undefined && {state})});
			for (const name of ['src/a', 'src/b', 'src/c']) write(`home/project/${name}`, 'old');
			if (isCached) await run('mkdir src/__pycache__; touch src/__pycache__/x');
			const {outcome} = await run('echo new > src/a; rm src/b; touch src/d', {
				atEnd: () => {
					write('home/project/src/c.new', 'mine');
					renameSync(join(project, 'src/c.new'), join(project, 'src/c'));
				},
			});
			expect(outcome).toMatchObject({counts: {added: 1, changed: 1, deleted: 1}, leftOut: []});
		}
	});
});
