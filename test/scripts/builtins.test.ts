import {compileFunction} from 'node:vm';
import {parseAst} from 'rolldown/parseAst';
import {describe, expect, it} from 'vitest';
import {withoutBuiltinImports} from '../../scripts/builtins.mjs';

describe('withoutBuiltinImports', () => {
	it('takes the modules of Node without an import, with every form of import', async () => {
		const imports = `import path from 'node:path';
import * as whole from "node:path";
import again, {join, basename as base, posix} from 'path';
import own, {cwd} from 'node:process';
import {default as events} from 'node:events';
import 'node:fs';`;
		const {found} = await run(imports, '[path, whole, again, events]');
		const modules = ['path', 'path', 'path', 'events'];
		expect(found).toEqual(modules.map(name => process.getBuiltinModule(`node:${name}`)));
		const members = await run(imports, '[join === path.join, base === path.basename, posix === path.posix]');
		expect(members.found).toEqual([true, true, true]);
		expect((await run(imports, 'cwd === own.cwd')).found).toBe(true);
	});

	it('keeps imports of other modules, and imports that run later', async () => {
		const code = `import {a} from './a.js'; import b from 'zod'; const c = await import('node:zlib');`;
		expect(await rewrite(code)).toBe(code);
	});

	it('refuses to build a chunk that exports a name of a module of Node', async () => {
		await expect(rewrite(`export {join} from 'node:path';`)).rejects.toThrow('exports names of node:path');
		await expect(rewrite(`export * from 'node:path';`)).rejects.toThrow('exports names of node:path');
	});

	it('takes functions, classes and whole objects of some modules at their first use', async () => {
		const imports = `import os, {homedir} from 'node:os';
import {createHash, Hash, hash} from 'node:crypto';
import {Script, createContext} from 'node:vm';`;
		expect(await run(imports, 'undefined')).toEqual({found: undefined, asked: []});
		const uses = [
			'homedir() === os.homedir()',
			`createHash('sha256').update('a').digest('hex') === hash('sha256', 'a')`,
			`createHash('sha256') instanceof Hash`,
			`new Script('1') instanceof Script`,
			`new Script('left + 1').runInContext(createContext({left: 1})) === 2`,
		];
		const {found, asked} = await run(imports, `[${uses.join(', ')}]`);
		expect(found).toEqual(uses.map(() => true));
		expect(new Set(asked)).toEqual(new Set(['node:os', 'node:crypto', 'node:vm']));
	});

	it('takes values of these modules at once, because only a call can be delayed', async () => {
		expect(await run(`import {EOL} from 'node:os';`, 'EOL')).toEqual({found: '\n', asked: ['node:os']});
	});
});

async function rewrite(code: string): Promise<string> {
	return withoutBuiltinImports(code, parseAst);
}

/** Returns the value of an expression after these imports, and the names of the modules that were taken for it. */
async function run(imports: string, expression: string): Promise<{found: unknown; asked: string[]}> {
	const asked: string[] = [];
	const getBuiltinModule = (name: string) => {
		asked.push(name);
		return process.getBuiltinModule(name);
	};
	const evaluate = compileFunction(`${await rewrite(imports)}; return ${expression};`, ['globalThis']);
	const own = Object.assign(Object.create(process) as NodeJS.Process, {getBuiltinModule});
	const found: unknown = evaluate({process: own});
	return {found, asked};
}
