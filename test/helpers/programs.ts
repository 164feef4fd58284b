import {findProgram} from '../../src/pod/platform/programs.ts';
import type {Env, Programs} from '../../src/screen/terminal/program.ts';

/** Finds the programs of an environment, outside of any project. */
export function programsIn(env: Env): Programs {
	return {env, find: name => findProgram(name, env['PATH'])};
}
