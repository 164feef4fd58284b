import {mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, relative} from 'node:path';
import {onTestFinished} from 'vitest';
import type {Env} from '../../src/pod/ground/env/env.ts';
import type {Outcome} from '../../src/pod/permissions/confine/cells.ts';
import {createConfinement, type Launch} from '../../src/pod/permissions/confine/confinement.ts';
import type {ConfineSettings, Network} from '../../src/pod/permissions/confine/settings.ts';
import {openScratch} from '../../src/pod/tools/processes/output-file.ts';
import {startCommand} from '../../src/pod/tools/processes/start-command.ts';
import {removeTree} from './temp-project.ts';

/** The folders of a place. The project is in the home folder. */
export type Folders = {readonly top: string; readonly home: string; readonly project: string};

type Options = {
	readonly variables?: (folders: Folders) => Env;
	readonly settings?: (folders: Folders) => Partial<ConfineSettings>;
	/** The file system of inkpod's state, if it is not the project's. Then layers are in memory. */
	readonly state?: string;
};

type RunOptions = {
	/** Whether the command works on a layer. */
	readonly isLayered?: boolean;
	readonly network?: Network;
	readonly signal?: AbortSignal;
	/** It is called when the command has ended, and before its changes are taken over. */
	readonly atEnd?: () => void;
};

/** Makes a project whose commands are confined. The default is no network. */
export function confinedCommands({variables, settings, state}: Options = {}) {
	const create = (folder: string) => {
		const path = realpathSync(mkdtempSync(join(folder, 'inkpod-confined-')));
		onTestFinished(async () => removeTree(path));
		return path;
	};
	const top = create(tmpdir());
	const home = join(top, 'home');
	const folders: Folders = {top, home, project: join(home, 'project')};
	mkdirSync(folders.project, {recursive: true});
	const inkpodHome = state === undefined ? join(top, 'state') : create(state);
	const env = {PATH: process.env['PATH'], HOME: home, INKPOD_HOME: inkpodHome, ...variables?.(folders)};
	const confinement = createConfinement({
		settings: {mode: 'require', ...settings?.(folders)},
		scope: {pwd: folders.project, writable: true, readRoots: []},
		env,
		cells: join(inkpodHome, 'cells'),
	});
	return {
		...folders,
		/** Writes a file, relative to the folder of the place. */
		write: (name: string, text: string) => {
			mkdirSync(join(top, name, '..'), {recursive: true});
			writeFileSync(join(top, name), text, {mode: 0o755});
		},
		link: (path: string, target: string) => {
			mkdirSync(dirname(path), {recursive: true});
			symlinkSync(target, path);
		},
		/**
		Runs a command, and takes its changes over. `changed`: the files that other programs run and that it changed on a
		layer. `created`: those that it created without one.
		*/
		run: async (command: string, {isLayered = true, network = 'none', signal, atEnd}: RunOptions = {}) => {
			const opened = await openScratch();
			if (!opened.ok) throw new Error(opened.sentence);
			const {output} = opened;
			let launch: Launch | undefined;
			let changed: readonly string[] = [];
			let outcome: Outcome | undefined;
			const started = await startCommand(command, {
				...{
					shell: '/bin/bash',
					cwd: folders.project,
					env,
					output,
					signal: signal ?? AbortSignal.timeout(60_000),
				},
				async launch(...given) {
					const launched = await confinement.launch(...given, network, isLayered ? 'layered' : 'direct');
					if (launched.ok) ({launch} = launched);
					return launched;
				},
				async settle(end) {
					atEnd?.();
					if (end !== 'exit') return launch?.cell?.discard();
					// The tool asks for these first.
					changed = (await launch?.cell?.protectedChanges()) ?? [];
					outcome = await launch?.cell?.take(false);
				},
			});
			if (!started.ok) throw new Error(started.sentence);
			await started.ended;
			const text = (await output.read(0, 65_536)).toString();
			await output.close();
			const created = launch?.present === undefined ? undefined : await confinement.createdSince(launch.present);
			return {text, outcome, changed, created: created?.created.map(path => relative(folders.project, path))};
		},
	};
}
