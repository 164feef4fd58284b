import {where} from '../start/options.ts';
import {subcommand} from '../start/subcommand.ts';
import {noArguments} from '../start/texts.ts';

export const doctor = subcommand({
	name: 'doctor',
	about: 'check the terminal, keys, model, files and programs',
	options: {json: {}},
	read(words, {json = false, model, ...values}) {
		return words.length > 0 ? noArguments('doctor', words) : {command: 'doctor', json, model, ...where(values)};
	},
	async run(launch, {version, env, stdout}) {
		const command = await import('../doctor.ts');
		return command.doctor({...launch, version, env, stdout});
	},
});
