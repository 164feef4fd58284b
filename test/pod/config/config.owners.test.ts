import {chmod, chown, lchown, mkdir, rename, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {loadConfig} from '../../../src/pod/config/config.ts';
import {loadMcpConfig} from '../../../src/pod/servers/mcp/config.ts';
import {runProgram} from '../../helpers/program.ts';
import {isRoot, otherUid} from '../../helpers/other-user.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';

type Prepare = (config: TempProject, file: string) => Promise<unknown>;
type Case = readonly [name: string, prepare: Prepare, reason: RegExp, at: 'file' | 'folder'];

const every: readonly Case[] = [
	[
		'that every user may change',
		async (_, file) => chmod(file, 0o666),
		/every user may change it.*chmod go-w/,
		'file',
	],
	[
		'in a folder that every user may change',
		async ({dir}) => chmod(join(dir, 'inkpod'), 0o777),
		/every user may change .*chmod go-w/,
		'folder',
	],
	[
		'that a link leads to, in a folder that every user may change',
		async ({dir}, file) => {
			await mkdir(join(dir, 'open'));
			await rename(file, join(dir, 'open/x'));
			await symlink('../open/x', file);
			await chmod(join(dir, 'open'), 0o777);
		},
		/every user may change .*open.*chmod go-w/,
		'folder',
	],
];
/** A group to which this process can give a file, and whose members are not only this user. */
const sharedGroup = isRoot
	? 1
	: [process.getegid?.(), ...(process.getgroups?.() ?? [])].find(group => group !== process.getuid?.());
const grouped: readonly Case[] = [
	[
		'that its group may change',
		async (_, file) => chown(file, -1, sharedGroup ?? -1).then(async () => chmod(file, 0o664)),
		/its group may change it.*chmod go-w/,
		'file',
	],
];
const owned: readonly Case[] = [
	[
		'of another user',
		async (_, file) => lchown(file, otherUid, otherUid),
		/it belongs to another user \(uid 12345\).*chown/,
		'file',
	],
	[
		'in a folder of another user',
		async ({dir}) => lchown(join(dir, 'inkpod'), otherUid, otherUid),
		/belongs to another user.*chown/,
		'folder',
	],
	[
		'that is a link of another user',
		async ({dir}, file) => {
			await rename(file, join(dir, 'x'));
			await symlink('../x', file);
			await lchown(file, otherUid, otherUid);
		},
		/belongs to another user.*chown -h/,
		'file',
	],
];
/** The cases, and whether this user can make them. */
const cases = [
	{can: true, who: 'as any user', each: every},
	{can: sharedGroup !== undefined, who: 'as root, or with a second group', each: grouped},
	{can: isRoot, who: 'as root', each: owned},
];

const used: ReadonlyArray<readonly [string, Prepare]> = [
	['of yours', async () => {}],
	['that others may read', async (_, file) => chmod(file, 0o644)],
	['that nobody may change', async (_, file) => chmod(file, 0o444)],
	['in a folder that its group may change', async ({dir}) => chmod(join(dir, 'inkpod'), 0o775)],
	['in a folder like /tmp', async ({dir}) => chmod(join(dir, 'inkpod'), 0o1777)],
	[
		'that a link leads to',
		async ({dir}, file) => {
			await rename(file, join(dir, 'x'));
			await symlink('../x', file);
		},
	],
];

const text = {toml: 'max_turns = 3\n', json: '{"mcpServers": {"a": {"command": "a"}}}'};

async function home(
	name: 'config.toml' | 'mcp.json',
	prepare: Prepare,
): Promise<{readonly env: {readonly XDG_CONFIG_HOME: string}; readonly file: string}> {
	const config = await tempProject({[`inkpod/${name}`]: name === 'mcp.json' ? text.json : text.toml});
	const file = config.path(`inkpod/${name}`);
	await prepare(config, file);
	return {env: {XDG_CONFIG_HOME: config.dir}, file};
}

describe('the user’s own configuration', () => {
	describe.each(cases)('$who', ({can, each}) => {
		it.runIf(can).each(each)('is ignored if it is a file %s', async (_, prepare, reason, at) => {
			const {env, file} = await home('config.toml', prepare);
			const read = await loadConfig(env);
			expect(read).toEqual({ok: false, sentence: expect.stringMatching(reason)});
			expect(!read.ok && read.sentence).toMatch(/^[^\n]*config\.toml is not used: [^\n]*\.$/);
			if (at === 'file') expect(!read.ok && read.sentence).toContain(`${file}.`);
		});
	});

	it.each(used)('is used if it is a file %s', async (_, prepare) => {
		const {env} = await home('config.toml', prepare);
		expect(await loadConfig(env)).toMatchObject({ok: true, config: {limits: {max_turns: 3}}});
	});

	it.runIf(isRoot)('is used if the user ran sudo and owns it', async () => {
		const {env} = await home('config.toml', async (_, file) => lchown(file, otherUid, otherUid));
		expect(await loadConfig({...env, SUDO_UID: String(otherUid)})).toMatchObject({ok: true});
	});

	it('ends the program with 2 and a reason if it cannot be used', async () => {
		const project = await tempProject({'home/.config/inkpod/config.toml': text.toml});
		await chmod(project.path('home/.config/inkpod/config.toml'), 0o666);
		const home = project.path('home');
		const {code, stderr} = await runProgram({args: ['-p', 'hello'], home});
		expect([code, stderr]).toEqual([
			2,
			expect.stringMatching(/config\.toml is not used: every user may change it/),
		]);
		const doctor = await runProgram({args: ['doctor'], home});
		expect(doctor.stdout).toMatch(/config\.toml is not used: every user may change it/);
	});
});

describe('the user’s own list of MCP servers', () => {
	describe.each(cases)('$who', ({can, each}) => {
		it.runIf(can).each(each)('starts no server if it is a file %s', async (_, prepare, reason) => {
			const {env, file} = await home('mcp.json', prepare);
			const {entries, problems} = await loadMcpConfig({user: file}, env);
			expect([entries, problems]).toEqual([[], [expect.stringMatching(reason)]]);
		});
	});

	it.each(used)('is used if it is a file %s', async (_, prepare) => {
		const {env, file} = await home('mcp.json', prepare);
		expect(await loadMcpConfig({user: file}, env)).toMatchObject({entries: [{name: 'a'}], problems: []});
	});
});
