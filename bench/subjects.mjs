import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {sessionDir} from '../src/pod/disk/paths.ts';
import {cleanEnvironment} from '../test/helpers/pty.ts';
import {packFloor, packProgram} from './npx.mjs';
import {sessionId, writeSession} from './sessions.mjs';

/** The metrics, in the order in which they are measured. */
export const allMetrics = 'start,idle,echo,stream,rate,warm,enter,turns,npx,resume,paste,frames,popup,draft'.split(',');

/**
Returns the measured programs: the floor and inkpod. peers.mjs has others.
- `command` starts the program, and `ready` is a text on its first complete screen.
- `metrics` names what can be measured. The floor has no composer.
- `pack` makes a package of the program for npx, and returns the name of the tarball.
- `resume` prepares a session of `turns` turns, and returns the arguments and variables that resume it.
*/
export function subjects({program, url, home, project}) {
	return {
		floor: {
			command: [process.execPath, fileURLToPath(new URL('floor.mjs', import.meta.url))],
			env: {FLOOR_URL: url},
			ready: 'floor is ready',
			metrics: allMetrics.filter(name => !['frames', 'popup', 'draft'].includes(name)),
			pack: packFloor,
			async resume(turns) {
				const file = await writeSession(path.join(home, 'floor'), project, turns);
				return {args: [], env: {FLOOR_RESUME: file}};
			},
		},
		inkpod: {
			command: [process.execPath, program, '--model', 'openai-compatible/bench-model'],
			env: {OPENAI_COMPATIBLE_BASE_URL: url, OPENAI_COMPATIBLE_API_KEY: 'none'},
			ready: 'bench-model',
			pack: packProgram,
			metrics: allMetrics,
			async resume(turns) {
				await writeSession(sessionDir(path.join(home, 'state/sessions'), project, sessionId), project, turns);
				return {args: ['-r', sessionId], env: {}};
			},
		},
	};
}

export function environment(home, env) {
	return {...cleanEnvironment(home), INKPOD_HOME: path.join(home, 'state'), ...env};
}
