import {existsSync} from 'node:fs';
import {mkdir, rm, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {confinedPlace, secret} from '../helpers/confined-place.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});

/** Names that are read-only where they exist, with a place in the home folder to which a project makes them links. */
const planted: ReadonlyArray<readonly [name: string, target: string]> = [
	['.envrc', '.netrc'],
	['.npmrc', '.ssh/id_ed25519'],
	['sub/.envrc', '.config/gh/hosts.yml'],
	['.vscode', '.ssh'],
	['.claude', '.aws'],
	['sub/.ssh', '.ssh'],
	['.config/git/config', '.netrc'],
	['.git', '.ssh'],
	['.git', '.config/gh'],
	['.git/hooks/pre-commit', '.netrc'],
	['.git/config', '.netrc'],
	['sub/.git', '.aws'],
];

describe.runIf(available.ok)('what a project contains', {timeout: 60_000}, () => {
	it.for(planted)('does not show a command where a link named %s leads', async ([name, target]) => {
		const {project, home, outside, run, damage} = await confinedPlace();
		const link = join(project, name);
		await rm(link, {recursive: true, force: true});
		await mkdir(dirname(link), {recursive: true});
		await symlink(join(home, target), link);
		const output = await run(
			`cat ${name} ${name}/* "$HOME/${target}" "$HOME/${target}"/* "$OUTSIDE"/*; ` +
				'echo x > ../new; echo x > "$OUTSIDE/file.txt"; echo x > "$HOME/new"',
		);
		expect(output).toContain('cat: ');
		expect(output).not.toContain(secret);
		expect(output).not.toContain('outside\n');
		expect(await damage()).not.toContain(join(outside, 'file.txt'));
		expect([join(project, '../new'), join(home, 'new')].filter(path => existsSync(path))).toEqual([]);
	});

	it.for(['.venv/bin', 'node_modules/.bin'])('does not show where links in %s lead if PATH has it', async folder => {
		const {project, home, outside, run} = await confinedPlace({mode: 'require', inPath: folder});
		await mkdir(join(project, folder), {recursive: true});
		await mkdir(join(outside, 'bin'));
		await mkdir(join(outside, 'lib'));
		for (const name of ['bin/tool', 'lib/data']) await writeFile(join(outside, name), secret, {mode: 0o755});
		await symlink(join(home, '.ssh/id_ed25519'), join(project, folder, 'key'));
		await symlink(join(outside, 'bin/tool'), join(project, folder, 'tool'));
		const output = await run(`cat ${folder}/key ${folder}/tool "$OUTSIDE/lib/data"; ls; echo WORKS`);
		expect(output).not.toContain(secret);
		expect(output).toContain('WORKS');
	});
});
