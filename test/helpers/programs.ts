import {findProgram} from '../../src/pod/processes/programs.ts';
import type {Env, Programs} from '../../src/tui/terminal/program.ts';

/** The programs of an environment, of which none belongs to a project. */
export function programsIn(env: Env): Programs {
	return {env, find: name => findProgram(name, env['PATH'])};
}
