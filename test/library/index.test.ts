import {execFileSync, spawn} from 'node:child_process';
import {mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {builtProgram, projectRoot} from '../helpers/built.ts';
import {readExamples} from '../helpers/examples.ts';
import {cleanEnvironment} from '../helpers/pty.ts';

let folder: string;
const examples = readExamples().filter(({page}) => page === 'docs/library.md');

/** An empty project with nothing but the packed library and the types of Node. */
beforeAll(async () => {
	await builtProgram();
	folder = await mkdtemp(join(tmpdir(), 'inkpod-library-'));
	const npm = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
	const [{filename}] = JSON.parse(execFileSync('npm', npm, {cwd: projectRoot, encoding: 'utf8'})) as [
		{readonly filename: string},
	];
	await mkdir(join(folder, 'node_modules/inkpod'), {recursive: true});
	execFileSync('tar', ['-xzf', join(folder, filename), '-C', 'node_modules/inkpod', '--strip-components=1'], {
		cwd: folder,
	});
	await mkdir(join(folder, 'node_modules/@types'));
	for (const name of ['@types/node', 'undici-types'])
		await symlink(join(projectRoot, 'node_modules', name), join(folder, 'node_modules', name));
	await writeFile(join(folder, 'package.json'), JSON.stringify({name: 'mine', private: true, type: 'module'}));
	await writeFile(
		join(folder, 'tsconfig.json'),
		JSON.stringify({
			compilerOptions: {
				strict: true,
				exactOptionalPropertyTypes: true,
				noUncheckedIndexedAccess: true,
				target: 'es2024',
				lib: ['es2024', 'esnext.disposable'],
				module: 'nodenext',
				types: ['node'],
				outDir: 'out',
			},
		}),
	);
	for (const {kind, text} of examples) await writeFile(join(folder, kind.replace('ts ', '')), text);
});
afterAll(async () => rm(folder, {recursive: true, force: true}));

async function run(script: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
	const home = join(folder, 'home');
	await mkdir(home, {recursive: true});
	const env = {...cleanEnvironment(home), ...more};
	const child = spawn(process.execPath, [script], {cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe']});
	let [out, err] = ['', ''];
	child.stdout.on('data', text => (out += String(text)));
	child.stderr.on('data', text => (err += String(text)));
	const code = await new Promise<number | null>(resolve => child.on('close', resolve));
	expect({code, err}).toEqual({code: 0, err: ''});
	return out;
}

/** A model that follows a script: it calls this tool, and then says this. */
async function scripted(name: string, args: object, text: string): Promise<Readonly<Record<string, string>>> {
	const file = join(folder, `${name}.json`);
	await writeFile(file, JSON.stringify([[{type: 'tool_call', name, arguments: args}], [{type: 'text', text}]]));
	return {INKPOD_MODEL: `scripted:${file}`};
}

describe('the packed library', () => {
	it('compiles with its examples, in a project that has no other package', () => {
		const tsc = join(projectRoot, 'node_modules/.bin/tsc');
		expect(() => execFileSync(tsc, ['-p', folder], {cwd: folder, encoding: 'utf8', stdio: 'pipe'})).not.toThrow();
		expect(examples.map(({kind}) => kind)).toEqual([
			'ts own-tool.ts',
			'ts own-feature.ts',
			'ts own-model.ts',
			'ts own-client.ts',
		]);
	});

	it('names no package in its types', async () => {
		const types = await readFile(join(folder, 'node_modules/inkpod/dist/library.d.ts'), 'utf8');
		expect(types).not.toMatch(/^\s*(?:import|export) .* from |\bimport\(|<reference/m);
		expect(types).toMatch(/\*\/\nexport declare function openPod\(options: OpenOptions\): Promise<Opened>;\n$/);
	});

	it('exports one function', async () => {
		await writeFile(
			join(folder, 'names.mjs'),
			`import * as all from 'inkpod'; console.log(Object.keys(all).join());`,
		);
		expect(await run('names.mjs')).toBe('openPod\n');
	});

	it('loads neither React nor Ink, also while a turn runs', async () => {
		const hooks = `import {registerHooks} from 'node:module';
			registerHooks({load(url, context, next) {
				const loaded = next(url, context);
				const text = String(loaded.source ?? '');
				if (/react\\.transitional\\.element|WebAssembly\\.instantiate|ink-/.test(text)) console.log('SCREEN', url);
				return loaded;
			}});
			await import('./out/own-model.js');`;
		await writeFile(join(folder, 'hooked.mjs'), hooks);
		expect(await run('hooked.mjs')).toBe('HELLO\n');
		const chunks = join(folder, 'node_modules/inkpod/dist/chunks');
		const ofInk = (await readdir(chunks)).filter(name => /^ink-\d/u.test(name)).map(name => join(chunks, name));
		const chat = `${hooks.split('await')[0]}\nfor (const file of ${JSON.stringify(ofInk)}) await import(file);`;
		await writeFile(join(folder, 'hooked-chat.mjs'), chat);
		expect(await run('hooked-chat.mjs')).toContain('SCREEN');
	});

	it('runs its example of a tool', async () => {
		const env = await scripted('stock', {article: 'lamps'}, 'Twelve lamps are left.');
		expect(await run('out/own-tool.js', env)).toBe('Twelve lamps are left.\n');
	});

	it('runs its example of a feature', async () => {
		const env = await scripted('sell', {article: 'lamp'}, 'The lamp is sold.');
		expect(await run('out/own-feature.js', env)).toBe('The lamp is sold.\n');
	});

	it('runs its example of a model', async () => {
		expect(await run('out/own-model.js')).toBe('HELLO\n');
	});

	it('runs its example of a client', async () => {
		const out = await run('out/own-client.js', await scripted('bash', {command: 'echo hello'}, 'It says hello.'));
		expect(out).toContain('Run this command?\necho hello');
		expect(out).toContain('It says hello.');
		expect(out).toMatch(/\nfinished\n$/);
	});
});
