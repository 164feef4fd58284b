import {existsSync} from 'node:fs';
import {delimiter, isAbsolute, join} from 'node:path';
import {sanitizeLine} from '../../text/sanitize.ts';

type Start = {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** The path of the program's script. */
	readonly script?: string | undefined;
	/** The name by which the user started Node. */
	readonly node?: string;
};

/**
Returns the words with which the user can start inkpod again. They are `inkpod` if it is in the PATH, and otherwise the
npm script or the path with which this process was started.
*/
export function ownCommand({env, script = process.argv[1], node = process.argv0}: Start): string {
	if (isInstalled(env['PATH'])) return 'inkpod';
	const {npm_lifecycle_event: name, npm_package_name: project, npm_command: command} = env;
	if (project === 'inkpod' && name === 'start') return 'npm start --';
	if (project === 'inkpod' && name !== undefined && /^[\w:-]+$/.test(name) && command === 'run')
		return `npm run ${name} --`;
	if (command === 'exec') return 'npx inkpod';
	return script === undefined ? 'inkpod' : `${shellWord(node)} ${shellWord(script)}`;
}

/**
Tells whether `inkpod` is in the PATH of the user's shell. The folders of npm's packages do not count, because npm adds
them only to the PATH of its scripts.
*/
function isInstalled(path: string | undefined): boolean {
	const folders = (path ?? '').split(delimiter).filter(isAbsolute);
	return folders.some(folder => !folder.endsWith('/node_modules/.bin') && existsSync(join(folder, 'inkpod')));
}

function shellWord(word: string): string {
	const shown = sanitizeLine(word);
	return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}
