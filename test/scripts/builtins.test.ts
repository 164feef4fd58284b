import {parseAst} from 'rolldown/parseAst';
import {describe, expect, it} from 'vitest';
import {withoutBuiltinImports} from '../../scripts/builtins.mjs';

describe('withoutBuiltinImports', () => {
	it('takes the modules of Node without an import, with every form of import', async () => {
		const {posix, path, whole, again, join, base, cwd, own, events} = await run(
			`import path from 'node:path';
import * as whole from "node:path";
import again, {join, basename as base, posix} from 'path';
import own, {cwd} from 'node:process';
import {default as events} from 'node:events';
import 'node:fs';`,
			'{posix, path, whole, again, join, base, cwd, own, events}',
		);
		expect([path, whole, again, own, events]).toEqual(
			['path', 'path', 'path', 'process', 'events'].map(name => process.getBuiltinModule(`node:${name}`)),
		);
		expect([posix, join, base, cwd]).toEqual([path.posix, path.join, path.basename, process.cwd]);
	});

	it('keeps imports of other modules, and imports that run later', async () => {
		const code = `import {a} from './a.js'; import b from 'zod'; const c = await import('node:zlib');`;
		expect(await rewrite(code)).toBe(code);
	});

	it('refuses to build a chunk that exports a name of a module of Node', async () => {
		await expect(rewrite(`export {join} from 'node:path';`)).rejects.toThrow('exports names of node:path');
		await expect(rewrite(`export * from 'node:path';`)).rejects.toThrow('exports names of node:path');
	});

	it('takes the functions, classes and whole objects of some modules at their first use, and values at once', async () => {
		const code = await rewrite(
			`import os, {homedir, EOL} from 'node:os';
import {createHash, Hash, hash} from 'node:crypto';
import {Script, createContext} from 'node:vm';`,
		);
		const asked: string[] = [];
		const fake = {getBuiltinModule: (name: string) => (asked.push(name), process.getBuiltinModule(name))};
		const names = '{os, homedir, EOL, createHash, Hash, hash, Script, createContext}';
		const made = new Function('globalThis', `${code}; return ${names}`)({process: fake});
		expect(asked).toEqual(['node:os']);
		expect(made.EOL).toBe('\n');
		expect(made.homedir()).toBe(made.os.homedir());
		expect(made.createHash('sha256').update('a').digest('hex')).toBe(made.hash('sha256', 'a'));
		expect(made.createHash('sha256') instanceof made.Hash).toBe(true);
		const script = new made.Script('left + 1');
		expect(script instanceof made.Script).toBe(true);
		expect(script.runInContext(made.createContext({left: 1}))).toBe(2);
		expect(new Set(asked)).toEqual(new Set(['node:os', 'node:crypto', 'node:vm']));
	});
});

async function rewrite(code: string): Promise<string> {
	return withoutBuiltinImports(code, parseAst);
}

async function run(code: string, result: string): Promise<any> {
	return new Function(`${await rewrite(code)}; return ${result}`)();
}
