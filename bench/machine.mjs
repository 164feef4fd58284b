import {execFileSync} from 'node:child_process';
import os from 'node:os';
import {projectRoot} from '../test/helpers/built.ts';

/** The commit that is measured, `-dirty` where the sources are not quite it. */
export function commit() {
	return execFileSync('git', ['describe', '--always', '--dirty'], {cwd: projectRoot, encoding: 'utf8'}).trim();
}

/**
On what is measured, and how busy it was with other things when it began: `load` is what waited for a core in the minute
before.
*/
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

/** In a line. A machine whose load is far from 0 gives times that are too long. */
export function machineText({cores, model, node, system, memoryGiB, load}) {
	return `${cores} cores (${model}), ${memoryGiB} GiB, Node ${node}, ${system}, load ${load} when it began`;
}
