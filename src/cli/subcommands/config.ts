import {where} from '../start/options.ts';
import {subcommand} from '../start/subcommand.ts';
import {noArguments} from '../start/texts.ts';

export const config = subcommand({
	name: 'config',
	about: 'print all settings, their values, and the source of each value',
	options: {json: {}},
	read(words, {json = false, ...values}) {
		return words.length > 0 ? noArguments('config', words) : {command: 'config', json, ...where(values)};
	},
	async run(launch, {env, stdout, stderr}) {
		const command = await import('../settings/settings.ts');
		return command.config({...launch, env, stdout, stderr});
	},
});
