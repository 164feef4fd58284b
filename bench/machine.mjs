import {execFileSync} from 'node:child_process';
import os from 'node:os';
import {projectRoot} from '../test/helpers/built.ts';

/** Returns the measured commit. It ends in `-dirty` if the sources have uncommitted changes. */
export function commit() {
	return execFileSync('git', ['describe', '--always', '--dirty'], {cwd: projectRoot, encoding: 'utf8'}).trim();
}

/** Describes the machine. `load` is the load average of the minute before the run. */
export function machine() {
	return {
		cores: os.cpus().length,
		model: os.cpus()[0].model.trim(),
		node: process.versions.node,
		system: `${os.type()} ${os.machine()}`,
		memoryGiB: Math.round(os.totalmem() / 2 ** 30),
		load: Math.round(os.loadavg()[0] * 10) / 10,
	};
}

/** Describes the machine in one line. If the load is much higher than 0, the measured times are too long. */
export function machineText({cores, model, node, system, memoryGiB, load}) {
	return `${cores} cores (${model}), ${memoryGiB} GiB, Node ${node}, ${system}, load ${load} when it began`;
}
