import {
	chmodSync,
	close as closeLater,
	constants,
	lstatSync,
	mkdirSync,
	openSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Duplex, Readable} from 'node:stream';
import {handleOf} from '../../platform/file-identity.ts';
import {layerPath} from './effects.ts';
import {keepIndex} from './kept-index.ts';
import type {Layer} from './layer.ts';
import {closedDevices, mountingNamespace} from './own-devices.ts';

/** A folder that the command sees through a layer. All paths are real paths. */
export type LayeredFolder = {
	readonly path: string;
	/** More read-only folders that are lower layers above the real folder. */
	readonly above?: readonly string[];
	/** The identities of the folder, and of folders in it that `above` covers. */
	readonly known: ReadonlyMap<string, string>;
};

export type CellOptions = {
	/** The private folder of the cell. `createCell` creates it. */
	readonly dir: string;
	readonly folders: readonly LayeredFolder[];
	/** Folders that the command sees through overlays without an upper layer. They contain no mounts. */
	readonly shown: readonly string[];
	/** Where the upper layers are: in the folder of the cell, or in memory that is freed when the cell ends. */
	readonly upper: 'disk' | 'memory';
	/**
	Whether the cell gets a network with loopback only. In this case, `hasTriedNetwork` tells whether the command tried
	to connect.
	*/
	readonly isOffline: boolean;
	/** The absolute paths of the programs. */
	readonly bwrap: string;
	readonly mount: string;
};

/** A cell before its command starts. */
type Cell = {
	/** For each layered folder, in order, the folder that replaces it inside the cell. */
	readonly merged: readonly string[];
	/** For each shown folder, in order, its overlay inside the cell. */
	readonly seen: readonly string[];
	/** Returns the program and the arguments that run bubblewrap with these arguments in the cell. */
	readonly wrap: (inner: readonly string[]) => {readonly file: string; readonly args: readonly string[]};
};

/** A cell whose command has ended. Its layers can be read until `close`. */
export type EndedCell = {
	readonly code: number;
	readonly layers: readonly Layer[];
	/** Whether the command tried to connect to anything except its own servers. */
	readonly hasTriedNetwork: boolean;
	/** Ends the cell. */
	readonly close: () => void;
};

/** Creates the folders of a cell. */
export async function createCell(options: CellOptions): Promise<Cell> {
	const {dir, folders, shown, upper, isOffline, bwrap, mount} = options;
	mkdirSync(dir, {recursive: true, mode: 0o700});
	mkdirSync(join(dir, 'memory'), {mode: 0o700});
	// The command sees the permissions and the time of the upper folder, so they are copied from the real folder.
	const real = folders.map(({path}) => statSync(path));
	const modes = real.map(({mode}) => mode & 0o777);
	for (const [n, {atimeMs, mtimeMs}] of real.entries()) {
		mkdirSync(join(dir, `merged${n}`), {mode: 0o700});
		if (upper === 'memory') continue;
		for (const name of ['work', 'upper']) mkdirSync(join(dir, `${name}${n}`), {mode: 0o700});
		chmodSync(join(dir, `upper${n}`), modes[n] ?? 0o700);
		utimesSync(join(dir, `upper${n}`), atimeMs / 1000, mtimeMs / 1000);
	}
	for (const n of shown.keys()) mkdirSync(join(dir, `outside${n}`), {mode: 0o700});
	if (shown.length > 0) mkdirSync(join(dir, 'nothing'), {mode: 0o700});
	for (const [n, {path}] of folders.entries()) await keepIndex(path, join(dir, `index${n}`));
	// The time of this file comes from the clock of the file system. Later changes from outside have a later time.
	writeFileSync(join(dir, 'since'), '', {flag: 'wx', mode: 0o600});
	writeFileSync(join(dir, 'mounts'), mountTable(options), {flag: 'wx', mode: 0o600});
	const outer = [...(isOffline ? ['--unshare-net'] : []), ...mountingNamespace];
	return {
		merged: folders.map((_, n) => join(dir, `merged${n}`)),
		seen: shown.map((_, n) => join(dir, `outside${n}`)),
		wrap: inner => ({
			file: bwrap,
			args: [
				...[...outer, '--', '/bin/sh', '-c', script(), 'inkpod'],
				...[dir, mount, String(process.pid), String(upper === 'memory' ? modes.length : 0)],
				...(upper === 'memory' ? modes.map(mode => mode.toString(8)) : []),
				...inner,
			],
		}),
	};
}

/**
Returns the layers of a cell in the format of fstab(5), so that one process mounts all of them. Lower layers are named
by symbolic links, because the names of these links contain no character that is special for `mount` or the kernel. If
there is no upper layer, the kernel requires two lower layers. The second one is an empty folder on another file system,
because a layer must not contain another layer.
*/
function mountTable({dir, folders, shown, upper}: CellOptions): string {
	const top = upper === 'memory' ? 'memory' : '.';
	const rows = folders.map(({path, above = []}, n) => {
		const lower = [...above, path].map((one, m) => {
			symlinkSync(one, join(dir, `lower${n}-${m}`));
			return `lower${n}-${m}`;
		});
		const parts = [`lowerdir=${lower.join(':')}`, `upperdir=${top}/upper${n}`, `workdir=${top}/work${n}`];
		// With this option, the inode of a merged folder identifies the real folder.
		const inodes = upper === 'memory' ? ['xino=on'] : [];
		return `inkpod merged${n} overlay ${[...parts, 'userxattr', ...inodes].join(',')} 0 0\n`;
	});
	const views = shown.map((path, n) => {
		symlinkSync(path, join(dir, `real${n}`));
		return `inkpod outside${n} overlay lowerdir=real${n}:nothing,userxattr,xino=on 0 0\n`;
	});
	const nothing = views.length === 0 ? [] : ['inkpod nothing tmpfs size=4k 0 0\n'];
	return [...rows, ...nothing, ...views].join('');
}

/**
The script of a cell. It mounts the layers, runs the command, reports the end of the command over descriptor 3, and
waits until inkpod closes descriptor 3. The script refuses to mount anything in inkpod's own mount namespace. If the
kernel refuses the overlay of a shown folder, the command sees the folder itself.
*/
const script = () => `
cd "$1" || exit 125
[ /proc/self/ns/mnt -ef /proc/$3/ns/mnt ] && exit 125
mount=$2 inMemory=$4 n=0
shift 4
${closedDevices()}
[ "$inMemory" = 0 ] || "$mount" -t tmpfs -o size=2g,nr_inodes=200k,mode=0700 inkpod memory || exit 125
while [ $n -lt "$inMemory" ]; do
	mkdir -m "$1" memory/upper$n && mkdir memory/work$n || exit 125
	shift
	n=$((n + 1))
done
isMounted() { grep -q "/\${PWD##*/}/$1 " /proc/self/mountinfo; }
"$mount" -a -T mounts 2>refused || {
	for layer in merged*; do
		isMounted "$layer" && continue
		cat refused >&2
		exit 125
	done
	for view in outside*; do
		isMounted "$view" || "$mount" -o bind "real\${view#outside}" "$view" 2>>refused
	done
}
"$@" 3>&-
echo "$$ $?" >&3
read -r end <&3
exit 0
`;

/**
Waits until the command in a cell has ended. `end` resolves when the program of the cell ends. Returns `undefined` if
the program ended before it reported the end of the command, for example because it was stopped.
*/
export async function endOfCell(
	{dir, folders, upper, isOffline}: CellOptions,
	socket: Duplex,
	end: Promise<unknown>,
): Promise<EndedCell | undefined> {
	const report = await Promise.race([firstLine(socket), end.then(() => undefined)]);
	const [, pid = '', code = ''] = /^(\d+) (\d+)$/.exec(report ?? '') ?? [];
	if (pid === '') return undefined;
	const inside = join('/proc', pid, 'root', dir);
	const opened: number[] = [];
	const open = (path: string) => {
		// The command may have removed permissions of this folder. inkpod may restore them, because it does not copy
		// the permissions of the top folder to the project.
		const {mode} = statSync(path);
		if ((mode & 0o700) !== 0o700) chmodSync(path, (mode & 0o777) | 0o700);
		const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
		opened.push(fd);
		// If the dot were missing, the path would be a link (in /proc/self/fd) and not the folder.
		return `${handleOf(fd)}/.`;
	};
	const close = () => {
		socket.end();
		// The last close of a layer writes its whole file system to the disk, so the descriptors are closed later.
		const leave = () => {
			for (const fd of opened.splice(0)) closeLater(fd);
		};
		end.then(leave, leave);
	};
	try {
		const since = lstatSync(join(dir, 'since')).ctimeMs;
		const top = upper === 'disk' ? layerPath(dir) : open(join(inside, 'memory'));
		const layers = folders.map(({path, known}, n): Layer => {
			const merged = open(join(inside, `merged${n}`));
			// If the folder were not mounted, it would be empty, as if the command had deleted everything.
			if (statSync(merged).dev === statSync(dir).dev) throw new Error('The layer of a cell is not mounted.');
			const index = layerPath(join(dir, `index${n}`));
			return {path: layerPath(path), upper: `${top}/upper${n}`, merged, since, known, index};
		});
		return {code: Number(code), layers, hasTriedNetwork: isOffline && (await hasTried(pid)), close};
	} catch (cause) {
		close();
		throw cause;
	}
}

function firstLine(socket: Readable): Promise<string | undefined> {
	const {promise, resolve} = Promise.withResolvers<string | undefined>();
	let text = '';
	socket.on('data', (bytes: Buffer) => {
		text += bytes.toString('latin1');
		if (text.includes('\n')) resolve(text.split('\n', 1)[0]);
	});
	socket.on('error', () => resolve(undefined));
	socket.on('close', () => resolve(undefined));
	return promise;
}

/**
Tells whether anything in the network of a process tried to connect beyond loopback, or to a port without a server. The
counters are in `/proc/net/snmp` and `/proc/net/snmp6` (proc(5)).
*/
async function hasTried(pid: string): Promise<boolean> {
	const [snmp, snmp6] = await Promise.all(
		['snmp', 'snmp6'].map(async name => readFile(join('/proc', pid, 'net', name), 'utf8')),
	);
	const counters = [
		counterIn(snmp, 'Ip', 'OutNoRoutes'),
		counterIn(snmp, 'Udp', 'NoPorts'),
		counterIn(snmp, 'UdpLite', 'NoPorts'),
		counterIn(snmp, 'Tcp', 'AttemptFails'),
	];
	const hasTried6 = /^(?:Ip6OutNoRoutes|Udp(?:Lite)?6NoPorts)\s+[1-9]/m.test(snmp6 ?? '');
	return hasTried6 || counters.some(count => count > 0);
}

/** Returns a counter. `text` contains a line of names and then a line of numbers for each protocol. */
function counterIn(text: string | undefined, protocol: string, name: string): number {
	const [names = [], numbers = []] = (text ?? '')
		.split('\n')
		.filter(line => line.startsWith(`${protocol}: `))
		.map(line => line.split(' '));
	return Number(numbers[names.indexOf(name)] ?? 0);
}
