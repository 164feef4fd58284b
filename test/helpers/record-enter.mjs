/**
Loaded into the program before it starts. It appends lines to the file in RECORDED_ENTERS: the name of each chunk that
is loaded, and for each request to a model what happened between Enter and its first byte:
- `trips`: the file operations for which the thread pool was asked, without those for drafts. `syncs`: those among them
  that made something durable.
- `connectedAt`: the number of syncs before the connection was opened. It is absent if the connection was open already.
- `chunks`: the loaded chunks.
*/
import fs from 'node:fs';
import {registerHooks, syncBuiltinESMExports} from 'node:module';
import net from 'node:net';

const {appendFileSync} = fs;
let seen;

function record(what) {
	appendFileSync(process.env.RECORDED_ENTERS, `${JSON.stringify(what)}\n`);
}

function wrap(owner, name, note) {
	const plain = owner[name];
	owner[name] = function (...given) {
		if (seen !== undefined) note.apply(this, given);
		return plain.apply(this, given);
	};
}

/** The files of drafts, which are saved beside the session, at any time. */
const drafts = new WeakSet();
const isDraft = file => drafts.has(file) || String(file).includes('/drafts/');

const handle = await fs.promises.open(import.meta.filename);
const handles = Object.getPrototypeOf(handle);
await handle.close();
const operations = ['open', 'mkdir', 'rename', 'link', 'unlink', 'stat', 'lstat', 'realpath', 'readdir', 'readFile'];
for (const name of [...operations, 'readlink', 'access', 'rm', 'rmdir', 'opendir'])
	wrap(fs.promises, name, path => {
		if (!isDraft(path)) seen.trips++;
	});
for (const name of ['stat', 'read', 'write', 'readFile', 'writeFile', 'close', 'truncate', 'sync', 'datasync'])
	wrap(handles, name, function () {
		if (isDraft(this)) return;
		seen.trips++;
		if (name.endsWith('sync')) seen.syncs++;
	});
const {open} = fs.promises;
fs.promises.open = async (path, ...rest) => {
	const opened = await open(path, ...rest);
	if (isDraft(path)) drafts.add(opened);
	return opened;
};

registerHooks({
	load(url, context, next) {
		const [, chunk] = /\/dist\/chunks\/(.+?)(?:-[\w-]{8})?\.js$/.exec(url) ?? [];
		if (chunk !== undefined) {
			seen?.chunks.push(chunk);
			record(chunk);
		}
		return next(url, context);
	},
});

wrap(net.Socket.prototype, 'connect', () => (seen.connectedAt ??= seen.syncs));

process.stdin.on('data', bytes => {
	if (String(bytes) === '\r') seen = {trips: 0, syncs: 0, chunks: []};
});
process.stdin.pause();

wrap(net.Socket.prototype, '_writeGeneric', (_, data) => {
	const text = String(Array.isArray(data) ? data[0]?.chunk : data);
	if (!text.startsWith('POST ')) return;
	record(seen);
	seen = undefined;
});
syncBuiltinESMExports();
