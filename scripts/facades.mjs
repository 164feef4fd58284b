import {rm, writeFile} from 'node:fs/promises';
import path from 'node:path';

/**
The properties of a chunk that this module uses.
@typedef {Pick<import('rolldown').OutputChunk, 'type' | 'fileName' | 'name' | 'isEntry' | 'moduleIds' | 'modules' |
'imports' | 'dynamicImports' | 'code'>} Chunk
*/

/**
Removes facades: chunks that only rename the exports of another one. `import('./facade.js')` becomes an import of that
chunk, with the names mapped. Each file costs npm 3 ms when npx unpacks the package, and 0.5 ms when it loads
(docs/start.md). Writes the changed chunks into `directory` and returns the remaining ones. Throws when one of them
still names a removed chunk.
@param {readonly Chunk[]} chunks
@param {string} directory
@returns {Promise<Chunk[]>}
*/
export async function withoutFacades(chunks, directory) {
	const needed = new Set(chunks.flatMap(({imports}) => imports));
	const facades = new Map(chunks.flatMap(chunk => (needed.has(chunk.fileName) ? [] : facadeOf(chunk))));
	const kept = chunks.filter(({fileName}) => !facades.has(fileName));
	const redirected = kept.map(chunk => ({chunk, code: redirect(chunk, facades)}));
	for (const name of facades.keys()) {
		const asking = redirected.find(({code}) => code.includes(path.posix.basename(name)));
		if (asking !== undefined) throw new Error(`${asking.chunk.fileName} still names ${name}`);
	}
	for (const name of facades.keys()) await rm(path.join(directory, name));
	for (const {chunk, code} of redirected)
		if (code !== chunk.code) await writeFile(path.join(directory, chunk.fileName), code);
	return redirected.map(({chunk, code}) => (code === chunk.code ? chunk : withCode(chunk, code, facades)));
}

/**
Describes a chunk that is a single `export … from`: its file, the target's file and the names. Returns an empty list for
other chunks.
*/
function facadeOf({fileName, code, isEntry}) {
	const found = isEntry ? null : /^export\s*\{([^{}]*)\}\s*from\s*["']\.\/([^"']+)["'];?\s*$/u.exec(code);
	if (found === null) return [];
	const names = found[1].split(',').map(name => name.trim().split(' as '));
	const target = path.posix.join(path.posix.dirname(fileName), found[2]);
	return [[fileName, {target, names: names.map(([from, to = from]) => ({from, to}))}]];
}

function redirect({fileName, code}, facades) {
	const directory = path.posix.dirname(fileName);
	return code.replaceAll(/import\(\s*(["'`])(\.\.?\/[^"'`]+)\1\s*\)/gu, (whole, _quote, specifier) => {
		const facade = facades.get(path.posix.join(directory, specifier));
		return facade === undefined ? whole : importOf(facade, directory);
	});
}

/** Copies the chunk to a plain object, because the properties of a rolldown chunk are getters. */
function withCode({fileName, name, isEntry, moduleIds, modules, imports, dynamicImports, type}, code, facades) {
	const targets = new Set(dynamicImports.map(each => facades.get(each)?.target ?? each));
	return {type, fileName, name, isEntry, moduleIds, modules, imports, dynamicImports: [...targets], code};
}

function importOf({target, names}, directory) {
	const specifier = `./${path.posix.relative(directory, target)}`;
	const entries = names.map(({from, to}) => `${JSON.stringify(to)}:e[${JSON.stringify(from)}]`);
	return `import(${JSON.stringify(specifier)}).then(e=>({${entries.join(',')}}))`;
}
