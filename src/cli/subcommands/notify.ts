import {t} from '../../language/index.ts';
import {where} from '../start/options.ts';
import {onlyWord, subcommand} from '../start/subcommand.ts';

export const notify = subcommand({
	name: 'notify',
	words: '<id> TEXT',
	about: 'send a notification to a running session',
	completes: 'sessions',
	options: {run: {about: 'start a turn'}},
	read(words, values) {
		const id = onlyWord(words.slice(0, 1));
		const text = words.slice(1).join(' ');
		if (id === undefined || text.trim() === '') return t`inkpod notify needs a session id or prefix, and text.`;
		return {command: 'notify', id, text, run: values.run === true, ...where(values)};
	},
	async run(launch, {env, stderr}) {
		const command = await import('../notify.ts');
		return command.notify({...launch, env, stderr});
	},
});
