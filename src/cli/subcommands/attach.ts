import {t} from '../../language/index.ts';
import {parseRemoteName} from '../../pod/first-frame.ts';
import type {ChatLaunch} from '../start/launch.ts';
import {onlyWord, subcommand} from '../start/subcommand.ts';
import {readChat} from './chat.ts';

/**
Opens a chat for a session that another terminal has open. With `--stdio`, relays the session's socket for another
machine.
*/
export const attach = subcommand({
	name: 'attach',
	words: '[id]',
	about: 'attach to a session running in another terminal (HOST:ID: on another machine, by ssh)',
	completes: 'sessions',
	options: {stdio: {shown: 'hidden'}},
	isChat: true,
	read(words, values) {
		const id = onlyWord(words);
		if (id === undefined && words.length > 0) return t`inkpod attach takes at most one session id or prefix.`;
		if (values.stdio === true)
			return id === undefined
				? t`inkpod attach --stdio needs a session id or prefix.`
				: ({command: 'relay', id} as const);
		const attached = attachedTo(id);
		if (attached === undefined)
			return t`Write a session on another machine as HOST:ID. HOST is a host that ssh accepts, and ID is at least
				the first 4 characters of the session id.`;
		if (values.continue === true || values.resume !== undefined || values.fork === true)
			return t`inkpod attach cannot be combined with -c, -r or --fork.`;
		const launch = readChat(values);
		return typeof launch === 'string' ? launch : {...launch, attach: attached};
	},
	async run(launch, io) {
		if (launch.command === 'chat') return (await import('../chat.ts')).chat(launch, io);
		const {relay} = await import('../serve/commands.ts');
		const {env, stdin, stdout, stderr, exit} = io;
		return relay({...launch, env, stdin, stdout, stderr, signal: exit.signal});
	},
});

function attachedTo(id: string | undefined): ChatLaunch['attach'] {
	if (id === undefined) return {};
	if (!id.includes(':')) return {id};
	const remote = parseRemoteName(id);
	return remote && {remote};
}
