import {resolve} from 'node:path';
import {
	findProject,
	homeProblem,
	idOf,
	importSession,
	sessionsRoot,
	type Env,
	type ProjectOptions,
} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {systemClock} from '../../worker/index.ts';
import type {Output} from '../sessions.ts';
import {imported, redactedCopy, withoutMedia} from './texts.ts';

type ImportOptions = ProjectOptions & {
	readonly file: string;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
};

/**
Implements `inkpod import FILE`: creates a session of this project from a history.json or an exported JSON. The exit
code is 0, 1 for a file that is not intact, or 2 for bad usage or configuration.
*/
export async function importFile({file, env, stdout, stderr, ...where}: ImportOptions): Promise<number> {
	const refuse = (sentence: string, code: number) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return code;
	};
	const project = await findProject(where, env);
	if (!project.ok) return refuse(project.sentence, 2);
	const problem = await homeProblem(env);
	if (problem !== undefined) return refuse(problem, 2);
	const at = {root: sessionsRoot(env), cwd: project.manifest.pwd};
	const result = await importSession(resolve(file), at, systemClock());
	if (!result.ok) return refuse(result.sentence, 1);
	const lines = [
		imported(idOf(result.dir), result.items),
		...(result.redacted === undefined ? [] : [redactedCopy(result.redacted)]),
		...(result.media ? [withoutMedia] : []),
	];
	stdout.write(lines.map(line => `${line}\n`).join(''));
	return 0;
}
