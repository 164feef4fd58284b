import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {homedir, tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {copyTree} from '../../src/pod/permissions/confine/copy-tree.ts';
import {layerPath} from '../../src/pod/permissions/confine/effects.ts';
import {finishTakeOvers} from '../../src/pod/permissions/confine/journal.ts';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {seededRandom} from '../helpers/random.ts';
import {layeredCommands} from '../helpers/layered-commands.ts';
import {treeOf} from '../helpers/layers.ts';
import {randomScript} from '../helpers/random-script.ts';
import {removeTree} from '../helpers/temp-project.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});
const isLong = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const noGit = async () => ({conflicts: [], notes: []});

/** Where the upper layers of the cells are: beside the project, or in memory. */
type Upper = 'disk' | 'memory';
const memory = '/dev/shm';
const uppers = (['disk', 'memory'] as const).filter(upper => upper === 'disk' || existsSync(memory));

function place(upper: Upper) {
	const make = (folder: string) => {
		const path = realpathSync(mkdtempSync(join(folder, 'inkpod-v-')));
		onTestFinished(async () => removeTree(path));
		return path;
	};
	// A temporary folder may be in memory itself.
	const top = make(statSync(tmpdir()).dev === statSync(memory, {throwIfNoEntry: false})?.dev ? homedir() : tmpdir());
	const [project, plain, home] = [join(top, 'project'), join(top, 'plain'), join(top, 'home')];
	for (const folder of [project, plain, home]) mkdirSync(folder);
	return {top, project, plain, home, state: upper === 'disk' ? join(top, 'state') : make(memory)};
}

/** An ordinary user cannot empty a folder without these permissions. */
function makeRemovable(folder: string): void {
	execFileSync('chmod', ['-R', 'u+rwx', folder]);
}

function inShell(script: string, cwd: string): void {
	// A command in a cell has no privileges either, so root may not enter a closed folder.
	const without = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-all'] : [];
	const [file, ...args] = [...without, 'bash', '-c', `${script}\ntrue`];
	execFileSync(file, args, {cwd, stdio: 'ignore'});
}

describe.skipIf(!available.ok)('commands in cells', () => {
	it.each([
		['/dev/udp/127.0.0.1/9', true],
		['/dev/udp/::1/9', true],
		['/dev/tcp/::1/9', true],
		['/dev/tcp/192.0.2.1/9', true],
		['/dev/null', false],
	])('tell whether they tried a connection: %s %s', async (path, hasTried) => {
		const {project, home, state} = place('disk');
		const {run} = layeredCommands(project, home, state);
		expect((await run(`echo > ${path}; true`)).hasTriedNetwork).toBe(hasTried);
	});

	const scripts = isLong ? 2000 : 150;
	it.each(uppers)(
		`leave the same tree as without a cell, upper layer: %s (INKPOD_SEED=${seed})`,
		{timeout: 3_600_000},
		async upper => {
			const {project, plain, home, state} = place(upper);
			const {run, noCells} = layeredCommands(project, home, state);
			expect(await noCells()).toBeUndefined();
			const next = seededRandom(seed);
			for (let n = 0; n < scripts / uppers.length; n++) {
				const shell = (length: number) =>
					randomScript(next, length)
						.map(change => change.shell)
						.join('\n');
				const [before, script] = [shell(12), shell(1 + Math.floor(next() * 12))];
				for (const folder of [project, plain]) {
					makeRemovable(folder);
					for (const name of readdirSync(folder, 'buffer'))
						rmSync(Buffer.concat([Buffer.from(`${folder}/`), name]), {recursive: true});
				}
				inShell(before, project);
				// A copy has no hard links, which a layer breaks.
				rmSync(plain, {recursive: true});
				copyTree(layerPath(project), layerPath(plain));
				makeRemovable(project);
				rmSync(project, {recursive: true});
				copyTree(layerPath(plain), layerPath(project));
				inShell(script, plain);
				const {outcome} = await run(script);
				const shown = `${before}\n--\n${script}`;
				expect({shown, outcome, tree: treeOf(project)}).toMatchObject({
					shown,
					outcome: {type: 'taken', leftOut: [], notes: []},
					tree: treeOf(plain),
				});
				expect(Object.keys(treeOf(project))).toEqual(Object.keys(treeOf(plain)));
			}
		},
	);

	const kills = isLong ? 200 : 20;
	it.each(uppers)(
		`are taken over whole or not at all after a kill, upper layer: %s (INKPOD_SEED=${seed})`,
		{timeout: 3_600_000},
		async upper => {
			const {project, home, state} = place(upper);
			const next = seededRandom(seed);
			const seen = {before: 0, finished: 0, complete: 0};
			let longest = 50;
			for (let n = 0; n < kills / uppers.length; n++) {
				for (const folder of [project, state]) rmSync(folder, {recursive: true, force: true});
				mkdirSync(join(project, 'old'), {recursive: true});
				inShell('for n in {1..400}; do echo $n > f$n; echo $n > old/$n; done', project);
				const before = treeOf(project);
				const script =
					'for n in {1..400}; do echo x$n > f$n; done; rm -r old; mkdir -p new/deep; for n in ' +
					'{1..400}; do echo $n > new/deep/$n; done';
				const child = spawn(
					process.execPath,
					[join(import.meta.dirname, '../helpers/killed-take-over.ts'), project, home, state, script],
					{stdio: ['pipe', 'pipe', 'inherit']},
				);
				const ended = once(child, 'exit');
				let said = '';
				child.stdout.on('data', bytes => (said += String(bytes)));
				await expect.poll(() => said, {timeout: 60_000}).toContain('taking');
				// From outside: a changed file, a new one, and one in a folder that the command deleted or created.
				writeFileSync(join(project, 'f7'), 'outside');
				writeFileSync(join(project, 'mine'), 'outside');
				child.stdin.write('go\n');
				// The first one is not killed, and tells how long it takes.
				const later = n === 0 ? undefined : setTimeout(() => child.kill('SIGKILL'), next() * longest * 1.2);
				await ended;
				clearTimeout(later);
				const [, report] = said.split('\n');
				if (report) longest = Math.max(50, (JSON.parse(report) as {takingMs: number}).takingMs);
				const finished = await finishTakeOvers(join(state, 'cells'), noGit);
				const {mine, f7, ...tree} = treeOf(project);
				expect([mine, f7]).toEqual(['file 644 outside', 'file 644 outside']);
				const {f7: _, ...rest} = before;
				const isUntouched = 'old' in tree;
				expect(tree).toEqual(isUntouched ? rest : afterwards());
				seen[isUntouched ? 'before' : finished > 0 ? 'finished' : 'complete']++;
				expect(readdirSync(project).filter(name => name.endsWith('.inkpod'))).toEqual([]);
			}
			console.log(upper, seen, 'ms of a whole take-over:', longest);
		},
	);
});

function afterwards(): Readonly<Record<string, string>> {
	const numbers = Array.from({length: 400}, (_, n) => String(n + 1));
	return Object.fromEntries([
		...numbers.filter(n => n !== '7').map(n => [`f${n}`, `file 644 x${n}\n`]),
		['new', 'folder 755'],
		['new/deep', 'folder 755'],
		...numbers.map(n => [`new/deep/${n}`, `file 644 ${n}\n`]),
	]) as Record<string, string>;
}
