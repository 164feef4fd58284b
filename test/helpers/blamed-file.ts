import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {saveBackup} from '../../src/pod/disk/bodies/pasted.ts';
import {historyFile, projectDir, sessionDir, sessionsRoot} from '../../src/pod/disk/paths.ts';
import {sha256, unifiedDiff} from '../../src/pod/tools/files/planned-change.ts';
import type {Item, ToolResult} from '../../src/worker/index.ts';
import {required} from '../../src/text/lines.ts';
import {historyOf} from '../pod/disk/fixture.ts';

/** A line of the file, and the item of the call that wrote it. */
export type TrueLine = {readonly text: string; readonly call: string | undefined};

/**
A file in a git repository that calls of several sessions and the user change. It knows which call wrote each line.
`lines` may be set to what another version had, such as after a checkout.
*/
export type BlamedFile = Awaited<ReturnType<typeof blamedFile>>;

export async function blamedFile(first: readonly string[], sessions = 2) {
	const base = realpathSync(mkdtempSync(join(tmpdir(), 'inkpod-blame-')));
	const dir = join(base, 'project');
	const env = {PATH: process.env['PATH'], HOME: join(base, 'home'), XDG_STATE_HOME: join(base, 'state')};
	mkdirSync(dir);
	mkdirSync(env.HOME);
	const root = sessionsRoot(env);
	const stored = Array.from({length: sessions}, (_, index) => {
		const id = `01JD8XK3Q2AAAAAAAAAAAAAA${String(index).padStart(2, '0')}`;
		return {id, dir: sessionDir(root, dir, id), items: [] as Item[]};
	});
	let count = 0;
	const stamp = () => ({id: `i${(count += 1)}`, at: new Date(1_767_225_600_000 + count * 1000).toISOString()});
	const git = (...args: readonly string[]) =>
		execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@x', ...args], {cwd: dir, env}).toString();
	const file = {
		dir,
		env,
		sessions: projectDir(root, dir),
		path: 'a.ts',
		lines: first.map((text): TrueLine => ({text, call: undefined})),
		git,
		/** Changes the file outside the sessions. */
		byHand(lines: readonly TrueLine[]) {
			file.lines = [...lines];
			writeFileSync(join(dir, file.path), textOf(lines));
		},
		/**
		Changes the file by a call. Lines whose `call` is `new` get the id of this call.
		*/
		async byTool(session: number, lines: readonly TrueLine[], tool: 'write_file' | 'edit_file' = 'write_file') {
			const {dir: folder, items} = required(stored[session], 'session');
			const before = textOf(file.lines);
			const after = textOf(lines);
			if (before === after) return;
			const [started, called, ended, done] = [stamp(), stamp(), stamp(), stamp()];
			const real = join(dir, file.path);
			await saveBackup(folder, sha256(Buffer.from(before)), Buffer.from(before));
			const diff = await unifiedDiff({path: file.path, before, after});
			const hashes = {before: sha256(Buffer.from(before)), after: sha256(Buffer.from(after))};
			const args =
				tool === 'write_file'
					? {path: file.path, content: after}
					: {path: file.path, edits: [{old: before, new: after}]};
			const details = {changed: [{path: file.path, real, ...hashes}], diff};
			items.push(
				{...started, type: 'message', role: 'user', text: `change ${called.id}`},
				{...stamp(), type: 'request', model: 'm/1', requestHash: 'aa', startedAt: started.at},
				...callItems(called, ended, {name: tool, arguments: JSON.stringify(args), details}),
				{...done, type: 'run_end', outcome: 'finished'},
			);
			file.byHand(lines.map(line => (line.call === 'new' ? {...line, call: called.id} : line)));
		},
		rename(path: string) {
			renameSync(join(dir, file.path), join(dir, path));
			file.path = path;
		},
		commit(message: string, ...args: readonly string[]) {
			git('add', '-A');
			git('commit', '-q', '--allow-empty', '-m', message, ...args);
		},
		/** Writes the histories. */
		save() {
			for (const {id, dir: folder, items} of stored) {
				mkdirSync(folder, {recursive: true});
				const header = {session: id, cwd: dir, created: '2026-01-01T00:00:00.000Z'};
				writeFileSync(historyFile(folder), historyOf(items, header));
			}
		},
		present: () => readFileSync(join(dir, file.path), 'utf8'),
	};
	git('init', '-q', '-b', 'main');
	file.byHand(file.lines);
	file.commit('first');
	return file;
}

function textOf(lines: readonly TrueLine[]): string {
	return lines.map(({text}) => `${text}\n`).join('');
}

type Stamp = Pick<Item, 'id' | 'at'>;

type CallFacts = {readonly name: string; readonly arguments: string; readonly details: ToolResult['details']};

function callItems(called: Stamp, ended: Stamp, {details, ...call}: CallFacts): readonly Item[] {
	const callId = `c${called.id}`;
	const result = {summary: 'x', content: 'x', isError: false, ms: 1, details};
	return [
		{...called, type: 'tool_call', callId, ...call},
		{...ended, type: 'tool_result', callId, ...result},
	];
}
