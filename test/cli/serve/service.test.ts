import {mkdir, readFile, readdir, stat, symlink, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {dirname, join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {findService} from '../../../src/cli/serve/service.ts';
import {markedUnit, unitFile} from '../../../src/cli/serve/unit.ts';
import {serverSocket} from '../../../src/pod/index.ts';
import {fakeSystemctl, type Trouble} from '../../helpers/fake-systemctl.ts';
import {tempProject} from '../../helpers/temp-project.ts';

const check = '--user show --property=Version';
const reload = '--user daemon-reload';
const enable = '--user enable --now inkpod.service';
const program = ['/opt/node', '/opt/inkpod.js'];

/** A user whose server listens already, so that a start never waits for it. */
async function user({trouble, isUp = true}: {readonly trouble?: Trouble; readonly isUp?: boolean} = {}) {
	const project = await tempProject();
	const systemd = await fakeSystemctl(project, trouble ?? 'starts nothing');
	const HOME = await project.mkdir('../home');
	const env = {HOME, PATH: systemd.bin, XDG_RUNTIME_DIR: await project.mkdir('../run')};
	const socket = serverSocket(env)!;
	await mkdir(dirname(socket), {recursive: true, mode: 0o700});
	const server = createServer();
	if (isUp) await new Promise<void>(resolve => server.listen(socket, resolve));
	onTestFinished(() => void server.close());
	const file = unitFile(env, 'linux').path;
	const find = async (more: Readonly<Record<string, string>> = {}) =>
		findService({env: {...env, ...more}, cwd: project.dir, platform: 'linux', program, patienceMs: 200});
	const content = markedUnit({name: 'inkpod.service', program, env, platform: 'linux'});
	return {project, systemd, env, file, find, content};
}

async function save(file: string, text: string): Promise<void> {
	await mkdir(dirname(file), {recursive: true});
	await writeFile(file, text);
}

describe('the service of the server', () => {
	it('is written and enabled, after the user has seen each step', async () => {
		const {systemd, file, find, content} = await user();
		const service = await find({ANTHROPIC_API_KEY: 'secret'});
		expect(service?.steps).toEqual([
			'Write ~/.config/systemd/user/inkpod.service',
			`systemctl ${reload}`,
			`systemctl ${enable}`,
		]);
		expect(await systemd.calls()).toEqual([check]);
		await expect(stat(file)).rejects.toThrow('ENOENT');
		expect(await service?.start()).toBeUndefined();
		expect(await systemd.calls()).toEqual([check, reload, enable]);
		expect(await readFile(file, 'utf8')).toBe(content);
		expect(content).toContain('ExecStart="/opt/node" "/opt/inkpod.js" "serve"\n');
		expect(content).not.toContain('secret');
		expect(await readdir(dirname(file))).toEqual(['inkpod.service']);
	});

	it('is used again if its file has not changed, and replaced if inkpod wrote it for another program', async () => {
		const {env, file, find, content} = await user();
		await save(file, content);
		expect((await find())?.steps[0]).toBe('Use ~/.config/systemd/user/inkpod.service');
		await save(file, markedUnit({name: 'inkpod.service', program: ['/old/node'], env, platform: 'linux'}));
		const service = await find();
		expect(service?.steps[0]).toBe('Replace ~/.config/systemd/user/inkpod.service, which inkpod wrote');
		expect(await service?.start()).toBeUndefined();
		expect(await readFile(file, 'utf8')).toBe(content);
	});

	it.each([
		['has changed one letter', (content: string) => content.replace('on-failure', 'on-failurE')],
		['has added a line', (content: string) => `${content}# mine\n`],
		['wrote it', () => '[Service]\nExecStart=/bin/true\n'],
		['has emptied it', () => ''],
	])('starts as it is if the user %s', async (_, change) => {
		const {systemd, file, find, content} = await user();
		const own = change(content);
		await save(file, own);
		const service = await find();
		expect(service?.steps[0]).toBe('Use ~/.config/systemd/user/inkpod.service as it is, because it is yours');
		expect(await service?.start()).toBeUndefined();
		expect(await readFile(file, 'utf8')).toBe(own);
		expect((await systemd.calls()).at(-1)).toBe('--user start inkpod.service');
	});

	it('never writes through a link, or over a file that appears or changes after the question', async () => {
		const {project, env, file, find} = await user();
		const service = await find();
		await save(file, 'mine');
		expect(await service?.start()).toBe(`Cannot write ${file} (EEXIST).`);
		await save(file, markedUnit({name: 'inkpod.service', program: ['/old/node'], env, platform: 'linux'}));
		const replaces = await find();
		await save(file, 'mine');
		expect(await replaces?.start()).toBe(`Cannot write ${file} (EEXIST).`);
		expect(await readFile(file, 'utf8')).toBe('mine');
		const linked = await user();
		await mkdir(dirname(linked.file), {recursive: true});
		await symlink(project.path('target'), linked.file);
		expect((await linked.find())?.steps[0]).toContain('as it is');
		await expect(stat(project.path('target'))).rejects.toThrow('ENOENT');
	});

	it('starts if another terminal has written the same file after the question', async () => {
		const {file, find, content} = await user();
		const service = await find();
		await save(file, content);
		expect(await service?.start()).toBeUndefined();
	});

	it('has its own name and file for another state folder', async () => {
		const {file, find} = await user();
		const service = await find({INKPOD_HOME: '/elsewhere'});
		expect(service?.steps[0]).toMatch(/^Write ~\/\.config\/systemd\/user\/inkpod-[0-9a-f]{12}\.service$/);
		expect(unitFile({HOME: dirname(file), INKPOD_HOME: '/elsewhere'}, 'darwin').path).toMatch(
			/\/Library\/LaunchAgents\/inkpod\.serve-[0-9a-f]{12}\.plist$/,
		);
	});

	it('is absent without a service manager, or if its program belongs to the project', async () => {
		const {project, find} = await user({trouble: 'no manager'});
		expect(await find()).toBeUndefined();
		expect(await find({PATH: '/nowhere'})).toBeUndefined();
		await project.mkdir('.git');
		const inside = await fakeSystemctl({...project, mkdir: async name => project.mkdir(name.replace('../', ''))});
		expect(await find({PATH: inside.bin})).toBeUndefined();
	});

	it('says in one line which command failed, and keeps the file for the next try', async () => {
		const {file, find, content} = await user({trouble: 'refuses'});
		expect(await (await find())?.start()).toMatch(
			/^The service was not started: systemctl \S+ enable --now \S+: Failed to enable unit:[^\x1b\n]* refused$/,
		);
		expect(await readFile(file, 'utf8')).toBe(content);
	});

	it('says how to find the reason if the server does not answer', async () => {
		const {find} = await user({isUp: false});
		expect(await (await find())?.start()).toBe(
			'The service was started, but does not answer. To see why: systemctl --user status inkpod.service',
		);
	});

	it('cannot write into a folder that is a file', async () => {
		const {env, file, find} = await user();
		await save(join(env.HOME, '.config/systemd'), '');
		expect(await (await find())?.start()).toMatch(new RegExp(`^Cannot write ${file} \\((?:EEXIST|ENOTDIR)\\)\\.$`));
	});
});

describe('the service on macOS', () => {
	it('is a launch agent with its own label and the sum of its lines', async () => {
		const env = {HOME: '/Users/me'};
		const {name, path} = unitFile(env, 'darwin');
		expect([name, path]).toEqual(['inkpod.serve', '/Users/me/Library/LaunchAgents/inkpod.serve.plist']);
		const agent = markedUnit({name, program, env, platform: 'darwin'});
		expect(agent).toMatch(
			/<key>Label<\/key>\n\t<string>inkpod\.serve<\/string>[^]*<\/plist>\n<!-- sha256 \w{64} -->\n$/,
		);
	});
});
