import {describe, expect, it} from 'vitest';
import {allowsChain, patternsFor} from '../../../../src/pod/permissions/approval/command-chain.ts';
import {patternText} from '../../../../src/pod/permissions/approval/command-starts.ts';
import type {Rule} from '../../../../src/pod/permissions/approval/rule.ts';
import {harmlessCommands} from './harmless-commands.ts';
import {allowedPatterns, hostileCommands} from './hostile-commands.ts';

const answered = allowedPatterns.map((begins): Rule => ({tool: 'bash', begins, action: 'allow'}));
const lists = {user: [], project: [], answered};

describe('patterns of commands', () => {
	it('are tested against at least 150 hostile commands', () => {
		const all = Object.values(hostileCommands).flat();
		expect([new Set(all).size, all.length >= 150]).toEqual([all.length, true]);
	});

	it.each(Object.entries(hostileCommands))('do not allow %s', (_attempt, commands) => {
		expect(commands.filter(command => allowsChain(command, 'bash', lists))).toEqual([]);
	});

	it('allow harmless commands', () => {
		expect(harmlessCommands.filter(command => !allowsChain(command, 'bash', lists))).toEqual([]);
	});

	it('are offered for a harmless command, and then allow it', () => {
		const none = {user: [], project: [], answered: []};
		for (const command of harmlessCommands.filter(command => !command.startsWith('mytool'))) {
			const patterns = patternsFor(command, 'bash', none) ?? [];
			const rules = patterns.map((begins): Rule => ({tool: 'bash', begins, action: 'allow'}));
			expect([command, allowsChain(command, 'bash', {...none, answered: rules})]).toEqual([command, true]);
		}
	});

	it('are not offered for a hostile command, except for another script or program', () => {
		const none = {user: [], project: [], answered: []};
		const offered = Object.values(hostileCommands)
			.flat()
			.flatMap(command => (patternsFor(command, 'bash', none) ?? []).map(patternText));
		expect([...new Set(offered)].toSorted()).toEqual(['npm run lint2 *', 'npm run test *']);
	});

	it('apply only to their own tool', () => {
		expect(allowsChain('npm test', 'mcp__s__bash', lists)).toBe(false);
	});

	it.each([
		['sh', 'sh run'],
		['an interpreter', 'python manage'],
		['an interpreter with a version', 'python3 manage'],
		['a carrier', 'npx vitest'],
		['a carrier of carriers', 'uv sync'],
		['sudo', 'sudo npm'],
		['find', 'find src'],
		['a program with files', 'cat notes'],
		['a program that moves files', 'mv a b'],
		['a downloader', 'curl example'],
		['docker run', 'docker run x'],
		['docker exec', 'docker exec x'],
		['docker compose exec', 'docker compose exec'],
		['kubectl', 'kubectl get pods'],
		['an option as the second word', 'ls -la'],
		['a path as the second word', 'mytool ./x'],
		['a program that is not listed', 'mytool check'],
		['a shell on another machine', 'rsh host'],
		['a runner of scripts', 'run-s lint'],
		['a runner of the files that it gets', 'mocha x.js'],
		['a task with an unusual name', 'make deploy'],
		['a task of another runner', 'turbo run'],
		['a script with an unusual name', 'npm run deploy'],
		['one word', 'pytest'],
		['capitals', 'SH build'],
		['a path as the program', './build all'],
		['a subcommand that runs', 'mytool run'],
		['a subcommand that runs, with a suffix', 'mytool run:all'],
		['a program that records another one', 'rr record prog'],
		['an unknown program that records another one', 'mytracer record prog'],
		['a profiler', 'py-spy top prog'],
		['a carrier that is not known, with a program', 'mywrapper node x.js'],
		['a carrier of a compiler', 'ccache gcc x.c'],
		['a carrier with an own name', 'eatmydata prog'],
		['an agent that starts a program', 'ssh-agent prog'],
		['a program that times commands', 'hyperfine prog'],
		['a program that starts commands on another machine', 'mosh host prog'],
		['an emulator', 'qemu-x86_64 prog'],
		['another shell', 'mksh prog'],
		['another interpreter', 'ipython prog'],
		['an init that starts a program', 'dumb-init prog'],
		['a script named as a carrier', 'npm run node'],
		['npm exec', 'npm exec'],
		['npm install', 'npm install left-pad'],
		['git checkout', 'git checkout main'],
		['git config', 'git config x'],
		['git clean', 'git clean'],
		['git rebase', 'git rebase main'],
		['go run', 'go run ./x'],
		['go generate', 'go generate'],
		['cargo run', 'cargo run'],
		['a chain with another command', 'npm test && rm x'],
		['a chain with a loop', 'for x in a; do npm test; done'],
		['too many commands to read', 'git status; git diff; git log; git branch'],
	])('are not offered for %s', (_case, command) => {
		expect(patternsFor(command, 'bash', {user: [], project: [], answered: []})).toBeUndefined();
	});

	it('are offered only for the commands of a chain that need one', () => {
		const some: Rule[] = [{tool: 'bash', begins: ['git', 'add'], action: 'allow'}];
		const patterns = patternsFor('git add -A && git commit -m x | tail -2', 'bash', {...lists, answered: some});
		expect(patterns).toEqual([['git', 'commit']]);
	});
});

describe('a chain', () => {
	const user: Rule[] = [
		{tool: 'bash', match: 'npm test*', action: 'allow'},
		{tool: 'bash', match: 'git push*', action: 'deny'},
		{tool: 'bash', match: 'git fetch*', action: 'ask'},
	];

	it('runs if a rule of a file or an answer allows each command', () => {
		const exact: Rule[] = [{tool: 'bash', exact: 'node --test', action: 'allow'}];
		expect(
			allowsChain('npm test && node --test 2>&1 | tail -5', 'bash', {user, project: [], answered: exact}),
		).toBe(true);
	});

	it.each(['npm test && git push', 'npm test && git fetch', 'git push', 'git fetch origin'])(
		'does not run if a rule denies or asks about a command, whatever a pattern allows: %s',
		command => {
			expect(allowsChain(command, 'bash', {user, project: [], answered})).toBe(false);
			expect(allowsChain(command, 'bash', {user: [], project: user, answered})).toBe(false);
		},
	);
});
