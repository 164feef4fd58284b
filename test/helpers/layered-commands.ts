import {join} from 'node:path';
import type {Outcome} from '../../src/pod/permissions/confine/cells.ts';
import {createConfinement, type Launch} from '../../src/pod/permissions/confine/confinement.ts';
import type {Network} from '../../src/pod/permissions/confine/settings.ts';
import type {NoCells} from '../../src/pod/permissions/confine/texts.ts';
import {openScratch} from '../../src/pod/tools/processes/output-file.ts';
import {startCommand} from '../../src/pod/tools/processes/start-command.ts';

/** Runs confined commands in cells. */
export type LayeredCommands = {
	/** The folder of the cells. */
	readonly cells: string;
	readonly noCells: () => Promise<NoCells | 'unconfined' | undefined>;
	/** Runs a command, and takes its changes over. `beforeTaking` is called when the command has ended. */
	readonly run: (
		command: string,
		options?: {readonly network?: Network; readonly beforeTaking?: () => Promise<void> | void},
	) => Promise<LayeredRun>;
};

export type LayeredRun = {
	readonly output: string;
	readonly outcome: Outcome | undefined;
	readonly protectedChanges: readonly string[];
	readonly hasTriedNetwork: boolean;
	/** The milliseconds that the take-over took. */
	readonly takingMs: number;
};

/** `state`: inkpod's folder. On another file system than the project, the layers are in memory. */
export function layeredCommands(project: string, home: string, state: string): LayeredCommands {
	const env = {PATH: process.env['PATH'] ?? '', HOME: home, INKPOD_HOME: state};
	const scope = {pwd: project, writable: true, readRoots: []};
	const cells = join(state, 'cells');
	const confinement = createConfinement({settings: {mode: 'require'}, scope, env, cells});
	return {
		cells,
		noCells: async () => ((await confinement.missing()) === undefined ? confinement.noCells() : 'unconfined'),
		async run(command, {network = 'none', beforeTaking} = {}) {
			const opened = await openScratch();
			if (!opened.ok) throw new Error(opened.sentence);
			const {output} = opened;
			let cell: Launch['cell'];
			let ran: Omit<LayeredRun, 'output'> | undefined;
			const started = await startCommand(command, {
				shell: '/bin/bash',
				cwd: project,
				env,
				output,
				signal: AbortSignal.timeout(120_000),
				async launch(...given) {
					const launched = await confinement.launch(...given, network, 'layered');
					if (launched.ok) ({cell} = launched.launch);
					return launched;
				},
				async settle() {
					await beforeTaking?.();
					const hasTriedNetwork = cell?.hasTriedNetwork() === true;
					const since = performance.now();
					// The tool asks for these first.
					const found = await cell?.protectedChanges();
					const outcome = await cell?.take(false);
					ran = {
						protectedChanges: found ?? [],
						outcome,
						hasTriedNetwork,
						takingMs: performance.now() - since,
					};
				},
			});
			if (!started.ok) throw new Error(started.sentence);
			await started.ended;
			const text = (await output.read(0, 65_536)).toString();
			await output.close();
			if (ran === undefined) throw new Error(`not settled: ${text}`);
			return {...ran, output: text};
		},
	};
}
