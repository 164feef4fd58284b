import {readFileSync} from 'node:fs';
import {rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {withoutFacades} from './facades.mjs';
import {patches, patchPlugin} from './patches.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/u, '');

/**
The threads that the program starts: the source of each, as the source that starts it names it beside itself, and its
file in the output.
*/
const threads = [{source: 'src/pod/completion/path-worker.ts', file: 'chunks/path-worker.js'}];

/**
Bundles the program and everything it imports into `directory`: app.js, the chunks that it loads later, and a file for
each thread.
Gives the output's chunks. Rejects on a warning about our own sources, and on an import that does not resolve.
*/
export async function bundle({directory, minify, sourcemap}) {
	const {version} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
	const written = {
		dir: directory,
		format: 'esm',
		minify,
		sourcemap,
		comments: minify ? {legal: false, annotation: false, jsdoc: false} : true,
	};
	const scattered = await write(programOf(version, written));
	await rm(path.join(directory, 'chunks'), {recursive: true, force: true});
	const whole = await write(
		programOf(version, {
			...written,
			codeSplitting: {includeDependenciesRecursively: false, groups: [gather(scattered)]},
		}),
	);
	const program = await withoutFacades(whole, directory);
	await tellPieces(program, directory);
	// Apart, and in one file each: what a thread shares with the program must not become a chunk that the first frame
	// waits for.
	const apart = threads.map(async ({source, file}) =>
		write({
			input: path.join(root, source),
			output: {...written, entryFileNames: file, codeSplitting: false},
		}),
	);
	return [...program, ...(await Promise.all(apart)).flat()];
}

function programOf(version, output) {
	return {
		input: {app: path.join(root, 'src/main.tsx')},
		preserveEntrySignatures: false,
		plugins: [patchPlugin([...patches, versionPatch(version), piecesPatch]), threadPlugin(threads)],
		output: {
			...output,
			entryFileNames: '[name].js',
			chunkFileNames: ({name}) => `chunks/${name.replaceAll('.', '-')}-[hash].js`,
		},
	};
}

/**
A group of rolldown's output: every file that is looked up, opened and linked costs about half a millisecond, and no key
is heard while one is.
What the first frame waits for is one chunk: all modules that the chat imports without `import()`, but for those that
the entry has before it.
What the pod is made of besides comes in pieces of about the same size, each of which imports only those before it.
`chunks` are those of an output without the group: only there it is known what is left of the modules' imports. Throws
when a source is in none of them.
*/
export function gather(
	chunks,
	{
		entry = 'src/main.tsx',
		source = 'src/commands/chat.ts',
		behind = 'src/pod/start/open-planned.ts',
		most = pieceSize,
	} = {},
) {
	const before = new Set(modulesOf(entry, chunks));
	const first = modulesOf(source, chunks).filter(id => !before.has(id));
	const later = modulesOf(behind, chunks).filter(id => !before.has(id) && !first.includes(id));
	const names = new Map([...first.map(id => [id, 'chat']), ...inPieces(later, chunks, most)]);
	return {debugName: 'first frame and pod', name: id => names.get(id) ?? null};
}

/** Characters of a piece's modules, before they are minified: a module that is longer is a piece alone. */
const pieceSize = 80_000;

/**
The piece of each module. The modules of a package may import each other in a circle, so a package that fits into a
piece is not divided.
*/
function inPieces(ids, chunks, most) {
	const sizes = new Map(
		chunks.flatMap(({modules}) => Object.entries(modules)).map(([id, {renderedLength}]) => [id, renderedLength]),
	);
	const sizeOf = group => group.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
	const groups = byPackage(ids).flatMap(group => (sizeOf(group) <= most ? [group] : group.map(id => [id])));
	let piece = 1;
	let size = 0;
	return groups.flatMap(group => {
		const own = sizeOf(group);
		if (size > 0 && size + own > most) [piece, size] = [piece + 1, 0];
		size += own;
		return group.map(id => [id, `pod-${piece}`]);
	});
}

/** Runs of modules of one package; each module of our own is a run. */
function byPackage(ids) {
	const runs = [];
	let last;
	for (const id of ids) {
		const name = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1];
		if (name !== undefined && name === last) runs.at(-1).push(id);
		else runs.push([id]);
		last = name;
	}
	return runs;
}

/** The modules that a source waits for, with it, each behind those that it imports. */
function modulesOf(source, chunks) {
	const last = chunks.find(({moduleIds}) => moduleIds.some(id => id.replaceAll('\\', '/').endsWith(`/${source}`)));
	if (last === undefined) throw new Error(`${source} is not in the bundle`);
	const ordered = new Set();
	const seen = new Set();
	const visit = chunk => {
		if (seen.has(chunk)) return;
		seen.add(chunk);
		for (const name of chunk.imports)
			for (const imported of chunks) if (imported.fileName === name) visit(imported);
		ordered.add(chunk);
	};
	visit(last);
	return [...ordered].flatMap(({moduleIds}) => moduleIds);
}

/** Puts the names of the pod's pieces where the chat looks for them; only a whole output has them. */
async function tellPieces(chunks, directory) {
	const names = chunks
		.filter(({name}) => /^pod-\d+$/u.test(name))
		.toSorted((left, right) => Number(left.name.slice(4)) - Number(right.name.slice(4)))
		.map(({fileName}) => path.posix.basename(fileName));
	const asking = chunks.filter(({code}) => code.includes(piecesMark));
	if (asking.length !== 1 || asking[0].code.split(piecesMark).length !== 2)
		throw new Error(`not one place in the bundle asks for the pod's pieces (src/commands/start/chunks.ts)`);
	await writeFile(path.join(directory, asking[0].fileName), asking[0].code.replace(piecesMark, names.join(' ')));
}

const piecesMark = 'inkpod-pieces';

async function write({input, plugins = [], output, preserveEntrySignatures = 'exports-only'}) {
	const {rolldown} = await import('rolldown');
	const build = await rolldown({
		input,
		preserveEntrySignatures,
		cwd: root,
		platform: 'node',
		transform: {target: 'node22.19', define: {'process.env.NODE_ENV': JSON.stringify('production')}},
		plugins,
		onLog: failOnWarning,
	});
	try {
		const written = await build.write(output);
		return written.output.filter(file => file.type === 'chunk');
	} finally {
		await build.close();
	}
}

/**
A rolldown plugin that leads `new URL('./x.ts', import.meta.url)` to the thread's file in the output. Fails the build
when nothing starts a thread that is listed.
*/
export function threadPlugin(all) {
	const started = new Set();
	const addressOf = ({source}) => `'./${path.basename(source)}', import.meta.url`;
	const placeOf = ({file}) => `inkpod-thread:${file}`;
	return {
		name: 'threads',
		transform(code, id) {
			const own = all.filter(
				thread =>
					path.dirname(id).replaceAll('\\', '/').endsWith(path.dirname(thread.source)) &&
					code.includes(addressOf(thread)),
			);
			if (own.length === 0) return null;
			for (const thread of own) started.add(thread);
			return {
				code: own.reduce(
					(text, thread) => text.replaceAll(addressOf(thread), `'${placeOf(thread)}', import.meta.url`),
					code,
				),
				map: null,
			};
		},
		// Only now it is known in which folder the chunk comes to lie.
		renderChunk(code, chunk) {
			const address = thread => `./${path.posix.relative(path.posix.dirname(chunk.fileName), thread.file)}`;
			const led = all.reduce((text, thread) => text.replaceAll(placeOf(thread), address(thread)), code);
			return led === code ? null : {code: led, map: null};
		},
		buildEnd(error) {
			if (error !== undefined && error !== null) return;
			const missed = all.find(thread => !started.has(thread));
			if (missed !== undefined) throw new Error(`nothing in the bundle starts ${missed.source}`);
		},
	};
}

// Not a define: that replaces only the global process, not an imported one.
function versionPatch(version) {
	return {
		name: 'the version',
		file: 'src/main.tsx',
		changes: [{find: "process.env['INKPOD_VERSION']", replace: JSON.stringify(version)}],
	};
}

const piecesPatch = {
	name: 'the pieces of the pod',
	file: 'src/commands/start/chunks.ts',
	changes: [{find: "process.env['INKPOD_CHUNKS'] ?? ''", replace: JSON.stringify(piecesMark)}],
};

// An import that does not resolve would else be left in the output as an external one, and fail on the person's
// machine.
function failOnWarning(level, log, handler) {
	if (level !== 'warn') return;
	if (isOurs(log) || log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
	handler(level, log);
}

function isOurs(log) {
	return !(log.id ?? log.message ?? '').includes('node_modules');
}
