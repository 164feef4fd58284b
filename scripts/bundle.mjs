import {readFileSync} from 'node:fs';
import {readFile, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {builtinsPlugin} from './builtins.mjs';
import {withoutFacades} from './facades.mjs';
import {patches, patchPlugin} from './patches.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/u, '');

/**
The worker threads: the source of each thread, and its file in the output. The source is beside the source that starts
the thread.
*/
const threads = [
	{source: 'src/pod/references/completion/path-worker.ts', file: 'chunks/path-worker.js'},
	{source: 'src/pod/tools/web/html-worker.ts', file: 'chunks/html-worker.js'},
];

/**
Bundles the program and all its imports into `directory`: app.js, the chunks that app.js loads later, a file for each
thread, and the translations. Returns the output's chunks. Throws on a warning about our own sources, and on an import
that does not resolve.
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
	const split = await write(programOf(version, written));
	await rm(path.join(directory, 'chunks'), {recursive: true, force: true});
	const whole = await write(
		programOf(version, {
			...written,
			codeSplitting: {includeDependenciesRecursively: false, groups: [startGroups(split)]},
		}),
	);
	const program = await withoutFacades(whole, directory);
	await insertChunkNames(program, directory);
	// Each thread is a separate build in one file. If a thread shared modules with the program, the first frame would
	// wait for another chunk.
	const workers = threads.map(async ({source, file}) =>
		write({
			input: path.join(root, source),
			plugins: [builtinsPlugin()],
			output: {...written, entryFileNames: file, codeSplitting: false},
		}),
	);
	await writeCatalogues(directory);
	return [...program, ...(await Promise.all(workers)).flat()];
}

/** The translations are data: only a process in that language reads them (src/language/translate.ts). */
async function writeCatalogues(directory) {
	for (const name of ['ja', 'zh']) {
		const texts = JSON.parse(await readFile(path.join(root, `src/language/${name}.json`), 'utf8'));
		await writeFile(path.join(directory, `chunks/${name}.json`), JSON.stringify(texts));
	}
}

function programOf(version, output) {
	return {
		input: {app: path.join(root, 'src/main.tsx'), library: path.join(root, 'src/library/index.ts')},
		preserveEntrySignatures: 'allow-extension',
		plugins: [
			patchPlugin([...patches, versionPatch(version), listsPatch]),
			threadPlugin(threads),
			builtinsPlugin(),
		],
		output: {
			...output,
			entryFileNames: ({name}) => (name === 'library' ? 'chunks/library-entry.js' : `${name}.js`),
			chunkFileNames: ({name}) => `chunks/${name.replaceAll('.', '-')}-[hash].js`,
		},
	};
}

/**
Groups for rolldown's output (docs/start.md). To find, open and link a file takes about half a millisecond, and no key
is read meanwhile.
- One chunk, `base`, contains what the entry and later code share.
- The chunk `core` contains what the chat and the library share, so that the library loads no screen.
- One chunk, `chat`, contains what the first frame waits for: all modules that the chat imports without `import()`,
  except those of the entry.
- What loads after the first frame becomes numbered chunks of about the same size, such as `pod-1` to `pod-N`: a list
  for each source in `lists`. Each chunk imports only chunks before it. The chunks `first-1` to `first-N` come before
  all of them: the code of the drafts, and what the screen shares with the pod, so that Ink does not need the pod.
  `chunks` are the chunks of an output without groups, because only they show which imports remain. Throws if none of
  them contains one of the sources.
*/
export function startGroups(
	chunks,
	{
		entry = 'src/main.tsx',
		first = 'src/cli/chat.ts',
		drafts = 'src/pod/disk/drafts/drafts.ts',
		lists = startLists,
		library = 'src/library/index.ts',
		maxSize = maxChunkSize,
	} = {},
) {
	const ofEntry = new Set(modulesOf(entry, chunks));
	const ofChat = new Set(modulesOf(first, chunks).filter(id => !ofEntry.has(id)));
	const shared = sharedLeaves(chunks).filter(id => !ofEntry.has(id));
	const ofLibrary = new Set(everythingOf(library, chunks));
	const own = new Set(chunks.find(({moduleIds}) => moduleIds.some(id => isSource(id, entry)))?.moduleIds);
	const names = new Map([
		...[...ofEntry].filter(id => !own.has(id)).map(id => [id, 'base']),
		...[...ofChat, ...shared].map(id => [id, ofLibrary.has(id) ? 'core' : 'chat']),
	]);
	const all = Object.entries(lists).map(([name, source]) => ({name, ids: modulesOf(source, chunks)}));
	const ofScreen = new Set(all.flatMap(({name, ids}) => (name === 'session' || name === 'ink' ? ids : [])));
	const ofBoth = all.flatMap(({name, ids}) => (name === 'pod' ? ids.filter(id => ofScreen.has(id)) : []));
	for (const {name, ids} of [{name: 'first', ids: [...modulesOf(drafts, chunks), ...ofBoth]}, ...all]) {
		const fresh = [...new Set(ids)].filter(id => !ofEntry.has(id) && !names.has(id));
		const size = dense.has(name) ? maxSize / 2 : maxSize;
		for (const [id, chunk] of numberedChunks(name, fresh, chunks, size)) names.set(id, chunk);
	}
	return {debugName: 'first frame and pod', name: id => names.get(id) ?? roomOf(id)};
}

/**
What the chat loads after its first frame, in turns of the event loop (src/screen/mount/start-chunks.ts).
@type {Readonly<Record<string, string>>}
*/
const startLists = {
	pod: 'src/pod/open/start/open-planned.ts',
	session: 'src/screen/control/load-session.ts',
	ink: 'src/screen/mount/warm-ink.ts',
	attach: 'src/pod/remote/attach/index.ts',
	learn: 'src/cli/chat/learn-first-screen.ts',
};

/** Most of these modules make schemas when they run, which takes longer than other code of the same size. */
const dense = new Set(['first', 'attach']);

/** A folder whose files are loaded together later is one chunk, without its subfolders. */
const rooms = {models: 'src/pod/models'};

function roomOf(id) {
	const place = path.posix.dirname(id.replaceAll('\\', '/'));
	const found = Object.entries(rooms).find(([, folder]) => place.endsWith(`/${folder}`));
	return found === undefined ? null : found[0];
}

/**
Returns the small modules that several later chunks share and that import nothing. A file for each of them would cost
more than their code.
*/
function sharedLeaves(chunks) {
	return chunks
		.filter(({isEntry, isDynamicEntry, imports, dynamicImports = []}) => {
			return !isEntry && !isDynamicEntry && imports.length + dynamicImports.length === 0;
		})
		.filter(
			({modules}) =>
				Object.values(modules).reduce((sum, {renderedLength}) => sum + renderedLength, 0) < maxLeafSize,
		)
		.flatMap(({moduleIds}) => moduleIds)
		.filter(id => !id.includes('node_modules') && !id.startsWith('\0') && !id.endsWith('index.ts'));
}

/** Characters before minification. */
const maxLeafSize = 2500;

/** The maximum number of characters of a chunk's modules before minification. A longer module has its own chunk. */
const maxChunkSize = 80_000;

/**
Assigns a chunk to each module. The modules of a package may have import cycles, so a package is not divided if it fits
into a chunk.
*/
function numberedChunks(name, ids, chunks, maxSize) {
	const sizes = new Map(
		chunks.flatMap(({modules}) => Object.entries(modules)).map(([id, {renderedLength}]) => [id, renderedLength]),
	);
	const sizeOf = group => group.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
	const groups = byPackage(ids).flatMap(group => (sizeOf(group) <= maxSize ? [group] : group.map(id => [id])));
	let number = 1;
	let size = 0;
	return groups.flatMap(group => {
		const own = sizeOf(group);
		if (size > 0 && size + own > maxSize) [number, size] = [number + 1, 0];
		size += own;
		return group.map(id => [id, `${name}-${number}`]);
	});
}

/** Returns the runs of consecutive modules of one package. Each of our own modules is a separate run. */
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

/** Returns a source and all modules that it imports statically, dependencies first. */
function modulesOf(source, chunks) {
	const last = chunks.find(({moduleIds}) => moduleIds.some(id => isSource(id, source)));
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

/**
Returns all modules that a source can load, now or later. Returns none if the program does not contain the source.
*/
function everythingOf(source, chunks) {
	const byName = new Map(chunks.map(chunk => [chunk.fileName, chunk]));
	const first = chunks.filter(({moduleIds}) => moduleIds.some(id => isSource(id, source)));
	const seen = new Set(first);
	for (const {imports, dynamicImports = []} of seen)
		for (const name of [...imports, ...dynamicImports]) if (byName.has(name)) seen.add(byName.get(name));
	return [...seen].flatMap(({moduleIds}) => moduleIds);
}

function isSource(id, source) {
	return id.replaceAll('\\', '/').endsWith(`/${source}`);
}

/**
Writes the names of the numbered chunks into the source that loads them. They are known only after the output is
written.
*/
async function insertChunkNames(chunks, directory) {
	for (const {name, mark} of chunkLists) {
		const marked = await Promise.all(
			chunks.map(async ({fileName}) => codeWith(mark, path.join(directory, fileName))),
		);
		const [found, ...others] = marked.filter(({count}) => count > 0);
		if (found?.count !== 1 || others.length > 0) throw new Error(`not one place in the bundle reads ${mark}`);
		await writeFile(found.file, found.code.replace(mark, numbered(chunks, name).join(' ')));
	}
}

function numbered(chunks, name) {
	const numberOf = chunk => Number(chunk.name.slice(name.length + 1));
	return chunks
		.filter(chunk => chunk.name.startsWith(`${name}-`) && Number.isInteger(numberOf(chunk)))
		.toSorted((left, right) => numberOf(left) - numberOf(right))
		.map(({fileName}) => path.posix.basename(fileName));
}

async function codeWith(mark, file) {
	const code = await readFile(file, 'utf8');
	return {file, code, count: code.split(mark).length - 1};
}

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
Returns a rolldown plugin that rewrites `new URL('./x.ts', import.meta.url)` to the thread's file in the output. The
build fails if no source starts a listed thread.
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
		// The folder of the chunk is known only at this point.
		renderChunk(code, chunk) {
			const address = thread => `./${path.posix.relative(path.posix.dirname(chunk.fileName), thread.file)}`;
			const rewritten = all.reduce((text, thread) => text.replaceAll(placeOf(thread), address(thread)), code);
			return rewritten === code ? null : {code: rewritten, map: null};
		},
		buildEnd(error) {
			if (error !== undefined && error !== null) return;
			const missed = all.find(thread => !started.has(thread));
			if (missed !== undefined) throw new Error(`nothing in the bundle starts ${missed.source}`);
		},
	};
}

// A `define` would not be enough: it replaces the global `process`, but not an imported one.
function versionPatch(version) {
	return {
		name: 'the version',
		file: 'src/main.tsx',
		changes: [{find: "process.env['INKPOD_VERSION']", replace: JSON.stringify(version)}],
	};
}

/** The lists of numbered chunks. Until all chunks are written, a mark is in the place of each list. */
const chunkLists = ['first', ...Object.keys(startLists)].map(name => ({name, mark: `inkpod-${name}-chunks`}));

const listsPatch = {
	name: 'the lists of chunks',
	file: 'src/screen/mount/start-chunks.ts',
	changes: chunkLists.map(({name, mark}) => ({
		find: `process.env['INKPOD_${name.toUpperCase()}_CHUNKS']`,
		replace: JSON.stringify(mark),
	})),
};

// Otherwise an unresolved import would stay in the output as an external import, and fail on a user's machine.
function failOnWarning(level, log, handler) {
	if (level !== 'warn') return;
	if (isOurs(log) || log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
	handler(level, log);
}

function isOurs(log) {
	return !(log.id ?? log.message ?? '').includes('node_modules');
}
