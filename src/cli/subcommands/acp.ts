import {t} from '../../language/index.ts';
import {subcommand} from '../start/subcommand.ts';
import {noArguments} from '../start/texts.ts';
import {readChat} from './chat.ts';
import {readProvider, runLogin} from './login.ts';

/** The server for an editor. An editor appends `login PROVIDER` to run the login in a terminal. */
export const acp = subcommand({
	name: 'acp',
	about: 'serve an editor over stdio with the Agent Client Protocol',
	isChat: true,
	read(words, values) {
		if (words[0] === 'login') return readProvider('login', words.slice(1), values);
		if (words.length > 0) return noArguments('acp', words);
		const {continue: isContinued, resume, fork, print, bg, cwd} = values;
		if ([isContinued, resume, fork, print, bg, cwd].some(value => value !== undefined))
			return t`inkpod acp takes folders and sessions from the editor, so it has no -p, -c, -r, --fork, --bg or
				--cwd.`;
		const start = readChat(values);
		return typeof start === 'string' ? start : ({command: 'acp', start} as const);
	},
	async run(launch, io) {
		if (launch.command === 'login') return runLogin(launch, io);
		const {acp: serve} = await import('../acp/acp.ts');
		const {version, env, stdin, stdout, stderr, exit} = io;
		return serve({start: launch.start, version, env, stdin, stdout, stderr, exit});
	},
});
