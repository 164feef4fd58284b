import {linkSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {confinedCommands} from '../helpers/confined-commands.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});

/** Links whose names, with what is in their targets, other programs run. */
const holders: ReadonlyArray<readonly [link: string, target: string, file: string]> = [
	['.config/autostart', '../auto', 'auto/x.desktop'],
	['.config/systemd', '../units', 'units/user/x.service'],
	['.config', 'settings', 'settings/autostart/x.desktop'],
	['.config', 'settings', 'settings/git/attributes'],
	['fish', 'shell', 'shell/functions/x.fish'],
	['Library/LaunchAgents', '../agents', 'agents/x.plist'],
];

describe.runIf(available.ok)('what other programs run by way of a link', {timeout: 60_000}, () => {
	it.for(holders)('is protected in the target of %s (%s): %s', async ([name, target, file]) => {
		for (const isLayered of [true, false]) {
			const {project, write, link, run} = confinedCommands();
			write(`home/project/${file}`, 'old');
			write('home/project/settings/other/a', 'old');
			link(join(project, name), target);
			const {changed} = await run(`echo evil > ${file}; echo new > settings/other/a`, {isLayered});
			expect(readFileSync(join(project, file), 'utf8')).toBe('old');
			expect(readFileSync(join(project, 'settings/other/a'), 'utf8')).toBe('new\n');
			expect(changed).toEqual(isLayered ? [file] : []);
		}
	});

	it.for(holders)('is named if the link %s to %s is new', async ([name, target, file]) => {
		for (const isLayered of [true, false]) {
			const {write, run} = confinedCommands();
			write(`home/project/${file}`, 'old');
			const made = await run(`mkdir -p "$(dirname ${name})"; ln -s ${target} ${name}`, {isLayered});
			expect(isLayered ? made.changed : made.created).toEqual([name]);
		}
	});

	it('is named if it was missing, or if a link on the way is replaced', async () => {
		const {project, write, link, run} = confinedCommands();
		write('home/project/a/run', 'old');
		mkdirSync(join(project, 'tools'));
		for (const [name, target] of Object.entries({
			'.envrc': 'tools/env',
			'.husky/pre-push': '../tools/push',
			way: 'a',
			'.husky/pre-commit': '../way/run',
		}))
			link(join(project, name), target);
		const {created} = await run(
			'echo evil > tools/env; echo evil > tools/push; rm way; mkdir way; echo evil > way/run; touch other',
			{isLayered: false},
		);
		expect(created?.toSorted()).toEqual(['tools/env', 'tools/push', 'way']);
		expect((await run('touch more', {isLayered: false})).created).toEqual([]);
	});

	it('is protected under names that are not UTF-8', async () => {
		const {project, write, run} = confinedCommands();
		write('home/project/.envrc', 'old');
		const other = (...parts: ReadonlyArray<string | number>) =>
			Buffer.concat(parts.map(part => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))));
		mkdirSync(other(`${project}/a`));
		mkdirSync(other(`${project}/`, 0xfd));
		linkSync(join(project, '.envrc'), other(`${project}/a/`, 0xff));
		linkSync(join(project, '.envrc'), other(`${project}/`, 0xfd, '/b'));
		await run(String.raw`echo evil > $'a/\xff'; echo evil > $'\xfd/b'`, {isLayered: false});
		expect(readFileSync(join(project, '.envrc'), 'utf8')).toBe('old');
	});
});
