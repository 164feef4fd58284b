import {t} from '../../language/index.ts';
import {where} from '../start/options.ts';
import {subcommand} from '../start/subcommand.ts';
import {noArguments} from '../start/texts.ts';

export const sessions = subcommand({
	name: 'sessions',
	about: 'list the sessions of this directory',
	options: {needs: {}, search: {value: 'TEXT'}, all: {}, json: {}},
	read(words, values) {
		if (words.length > 0) return noArguments('sessions', words);
		const {json = false, all = false, needs = false, search} = values;
		if (search?.trim() === '') return t`--search needs text to search for.`;
		return {command: 'sessions', json, all, needs, search, ...where(values)};
	},
	async run(launch, {env, stdout, stderr}) {
		const command = await import('../sessions.ts');
		return command.sessions({...launch, env, stdout, stderr});
	},
});
