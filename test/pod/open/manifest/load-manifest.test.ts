import {execFileSync} from 'node:child_process';
import {mkdir, mkdtemp, realpath, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {loadManifest, type Manifest} from '../../../../src/pod/open/manifest/load-manifest.ts';

async function project(files: Readonly<Record<string, string>>): Promise<string> {
	const root = await realpath(await mkdtemp(join(tmpdir(), 'inkpod-manifest-')));
	await mkdir(join(root, '.git'));
	for (const [path, text] of Object.entries(files)) {
		await mkdir(dirname(join(root, path)), {recursive: true});
		await writeFile(join(root, path), text);
	}
	return root;
}

async function load({
	trusted = false,
	...options
}: {
	readonly start: string;
	readonly file?: string;
	readonly trusted?: boolean;
}): Promise<Manifest> {
	const result = await loadManifest({...options, trusted: async () => trusted});
	if (!result.ok) throw new Error(result.sentence);
	return result.manifest;
}

async function sentence(text: string, trusted = true): Promise<string> {
	const root = await project({'inkpod.toml': text});
	const result = await loadManifest({start: root, trusted: async () => trusted});
	if (result.ok) throw new Error('expected a refusal');
	return result.sentence.replaceAll(root, '');
}

describe('the search for a manifest', () => {
	it('uses the start directory as the scope when it finds no file', async () => {
		const root = await project({'sub/a.ts': ''});
		expect(await load({start: join(root, 'sub')})).toEqual({pwd: join(root, 'sub'), writable: true, limits: {}});
	});
	it('finds the nearest manifest up to the git root', async () => {
		const root = await project({'inkpod.toml': '', 'a/inkpod.toml': '[scope]\nwritable = false\n', 'a/b/c.ts': ''});
		const manifest = await load({start: join(root, 'a/b'), trusted: true});
		expect(manifest).toMatchObject({file: join(root, 'a/inkpod.toml'), pwd: join(root, 'a'), writable: false});
	});
	it('ignores a manifest above the git root', async () => {
		const root = await project({'inkpod.toml': '', 'inner/.git/HEAD': '', 'inner/src/a.ts': ''});
		expect((await load({start: join(root, 'inner/src')})).file).toBeUndefined();
	});
	it('looks only in the start directory when there is no git root', async () => {
		const root = await realpath(await mkdtemp(join(tmpdir(), 'inkpod-manifest-')));
		await mkdir(join(root, 'sub'));
		await writeFile(join(root, 'inkpod.toml'), '');
		expect((await load({start: join(root, 'sub')})).file).toBeUndefined();
		expect((await load({start: root})).file).toBe(join(root, 'inkpod.toml'));
	});
	it('resolves a named file relative to the start directory', async () => {
		const root = await project({
			'inkpod.toml': 'nonsense = 1',
			'conf/other.toml': '[scope]\npwd = "../src"\n',
			'src/a.ts': '',
		});
		expect(await load({start: root, file: 'conf/other.toml'})).toMatchObject({
			file: join(root, 'conf/other.toml'),
			pwd: join(root, 'src'),
		});
	});
	it('reports a missing named file', async () => {
		const root = await project({});
		expect(await loadManifest({start: root, file: 'none.toml'})).toEqual({
			ok: false,
			sentence: `${join(root, 'none.toml')} does not exist.`,
		});
	});
	it('refuses a FIFO without waiting for its writer', async () => {
		const root = await project({});
		execFileSync('mkfifo', [join(root, 'inkpod.toml')]);
		expect(await loadManifest({start: root})).toMatchObject({
			ok: false,
			sentence: expect.stringContaining('not a regular file'),
		});
	});
});

describe('errors', () => {
	it.each([
		[
			'an unknown key',
			'[scope]\n# a comment\nwriteable = false\n',
			'/inkpod.toml:3: unknown key scope.writeable (known here: pwd, writable).',
		],
		[
			'an unknown table',
			'max_turns = 3\n\n[scop]\npwd = "."\n',
			'/inkpod.toml:3: unknown key scop (known here: scope, model, providers, file_refs, tools, ' +
				'retry, compaction, max_turns, permission, confine).',
		],
		[
			'an unknown key after a text of many lines',
			'[file_refs]\nmax_files = 1\n[scope]\npwd = """\na/\nb"""\nwriteable = false\n',
			'/inkpod.toml:7: unknown key scope.writeable (known here: pwd, writable).',
		],
		[
			'an unknown key whose value has many lines',
			'[tools]\nmax_output_bytes = 2048\nallow = [\n"a",\n"b",\n]\n',
			'/inkpod.toml:3: unknown key tools.allow (known here: max_output_bytes).',
		],
		['a wrong type', '[scope]\nwritable = "no"\n', '/inkpod.toml:2: scope.writable must be true or false.'],
		[
			'a number out of range',
			'\n[file_refs]\nmax_files = 0\n',
			'/inkpod.toml:3: file_refs.max_files must be at least 1.',
		],
		['broken TOML', '[scope]\npwd = \n', '/inkpod.toml:2: this is not valid TOML (invalid value, column 7).'],
		[
			'a key twice',
			'max_turns = 1\nmax_turns = 2\n',
			'/inkpod.toml:2: this is not valid TOML (trying to redefine an already defined table or value, column 1).',
		],
		[
			'a missing pwd',
			'[scope]\nwritable = true\npwd = "./nowhere"\n',
			'/inkpod.toml:3: scope.pwd names "./nowhere", which does not exist or is not a directory.',
		],
		[
			'a pwd that is a file',
			'[scope]\npwd = "inkpod.toml"\n',
			'/inkpod.toml:2: scope.pwd names "inkpod.toml", which does not exist or is not a directory.',
		],
		[
			'an unknown action',
			'[[permission]]\ntool = "bash"\naction = "maybe"\n',
			'/inkpod.toml:3: permission.0.action must be "allow" or "ask" or "deny".',
		],
		[
			'a rule without a tool',
			'[[permission]]\nmatch = "x"\naction = "deny"\n',
			'/inkpod.toml: permission.0.tool must be text in quotes.',
		],
		[
			'a rule with an unknown key',
			'[[permission]]\ntool = "x"\naction = "deny"\nreason = "r"\n',
			'/inkpod.toml:4: unknown key permission.0.reason.',
		],
		[
			'a glob that never names a path',
			'[[permission]]\ntool = "edit_*"\nmatch = "!x"\naction = "deny"\n',
			'/inkpod.toml:3: permission.0.match would never match a path: "!x" begins with !, which ' +
				'excludes nothing here. Write a rule for the exceptions and put it first; write \\! ' +
				'for the ! at the beginning of a name.',
		],
		[
			'an invalid glob for paths',
			'[[permission]]\ntool = "edit_*"\nmatch = "a{b"\naction = "deny"\n',
			'/inkpod.toml:3: permission.0.match is not a valid glob for paths: The glob has a { without its }: a{b.',
		],
		[
			'options without a model',
			'[model]\nstall_timeout = 5\noptions = {merge_user = true}\n',
			'/inkpod.toml:3: model.options belong to a named model: set model.name in the same file.',
		],
	])('name the file, the line and the key: %s', async (_, text, expected) => {
		expect(await sentence(text)).toBe(expected);
	});
	it('escape control characters in a key', async () => {
		expect(await sentence('[scope]\n"a\\u001b[31m\\u009b\\u202e" = 1\n')).not.toMatch(
			/[\u0000-\u001F\u007F-\u009F\u202E]/u,
		);
	});
	it('are the same for an untrusted file with an unknown key', async () => {
		expect(await sentence('[limits]\nmcp = 1\n', false)).toContain(':1: unknown key limits');
	});
	it.each(['scop', 'permision', 'hook', 'hooks', 'confin', 'confined', 'limit', 'max_turn', 'file_ref', 'tool'])(
		'include the unknown table %s, because a typing error there would allow more',
		async table => {
			expect(await sentence(`[[${table}]]\na = 1\n`)).toContain(`:1: unknown key ${table}`);
		},
	);
});

describe('unknown keys', () => {
	it.each([
		['[modle]\nname = "x/y"\n', ':1: unknown key modle is ignored. Did you mean model?'],
		['[model]\nnaem = "x/y"\n', ':2: unknown key model.naem is ignored. Did you mean model.name?'],
		['zzz = 1\n', ':1: unknown key zzz (known here: scope, model, providers, file_refs, tools, retry, '],
	])('are ignored with a warning elsewhere: %j', async (text, warning) => {
		const root = await project({'inkpod.toml': text});
		for (const trusted of [true, false])
			expect((await load({start: root, trusted})).warning).toContain(`inkpod.toml${warning}`);
	});
	it('are warnings of a limited number and length, without control characters', async () => {
		const keys = Array.from({length: 50}, (_, at) => `"${'\\u001b'.repeat(60)}${at}" = 1\n`);
		const root = await project({'inkpod.toml': keys.join('')});
		const {warning = ''} = await load({start: root});
		expect(warning.length).toBeLessThan(10_000);
		expect(warning).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/u);
	});
});

describe('trust in a manifest', () => {
	it('is not needed for a manifest that narrows', async () => {
		const root = await project({'inkpod.toml': '[scope]\npwd = "src"\nwritable = false\n', 'src/a.ts': ''});
		const narrowed = {pwd: join(root, 'src'), startedIn: root, writable: false, limits: {}};
		expect(await load({start: root})).toEqual({file: join(root, 'inkpod.toml'), ...narrowed});
	});
	it('is needed when it widens the scope or makes choices: its settings are ignored with one warning', async () => {
		const root = await project({
			'inkpod.toml': 'max_turns = 900\n[model]\nname = "openai/x"\n[tools]\nmax_output_bytes = 99999\n',
			'sub/a.ts': '',
		});
		const manifest = await load({start: join(root, 'sub')});
		expect(manifest).toMatchObject({pwd: join(root, 'sub'), limits: {}});
		expect(manifest.model).toBeUndefined();
		expect(manifest.untrusted?.warning).toContain('a pwd outside of the start directory, model, tools, max_turns');
	});
	it('is needed for a pwd through a link that leads outside', async () => {
		const root = await project({'inkpod.toml': '[scope]\npwd = "out"\n'});
		await symlink('/', join(root, 'out'));
		expect(await load({start: root})).toMatchObject({
			pwd: root,
			untrusted: {warning: expect.stringContaining('outside of') as unknown},
		});
	});
	it('enables the model, the limits and a wider pwd', async () => {
		const root = await project({
			'inkpod.toml':
				'max_turns = 9\n[model]\nname = "openai/x"\nstall_timeout = 5\noptions = {merge_user = true}\n' +
				'[compaction]\nthreshold = 0.5\n',
			'sub/a.ts': '',
		});
		expect(await load({start: join(root, 'sub'), trusted: true})).toMatchObject({
			startedIn: join(root, 'sub'),
			pwd: root,
			model: 'openai/x',
			modelSettings: {mergeUser: true},
			limits: {max_turns: 9, model: {stall_timeout: 5}, compaction: {threshold: 0.5}},
		});
	});
	it('enables all rules, but without it only deny and ask rules apply', async () => {
		const text =
			'[[permission]]\ntool = "bash"\nmatch = "npm *"\naction = "allow"\n[[permission]]\ntool ' +
			'= "bash"\nmatch = "git push*"\naction = "deny"\n';
		const root = await project({'inkpod.toml': text});
		const [allow, deny] = [
			{tool: 'bash', match: 'npm *', action: 'allow'},
			{tool: 'bash', match: 'git push*', action: 'deny'},
		];
		expect(await load({start: root})).toMatchObject({
			permissions: [deny],
			untrusted: {text, rules: [allow, deny], grants: ['allow rules'], startGrants: []},
		});
		expect(await load({start: root, trusted: true})).toEqual({
			file: join(root, 'inkpod.toml'),
			pwd: root,
			writable: true,
			limits: {},
			permissions: [allow, deny],
		});
	});
	it('is not needed for deny rules', async () => {
		const root = await project({'inkpod.toml': '[[permission]]\ntool = "mcp__*"\naction = "deny"\n'});
		expect(await load({start: root})).toEqual({
			file: join(root, 'inkpod.toml'),
			pwd: root,
			writable: true,
			limits: {},
			permissions: [{tool: 'mcp__*', action: 'deny'}],
		});
	});
	it('never enables base URLs', async () => {
		const root = await project({
			'inkpod.toml':
				'[model]\nname = "openai/x"\nbase_url = "http://evil.example"\n[providers.openai]\nbase_url ' +
				'= "http://evil.example"\n',
		});
		const manifest = await load({start: root, trusted: true});
		expect(JSON.stringify({...manifest, warning: ''})).not.toContain('evil');
		expect(manifest.warning).toContain('model.base_url, providers');
	});
});
